// The streets around a route, kept on the phone: the map opens where there is no network. A city is
// a megabyte; a route's surroundings are some forty tiles, which the service lists.
import { lookForStreets, type Streets } from "../kit/streets";
import { ask } from "./app";
import { store } from "./pumps";
import type { Coordinates, Route } from "./shapes";
import { TILES, spaceLeft } from "./space";

const AT_ONCE = 6;

export function placesOf(route: Route): Coordinates[] {
  const ends = [route.start.coordinates, route.end?.coordinates].filter((one) => one !== undefined);
  return [...ends, ...route.stops.map(({ plannedCoordinates }) => plannedCoordinates)].filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
}

const kept = new Set<string>();

export async function keepArea(route: Route): Promise<void> {
  if (!("caches" in window) || kept.has(route.id) || await spaceLeft(store) !== "plenty") return;
  const streets = await lookForStreets();
  if (!streets) return;
  kept.add(route.id);
  try {
    await keepTiles(route.id, streets);
  } catch (error) {
    kept.delete(route.id); // tried again when the route is read next
    throw error;
  }
}

async function keepTiles(routeId: string, streets: Streets): Promise<void> {
  const cache = await caches.open(TILES);
  await forgetOlder(cache, streets);
  await cache.put("/map", new Response(JSON.stringify(streets), { headers: { "Content-Type": "application/json" } }));
  const response = await ask(`/routes/${encodeURIComponent(routeId)}/area`);
  if (response.status === 404) return; // a route that was taken away, of which something still waits
  if (!response.ok) throw new Error(`the area was answered with ${response.status}`);
  const { tiles } = (await response.json()) as { tiles: string[] };
  for (let at = 0; at < tiles.length; at += AT_ONCE) {
    await Promise.all(tiles.slice(at, at + AT_ONCE).map((address) => keep(cache, address)));
  }
}

async function keep(cache: Cache, address: string): Promise<void> {
  if (await cache.match(address)) return;
  const response = await fetch(address, { credentials: "omit" });
  // A cache takes no empty answer as such; an empty tile draws nothing either way.
  if (response.status === 204) await cache.put(address, new Response(new Uint8Array(), { headers: { "Content-Type": "application/vnd.mapbox-vector-tile" } }));
  else if (response.ok) await cache.put(address, response);
}

// Tiles of a map that was replaced are of no use to anybody.
async function forgetOlder(cache: Cache, streets: Streets): Promise<void> {
  const mark = `v=${encodeURIComponent(streets.version)}`;
  for (const request of await cache.keys()) if (request.url.includes("/map/tiles/") && !request.url.endsWith(mark)) await cache.delete(request);
}
