// Stops that are chosen together, by their boxes, by a key or by a lasso on the map, to be moved or deleted at once.
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { t } from "../kit/words";
import { date, day, openRoute, report } from "./day";
import { ask, closeDialog, mayMove, openDialog } from "./dialogs";
import { moveStops, type MovedStop } from "./edits";
import { addJointViolations, askGroupPrices, openRouteIds, sayPrice, type GroupPrice } from "./prices";
import { FINISHED, looseStop, unroutedId } from "./shapes";
import { deleteStops } from "./stop_edits";

const chosen = signal<ReadonlySet<string>>(new Set());
let lastChosen = "";

// Where the stops of the day that may be moved are now.
const movable = computed(() => {
  const found = new Map<string, MovedStop>();
  for (const { id: routeId, stops } of day.value?.routes ?? []) {
    stops.ids.forEach((id, index) => { if (!FINISHED.has(stops.statuses[index]!)) found.set(id, { id, importedStopId: "", routeId, index }); });
  }
  const open = openRoute.value; // of another day, maybe
  open?.stops.forEach((stop, index) => {
    if (!FINISHED.has(stop.deliveryStatus) && !FINISHED.has(stop.breakStatus)) found.set(stop.id, { id: stop.id, importedStopId: stop.importedStopId, routeId: open.id, index });
  });
  for (const stop of day.value?.unrouted.stops ?? []) {
    found.set(unroutedId(stop), looseStop(stop));
  }
  return found;
});

export const selected = computed<MovedStop[]>(() => [...chosen.value].flatMap((id) => movable.value.get(id) ?? []));
export const isSelected = (id: string) => chosen.value.has(id);

export function select(ids: Iterable<string>, isOn = true): void {
  const after = new Set(chosen.value);
  for (const id of ids) {
    if (!isOn) after.delete(id);
    else if (movable.value.has(id)) after.add(id);
    lastChosen = id;
  }
  chosen.value = after;
}

export const clearSelection = () => { chosen.value = new Set(); };

// Choose a stop, or all from the one that was chosen last to it, as they stand on the screen.
export function toggle(id: string, isRange = false): void {
  const shown = [...document.querySelectorAll<HTMLElement>("li.stop[draggable=true]")].map((item) => item.dataset["stop"] ?? "");
  const [from, to] = [shown.indexOf(lastChosen), shown.indexOf(id)];
  if (isRange && from >= 0 && to >= 0) select(from < to ? shown.slice(from, to + 1) : shown.slice(to, from + 1).reverse());
  else select([id], !isSelected(id));
}

// Another day has other stops.
effect(() => { void date.value; clearSelection(); });

async function moveTo(routeId: string, places?: ReadonlyMap<string, number>): Promise<void> {
  const stops = selected.peek().filter((stop) => stop.routeId !== routeId);
  closeDialog();
  if (!(await mayMove([...stops.map((stop) => stop.routeId), routeId]))) return;
  if (!stops.length || await moveStops(stops, routeId, places)) clearSelection();
}

function MoveSelected() {
  const [prices, setPrices] = useState<Map<string, GroupPrice> | null>(null);
  useEffect(() => {
    let isOpen = true;
    const keep = (found: Map<string, GroupPrice>) => { if (isOpen) setPrices(found); };
    const stops = selected.peek();
    // Stops are moved without a price where none can be had.
    askGroupPrices(stops, openRouteIds()).then((found) => addJointViolations(stops, found)).then(keep, (error: unknown) => { keep(new Map()); report(error); });
    return () => { isOpen = false; };
  }, []);
  const routes = (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED");
  const ordered = prices ? [...routes].sort((one, other) => [...prices.keys()].indexOf(one.id) - [...prices.keys()].indexOf(other.id)) : routes;
  return (
    <Dialog title={t(selected.value.length > 1 ? "moveStops" : "moveStop")} close={closeDialog}>
      <p>{t("selectedCount", { count: selected.value.length })}</p>
      {!prices && <p role="status" class="soft">{t("asking")}</p>}
      <ul class="choices">
        {ordered.map((route) => {
          const price = prices?.get(route.id);
          const isThere = selected.value.every((stop) => stop.routeId === route.id);
          return (
            <li key={route.id}>
              <button type="button" class={price?.newViolations.length ? "forbidden" : price?.extraLatenessSeconds ? "later" : ""} disabled={!prices || isThere} onClick={() => void moveTo(route.id, price?.places)}>
                <i class="dot" style={{ background: route.color }} /><span>{route.name}</span> <span class="price">{isThere ? t("orderUnchanged") : price?.places.size ? `${price.places.size > 1 ? "≈ " : ""}${sayPrice(price)}` : ""}</span>
              </button>
            </li>
          );
        })}
        {selected.value.some((stop) => stop.routeId) && <li><button type="button" onClick={() => void moveTo("")}>{t("notOnRoute")}</button></li>}
      </ul>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("cancel")}</button></div>
    </Dialog>
  );
}

export const moveSelected = () => openDialog(<MoveSelected />);

// A stop of a route is deleted with its route, and an order in its shop.
const deletable = computed(() => (day.value?.unrouted.stops ?? []).flatMap(({ importedStopId: id, name }) => (id && isSelected(id) ? { id, name: name || t("stop") } : [])));

const MOST_NAMED = 5;

async function deleteSelected(): Promise<void> {
  const stops = deletable.peek();
  const names = stops.slice(0, MOST_NAMED).map(({ name }) => name).join(", ") + (stops.length > MOST_NAMED ? ", …" : "");
  const words = [`${t("stopCount", { count: stops.length })} (${names}).`, t("cannotBeUndone"), stops.length < selected.peek().length ? t("othersStay") : ""];
  if (await ask(t("deleteSelected"), t("deleteSelected"), words.filter(Boolean).join(" "))) await deleteStops(stops);
}

export function SelectionBar() {
  const count = selected.value.length;
  return (
    <div class={count ? "selection" : ""}>
      <span aria-live="polite">{count ? t("selectedCount", { count }) : ""}</span>
      {count > 0 && <>
        <button type="button" class="main" onClick={moveSelected}>{t("moveSelected")}</button>
        {deletable.value.length > 0 && <button type="button" class="danger" onClick={() => void deleteSelected()}>{t("deleteSelected")}…</button>}
        <button type="button" onClick={clearSelection}>{t("clearSelection")}</button>
      </>}
    </div>
  );
}
