// The main job through the client for TypeScript, as it is built; prints what it found as JSON.
import { createServer } from "node:http";
import { once } from "node:events";
import { ConnectionFailed, InvalidArgument, Unavailable, Roundsman, WebhookRefused, unwrap } from "../../sdk/typescript/dist/index.js";

const [url, clientId, clientSecret, webhookSecret] = process.argv.slice(2);
let lost = 0;
let number = 0;
// Every fifth answer is lost after the service has done what was asked.
async function lossy(address, init) {
  const answer = await fetch(address, init);
  number += 1;
  if (number % 5 === 0) {
    lost += 1;
    await answer.arrayBuffer();
    throw new TypeError("the answer was lost");
  }
  return answer;
}
const answers = [];
const roundsman = new Roundsman({ url, clientId, clientSecret, fetch: lossy, sleep: async () => {}, onAnswer: (one) => answers.push(one) });
// What a receiver gets: the bytes as they came, and Node's headers.
let arrive;
const inbox = new Promise((resolve) => { arrive = resolve; });
const receiver = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  arrive([Buffer.concat(pieces), request.headers]);
  response.end();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
await roundsman.addWebhook({ url: `http://127.0.0.1:${receiver.address().port}/in`, topics: ["ROUTE_DISPATCHED"] });

const stops = Array.from({ length: 250 }, (_, n) => ({
  orderName: `#${n}`, coordinates: { latitude: 39.28 + n / 2000, longitude: -76.61 },
}));
const imported = [];
for await (const stop of roundsman.importAllStops(stops)) imported.push(stop.id);
const route = await roundsman.createRoute({ name: "Van 1", start: { coordinates: { latitude: 39.29, longitude: -76.61 } } });
await roundsman.addRouteStops(route.id, imported.slice(0, 50).map((importedStopId) => ({ importedStopId })));
const best = await roundsman.reoptimizeRoute(route.id);
await roundsman.dispatchRoute(route.id);
const [webhookBody, webhookHeaders] = await inbox;
const webhook = await unwrap(webhookBody, webhookHeaders, ["b3RoZXI=", webhookSecret]);
receiver.closeAllConnections();
receiver.close();
const made = [];
for (let count = 0; count < 20; count += 1) made.push((await roundsman.createRoute({ name: `Route ${count}`, start: { coordinates: { latitude: 39.29, longitude: -76.61 } } })).id);
let unrouted = 0;
for await (const _ of roundsman.iterateImportedStops({ unrouted: true, limit: 40 })) unrouted += 1;
const topics = {};
for await (const event of roundsman.iterateEvents({ limit: 100 })) topics[event.topic] = (topics[event.topic] ?? 0) + 1;
let fields = [];
try {
  await roundsman.createRoute({ start: {}, colour: "red" });
} catch (error) {
  if (!(error instanceof InvalidArgument)) throw error;
  fields = error.violations.map((one) => one.field);
}
const secret = "c2VjcmV0";
const key = await crypto.subtle.importKey("raw", Buffer.from(secret, "base64"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const body = '{"topic":"TEST"}';
const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, Buffer.from(`evt-1.1000.${body}`))).toString("base64");
const headers = { "Webhook-Id": "evt-1", "Webhook-Timestamp": "1000", "Webhook-Signature": `v1,AAAA v1,${signature}` };
const event = await unwrap(body, headers, ["b3RoZXI=", secret], 1100);
const refused = [];
for (const [text, at] of [[`${body} `, 1000], [body, 1301], [body, 600]]) {
  await unwrap(text, headers, secret, at).catch((error) => refused.push(error instanceof WebhookRefused));
}
// A mistyped secret is named, unless another has signed.
for (const mistyped of ["bad base64!", "c2VjcmV0c", "", "whsec_"]) {
  await unwrap(body, headers, [mistyped, ` ${secret}\n`], 1100);
  await unwrap(`${body} `, headers, [secret, mistyped], 1100).catch((error) => refused.push(error instanceof WebhookRefused && error.message.includes("secret 2 of 2")));
}
// Headers of a Request, and what its arrayBuffer() is.
const request = new Request("https://shop.example.com/in", { method: "POST", body, headers });
const fetched = await unwrap(await request.arrayBuffer(), request.headers, [secret], 1100);

// Many calls whose token was ended get one new one; who gives up is told the key.
let issued = 0;
const refused401 = [];
const fake = (answer) => new Roundsman({ url: "https://r", clientId, clientSecret, sleep: async (seconds) => { pauses.push(seconds); }, fetch: async (address, init) => {
  if (!address.endsWith("/oauth/token")) return answer(init.headers);
  issued += 1;
  return Response.json({ access_token: `t-${issued}`, expires_in: 3600 });
} });
const pauses = [];
const renewing = fake((sent) => {
  if (sent.Authorization !== "Bearer t-1") return Response.json({});
  return new Promise((resolve) => {
    refused401.push(() => resolve(Response.json({ code: 16, message: "expired" }, { status: 401 })));
    if (refused401.length === 20) for (const one of refused401) one();
  });
});
await Promise.all(Array.from({ length: 20 }, () => renewing.getOrganization()));
const tokens = issued;
const keys = [];
const lostKey = await fake((sent) => { keys.push(sent["Idempotency-Key"]); throw new TypeError("lost"); })
  .createRoute({ start: {} }).catch((error) => error instanceof ConnectionFailed && error.idempotencyKey);
pauses.length = 0;
let tries = 0;
const long = await fake(() => {
  tries += 1;
  const wait = tries === 1 ? "90" : tries === 2 ? "Tue, 24 Nov 2026 10:00:20 GMT" : "3600";
  return Response.json({ code: 14 }, { status: 503, headers: { "Retry-After": wait, Date: "Tue, 24 Nov 2026 10:00:00 GMT" } });
}).getOrganization().catch((error) => error instanceof Unavailable && error.retryAfter);

// A refusal of the second piece names the stop of the whole list.
const wrong = [];
const violation = (field) => ({ field, description: "must be unique in the request; [0] has the same" });
const details = [{ fieldViolations: ["[1].clientStopId", "[2].timeWindows[1].start", ""].map(violation) }];
let piece = 0;
const partly = fake(() => {
  piece += 1;
  if (piece === 1) return Response.json({ stops: [] });
  return Response.json({ code: 3, message: "[1].clientStopId must be unique in the request; [0] has the same", details }, { status: 400 });
});
try {
  for await (const stop of partly.importAllStops(stops)) wrong.push(stop);
} catch (error) {
  wrong.push(error.message, ...error.violations.map((one) => `${one.field} ${one.description}`));
}

const asked = new Set();
for (const ending of ["", "/", "/api/2024-07", "/api/2024-07/"]) {
  const client = new Roundsman({ url: `https://r${ending}`, clientId, clientSecret, fetch: async (address) => {
    asked.add(address);
    return Response.json({ access_token: "t", expires_in: 3600 });
  } });
  await client.getOrganization();
}

console.log(JSON.stringify({
  asked: [...asked], wrong,
  imported: new Set(imported).size, optimized: best.optimized, made: new Set(made).size, unrouted, topics, fields, lost,
  topic: event.topic, refused, fetched: fetched.topic, webhook: [webhook.topic, webhook.objectId === route.id],
  replayed: answers.filter((one) => one.wasReplayed).length, tokens, long, pauses,
  keptKey: keys.length === 5 && keys.every((one) => one && one === lostKey),
}));
