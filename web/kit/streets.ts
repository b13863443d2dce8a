// Streets to look at: whether this server has any, and the module that draws them, which comes when
// it is asked for.
import type * as Drawing from "../map/street_map";
import type { Streets } from "../map/shapes";
import { vouchForWorkers } from "./trusted";

export type { Streets } from "../map/shapes";

const MODULE = "/map/street_map.js";
const SHEET = "/map/street_map.css";
const WORKER = "/map/maplibre-gl-worker.mjs";

let asked: Promise<Streets | null> | null = null;

// Asked once a page; asked again after it failed.
export function lookForStreets(): Promise<Streets | null> {
  asked ??= look().catch((error: unknown) => { asked = null; throw error; });
  return asked;
}

async function look(): Promise<Streets | null> {
  const response = await fetch("/map", { headers: { Accept: "application/json" }, credentials: "omit" });
  return response.status === 200 ? (await response.json()) as Streets : null; // 204: there are none
}

// The version stands in the address: a map that was replaced is asked for anew.
export function tileAddress({ version }: Streets, zoom: number | string, x: number | string, y: number | string): string {
  return `${location.origin}/map/tiles/${zoom}/${x}/${y}?v=${encodeURIComponent(version)}`;
}

export async function loadDrawing(worker = WORKER): Promise<typeof Drawing> {
  vouchForWorkers(worker);
  const [module] = await Promise.all([import(/* @vite-ignore */ MODULE) as Promise<typeof Drawing>, loadSheet()]);
  return module;
}

function loadSheet(): Promise<void> {
  if (document.querySelector(`link[href="${SHEET}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = SHEET;
    link.onload = () => { resolve(); };
    link.onerror = () => { link.remove(); reject(new Error("the map's style sheet could not be loaded")); };
    document.head.append(link);
  });
}
