// The open day: read whole, read again when something of it changes, and where the drivers are.
import { batch, computed, effect, signal } from "@preact/signals";
import { followChanges, type Position } from "../kit/changes";
import { Refusal, ask, wordsOf, type Answer } from "../kit/http";
import { gathered } from "../kit/idle";
import { pressOver } from "../kit/press";
import { dayAt, timeAt } from "../kit/times";
import { call, isOver, session, zone } from "./session";
import { dayOf, FINISHED, unroutedId, type Address, type CalendarDay, type Day, type DayRoute, type Route, type UnroutedStop } from "./shapes";

export const date = signal("");
// What a page shows of one day: its id, and that day; without one it is not there.
export const shownOfDay = signal<{ id: string; day?: string } | null>(null);
export const day = signal<Day | null>(null);
export const trouble = signal("");
export const notice = signal("");
export const search = signal("");
export const onlyDoubtful = signal(false); // a wish of the planner's, for as long as there are some
export const positions = signal<ReadonlyMap<string, Position>>(new Map());
export const openRoute = signal<Route | null>(null);
export const goneRoute = signal(""); // the id of one that was asked for and is not there
export const openTimes = signal<ReadonlyMap<string, PlaceTimes>>(new Map());
export const isLive = signal(false);
export const seenAt = signal(0);
export const now = signal(Date.now());

export const today = () => dayAt(Date.now(), zone.value);
export const dayOfRoute = (route: Pick<Route, "scheduledFor" | "createdAt">) => dayAt(Date.parse(route.scheduledFor ?? route.createdAt), zone.value);
export const dayOfUnrouted = (stop: { deliveryDate?: CalendarDay }) => (stop.deliveryDate ? dayOf(stop.deliveryDate) : today());

// When whatever is planned for a day leaves: in the morning, and today not before now.
const MORNING = "08:00", HOURS = 10;
export function usualDeparture(date: string): string {
  const soon = timeAt(Date.now(), zone.value);
  return date === today() && soon > MORNING ? soon : MORNING;
}
// Ten hours later; a time before the departure is of the next day.
export const usualEnd = (from: string) => `${String((Number(from.slice(0, 2)) + HOURS) % 24).padStart(2, "0")}:${from.slice(3)}`;

// When a stop is reached, by the clocks of where it is, and how late that is.
export interface PlaceTimes { stopId?: string; timezone: string; arrival?: string; lateness?: string }

// By which the open route is known: a change of another version is refused. The tag of a compressed
// answer has more in it.
let openTag = "";
export const versionOf = (routeId: string) => routeId === openRouteId ? openTag : "";

let dayTag = ""; // of the day that is shown

const LONGEST_READ_MS = 5_000; // a read that has hung for so long is given up for a new one
interface Reading { date: string; begun: number; controller: AbortController; done: Promise<void>; next?: Promise<void> }
let reading: Reading | null = null;
let stopFollowing: (() => void) | null = null;
let openRouteId = "";

export function report(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  if (error.kind === "session") return;
  complain(wordsOf(error));
}

export function complain(words: string): void {
  trouble.value = words;
  isSilence = false;
}

// Whether what is shown is that the day could not be read: it is gone when the day is read again.
let isSilence = false;
function answered(): void {
  if (isSilence) trouble.value = "";
  isSilence = false;
}

// Another organization has other days; what is on its way is of no use.
export function forgetDay(): void {
  reading?.controller.abort();
  reading = null;
  openRouteId = openTag = dayTag = "";
  forgetAhead();
  batch(() => {
    day.value = openRoute.value = null;
    openTimes.value = positions.value = new Map();
    search.value = notice.value = "";
  });
}

// A read of the same day that is on its way is waited for, and then it is asked once more: it may
// have begun before what happened since. The answer to that is mostly that nothing changed.
export async function readDay(): Promise<void> {
  if (!session.value || !date.value) return;
  if (reading?.date === date.value && Date.now() - reading.begun < LONGEST_READ_MS) {
    reading.next ??= reading.done.then(readDay, readDay);
    return reading.next;
  }
  reading?.controller.abort();
  const controller = new AbortController();
  const mine: Reading = { date: date.value, begun: Date.now(), controller, done: readOnce(date.value, controller).finally(() => { if (reading === mine) reading = null; }) };
  reading = mine;
  return mine.done;
}

// A day that is asked for while nobody knows yet who is signed in: the page opens a round trip sooner.
let ahead: { date: string; answer: Promise<Answer<Day> | null> } | null = null;

