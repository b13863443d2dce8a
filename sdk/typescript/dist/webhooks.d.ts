import type { WebhookEvent } from "./models.js";
export declare const TOLERANCE_SECONDS = 300;
type Headers = Record<string, string | string[] | undefined>;
/**
 * The event of a webhook; throws WebhookRefused for one that is not from the service. `body` is what
 * arrived, byte for byte. Several secrets are tried while one is replaced.
 */
export declare function unwrap(body: Uint8Array | string, headers: Headers, secrets: string | string[], now?: number): Promise<WebhookEvent>;
export {};
