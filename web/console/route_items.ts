// What a route and its stops say of themselves in a few words.
import { sayTime, secondsOf } from "../kit/times";
import { locale, t } from "../kit/words";
import { now, openTimes } from "./day";
import { zone } from "./session";
import { FINISHED, type DayRoute, type RouteDriver } from "./shapes";

export const time = (timestamp: string | null | undefined) => sayTime(timestamp, zone.value, locale.value);

// As the service says it in its sentences.
export function sayMinutes(minutes: number): string {
  return minutes < 60 ? `${minutes} min` : t("hoursMinutes", { hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, "0") });
}

// Never rounded down: whoever is told "12 min late" and mends 12 minutes is not late.
export const saySpan = (seconds: number) => (seconds < 60 ? `${seconds} s` : sayMinutes(Math.ceil(seconds / 60)));

// By the clocks that hang at the stop, as whoever stands there sees them.
export const localTime = (stop: { id: string }, timestamp: string | undefined) =>
  sayTime(timestamp, openTimes.value.get(stop.id)?.timezone ?? zone.value, locale.value);

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
