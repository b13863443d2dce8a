// The main job through openapi-fetch, with the types that openapi-typescript generated.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "./generated/roundsman";

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

// Every call answers `data` or `error`, one of them undefined.
function must<Data>(answer: { data?: Data; error?: { message: string } }): Data {
  if (answer.data === undefined) throw new Error(answer.error?.message ?? "no answer");
  return answer.data;
}

const client = createClient<paths>({ baseUrl: `${setting("ROUNDSMAN_URL")}/api/2024-07` });
const key = () => ({ "Idempotency-Key": randomUUID() });

const { accessToken } = must(await client.POST("/authenticate", {
  body: { clientId: setting("ROUNDSMAN_CLIENT_ID"), clientSecret: setting("ROUNDSMAN_CLIENT_SECRET") },
}));
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${accessToken}`);
    return request;
  },
});

let arrive: (webhook: [string, IncomingHttpHeaders]) => void;
const inbox = new Promise<[string, IncomingHttpHeaders]>((resolve) => { arrive = resolve; });
const receiver = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  response.writeHead(204).end();
  arrive([Buffer.concat(parts).toString(), request.headers]);
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as AddressInfo;
must(await client.POST("/webhooks", {
  params: { header: key() },
  body: { url: `http://127.0.0.1:${port}/in`, topics: ["ROUTE_DISPATCHED"] },
}));

const stops: components["schemas"]["StopDraftInput"][] = Array.from({ length: 20 }, (_, number) => ({
  clientStopId: `order-${number}`,
  coordinates: { latitude: 39.25 + ((number * 7) % 20) / 100, longitude: -76.61 },
}));
const header = key();
const imported = must(await client.POST("/stops/imports", { params: { header }, body: stops }));
// The same key again: an answer that was lost is asked for, and books nothing twice.
const again = must(await client.POST("/stops/imports", { params: { header }, body: stops }));
const route = must(await client.POST("/routes", {
  params: { header: key() },
  body: { name: "Van 1", start: { coordinates: { latitude: 39.24, longitude: -76.61 } } },
}));
const path = { routeId: route.id };
must(await client.POST("/routes/{routeId}/stops", {
  params: { path, header: key() },
  body: imported.stops.map((stop) => ({ importedStopId: stop.id })),
}));
const best = must(await client.POST("/routes/{routeId}/reoptimize", { params: { path, header: key() } }));
must(await client.POST("/routes/{routeId}/dispatch", { params: { path, header: key() } }));

const [body, signed] = await inbox;
receiver.close();
// Node's headers may be lists; the library takes texts.
const event = new Webhook(setting("ROUNDSMAN_WEBHOOK_SECRET")).verify(body, signed as Record<string, string>) as {
  topic: string; objectId: string;
};

let events = 0;
let cursor: string | undefined;
do {
  const page = must(await client.GET("/events", { params: { query: { "query.limit": 10, cursor } } }));
  events += page.events.length;
  cursor = page.nextCursor;
} while (cursor);

const refused = await client.POST("/routes", { body: { start: {} } });
console.log(JSON.stringify({
  imported: imported.stops.length,
  replayed: again.stops[0]?.id === imported.stops[0]?.id,
  optimized: best.optimized,
  first: best.stops[0]?.clientStopId,
  webhook: event.topic,
  ofRoute: event.objectId === route.id,
  events,
  refused: refused.error?.code,
  fields: refused.error?.details?.flatMap((detail) => detail.fieldViolations ?? []).map((violation) => violation.field),
}));
