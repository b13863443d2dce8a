// What a route and its stops say of themselves in a few words.
import { wordsOf, type Refusal } from "../kit/http";
import { dayAt, sayDayAndTime, sayOtherDay, sayTime, sayTimes, secondsOf } from "../kit/times";
import { locale, sayWindow, t } from "../kit/words";
import { now, openTimes } from "./day";
import { zone } from "./session";
import { dayOf, FINISHED, nameOfDriver, type DayRoute, type Route, type RouteDriver, type RouteStop } from "./shapes";

export const time = (timestamp: string | null | undefined) => sayTime(timestamp, zone.value, locale.value);

// As the service says it in its sentences.
export function sayMinutes(minutes: number): string {
  return minutes < 60 ? `${minutes} min` : t("hoursMinutes", { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, "0") });
}

// Never rounded down: whoever is told "12 min late" and mends 12 minutes is not late.
export const saySpan = (seconds: number) => (seconds < 60 ? `${seconds} s` : sayMinutes(Math.ceil(seconds / 60)));

const clocksAt = (stop: { id: string }) => openTimes.value.get(stop.id)?.timezone ?? zone.value;

// By the clocks that hang at the stop, as whoever stands there sees them.
export const localTime = (stop: { id: string }, timestamp: string | undefined) =>
  sayTime(timestamp, clocksAt(stop), locale.value);

export const localTimes = (stop: { id: string }, window: { start: string; end: string }) => sayTimes(window, clocksAt(stop), locale.value);

// The day of a route by these clocks, on which it leaves; of a route without a departure any day is its own.
const dayOfRoute = ({ scheduledFor }: Route, clocks: string, otherwise: string) => (scheduledFor ? dayAt(Date.parse(scheduledFor), clocks) : otherwise);

function dayAndTimeBy(clocks: string, route: Route, timestamp: string | undefined): string {
  if (!timestamp) return "";
  return sayDayAndTime(timestamp, clocks, locale.value, dayOfRoute(route, clocks, dayAt(Date.parse(timestamp), clocks)));
}

// A time past midnight is of the next day, and says so.
export const dayAndTime = (route: Route, timestamp: string | undefined) => dayAndTimeBy(zone.value, route, timestamp);
export const localDayAndTime = (route: Route, stop: { id: string }, timestamp: string | undefined) => dayAndTimeBy(clocksAt(stop), route, timestamp);

export function sayWindows(route: Route, stop: RouteStop): string {
  const windows = stop.timeWindows.map(sayWindow).join(", ");
  if (!windows || !stop.deliveryDate) return windows;
  const own = dayOf(stop.deliveryDate);
  return [sayOtherDay(`${own}T12:00:00Z`, "UTC", locale.value, dayOfRoute(route, clocksAt(stop), own)), windows].filter(Boolean).join("\u00a0");
}

export const lateMinutes = (stop: { id: string }) => Math.ceil(secondsOf(openTimes.value.get(stop.id)?.lateness) / 60);

export function sayStatus(route: { status: string; dispatchedUntil?: string }): string {
  if (route.status === "COMPLETED") return t("completed");
  if (route.status === "STARTED") return t("onTheRoad");
  if (route.dispatchedUntil && Date.parse(route.dispatchedUntil) > now.value) return t("dispatchedWord");
  return route.status === "READY" ? t("ready") : t("planned");
}

export const isDispatched = (route: { status: string; dispatchedUntil?: string } | undefined): boolean =>
  !!route && (route.status === "STARTED" || (!!route.dispatchedUntil && Date.parse(route.dispatchedUntil) > now.value));

export const isUnderWay = (route: { status: string; dispatchedUntil?: string }): boolean => route.status !== "COMPLETED" && isDispatched(route);

// What dispatching was refused for: who has not taken up the invitation has no app to see a route in.
export const sayUnsent = (error: Refusal, driver: RouteDriver | undefined): string =>
  (error.kind === "refused" && driver?.status === "PENDING" ? `${t("notTakenUp", { name: nameOfDriver(driver) })} ${t("drivers")}: ${t("invite")}` : wordsOf(error));

// Nobody goes on with a route, or may be sent it, whose driver was deactivated or archived since.
export const isDriverOut = (route: { status: string; driver?: RouteDriver }): boolean =>
  route.status !== "COMPLETED" && (route.driver?.status === "DEACTIVATED" || route.driver?.status === "ARCHIVED");

// A route that was made without a departure has none until it is given one or put into order.
export const hasTimes = ({ stops: { plannedArrivals, updatedArrivals } }: DayRoute): boolean => updatedArrivals.some(Boolean) || plannedArrivals.some(Boolean);

export const progressOf = (route: DayRoute): [number, number] =>
  [route.stops.statuses.filter((status) => FINISHED.has(status)).length, route.stops.ids.length];

export function isOverdue(route: { status: string; scheduledFor?: string }): boolean {
  const hasNotLeft = route.status === "UNSTARTED" || route.status === "READY";
  return hasNotLeft && !!route.scheduledFor && Date.parse(route.scheduledFor) < now.value - 5 * 60_000;
}

export function sayDelivery(stop: { deliveryStatus: string; breakStatus: string; type: string }): string {
  if (stop.type === "BREAK") return stop.breakStatus === "COMPLETED" ? t("breakDone") : t("breakWord");
  switch (stop.deliveryStatus) {
    case "DELIVERED": return t("delivered");
    case "ATTEMPTED_DELIVERY": return t("couldNotDeliver");
    case "OUT_FOR_DELIVERY": return t("outForDelivery");
    case "READY_FOR_DELIVERY": return t("ready");
    default: return t("planned");
  }
}
