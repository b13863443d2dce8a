// What this phone has told of a stop or a task and another device has said otherwise about since: the
// service has answered that it counts, and shows something else now. Only the service knows why.
import { showRoute, tasksOf } from "./shown_route";
import type { Action, Route } from "./shapes";
import type { Settled } from "./stored";

// What an action sets, by a name of its own, and how a route has it; null where the route has no such thing.
interface Said { slot: string; read: (route: Route) => string | null }

function saidBy({ kind, stopId = "", taskId = "", itemId = "" }: Action, route: Route): Said | null {
  const stopOf = ({ stops }: Route) => stops.find(({ id }) => id === stopId);
  const taskOf = (one: Route) => tasksOf(one).find(({ id }) => id === taskId);
  switch (kind) {
    case "STOP_DELIVERED":
    case "STOP_ATTEMPTED":
    case "STOP_REOPENED":
      return {
        slot: `status ${stopId}`, read: (one) => {
          const stop = stopOf(one);
          return stop ? [stop.deliveryStatus, stop.attemptedReason, stop.attemptedNote, stop.recipientName ?? "", stop.leftWith ?? ""].join("\n") : null;
        },
      };
    case "PROOF_NOTE": return { slot: `note ${stopId}`, read: (one) => stopOf(one)?.proofOfDeliveryNote ?? null };
    case "TASK_COMPLETED": return { slot: `input ${taskId}`, read: (one) => { const task = taskOf(one); return task ? task.input?.value ?? "" : null; } };
    case "TASK_ITEM_COMPLETED": { // of buttons one is chosen, of boxes each is ticked by itself
      const slot = taskOf(route)?.type === "RADIO_BUTTONS" ? `buttons ${taskId}` : `item ${itemId}`;
      return { slot, read: (one) => { const item = taskOf(one)?.items.find(({ id }) => id === itemId); return item ? String(item.completed) : null; } };
    }
    default: return null;
  }
}

// Of the last thing that was told of each status, note and task what an answer about the route denies.
export function deniedBy(route: Route, settled: Settled[]): string[] {
  const last = new Map<string, { settled: Settled; read: Said["read"] }>();
  const told = settled.filter(({ action, isShown, result }) => action.routeId === route.id && isShown && result.outcome === "APPLIED");
  for (const one of told.sort((a, b) => a.settledAt - b.settledAt || a.action.sequence - b.action.sequence)) {
    const said = saidBy(one.action, route);
    if (said) last.set(said.slot, { settled: one, read: said.read });
  }
  const isDenied = ({ settled: { action }, read }: { settled: Settled; read: Said["read"] }) => {
    const here = read(route);
    return here !== null && here !== read(showRoute(route, [action]));
  };
  return [...last.values()].filter(isDenied).map(({ settled: { id } }) => id);
}
