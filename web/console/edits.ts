// Changes that can be taken back: each knows its opposite. Fifty are kept. A change that has no opposite
// ends what can be taken back: Undo passes over none to an older one.
import { signal } from "@preact/signals";
import { Refusal, wordsOf } from "../kit/http";
import { sayDay } from "../kit/times";
import { locale, t } from "../kit/words";
import { complain, date, day, notice, openRoute, readAll, report, trouble } from "./day";
import { path } from "./places";
import { get, planner, send } from "./session";
import { nameByNumber, type Route } from "./shapes";

const MOST_KEPT = 50;

interface Edit {
  make: () => Promise<unknown>;
  takeBack: () => Promise<unknown>;
  stops?: Held[]; // that it moves
  name?: string; // of what it changes
  day?: string; // that was open when it was made
  isNothing?: () => boolean; // made, and all is as it was: there is nothing to take back
  isHalfDone?: () => boolean; // made of several requests, of which some were made and the last one is not known
}

const done = signal<Edit[]>([]);
const undone = signal<Edit[]>([]);

export const canUndo = () => done.value.length > 0;
export const canRedo = () => undone.value.length > 0;
export const busy = signal(false);

// Nothing can be taken back or made again from now on. Moves that wait go on knowing where their stops are.
function endUndo(): void {
  done.value = [];
  undone.value = [];
}

export function forgetEdits(): void {
  endUndo();
  laterIds.clear();
  pending.clear();
}

// A stop that left its route and came back, and a stop or route that was made once more, has another id;
// the edits before and after know it by an earlier one.
const laterIds = new Map<string, string>();

export function idNow(id: string): string {
  let current = id;
  for (let next = laterIds.get(current); next; next = laterIds.get(current)) current = next;
  return current;
}

export function cameBack(before: string, after: string): void {
  if (before && after && idNow(before) !== after) laterIds.set(idNow(before), after);
}

// A change and its opposite leave a route as it was before, though of another version. Each makes one
// more of it, so nobody else has changed it where the opposite begins with what the change made.
const sameAs = new Map<string, number>();
const versionOf = (tag: string) => Number(/\d+/.exec(tag)?.[0]);

// The first version with which a route was as it is under this one.
function firstLike(routeId: string, version: number): number {
  const before = sameAs.get(`${routeId} ${version}`);
  return before === undefined ? version : firstLike(routeId, before);
}

/** What is to hear of the tags that a change and its opposite give to routes. */
export function pairing(): (routeId: string, tag: string) => void {
  const made = new Map<string, number>();
  return (routeId, tag) => {
    const version = versionOf(tag);
    const before = made.get(routeId);
    if (before !== undefined && firstLike(routeId, version - 1) === firstLike(routeId, before)) sameAs.set(`${routeId} ${version}`, before - 1);
    made.set(routeId, version);
  };
}

/** Whether a route is as it was under another tag: all that was changed in between is taken back. */
export const isLike = (routeId: string, tag: string, other: string) => firstLike(routeId, versionOf(tag)) === firstLike(routeId, versionOf(other));

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

export const isAway = ({ kind }: Refusal) => kind === "away" || kind === "limited";

// As this planner knows it, who may not have seen yet where it is.
function nameOf(id: string): string {
  for (const route of day.value?.routes ?? []) {
    const at = route.stops.ids.indexOf(id);
    if (at >= 0) return nameByNumber(route.stops.names[at], at + 1);
  }
  return day.value?.unrouted.stops.find((stop) => stop.importedStopId === id)?.name ?? "";
}

const MOVED = new Set(["STALE_STOP", "ALREADY_ROUTED"]); // decisions §15, pinned behaviour

const wordsFor = (error: Refusal, name = "") => (error.kind === "conflict" ? t("changedMeanwhile", { name: name || t("stop") }) : wordsOf(error));

