// The integration in Zapier's own runner, against a running service; npm test says how in the README.
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
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

test("a step that is run again imports once", async () => {
  const inputData = { ...order, requestId: randomUUID() };
  const first = await run(importing.perform, { authData, inputData });
  const again = await run(importing.perform, { authData, inputData });
  assert.deepEqual(again, first);
  const made = [];
  for await (const one of roundsman.iterateEvents()) if (one.topic.startsWith("IMPORTED_STOP")) made.push(one.topic);
  assert.deepEqual(made, ["IMPORTED_STOP_CREATED"]);
});

test("a refusal says which field is wrong", async () => {
  const inputData = { ...order, deliveryDate: "tomorrow" };
  await assert.rejects(run(importing.perform, { authData, inputData }), (error) => error.message.includes("deliveryDate"));
});
