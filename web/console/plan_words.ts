// Why a stop stays out of a plan, and what would help, in the words of the planner's language.
import { secondsOf } from "../kit/times";
import { sayWindow, t } from "../kit/words";
import type { Words } from "../words/en";
import { saySpan, time } from "./route_items";
import type { PlanBreak, PlanFix, PlanReason } from "./shapes";
import { sayNumber } from "./summaries";

/** Gives the name of the vehicle or stop that a fix, a limit or a break is of. */
type NameOf = (subject: string) => string;

const FIX_WORDS: Record<PlanFix["type"], keyof Words> = {
  CLOSE_LATER: "fixCloseLater", OPEN_EARLIER: "fixOpenEarlier", EXTEND_SHIFT: "fixExtendShift", RAISE_CAPACITY: "fixMoreOf", RAISE_LIMIT: "fixMoreOf",
  GRANT_SKILL: "fixGrantSkill", ADD_VEHICLE: "fixAddVehicle", UNPIN: "fixUnpin", DROP_STOP: "fixDropStop",
  START_BREAK_EARLIER: "fixBreakEarlier", START_BREAK_LATER: "fixBreakLater", SHORTEN_BREAK: "fixShortenBreak",
};
const LIMIT_WORDS: ReadonlyMap<string, keyof Words> = new Map([["maxStops", "limitStops"], ["maxDuration", "limitDuration"], ["maxDistanceMeters", "limitDistance"]]);
const IN_TIME: ReadonlySet<string> = new Set(["CLOSE_LATER", "OPEN_EARLIER", "EXTEND_SHIFT", "START_BREAK_EARLIER", "START_BREAK_LATER", "SHORTEN_BREAK"]);
const OVER_WORDS: ReadonlyMap<string, keyof Words> = new Map([
  ["capacities", "overCapacity"], ["shift", "overShift"], ["maxStops", "overStops"], ["maxDuration", "overDuration"], ["maxDistanceMeters", "overDistance"],
  ["timeWindows", "overWindow"], ["breaks", "overBreak"],
]);

const sayKilometres = (metres: number) => t("kilometers", { count: sayNumber(Math.ceil(metres / 100) / 10) });
const sayBreakWindow = ({ timeWindow }: PlanBreak) => `${time(timeWindow.start)}–${time(timeWindow.end)}`;

/** What stands behind a number of a load. */
export const sayLoad = (name: string) => (name === "kilograms" ? "kg" : name);

/** Say what a fix would change. */
export function sayFix(fix: PlanFix, nameOf: NameOf): string {
  const amount = IN_TIME.has(fix.type) || fix.name === "maxDuration" ? saySpan(fix.amount)
    : fix.name === "maxDistanceMeters" ? sayKilometres(fix.amount) : sayNumber(fix.amount);
  const limit = LIMIT_WORDS.get(fix.name);
  const words = t(FIX_WORDS[fix.type], { subject: nameOf(fix.subject), name: limit ? t(limit) : sayLoad(fix.name), amount, window: fix.break ? sayBreakWindow(fix.break) : "" });
  return fix.timeWindow ? `${words} (${sayWindow(fix.timeWindow)})` : words;
}

function sayLimit(limit: PlanReason["limits"][number], stop: string, nameOf: NameOf): string {
  const key = limit.type === "timeWindows" && limit.subject !== stop ? "overOther" : OVER_WORDS.get(limit.type);
  const amount = limit.type === "maxDistanceMeters" ? sayKilometres(limit.amount)
    : limit.type === "capacities" || limit.type === "maxStops" ? sayNumber(limit.amount) : saySpan(limit.amount);
  return key ? t(key, { subject: nameOf(limit.vehicle), name: sayLoad(limit.subject), other: nameOf(limit.subject), amount }) : limit.type;
}

/** Say why a stop stays out; `stop` is the id by which limits name it. */
export function sayReason(reason: PlanReason, stop: string, nameOf: NameOf): string {
  const rest = reason.break && { subject: nameOf(reason.break.vehicle), window: sayBreakWindow(reason.break), duration: saySpan(secondsOf(reason.break.duration)) };
  const limits = reason.limits.map((limit) => sayLimit(limit, stop, nameOf)).join(", ");
  if (reason.type === "breaks") return `${rest ? t("outBreak", rest) : t("outBreaks", { subject: nameOf(reason.vehicle) })} (${limits})`;
  // The other reasons, and what nothing binds, are told by the service alone.
  if (reason.type !== "CONTENTION" || !limits) return reason.description;
  return `${t("outContention")} (${limits})${rest ? `; ${t("outWithoutBreak", rest)}` : ""}`;
}
