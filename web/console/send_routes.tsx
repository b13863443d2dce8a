// The last thing of a morning: every route gets its driver and is dispatched, in one go.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { Refusal } from "../kit/http";
import { t } from "../kit/words";
import { day, notice, readAll, report } from "./day";
import { closeDialog, Failure } from "./dialogs";
import { forgetting } from "./edits";
import { isDispatched, sayUnsent } from "./route_items";
import { getAll, send } from "./session";
import { nameOfDriver, type DayRoute, type RouteDriver } from "./shapes";

// Those with stops that no driver has yet.
export const routesToSend = (): DayRoute[] => (day.value?.routes ?? []).filter((route) =>
  route.stops.ids.length > 0 && (route.status === "UNSTARTED" || route.status === "READY") && !isDispatched(route));

export function SendRoutes() {
  const [drivers, setDrivers] = useState<RouteDriver[]>([]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [failures, setFailures] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isAsking = useRef(false), isOpen = useRef(true);
  useEffect(() => () => { isOpen.current = false; }, []);
  useEffect(() => { getAll<RouteDriver>("/drivers", "drivers").then((found) => setDrivers(found.filter((one) => one.status !== "ARCHIVED")), report); }, []);

  const driverOf = (route: DayRoute) => chosen.get(route.id) ?? route.driver?.id ?? "";
  const routes = routesToSend();
  const ready = routes.filter(driverOf);

  // One after another: what is refused for one route says nothing of the others.
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isAsking.current) return; // a second press may come before the button is drawn anew
    isAsking.current = true;
    setBusy(true);
    const refused: string[] = [];
    for (const route of ready) {
      if (!isOpen.current) break;
      try {
        if (driverOf(route) !== route.driver?.id) await forgetting(send("PUT", `/routes/${route.id}/driver`, { driverId: driverOf(route) }));
        await forgetting(send("POST", `/routes/${route.id}/dispatch`));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push(`${route.name}: ${sayUnsent(error, drivers.find((one) => one.id === driverOf(route)))}`);
      }
    }
    await readAll();
    isAsking.current = false;
    if (!isOpen.current) return;
    setBusy(false);
    setFailures(refused);
    if (refused.length) return;
    closeDialog();
    notice.value = t("routesSent", { count: ready.length });
  }

  return (
    <Dialog title={t("sendRoutes")} close={closeDialog}>
      <form onSubmit={submit}>
        {failures.map((words) => <Failure key={words} words={words} />)}
        <ul class="choices">{routes.map((route) => (
          <li key={route.id}>
            <label class="pair">
              <span><i class="dot" style={{ background: route.color }} /> {route.name} <small class="soft">{t("stopCount", { count: route.stops.ids.length })}</small></span>
              <select aria-label={route.name} value={driverOf(route)} onChange={(event) => setChosen(new Map(chosen).set(route.id, event.currentTarget.value))}>
                <option value="">{t("nobody")}</option>
                {drivers.map((one) => <option key={one.id} value={one.id}>{nameOfDriver(one)}{one.status === "PENDING" ? ` (${t("invited")})` : ""}</option>)}
              </select>
            </label>
          </li>
        ))}</ul>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy || !ready.length}>{t("sendCount", { count: ready.length })}</button>
        </div>
      </form>
    </Dialog>
  );
}
