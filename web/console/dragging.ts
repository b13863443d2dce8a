// What is being dragged, and what each target would cost: asked for once, as it is lifted.
import { signal } from "@preact/signals";
import { moveAsked } from "./dialogs";
import { report } from "./day";
import { grasp, type MovedStop } from "./edits";
import { askPrices, openRouteIds } from "./prices";
import type { Insertion } from "./shapes";

export const lifted = signal<MovedStop | null>(null);
export const liftedPrices = signal<ReadonlyMap<string, Insertion>>(new Map());

export function lift(shown: MovedStop): void {
  const stop = grasp(shown);
  lifted.value = stop;
  liftedPrices.value = new Map();
  showPrices(stop).catch(report);
}

const nextFrame = () => new Promise<void>((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });

// Lifting, asking, reading the answer and showing it each have a frame of their own: all at once would
// hold up what follows the pointer on a slow machine.
async function showPrices(stop: MovedStop): Promise<void> {
  await nextFrame();
  if (lifted.value !== stop) return;
  const prices = await askPrices(stop, openRouteIds());
  await nextFrame();
  if (lifted.value === stop) liftedPrices.value = prices;
}

export function letGo(): void {
  lifted.value = null;
  mark();
}

// Drop on a route: in its best place, or exactly where it was dropped.
export function drop(routeId: string, index?: number): void {
  const stop = lifted.value;
  lifted.value = null;
  if (!stop || (stop.routeId === routeId && index === undefined)) return;
  void moveAsked(stop, routeId, index ?? liftedPrices.value.get(routeId)?.index);
}

// A stop in a column before which, or behind which, the pointer is.
interface Gap { item: HTMLElement; side: "before" | "after" }

let marked: HTMLElement | undefined;
function mark(gap?: Gap): void {
  if (marked && marked !== gap?.item) delete marked.dataset["gap"];
  marked = gap?.item;
  if (gap) gap.item.dataset["gap"] = gap.side;
}

// Above a column's stops is its van; below them, too, but for a stop of its own, which goes to the end.
function gapAt(event: DragEvent, isOwn: boolean): Gap | undefined {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("li.stop")];
  const boxes = items.map((item) => item.getBoundingClientRect());
  if (!items.length || (event.target as Element).closest("h3") || event.clientY < boxes[0]!.top || (!isOwn && event.clientY > boxes.at(-1)!.bottom)) return undefined;
  const next = boxes.findIndex(({ top, height }) => event.clientY < top + height / 2);
  return next < 0 ? { item: items.at(-1)!, side: "after" } : { item: items[next]!, side: "before" };
}

/** A column of a route's stops, of which the first ones are done: a drop between two of them goes exactly there. */
export const columnTarget = (routeId: string, stopIds: string[], doneCount: number) => ({
  onDragOver: (event: DragEvent) => {
    if (!lifted.value) return;
    event.preventDefault();
    mark(gapAt(event, lifted.value.routeId === routeId));
  },
  onDragLeave: (event: DragEvent) => { if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) mark(); },
  onDrop: (event: DragEvent) => {
    event.preventDefault();
    mark();
    const stop = lifted.value;
    const gap = stop && gapAt(event, stop.routeId === routeId);
    if (!gap) return drop(routeId);
    const before = Math.max(doneCount, stopIds.indexOf(gap.item.dataset["stop"]!) + (gap.side === "after" ? 1 : 0));
    const from = stop.routeId === routeId ? stopIds.indexOf(stop.id) : -1;
    const index = from >= 0 && from < before ? before - 1 : before; // without the stop itself
    if (index === from) letGo();
    else drop(routeId, index);
  },
});

export const dropTarget = (routeId: string, index?: number) => ({
  onDragOver: (event: DragEvent) => { if (lifted.value) event.preventDefault(); },
  onDrop: (event: DragEvent) => { event.preventDefault(); drop(routeId, index); },
});
