// What the driver sees: the last answer of the service with everything on top that the phone has
// recorded since. The rules are the service's own (domain/route_actions.py).
import { dayAt, dayOf } from "../kit/times";
import type { Action, Deed, Route, RouteSummary, Stop, Task } from "./shapes";

export const isBreak = (stop: Stop) => stop.type === "BREAK";
export const isDone = (stop: Stop) => stop.breakStatus === "COMPLETED" || stop.deliveryStatus === "DELIVERED" || stop.deliveryStatus === "ATTEMPTED_DELIVERY";
export const isStarted = (route: Route) => route.start.status === "STARTED";
export const isEnded = (route: Route) => route.end?.status === "COMPLETED";
// A route is over with its end, or with its last stop where it has no end.
export const isOver = (route: Route) => isStarted(route) && (route.end ? isEnded(route) : route.stops.length > 0 && route.stops.every(isDone));

// When a route left, or leaves; of one of which that is not known, when its first stop is reached.
export const departureOf = (route: Route): string | undefined => route.start.updatedStart ?? route.scheduledFor ?? route.stops[0]?.plannedArrival ?? route.stops[0]?.updatedArrival;

// The day that a stop's windows belong to: its own, else that of the departure as planned.
export function dayOfWindows({ deliveryDate }: Stop, route: Route, zone: string): string {
  if (deliveryDate) return dayOf(deliveryDate);
  const departure = route.scheduledFor ?? departureOf(route);
  return dayAt(departure ? Date.parse(departure) : Date.now(), zone);
}

export type RouteState = "open" | "underWay" | "over";

// As the phone knows it where it has the route, else as the list says.
export function stateOf(summary: RouteSummary, route: Route | null): RouteState {
  if (route ? isOver(route) : summary.completed) return "over";
  return (route ? isStarted(route) : summary.started) ? "underWay" : "open";
}

// Of several routes that are under way the one that the driver has opened last.
export function routeToGoOn(summaries: RouteSummary[], routeOf: (id: string) => Route | null, lastOpened: string): string {
  const underWay = summaries.filter((one) => !one.claimable && routeOf(one.id) && stateOf(one, routeOf(one.id)) === "underWay");
  return (underWay.find(({ id }) => id === lastOpened) ?? underWay[0])?.id ?? "";
}

// A task is done when every box is ticked, one button chosen, or an input is there.
export function isTaskDone(task: Task): boolean {
  if (task.items.length && task.type === "CHECKBOXES") return task.items.every(({ completed }) => completed);
  if (task.items.length && task.type === "RADIO_BUTTONS") return task.items.some(({ completed }) => completed);
  return task.input !== undefined && (task.type !== "TEXT_INPUT" || task.input.value.trim() !== "");
}

export const tasksOf = ({ start, stops, end }: Route): Task[] => [start, ...stops, ...(end ? [end] : [])].flatMap(({ tasks }) => tasks);

export function missingTasks(stop: Stop, isDelivery: boolean): Task[] {
  return stop.tasks.filter((task) => (isDelivery ? task.requiredToMarkStopAsDelivered : task.requiredToMarkStopAsAttempted) && !isTaskDone(task));
}

// Whom a stop is for, else its order, else where it is (domain/stop_name.py).
export function nameOf(stop: Stop): string {
  const { contact, address } = stop;
  const said = [contact ? `${contact.firstName} ${contact.lastName}` : "", contact?.company ?? "", stop.orderName, address ? address.address1 || addressOf(stop) : ""];
  return said.map((text) => text.trim()).find((text) => text) ?? "";
}

// What a parcel's label says beside that name: its order and the company.
export function besideName(stop: Stop): string {
  const name = nameOf(stop);
  return [stop.orderName, stop.contact?.company ?? ""].map((text) => text.trim()).filter((text) => text && text !== name).join(" · ");
}

// How a driver finds a stop's parcel: by its order, else by the stop's name.
export const parcelOf = (stop: Stop) => stop.orderName.trim() || nameOf(stop);

type Writer = "" | "customerNote" | "orderNote";

// What the planner, the shop and the customer wrote, each text once; the planner's needs no name.
export function notesOf(stop: Stop): { by: Writer; text: string }[] {
  const given: [Writer, string | undefined][] = [
    ["", stop.note],
    ["customerNote", stop.storeOrder?.customerNote],
    ["customerNote", stop.customerNote?.note],
    ["orderNote", stop.storeOrder?.orderNote],
  ];
  const texts = given.map(([, text]) => text);
  return given.flatMap(([by, text], index) => text && texts.indexOf(text) === index ? [{ by, text }] : []);
}

