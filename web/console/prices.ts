// What a stop would cost on each route: asked for once, when it is lifted or a list is opened.
import { t } from "../kit/words";
import { day } from "./day";
import { send } from "./session";
import type { Insertion } from "./shapes";
import type { MovedStop } from "./edits";

const MOST_AT_ONCE = 20; // stops that one request may ask for

// What stops would cost on a route together: the sum of each alone, so a little more than they will,
// where several share a way. `places` are the best ones, by the ids of the stops.
export interface GroupPrice extends Pick<Insertion, "extraTravelSeconds" | "extraLatenessSeconds" | "violations"> { places: Map<string, number> }

export async function askGroupPrices(stops: MovedStop[], routeIds: string[]): Promise<Map<string, GroupPrice>> {
  const found = new Map<string, GroupPrice>(routeIds.map((id) => [id, { extraTravelSeconds: 0, extraLatenessSeconds: 0, violations: [], places: new Map() }]));
  for (let begin = 0; routeIds.length && begin < stops.length; begin += MOST_AT_ONCE) {
    const some = stops.slice(begin, begin + MOST_AT_ONCE);
    const answer = await send<{ stops: { places: Insertion[] }[] }>("POST", "/insertions", { stops: some.map(referenceTo), routeIds });
    some.forEach((stop, number) => {
      for (const place of answer.stops[number]?.places ?? []) {
        const price = found.get(place.routeId);
        if (!price || stop.routeId === place.routeId) continue;
        price.extraTravelSeconds += place.extraTravelSeconds;
        price.extraLatenessSeconds += place.extraLatenessSeconds;
        price.violations.push(...place.violations);
        price.places.set(stop.id, place.index);
      }
    });
  }
  return new Map([...found].sort(([, one], [, other]) => one.violations.length - other.violations.length
    || one.extraLatenessSeconds - other.extraLatenessSeconds || one.extraTravelSeconds - other.extraTravelSeconds));
}

const referenceTo = (stop: MovedStop) => (stop.routeId ? { stopId: stop.id } : { importedStopId: stop.importedStopId });

export async function askPrices(stop: MovedStop, routeIds: string[]): Promise<Map<string, Insertion>> {
  if (!routeIds.length) return new Map();
  const answer = await send<{ stops: { places: Insertion[] }[] }>("POST", "/insertions", { stops: [referenceTo(stop)], routeIds });
  return new Map((answer.stops[0]?.places ?? []).map((place) => [place.routeId, place]));
}

// `+2 min`, or the rule that would be broken.
export function sayPrice(place: Omit<GroupPrice, "places"> | undefined): string {
  if (!place) return "";
  const [violation] = place.violations;
  if (violation) return violation.description;
  const minutes = Math.round(place.extraTravelSeconds / 60);
  const late = Math.ceil(place.extraLatenessSeconds / 60);
  const travel = minutes > 0 ? t("extraMinutes", { minutes }) : `${minutes === 0 ? "+0" : `−${-minutes}`} min`;
  return late > 0 ? `${travel} · ${t("moreLate", { minutes: late })}` : travel;
}

export const openRouteIds = () => (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED").map((route) => route.id);
