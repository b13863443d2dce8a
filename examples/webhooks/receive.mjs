// Receive webhooks and verify them, with nothing but Node's own modules.
//
// WEBHOOK_SECRET=… node receive.mjs 9000

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET, "base64");
const seen = new Set(); // a real receiver keeps this in its database, for some days

// Compare the signature with ours, in constant time, over the bytes as they came.
function isFromRoundsman(body, signature) {
  const ours = createHmac("sha256", key).update(body).digest();
  const theirs = Buffer.from(signature ?? "", "base64");
  return theirs.length === ours.length && timingSafeEqual(theirs, ours);
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!isFromRoundsman(body, request.headers["x-service-hmac-sha256"])) {
    response.writeHead(401).end();
    return;
  }
  const event = JSON.parse(body);
  if (!seen.has(event.eventId)) { // the same event may come twice
    seen.add(event.eventId);
    console.log(event.eventTimestamp, event.topic, event.objectId ?? "");
  }
  response.writeHead(204).end();
});

server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`listening on port ${server.address().port}`);
});