// What a stop that is not where it was is not there for is said by its name. By now that may be shown
// nowhere: it was known when the stop was taken into the hand.
function wordsForMove(error: Refusal, name = "", stops: Held[] = []): string {
  const heldAs = (id: string) => stops.find((stop) => id !== "" && [idNow(stop.lastId), stop.importedStopId, stop.storeOrderId].includes(id))?.name;
  const moved = error.violations.filter(({ type }) => MOVED.has(type ?? "")).map(({ subject = "" }) => heldAs(subject) || nameOf(subject));
  if (!moved.length && error.status !== 404) return wordsFor(error, name);
  const only = stops.length === 1 ? stops[0]!.name : "";
  return t("movedMeanwhile", { name: moved.filter(Boolean).join(", ") || name || only || t("stop") });
}

const wordsOfEdit = ({ stops, name }: Edit) => (error: Refusal) => wordsForMove(error, name, stops);

export async function change(edit: Edit): Promise<boolean> {
  const who = planner.value;
  const opened = date.value;
  const outcome = await run(edit.make, wordsOfEdit(edit));
  const isDone = outcome === "done";
  if (((isDone && !edit.isNothing?.()) || edit.isHalfDone?.()) && planner.value === who) { // else somebody else has signed in meanwhile
    rememberDone(edit, opened);
  }
  return isDone;
}

// A change that a dialog has made by itself, for it says there what came of it.
export function rememberDone(edit: Edit, opened = date.value): void {
  done.value = [...done.value, { ...edit, day: opened }].slice(-MOST_KEPT);
  undone.value = [];
}

// What was pressed before comes first, so that a quick second press takes back what the first made.
const settled = () => last.catch(() => undefined);

export async function undo(): Promise<void> {
  await settled();
  const who = planner.value;
  const edit = done.value.at(-1);
  if (!edit) return;
  done.value = done.value.slice(0, -1);
  const outcome = await run(edit.takeBack, (error) => (isAway(error) ? wordsOf(error) : t("undoImpossible", { message: wordsOfEdit(edit)(error) })));
  if (planner.value !== who) return;
  if (outcome === "done") { undone.value = [...undone.value, edit]; sayUnseen(t("undone"), edit); }
  else if (outcome === "unknown") done.value = [...done.value, edit]; // to be pressed again
}

export async function redo(): Promise<void> {
  await settled();
  const who = planner.value;
  const edit = undone.value.at(-1);
  if (!edit) return;
  undone.value = undone.value.slice(0, -1);
  const outcome = await run(edit.make, wordsOfEdit(edit));
  if (planner.value !== who) return;
  if (outcome === "done") sayUnseen(t("redone"), edit);
  if (outcome === "done" || edit.isHalfDone?.()) done.value = [...done.value, edit];
  else if (outcome === "unknown") undone.value = [...undone.value, edit];
}

// What was taken back of another day than the open one, or on a page that shows no day, is not to be seen.
function sayUnseen(what: string, { day: opened = "", stops = [], name = stops.length === 1 ? stops[0]!.name : "" }: Edit): void {
  if (opened !== date.value || !/^(day.*)?$/.test(path.value)) notice.value = `${what}: ${[name, sayDay(opened, locale.value)].filter(Boolean).join(", ")}`;
}

// Take something away, once more where the first time is not known to have come to an end.
export async function removeAgain(path: string, version = ""): Promise<void> {
  await send("DELETE", path, {}, version).catch((error: unknown) => { if (!(error instanceof Refusal) || error.status !== 404) throw error; });
}

// What moving a stop was refused for before anything was pressed.
export function reportMove(error: unknown, name: string): void {
  if (!(error instanceof Refusal)) throw error;
  if (error.kind === "session") return;
  complain(wordsForMove(error, name));
  void readAll();
}

// A change that has no opposite, also one that nobody knows of whether it was made.
export async function forgetting<T>(made: Promise<T>): Promise<T> {
  try {
    const answer = await made;
    endUndo();
    return answer;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "away") endUndo();
    throw error;
  }
}

// Such a change of one route or stop.
export async function act(name: string, step: () => Promise<unknown>): Promise<boolean> {
  return await run(() => forgetting(step()), (error) => wordsFor(error, name)) === "done";
}

export async function safely(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    report(error);
  }
}

