// Routes as they lie: those of a proposal before anybody applies it, or one with what has become of its stops.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lookForStreets, type Streets } from "../kit/streets";
import type { Position } from "../kit/changes";
import { t } from "../kit/words";
import { report } from "./day";
import { boxAround, paintDriver, paintHouse, plainGround, streetGround, type Ground, type Point } from "./ground";
import type { Coordinates } from "./shapes";

export interface DrawnRoute {
  key: string; color: string; line: Coordinates[]; ends: Coordinates[]; stops: Coordinates[];
  isLate?: boolean[]; isDone?: boolean[]; openStop?: number; driver?: Position | undefined;
}

const MOST_NUMBERED = 200; // stops; of more each is a point
const REACH = 14; // pixels around a stop's middle
const LATE = "#b3261e", FAINT = 0.6;

function paint(canvas: HTMLCanvasElement, ground: Ground, routes: DrawnRoute[], loose: Coordinates[], chosen: string): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const context = canvas.getContext("2d")!;
  context.scale(devicePixelRatio, devicePixelRatio);
  context.lineJoin = context.lineCap = "round";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = "700 11px system-ui, sans-serif";
  const isNumbered = routes.reduce((count, route) => count + route.stops.length, 0) <= MOST_NUMBERED;
  const circle = ([x, y]: Point, radius: number, fill: string, stroke: string) => {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill; context.fill();
    context.strokeStyle = stroke; context.lineWidth = 2; context.stroke();
  };
  for (const place of routes.flatMap(({ ends }) => ends)) paintHouse(context, ground.toScreen(place));
  // The chosen one last, so that it lies above the others.
  for (const route of [...routes].sort((one, other) => Number(one.key === chosen) - Number(other.key === chosen))) {
    context.globalAlpha = chosen && route.key !== chosen ? 0.25 : 0.9;
    context.beginPath();
    let drawnTo: Point | null = null;
    route.line.forEach((place, index) => {
      const [x, y] = ground.toScreen(place);
      if (!drawnTo) context.moveTo(x, y);
      else if (index < route.line.length - 1 && Math.abs(x - drawnTo[0]) < 1 && Math.abs(y - drawnTo[1]) < 1) return;
      else context.lineTo(x, y);
      drawnTo = [x, y];
    });
    context.strokeStyle = route.color; context.lineWidth = route.key === chosen ? 5 : 3; context.stroke();
    const opacity = context.globalAlpha;
    const draw = (place: Coordinates, index: number) => {
      const at = ground.toScreen(place), isOpen = index === route.openStop;
      context.globalAlpha = route.isDone?.[index] && !isOpen ? FAINT : opacity;
      circle(at, (isNumbered ? 9 : 4) + (isOpen ? 4 : 0), route.color, route.isLate?.[index] ? LATE : "#ffffff");
      if (isNumbered) { context.fillStyle = "#ffffff"; context.fillText(String(index + 1), ...at); }
    };
    // The first stop above those after it, and above all the one whose page is open.
    for (let index = route.stops.length - 1; index >= 0; index--) draw(route.stops[index]!, index);
    if (route.openStop !== undefined && route.stops[route.openStop]) draw(route.stops[route.openStop]!, route.openStop);
  }
  context.globalAlpha = 1;
  for (const { driver } of routes) {
    if (driver) paintDriver(context, ground.toScreen(driver.coordinates));
  }
  for (const place of loose) circle(ground.toScreen(place), 7, "#ffffff", "#b3261e");
}

interface RoutesMapProps { name: string; routes: DrawnRoute[]; loose: Coordinates[]; chosen: string; open?: (stop: number) => void }

// `open` is given the number of a stop that is pressed, of the only route.
export function RoutesMap({ name, routes, loose, chosen, open: openStop }: RoutesMapProps) {
  const holder = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const ground = useRef<Ground | null>(null);
  const [streets, setStreets] = useState<Streets | null | undefined>(undefined);
  const [, setView] = useState(0);
  const places = useMemo(() => [...routes.flatMap((route) => [...route.line, ...route.stops]), ...loose], [routes, loose]);
  const box = useMemo(() => boxAround(places), [places]);

  const press = useRef((_: Point) => {});
  press.current = ([x, y]) => {
    const near = (routes[0]?.stops ?? []).map((place, stop) => { const [left, top] = ground.current!.toScreen(place); return { stop, far: Math.hypot(left - x, top - y) }; });
    const nearest = near.reduce((one, other) => (other.far < one.far ? other : one), { stop: -1, far: REACH });
    if (nearest.stop >= 0) openStop?.(nearest.stop);
  };

  useEffect(() => { lookForStreets().then(setStreets, (error: unknown) => { setStreets(null); report(error); }); }, []);
  useEffect(() => {
    if (streets === undefined || !places.length) return;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    let isGone = false;
    const open = async () => {
      const drawn = streets && await streetGround(holder.current!, streets, box, dark);
      if (isGone || !holder.current) { drawn?.close(); return; }
      const opened = drawn || plainGround(holder.current, box);
      ground.current = opened;
      let isWaiting = false;
      const redraw = () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => { isWaiting = false; setView((before) => before + 1); });
      };
      opened.moved(redraw);
      opened.pressed((point) => press.current(point));
      redraw();
    };
    open().catch(report);
    return () => { isGone = true; ground.current?.close(); ground.current = null; };
  }, [streets, box.join()]);
  useEffect(() => { if (canvas.current && ground.current) paint(canvas.current, ground.current, routes, loose, chosen); });

  if (!places.length) return null;
  return (
    <div class="routes-map">
      <div ref={holder} class="street-map" role="group" aria-label={name} />
      <canvas ref={canvas} aria-hidden="true" />
      <div class="zoom">
        <button type="button" aria-label={t("zoomIn")} onClick={() => ground.current?.zoom(1)}>+</button>
        <button type="button" aria-label={t("zoomOut")} onClick={() => ground.current?.zoom(-1)}>−</button>
      </div>
    </div>
  );
}
