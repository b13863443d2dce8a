// The day on real streets: routes as lines, stops as numbered circles, drivers as arrows.
import { effect } from "@preact/signals";
import type { Feature } from "geojson";
import type { FilterSpecification, GeoJSONSource, LngLatBoundsLike, Map as StreetMap } from "maplibre-gl";
import { useEffect, useRef } from "preact/hooks";
import { isNowhere } from "../kit/nowhere";
import { loadDrawing, type Streets } from "../kit/streets";
import { locale, t } from "../kit/words";
import { positions, report, shownRoutes, shownUnrouted } from "./day";
import { paintHouse } from "./ground";
import { Lasso, LassoButton } from "./lasso";
import { go } from "./places";
import { followRoads, lineOf } from "./road_lines";
import { selected } from "./selection";
import { FINISHED, leaveOutNowhere, placeOfLoose, unroutedId } from "./shapes";

type Box = [number, number, number, number];

const LINES = "route-lines", ENDS = "route-ends", STOPS = "stops", SELECTED = "selected-stops", DRIVERS = "drivers";

const among = (ids: string[]): FilterSpecification => ["in", ["get", "id"], ["literal", ids]];

function point(longitude: number, latitude: number, properties: Record<string, unknown>): Feature {
  return { type: "Feature", geometry: { type: "Point", coordinates: [longitude, latitude] }, properties };
}

function lines(): Feature[] {
  return shownRoutes.value.map((route) => ({
    type: "Feature", properties: { color: route.color }, geometry: { type: "LineString", coordinates: lineOf(route) },
  }));
}

function stops(): Feature[] {
  const routed = shownRoutes.value.flatMap(({ id, color, stops: columns }) => columns.ids.map((stopId, index) => point(columns.longitudes[index]!, columns.latitudes[index]!, {
    id: stopId, address: `route/${id}/stop/${stopId}`, color, number: String(index + 1), isDone: FINISHED.has(columns.statuses[index]!), isLate: columns.late[index]!,
  })));
  const loose = shownUnrouted.value.filter((stop) => stop.latitude !== undefined)
    .map((stop) => point(stop.longitude!, stop.latitude!, { id: unroutedId(stop), address: placeOfLoose(stop), color: "#ffffff", number: "", isDone: false, isLate: false, isLoose: true }));
  return [...loose, ...routed];
}

function ends(): Feature[] {
  return shownRoutes.value.flatMap(({ start, end }) => [start, end ?? []].flat().map((place) => point(place.longitude, place.latitude, {})));
}

// Twice as large as it is shown, for sharp screens.
function drawHouse(): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 44;
  const context = canvas.getContext("2d")!;
  context.scale(2, 2);
  paintHouse(context, [11, 11]);
  return context.getImageData(0, 0, 44, 44);
}

function drivers(): Feature[] {
  return [...positions.value.values()].map(({ coordinates }) => point(coordinates.longitude, coordinates.latitude, {}));
}