export interface MovedStop {
  id: string; // of the route stop, or of what it is made of where it is on no route
  importedStopId: string; // "" where only the day was read, which does not say it, and of an order
  storeOrderId?: string; // of a stop that is made of a shop's order
  routeId: string; // "" is on no route
  index: number;
  name?: string; // as it was shown when it was taken into the hand
  before?: Held | undefined; // its move that was not shown yet when it was taken into the hand
}

interface Target { routeId: string; index?: number }

// A stop in the hands of a planner: where this planner knows it to be, by which id, and at which index.
interface Held extends MovedStop { at: string; lastId: string; place: number; shownAt: string }

// Stops of moves that are not shown yet, by the ids that are: who moves one again means where it is then.
const pending = new Map<string, Held>();

// Take a stop into the hand: where it is shown now may not be where its last move has put it.
export function grasp(stop: MovedStop): MovedStop {
  const before = pending.get(stop.id);
  return { ...stop, name: stop.name || nameOf(stop.id), before: before?.shownAt === stop.routeId ? before : undefined };
}

function hold(stop: MovedStop): Held {
  const held = { ...grasp(stop), ...(stop.before ? { before: stop.before } : {}), at: stop.routeId, lastId: stop.routeId ? stop.id : "", place: stop.index, shownAt: stop.routeId };
  pending.set(stop.id, held);
  return held;
}

// The move before is done or refused now: this one begins where the stop is, and its opposite ends there.
function followOn(held: Held): void {
  const { before } = held;
  if (!before) return;
  held.before = undefined;
  held.at = held.routeId = before.at;
  held.index = held.place = before.place;
  held.lastId = before.lastId;
  held.importedStopId ||= before.importedStopId;
  held.storeOrderId ||= before.storeOrderId ?? "";
}

// What is shown has been read since.
function forgetPending(stops: Held[]): void {
  for (const stop of stops) if (pending.get(stop.id) === stop) pending.delete(stop.id);
}

type Origin = Pick<MovedStop, "importedStopId" | "storeOrderId">;

// A stop that leaves its route comes back as what it is made of, so that is asked for before it goes.
async function originOf(stopId: string, routeId: string): Promise<Origin> {
  const route = await get<Route>(`/routes/${idNow(routeId)}`);
  const { importedStopId = "", storeOrderId = "" } = route.stops.find((stop) => stop.id === stopId) ?? {};
  return { importedStopId, storeOrderId };
}

const hasOrigin = (stop: Origin) => stop.importedStopId !== "" || !!stop.storeOrderId;
const isMadeOf = (stop: Origin, origin: Origin) => (origin.importedStopId ? stop.importedStopId === origin.importedStopId : stop.storeOrderId === origin.storeOrderId);

// How a request names a stop that is on no route.
export const named = ({ importedStopId, storeOrderId }: Origin): { importedStopId: string } | { storeOrderId: string } => (importedStopId ? { importedStopId } : { storeOrderId: storeOrderId ?? "" });

interface Move { stopId?: string; importedStopId?: string; storeOrderId?: string; fromRouteId?: string; toRouteId?: string; index?: number }

const INDEX = /^moves\[(\d+)\]\.index$/;

// Where another planner has made a route shorter than the place that was meant, the end is meant.
async function transfer(moves: Move[]): Promise<{ routes: Route[]; etags: string[] }> {
  try {
    return await send("POST", "/routes/transfers", { moves });
  } catch (error) {
    const behindTheEnd = error instanceof Refusal && error.kind === "refused" ? error.violations.map(({ field }) => Number(INDEX.exec(field ?? "")?.[1] ?? -1)) : [];
    const eased = moves.map((move, number): Move => { const { index: _, ...rest } = move; return behindTheEnd.includes(number) ? rest : move; });
    if (eased.every((move, number) => move.index === moves[number]!.index)) throw error;
    return transfer(eased);
  }
}

