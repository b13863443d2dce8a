// The main job through the nodes as they are built, against a running service. What calls them is a small host, which
// does what n8n does for a node: parameters, credentials, requests. `npm test` says how in the README.
const assert = require("node:assert/strict");
const { createHmac } = require("node:crypto");
const { once } = require("node:events");
const { createServer } = require("node:http");
const { test } = require("node:test");
const { NodeApiError } = require("n8n-workflow");
const { RoundsmanApi } = require("./dist/credentials/RoundsmanApi.credentials.js");
const { Roundsman } = require("./dist/nodes/Roundsman.node.js");
const { RoundsmanTrigger, isFromRoundsman } = require("./dist/nodes/RoundsmanTrigger.node.js");

const { ROUNDSMAN_URL: url, ROUNDSMAN_CLIENT_ID: clientId, ROUNDSMAN_CLIENT_SECRET: clientSecret, ROUNDSMAN_WEBHOOK_SECRET: webhookSecret } = process.env;
const credentials = { url, clientId, clientSecret, webhookSecret };

async function httpRequest({ method, url: address, qs = {}, body, headers = {} }) {
  const query = new URLSearchParams(qs).toString();
  const answer = await fetch(query ? `${address}?${query}` : address, {
    method, headers: { "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body),
  });
  const data = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(`status ${answer.status}`), { httpCode: String(answer.status), response: { status: answer.status, data } });
  return data;
}

async function httpRequestWithAuthentication(_name, options) {
  if (!credentials.accessToken) Object.assign(credentials, await new RoundsmanApi().preAuthentication.call({ helpers: { httpRequest } }, credentials));
  try {
    return await httpRequest({ ...options, headers: { ...options.headers, Authorization: `Bearer ${credentials.accessToken}` } });
  } catch (error) {
    throw new NodeApiError(node, error); // as n8n does: its message is the status code's
  }
}

const node = { id: "node-1", name: "Roundsman", type: "roundsman", typeVersion: 1, position: [0, 0], parameters: {} };
const kept = {};
let executions = 0;
const host = (parameters, items = [{ json: {} }], address = "") => {
  executions += 1;
  const execution = `execution-${executions}`;
  return {
    helpers: { httpRequestWithAuthentication, returnJsonArray: (json) => [{ json }] },
    getInputData: () => items, getNode: () => node, getInstanceId: () => "instance-1", getExecutionId: () => execution,
    continueOnFail: () => parameters.continueOnFail ?? false,
    getCredentials: async () => credentials, evaluateExpression: () => 0, getWorkflowStaticData: () => kept,
    getNodeParameter: (name, _index, otherwise) => parameters[name] ?? otherwise, getNodeWebhookUrl: () => address,
  };
};
const run = async (parameters, items) => (await new Roundsman().execute.call(host(parameters, items)))[0].map(({ json }) => json);

