// Why a stop is reached when it is, said in the planner's language from what the server worked out.
import { dayAt, sayDay } from "../kit/times";
import { locale, sayWindow, t } from "../kit/words";
import { localTime, sayMinutes, saySpan } from "./route_items";
import { zone } from "./session";
import { isDone, nameByNumber, nameOfStop, type Route, type RouteStop } from "./shapes";

interface TimePart { kind: string; stopId?: string; seconds: number }

export interface Explanation {
  plannedArrival?: string;
  delaySeconds: number;
  latenessSeconds: number;
  slackSeconds?: number;
  opensAt?: string;
  plannedSlackSeconds?: number;
  delays: TimePart[];
  plan: TimePart[];
  sentence: string;
}

const MOST_NAMED = 3;
const CAUSES = { DEPARTURE: "whyDeparture", TRAVEL: "whyTravel", WAITING: "whyWaiting", VISIT: "whyVisit", ORDER: "whyOrder" } as const;

// Never rounded up: who uses "55 min to spare" of which there are 54:55 is late.
const saySlack = (seconds: number) => (seconds < 60 ? `${seconds} s` : sayMinutes(Math.floor(seconds / 60)));
const saySigned = (minutes: number) => `${minutes > 0 ? "+" : "−"}${sayMinutes(Math.abs(minutes))}`;
const sum = (numbers: number[]) => numbers.reduce((before, one) => before + one, 0);
const sumOf = (parts: TimePart[]) => sum(parts.map(({ seconds }) => seconds));
// A time is said without its seconds.
const minuteOf = (instant: string) => Math.floor(Date.parse(instant) / 60_000);

// Parts in whole minutes that add up to a total, by largest remainders, as the server shares them.
function shareMinutes(seconds: number[], total: number): number[] {
  const minutes = seconds.map((part) => Math.floor(part / 60));
  const missing = total - sum(minutes);
  const rank = (part: number) => (missing > 0 ? part - 60 * Math.floor(part / 60) : Math.abs(part));
  const order = seconds.map((_, index) => index).sort((one, other) => rank(seconds[other]!) - rank(seconds[one]!));
  for (const index of order.slice(0, Math.abs(missing))) minutes[index]! += Math.sign(missing);
  return minutes;
}

function sayCause(part: TimePart, minutes: number, route: Route): string | null {
  const key = CAUSES[part.kind as keyof typeof CAUSES];
  const at = route.stops.findIndex(({ id }) => id === part.stopId);
  if (!key || (part.stopId && at < 0)) return null;
  const stop = route.stops[at];
  return t(key, { time: saySigned(minutes), name: stop ? nameByNumber(nameOfStop(stop), at + 1) : "" });
}

// The greatest causes in the order of the way, in minutes that add up to a total; null where one
// is of a kind that has no words here.
function sayCauses(parts: TimePart[], total: number, route: Route): string | null {
  const greatest = [...parts].sort((one, other) => Math.abs(other.seconds) - Math.abs(one.seconds)).slice(0, MOST_NAMED);
  const named = parts.filter((part) => greatest.includes(part));
  const minutes = shareMinutes([...named.map(({ seconds }) => seconds), sumOf(parts) - sumOf(greatest)], total);
  const elsewhere = minutes.pop();
  const causes = named.flatMap((part, index) => (minutes[index] ? [sayCause(part, minutes[index], route)] : []));
  if (causes.includes(null)) return null;
  return new Intl.ListFormat(locale.value).format([...causes as string[], ...(elsewhere ? [t("whyElsewhere", { time: saySigned(elsewhere) })] : [])]);
}

// A time of another day than the route's is said with its day.
function sayAt(stop: RouteStop, instant: string, route: Route): string {
  const day = dayAt(Date.parse(instant), zone.value);
  const isSameDay = !route.scheduledFor || day === dayAt(Date.parse(route.scheduledFor), zone.value);
  return isSameDay ? localTime(stop, instant) : `${localTime(stop, instant)} (${sayDay(day, locale.value)})`;
}

// Who comes before a window waits, and has no time to spare that could be used.
function sayArrival(found: Explanation, arrival: string, route: Route, stop: RouteStop): string {
  const time = sayAt(stop, arrival, route);
  const windows = stop.timeWindows.map(sayWindow).filter(Boolean).join(", ");
  if (found.opensAt) return isDone(stop) ? t("whyDoneEarly", { time, windows }) : t("whyWaitsUntil", { time, opens: sayAt(stop, found.opensAt, route), windows });
  const came = t(isDone(stop) ? "whyDone" : "whyExpected", { time });
  if (found.latenessSeconds) return `${came} ${t("whyPastWindow", { time: saySpan(found.latenessSeconds), windows })}`;
  return found.slackSeconds === undefined ? came : `${came} ${t("whyInTime", { time: saySlack(found.slackSeconds), windows })}`;
}

// What the server says, in English, stands where its data has something that there are no words for.
export function sayExplanation(found: Explanation, route: Route, stop: RouteStop): string {
  if (!found.plannedArrival) return found.sentence;
  const arrival = stop.updatedArrival ?? found.plannedArrival;
  const done = isDone(stop);
  const said = [sayArrival(found, arrival, route, stop)];
  // Of a done stop only its end is known: what was planned there is no cause.
  const parts = done ? found.delays.filter(({ kind }) => kind !== "SERVICE") : found.delays;
  const behind = done ? Math.round(sumOf(parts) / 60) : minuteOf(arrival) - minuteOf(found.plannedArrival);
  if (parts.length && (done || behind)) {
    const causes = sayCauses(parts, behind, route);
    if (causes === null) return found.sentence;
    const off = { time: sayAt(stop, found.plannedArrival, route), off: sayMinutes(Math.abs(behind)), causes };
    if (done && causes) said.push(t("whyOnTheWay", { causes }));
    else if (!done) said.push(t(behind > 0 ? "whyBehind" : "whyAhead", off));
  }
  if (found.latenessSeconds && (found.plannedSlackSeconds ?? 0) < 0) said.push(sayPlan(found));
  return said.join(" ");
}

function sayPlan(found: Explanation): string {
  const late = t("whyPlanLate", { time: saySpan(-(found.plannedSlackSeconds ?? 0)) });
  const kinds = [["TRAVEL", "whyRoad"], ["SERVICE", "whyService"], ["WAITING", "whyWaits"]] as const;
  const spent = kinds.map(([kind]) => sumOf(found.plan.filter((part) => part.kind === kind)));
  const minutes = shareMinutes(spent, Math.round(sum(spent) / 60));
  const whole = kinds.flatMap(([, key], index) => (minutes[index] ? [t(key, { time: sayMinutes(minutes[index]) })] : []));
  return whole.length ? `${late} ${t("whyPlanned", { parts: new Intl.ListFormat(locale.value).format(whole) })}` : late;
}
