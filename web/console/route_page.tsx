// One route: its stops in order with what is known of each, and everything that can be done with it.
import { useEffect, useRef } from "preact/hooks";
import { dayAt } from "../kit/times";
import { t } from "../kit/words";
import { date, goneRoute, isEstimated, openRoute, readRoute } from "./day";
import { History } from "./history";
import { RouteActions } from "./route_actions";
import { RouteMap } from "./route_map";
import { dayAndTime, isDriverOut, isOverdue, lateMinutes, localDayAndTime, sayDelivery, sayStatus, sayWindows, time } from "./route_items";
import { zone } from "./session";
import { isDone, nameOfDriver, nameByNumber, nameOfStop, sayAddress, type Route, type RouteStop } from "./shapes";
import { Doubt, StopItem } from "./stop_items";
import { StopRegion } from "./stop_page";
import { sayDate, sayNumber } from "./summaries";
import { WhatHelps } from "./what_helps";

export function RoutePage({ id, stopId }: { id: string; stopId: string }) {
  useEffect(() => {
    void readRoute(id);
    return () => void readRoute("");
  }, [id]);
  const shown = useRef<HTMLDivElement>(null);
  const route = openRoute.value;
  const hasStop = route?.id === id && route.stops.some((one) => one.id === stopId);
  // On a phone a stop stands below the list: whoever opens one is taken there.
  useEffect(() => {
    const region = hasStop ? shown.current?.querySelector(".stop-region") : null;
    if (region && !isInSight(region)) region.scrollIntoView();
  }, [stopId, hasStop]);
  if (!route || route.id !== id) {
    return (
      <div class="page">
        <p><a href={`#/day/${date.value}`}>‹ {t("day")}</a></p>
        <p aria-live="polite">{goneRoute.value === id ? t("notFound") : t("loading")}</p>
      </div>
    );
  }
  const stop = route.stops.find((one) => one.id === stopId);
  return (
    <div class="page route-page">
      <p><a href={`#/day/${date.value}`}>‹ {t("day")}</a></p>
      <h1>{route.name}</h1>
      {route.archivedAt && <p class="warn">{t("isArchived")}</p>}
      <p class="facts">
        <span>{sayStatus(route)}</span>
        <span>{route.driver ? nameOfDriver(route.driver) : t("nobodyDrives")}</span>
        {isDriverOut(route) && <span class="bad">{t("driverOut")}</span>}
        {route.vehicle && <span>{route.vehicle.name}</span>}
        {route.scheduledFor && <span>{sayDate(dayAt(Date.parse(route.scheduledFor), zone.value))}</span>}
        <Departure route={route} />
        {route.end?.updatedArrival && <strong>{t("back", { time: dayAndTime(route, route.end.updatedArrival) })}</strong>}
        {route.stops.length > 0 && !route.stops.some((one) => one.updatedArrival ?? one.plannedArrival) && <span class="soft">{t("noTimesYet")}</span>}
        <span>{t("stopCount", { count: route.stops.length })}</span>
        {isEstimated(route.id) && <span class="warn">≈ {t("estimate")}</span>}
        <span>{t("kilometers", { count: sayNumber(route.totalDistanceMeters / 1000) })}</span>
        {!route.archivedAt && isOverdue(route) && <span class="bad">{t("shouldHaveLeft", { time: time(route.scheduledFor) })}</span>}
      </p>
      <RouteActions route={{ ...route, stopCount: route.stops.length, doneCount: route.stops.filter(isDone).length, openCount: route.stops.filter((stop) => !isDone(stop) && stop.type !== "BREAK").length }} />
      <WhatHelps route={route} />
      <div ref={shown} class={route.stops.length ? "split" : ""}>
        <ol class="stops" aria-label={t("stops")}>
          {route.stops.map((one, index) => <Item key={one.id} route={route} stop={one} index={index} />)}
        </ol>
        {route.stops.length > 0 && <div class="beside">
          {stop && <StopRegion route={route} stop={stop} />}
          <RouteMap route={route} stopId={stopId} />
        </div>}
      </div>
      <History routeId={route.id} version={route.updatedAt} />
    </div>
  );
}

// When a route on the road has left and, small, when it was to leave.
function Departure({ route }: { route: Route }) {
  const { scheduledFor, start: { updatedStart } } = route;
  const left = route.status === "STARTED" || route.status === "COMPLETED" ? updatedStart : undefined;
  if (!left) return scheduledFor ? <span>{t("leaves", { time: time(scheduledFor) })}</span> : null;
  const [actual, planned] = [dayAndTime(route, left), scheduledFor && dayAndTime(route, scheduledFor)];
  return <span>{t("left", { time: actual })}{planned && planned !== actual && <small class="soft"> {t("plannedFor", { time: planned })}</small>}</span>;
}

function isInSight(region: Element): boolean {
  const { top, bottom } = region.getBoundingClientRect();
  return top < innerHeight / 2 && bottom > innerHeight / 4;
}

function Item({ route, stop, index }: { route: Route; stop: RouteStop; index: number }) {
  const late = lateMinutes(stop);
  const name = nameByNumber(nameOfStop(stop), index + 1);
  return (
    <StopItem name={name} number={index + 1} href={`#/route/${route.id}/stop/${stop.id}`} isLate={late > 0} mayMove={!isDone(stop) && !route.archivedAt} gap={{ routeId: route.id, index }}
      moved={{ id: stop.id, importedStopId: stop.importedStopId, routeId: route.id, index }}>
      <small>{[sayAddress(stop.address), sayWindows(route, stop)].filter(Boolean).join(" · ")}</small>
      {!isDone(stop) && <Doubt matchType={stop.geocoding?.matchType} {...stop.plannedCoordinates} />}
      <span class="times">
        <strong>{localDayAndTime(route, stop, stop.updatedArrival ?? stop.plannedArrival)}</strong>
        {stop.plannedArrival !== stop.updatedArrival && stop.plannedArrival && <small>{t("plannedFor", { time: localDayAndTime(route, stop, stop.plannedArrival) })}</small>}
        <span class={stop.deliveryStatus === "ATTEMPTED_DELIVERY" ? "bad" : isDone(stop) ? "good" : ""}>{sayDelivery(stop)}</span>
        {late > 0 && <span class="bad">{t("minutesLate", { minutes: late })}</span>}
        {stop.locked && !isDone(stop) && <span>{t("locked")}</span>}
      </span>
    </StopItem>
  );
}