function boundsOf(features: Feature[]): Box | null {
  const places = features.map(({ geometry }) => (geometry.type === "Point" ? geometry.coordinates : [0, 0]));
  if (!places.length) return null;
  const shown = leaveOutNowhere(places, ([longitude, latitude]) => isNowhere(latitude, longitude));
  const [xs, ys] = [shown.map(([x]) => x!), shown.map(([, y]) => y!)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function addLayers(map: StreetMap): void {
  const data = (features: Feature[]) => ({ type: "geojson" as const, data: { type: "FeatureCollection" as const, features } });
  map.addSource(LINES, data(lines()));
  map.addSource(STOPS, data(stops()));
  map.addSource(DRIVERS, data(drivers()));
  map.addSource(ENDS, data(ends()));
  map.addImage(ENDS, drawHouse(), { pixelRatio: 2 });
  map.addLayer({ id: LINES, type: "line", source: LINES, layout: { "line-join": "round", "line-cap": "round" }, paint: { "line-color": ["get", "color"], "line-width": 4, "line-opacity": 0.8 } });
  map.addLayer({ id: ENDS, type: "symbol", source: ENDS, layout: { "icon-image": ENDS, "icon-allow-overlap": true, "icon-ignore-placement": true } });
  map.addLayer({
    id: STOPS, type: "circle", source: STOPS,
    paint: {
      "circle-radius": ["case", ["has", "isLoose"], 7, 11], "circle-color": ["get", "color"], "circle-opacity": ["case", ["get", "isDone"], 0.45, 1],
      "circle-stroke-width": ["case", ["get", "isLate"], 4, 2], "circle-stroke-color": ["case", ["get", "isLate"], "#b3261e", ["has", "isLoose"], "#14211f", "#ffffff"],
    },
  });
  map.addLayer({ id: SELECTED, type: "circle", source: STOPS, filter: among([]), paint: { "circle-radius": 16, "circle-opacity": 0, "circle-stroke-width": 3, "circle-stroke-color": "#1d4ed8" } });
  map.addLayer({
    id: "stop-numbers", type: "symbol", source: STOPS, minzoom: 9, paint: { "text-color": "#ffffff" },
    layout: { "text-field": ["get", "number"], "text-size": 12, "text-font": ["Noto Sans Regular"], "text-allow-overlap": true, "text-ignore-placement": true },
  });
  map.addLayer({ id: DRIVERS, type: "circle", source: DRIVERS, paint: { "circle-radius": 8, "circle-color": "#14211f", "circle-stroke-color": "#ffffff", "circle-stroke-width": 3 } });
}

function follow(map: StreetMap, opened: Box | null): () => void {
  const draw = (name: string, features: Feature[]) => { (map.getSource(name) as GeoJSONSource | undefined)?.setData({ type: "FeatureCollection", features }); };
  const stopped = [followRoads(), effect(() => draw(LINES, lines())), effect(() => draw(STOPS, stops())), effect(() => draw(ENDS, ends())), effect(() => draw(DRIVERS, drivers())), effect(() => { map.setFilter(SELECTED, among(selected.value.map((stop) => stop.id))); })];
  let shown = opened;
  // The view moves to the stops when there are others to see, and stays where a planner put it.
  const moved = effect(() => {
    const bounds = boundsOf([...stops(), ...ends()]);
    if (!bounds || (shown && bounds.every((edge, index) => Math.abs(edge - shown![index]!) < 1e-9))) return;
    shown = bounds;
    map.fitBounds(bounds as LngLatBoundsLike, { padding: 40, maxZoom: 16, animate: false });
  });
  map.on("click", STOPS, (event) => {
    const address = event.features?.[0]?.properties["address"];
    if (typeof address === "string" && address) go(address);
  });
  map.on("mouseenter", STOPS, () => { map.getCanvas().style.cursor = "pointer"; });
  map.on("mouseleave", STOPS, () => { map.getCanvas().style.cursor = ""; });
  return () => { for (const end of [...stopped, moved]) end(); };
}

export function StreetDayMap({ streets, failed }: { streets: Streets; failed: () => void }) {
  const holder = useRef<HTMLDivElement>(null);
  const shown = useRef<StreetMap | null>(null);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let map: StreetMap | null = null;
    let end = () => {};
    let isGone = false;
    const open = async () => {
      const { canDrawStreets, openStreetMap } = await loadDrawing();
      if (isGone) return;
      if (!canDrawStreets()) { failed(); return; }
      const bounds = boundsOf([...stops(), ...ends()]);
      const opened = await openStreetMap(holder.current!, { streets, isDark: dark.matches, language: locale.value, bounds: bounds ?? streets.bounds });
      if (isGone) { opened.remove(); return; }
      map = shown.current = opened;
      opened.on("load", () => { addLayers(opened); end = follow(opened, bounds); });
    };
    const again = () => { end(); map?.remove(); map = null; open().catch(told); };
    const told = (error: unknown) => { report(error); failed(); };
    open().catch(told);
    dark.addEventListener("change", again);
    return () => { isGone = true; dark.removeEventListener("change", again); end(); map?.remove(); };
  }, [streets.version]);
  return (
    <>
      <div ref={holder} class="street-map" role="img" aria-label={t("map")} />
      <Lasso project={(longitude, latitude) => { const { x, y } = shown.current!.project([longitude, latitude]); return [x, y]; }} />
      <div class="zoom">
        <LassoButton />
        <button type="button" aria-label={t("zoomIn")} onClick={() => shown.current?.zoomIn()}>+</button>
        <button type="button" aria-label={t("zoomOut")} onClick={() => shown.current?.zoomOut()}>−</button>
      </div>
    </>
  );
}
