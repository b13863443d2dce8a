// The main job through the client for TypeScript, as it is built; prints what it found as JSON.
import { InvalidArgument, Roundsman, WebhookRefused, unwrap } from "../../sdk/typescript/dist/index.js";

const [url, clientId, clientSecret] = process.argv.slice(2);
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
const roundsman = new Roundsman({ url, clientId, clientSecret, fetch: lossy, sleep: async () => {} });
const stops = Array.from({ length: 250 }, (_, n) => ({
  orderName: `#${n}`, coordinates: { latitude: 39.28 + n / 2000, longitude: -76.61 },
}));
const imported = [];
for await (const stop of roundsman.importAllStops(stops)) imported.push(stop.id);
const route = await roundsman.createRoute({ name: "Van 1", start: { coordinates: { latitude: 39.29, longitude: -76.61 } } });
await roundsman.addRouteStops(route.id, imported.slice(0, 50).map((importedStopId) => ({ importedStopId })));
const best = await roundsman.reoptimizeRoute(route.id);
await roundsman.dispatchRoute(route.id);
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
console.log(JSON.stringify({
  imported: new Set(imported).size, optimized: best.optimized, made: new Set(made).size, unrouted, topics, fields, lost,
  topic: event.topic, refused,
}));
