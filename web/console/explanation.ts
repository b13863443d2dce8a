// Why a stop is reached when it is, said in the planner's language from what the server worked out.
import { dayAt, sayDay } from "../kit/times";
import { locale, sayWindow, t } from "../kit/words";
import { localTime, saySpan } from "./route_items";
import { zone } from "./session";
import { isDone, nameByNumber, nameOfStop, type Route, type RouteStop } from "./shapes";

interface TimePart { kind: string; stopId?: string; seconds: number }

export interface Explanation {
  plannedArrival?: string;
  delaySeconds: number;
  latenessSeconds: number;
  slackSeconds?: number;
  plannedSlackSeconds?: number;
  delays: TimePart[];
  plan: TimePart[];
  sentence: string;
}

const MOST_NAMED = 3;
const CAUSES = { DEPARTURE: "whyDeparture", TRAVEL: "whyTravel", WAITING: "whyWaiting", VISIT: "whyVisit", ORDER: "whyOrder" } as const;

const saySigned = (seconds: number) => `${seconds > 0 ? "+" : "−"}${saySpan(Math.abs(seconds))}`;
const sumOf = (parts: TimePart[]) => parts.reduce((sum, { seconds }) => sum + seconds, 0);

function sayCause(part: TimePart, route: Route): string | null {
  const key = CAUSES[part.kind as keyof typeof CAUSES];
  const at = route.stops.findIndex(({ id }) => id === part.stopId);
  if (!key || (part.stopId && at < 0)) return null;
  const stop = route.stops[at];
  return t(key, { time: saySigned(part.seconds), name: stop ? nameByNumber(nameOfStop(stop), at + 1) : "" });
}

// The greatest causes in the order of the way; null where one is of a kind that has no words here.
function sayCauses(parts: TimePart[], route: Route): string | null {
  const greatest = [...parts].sort((one, other) => Math.abs(other.seconds) - Math.abs(one.seconds)).slice(0, MOST_NAMED);
  const causes = parts.filter((part) => greatest.includes(part)).map((part) => sayCause(part, route));
  if (causes.includes(null)) return null;
  const rest = sumOf(parts) - sumOf(greatest);
  return new Intl.ListFormat(locale.value).format([...causes as string[], ...(rest ? [t("whyElsewhere", { time: saySigned(rest) })] : [])]);
}

// A time of another day than the route's is said with its day.
function sayAt(stop: RouteStop, instant: string, route: Route): string {
  const day = dayAt(Date.parse(instant), zone.value);
  const isSameDay = !route.scheduledFor || day === dayAt(Date.parse(route.scheduledFor), zone.value);
  return isSameDay ? localTime(stop, instant) : `${localTime(stop, instant)} (${sayDay(day, locale.value)})`;
}

// What the server says, in English, stands where its data has something that there are no words for.
export function sayExplanation(found: Explanation, route: Route, stop: RouteStop): string {
  if (!found.plannedArrival) return found.sentence;
  const came = sayAt(stop, stop.updatedArrival ?? found.plannedArrival, route);
  const done = isDone(stop);
  const windows = stop.timeWindows.map(sayWindow).filter(Boolean).join(", ");
  const said = [t(done ? "whyDone" : "whyExpected", { time: came })];
  if (found.latenessSeconds) said.push(t("whyPastWindow", { time: saySpan(found.latenessSeconds), windows }));
  else if (found.slackSeconds !== undefined) said.push(t("whyInTime", { time: saySpan(found.slackSeconds), windows }));
  // Of a done stop only its end is known: what was planned there is no cause.
  const parts = done ? found.delays.filter(({ kind }) => kind !== "SERVICE") : found.delays;
  if (parts.length && (done || found.delaySeconds)) {
    const causes = sayCauses(parts, route);
    if (causes === null) return found.sentence;
    const off = { time: sayAt(stop, found.plannedArrival, route), off: saySpan(Math.abs(found.delaySeconds)), causes };
    said.push(done ? t("whyOnTheWay", { causes }) : t(found.delaySeconds > 0 ? "whyBehind" : "whyAhead", off));
  }
  if (found.latenessSeconds && (found.plannedSlackSeconds ?? 0) < 0) said.push(sayPlan(found));
  return said.join(" ");
}

function sayPlan(found: Explanation): string {
  const late = t("whyPlanLate", { time: saySpan(-(found.plannedSlackSeconds ?? 0)) });
  const spent = (["TRAVEL", "SERVICE", "WAITING"] as const).map((kind) => [kind, sumOf(found.plan.filter((part) => part.kind === kind))] as const);
  const keys = { TRAVEL: "whyRoad", SERVICE: "whyService", WAITING: "whyWaits" } as const;
  const whole = spent.filter(([, seconds]) => seconds).map(([kind, seconds]) => t(keys[kind], { time: saySpan(seconds) }));
  return whole.length ? `${late} ${t("whyPlanned", { parts: new Intl.ListFormat(locale.value).format(whole) })}` : late;
}
