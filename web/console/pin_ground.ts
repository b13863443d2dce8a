// What a pin stands on: streets, or a plain grid of known size where there are none. Distances here
// are short, so the earth is flat.
import type { Coordinates } from "./shapes";

export type Point = [x: number, y: number];

export interface Ground {
  toScreen: (place: Coordinates) => Point;
  toPlace: (point: Point) => Coordinates;
  show: (place: Coordinates) => void;
  zoom: (steps: number) => void;
  moved: (redraw: () => void) => void;
  pressed: (put: (point: Point) => void) => void;
  close: () => void;
}

const METERS_A_DEGREE = 111_320;
const WORLD_METERS = 40_075_017, TILE = 512;
const MOST_NORTH = 85;
const GRID_METERS = 50;
const DECIMALS = 1e6; // of a degree: a tenth of a metre

const eastward = (latitude: number) => METERS_A_DEGREE * Math.cos((latitude * Math.PI) / 180);

export const pixelsAMeter = (latitude: number, zoom: number) => (TILE * 2 ** zoom) / (WORLD_METERS * Math.cos((latitude * Math.PI) / 180));

export function shifted({ latitude, longitude }: Coordinates, east: number, north: number): Coordinates {
  const turned = ((longitude + east / eastward(latitude) + 540) % 360) - 180;
  return rounded({ latitude: Math.max(-MOST_NORTH, Math.min(MOST_NORTH, latitude + north / METERS_A_DEGREE)), longitude: turned });
}

export const rounded = ({ latitude, longitude }: Coordinates): Coordinates =>
  ({ latitude: Math.round(latitude * DECIMALS) / DECIMALS, longitude: Math.round(longitude * DECIMALS) / DECIMALS });

function meters(from: Coordinates, to: Coordinates): [east: number, north: number] {
  const turn = ((to.longitude - from.longitude + 540) % 360) - 180;
  return [turn * eastward(from.latitude), (to.latitude - from.latitude) * METERS_A_DEGREE];
}

export const metersBetween = (from: Coordinates, to: Coordinates) => Math.hypot(...meters(from, to));

// A grid of squares of 50 m, drawn by the sheet; the place stays in the middle.
export function plainGround(holder: HTMLElement, place: Coordinates, closeZoom: number): Ground {
  let middle = place, zoom = closeZoom;
  let redraw = () => {};
  const scale = () => pixelsAMeter(middle.latitude, zoom);
  const half = (): Point => [holder.clientWidth / 2, holder.clientHeight / 2];
  const draw = () => {
    const side = GRID_METERS * scale() * (zoom < 15 ? 10 : 1);
    holder.style.backgroundSize = `${side}px ${side}px`;
    redraw();
  };
  const ending = new AbortController();
  holder.classList.add("plain-ground");
  const watched = new ResizeObserver(draw);
  watched.observe(holder);
  return {
    toScreen: (at) => { const [east, north] = meters(middle, at), [x, y] = half(); return [x + east * scale(), y - north * scale()]; },
    toPlace: ([x, y]) => { const [a, b] = half(); return shifted(middle, (x - a) / scale(), (b - y) / scale()); },
    show: (at) => { middle = at; draw(); },
    zoom: (steps) => { zoom = Math.max(11, Math.min(19, zoom + steps)); draw(); },
    moved: (given) => { redraw = given; draw(); },
    pressed: (put) => { holder.addEventListener("click", (event) => { put([event.offsetX, event.offsetY]); }, { signal: ending.signal }); },
    close: () => { ending.abort(); watched.disconnect(); holder.classList.remove("plain-ground"); holder.style.backgroundSize = ""; },
  };
}
