// What drivers report of a stop, in words.
import { dayAt } from "../kit/times";
import { t } from "../kit/words";
import { time } from "./route_items";
import { zone } from "./session";
import { sayDate } from "./summaries";

const REASONS = {
  NOT_AVAILABLE: "notAvailable", REFUSED: "refusedGoods", WRONG_ADDRESS: "wrongAddress", NO_ACCESS: "noAccess",
  UNSAFE: "unsafe", DAMAGED: "damaged", OTHER: "otherReason", UNKNOWN: "unknownReason",
} as const;

const LEFT_WITH = {
  RECIPIENT: "leftRecipient", NEIGHBOUR: "leftNeighbour", RECEPTION: "leftReception", SAFE_PLACE: "leftSafePlace", OTHER: "otherReason",
} as const;

const CODE_ISSUES = {
  ITEM_MISSING: "itemMissing", ITEM_DAMAGED: "itemDamaged", BARCODE_UNREADABLE: "codeUnreadable", OTHER: "otherReason", UNKNOWN: "unknownReason",
} as const;

// A value that this console does not know yet is shown as it is.
function sayBy<Key extends Parameters<typeof t>[0]>(words: Record<string, Key>, value: string): string {
  const key = words[value];
  return key ? t(key) : value;
}

export const sayReason = (reason: string) => sayBy(REASONS, reason);
export const sayLeftWith = (leftWith: string) => sayBy(LEFT_WITH, leftWith);
export const sayCodeIssue = (reason: string) => sayBy(CODE_ISSUES, reason);
export const sayWhen = (at: string) => `${sayDate(dayAt(Date.parse(at), zone.value))}, ${time(at)}`;
