// Webhooks: whether one is from the service, and what it says.
import { WebhookRefused } from "./errors.js";
export const TOLERANCE_SECONDS = 300;
/**
 * The event of a webhook; throws WebhookRefused for one that is not from the service. `body` is what
 * arrived, byte for byte. Several secrets are tried while one is replaced.
 */
export async function unwrap(body, headers, secrets, now = Date.now() / 1000) {
    const pairs = isIterable(headers) ? [...headers] : Object.entries(headers);
    const named = new Map(pairs.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] ?? "" : value ?? ""]));
    const id = named.get("webhook-id") ?? "";
    const timestamp = named.get("webhook-timestamp") ?? "";
    const signatures = (named.get("webhook-signature") ?? "").split(" ").filter((one) => one.startsWith("v1,"));
    if (!id || !/^\d+$/.test(timestamp) || !signatures.length)
        throw new WebhookRefused("webhook-id, webhook-timestamp or webhook-signature is missing");
    const text = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
    const head = new TextEncoder().encode(`${id}.${timestamp}.`);
    const signed = new Uint8Array(head.length + text.length);
    signed.set(head);
    signed.set(text, head.length);
    const known = typeof secrets === "string" ? [secrets] : secrets;
    const keys = known.map(keyOf);
    const checks = await Promise.all(keys.flatMap((key) => (key ? signatures.map((one) => isSigned(signed, one.slice(3), key)) : [])));
    if (!checks.includes(true)) {
        const unusable = keys.indexOf(null);
        throw new WebhookRefused(unusable < 0 ? "the signature is not of any of the secrets" : `secret ${unusable + 1} of ${keys.length} is empty or no base64; copy it anew`);
    }
    if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS)
        throw new WebhookRefused("the webhook is too old, or this clock is wrong");
    return JSON.parse(new TextDecoder().decode(text));
}
function isIterable(headers) {
    return Symbol.iterator in headers;
}
// What a secret signs with; null where it was mistyped or left out.
function keyOf(secret) {
    try {
        const key = bytesOf(secret.trim().replace(/^whsec_/, ""));
        return key.length ? key : null;
    }
    catch {
        return null; // no base64
    }
}
// `verify` compares in constant time.
async function isSigned(signed, signature, bytes) {
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    try {
        return await crypto.subtle.verify("HMAC", key, bytesOf(signature), signed);
    }
    catch (error) {
        if (error instanceof DOMException)
            return false; // no base64
        throw error;
    }
}
function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
