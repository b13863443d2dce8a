// What somebody has to look after: routes that are late or have not left, stops that could not be
// delivered, and actions kept aside.
import { useEffect, useState } from "preact/hooks";
import { t } from "../kit/words";
import { day, report } from "./day";
import { getAll } from "./session";
import { isOverdue, time } from "./route_items";
import { nameOfDriver } from "./shapes";

interface JournalLine { id: string; kind: string; routeId: string; at: string; outcome: string; reason: string; message: string }

export function ExceptionsPage() {
  const [kept, setKept] = useState<JournalLine[] | null>(null);
  useEffect(() => { getAll<JournalLine>("/driver-actions?query.outcome=KEPT", "actions").then(setKept, report); }, []);
  const failed = (day.value?.routes ?? []).flatMap((route) => route.stops.ids
    .map((id, index) => ({ id, route, name: route.stops.names[index] ?? "", status: route.stops.statuses[index], at: route.stops.updatedArrivals[index] }))
    .filter((one) => one.status === "ATTEMPTED_DELIVERY"));
  const behind = (day.value?.routes ?? []).filter((route) => isOverdue(route) || route.late > 0);
  return (
    <section class="page" aria-label={t("exceptions")}>
      <h1>{t("exceptions")}</h1>
      {kept && !kept.length && !failed.length && !behind.length && <p class="soft">{t("noExceptions")}</p>}
      {behind.length > 0 && <>
        <h2>{t("routes")}</h2>
        <ul class="plain">{behind.map((route) => (
          <li key={route.id}>
            <a href={`#/route/${route.id}`}>{route.name}</a> · {route.driver ? nameOfDriver(route.driver) : t("nobodyDrives")}
            {isOverdue(route) && <> · <span class="bad">{t("shouldHaveLeft", { time: time(route.scheduledFor) })}</span></>}
            {route.late > 0 && <> · <span class="bad">{t("lateStops", { count: route.late })}</span></>}
          </li>
        ))}</ul>
      </>}
      {failed.length > 0 && <>
        <h2>{t("failedDeliveries")}</h2>
        <ul class="plain">{failed.map((one) => <li key={one.id}><a href={`#/route/${one.route.id}/stop/${one.id}`}>{one.name}</a> · {one.route.name} · {time(one.at)}</li>)}</ul>
      </>}
      {!!kept?.length && <>
        <h2>{t("keptAction")}</h2>
        <ul class="plain">{kept.map((one) => <li key={one.id}>{time(one.at)} · {one.kind} · {one.reason} {one.message}</li>)}</ul>
      </>}
    </section>
  );
}