// Put stops somewhere, all or none. Each says where it is thought to be: when another planner has moved
// one meanwhile, it stays there, and this planner is told.
async function put(stops: Held[], targetOf: (stop: Held) => Target, made: ReturnType<typeof pairing>): Promise<void> {
  stops.forEach(followOn);
  for (const stop of stops) stop.importedStopId = idNow(stop.importedStopId);
  const moved = stops.filter((stop) => stop.at || targetOf(stop).routeId);
  for (const stop of moved) if (!targetOf(stop).routeId && !hasOrigin(stop)) Object.assign(stop, await originOf(idNow(stop.lastId), stop.at));
  const moves = moved.map((stop) => {
    const { routeId, index } = targetOf(stop);
    const subject = stop.at ? { stopId: idNow(stop.lastId), fromRouteId: idNow(stop.at) } : named(stop);
    return { ...subject, ...(routeId ? { toRouteId: idNow(routeId) } : {}), ...(routeId && index !== undefined ? { index } : {}) };
  });
  if (!moves.length) return;
  const { routes, etags } = await transfer(moves);
  routes.forEach(({ id }, number) => { made(id, etags[number]!); });
  for (const stop of moved) {
    const { routeId } = targetOf(stop);
    const there = routes.find((route) => route.id === idNow(routeId))?.stops ?? [];
    if (routeId && !stop.at) {
      const after = there.find((one) => isMadeOf(one, stop))?.id ?? "";
      cameBack(stop.lastId, after);
      stop.lastId = after;
    }
    stop.at = routeId;
    stop.place = there.findIndex((one) => one.id === idNow(stop.lastId));
  }
}

const MOST_MOVES = 200; // that one request may make

// Put stops of a route, which are its last ones, into an order that it had before.
export async function putInOrder(routeId: string, stopIds: string[], first: number): Promise<void> {
  const moves = stopIds.map((stopId, turn) => ({ stopId, fromRouteId: routeId, toRouteId: routeId, index: first + turn }));
  for (let start = 0; start < moves.length; start += MOST_MOVES) await transfer(moves.slice(start, start + MOST_MOVES));
}

// Move a stop to a route, within one, or off it; the opposite puts it back where it was.
export function moveStop(stop: MovedStop, target: Target): Promise<boolean> {
  const held = hold(stop);
  const made = pairing();
  return change({
    stops: [held],
    make: () => put([held], () => target, made),
    takeBack: () => put([held], () => ({ routeId: held.routeId, index: held.index }), made),
  }).finally(() => { forgetPending([held]); });
}

// The place of each stop when those before it are there.
export function placesInTurn(stops: MovedStop[], best: ReadonlyMap<string, number>): Map<string, number> {
  const ordered = stops.filter((stop) => best.has(stop.id)).sort((one, other) => best.get(one.id)! - best.get(other.id)!);
  return new Map(ordered.map((stop, turn) => [stop.id, best.get(stop.id)! + ordered.slice(0, turn).filter((before) => best.get(before.id)! <= best.get(stop.id)!).length]));
}

// Move several stops to a route, each to its best place where that is known and else to the end, or
// off theirs.
export function moveStops(stops: MovedStop[], routeId: string, best: ReadonlyMap<string, number> = new Map()): Promise<boolean> {
  const places = placesInTurn(stops, best);
  const targetOf = (stop: MovedStop): Target => { const index = places.get(stop.id); return { routeId, ...(index === undefined ? {} : { index }) }; };
  // Lower places first, so that each is there when the next is counted.
  const inTurn = (held: Held[], indexOf: (stop: Held) => number) => [...held].sort((one, other) => indexOf(one) - indexOf(other));
  const held = stops.map(hold);
  const made = pairing();
  return change({
    stops: held,
    make: () => put(inTurn(held, (stop) => targetOf(stop).index ?? 0), targetOf, made),
    takeBack: () => put(inTurn(held, (stop) => stop.index), (stop) => ({ routeId: stop.routeId, index: stop.index }), made),
  }).finally(() => { forgetPending(held); });
}

// The open route is known before its day.
export const routeNamed = (id: string) => day.value?.routes.find((route) => route.id === id) ?? (openRoute.value?.id === id ? openRoute.value : undefined);