export function readAhead(wanted: string): Promise<Answer<Day> | null> {
  // What is wrong with it, such as that nobody is signed in, is said when it is asked for again.
  const answer = ask<Day>(`/days/${wanted}`).catch(() => null);
  ahead = { date: wanted, answer };
  return answer;
}

// Whoever signs in by the form may be somebody else than the cookie was of.
export function forgetAhead(): void {
  ahead = null;
}

// What was read ahead, once: by the cookie, so it is a member's alone.
function takeAhead(wanted: string): Promise<Answer<Day> | null> | null {
  const found = session.value?.member && ahead?.date === wanted ? ahead.answer : null;
  ahead = null;
  return found;
}

async function readOnce(wanted: string, { signal }: AbortController): Promise<void> {
  try {
    const found = await takeAhead(wanted) ?? await call<Day>(`/days/${wanted}`, { signal, ...(day.peek() ? { known: dayTag } : {}) });
    await pressOver();
    if (signal.aborted) return;
    if (!found.isUnchanged) {
      day.value = found.body;
      dayTag = found.tag;
    }
    answered();
    seenAt.value = Date.now();
  } catch (error) {
    if (signal.aborted) return;
    report(error);
    isSilence = error instanceof Refusal && error.kind === "away";
  }
}

export async function readRoute(id: string): Promise<void> {
  openRouteId = id;
  if (!id) {
    openRoute.value = null;
    return;
  }
  try {
    const [route, times] = await Promise.all([
      call<Route>(`/routes/${id}`),
      call<{ places: PlaceTimes[] }>(`/routes/${id}/timetable`),
    ]);
    await pressOver();
    if (openRouteId !== id) return;
    openTag = route.tag;
    openTimes.value = new Map(times.body.places.map((place) => [place.stopId ?? "", place]));
    batch(() => {
      shownOfDay.value = { id, day: dayOfRoute(route.body) };
      openRoute.value = route.body;
    });
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      if (openRouteId !== id) return;
      batch(() => {
        shownOfDay.value = { id };
        openRoute.value = null;
        goneRoute.value = id;
      });
    } else {
      report(error);
    }
  }
}

// A route that was deleted here is not asked for again.
export function forgetRoute(id: string): void {
  if (openRouteId === id) openRouteId = "";
}

export async function readAll(): Promise<void> {
  await Promise.all([readDay(), openRouteId ? readRoute(openRouteId) : Promise.resolve()]);
}

// Counts what somebody has ticked off among the drivers' actions, here or elsewhere.
export const journalVersion = signal(0);

// Counts what changed of drivers and vehicles, for the pages that list them.
export const fleetVersion = signal(0);

const readSoon = gathered(() => void readAll(), 200);
const fleetChanged = gathered(() => { fleetVersion.value += 1; }, 200);

export function follow(): void {
  stopFollowing?.();
  stopFollowing = followChanges(() => session.value?.caller ?? {}, "", {
    changed: ({ kind }) => {
      if (kind === "DRIVER") journalVersion.value += 1;
      if (kind === "DRIVER" || kind === "VEHICLE") fleetChanged();
      readSoon();
    },
    moved: (position) => { positions.value = new Map(positions.value).set(position.driverId, position); },
    opened: () => { isLive.value = true; journalVersion.value += 1; fleetChanged(); readSoon(); },
    lost: () => { isLive.value = false; },
    refused: () => void readDay().then(() => { if (session.value) follow(); }),
  });
}

export function unfollow(): void {
  stopFollowing?.();
  stopFollowing = null;
  isLive.value = false;
}

setInterval(() => { now.value = Date.now(); }, 15_000);
// Without the stream the day is read every minute, as long as somebody looks.
setInterval(() => { if (!isLive.value && !isOver.value && !document.hidden) void readAll(); }, 60_000);

function matches(text: string): boolean {
  return text.toLowerCase().includes(search.value.trim().toLowerCase());
}

export const isEstimated = (routeId: string) => day.value?.routes.find((route) => route.id === routeId)?.estimated ?? false;

// What the server finds by order number, company, phone and address, which the day does not say of each stop.
interface Matches { routes: { id: string; stopIds: string[] }[]; unroutedIds: string[] }
const found = signal<Matches & { text: string; date: string } | null>(null);
const SEARCH_WAIT_MS = 200;

