// What a planner has changed of a route since its driver looked last: the order in which its stops
// stood then is kept on the phone, and what the driver does is done to it, too.
import { isDone, isStarted, reordered } from "./shown_route";
import type { Deed, Route } from "./shapes";

export type Order = string[]; // of stops, by their ids
export type Looked = Record<string, Order>; // by the route's id

export interface News { moved: number; added: number; removed: number }

export const orderOf = (route: Route): Order => route.stops.map(({ id }) => id);

// The most stops that keep their order among each other, by which as few as can be have moved:
// a longest increasing subsequence, found for each stop from those before it.
function unmoved(before: Order, now: Order): Set<string> {
  const rank = new Map(before.map((id, index) => [id, index]));
  const ids = now.filter((id) => rank.has(id));
  const best = ids.map(() => ({ length: 1, from: -1 }));
  let last = -1;
  ids.forEach((id, index) => {
    for (let one = 0; one < index; one++) {
      if (rank.get(ids[one]!)! < rank.get(id)! && best[one]!.length >= best[index]!.length) best[index] = { length: best[one]!.length + 1, from: one };
    }
    if (last < 0 || best[index]!.length > best[last]!.length) last = index;
  });
  const kept = new Set<string>();
  for (; last >= 0; last = best[last]!.from) kept.add(ids[last]!);
  return kept;
}

// Stops that are done are no news, wherever they stand.
export function newsOf(looked: Order | undefined, route: Route | null): News | null {
  if (!looked || !route) return null;
  const open = route.stops.filter((stop) => !isDone(stop)).map(({ id }) => id);
  const [known, here] = [new Set(looked), new Set(orderOf(route))];
  const stayed = open.filter((id) => known.has(id));
  const news = { moved: stayed.length - unmoved(looked, stayed).size, added: open.length - stayed.length, removed: looked.filter((id) => !here.has(id)).length };
  return news.moved || news.added || news.removed ? news : null;
}

// What was looked at, with the driver's own moves: each stop that moved stands behind the same known one.
function follow(looked: Order, before: Order, after: Order): Order {
  const still = unmoved(before, after);
  let order = looked;
  after.forEach((id, index) => {
    if (still.has(id) || !order.includes(id)) return;
    const rest = order.filter((one) => one !== id);
    const at = rest.indexOf(after.slice(0, index).findLast((one) => rest.includes(one)) ?? "") + 1;
    order = [...rest.slice(0, at), id, ...rest.slice(at)];
  });
  return order;
}

// Routes as they were looked at last, after what the driver does now: who starts a route has looked.
export function lookedAfter(looked: Looked, deeds: Deed[], routeOf: (id: string) => Route | null): Looked {
  return deeds.reduce((known, { kind, routeId, stopIds }) => {
    const route = routeOf(routeId);
    const order = known[routeId];
    if (kind === "ROUTE_STARTED" && route) return { ...known, [routeId]: orderOf(route) };
    if (kind !== "STOPS_REORDERED" || !route || !order) return known;
    return { ...known, [routeId]: follow(order, orderOf(route), reordered(route.stops, stopIds ?? []).map(({ id }) => id)) };
  }, looked);
}

const MOST_GONE = 10;

// Routes as they were looked at last, once they have been read: where there is no news the driver sees
// how a route stands. Planners take a route back and give it again: the last that are gone wait for that.
export function lookedOnceRead(looked: Looked, routes: Route[]): Looked {
  const gone = Object.entries(looked).filter(([id]) => !routes.some((route) => route.id === id)).slice(-MOST_GONE);
  const here = routes.filter(isStarted).map((route): [string, Order] => [route.id, newsOf(looked[route.id], route) ? looked[route.id]! : orderOf(route)]);
  return Object.fromEntries([...gone, ...here]);
}
