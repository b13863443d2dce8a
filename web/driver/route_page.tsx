// A route: its stops in driving order, and what is next.
import { sayDayAndTime } from "../kit/times";
import { isRouteGone, list, looked, newsAbout, record, routeOf, type Recording } from "./app";
import { NoRoute, useLast } from "./gone";
import { go, isAt, routeAddress, stopAddress } from "./places";
import { Claim, firstDay, sayWindows, zone } from "./routes_page";
import { besideName, isBreak, isDone, isEnded, isOver, isStarted, nameOf } from "./shown_route";
import { RouteMap } from "./route_map";
import type { Route, Stop, Task } from "./shapes";
import { Tasks, typedTasks } from "./tasks";
import { locale, t } from "./words";

export function statusOf(stop: Stop): string {
  if (isBreak(stop)) return stop.breakStatus === "COMPLETED" ? t("breakDone") : t("breakWord");
  switch (stop.deliveryStatus) {
    case "DELIVERED": return t("delivered");
    case "ATTEMPTED_DELIVERY": return t("couldNotDeliver");
    case "OUT_FOR_DELIVERY": return t("outForDelivery");
    default: return t("planned");
  }
}

export const titleOf = (stop: Stop) => (isBreak(stop) ? t("breakWord") : nameOf(stop));
export const nextOpen = (route: Route, after = "") => route.stops.find((stop) => !isDone(stop) && stop.id !== after);

// Where the driver goes on from a stop: the next open one, or the list when there is none. Whoever has
// opened something else while the phone was writing stays there.
export function goOnTo(route: Route, from: string, after = from): void {
  if (!isAt(stopAddress(route.id, from))) return;
  const next = nextOpen(route, after);
  go(next ? stopAddress(route.id, next.id) : routeAddress(route.id));
}

export function RoutePage({ id }: { id: string }) {
  const route = routeOf(id);
  const last = useLast(route);
  const offered = list.value.find((one) => one.id === id && one.claimable);
  if (!route && offered) return <><BackTo address="#/routes" /><h1>{offered.name}</h1><p class="soft">{t("stopCount", { count: offered.stopCount })}</p><Claim route={offered} /></>;
  if (!route || isRouteGone(id)) return <><BackTo address="#/routes" />{last && <h1>{last.name}</h1>}<NoRoute id={id} /></>;
  const next = nextOpen(route);
  return (
    <>
      <BackTo address="#/routes" />
      <h1>{route.name}</h1>
      <p class="soft">{summaryOf(route)}</p>
      {route.note && <p class="note">{route.note}</p>}
      {!isStarted(route) && <StartRoute route={route} />}
      {isStarted(route) && next && <a class="button next" href={stopAddress(id, next.id)}>{t("nextStop")}</a>}
      {isOver(route) && <p class="good">{t("routeDone")}</p>}
      <RouteMap id={id} />
      <Stops route={route} />
      {isStarted(route) && route.end && !isEnded(route) && <FinishRoute route={route} />}
    </>
  );
}

export function BackTo({ address }: { address: string }) {
  return <button type="button" class="quiet back" onClick={() => { go(address); }}><span aria-hidden="true">←</span> {t("back")}</button>;
}

function summaryOf(route: Route): string {
  const done = route.stops.filter(isDone).length;
  const back = sayDayAndTime(route.end?.updatedArrival ?? route.end?.plannedArrival, zone(), locale.value, firstDay(route));
  return [t("progress", { done, count: route.stops.length }), back && t("backAt", { time: back })].filter(Boolean).join(" · ");
}

function StartRoute({ route }: { route: Route }) {
  const start = () => {
    const next = nextOpen(route);
    void record(withTyped(route, route.start.tasks, "ROUTE_STARTED")).then((isKept) => { if (isKept && !next) go(routeAddress(route.id)); });
  };
  return <><Tasks routeId={route.id} tasks={route.start.tasks} /><button type="button" class="main" onClick={start}>{t("startRoute")}</button></>;
}

// What was typed at an end of the route goes along with what leaves it behind.
const withTyped = (route: Route, tasks: Task[], kind: string): Recording => ({
  deeds: [...typedTasks(route.id, route.id, tasks), { deed: { kind, routeId: route.id } }],
  typed: [{ key: route.id, only: { taskIds: tasks.map(({ id }) => id) } }],
});

function FinishRoute({ route }: { route: Route }) {
  const missing = route.stops.filter((stop) => !isDone(stop)).length;
  if (missing) return null;
  return (
    <>
      <Tasks routeId={route.id} tasks={route.end!.tasks} />
      <button type="button" class="main" onClick={() => { void record(withTyped(route, route.end!.tasks, "END_COMPLETED")); }}>{t("finishRoute")}</button>
    </>
  );
}

// Where a planner has changed the order, the list keeps its own until the driver asks for it.
function Stops({ route }: { route: Route }) {
  const held = newsAbout(route.id) ? looked.value[route.id] : undefined;
  const rank = new Map(held?.map((stopId, index) => [stopId, index]));
  const stops = held ? [...route.stops].sort((one, other) => (rank.get(one.id) ?? Infinity) - (rank.get(other.id) ?? Infinity) || 0) : route.stops;
  return (
    <ol aria-label={t("stops")} class="stops">
      {stops.map((stop, index) => <StopItem key={stop.id} route={route} stop={stop} number={index + 1} />)}
    </ol>
  );
}

function StopItem({ route, stop, number }: { route: Route; stop: Stop; number: number }) {
  const time = sayDayAndTime(stop.updatedArrival ?? stop.plannedArrival, zone(), locale.value, firstDay(route));
  const name = titleOf(stop);
  const beside = besideName(stop);
  return (
    <li class={`stop ${isDone(stop) ? "done" : ""}`}>
      <span class="number" aria-hidden="true">{number}</span>
      <span class="what">
        <a class="big" href={stopAddress(route.id, stop.id)}>{name}</a>
        {beside && <span class="beside">{beside}</span>}
        {stop.address && name !== stop.address.address1 && <span class="soft">{stop.address.address1}</span>}
        <span class="soft">{[statusOf(stop), sayWindows(route, stop), time].filter(Boolean).join(" · ")}</span>
      </span>
    </li>
  );
}

