// What would help a route with late stops. The service previews another order, another departure and
// another van; a wider window is what it advises when it refuses to reoptimize. Each is made as when a
// planner makes it by hand, so that it can be taken back.
import { Refusal, type Violation } from "../kit/http";
import { secondsOf, type TimeWindow } from "../kit/times";
import { sayWindow, t } from "../kit/words";
import { day, versionOf, type PlaceTimes } from "./day";
import { moveAsked } from "./dialogs";
import { change, isAway, routeNamed } from "./edits";
import { openRouteIds, sayExtra } from "./prices";
import { putBack } from "./reoptimizing";
import { time } from "./route_items";
import { call, look, send } from "./session";
import { isDone, nameOfStop, type Insertion, type Route, type RouteStop } from "./shapes";

export interface Help {
  words: string;
  effect: string;
  stillLate: number; // stops of the route
  extra: number; // seconds more on the road
  make: () => Promise<unknown>;
}

const MOST_OFFERED = 3;
const MOST_MOVED = 3; // late stops that are tried on other routes, the first ones: those behind may be in time then
const MOST_ROUTES = 200; // that one request may ask for
const MINUTE = 60_000;

interface Preview { lateness: number; violations: Violation[]; timetable: { places: PlaceTimes[] }; totals: { durationSeconds: number } }
interface Advised { kind: string; subject: string; timeWindows?: TimeWindow[]; scheduledFor?: string }

// What all tries of one route begin with: the route as it is shown, and what it means as it stands.
interface Case { route: Route; now: Preview; late: Set<string> }

const preview = (route: Route, change: object) => look<Preview>(`/routes/${route.id}/preview`, change);
const keyOf = ({ type, subject }: Violation) => `${type} ${subject}`;

function lateIn(route: Route, { timetable }: Preview): Set<string> {
  const open = new Set(route.stops.filter((stop) => !isDone(stop)).map((stop) => stop.id));
  return new Set(timetable.places.filter((place) => open.has(place.stopId ?? "") && secondsOf(place.lateness) > 0).map((place) => place.stopId!));
}

// How many stops stay late, where fewer are and nothing else is broken.
function helps({ route, now, late }: Case, after: Preview): number | null {
  const known = new Set(now.violations.map(keyOf));
  const stillLate = lateIn(route, after).size;
  return stillLate < late.size && after.lateness < now.lateness && after.violations.every((one) => known.has(keyOf(one))) ? stillLate : null;
}

const effectOf = (stillLate: number, ...before: string[]) => [...before, stillLate ? t("stillLate", { count: stillLate }) : t("nobodyLate")].join(" · ");

// Refused for what the planner may change: another answer than that no change is enough.
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "refused") return null;
    throw error;
  }
}

// The order that reoptimizing would find, or what it says to change where it finds none.
async function bestOrder(route: Route): Promise<{ order?: string[]; advised: Advised[] }> {
  try {
    const { stops } = await look<Route>(`/routes/${route.id}/reoptimize`, { dryRun: true });
    return { order: stops.map((stop) => stop.id), advised: [] };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "refused") throw error;
    return { advised: (error.advice?.changes ?? []) as Advised[] };
  }
}

// Change a route's own fields or a stop's, and put its stops into the best order where that is part of
// it. Both requests are one edit: where the second is refused the first is taken back, and where that is
// not known Undo takes back what was made.
function edit(route: Route, { path, field, name, before, after, isReordered }: { path: string; field: string; name: string; before: object; after: object; isReordered: boolean }): () => Promise<unknown> {
  const base = `/routes/${route.id}`;
  const set = (values: object, version = "") => call(base + path, { method: "PATCH", body: { [name]: values, updateMask: field }, version });
  let isHalfDone = false;
  return () => change({
    name: route.name,
    isHalfDone: () => isHalfDone,
    make: async () => {
      isHalfDone = false;
      const { tag } = await set(after, versionOf(route.id));
      if (!isReordered) return;
      isHalfDone = true;
      try {
        await send("POST", `${base}/reoptimize`, {}, tag); // of the route as it is now, not as another planner makes it
      } catch (error) {
        if (!(error instanceof Refusal) || isAway(error)) throw error;
        await set(before);
        isHalfDone = false;
        throw error;
      }
    },
    // What a customer was promised first: the order may not be there any more.
    takeBack: async () => {
      await set(before);
      if (isReordered) await putBack(route);
    },
  });
}

async function anotherOrder(tried: Case, order: string[]): Promise<Help[]> {
  const { route, now } = tried;
  const after = await unlessRefused(preview(route, { order }));
  const stillLate = after && helps(tried, after);
  if (!after || stillLate === null) return [];
  const extra = after.totals.durationSeconds - now.totals.durationSeconds;
  const make = () => change({
    name: route.name,
    make: () => send("POST", `/routes/${route.id}/reoptimize`, {}, versionOf(route.id)),
    takeBack: () => putBack(route),
  });
  return [{ words: t("helpOrder"), effect: effectOf(stillLate, sayExtra(extra)), stillLate, extra, make }];
}

