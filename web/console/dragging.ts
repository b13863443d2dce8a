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
}

// Drop on a route: in its best place, or exactly where it was dropped.
export function drop(routeId: string, index?: number): void {
  const stop = lifted.value;
  lifted.value = null;
  if (!stop || (stop.routeId === routeId && index === undefined)) return;
  void moveAsked(stop, routeId, index ?? liftedPrices.value.get(routeId)?.index);
}

export const dropTarget = (routeId: string, index?: number) => ({
  onDragOver: (event: DragEvent) => { if (lifted.value) event.preventDefault(); },
  onDrop: (event: DragEvent) => { event.preventDefault(); drop(routeId, index); },
});
