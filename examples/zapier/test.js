// The integration in Zapier's own runner, against a running service; npm test says how in the README.
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Roundsman } from "@roundsman/client";
import App from "./index.js";

const zapier = createRequire(import.meta.url)("zapier-platform-core");
const run = zapier.createAppTester(App);
const authData = {
  url: process.env.ROUNDSMAN_URL,
  clientId: process.env.ROUNDSMAN_CLIENT_ID,
  clientSecret: process.env.ROUNDSMAN_CLIENT_SECRET,
  webhookSecret: process.env.ROUNDSMAN_WEBHOOK_SECRET,
};
const roundsman = new Roundsman(authData);
const { operation: delivered } = App.triggers.stop_delivered;
const { operation: importing } = App.creates.import_stop;
const order = { clientStopId: "order-1", address1: "100 Light St", city: "Baltimore", provinceCode: "MD" };

// What Zapier hands over of a webhook: its body as text, and its headers with a prefix.
function arrived(event, secret) {
  const content = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(`${event.eventId}.${timestamp}.${content}`).digest("base64");
  const headers = { "Http-Webhook-Id": event.eventId, "Http-Webhook-Timestamp": timestamp, "Http-Webhook-Signature": `v1,${signature}` };
  return { authData, rawRequest: { method: "POST", querystring: "", headers, content }, cleanedRequest: event };
}

const event = (deliveryStatus) => ({
  eventId: "evt-1", topic: "STOP_STATUS_UPDATED", objectId: "stp-2",
  payload: { id: "rte-1", stops: [{ id: "stp-1", deliveryStatus: "DELIVERED" }, { id: "stp-2", deliveryStatus, clientStopId: "order-2" }] },
});

test("credentials are tried, and refused ones are asked for again", async () => {
  assert.equal((await run(App.authentication.test, { authData })).name, "Acme Foods");
  const wrong = { ...authData, clientSecret: "wrong" };
  await assert.rejects(run(App.authentication.test, { authData: wrong }), { name: "ExpiredAuthError" });
});

test("a Zap that is switched on has a webhook, and none when it is off", async () => {
  const targetUrl = "https://8.8.8.8/hooks/standard/1/";
  const subscribeData = await run(delivered.performSubscribe, { authData, targetUrl });
  assert.deepEqual((await roundsman.listWebhooks()).webhooks.map(({ url, topics }) => [url, topics]), [[targetUrl, ["STOP_STATUS_UPDATED"]]]);
  await run(delivered.performUnsubscribe, { authData, targetUrl, subscribeData });
  assert.deepEqual((await roundsman.listWebhooks()).webhooks, []);
});

test("a delivered stop starts the Zap, another change does not", async () => {
  const [stop, ...others] = await run(delivered.perform, arrived(event("DELIVERED"), authData.webhookSecret));
  assert.deepEqual(others, []);
  assert.deepEqual([stop.id, stop.stopId, stop.routeId, stop.clientStopId], ["evt-1", "stp-2", "rte-1", "order-2"]);
  assert.deepEqual(await run(delivered.perform, arrived(event("OUT_FOR_DELIVERY"), authData.webhookSecret)), []);
  await assert.rejects(run(delivered.perform, arrived(event("DELIVERED"), "b3RoZXI=")), { name: "HaltedError" });
  assert.deepEqual(await run(delivered.performList, { authData }), []);
});

test("an event that comes again starts each Zap once", async () => {
  const comes = (id) => run(delivered.perform, { ...arrived({ ...event("DELIVERED"), eventId: "evt-again" }, authData.webhookSecret), subscribeData: { id } });
  const started = [];
  for (const id of ["whk-1", "whk-1", "whk-2", "whk-2"]) started.push((await comes(id)).length);
  assert.deepEqual(started, [1, 0, 1, 0]);
});

test("a step that is run again imports once", async () => {
  const inputData = { ...order, requestId: randomUUID() };
  const first = await run(importing.perform, { authData, inputData });
  const again = await run(importing.perform, { authData, inputData });
  assert.deepEqual(again, first);
  const made = [];
  for await (const one of roundsman.iterateEvents()) if (one.topic.startsWith("IMPORTED_STOP")) made.push(one.topic);
  assert.deepEqual(made, ["IMPORTED_STOP_CREATED"]);
});

test("two steps of a Zap that have the same ID import a stop each", async () => {
  const requestId = randomUUID();
  for (const clientStopId of ["order-2", "order-3"]) {
    const stop = await run(importing.perform, { authData, inputData: { ...order, clientStopId, requestId } });
    assert.equal(stop.clientStopId, clientStopId);
  }
});

test("a delivery date is a day, with a time behind it or without", async () => {
  for (const deliveryDate of ["2030-07-02", "2030-07-02T09:00:00-04:00"]) {
    const stop = await run(importing.perform, { authData, inputData: { ...order, deliveryDate } });
    assert.deepEqual(stop.deliveryDate, { year: 2030, month: 7, day: 2 });
  }
  await assert.rejects(run(importing.perform, { authData, inputData: { ...order, deliveryDate: "tomorrow" } }), (error) =>
    error.message.includes("Delivery date must be a day as YYYY-MM-DD, not tomorrow"));
});

test("a refusal says once, by its label, which field is wrong", async () => {
  const inputData = { ...order, phone: "call me", deliveryDate: "2030-02-30" };
  const lines = await run(importing.perform, { authData, inputData }).then(() => [], (error) => JSON.parse(error.message).message.split("\n"));
  assert.equal(lines.length, 2);
  assert.ok(lines.some((line) => line.startsWith("Phone must be a phone number")), lines.join());
  assert.ok(lines.some((line) => line.startsWith("Delivery date ")), lines.join());
});

test("a webhook that somebody has removed is unsubscribed all the same", async () => {
  const subscribeData = await run(delivered.performSubscribe, { authData, targetUrl: "https://8.8.8.8/hooks/standard/2/" });
  await roundsman.removeWebhook(subscribeData.id);
  await run(delivered.performUnsubscribe, { authData, subscribeData });
});

test("samples are of late, and few events are read for them", async (context) => {
  const asked = [];
  const busy = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://r");
    if (pathname.endsWith("/events")) asked.push(Date.now() - Date.parse(searchParams.get("query.timestampStart")));
    const events = Array.from({ length: 50 }, () => event("OUT_FOR_DELIVERY"));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(pathname.endsWith("/oauth/token") ? { access_token: "t", expires_in: 3600 } : { events, nextCursor: "more" }));
  }).listen(0, "127.0.0.1");
  context.after(() => { busy.closeAllConnections(); busy.close(); });
  await once(busy, "listening");
  const url = `http://127.0.0.1:${busy.address().port}`;
  assert.deepEqual(await run(delivered.performList, { authData: { ...authData, url } }), []);
  const days = asked.map((milliseconds) => Math.round(milliseconds / 3_600_000));
  assert.deepEqual(days, [1, 24, 168].flatMap((hours) => Array(4).fill(hours)));
});
