// The routes of a proposal as they lie, in the colours of its table, before anybody applies it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lookForStreets, type Streets } from "../kit/streets";
import { t } from "../kit/words";
import { report } from "./day";
import { boxAround, middleOf, paintHouse, plainGround, streetGround, zoomToFit, type Ground, type Point } from "./ground";
import type { Coordinates } from "./shapes";

export interface DrawnRoute { key: string; color: string; line: Coordinates[]; ends: Coordinates[]; stops: Coordinates[] }

const MOST_NUMBERED = 200; // stops; of more each is a point
const ROOM = 30; // pixels around what is shown
const CLOSEST = 16;

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
    route.stops.forEach((place, index) => {
      const at = ground.toScreen(place);
      circle(at, isNumbered ? 9 : 4, route.color, "#ffffff");
      if (isNumbered) { context.fillStyle = "#ffffff"; context.fillText(String(index + 1), ...at); }
    });
  }
  context.globalAlpha = 1;
  for (const place of routes.flatMap(({ ends }) => ends)) paintHouse(context, ground.toScreen(place));
  for (const place of loose) circle(ground.toScreen(place), 7, "#ffffff", "#b3261e");
}

export function ProposalMap({ routes, loose, chosen }: { routes: DrawnRoute[]; loose: Coordinates[]; chosen: string }) {
  const holder = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const ground = useRef<Ground | null>(null);
  const [streets, setStreets] = useState<Streets | null | undefined>(undefined);
  const [, setView] = useState(0);
  const places = useMemo(() => [...routes.flatMap((route) => [...route.line, ...route.stops]), ...loose], [routes, loose]);
  const box = useMemo(() => boxAround(places), [places]);

  useEffect(() => { lookForStreets().then(setStreets, (error: unknown) => { setStreets(null); report(error); }); }, []);
  useEffect(() => {
    if (streets === undefined || !places.length) return;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    let isGone = false;
    const open = async () => {
      const drawn = streets && await streetGround(holder.current!, streets, box, dark);
      if (isGone) { drawn?.close(); return; }
      const opened = drawn || plainGround(holder.current!, middleOf(box), zoomToFit(box, holder.current!, ROOM, CLOSEST));
      ground.current = opened;
      let isWaiting = false;
      const redraw = () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => { isWaiting = false; setView((before) => before + 1); });
      };
      opened.moved(redraw);
      redraw();
    };
    open().catch(report);
    return () => { isGone = true; ground.current?.close(); ground.current = null; };
  }, [streets, box.join()]);
  useEffect(() => { if (canvas.current && ground.current) paint(canvas.current, ground.current, routes, loose, chosen); });

  if (!places.length) return null;
  return (
    <div class="proposal-map">
      <div ref={holder} class="street-map" role="group" aria-label={t("proposalOnMap")} />
      <canvas ref={canvas} aria-hidden="true" />
      <div class="zoom">
        <button type="button" aria-label={t("zoomIn")} onClick={() => ground.current?.zoom(1)}>+</button>
        <button type="button" aria-label={t("zoomOut")} onClick={() => ground.current?.zoom(-1)}>−</button>
      </div>
    </div>
  );
}
