// What the keyboard does: each key is the twin of something that can be seen and pressed.
import { Dialog } from "../kit/dialog";
import { daysLater } from "../kit/times";
import { t } from "../kit/words";
import { date, day, openRoute, report, search, today } from "./day";
import { layout } from "./day_page";
import { closeDialog, moveAsked, NewRoute, openDialog } from "./dialogs";
import { redo, undo } from "./edits";
import { ImportDialog } from "./import_dialog";
import { PlanDialog } from "./plan_dialog";
import { isLassoOpen, toggleLasso } from "./lasso";
import { go } from "./places";
import { clearSelection, moveSelected, selected, toggle } from "./selection";
import { isViewer, session } from "./session";

const stopLinks = () => [...document.querySelectorAll<HTMLAnchorElement>("li.stop .what > a")];
const focusedStop = () => document.activeElement?.closest<HTMLLIElement>("li.stop") ?? null;

// Go to the next stop of the lists, or the one before; from nowhere, to the first.
function walk(step: number): void {
  const links = stopLinks();
  const here = focusedStop();
  const rest = step > 0 ? here?.nextElementSibling : null;
  if (rest && !rest.matches(".stop")) { // of a large day: more are made as the place for them is seen
    rest.scrollIntoView({ block: "nearest" });
    return;
  }
  const current = links.findIndex((link) => link.closest("li") === here);
  if (step > 0 && current >= 0 && current === links.length - 1) here?.closest(".lane")?.nextElementSibling?.scrollIntoView({ block: "nearest", inline: "nearest" });
  links[current < 0 ? 0 : Math.min(links.length - 1, Math.max(0, current + step))]?.focus();
}

// The button that does it on this page, or that of the route whose item has the focus.
function press(action: string): void {
  const near = document.activeElement?.closest("li.route") ?? document.querySelector(".route-page");
  near?.querySelector<HTMLButtonElement>(`button[data-action="${action}"]:not(:disabled)`)?.click();
}

function routeOf(stopId: string): { id: string; stopIds: string[] } | undefined {
  const open = openRoute.value;
  if (open?.stops.some((stop) => stop.id === stopId)) return { id: open.id, stopIds: open.stops.map((stop) => stop.id) };
  const found = day.value?.routes.find((route) => route.stops.ids.includes(stopId));
  return found && { id: found.id, stopIds: found.stops.ids };
}

// Move the stop that has the focus by one place on its route; the focus stays with it.
async function shift(step: number): Promise<void> {
  const item = focusedStop();
  const id = item?.dataset["stop"] ?? "";
  const route = routeOf(id);
  if (!item?.draggable || !route) return;
  const from = route.stopIds.indexOf(id);
  const to = from + step;
  if (to < 0 || to >= route.stopIds.length) return;
  await moveAsked({ id, importedStopId: "", routeId: route.id, index: from }, route.id, to);
  stopLinks().find((link) => link.closest("li")?.dataset["stop"] === id)?.focus();
}

// One after another: where a stop is now is known when the move before it is made.
let shifted: Promise<unknown> = Promise.resolve();
const shiftInTurn = (step: number) => { shifted = shifted.then(() => shift(step)).catch(report); };

// Choose the stop that has the focus; with Shift all up to it.
function pick(isRange: boolean): void {
  const item = focusedStop();
  if (item?.draggable) toggle(item.dataset["stop"] ?? "", isRange);
}

const LOOKING: Record<string, () => void> = {
  "/": () => document.querySelector<HTMLInputElement>("input[type=search]")?.focus(),
  "?": () => openDialog(<KeysDialog />),
  j: () => walk(1),
  k: () => walk(-1),
  t: () => go(`day/${today()}`),
  "[": () => go(`day/${daysLater(date.value || today(), -1)}`),
  "]": () => go(`day/${daysLater(date.value || today(), 1)}`),
  "1": () => { layout.value = "map"; },
  "2": () => { layout.value = "board"; },
  "3": () => { layout.value = "list"; },
};

const CHANGING: Record<string, () => void> = {
  i: () => openDialog(<ImportDialog date={date.value || today()} />),
  p: () => openDialog(<PlanDialog date={date.value || today()} />),
  n: () => openDialog(<NewRoute date={date.value || today()} />),
  m: () => { if (selected.value.length) moveSelected(); else focusedStop()?.querySelector<HTMLButtonElement>("button[data-action=move]")?.click(); },
  x: () => pick(false),
  l: () => { if (document.querySelector(".lasso-button")) toggleLasso(); },
  r: () => press("reoptimize"),
  d: () => press("dispatch"),
};

function KeysDialog() {
  const shown: [string, string][] = [
    ["/", t("search")], ["J K", t("nextOrPreviousStop")], ["T", t("today")], ["[ ]", `${t("previousDay")}, ${t("nextDay")}`],
    ["1 2 3", `${t("map")}, ${t("board")}, ${t("list")}`], ["?", t("keys")],
    ["Esc", isViewer.value ? t("clearSearch") : `${t("clearSelection")}, ${t("clearSearch")}`],
    ...(isViewer.value ? [] : [
      ["X", t("selectKey")], ["L", t("lassoKey")], ["M", t("moveTo")], ["Alt ↑ ↓", t("moveByOne")], ["I", t("importStops")], ["P", t("plan")], ["N", t("newRoute")],
      ["R", t("reoptimize")], ["D", t("dispatch")], ["Ctrl Z", t("undo")], ["Ctrl Shift Z", t("redo")],
    ] satisfies [string, string][]),
  ];
  return (
    <Dialog title={t("keys")} close={closeDialog}>
      <dl class="keys">{shown.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("close")}</button></div>
    </Dialog>
  );
}

export const openKeys = () => openDialog(<KeysDialog />);

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return target.matches("input:not([type=radio], [type=checkbox]), textarea, select") || !!document.querySelector("dialog[open]");
}

// Out of the search box, to the stops that were found in it: browsers would empty it.
function leaveSearch(event: KeyboardEvent): boolean {
  const box = event.target as HTMLElement;
  if (event.key !== "Escape" || event.isComposing || !box.matches("input[type=search]")) return false;
  event.preventDefault();
  box.blur();
  return true;
}

addEventListener("keydown", (event) => {
  if (!session.value || leaveSearch(event) || isTyping(event)) return;
  const isArrow = event.key === "ArrowUp" || event.key === "ArrowDown";
  if (event.altKey && isArrow && !isViewer.value && focusedStop()) {
    event.preventDefault();
    shiftInTurn(event.key === "ArrowUp" ? -1 : 1);
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isViewer.value) {
    event.preventDefault();
    void (event.shiftKey ? redo() : undo());
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (document.querySelector("[role=menu]")) return; // it closes, and nothing else is left
    if (isLassoOpen.value) isLassoOpen.value = false;
    else if (selected.value.length) clearSelection();
    else if (document.querySelector("input.search")) search.value = ""; // elsewhere nobody sees what is searched for
    return;
  }
  if (event.key.toLowerCase() === "x" && event.shiftKey && !isViewer.value) {
    event.preventDefault();
    pick(true);
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const run = LOOKING[key] ?? (isViewer.value ? undefined : CHANGING[key]);
  if (!run) return;
  event.preventDefault();
  run();
});
