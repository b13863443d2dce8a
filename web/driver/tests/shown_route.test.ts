// What the driver sees follows the service's own rules.
import { describe, expect, it } from "vitest";
import type { Action, Route, RouteSummary, Stop } from "../shapes";
import { besideName, dayOfWindows, departureOf, isOver, missingTasks, nameOf, notesOf, parcelOf, reordered, routeToGoOn, sayItem, showRoute, stateOf } from "../shown_route";

function stop(id: string, changes: Partial<Stop> = {}): Stop {
  return {
    id, type: "DELIVERY", deliveryStatus: "READY_FOR_DELIVERY", breakStatus: "UNKNOWN", note: "", plannedCoordinates: { latitude: 0, longitude: 0 }, items: [], orderName: id,
    clientStopId: "", timeWindows: [], tasks: [], proofOfDeliveryNote: "", proofOfDeliveryPhotos: [], proofOfDeliverySignatures: [], proofOfDeliveryBarcodes: [],
    attemptedReason: "UNKNOWN", attemptedNote: "", ...changes,
  };
}

const route = (...stops: Stop[]): Route => ({ id: "r", name: "R", note: "", start: { status: "UNKNOWN", tasks: [] }, stops, totalDistanceMeters: 0 });
const act = (kind: string, fields: Partial<Action> = {}): Action => ({ id: kind, sequence: 1, at: "2030-01-01T08:00:00Z", kind, routeId: "r", ...fields });
const statuses = (shown: Route) => shown.stops.map(({ deliveryStatus }) => deliveryStatus);

it("has the windows of a stop on its own day, else on that of the departure as planned", () => {
  const night: Route = { ...route(stop("a"), stop("b", { deliveryDate: { year: 2026, month: 10, day: 25 } })), scheduledFor: "2026-10-24T20:00:00Z" };
  const days = (of: Route, zone: string) => of.stops.map((one) => dayOfWindows(one, of, zone));
  expect(days(night, "Europe/Berlin")).toEqual(["2026-10-24", "2026-10-25"]);
  expect(days({ ...night, start: { ...night.start, updatedStart: "2026-10-23T06:00:00Z" } }, "Europe/Berlin")).toEqual(["2026-10-24", "2026-10-25"]);
  expect(days({ ...night, scheduledFor: "2026-10-24T22:30:00Z" }, "Europe/Berlin")).toEqual(["2026-10-25", "2026-10-25"]);
});

it("says an item by its name, else its number, and a quantity alone with a word", () => {
  expect(sayItem({ name: "Box", sku: "B-1", quantity: 2 }, "Items")).toBe("2 × Box");
  expect(sayItem({ name: "", sku: "B-1", quantity: 2 }, "Items")).toBe("2 × B-1");
  expect(sayItem({ name: "", sku: "", quantity: 2 }, "Items")).toBe("Items: 2");
});

describe("a list of routes", () => {
  const summary = (id: string, changes: Partial<RouteSummary> = {}): RouteSummary => ({ id, name: id, stopCount: 1, claimable: false, started: false, completed: false, ...changes });
  const started = showRoute(route(stop("a")), [act("ROUTE_STARTED")]);

  it("says which are under way, as the phone knows it, or else as the service does", () => {
    expect(stateOf(summary("r"), null)).toBe("open");
    expect(stateOf(summary("r", { started: true }), null)).toBe("underWay");
    expect(stateOf(summary("r", { started: true, completed: true }), null)).toBe("over");
    expect(stateOf(summary("r"), started)).toBe("underWay");
    expect(stateOf(summary("r", { started: true }), showRoute(started, [act("STOP_DELIVERED", { stopId: "a" })]))).toBe("over");
  });

  it("leaves when it left, else as scheduled, else with its first stop", () => {
    const planned = route(stop("a", { plannedArrival: "2030-01-01T09:00:00Z" }));
    expect(departureOf(planned)).toBe("2030-01-01T09:00:00Z");
    const scheduled = { ...planned, scheduledFor: "2030-01-01T08:00:00Z" };
    expect(departureOf(scheduled)).toBe("2030-01-01T08:00:00Z");
    expect(departureOf({ ...scheduled, start: { ...scheduled.start, updatedStart: "2029-12-31T23:00:00Z" } })).toBe("2029-12-31T23:00:00Z");
  });

  it("goes on with the one under way that was opened last", () => {
    const known: Record<string, Route> = { waits: route(stop("a")), first: started, second: started };
    const listed = ["waits", "first", "second"].map((id) => summary(id));
    const goOn = (last: string) => routeToGoOn(listed, (id) => known[id] ?? null, last);
    expect(goOn("second")).toBe("second");
    expect(goOn("waits")).toBe("first");
    expect(goOn("")).toBe("first");
    expect(routeToGoOn([summary("waits")], (id) => known[id] ?? null, "waits")).toBe("");
  });
});

