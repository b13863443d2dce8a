// What a stop would cost on each route: asked for once, when it is lifted or a list is opened.
import { t } from "../kit/words";
import { day } from "./day";
import { sayLoad } from "./plan_words";
import { saySpan } from "./route_items";
import { look } from "./session";
import type { Insertion } from "./shapes";
import { sayNumber } from "./summaries";
import { named, placesInTurn, type MovedStop } from "./edits";

const MOST_AT_ONCE = 20, MOST_ROUTES_AT_ONCE = 200; // that one request may ask for
const slices = <T,>(all: T[], size: number): T[][] => Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));

// What stops would cost on a route together: the sum of each alone, so a little more than they will,
// where several share a way. `places` are the best ones, by the ids of the stops.
export interface GroupPrice extends Pick<Insertion, "extraTravelSeconds" | "extraLatenessSeconds" | "newViolations"> { places: Map<string, number> }

export async function askGroupPrices(stops: MovedStop[], routeIds: string[]): Promise<Map<string, GroupPrice>> {
  const found = new Map<string, GroupPrice>(routeIds.map((id) => [id, { extraTravelSeconds: 0, extraLatenessSeconds: 0, newViolations: [], places: new Map() }]));
  const parts = slices(stops, MOST_AT_ONCE).flatMap((some) => slices(routeIds, MOST_ROUTES_AT_ONCE).map((routes) => ({ some, routes })));
  for (const { some, routes } of parts) {
    const answer = await look<{ stops: { places: Insertion[] }[] }>("/insertions", { stops: some.map(referenceTo), routeIds: routes });
    some.forEach((stop, number) => {
      for (const place of answer.stops[number]?.places ?? []) {
        const price = found.get(place.routeId);
        if (!price || stop.routeId === place.routeId) continue;
        price.extraTravelSeconds += place.extraTravelSeconds;
        price.extraLatenessSeconds += place.extraLatenessSeconds;
        price.newViolations.push(...place.newViolations);
        price.places.set(stop.id, place.index);
      }
    });
  }
  // A route that has them already comes last: nothing would change.
  return new Map([...found].sort(([, one], [, other]) => Number(!one.places.size) - Number(!other.places.size) || one.newViolations.length - other.newViolations.length
    || one.extraLatenessSeconds - other.extraLatenessSeconds || one.extraTravelSeconds - other.extraTravelSeconds));
}

type Violations = Insertion["newViolations"];
const keyOf = ({ type, subject }: Violations[number]) => `${type} ${subject}`;
const previewOf = async (id: string, add: unknown[]) => (await look<{ violations: Violations }>(`/routes/${id}/preview`, { add })).violations;

const MOST_TRIED = 8; // routes of which the whole is looked at

// What the best routes would break with all stops at once: each alone may fit where they do not together.
export async function addJointViolations(stops: MovedStop[], prices: Map<string, GroupPrice>): Promise<Map<string, GroupPrice>> {
  const tried = [...prices].filter(([, price]) => price.places.size > 1).slice(0, MOST_TRIED);
  const found = await Promise.all(tried.map(async ([id, price]): Promise<[string, GroupPrice]> => {
    const add = [...placesInTurn(stops.filter((stop) => stop.routeId !== id), price.places)].map(([stopId, index]) => ({ ...referenceTo(stops.find((stop) => stop.id === stopId)!), index }));
    const [before, after] = await Promise.all([previewOf(id, []), previewOf(id, add)]);
    const known = new Set(before.map(keyOf));
    return [id, { ...price, newViolations: after.filter((one) => !known.has(keyOf(one))) }];
  }));
  return new Map([...prices, ...found]);
}

const referenceTo = (stop: MovedStop) => (stop.routeId ? { stopId: stop.id } : named(stop));

export async function askPrices(stop: MovedStop, routeIds: string[]): Promise<Map<string, Insertion>> {
  if (!routeIds.length) return new Map();
  const answer = await look<{ stops: { places: Insertion[] }[] }>("/insertions", { stops: [referenceTo(stop)], routeIds });
  return new Map((answer.stops[0]?.places ?? []).map((place) => [place.routeId, place]));
}

export function sayExtra(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes > 0 ? t("extraMinutes", { minutes }) : `${minutes === 0 ? "+0" : `−${-minutes}`} min`;
}

// What the server says, in English, stands for a type that has no words here.
function sayViolation({ type, description, values: { name = "", excess = 0 } = {} }: Violations[number]): string {
  switch (type) {
    case "timeWindows": return t("overWindow", { subject: name || t("stop"), amount: saySpan(excess) });
    case "maxStops": return t("breaksStops", { amount: sayNumber(excess) });
    case "maxDuration": return t("breaksDuration", { amount: saySpan(excess) });
    case "maxItemCount": return t("breaksLoad", { amount: sayNumber(excess), name: t("items") });
    case "maxKilograms": return t("breaksLoad", { amount: sayNumber(excess), name: "kg" });
    case "capacities": return t("breaksLoad", { amount: sayNumber(excess), name: sayLoad(name) });
    case "requiredSkills": return t("breaksSkill", { name });
    case "allowedVehicles": return t("breaksVehicle");
    case "alreadyOnRoute": return t("orderUnchanged");
    default: return description;
  }
}

// `+2 min`, or the rule that would be broken. What a route breaks anyway keeps nobody from using it.
export function sayPrice(place: Omit<GroupPrice, "places"> | undefined): string {
  if (!place) return "";
  const [violation] = place.newViolations;
  if (violation) return sayViolation(violation);
  const late = Math.ceil(place.extraLatenessSeconds / 60);
  const travel = sayExtra(place.extraTravelSeconds);
  return late > 0 ? `${travel} · ${t("moreLate", { minutes: late })}` : travel;
}

export const openRouteIds = () => (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED").map((route) => route.id);
