// The routes of this driver, and those that may be claimed.
import { useState } from "preact/hooks";
import { sayTime } from "../kit/times";
import { claim, list, session } from "./app";
import { InstallHint } from "./install";
import { go, routeAddress } from "./places";
import type { RouteSummary } from "./shapes";
import { locale, t } from "./words";

export const zone = () => session.value?.organization.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

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

function RouteItem({ route }: { route: RouteSummary }) {
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    const reason = await claim(route.id);
    setBusy(false);
    if (reason) setTrouble(t("claimFailed", { reason }));
  };
  const leaves = sayTime(route.scheduledFor, zone(), locale.value);
  return (
    <li class="card">
      {route.claimable
        ? <b>{route.name}</b>
        : <a class="big" href={routeAddress(route.id)} onClick={() => { go(routeAddress(route.id)); }}>{route.name}</a>}
      <p class="soft">{t("stopCount", { count: route.stopCount })}{leaves && ` · ${t("leaves", { time: leaves })}`}{route.completed && ` · ${t("routeDone")}`}</p>
      {route.claimable && <button type="button" disabled={isBusy} onClick={() => { void take(); }}>{t("claim")}</button>}
      {trouble && <p role="alert" class="alert">{trouble}</p>}
    </li>
  );
}