describe("a route as the driver sees it", () => {
  it("goes out with every stop that is not done, and not with a break", () => {
    const shown = showRoute(route(stop("a"), stop("b", { deliveryStatus: "DELIVERED" }), stop("c", { type: "BREAK" })), [act("ROUTE_STARTED")]);
    expect(statuses(shown)).toEqual(["OUT_FOR_DELIVERY", "DELIVERED", "READY_FOR_DELIVERY"]);
  });

  it("is delivered, taken back, and attempted, the last word counting", () => {
    const delivered = act("STOP_DELIVERED", { stopId: "a", leftWith: "NEIGHBOUR", note: "n" });
    const after = showRoute(route(stop("a")), [act("ROUTE_STARTED"), delivered]);
    expect(after.stops[0]).toMatchObject({ deliveryStatus: "DELIVERED", leftWith: "NEIGHBOUR", proofOfDeliveryNote: "n" });
    expect(isOver(after)).toBe(true);
    const back = showRoute(after, [act("STOP_REOPENED", { stopId: "a" })]);
    expect(back.stops[0]!.deliveryStatus).toBe("OUT_FOR_DELIVERY");
    expect("leftWith" in back.stops[0]!).toBe(false);
    const failed = showRoute(back, [act("STOP_ATTEMPTED", { stopId: "a", reason: "REFUSED" })]);
    expect(failed.stops[0]).toMatchObject({ deliveryStatus: "ATTEMPTED_DELIVERY", attemptedReason: "REFUSED" });
  });

  it("keeps done stops in front and locked ones where they are", () => {
    const stops = [stop("a"), stop("b", { deliveryStatus: "DELIVERED" }), stop("c", { locked: true }), stop("d")];
    expect(reordered(stops, ["d", "gone"]).map(({ id }) => id)).toEqual(["b", "d", "c", "a"]);
  });

  it("asks for the tasks that a delivery requires", () => {
    const task = { id: "t", title: "Age", type: "CHECKBOXES", items: [{ id: "i", title: "seen", completed: false }], requiredToMarkStopAsDelivered: true, requiredToMarkStopAsAttempted: false };
    const before = route(stop("a", { tasks: [task] }));
    expect(missingTasks(before.stops[0]!, true).map(({ title }) => title)).toEqual(["Age"]);
    expect(missingTasks(before.stops[0]!, false)).toEqual([]);
    const after = showRoute(before, [act("TASK_ITEM_COMPLETED", { taskId: "t", itemId: "i" })]);
    expect(missingTasks(after.stops[0]!, true)).toEqual([]);
  });

  it("is called by whom a stop is for, else its order, else its address", () => {
    const contact = { firstName: "Kim", lastName: "Lee", company: "", phone: "", email: "" };
    expect(nameOf(stop("#1", { contact }))).toBe("Kim Lee");
    expect(nameOf(stop("#1"))).toBe("#1");
  });

  it("has its order and company beside the name, unless they are the name", () => {
    const contact = { firstName: "Kim", lastName: "Lee", company: "Kim's Bakery", phone: "", email: "" };
    expect(besideName(stop("#1041", { contact }))).toBe("#1041 · Kim's Bakery");
    expect(besideName(stop("#1041", { contact: { ...contact, firstName: "", lastName: "" } }))).toBe("#1041");
    expect(besideName(stop("#1041"))).toBe("");
    expect([parcelOf(stop("#1041", { contact })), parcelOf(stop("", { contact }))]).toEqual(["#1041", "Kim Lee"]);
  });
});

it("shows what the planner, the customer and the shop wrote, each once", () => {
  const notes = notesOf(stop("a", { note: "Gate 4", storeOrder: { orderNote: "Gate 4", customerNote: "Dog" }, customerNote: { note: "Bell is broken", at: "2030-01-01T08:00:00Z" } }));
  expect(notes).toEqual([{ by: "", text: "Gate 4" }, { by: "customerNote", text: "Dog" }, { by: "customerNote", text: "Bell is broken" }]);
  expect(notesOf(stop("b"))).toEqual([]);
});
