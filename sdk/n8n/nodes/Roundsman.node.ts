import { createHash } from "node:crypto";
import {
  NodeApiError, NodeConnectionTypes, NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type INodeProperties, type INodeType,
  type INodeTypeDescription,
} from "n8n-workflow";
import { CREDENTIALS, ask, firstRowOf, isRefusedFor, type Call } from "./requests";

const MOST_STOPS_AT_ONCE = 200;
const ON_A_ROUTE = ["addStops", "reoptimize", "dispatch", "getRoute"];

const properties: INodeProperties[] = [
  {
    displayName: "Operation", name: "operation", type: "options", noDataExpression: true, default: "importStops",
    options: [
      { name: "Add Stops to Route", value: "addStops", action: "Add stops to a route" },
      { name: "Create Route", value: "createRoute", action: "Create a route" },
      { name: "Dispatch Route", value: "dispatch", action: "Dispatch a route" },
      { name: "Get Route", value: "getRoute", action: "Get a route" },
      { name: "Import Stops", value: "importStops", action: "Import stops", description: "All items together, each the JSON of a stop" },
      { name: "List Events", value: "listEvents", action: "List events" },
      { name: "Reoptimize Route", value: "reoptimize", action: "Reoptimize a route" },
    ],
  },
  {
    displayName: "Route ID", name: "routeId", type: "string", default: "", required: true,
    displayOptions: { show: { operation: ON_A_ROUTE } },
  },
  {
    displayName: "Imported Stop IDs", name: "stopIds", type: "string", default: "", required: true,
    description: "Separated by commas, or a list by an expression; those that are on the route already stay where they are",
    displayOptions: { show: { operation: ["addStops"] } },
  },
  {
    displayName: "Name", name: "name", type: "string", default: "",
    displayOptions: { show: { operation: ["createRoute"] } },
  },
  {
    displayName: "Start Latitude", name: "latitude", type: "number", default: "", typeOptions: { numberPrecision: 6 },
    description: "Of where the route starts, unless More Fields has a start",
    displayOptions: { show: { operation: ["createRoute"] } },
  },
  {
    displayName: "Start Longitude", name: "longitude", type: "number", default: "", typeOptions: { numberPrecision: 6 },
    description: "Of where the route starts, unless More Fields has a start",
    displayOptions: { show: { operation: ["createRoute"] } },
  },
  {
    displayName: "Leaves At", name: "scheduledFor", type: "string", default: "", placeholder: "2026-07-01T08:00:00-04:00",
    displayOptions: { show: { operation: ["createRoute"] } },
  },
  {
    displayName: "More Fields", name: "more", type: "json", default: "{}",
    description: "Of the route, as POST /routes takes them: a start by address, an end, limits",
    placeholder: '{"start": {"address": {"address1": "100 Light St", "city": "Baltimore"}}, "end": {…}}',
    displayOptions: { show: { operation: ["createRoute"] } },
  },
  {
    displayName: "Topic", name: "topic", type: "string", default: "", placeholder: "ROUTE_DISPATCHED", description: "Of this topic alone",
    displayOptions: { show: { operation: ["listEvents"] } },
  },
  {
    displayName: "From", name: "from", type: "string", default: "", placeholder: "={{ $now.minus({ hours: 1 }).toISO() }}",
    description: "Events from this time on; without it all that are kept, which may be many",
    displayOptions: { show: { operation: ["listEvents"] } },
  },
];

export class Roundsman implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Roundsman",
    name: "roundsman",
    icon: "file:roundsman.svg",
    group: ["transform"],
    version: 1,
    subtitle: "={{$parameter.operation}}",
    description: "Import stops, make, order and dispatch delivery routes",
    defaults: { name: "Roundsman" },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIALS, required: true }],
    properties,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const atOnce = this.getNodeParameter("operation", 0) === "importStops" ? MOST_STOPS_AT_ONCE : 1;
    const made: INodeExecutionData[] = [];
    for (let first = 0; first < items.length; first += atOnce) {
      const piece = items.slice(first, first + atOnce);
      try {
        made.push(...(await work(this, first, piece)));
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        const { message, description } = error as NodeApiError;
        piece.forEach((_, at) => made.push({ json: { error: description || message }, pairedItem: { item: first + at } }));
      }
    }
    return [made];
  }
}

/** The same in every try of a step ("Retry On Fail"), another in each round of a loop, each execution and each n8n. */
function keyOf(context: IExecuteFunctions, index: number): string {
  const round = context.evaluateExpression("{{ $runIndex }}", index);
  return `n8n-${context.getInstanceId()}-${context.getExecutionId()}-${context.getNode().id}-${String(round)}-${index}`;
}

async function work(context: IExecuteFunctions, index: number, piece: INodeExecutionData[]): Promise<INodeExecutionData[]> {
  const operation = context.getNodeParameter("operation", index) as string;
  if (operation === "importStops") return importStops(context, index, piece);
  const made =
    operation === "listEvents" ? await listEvents(context, index)
    : operation === "addStops" ? [await addStops(context, index)]
    : [await ask(context, callOf(context, operation, index), index)];
  return made.map((json) => ({ json, pairedItem: { item: index } }));
}