test("the main job", { timeout: 60_000 }, async (context) => {
  let arrive;
  const inbox = new Promise((resolve) => { arrive = resolve; });
  const receiver = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    response.writeHead(204).end();
    arrive([Buffer.concat(parts), request.headers]);
  }).listen(0, "127.0.0.1");
  context.after(() => { receiver.closeAllConnections(); receiver.close(); });
  await once(receiver, "listening");
  const { default: trigger } = new RoundsmanTrigger().webhookMethods;
  const hooked = host({ topics: ["ROUTE_DISPATCHED"] }, [], `http://127.0.0.1:${receiver.address().port}/webhook`);
  assert.equal(await trigger.checkExists.call(hooked), false);
  assert.equal(await trigger.create.call(hooked), true);
  assert.equal(await trigger.checkExists.call(hooked), true);

  const items = Array.from({ length: 250 }, (_, number) => ({ json: { clientStopId: `order-${number}`, coordinates: { latitude: 39.25 + number / 1000, longitude: -76.61 } } }));
  const importing = host({ operation: "importStops" }, items);
  const [imported] = await new Roundsman().execute.call(importing);
  assert.deepEqual(imported.map(({ json }) => json.clientStopId), items.map(({ json }) => json.clientStopId));
  assert.deepEqual(await new Roundsman().execute.call(importing), [imported]); // "Retry On Fail": one effect
  const [route] = await run({ operation: "createRoute", name: "Van 1", latitude: 39.24, longitude: -76.61 });
  const stopIds = [7, 3, 5].map((number) => imported[number].json.id);
  await run({ operation: "addStops", routeId: route.id, stopIds: stopIds.join(", ") });
  const [best] = await run({ operation: "reoptimize", routeId: route.id });
  assert.deepEqual(best.stops.map(({ clientStopId }) => clientStopId), ["order-3", "order-5", "order-7"]);
  await run({ operation: "dispatch", routeId: route.id });
  assert.equal((await run({ operation: "getRoute", routeId: route.id }))[0].dispatchedUntil > "2026", true);

  const [body, headers] = await inbox;
  const now = Date.now() / 1000;
  assert.equal(isFromRoundsman(body, headers, webhookSecret, now), true);
  assert.equal(isFromRoundsman(Buffer.concat([body, body]), headers, webhookSecret, now), false);
  assert.equal(isFromRoundsman(body, headers, webhookSecret, now + 301), false);
  assert.equal(isFromRoundsman(body, headers, "", now), false);
  const started = await new RoundsmanTrigger().webhook.call({
    ...hooked, getRequestObject: () => ({ rawBody: body }), getHeaderData: () => headers, getBodyData: () => JSON.parse(body),
  });
  assert.equal(started.workflowData[0][0].json.objectId, route.id);
  const tried = (topics) => new RoundsmanTrigger().webhook.call({
    ...host({ topics }), getRequestObject: () => ({ rawBody: body }), getHeaderData: () => headers, getBodyData: () => ({ eventId: "evt-test", topic: "TEST" }),
  });
  assert.deepEqual(await tried(["ROUTE_DISPATCHED"]), { webhookResponse: "The secret is right" });
  assert.equal((await tried(["TEST"])).workflowData.length, 1);
  const events = await run({ operation: "listEvents" });
  assert.equal(events.filter(({ topic }) => topic === "IMPORTED_STOP_CREATED").length, 250);
  assert.deepEqual(await run({ operation: "listEvents", from: new Date(Date.now() + 60_000).toISOString() }), []);
  assert.equal(await trigger.delete.call(hooked), true);
  assert.equal(await trigger.checkExists.call(hooked), false);

  await trigger.create.call(hooked);
  await httpRequestWithAuthentication("", { method: "DELETE", url: `${url}/api/2024-07/webhooks/${kept.webhookId}` });
  assert.equal(await trigger.delete.call(hooked), true);
});

