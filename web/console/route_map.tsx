// The map of a route's page: where it goes, what has become of its stops, and where its driver is.
import { useEffect, useMemo, useState } from "preact/hooks";
import { t } from "../kit/words";
import { day, positions } from "./day";
import { go } from "./places";
import { readRoadLine } from "./road_lines";
import { lateMinutes } from "./route_items";
import { RoutesMap, type DrawnRoute } from "./routes_map";
import { isDone, type Coordinates, type Route } from "./shapes";

const NO_COLOR = "#0f766e"; // of a route whose day is not read yet
const NOTHING: Coordinates[] = [];

export function RouteMap({ route, stopId }: { route: Route; stopId: string }) {
  const stops = useMemo(() => route.stops.map((stop) => stop.plannedCoordinates), [route]);
  const ends = [route.start.coordinates, route.end?.coordinates ?? []].flat();
  const straight = [ends[0]!, ...stops, ...ends.slice(1)];
  const line = useRoadLine(route.id, straight) ?? straight;
  const color = day.value?.routes.find((one) => one.id === route.id)?.color ?? NO_COLOR;
  const driver = [...positions.value.values()].find((one) => one.routeId === route.id && one.driverId === route.driver?.id);
  const open = route.stops.findIndex((stop) => stop.id === stopId);
  const drawn: DrawnRoute = {
    key: route.id, color, line, ends, stops, driver, openStop: open, isDone: route.stops.map(isDone), isLate: route.stops.map((stop) => !isDone(stop) && lateMinutes(stop) > 0),
  };
  return <RoutesMap name={t("routeOnMap")} routes={[drawn]} loose={NOTHING} chosen="" open={(stop) => go(`route/${route.id}/stop/${route.stops[stop]!.id}`)} />;
}

/** The line along the roads as far as a map reaches, once it is known: of these places in this order, and of no others. */
function useRoadLine(routeId: string, straight: Coordinates[]): Coordinates[] | null {
  const places = straight.map(({ latitude, longitude }) => `${latitude} ${longitude}`).join(" ");
  const [known, setKnown] = useState<{ places: string; line: Coordinates[] | null }>({ places: "", line: null });
  useEffect(() => {
    let isGone = false;
    void readRoadLine(routeId).then((line) => { if (!isGone) setKnown({ places, line }); });
    return () => { isGone = true; };
  }, [routeId, places]);
  return known.places === places ? known.line : null;
}
