// The main job through a client that @hey-api/openapi-ts generated.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { createClient } from "./generated/client";
import {
  addRouteStops, addWebhook, authenticate, createRoute, dispatchRoute, importStops, listEvents, reoptimizeRoute,
  type StopDraftInput,
} from "./generated";

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const baseUrl = `${setting("ROUNDSMAN_URL")}/api/2024-07`;
const key = () => ({ "Idempotency-Key": randomUUID() });

// `throwOnError` makes `data` certain; what is thrown is the body of the refusal, with no type.
const signedIn = await authenticate({
  client: createClient({ baseUrl }),
  body: { clientId: setting("ROUNDSMAN_CLIENT_ID"), clientSecret: setting("ROUNDSMAN_CLIENT_SECRET") },
  throwOnError: true,
});
const client = createClient({ baseUrl, auth: signedIn.data.accessToken });

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
await addWebhook({
  client, headers: key(), throwOnError: true,
  body: { url: `http://127.0.0.1:${port}/in`, topics: ["ROUTE_DISPATCHED"] },
});

const stops: StopDraftInput[] = Array.from({ length: 20 }, (_, number) => ({
  clientStopId: `order-${number}`,
  coordinates: { latitude: 39.25 + ((number * 7) % 20) / 100, longitude: -76.61 },
}));
const headers = key();
const imported = await importStops({ client, headers, body: stops, throwOnError: true });
// The same key again: an answer that was lost is asked for, and books nothing twice.
const again = await importStops({ client, headers, body: stops, throwOnError: true });
const route = await createRoute({
  client, headers: key(), throwOnError: true,
  body: { name: "Van 1", start: { coordinates: { latitude: 39.24, longitude: -76.61 } } },
});
const path = { routeId: route.data.id };
await addRouteStops({
  client, path, headers: key(), throwOnError: true,
  body: imported.data.stops.map((stop) => ({ importedStopId: stop.id })),
});
const best = await reoptimizeRoute({ client, path, headers: key(), throwOnError: true });
await dispatchRoute({ client, path, headers: key(), throwOnError: true });

const [body, signed] = await inbox;
receiver.close();
// Node's headers may be lists; the library takes texts.
const event = new Webhook(setting("ROUNDSMAN_WEBHOOK_SECRET")).verify(body, signed as Record<string, string>) as {
  topic: string; objectId: string;
};

let events = 0;
let cursor: string | undefined;
do {
  const page = await listEvents({ client, query: { "query.limit": 10, cursor }, throwOnError: true });
  events += page.data.events.length;
  cursor = page.data.nextCursor;
} while (cursor);

const refused = await createRoute({ client, body: { start: {} } });
console.log(JSON.stringify({
  imported: imported.data.stops.length,
  replayed: again.data.stops[0]?.id === imported.data.stops[0]?.id,
  optimized: best.data.optimized,
  first: best.data.stops[0]?.clientStopId,
  webhook: event.topic,
  ofRoute: event.objectId === route.data.id,
  events,
  refused: refused.error?.code,
  fields: refused.error?.details?.flatMap((detail) => detail.fieldViolations ?? []).map((violation) => violation.field),
}));