// Asked again when the day has changed; what was found before stands until the answer.
const dayVersion = computed(() => day.value?.version ?? 0);
effect(() => {
  const [text, wanted] = [search.value.trim(), date.value];
  void dayVersion.value;
  if (!text || !wanted) {
    found.value = null;
    return undefined;
  }
  const timer = setTimeout(() => {
    call<Matches>(`/days/${wanted}/matches?query.text=${encodeURIComponent(text)}`).then(
      ({ body }) => { if (search.value.trim() === text && date.value === wanted) found.value = { ...body, text, date: wanted }; },
      report,
    );
  }, SEARCH_WAIT_MS);
  return () => clearTimeout(timer);
});

const matchesByRoute = computed(() => new Map((found.value?.routes ?? []).map((route) => [route.id, route.stopIds])));
const looseMatches = computed(() => new Set(found.value?.unroutedIds ?? []));

// Only a town or a zip area was found of their addresses.
export const isDoubtful = (matchType: string | null | undefined) => matchType === "LOCALITY";

const doubtfulOf = ({ stops }: DayRoute) => stops.matchTypes.flatMap((matchType, index) => (isDoubtful(matchType) && !FINISHED.has(stops.statuses[index]!) ? [index] : []));
export const doubtfulCount = computed(() => (day.value?.unrouted.stops ?? []).filter((stop) => isDoubtful(stop.matchType)).length
  + (day.value?.routes ?? []).reduce((count, route) => count + doubtfulOf(route).length, 0));
const isDoubtAsked = computed(() => onlyDoubtful.value && doubtfulCount.value > 0);
effect(() => { void date.value; onlyDoubtful.value = false; });
effect(() => { if (day.value && !doubtfulCount.value) onlyDoubtful.value = false; });

export const isNarrowed = () => isDoubtAsked.value || !!search.value.trim();

// The stops of a route that were asked for, as far as they are known.
export function soughtStops(route: DayRoute): number[] {
  if (!isDoubtAsked.value) return matchesOf(route);
  const doubtful = doubtfulOf(route);
  if (!search.value.trim() || isNamed(route)) return doubtful;
  const matched = new Set(matchesOf(route));
  return doubtful.filter((index) => matched.has(index));
}

function matchesOf(route: DayRoute): number[] {
  if (!search.value.trim()) return [];
  const ids = new Set(matchesByRoute.value.get(route.id) ?? []);
  return route.stops.ids.flatMap((id, index) => (ids.has(id) || matches(route.stops.names[index] ?? "") ? [index] : []));
}

const isNamed = (route: DayRoute) => matches(route.name) || matches(`${route.driver?.firstName ?? ""} ${route.driver?.lastName ?? ""}`);

// What board and list show of a route: the stops that were searched for, or all of a route that was.
export function shownStops(route: DayRoute): number[] {
  const isWhole = !isDoubtAsked.value && (!search.value.trim() || isNamed(route) || matchesByRoute.value.get(route.id)?.length === 0);
  return isWhole ? [...route.stops.ids.keys()] : soughtStops(route);
}

export const shownRoutes = computed<DayRoute[]>(() => (day.value?.routes ?? []).filter((route) =>
  isDoubtAsked.value ? soughtStops(route).length > 0 : !search.value.trim() || isNamed(route) || matchesByRoute.value.has(route.id) || matchesOf(route).length > 0));

// The lines by which the server finds an address, so that both lists find the same.
const linesOf = ({ address1, address2, zip, city }: Address) => [address1, address2, `${zip} ${city}`];

export const shownUnrouted = computed<UnroutedStop[]>(() => (day.value?.unrouted.stops ?? []).filter((stop) => (!isDoubtAsked.value || isDoubtful(stop.matchType)) && (
  !search.value.trim() || matches(stop.name) || (stop.address && linesOf(stop.address).some(matches)) || looseMatches.value.has(unroutedId(stop)))));

// Whether all that a text finds is known: until then nobody is told that there is nothing.
export const isSearched = computed(() => found.value?.text === search.value.trim() && found.value.date === date.value);

// Of so many stops, those that are off the screen are made when somebody comes near.
const MOST_MADE_AT_ONCE = 1_000;
export const isLargeDay = computed(() => (day.value?.routes ?? []).reduce((count, route) => count + route.stops.ids.length, 0) > MOST_MADE_AT_ONCE);

// What map and time line draw: the shown routes, on a large day once the lists are on the screen.
export const drawnRoutes = signal<DayRoute[]>([]);
let waiting = 0;
effect(() => {
  const routes = shownRoutes.value;
  cancelAnimationFrame(waiting);
  if (!isLargeDay.value) drawnRoutes.value = routes;
  else waiting = requestAnimationFrame(() => { setTimeout(() => { drawnRoutes.value = shownRoutes.peek(); }); });
});
