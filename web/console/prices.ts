// What a stop would cost on each route: asked for once, when it is lifted or a list is opened.
import { t } from "../kit/words";
import { day } from "./day";
import { send } from "./session";
import type { Insertion } from "./shapes";
import type { MovedStop } from "./edits";

export async function askPrices(stop: MovedStop, routeIds: string[]): Promise<Map<string, Insertion>> {
  if (!routeIds.length) return new Map();
  const reference = stop.routeId ? { stopId: stop.id } : { importedStopId: stop.importedStopId };
  const answer = await send<{ stops: { places: Insertion[] }[] }>("POST", "/insertions", { stops: [reference], routeIds });
  return new Map((answer.stops[0]?.places ?? []).map((place) => [place.routeId, place]));
}

// `+2 min`, or the rule that would be broken.
export function sayPrice(place: Insertion | undefined): string {
  if (!place) return "";
  const [violation] = place.violations;
  if (violation) return violation.description;
  const minutes = Math.round(place.extraTravelSeconds / 60);
  const late = Math.ceil(place.extraLatenessSeconds / 60);
  const travel = minutes > 0 ? t("extraMinutes", { minutes }) : `${minutes === 0 ? "+0" : `−${-minutes}`} min`;
  return late > 0 ? `${travel} · ${t("moreLate", { minutes: late })}` : travel;
}

export const openRouteIds = () => (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED").map((route) => route.id);
