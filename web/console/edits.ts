// Changes that can be taken back: each knows its opposite. Fifty are kept.
import { signal } from "@preact/signals";
import { Refusal, wordsOf } from "../kit/http";
import { t } from "../kit/words";
import { complain, day, readAll, report, trouble } from "./day";
import { get, planner, send } from "./session";
import type { Route } from "./shapes";

const MOST_KEPT = 50;

interface Edit {
  make: () => Promise<unknown>;
  takeBack: () => Promise<unknown>;
}

const done = signal<Edit[]>([]);
const undone = signal<Edit[]>([]);

export const canUndo = () => done.value.length > 0;
export const canRedo = () => undone.value.length > 0;
export const busy = signal(false);

export function forgetEdits(): void {
  done.value = [];
  undone.value = [];
  laterIds.clear();
}

// A stop that left its route and came back has another id; the edits before know it by an earlier one.
const laterIds = new Map<string, string>();

function idNow(id: string): string {
  let current = id;
  for (let next = laterIds.get(current); next; next = laterIds.get(current)) current = next;
  return current;
}

function cameBack(before: string, after: string): void {
  if (before && after && idNow(before) !== after) laterIds.set(idNow(before), after);
}

let last: Promise<unknown> = Promise.resolve();

type Outcome = "done" | "refused" | "unknown"; // the server was away: it may have been done

// Run changes one after another, in the order of the clicks; a refusal is shown, and what is shown
// is read anew before the next. What one planner pressed is not done for the next at this browser.
function run(step: () => Promise<unknown>, refused: (error: Refusal) => string): Promise<Outcome> {
  const who = planner.value;
  const mine = last.then(() => (planner.value === who ? perform(step, refused) : "refused"));
  last = mine.catch(() => undefined);
  return mine;
}

async function perform(step: () => Promise<unknown>, refused: (error: Refusal) => string): Promise<Outcome> {
  busy.value = true;
  trouble.value = "";
  try {
    await step();
    return "done";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === "session") return "refused";
    complain(refused(error));
    return isAway(error) ? "unknown" : "refused";
  } finally {
    busy.value = false;
    await readAll();
  }
}

const isAway = ({ kind }: Refusal) => kind === "away" || kind === "limited";

const wordsFor = (error: Refusal, name = "") => (error.kind === "conflict" ? t("changedMeanwhile", { name }) : wordsOf(error));

export async function change(edit: Edit): Promise<boolean> {
  const isDone = await run(edit.make, (error) => wordsFor(error)) === "done";
  if (isDone) {
    done.value = [...done.value, edit].slice(-MOST_KEPT);
    undone.value = [];
  }
  return isDone;
}

// What was pressed before comes first, so that a quick second press takes back what the first made.
const settled = () => last.catch(() => undefined);

export async function undo(): Promise<void> {
  await settled();
  const edit = done.value.at(-1);
  if (!edit) return;
  done.value = done.value.slice(0, -1);
  const outcome = await run(edit.takeBack, (error) => (isAway(error) ? wordsFor(error) : t("undoImpossible", { message: wordsFor(error) })));
  if (outcome === "done") undone.value = [...undone.value, edit];
  else if (outcome === "unknown") done.value = [...done.value, edit]; // to be pressed again
}

export async function redo(): Promise<void> {
  await settled();
  const edit = undone.value.at(-1);
  if (!edit) return;
  undone.value = undone.value.slice(0, -1);
  const outcome = await run(edit.make, (error) => wordsFor(error));
  if (outcome === "done") done.value = [...done.value, edit];
  else if (outcome === "unknown") undone.value = [...undone.value, edit];
}

// A change of one route that has no opposite.
export async function act(name: string, step: () => Promise<unknown>): Promise<boolean> {
  return await run(step, (error) => wordsFor(error, name)) === "done";
}

export async function safely(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    report(error);
  }
}

export interface MovedStop {
  id: string; // of the route stop, or of the imported stop where it is on no route
  importedStopId: string; // "" where only the day was read, which does not say it
  routeId: string; // "" is on no route
  index: number;
}

interface Target { routeId: string; index?: number }

const transfer = (stopId: string, toRouteId: string, index?: number) =>
  send<{ routes: Route[] }>("POST", "/routes/transfers", { moves: [{ stopId, ...(toRouteId ? { toRouteId } : {}), ...(index === undefined ? {} : { index }) }] });

