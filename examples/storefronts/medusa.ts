// Name an order that has changed to Roundsman, at once: src/subscribers/roundsman.ts of a Medusa.
//
// ROUNDSMAN_HOOK_URL is what `roundsman storefront connect` prints, ROUNDSMAN_HOOK_SECRET the hook
// secret that it was given. A hook that is lost costs a minute: the shop is also visited.

import { createHmac } from "node:crypto";

const url = process.env.ROUNDSMAN_HOOK_URL ?? "";
const secret = process.env.ROUNDSMAN_HOOK_SECRET ?? "";
if (!url || !secret) throw new Error("ROUNDSMAN_HOOK_URL and ROUNDSMAN_HOOK_SECRET are not set");

export default async function nameChangedOrder({ event }) {
  const { id, order_id } = event.data; // ids alone: Roundsman reads the order itself
  const body = JSON.stringify({ name: event.name, data: { id, order_id } });
  const signature = createHmac("sha256", secret).update(body);
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Roundsman-Hmac-SHA256": signature.digest("base64"),
    },
    body,
    signal: AbortSignal.timeout(5_000),
  });
  if (!answer.ok) throw new Error(`Roundsman answered ${answer.status}`);
}

export const config = {
  event: [
    "order.placed", "order.updated", "order.canceled", "order-edit.confirmed",
    "order.fulfillment_created", "order.fulfillment_canceled", "order.return_received",
    "payment.captured",
  ],
};
