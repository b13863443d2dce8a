// What a small map stands on: streets, or a plain grid where there are none. Distances here are
// short, so the earth is flat.
import { isNowhere } from "../kit/nowhere";
import { loadDrawing, type Streets } from "../kit/streets";
import { locale } from "../kit/words";
import { leaveOutNowhere, type Coordinates } from "./shapes";

export type Point = [x: number, y: number];
export type Box = [west: number, south: number, east: number, north: number];

export interface Ground {
  toScreen: (place: Coordinates) => Point;
  toPlace: (point: Point) => Coordinates;
  show: (place: Coordinates) => void;
  zoom: (steps: number) => void;
  moved: (redraw: () => void) => void;
  pressed: (put: (point: Point) => void) => void;
  close: () => void;
}

/** Where routes start and end, 22 pixels wide and high. */
export const HOUSE = "M2 10 11 2l9 8v10H2z";

export function paintHouse(context: CanvasRenderingContext2D, [x, y]: Point): void {
  const house = new Path2D(HOUSE);
  context.save();
  context.translate(x - 11, y - 11);
  context.lineWidth = 3; context.strokeStyle = "#ffffff"; context.stroke(house);
  context.fillStyle = "#14211f"; context.fill(house);
  context.restore();
}

export function paintDriver(context: CanvasRenderingContext2D, [x, y]: Point): void {
  const arrow = new Path2D(`M${x} ${y - 14}l10 24-10-6-10 6z`);
  context.lineWidth = 3; context.strokeStyle = "#ffffff"; context.stroke(arrow);
  context.fillStyle = "#14211f"; context.fill(arrow);
}

const METERS_A_DEGREE = 111_320;
export const WORLD_METERS = 40_075_017;
const TILE = 512;
const MOST_NORTH = 85;
const GRID_METERS = 50, CLOSEST_LINES = 30; // pixels
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

export function boxAround(places: readonly Coordinates[]): Box {
  const box: Box = [180, 90, -180, -90];
  for (const { latitude, longitude } of leaveOutNowhere([...places], (place) => isNowhere(place.latitude, place.longitude))) {
    box[0] = Math.min(box[0], longitude); box[1] = Math.min(box[1], latitude);
    box[2] = Math.max(box[2], longitude); box[3] = Math.max(box[3], latitude);
  }
  return box;
}

export const middleOf = ([west, south, east, north]: Box): Coordinates => ({ latitude: (south + north) / 2, longitude: (west + east) / 2 });

const ROOM = 30, BESIDE = 60; // pixels around what is shown; the buttons lie at a side
const CLOSEST = 16;

// The zoom at which a box fills a holder, with some room around it.
function zoomToFit(box: Box, holder: HTMLElement): number {
  const middle = middleOf(box);
  const [width, height] = meters({ latitude: box[1], longitude: box[0] }, { latitude: box[3], longitude: box[2] });
  const scale = Math.min((holder.clientWidth - 2 * BESIDE) / Math.max(width, 1), (holder.clientHeight - 2 * ROOM) / Math.max(height, 1));
  return Math.min(CLOSEST, Math.log2(scale / pixelsAMeter(middle.latitude, 0)));
}

/** Open streets that show a box, whatever the size of their holder becomes, or its middle at a zoom; null where the browser cannot draw them. */
export async function streetGround(holder: HTMLElement, streets: Streets, bounds: Box, isDark: boolean, zoom?: number): Promise<Ground | null> {
  const { canDrawStreets, openStreetMap } = await loadDrawing();
  if (!canDrawStreets()) return null;
  const map = await openStreetMap(holder, { streets, isDark, language: locale.value, bounds });
  const { latitude, longitude } = middleOf(bounds);
  if (zoom !== undefined) map.jumpTo({ center: [longitude, latitude], zoom });
  else {
    const fit = () => { map.fitBounds(bounds, { padding: { top: ROOM, bottom: ROOM, left: BESIDE, right: BESIDE }, maxZoom: CLOSEST, animate: false }); };
    map.on("resize", fit);
    fit();
  }
  return {
    toScreen: (at) => { const { x, y } = map.project([at.longitude, at.latitude]); return [x, y]; },
    toPlace: ([x, y]) => { const { lng, lat } = map.unproject([x, y]); return rounded({ latitude: lat, longitude: lng }); },
    show: (at) => { map.jumpTo({ center: [at.longitude, at.latitude] }); },
    zoom: (steps) => { map.jumpTo({ zoom: map.getZoom() + steps }); },
    moved: (redraw) => { map.on("move", redraw); },
    pressed: (put) => { map.on("click", (event) => { put([event.point.x, event.point.y]); }); },
    close: () => { map.remove(); },
  };
}

// The side of a square of the grid that the sheet draws, in pixels: 50 m, or ten times more or less
// as often as it takes for the lines to be neither close nor far.
export function gridSide(pixelsPerMeter: number): number {
  const side = GRID_METERS * pixelsPerMeter;
  return side * 10 ** Math.ceil(Math.log10(CLOSEST_LINES / side));
}

/** A grid, where there are no streets, that shows what `streetGround` would. */
export function plainGround(holder: HTMLElement, bounds: Box, givenZoom?: number): Ground {
  let middle = middleOf(bounds), zoom = givenZoom ?? zoomToFit(bounds, holder);
  let redraw = () => {};
  const scale = () => pixelsAMeter(middle.latitude, zoom);
  const half = (): Point => [holder.clientWidth / 2, holder.clientHeight / 2];
  const draw = () => {
    const side = gridSide(scale());
    holder.style.backgroundSize = `${side}px ${side}px`;
    redraw();
  };
  const ending = new AbortController();
  holder.classList.add("plain-ground");
  const watched = new ResizeObserver(() => {
    if (givenZoom === undefined) { middle = middleOf(bounds); zoom = zoomToFit(bounds, holder); }
    draw();
  });
  watched.observe(holder);
  return {
    toScreen: (at) => { const [east, north] = meters(middle, at), [x, y] = half(); return [x + east * scale(), y - north * scale()]; },
    toPlace: ([x, y]) => { const [a, b] = half(); return shifted(middle, (x - a) / scale(), (b - y) / scale()); },
    show: (at) => { middle = at; draw(); },
    zoom: (steps) => { zoom = Math.max(5, Math.min(19, zoom + steps)); draw(); },
    moved: (given) => { redraw = given; draw(); },
    pressed: (put) => { holder.addEventListener("click", (event) => { put([event.offsetX, event.offsetY]); }, { signal: ending.signal }); },
    close: () => { ending.abort(); watched.disconnect(); holder.classList.remove("plain-ground"); holder.style.backgroundSize = ""; },
  };
}
