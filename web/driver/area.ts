// The streets around a route, kept on the phone: the map opens where there is no network. A city is
// a megabyte; a route's surroundings are some forty tiles.
import { lookForStreets, tileAddress, type Streets } from "../kit/streets";
import { store } from "./pumps";
import type { Coordinates, Route } from "./shapes";
import { TILES, spaceLeft } from "./space";

const LAST_ZOOM = 14;
const FIRST_ZOOM = 8;
const MOST_TILES = 120;
const AT_ONCE = 6;

function column(longitude: number, zoom: number): number {
  return Math.floor(((longitude + 180) / 360) * 2 ** zoom);
}

function row(latitude: number, zoom: number): number {
  const radians = (latitude * Math.PI) / 180;
  return Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** zoom);
}

export function placesOf(route: Route): Coordinates[] {
  const ends = [route.start.coordinates, route.end?.coordinates].filter((one) => one !== undefined);
  return [...ends, ...route.stops.map(({ plannedCoordinates }) => plannedCoordinates)].filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
}

// The tiles on which the stops stand and their neighbours, from the coarsest zoom on.
export function tilesAround(places: Coordinates[], most = MOST_TILES): [number, number, number][] {
  const found = new Map<string, [number, number, number]>();
  for (let zoom = FIRST_ZOOM; zoom <= LAST_ZOOM; zoom++) {
    for (const { latitude, longitude } of places) {
      for (const dx of [-1, 0, 1]) {
        for (const dy of [-1, 0, 1]) {
          const tile: [number, number, number] = [zoom, column(longitude, zoom) + dx, row(latitude, zoom) + dy];
          if (found.size < most) found.set(tile.join("/"), tile);
        }
      }
    }
  }
  return [...found.values()];
}

const kept = new Set<string>();

export async function keepArea(route: Route): Promise<void> {
  if (!("caches" in window) || kept.has(route.id) || await spaceLeft(store) !== "plenty") return;
  const streets = await lookForStreets();
  if (!streets) return;
  kept.add(route.id);
  const cache = await caches.open(TILES);
  await forgetOlder(cache, streets);
  await cache.put("/map", new Response(JSON.stringify(streets), { headers: { "Content-Type": "application/json" } }));
  const wanted = tilesAround(placesOf(route)).map((tile) => tileAddress(streets, ...tile));
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(wanted.slice(at, at + AT_ONCE).map((address) => keep(cache, address)));
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
