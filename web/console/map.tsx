// The routes of the day as they lie: straight lines in Web Mercator, numbers on stops, drivers.
import { computed } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { lookForStreets, type Streets } from "../kit/streets";
import { t } from "../kit/words";
import { drawnRoutes, positions, report, shownUnrouted } from "./day";
import { gridSide, HOUSE, WORLD_METERS } from "./ground";
import { Lasso, LassoButton } from "./lasso";
import { go } from "./places";
import { isSelected } from "./selection";
import { FINISHED, leaveOutNowhere, nameByNumber, unroutedId, type DayRoute } from "./shapes";
import { StreetDayMap } from "./street_map";

type Point = [number, number];

const SIZE = 1_000;
const EDGE = 60;
const LEAST_DRAG = 4; // pixels; less is a press
const MOST_NUMBERED = 1_000; // stops; of more each is a point on a canvas, and has its number when one is close
const POINT_RADIUS = 3, POINT_REACH = 8; // pixels

function project(latitude: number, longitude: number): Point {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return [(longitude + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

interface View { x: number; y: number; scale: number }

function fit(points: Point[]): View {
  if (!points.length) return { x: 0, y: 0, scale: SIZE };
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x); right = Math.max(right, x);
    top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  const scale = (SIZE - 2 * EDGE) / Math.max(right - left, bottom - top, 1e-6);
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

const shownLoose = computed(() => shownUnrouted.value.filter((stop) => stop.latitude !== undefined));

// Where all of the day lie, worked out when the day changes and not with every step of the map.
const placed = computed(() => {
  const lines = drawnRoutes.value.map((route) => route.stops.latitudes.map((latitude, index) => project(latitude, route.stops.longitudes[index]!)));
  const loose = shownLoose.value.map((stop) => project(stop.latitude!, stop.longitude!));
  const ends = drawnRoutes.value.map(({ start, end }) => [start, end ?? []].flat().map(({ latitude, longitude }) => project(latitude, longitude)));
  const stops = [...lines.flat(), ...loose];
  const [x, y] = project(0, 0);
  const shown = leaveOutNowhere([...stops, ...ends.flat()], (point) => point[0] === x && point[1] === y);
  return { lines, ends, loose, fitted: fit(shown), count: stops.length };
});

// Streets where there are any and the browser can draw them, else the routes on a plain ground. They
// come after the lists: nobody waits for them.
export function DayMap() {
  const [streets, setStreets] = useState<Streets | null>(null);
  useEffect(() => { lookForStreets().then(setStreets, report); }, []);
  return streets ? <StreetDayMap streets={streets} failed={() => { setStreets(null); }} /> : <PlainDayMap />;
}

function drawPoints(canvas: HTMLCanvasElement, routes: DayRoute[], lines: Point[][]): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const context = canvas.getContext("2d")!;
  context.scale(devicePixelRatio, devicePixelRatio);
  const circles = (points: Point[], radius: number) => {
    context.beginPath();
    for (const [x, y] of points) { context.moveTo(x + radius, y); context.arc(x, y, radius, 0, 2 * Math.PI); }
  };
  const ring = (color: string, points: Point[]) => { context.strokeStyle = color; context.lineWidth = 2; circles(points, POINT_RADIUS + 2); context.stroke(); };
  routes.forEach(({ color }, number) => { context.fillStyle = color; circles(lines[number]!, POINT_RADIUS); context.fill(); });
  ring("#b3261e", routes.flatMap(({ stops }, number) => lines[number]!.filter((_, index) => stops.late[index])));
  ring("#1d4ed8", routes.flatMap(({ stops }, number) => lines[number]!.filter((_, index) => isSelected(stops.ids[index]!))));
}

function PlainDayMap() {
  const routes = drawnRoutes.value;
  const unrouted = shownLoose.value;
  const { lines, ends, loose, fitted, count } = placed.value;
  const [shift, setShift] = useState({ x: 0, y: 0, zoom: 1 });
  const dragged = useRef<Point | null>(null);
  const holder = useRef<SVGSVGElement>(null), picture = useRef<HTMLDivElement>(null), grid = useRef<HTMLDivElement>(null);
  useEffect(() => setShift((before) => (before.zoom === 1 && !before.x && !before.y ? before : { x: 0, y: 0, zoom: 1 })), [count]);
  const at = ([x, y]: Point): Point => [
    SIZE / 2 + (x - fitted.x) * fitted.scale * shift.zoom + shift.x,
    SIZE / 2 + (y - fitted.y) * fitted.scale * shift.zoom + shift.y,
  ];
  const zoom = (factor: number) => setShift((before) => ({ x: before.x * factor, y: before.y * factor, zoom: before.zoom * factor }));
  const wasDragged = useRef(false);
  function settle(event: PointerEvent): void {
    const from = dragged.current;
    dragged.current = null;
    if (!from) return;
    const dx = (event.clientX - from[0]) * unit(), dy = (event.clientY - from[1]) * unit();
    picture.current!.style.transform = "";
    drawGrid();
    if (Math.hypot(dx, dy) >= LEAST_DRAG) setShift((before) => ({ ...before, x: before.x + dx, y: before.y + dy }));
  }
  const isNumbered = count <= MOST_NUMBERED || shift.zoom >= 8;
  const unit = () => SIZE / Math.max(1, Math.min(holder.current?.clientWidth ?? SIZE, holder.current?.clientHeight ?? SIZE));
  // The page is measured once for all points.
  const measured = () => {
    const { clientWidth: width, clientHeight: height } = holder.current!, scale = unit();
    return (point: Point): Point => { const [x, y] = at(point); return [width / 2 + (x - SIZE / 2) / scale, height / 2 + (y - SIZE / 2) / scale]; };
  };
  // The grid goes with the picture. So far north or south as the day lies, a metre has so many pixels.
  function drawGrid(dx = 0, dy = 0): void {
    const scale = unit(), { style } = grid.current!;
    const worldPixels = (fitted.scale * shift.zoom) / scale;
    const meters = WORLD_METERS / Math.cosh(Math.PI * (1 - 2 * fitted.y));
    const side = gridSide(worldPixels / meters);
    style.backgroundSize = `${side}px ${side}px`;
    style.backgroundPosition = `calc(50% + ${shift.x / scale + dx}px) calc(50% + ${shift.y / scale + dy}px)`;
  }
  useEffect(() => drawGrid());
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return;
    const onScreen = measured();
    drawPoints(canvas.current, routes, lines.map((line) => line.map(onScreen)));
  });
  useEffect(() => {
    const shown = holder.current!;
    const sizeOf = () => `${shown.clientWidth} ${shown.clientHeight}`;
    let drawn = sizeOf();
    const watched = new ResizeObserver(() => {
      if (sizeOf() === drawn) return;
      drawn = sizeOf();
      setShift((before) => ({ ...before }));
    });
    watched.observe(shown);
    return () => watched.disconnect();
  }, []);
  function open(event: MouseEvent): void {
    if (isNumbered || wasDragged.current) return;
    const onScreen = measured();
    for (const [number, line] of lines.entries()) {
      const index = line.findIndex((point) => { const [x, y] = onScreen(point); return Math.hypot(x - event.offsetX, y - event.offsetY) <= POINT_REACH; });
      if (index >= 0) { go(`route/${routes[number]!.id}/stop/${routes[number]!.stops.ids[index]!}`); return; }
    }
  }
  return (
    <>
      <div ref={grid} class="street-map plain-ground" />
      <div ref={picture} class="day-picture">
      {!isNumbered && <canvas ref={canvas} class="day-map" aria-hidden="true" />}
      <svg ref={holder} onClick={open} class="day-map" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={t("map")}
        onWheel={(event) => { event.preventDefault(); zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2); }}
        onPointerDown={(event) => { dragged.current = [event.clientX, event.clientY]; wasDragged.current = false; }}
        onPointerMove={(event) => {
          const from = dragged.current;
          if (!from || !(event.buttons & 1)) return;
          if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) < LEAST_DRAG) return;
          wasDragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId); // so that no stop is looked for under it
          // The picture is moved as it is, and drawn anew when it is let go: it may hold 10,000 stops.
          drawGrid(event.clientX - from[0], event.clientY - from[1]);
          picture.current!.style.transform = `translate(${event.clientX - from[0]}px, ${event.clientY - from[1]}px)`;
        }}
        onPointerUp={settle} onPointerCancel={settle}>
        {routes.map((route, number) => (
          <polyline key={route.id} points={[ends[number]![0]!, ...lines[number]!, ...ends[number]!.slice(1)].map((point) => at(point).join(",")).join(" ")} fill="none" stroke={route.color} stroke-width="4" stroke-linejoin="round" opacity="0.75" />
        ))}
        {ends.flat().map((point, number) => {
          const [x, y] = at(point);
          return <path key={number} d={HOUSE} class="depot" transform={`translate(${x - 11} ${y - 11})`} />;
        })}
        {loose.map((point, number) => {
          const [x, y] = at(point);
          return <circle key={number} cx={x} cy={y} r="8" class={isSelected(unroutedId(unrouted[number]!)) ? "loose selected" : "loose"}><title>{unrouted[number]!.name}</title></circle>;
        })}
        {isNumbered && routes.map((route, number) => lines[number]!.map((point, index) => {
          const [x, y] = at(point);
          if (x < -SIZE || x > 2 * SIZE || y < -SIZE || y > 2 * SIZE) return null;
          return (
            <g key={route.stops.ids[index]} class={FINISHED.has(route.stops.statuses[index]!) ? "pin done" : "pin"} onClick={() => go(`route/${route.id}/stop/${route.stops.ids[index]}`)}>
              <circle cx={x} cy={y} r="13" fill={route.color} class={`${route.stops.late[index] ? "late" : ""} ${isSelected(route.stops.ids[index]!) ? "selected" : ""}`} />
              <text x={x} y={y + 4.5} text-anchor="middle">{index + 1}</text>
              <title>{nameByNumber(route.stops.names[index], index + 1)}</title>
            </g>
          );
        }))}
        {[...positions.value.values()].map((position) => {
          const [x, y] = at(project(position.coordinates.latitude, position.coordinates.longitude));
          return <path key={position.driverId} d={`M${x} ${y - 14}l10 24-10-6-10 6z`} class="driver" />;
        })}
      </svg>
      </div>
      <Lasso project={(longitude, latitude) => measured()(project(latitude, longitude))} />
      <div class="zoom">
        <LassoButton />
        <button type="button" aria-label={t("zoomIn")} onClick={() => zoom(1.4)}>+</button>
        <button type="button" aria-label={t("zoomOut")} onClick={() => zoom(1 / 1.4)}>−</button>
      </div>
    </>
  );
}
