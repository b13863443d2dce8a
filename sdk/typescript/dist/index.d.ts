export { MOST_IMPORTED_AT_ONCE, Roundsman, type Settings } from "./client.js";
export type { CallOptions } from "./calls.js";
export * from "./errors.js";
export type * from "./models.js";
export { TOLERANCE_SECONDS, unwrap } from "./webhooks.js";