// As much earlier as the latest stop is late, or when the service says; nobody leaves in the past.
async function leaveAt(tried: Case, advised: Advised[]): Promise<Help[]> {
  const { route, now } = tried;
  const before = route.scheduledFor;
  if (!before || route.status === "STARTED" || route.status === "COMPLETED") return [];
  const latest = Math.max(...now.timetable.places.filter((place) => tried.late.has(place.stopId ?? "")).map((place) => secondsOf(place.lateness)));
  const own = new Date(Math.floor((Date.parse(before) - latest * 1000) / MINUTE) * MINUTE).toISOString();
  const departures = advised.flatMap((one) => (one.kind === "scheduledFor" && one.scheduledFor ? [one.scheduledFor] : []));
  for (const scheduledFor of [own, ...departures].filter((one) => Date.parse(one) >= Date.now())) {
    const after = await unlessRefused(preview(route, { scheduledFor }));
    const kept = after && helps(tried, after);
    const isReordered = kept !== 0;
    if (isReordered && !departures.includes(scheduledFor)) continue; // the service has not tried it in another order
    const effect = effectOf(0, t("insteadOf", { time: time(before) }), ...(isReordered ? [t("inAnotherOrder")] : []));
    return [{ words: t("helpLeave", { time: time(scheduledFor) }), effect, stillLate: 0, extra: 0, make: edit(route, { path: "", field: "scheduledFor", name: "route", before: { scheduledFor: before }, after: { scheduledFor }, isReordered }) }];
  }
  return [];
}

const minutesOf = ({ end }: TimeWindow) => (end ? end.hours * 60 + end.minutes + end.seconds / 60 : Infinity);

// The least that one customer would have to agree to.
function widenWindow({ route, now, late }: Case, advised: Advised[]): Help[] {
  const found = advised.filter((one) => one.kind === "timeWindows").sort((one, other) => Number(late.has(other.subject)) - Number(late.has(one.subject)))[0];
  const stop = route.stops.find((one) => one.id === found?.subject);
  if (!found?.timeWindows || !stop) return [];
  const [before, after] = [stop.timeWindows, found.timeWindows];
  const later = (minutesOf(after.at(-1)!) - minutesOf(before.at(-1)!)) * 60;
  const lateness = secondsOf(now.timetable.places.find((place) => place.stopId === stop.id)?.lateness);
  const isReordered = now.violations.some((one) => one.subject !== stop.id) || later < lateness;
  return [{
    words: t("helpWindow", { name: nameOfStop(stop) || t("stop"), window: after.map(sayWindow).join(", ") }), effect: effectOf(0, ...(isReordered ? [t("inAnotherOrder")] : [])), stillLate: 0, extra: 0,
    make: edit(route, { path: `/stops/${stop.id}`, field: "timeWindows", name: "routeStop", before: { timeWindows: before }, after: { timeWindows: after }, isReordered }),
  }];
}

// To the route that takes it at the least cost with nobody late and nothing broken.
async function moveAway(tried: Case): Promise<Help[]> {
  const { route, late } = tried;
  const others = openRouteIds().filter((id) => id !== route.id).slice(0, MOST_ROUTES);
  const stops = route.stops.filter((stop) => late.has(stop.id) && !stop.locked).slice(0, MOST_MOVED);
  // Of another day than the one that is shown nobody knows the other routes.
  if (!others.length || !stops.length || !day.value?.routes.some((one) => one.id === route.id)) return [];
  const { stops: found } = await look<{ stops: { places: Insertion[] }[] }>("/insertions", { stops: stops.map((stop) => ({ stopId: stop.id })), routeIds: others });
  const moves = await Promise.all(stops.map(async (stop, number): Promise<Help[]> => {
    const place = found[number]?.places.find((one) => !one.newViolations.length && !one.extraLatenessSeconds);
    const after = place && await unlessRefused(preview(route, { remove: [stop.id] }));
    const stillLate = after ? helps(tried, after) : null;
    return place && stillLate !== null ? [moved(tried, stop, place, stillLate)] : [];
  }));
  return moves.flat();
}

function moved({ route }: Case, stop: RouteStop, place: Insertion, stillLate: number): Help {
  const name = nameOfStop(stop) || t("stop");
  return {
    words: t("helpMove", { name, route: routeNamed(place.routeId)?.name ?? "" }), effect: effectOf(stillLate, sayExtra(place.extraTravelSeconds)), stillLate, extra: place.extraTravelSeconds,
    make: () => moveAsked({ id: stop.id, importedStopId: stop.importedStopId, routeId: route.id, index: route.stops.indexOf(stop), name }, place.routeId, place.index),
  };
}

// What helps most first, and of the same the one that changes least for drivers and customers.
export async function findHelp(route: Route): Promise<Help[]> {
  const now = await preview(route, {});
  const tried: Case = { route, now, late: lateIn(route, now) };
  if (!tried.late.size) return [];
  const [{ order, advised }, moves] = await Promise.all([bestOrder(route), moveAway(tried)]);
  const ordered = order ? await anotherOrder(tried, order) : [];
  const all = [...ordered, ...await leaveAt(tried, advised), ...moves.sort((one, other) => one.extra - other.extra), ...widenWindow(tried, advised)];
  return all.sort((one, other) => one.stillLate - other.stillLate).slice(0, MOST_OFFERED);
}
