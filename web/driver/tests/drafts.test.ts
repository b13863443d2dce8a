// When what was typed and never recorded is forgotten.
import { expect, it } from "vitest";
import { isForgotten, reopenDrafts, saidByFailing, splitDrafts } from "../drafts";

const HOUR = 3_600_000;
const now = 1_700_000_000_000;

it("keeps what was typed on a route that was taken back, so that it is there when the route returns within a day", () => {
  const gone = { isDone: false, isGone: true, now };
  expect(isForgotten({ note: "with Jo", typedAt: now - 23 * HOUR }, gone)).toBe(false);
  expect(isForgotten({ note: "with Jo", typedAt: now - 25 * HOUR }, gone)).toBe(true);
});

it("forgets what was typed at an open stop whose visit somebody else has ended, and keeps a correction of it", () => {
  const done = { isDone: true, isGone: false, now };
  expect(isForgotten({ note: "with Jo", typedAt: now, isOfOpen: true }, done)).toBe(true);
  expect(isForgotten({ note: "with Jo", typedAt: now, isOfOpen: false }, done)).toBe(false);
  expect(isForgotten({ note: "with Jo", typedAt: now, isOfOpen: true }, { ...done, isDone: false })).toBe(false);
});

it("keeps what a failed delivery leaves for whoever comes back, and as that of an open stop once it is taken back", () => {
  const drafts = { a: { note: "bell is broken", recipientName: "Jo", tasks: { meter: "4711" }, isOfOpen: true } };
  const { left, taken } = splitDrafts(drafts, [saidByFailing("a", ["meter"])]);
  expect(left).toMatchObject({ a: { recipientName: "Jo", tasks: {}, isOfOpen: false } });
  expect(left["a"]!.note).toBe(undefined);
  expect(reopenDrafts(left, taken)).toMatchObject(drafts);
});