export function addressOf(stop: { address?: Route["start"]["address"] }): string {
  const { address } = stop;
  if (!address) return "";
  const town = [address.zip, address.city].filter(Boolean).join(" ");
  return [address.address1, address.address2, town, address.provinceCode].filter(Boolean).join(", ");
}

// Whether a route that is not over yet is over with these deeds.
export function endsRoute(route: Route | null, deeds: Deed[]): boolean {
  const actions = deeds.map((deed) => ({ ...deed, id: "", sequence: 0, at: "" }));
  return !!route && !isOver(route) && isOver(showRoute(route, actions));
}

export function showRoute(route: Route, actions: Action[]): Route {
  return actions.filter((action) => action.routeId === route.id).reduce(showAction, route);
}

function showAction(route: Route, action: Action): Route {
  switch (action.kind) {
    case "ROUTE_STARTED":
      if (isStarted(route)) return route;
      return {
        ...route, start: { ...route.start, status: "STARTED" },
        stops: route.stops.map((stop) => (isBreak(stop) || isDone(stop) ? stop : { ...stop, deliveryStatus: "OUT_FOR_DELIVERY" })),
      };
    case "END_COMPLETED":
      return route.end ? { ...route, end: { ...route.end, status: "COMPLETED" } } : route;
    case "STOPS_REORDERED":
      return { ...route, stops: reordered(route.stops, action.stopIds ?? []) };
    case "TASK_COMPLETED":
    case "TASK_ITEM_COMPLETED": {
      const inTasks = (tasks: Task[]) => tasks.map((task) => (task.id === action.taskId ? showTask(task, action) : task));
      return {
        ...route, start: { ...route.start, tasks: inTasks(route.start.tasks) }, stops: route.stops.map((stop) => ({ ...stop, tasks: inTasks(stop.tasks) })),
        ...(route.end ? { end: { ...route.end, tasks: inTasks(route.end.tasks) } } : {}),
      };
    }
    default:
      return { ...route, stops: route.stops.map((stop) => (stop.id === action.stopId ? showAtStop(stop, action) : stop)) };
  }
}

function showAtStop(stop: Stop, action: Action): Stop {
  switch (action.kind) {
    case "STOP_ARRIVED": return isDone(stop) ? stop : { ...stop, arrivedAt: action.at };
    case "STOP_DELIVERED": {
      const { recipientName: _name, leftWith: _left, ...rest } = stop;
      return {
        ...rest, deliveryStatus: "DELIVERED", attemptedReason: "UNKNOWN", attemptedNote: "", updatedArrival: action.at,
        ...(action.recipientName ? { recipientName: action.recipientName } : {}), ...(action.leftWith ? { leftWith: action.leftWith } : {}),
        ...(action.note === undefined ? {} : { proofOfDeliveryNote: action.note }),
      };
    }
    case "STOP_ATTEMPTED": {
      const { recipientName: _name, leftWith: _left, ...rest } = stop;
      return { ...rest, deliveryStatus: "ATTEMPTED_DELIVERY", attemptedReason: action.reason ?? "OTHER", attemptedNote: action.note ?? "", updatedArrival: action.at };
    }
    case "STOP_REOPENED": {
      const { recipientName: _name, leftWith: _left, ...rest } = stop;
      return { ...rest, deliveryStatus: "OUT_FOR_DELIVERY", attemptedReason: "UNKNOWN", attemptedNote: "" };
    }
    case "PROOF_NOTE": return { ...stop, proofOfDeliveryNote: action.note ?? "" };
    case "BARCODE": return { ...stop, proofOfDeliveryBarcodes: [...stop.proofOfDeliveryBarcodes, { value: action.value ?? "" }] };
    case "BREAK_COMPLETED": return { ...stop, breakStatus: "COMPLETED" };
    default: return stop; // pictures are shown from their files
  }
}

function showTask(task: Task, action: Action): Task {
  const answered = action.value === undefined ? task : { ...task, input: { value: action.value } };
  if (action.kind === "TASK_COMPLETED") return { ...answered, input: { value: action.value ?? "" } };
  const completed = action.completed ?? true;
  const letsGo = completed && task.type === "RADIO_BUTTONS";
  return { ...answered, items: task.items.map((item) => ({ ...item, completed: item.id === action.itemId ? completed : item.completed && !letsGo })) };
}

// Done stops stay in front and locked ones keep their places; stops that are not named follow.
export function reordered(stops: Stop[], ids: string[]): Stop[] {
  const open = stops.filter((stop) => !isDone(stop));
  const movable = open.filter(({ locked }) => !locked);
  const named = ids.map((id) => movable.find((stop) => stop.id === id)).filter((stop) => stop !== undefined);
  const order = [...new Set([...named, ...movable])];
  let next = 0;
  return [...stops.filter(isDone), ...open.map((stop) => (stop.locked ? stop : order[next++]!))];
}
