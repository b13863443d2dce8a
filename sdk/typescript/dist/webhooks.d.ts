import type { WebhookEvent } from "./models.js";
export declare const TOLERANCE_SECONDS = 300;
/** What frameworks have: Node's object, or the Headers of a Request, which are pairs. */
export type WebhookHeaders = Record<string, string | string[] | undefined> | Iterable<[string, string]>;
/**
 * The event of a webhook; throws WebhookRefused for one that is not from the service. `body` is what
 * arrived, byte for byte. Several secrets are tried while one is replaced.
 */
export declare function unwrap(body: Uint8Array | ArrayBuffer | string, headers: WebhookHeaders, secrets: string | string[], now?: number): Promise<WebhookEvent>;
