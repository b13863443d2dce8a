import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  NodeConnectionTypes, NodeOperationError, type IDataObject, type IHookFunctions, type INodeType, type INodeTypeDescription,
  type IWebhookFunctions, type IWebhookResponseData,
} from "n8n-workflow";
import { CREDENTIALS, ask } from "./requests";

const TOLERANCE_SECONDS = 300;
// Of the events that started the workflow: one that is sent again, as its answer was lost, starts it no second time.
const MOST_REMEMBERED = 500;
const TOPICS = [
  "DRIVER_ACTIVATED", "DRIVER_ADDED", "DRIVER_ARCHIVED", "DRIVER_DEACTIVATED", "DRIVER_UPDATED", "IMPORTED_STOP_CREATED",
  "IMPORTED_STOP_DELETED", "IMPORTED_STOP_UPDATED", "PLAN_APPLIED", "PLAN_COMPLETED", "PLAN_FAILED", "ROUTE_COMPLETED",
  "ROUTE_CREATED", "ROUTE_DELETED", "ROUTE_DISPATCHED", "ROUTE_END_STOP_UPDATED", "ROUTE_START_STOP_UPDATED", "ROUTE_STARTED",
  "ROUTE_UPDATED", "STOP_STATUS_UPDATED", "STOP_UPDATED", "TEST",
];

export class RoundsmanTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Roundsman Trigger",
    name: "roundsmanTrigger",
    icon: "file:roundsman.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter.topics.join(", ")}}',
    description: "Starts the workflow by events of Roundsman. A wrong webhook secret is seen at Roundsman alone: send a test event there",
    defaults: { name: "Roundsman Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIALS, required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Topics", name: "topics", type: "multiOptions", required: true, default: ["STOP_STATUS_UPDATED"],
        options: TOPICS.map((value) => ({ name: value, value })),
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl("default");
        const topics = (this.getNodeParameter("topics") as string[]).toSorted().join();
        const ours = await subscribed(this);
        const found = ours.find((one) => one.url === url && one.active && (one.topics as string[]).toSorted().join() === topics);
        // Of other topics or at a former address, or switched off because nobody answered: another takes its place.
        for (const one of ours) {
          if (one !== found) await ask(this, { method: "DELETE", path: `/webhooks/${String(one.id)}` });
        }
        if (found) this.getWorkflowStaticData("node").webhookId = found.id;
        return found !== undefined;
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const { webhookSecret } = await this.getCredentials(CREDENTIALS);
        if (!webhookSecret) throw new NodeOperationError(this.getNode(), "The credentials need the webhook secret of the organization");
        const body = { url: this.getNodeWebhookUrl("default"), topics: this.getNodeParameter("topics") as string[] };
        const made = await ask(this, { method: "POST", path: "/webhooks", body });
        this.getWorkflowStaticData("node").webhookId = made.id;
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        // What somebody has removed at the service already is no failure.
        for (const { id } of await subscribed(this)) await ask(this, { method: "DELETE", path: `/webhooks/${String(id)}` });
        delete this.getWorkflowStaticData("node").webhookId;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { webhookSecret } = await this.getCredentials(CREDENTIALS);
    const { rawBody } = this.getRequestObject() as unknown as { rawBody: Buffer };
    if (!isFromRoundsman(rawBody, this.getHeaderData(), String(webhookSecret), Date.now() / 1000)) {
      this.getResponseObject().status(401).send("The signature is not ours").end();
      return { noWebhookResponse: true };
    }
    // Whoever tries a webhook has its secret checked; the workflow starts by its own topics alone.
    const isTried = this.getBodyData().topic === "TEST" && !(this.getNodeParameter("topics") as string[]).includes("TEST");
    if (isTried) return { webhookResponse: "The secret is right" };
    if (isKnown(this)) return { webhookResponse: "The workflow was started by this event before" };
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}

/** Whether the event has started the workflow before; if not, it is remembered as one that has. */
function isKnown(context: IWebhookFunctions): boolean {
  const kept = context.getWorkflowStaticData("node");
  const { eventId } = context.getBodyData();
  const before = (kept.eventIds ?? []) as string[];
  if (before.includes(String(eventId))) return true;
  kept.eventIds = [...before, String(eventId)].slice(-MOST_REMEMBERED);
  return false;
}

/** The webhooks of this node: those at its address, and the one that it subscribed before n8n got another address. */
async function subscribed(context: IHookFunctions): Promise<IDataObject[]> {
  const { webhooks } = await ask(context, { method: "GET", path: "/webhooks" });
  const { webhookId } = context.getWorkflowStaticData("node");
  return (webhooks as IDataObject[]).filter(({ id, url }) => url === context.getNodeWebhookUrl("default") || id === webhookId);
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body; one of the signatures must be ours, and fresh. */
export function isFromRoundsman(body: Buffer, headers: IncomingHttpHeaders, secret: string, now: number): boolean {
  const [id, time, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name] ?? ""));
  if (!secret || !(Math.abs(now - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const ours = createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${time}.`).update(body).digest();
  return (signatures ?? "").split(" ").some((one) => {
    const theirs = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return theirs.length === ours.length && timingSafeEqual(theirs, ours);
  });
}
