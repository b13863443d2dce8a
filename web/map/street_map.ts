// Streets from this server's own tiles, drawn by MapLibre with the style of the Protomaps basemap.
// No request leaves the server: tiles, fonts and the worker come from it.
//
// The style has no glyphs, so texts are drawn with the page's fonts, which must be there before the
// style is set (maplibre-gl-js#7307). Pictures of the style (shields, icons of places) need sheets
// that the package does not hold; the layers are drawn without them.
import { layers, namedFlavor } from "@protomaps/basemaps";
import { AttributionControl, Map as StreetMap, setWorkerUrl, type LayerSpecification, type StyleSpecification } from "maplibre-gl";
import "./street_map.css";
import workerAddress from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { tileAddress } from "../kit/streets";
import type { Streets } from "./shapes";

const FONTS = ["400 16px 'Noto Sans'", "italic 400 16px 'Noto Sans'", "500 16px 'Noto Sans'"];
const SOURCE = "streets";

export interface MapOptions {
  streets: Streets;
  isDark: boolean;
  language: string;
  bounds: [number, number, number, number] | null; // west, south, east, north
  worker?: string; // where the worker's script is, if not beside this one
}

export function canDrawStreets(): boolean {
  const canvas = document.createElement("canvas");
  return canvas.getContext("webgl2") !== null;
}

export async function openStreetMap(holder: HTMLElement, options: MapOptions): Promise<StreetMap> {
  setWorkerUrl(options.worker ?? workerAddress);
  await Promise.all(FONTS.map((font) => document.fonts.load(font)));
  const map = new StreetMap({
    container: holder, style: styleOf(options), attributionControl: false, maxZoom: 19, dragRotate: false, pitchWithRotate: false,
    ...(options.bounds ? { bounds: options.bounds, fitBoundsOptions: { padding: 40, maxZoom: 16 } } : {}),
  });
  map.touchZoomRotate.disableRotation();
  // The holder says what the picture is; the canvas in it is no region of its own.
  map.getCanvas().setAttribute("role", "presentation");
  map.getCanvas().removeAttribute("aria-label");
  map.addControl(new AttributionControl({ compact: false, customAttribution: options.streets.attribution }));
  // What waits for the picture, and what tests wait for.
  map.on("idle", () => { holder.dataset["state"] = "idle"; });
  map.on("movestart", () => { holder.dataset["state"] = "moving"; });
  return map;
}

export function styleOf({ streets, isDark, language }: Pick<MapOptions, "streets" | "isDark" | "language">): StyleSpecification {
  const tiles = tileAddress(streets, "{z}", "{x}", "{y}");
  // What lies beyond the extract looks like land: nobody knows better.
  const named = namedFlavor(isDark ? "dark" : "light");
  const flavor = { ...named, background: named.earth };
  return {
    version: 8,
    sources: { [SOURCE]: { type: "vector", tiles: [tiles], minzoom: streets.minZoom, maxzoom: streets.maxZoom, bounds: streets.bounds } },
    layers: layers(SOURCE, flavor, { lang: language.slice(0, 2) }).map(withoutPictures).filter((layer) => layer !== null),
  };
}

function withoutPictures(layer: LayerSpecification): LayerSpecification | null {
  if (layer.type !== "symbol" || !layer.layout?.["icon-image"]) return layer;
  if (!layer.layout["text-field"] || layer.id === "pois") return null;
  const { "icon-image": _image, ...layout } = layer.layout;
  return { ...layer, layout };
}
