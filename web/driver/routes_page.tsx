// The routes of this driver, and those that may be claimed.
import { useState } from "preact/hooks";
import { dayAt, nameOtherDay, sayDayAndTime } from "../kit/times";
import { claim, list, routeOf, session } from "./app";
import { InstallHint } from "./install";
import { go, routeAddress } from "./places";
import type { Route, RouteSummary, Stop } from "./shapes";
import { dayOfWindows, departureOf, stateOf } from "./shown_route";
import { locale, sayWindow, t } from "./words";

export const zone = () => session.value?.organization.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

// The day on which a route leaves: times of other days name theirs.
export function firstDay(route: Route): string {
  const departure = departureOf(route);
  return dayAt(departure ? Date.parse(departure) : Date.now(), zone());
}

// When a stop may be served, with the day where that is not the one on which the route leaves.
export function sayWindows(route: Route, stop: Stop): string {
  const windows = stop.timeWindows.map(sayWindow).filter(Boolean).join(", ");
  const day = nameOtherDay(dayOfWindows(stop, route, zone()), locale.value, firstDay(route));
  return windows && [day, windows].filter(Boolean).join("\u00a0");
}

export function RoutesPage() {
  return (
    <>
      <h1>{t("routes")}</h1>
      <ul aria-label={t("routes")} class="cards">
        {list.value.length === 0 && <li><p>{t("noRoutes")}</p><p class="soft">{t("noRoutesHint")}</p></li>}
        {list.value.map((route) => <RouteItem key={route.id} route={route} />)}
      </ul>
      <InstallHint />
    </>
  );
}

// A route that nobody drives yet, and the button that takes it.
export function Claim({ route }: { route: RouteSummary }) {
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    const reason = await claim(route.id);
    setBusy(false);
    if (reason) setTrouble(t("claimFailed", { reason }));
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => { void take(); }}>{t("claim")}</button>
      {trouble && <p role="alert" class="alert">{trouble}</p>}
    </>
  );
}

function RouteItem({ route }: { route: RouteSummary }) {
  const leaves = sayDayAndTime(route.scheduledFor, zone(), locale.value, dayAt(Date.now(), zone()));
  const state = stateOf(route, route.claimable ? null : routeOf(route.id));
  return (
    <li class="card">
      {route.claimable
        ? <b>{route.name}</b>
        : <a class="big" href={routeAddress(route.id)} onClick={() => { go(routeAddress(route.id)); }}>{route.name}</a>}
      {state === "underWay" && <p class="state good">{t("underWay")}</p>}
      <p class="soft">{[t("stopCount", { count: route.stopCount }), state === "open" && leaves && t("leaves", { time: leaves }), state === "over" && t("routeDone")].filter(Boolean).join(" · ")}</p>
      {route.claimable && <Claim route={route} />}
    </li>
  );
}
