export { MOST_IMPORTED_AT_ONCE, Roundsman, type Answered, type Settings } from "./client.js";
export type { CallOptions } from "./calls.js";
export * from "./errors.js";
export type * from "./models.js";
export { TOLERANCE_SECONDS, unwrap, type WebhookHeaders } from "./webhooks.js";