async function addImported(importedStopId: string, { routeId, index }: Target): Promise<string> {
  const route = await send<Route>("POST", `/routes/${routeId}/stops`, [{ importedStopId, ...(index === undefined ? {} : { index }) }]);
  return route.stops.find((stop) => stop.importedStopId === importedStopId)?.id ?? "";
}

// A stop that leaves its route comes back as what was imported, so that is asked for before it goes.
async function importedIdOf(stopId: string, routeId: string): Promise<string> {
  const route = await get<Route>(`/routes/${routeId}`);
  return route.stops.find((stop) => stop.id === stopId)?.importedStopId ?? "";
}

// Move a stop to a route, within one, or off it; the opposite puts it back where it was.
export function moveStop(stop: MovedStop, target: Target): Promise<boolean> {
  let onRoute = stop.routeId ? stop.id : "";
  let { importedStopId } = stop;
  async function put(from: string, to: Target): Promise<void> {
    if (from && to.routeId) {
      await transfer(idNow(onRoute), to.routeId, to.index);
    } else if (to.routeId) {
      const before = onRoute;
      onRoute = await addImported(importedStopId, to);
      cameBack(before, onRoute);
    } else {
      importedStopId ||= await importedIdOf(idNow(onRoute), from);
      await transfer(idNow(onRoute), "");
    }
  }
  return change({
    make: () => put(stop.routeId, target),
    takeBack: () => put(target.routeId, { routeId: stop.routeId, index: stop.index }),
  });
}

// The place of each stop when those before it are there: stops of routes go first, then loose ones.
export function placesInTurn(stops: MovedStop[], best: ReadonlyMap<string, number>): Map<string, number> {
  const rank = (stop: MovedStop) => (stop.routeId ? 0 : 1);
  const ordered = stops.filter((stop) => best.has(stop.id)).sort((one, other) => rank(one) - rank(other) || best.get(one.id)! - best.get(other.id)!);
  return new Map(ordered.map((stop, turn) => [stop.id, best.get(stop.id)! + ordered.slice(0, turn).filter((before) => best.get(before.id)! <= best.get(stop.id)!).length]));
}

// Move several stops to a route, each to its best place where that is known and else to the end, or
// off theirs; those of routes go in one request.
export function moveStops(stops: MovedStop[], routeId: string, best: ReadonlyMap<string, number> = new Map()): Promise<boolean> {
  const places = placesInTurn(stops, best);
  const targetOf = (stop: MovedStop): Target => { const index = places.get(stop.id); return { routeId, ...(index === undefined ? {} : { index }) }; };
  const held = stops.map((stop) => ({ ...stop, isOnRoute: !!stop.routeId, lastId: stop.routeId ? stop.id : "" }));
  type Held = (typeof held)[number];
  async function put(from: (stop: Held) => string, to: (stop: Held) => Target): Promise<void> {
    for (const stop of held) if (stop.isOnRoute && !to(stop).routeId) stop.importedStopId ||= await importedIdOf(idNow(stop.lastId), from(stop));
    // Lower places first, so that each is there when the next is counted.
    const ordered = [...held].sort((one, other) => (to(one).index ?? 0) - (to(other).index ?? 0));
    const routed = ordered.filter((stop) => stop.isOnRoute), loose = ordered.filter((stop) => !stop.isOnRoute && to(stop).routeId);
    if (routed.length) {
      await send("POST", "/routes/transfers", { moves: routed.map((stop) => {
        const target = to(stop);
        return { stopId: idNow(stop.lastId), ...(target.routeId ? { toRouteId: target.routeId } : {}), ...(target.index === undefined ? {} : { index: target.index }) };
      }) });
      for (const stop of routed) if (!to(stop).routeId) stop.isOnRoute = false;
    }
    for (const target of new Set(loose.map((stop) => to(stop).routeId))) {
      const added = loose.filter((stop) => to(stop).routeId === target);
      const route = await send<Route>("POST", `/routes/${target}/stops`, added.map((stop) => {
        const { index } = to(stop);
        return { importedStopId: stop.importedStopId, ...(index === undefined ? {} : { index }) };
      }));
      for (const stop of added) {
        const after = route.stops.find((one) => one.importedStopId === stop.importedStopId)?.id ?? "";
        cameBack(stop.lastId, after);
        Object.assign(stop, { isOnRoute: !!after, lastId: after });
      }
    }
  }
  return change({
    make: () => put((stop) => stop.routeId, targetOf),
    takeBack: () => put(() => routeId, (stop) => ({ routeId: stop.routeId, ...(stop.routeId ? { index: stop.index } : {}) })),
  });
}

export const routeNamed = (id: string) => day.value?.routes.find((route) => route.id === id);
