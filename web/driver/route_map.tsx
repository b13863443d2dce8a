// The route on its streets, when the driver asks for it.
import { effect } from "@preact/signals";
import type { Feature } from "geojson";
import type { GeoJSONSource, Map as StreetMap } from "maplibre-gl";
import { useEffect, useRef, useState } from "preact/hooks";
import { loadDrawing, lookForStreets } from "../kit/streets";
import { lastFix, routeOf } from "./app";
import { placesOf } from "./area";
import { go, stopAddress } from "./places";
import { isBreak, isDone } from "./shown_route";
import { locale, t } from "./words";

// Under the app's own address: a service worker answers for what begins there, and for no worker
// from elsewhere.
const WORKER = "/driver/maplibre-gl-worker.mjs";
const LINE = "#0b5c4a", DONE = "#6f7d78";

function features(id: string): Feature[] {
  const route = routeOf(id);
  if (!route) return [];
  const places = placesOf(route).map(({ latitude, longitude }) => [longitude, latitude]);
  const line: Feature = { type: "Feature", properties: { color: LINE }, geometry: { type: "LineString", coordinates: places } };
  const stops = route.stops.map((stop, index): Feature => ({
    type: "Feature", geometry: { type: "Point", coordinates: [stop.plannedCoordinates.longitude, stop.plannedCoordinates.latitude] },
    properties: { id: stop.id, number: String(index + 1), color: isDone(stop) ? DONE : LINE },
  })).filter((_, index) => !isBreak(route.stops[index]!));
  const fix = lastFix.value?.fix;
  const here: Feature[] = fix ? [{ type: "Feature", properties: { color: "#0b46b8", number: "" }, geometry: { type: "Point", coordinates: [fix.longitude, fix.latitude] } }] : [];
  return [line, ...stops, ...here];
}

function boundsOf(id: string): [number, number, number, number] | null {
  const route = routeOf(id);
  const places = route ? placesOf(route) : [];
  if (!places.length) return null;
  const [xs, ys] = [places.map(({ longitude }) => longitude), places.map(({ latitude }) => latitude)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function draw(map: StreetMap, id: string): () => void {
  map.addSource("route", { type: "geojson", data: { type: "FeatureCollection", features: features(id) } });
  map.addLayer({ id: "line", type: "line", source: "route", filter: ["==", "$type", "LineString"], paint: { "line-color": ["get", "color"], "line-width": 5, "line-opacity": 0.7 } });
  map.addLayer({ id: "stops", type: "circle", source: "route", filter: ["==", "$type", "Point"], paint: { "circle-radius": 14, "circle-color": ["get", "color"], "circle-stroke-color": "#ffffff", "circle-stroke-width": 2 } });
  map.addLayer({ id: "numbers", type: "symbol", source: "route", filter: ["==", "$type", "Point"], paint: { "text-color": "#ffffff" }, layout: { "text-field": ["get", "number"], "text-size": 14, "text-font": ["Noto Sans Regular"], "text-allow-overlap": true } });
  map.on("click", "stops", (event) => {
    const stopId: unknown = event.features?.[0]?.properties["id"];
    if (typeof stopId === "string") go(stopAddress(id, stopId));
  });
  return effect(() => { (map.getSource("route") as GeoJSONSource | undefined)?.setData({ type: "FeatureCollection", features: features(id) }); });
}

export function RouteMap({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const [hasStreets, setStreets] = useState(false);
  useEffect(() => { lookForStreets().then((found) => { setStreets(found !== null); }, () => undefined); }, []); // no network and nothing kept: no map
  if (!hasStreets) return null;
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => { setOpen(!isOpen); }}>{t(isOpen ? "hideMap" : "showMap")}</button>
      {isOpen && <section aria-label={t("map")}><MapPicture id={id} /></section>}
    </>
  );
}

function MapPicture({ id }: { id: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let map: StreetMap | null = null;
    let end = () => {};
    let isGone = false;
    const open = async () => {
      const [streets, drawing] = [await lookForStreets(), await loadDrawing(WORKER)];
      if (isGone || !streets) return;
      if (!drawing.canDrawStreets()) throw new Error("WebGL");
      const opened = await drawing.openStreetMap(holder.current!, { streets, isDark: matchMedia("(prefers-color-scheme: dark)").matches, language: locale.value, bounds: boundsOf(id), worker: WORKER });
      if (isGone) { opened.remove(); return; }
      map = opened;
      opened.on("load", () => { end = draw(opened, id); });
    };
    open().catch((error: unknown) => { console.error(error); setTrouble(t("noMap")); });
    return () => { isGone = true; end(); map?.remove(); };
  }, [id]);
  return trouble ? <p role="alert" class="alert">{trouble}</p> : <div ref={holder} class="street-map" role="img" aria-label={t("map")} />;
}