test("an event that comes again starts no second workflow, be it among the last 500", async () => {
  const secret = "c2VjcmV0";
  const keptHere = {};
  const arrives = (eventId) => {
    const body = Buffer.from(JSON.stringify({ eventId, topic: "ROUTE_STARTED" }));
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(`${eventId}.${time}.`).update(body).digest("base64");
    return new RoundsmanTrigger().webhook.call({
      ...host({ topics: ["ROUTE_STARTED"] }), getCredentials: async () => ({ webhookSecret: secret }), getWorkflowStaticData: () => keptHere,
      getRequestObject: () => ({ rawBody: body }), getBodyData: () => JSON.parse(body),
      getHeaderData: () => ({ "webhook-id": eventId, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` }),
    });
  };
  assert.equal((await arrives("evt-1")).workflowData[0][0].json.eventId, "evt-1");
  const again = { webhookResponse: "The workflow was started by this event before" };
  assert.deepEqual(await arrives("evt-1"), again);
  for (let number = 2; number <= 501; number += 1) assert.equal((await arrives(`evt-${number}`)).workflowData.length, 1);
  assert.deepEqual(await arrives("evt-2"), again);
  assert.equal(keptHere.eventIds.length, 500);
  assert.equal((await arrives("evt-1")).workflowData.length, 1);
});

test("a refusal names each wrong field, and where the workflow goes on it is each item's", async () => {
  const items = [{ json: { duration: "soon" } }, { json: { clientStopId: 7 } }];
  const namesBoth = (text) => text.includes("[0].duration: must") && text.includes("[1].clientStopId: must");
  await assert.rejects(run({ operation: "importStops" }, items), (error) => error.message.startsWith("[0].duration must") && namesBoth(error.description));
  const made = await run({ operation: "importStops", continueOnFail: true }, items);
  assert.deepEqual(made.map(({ error }) => namesBoth(error)), [true, true]);
});

const stopAt = (number) => ({ clientStopId: `more-${number}`, coordinates: { latitude: 39.25 + number / 1000, longitude: -76.61 } });
const start = { operation: "createRoute", latitude: 39.24, longitude: -76.61 };

test("a refusal names the stop of the whole list, and its item", async () => {
  const items = Array.from({ length: 215 }, (_, number) => ({ json: { ...stopAt(number), ...(number === 210 && { duration: "soon" }) } }));
  await assert.rejects(run({ operation: "importStops" }, items), (error) =>
    error.message.startsWith("[210].duration must") && error.description.startsWith("[210].duration: must") && error.context.itemIndex === 210);
  const [route] = await run(start);
  const stopIds = Array.from({ length: 215 }, (_, number) => (number === 210 ? "nobody" : `more-${number}`));
  await run({ operation: "importStops" }, Array.from({ length: 215 }, (_, number) => ({ json: stopAt(number) })));
  await assert.rejects(run({ operation: "addStops", routeId: route.id, stopIds }), (error) =>
    error.message === "imported stop not found: [210].importedStopId" && error.httpCode === "404");
  // The first piece is on the route: an execution after it goes on with the second.
  const [whole] = await run({ operation: "addStops", routeId: route.id, stopIds: stopIds.with(210, "more-210") });
  assert.deepEqual(whole.stops.map(({ clientStopId }) => clientStopId), stopIds.with(210, "more-210"));
  const [again] = await run({ operation: "addStops", routeId: route.id, stopIds: whole.stops.map(({ importedStopId }) => importedStopId) });
  assert.equal(again.stops.length, 215);
});

test("reasons that stand in the way are said, each of them", async () => {
  const [far, heavy] = await run({ operation: "importStops" }, [
    { json: { orderName: "far", coordinates: { latitude: 39.6, longitude: -76.6 }, timeWindows: [{ end: { minutes: 1 } }] } },
    { json: { orderName: "heavy", coordinates: { latitude: 39.3, longitude: -76.6 }, items: [{ name: "Stove", quantity: 1, grams: 90_000 }] } },
  ]);
  const [route] = await run({ ...start, scheduledFor: "2030-05-06T08:00:00-04:00", more: '{"maxKilograms": 50}' });
  await run({ operation: "addStops", routeId: route.id, stopIds: [far.id, heavy.id] });
  await assert.rejects(run({ operation: "reoptimize", routeId: route.id }), (error) =>
    error.message.includes("1 more reason") && error.description.includes("; ") && error.description.includes("kg") && error.description.includes("far"));
});

test("a route starts where somebody said", async () => {
  for (const nowhere of [{}, { latitude: 0, longitude: 0 }, { latitude: 39.24 }, { latitude: null, longitude: null }]) {
    await assert.rejects(run({ operation: "createRoute", ...nowhere }), /Start Latitude and Start Longitude/);
  }
  await assert.rejects(run({ ...start, more: "[]" }), /More Fields must be a JSON object/);
  const place = { coordinates: { latitude: 39.2, longitude: -76.6 } };
  const [route] = await run({ operation: "createRoute", more: JSON.stringify({ start: place, end: place }) });
  assert.deepEqual([route.start.coordinates ?? route.start.plannedCoordinates, route.end !== undefined], [place.coordinates, true]);
  // An expression may make a number of an id of digits.
  await run({ operation: "importStops" }, [{ json: { ...stopAt(1), clientStopId: "7" } }]);
  const [added] = await run({ operation: "addStops", routeId: route.id, stopIds: 7 });
  assert.equal(added.stops.length, 1);
});
