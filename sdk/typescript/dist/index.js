// A client of Roundsman: routes, stops, plans, events, and webhooks that are verified.
export { MOST_IMPORTED_AT_ONCE, Roundsman } from "./client.js";
export * from "./errors.js";
export { TOLERANCE_SECONDS, unwrap } from "./webhooks.js";
