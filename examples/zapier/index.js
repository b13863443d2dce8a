// An integration for Zapier, built on @roundsman/client: a trigger "stop delivered", and an action "import a stop".
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ApiError, NotFound, Roundsman, WebhookRefused, unwrap } from "@roundsman/client";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const core = createRequire(import.meta.url)("zapier-platform-core");

const connect = ({ authData }) => new Roundsman(authData);

// Zapier shows what these errors say, and asks for the credentials again where they are refused.
async function shown(z, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw new z.errors.ExpiredAuthError(error.message);
    if (error instanceof ApiError && error.violations.length) {
      const lines = error.violations.map(({ field, description }) => [labelOf(field ?? ""), description].join(" ").trim());
      throw new z.errors.Error(lines.join("\n"), "invalid_input", error.status);
    }
    throw error;
  }
}

// What the service calls a field of the one stop, by the label that stands over it in the step.
function labelOf(field) {
  const name = field.replace(/^\[0\]\./, "");
  const labels = Object.fromEntries(inputFields.map(({ key, label }) => [key, label]));
  return name === "address" ? "The address" : labels[name.replace(/^(address|contact)\./, "").split(".")[0]] ?? name;
}

// Client credentials: the client exchanges them for a token with its first call.
const authentication = {
  type: "custom",
  fields: [
    { key: "url", label: "Address of Roundsman", required: true, placeholder: "https://plan.example.com" },
    { key: "clientId", label: "Client ID", required: true },
    { key: "clientSecret", label: "Client secret", type: "password", required: true },
    {
      key: "webhookSecret", label: "Webhook secret", type: "password", required: true,
      helpText: "Of the organization. The test of the connection cannot try it: with a wrong one no event starts a Zap, and *Attempts* of the webhook in Roundsman's console says so.",
    },
  ],
  test: (z, bundle) => shown(z, () => connect(bundle).getOrganization()),
  connectionLabel: "{{name}}",
};

// The event has the whole route; who waits for a delivery wants the stop.
const deliveredStop = ({ eventId, objectId, payload }) => {
  const stop = payload?.stops?.find(({ id }) => id === objectId);
  return stop?.deliveryStatus === "DELIVERED" ? [{ ...stop, id: eventId, stopId: stop.id, routeId: payload.id }] : [];
};

const MOST_READ_FOR_SAMPLES = 200;
const REMEMBERED_SECONDS = 24 * 3600;

// Zapier compares ids of what it polls for, not of webhooks: an event that is sent again, as its answer was lost, would start the Zap twice.
async function isKnown(z, bundle, eventId) {
  const key = `${bundle.subscribeData?.id ?? ""}/${eventId}`; // each Zap has a webhook of its own
  try {
    if (await z.cache.get(key)) return true;
    await z.cache.set(key, true, REMEMBERED_SECONDS);
  } catch (error) {
    z.console.log("the cache does not answer: an event that comes again starts the Zap again", error);
  }
  return false;
}

const stopDelivered = {
  key: "stop_delivered",
  noun: "Stop",
  display: { label: "Stop Delivered", description: "Triggers when a driver has delivered a stop." },
  operation: {
    type: "hook",
    performSubscribe: (z, bundle) => shown(z, () =>
      connect(bundle).addWebhook({ url: bundle.targetUrl, topics: ["STOP_STATUS_UPDATED"] })),
    performUnsubscribe: (z, bundle) => shown(z, () =>
      // What somebody has removed at the service already is no failure.
      connect(bundle).removeWebhook(bundle.subscribeData.id).catch((error) => {
        if (!(error instanceof NotFound)) throw error;
        return {};
      })),
    perform: async (z, bundle) => {
      const { headers, content } = bundle.rawRequest;
      // Zapier writes Http- before the names of headers.
      const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace(/^http-/i, ""), value]));
      try {
        const event = await unwrap(content, named, bundle.authData.webhookSecret);
        const stops = deliveredStop(event);
        return stops.length && (await isKnown(z, bundle, event.eventId)) ? [] : stops;
      } catch (error) {
        if (error instanceof WebhookRefused) throw new z.errors.HaltedError(error.message);
        throw error;
      }
    },
    // Samples for whoever sets up a Zap: deliveries of late. Zapier waits for half a minute, and events are listed from the oldest on.
    performList: (z, bundle) => shown(z, async () => {
      for (const hours of [1, 24, 7 * 24]) {
        const timestampStart = new Date(Date.now() - hours * 3_600_000).toISOString();
        const found = [];
        let read = 0;
        for await (const event of connect(bundle).iterateEvents({ topic: "STOP_STATUS_UPDATED", timestampStart, limit: 50 })) {
          found.unshift(...deliveredStop(event));
          read += 1;
          if (found.length === 3 || read === MOST_READ_FOR_SAMPLES) break;
        }
        if (found.length) return found;
      }
      return [];
    }),
    sample: { id: "evt-1", stopId: "stp-1", routeId: "rte-1", clientStopId: "order-1001", deliveryStatus: "DELIVERED" },
  },
};

// A day in a calendar, which Zapier writes with a time where a step before has one.
function dateOf(z, text) {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(T.*)?$/.exec(text.trim()) ?? [];
  if (!day) throw new z.errors.Error(`Delivery date must be a day as YYYY-MM-DD, not ${text}`, "invalid_input", 400);
  return { year: Number(year), month: Number(month), day: Number(day) };
}

const inputFields = [
  { key: "clientStopId", label: "Order ID", required: true, helpText: "Your own id: another import with it replaces the stop." },
  { key: "address1", label: "Street", required: true },
  { key: "city", label: "City", required: true },
  { key: "provinceCode", label: "State or province" },
  { key: "zip", label: "Postal code" },
  { key: "firstName", label: "First name" },
  { key: "lastName", label: "Last name" },
  { key: "phone", label: "Phone" },
  { key: "deliveryDate", label: "Delivery date", helpText: "YYYY-MM-DD" },
  { key: "note", label: "Note for the driver", type: "text" },
  { key: "requestId", label: "Request ID", helpText: "Such as the ID of the event that started the Zap: the same stop that is sent again with it within a day has one effect." },
];

const importStop = {
  key: "import_stop",
  noun: "Stop",
  display: { label: "Import Stop", description: "Puts a stop into the pool, or replaces the one with the same order." },
  operation: {
    inputFields,
    perform: (z, bundle) => shown(z, async () => {
      const { requestId, clientStopId, deliveryDate, note, ...more } = bundle.inputData;
      const pick = (...names) => Object.fromEntries(names.filter((name) => more[name]).map((name) => [name, more[name]]));
      const draft = {
        clientStopId,
        address: pick("address1", "city", "provinceCode", "zip"),
        contact: pick("firstName", "lastName", "phone"),
        ...(deliveryDate && { deliveryDate: dateOf(z, deliveryDate) }),
        ...(note && { note }),
      };
      // A step that is run again after a lost answer has the same ID and stop, and imports once; another step of the Zap has another stop.
      const stop = createHash("sha256").update(JSON.stringify([requestId, draft])).digest("hex");
      const options = requestId ? { idempotencyKey: `zapier-${stop}` } : {};
      const { stops } = await connect(bundle).importStops([draft], {}, options);
      return stops[0];
    }),
    sample: { id: "ist-1", clientStopId: "order-1001", address: { address1: "100 Light St", city: "Baltimore" } },
  },
};

export default {
  version,
  platformVersion: core.version,
  authentication,
  triggers: { [stopDelivered.key]: stopDelivered },
  creates: { [importStop.key]: importStop },
};
