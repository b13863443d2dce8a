// What a planner has changed is counted since the driver looked last, without the driver's own doing.
import { expect, it } from "vitest";
import { lookedAfter, lookedOnceRead, newsOf, type Order } from "../news";
import type { Route, Stop } from "../shapes";

function stop(id: string, deliveryStatus = "OUT_FOR_DELIVERY"): Stop {
  return {
    id, type: "DELIVERY", deliveryStatus, breakStatus: "UNKNOWN", note: "", plannedCoordinates: { latitude: 0, longitude: 0 }, items: [], orderName: id, clientStopId: "", timeWindows: [],
    tasks: [], proofOfDeliveryNote: "", proofOfDeliveryPhotos: [], proofOfDeliverySignatures: [], proofOfDeliveryBarcodes: [], attemptedReason: "UNKNOWN", attemptedNote: "",
  };
}

const route = (ids: string, ...done: string[]): Route => ({
  id: "r", name: "R", note: "", start: { status: "STARTED", tasks: [] }, totalDistanceMeters: 0,
  stops: [...ids].map((id) => stop(id, done.includes(id) ? "DELIVERED" : undefined)),
});
const looked = (ids: string): Order => [...ids];

it("counts everything since the driver looked, however often the route was read meanwhile", () => {
  let seen = { r: looked("abcd") };
  const changes: [string, object][] = [
    ["abcde", { moved: 0, added: 1, removed: 0 }],
    ["abcdefg", { moved: 0, added: 3, removed: 0 }],
    ["bcdefg", { moved: 0, added: 3, removed: 1 }],
    ["dbcefg", { moved: 1, added: 3, removed: 1 }],
  ];
  for (const [ids, news] of changes) {
    expect(newsOf(seen.r, route(ids))).toEqual(news);
    seen = lookedOnceRead(seen, [route(ids)]) as typeof seen;
  }
  expect(newsOf(seen.r, route("abcd"))).toBe(null);
});

it("counts as moved as few stops as can have been moved", () => {
  expect(newsOf(looked("abcdef"), route("fabcde"))?.moved).toBe(1);
  expect(newsOf(looked("abcdef"), route("bafcde"))?.moved).toBe(2);
  expect(newsOf(looked("abc"), route("cba"))?.moved).toBe(2);
});

it("tells nothing of stops that are done, and begins with the start of a route", () => {
  expect(newsOf(looked("abc"), route("cab", "c"))).toBe(null);
  expect(newsOf(looked("abc"), route("abcx", "x"))).toBe(null);
  const planned = { ...route("ab"), start: { status: "UNKNOWN", tasks: [] } };
  expect(lookedOnceRead({}, [planned])).toEqual({});
  expect(lookedAfter({}, [{ kind: "ROUTE_STARTED", routeId: "r" }], () => planned)).toEqual({ r: ["a", "b"] });
});

it("tells the driver nothing of an order of the driver's own, and goes on to tell of the planner's", () => {
  const later = { kind: "STOPS_REORDERED", routeId: "r", stopIds: [..."cab"] };
  expect(lookedAfter({ r: looked("abc") }, [{ ...later, stopIds: [..."bca"] }], () => route("abc"))).toEqual({ r: looked("bca") });
  // The planner has moved c to the front and added x; the driver now puts c to the end.
  const seen = lookedAfter({ r: looked("abc") }, [{ ...later, stopIds: [..."abxc"] }], () => route("cabx"));
  expect(newsOf(seen["r"], route("abxc"))).toEqual({ moved: 0, added: 1, removed: 0 });
  // The planner has moved c to the front; the driver puts b, which was last, before a.
  const swapped = lookedAfter({ r: looked("abc") }, [{ ...later, stopIds: [..."cba"] }], () => route("cab"));
  expect(newsOf(swapped["r"], route("cba"))?.moved).toBe(1);
});

it("tells what was changed of a route that a planner has taken back and given again, and keeps few of those that are gone", () => {
  let seen = lookedOnceRead({}, [route("abc")]);
  seen = lookedOnceRead(seen, []);
  expect(newsOf(lookedOnceRead(seen, [route("abcd")])["r"], route("abcd"))).toEqual({ moved: 0, added: 1, removed: 0 });
  for (let number = 0; number < 50; number++) seen = lookedOnceRead(seen, [{ ...route("ab"), id: `r${number}` }]);
  expect(Object.keys(lookedOnceRead(seen, [])).length).toBeLessThan(20);
});
