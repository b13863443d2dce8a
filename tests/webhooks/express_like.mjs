// A receiver as they are found in public: the signature under the header of another service, and
// a web framework's usual limit of 100 kB for a JSON body, refused as that framework does.
//
// WEBHOOK_SECRET=… node express_like.mjs

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const LIMIT = 100 * 1024;
const secret = Buffer.from(process.env.WEBHOOK_SECRET, "base64");

function statusFor(body, header) {
  const computed = createHmac("sha256", secret).update(body).digest("base64");
  const [one, other] = [Buffer.from(computed), Buffer.from(header ?? "")];
  if (one.length !== other.length || !timingSafeEqual(one, other)) return 401;
  const { topic, payload } = JSON.parse(body);
  return topic === "TEST" || payload?.id ? 200 : 422;
}

const server = createServer(async (request, response) => {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size <= LIMIT) parts.push(part);
  }
  const status = size > LIMIT
    ? 413
    : statusFor(Buffer.concat(parts), request.headers["x-example-hmac-sha256"]);
  console.log(`${request.url} ${status} ${request.headers["x-example-topic"]}`);
  response.writeHead(status).end();
});

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
