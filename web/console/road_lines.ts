// The lines of the day's routes along the roads, asked for one after another while streets are shown.
// The day itself has none: a route's line is many times larger than all else that is said of it.
import { effect, signal } from "@preact/signals";
import { Refusal } from "../kit/http";
import { day, shownRoutes } from "./day";
import { get } from "./session";
import type { Coordinates, DayRoute } from "./shapes";

type Point = [longitude: number, latitude: number];
interface Line { places: string; points: Point[] | null } // null: it could not be had

const MOST_LINES = 60; // routes; further ones are drawn straight

const lines = signal<ReadonlyMap<string, Line>>(new Map());

// A line is of these stops in this order, and of no others.
const placesOf = ({ stops }: DayRoute) => [stops.ids, stops.latitudes, stops.longitudes].join(" ");

const isAwaited = (route: DayRoute) => route.stops.ids.length > 0 && lines.peek().get(route.id)?.places !== placesOf(route);

/** The line to draw of a route: along the roads once it is known, as far as a map reaches; else straight. */
export function lineOf(route: DayRoute): Point[] {
  const known = lines.value.get(route.id);
  if (known?.points && known.places === placesOf(route)) return known.points;
  return route.stops.longitudes.map((longitude, index) => [longitude, route.stops.latitudes[index]!]);
}

export async function readRoadLine(routeId: string): Promise<Coordinates[] | null> {
  try {
    const found = await get<{ lines: { points: Coordinates[] }[] }>(`/routes/${routeId}/path`);
    return found.lines.flatMap(({ points }) => points);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null; // drawn straight, as it was
  }
}

function keep(id: string, line: Line): void {
  const shown = new Set(day.peek()?.routes.map((route) => route.id));
  lines.value = new Map([...lines.peek(), [id, line] as const].filter(([key]) => shown.has(key)));
}

/** Ask for the lines of what is shown, until the function that is returned is called. */
export function followRoads(): () => void {
  let isOver = false, isAsking = false;
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      for (let route; !isOver && (route = shownRoutes.peek().slice(0, MOST_LINES).find(isAwaited));) {
        const places = placesOf(route);
        const line = await readRoadLine(route.id);
        keep(route.id, { places, points: line && line.map(({ longitude, latitude }): Point => [longitude, latitude]) });
      }
    } finally {
      isAsking = false;
    }
  }
  const end = effect(() => { void shownRoutes.value; void ask(); });
  return () => { isOver = true; end(); };
}
