// What this phone has told of a stop and another device has said otherwise about since: the service
// has answered that it counts, and shows something else now. Only the service knows why.
import { showRoute } from "./shown_route";
import type { Action, Route, Stop } from "./shapes";
import type { Settled } from "./stored";

const STATUS = ({ deliveryStatus, attemptedReason, attemptedNote, recipientName = "", leftWith = "" }: Stop) => [deliveryStatus, attemptedReason, attemptedNote, recipientName, leftWith];
const NOTE = ({ proofOfDeliveryNote }: Stop) => [proofOfDeliveryNote];
const SAID: Record<string, (stop: Stop) => string[]> = { STOP_DELIVERED: STATUS, STOP_ATTEMPTED: STATUS, STOP_REOPENED: STATUS, PROOF_NOTE: NOTE };

function isDenied(route: Route, action: Action): boolean {
  const { kind, stopId } = action;
  const stopOf = ({ stops }: Route) => stops.find(({ id }) => id === stopId);
  const [here, told] = [stopOf(route), stopOf(showRoute(route, [action]))];
  return !!here && !!told && SAID[kind]!(here).join("\n") !== SAID[kind]!(told).join("\n");
}

// Of the last thing that was told of each stop's status and note what an answer about the route denies.
export function deniedBy(route: Route, settled: Settled[]): string[] {
  const last = new Map<string, Settled>();
  const told = settled.filter(({ action, isShown, result }) => action.routeId === route.id && action.kind in SAID && isShown && result.outcome === "APPLIED");
  for (const one of told.sort((a, b) => a.settledAt - b.settledAt || a.action.sequence - b.action.sequence)) {
    last.set(`${SAID[one.action.kind] === NOTE ? "note" : "status"} ${one.action.stopId}`, one);
  }
  return [...last.values()].filter(({ action }) => isDenied(route, action)).map(({ id }) => id);
}