async function importStops(context: IExecuteFunctions, first: number, piece: INodeExecutionData[]): Promise<INodeExecutionData[]> {
  const body = piece.map(({ json }) => json);
  const answer = await ask(context, { method: "POST", path: "/stops/imports", body, key: keyOf(context, first), first }, first).catch((error: unknown) => {
    if (error instanceof NodeApiError) error.context.itemIndex = first + (firstRowOf(error) ?? 0);
    throw error;
  });
  return (answer.stops as IDataObject[]).map((json, at) => ({ json, pairedItem: { item: first + at } }));
}

/** A route holds more stops than it takes at once; an execution after a failed one adds those that are not there yet. */
async function addStops(context: IExecuteFunctions, index: number): Promise<IDataObject> {
  const ids = idsOf(context.getNodeParameter("stopIds", index));
  try {
    return await addAll(context, index, ids);
  } catch (error) {
    if (!isRefusedFor(error, "alreadyOnRoute")) throw error;
    const route = await ask(context, { method: "GET", path: pathOf(context, index) }, index);
    const present = new Set((route.stops as IDataObject[]).flatMap(({ importedStopId, clientStopId }) => [importedStopId, clientStopId]));
    const missing = ids.filter((id) => !present.has(id));
    return missing.length ? addAll(context, index, missing) : route;
  }
}

async function addAll(context: IExecuteFunctions, index: number, ids: string[]): Promise<IDataObject> {
  let first = 0;
  let route: IDataObject;
  do {
    const piece = ids.slice(first, first + MOST_STOPS_AT_ONCE);
    const body = piece.map((importedStopId) => ({ importedStopId }));
    // Which pieces there are depends on what is on the route already.
    const key = `${keyOf(context, index)}-${createHash("sha256").update(piece.join()).digest("hex").slice(0, 16)}`;
    route = await ask(context, { method: "POST", path: `${pathOf(context, index)}/stops`, body, key, first }, index);
    first += MOST_STOPS_AT_ONCE;
  } while (first < ids.length);
  return route;
}

/** A list, or text with commas; an expression may also make a number of one id. */
function idsOf(given: unknown): string[] {
  const listed: unknown[] = Array.isArray(given) ? given : String(given ?? "").split(",");
  return listed.map((id) => String(id).trim()).filter(Boolean);
}

const pathOf = (context: IExecuteFunctions, index: number) => `/routes/${encodeURIComponent(context.getNodeParameter("routeId", index) as string)}`;

function callOf(context: IExecuteFunctions, operation: string, index: number): Call {
  const text = (name: string) => context.getNodeParameter(name, index, "") as string;
  const key = keyOf(context, index);
  if (operation === "createRoute") {
    const more = moreFields(context, index);
    const body: IDataObject = { ...more, start: more.start ?? { coordinates: startOf(context, index) } };
    if (text("name")) body.name = text("name");
    if (text("scheduledFor")) body.scheduledFor = text("scheduledFor");
    return { method: "POST", path: "/routes", body, key };
  }
  if (operation === "getRoute") return { method: "GET", path: pathOf(context, index) };
  return { method: "POST", path: `${pathOf(context, index)}/${operation}`, body: {}, key };
}

function moreFields(context: IExecuteFunctions, index: number): IDataObject {
  const given = context.getNodeParameter("more", index, "{}");
  try {
    const more: unknown = typeof given === "string" ? JSON.parse(given || "{}") : given;
    if (typeof more === "object" && more !== null && !Array.isArray(more)) return more as IDataObject;
  } catch {
    // What is no JSON is no object either.
  }
  throw new NodeOperationError(context.getNode(), "More Fields must be a JSON object", { itemIndex: index });
}

/** No depot is at 0, 0; fields that are left empty, or an expression that finds nothing, would be. */
function startOf(context: IExecuteFunctions, index: number): IDataObject {
  const [latitude, longitude] = ["latitude", "longitude"].map((name) => {
    const given = context.getNodeParameter(name, index, "") as string | number | null;
    return given === "" || given === null ? NaN : Number(given);
  }) as [number, number];
  if (Number.isFinite(latitude) && Number.isFinite(longitude) && (latitude || longitude)) return { latitude, longitude };
  throw new NodeOperationError(context.getNode(), "Start Latitude and Start Longitude say where the route starts, or More Fields has a start", { itemIndex: index });
}

async function listEvents(context: IExecuteFunctions, index: number): Promise<IDataObject[]> {
  const [topic, from] = ["topic", "from"].map((name) => context.getNodeParameter(name, index, "") as string);
  const events: IDataObject[] = [];
  let cursor = "";
  do {
    const query = { "query.limit": 200, ...(topic && { "query.topic": topic }), ...(from && { "query.timestampStart": from }), ...(cursor && { cursor }) };
    const page = await ask(context, { method: "GET", path: "/events", query }, index);
    events.push(...(page.events as IDataObject[]));
    cursor = page.nextCursor as string;
  } while (cursor);
  return events;
}
