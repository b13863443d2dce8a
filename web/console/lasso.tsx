// A line drawn around stops on the map chooses them. It is the quick way of the mouse; the boxes of the
// lists and their key do the same.
import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { t } from "../kit/words";
import { shownRoutes, shownUnrouted } from "./day";
import { select } from "./selection";
import { isViewer } from "./session";
import { unroutedId } from "./shapes";

type Point = [x: number, y: number];
export type Project = (longitude: number, latitude: number) => Point;

const LEAST_STEP = 4; // pixels between the corners of the line

export const isLassoOpen = signal(false);
export const toggleLasso = () => { isLassoOpen.value = !isLassoOpen.value; };

export function LassoButton() {
  if (isViewer.value) return null;
  return <button type="button" class="lasso-button" aria-pressed={isLassoOpen.value} onClick={toggleLasso}>{t("lasso")}</button>;
}

// Whether a point is within a closed line, by the edges that a ray to the right of it crosses.
export function isWithin([x, y]: Point, line: Point[]): boolean {
  let within = false;
  line.forEach(([a, b], index) => {
    const [c, d] = line.at(index - 1)!;
    if ((b > y) !== (d > y) && x < a + ((y - b) / (d - b)) * (c - a)) within = !within;
  });
  return within;
}

function* placed(): Generator<[id: string, longitude: number, latitude: number]> {
  for (const { stops } of shownRoutes.value) for (const [index, id] of stops.ids.entries()) yield [id, stops.longitudes[index]!, stops.latitudes[index]!];
  for (const stop of shownUnrouted.value) if (stop.longitude !== undefined) yield [unroutedId(stop), stop.longitude, stop.latitude!];
}

export function Lasso({ project }: { project: Project }) {
  const [line, setLine] = useState<Point[]>([]);
  const drawn = useRef<Point[]>([]);
  if (!isLassoOpen.value || isViewer.value) return null;
  const draw = (points: Point[]) => { drawn.current = points; setLine(points); };
  function close(): void {
    const around = drawn.current;
    draw([]);
    if (around.length < 3) return;
    select([...placed()].filter(([, longitude, latitude]) => isWithin(project(longitude, latitude), around)).map(([id]) => id));
    isLassoOpen.value = false;
  }
  return (
    <svg class="lasso" aria-hidden="true"
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); draw([[event.offsetX, event.offsetY]]); }}
      onPointerMove={(event) => {
        const [x, y] = drawn.current.at(-1) ?? [];
        if (x === undefined || y === undefined || Math.hypot(event.offsetX - x, event.offsetY - y) < LEAST_STEP) return;
        draw([...drawn.current, [event.offsetX, event.offsetY]]);
      }}
      onPointerUp={close} onPointerCancel={() => draw([])}>
      <polygon points={line.map((point) => point.join(",")).join(" ")} />
    </svg>
  );
}
