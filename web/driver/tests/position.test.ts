// Where the driver is, as the phone says it: what is kept of that and sent.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Route } from "../shapes";
import { Store } from "../store";

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("window", globalThis);
vi.stubGlobal("document", { visibilityState: "visible", addEventListener: () => undefined });
let say: (latitude: number, longitude: number) => void = () => undefined;
const watchPosition = (take: (position: unknown) => void) => {
  say = (latitude, longitude) => { take({ coords: { latitude, longitude, accuracy: 5 } }); };
  return 1;
};
vi.stubGlobal("navigator", { onLine: true, geolocation: { watchPosition, clearWatch: () => undefined } });
const app = await import("../app");
const { followPosition } = await import("../position");
const { hasNetwork } = await import("../pumps");

const ROUTE: Route = { id: "r", name: "R", note: "", start: { status: "STARTED", tasks: [] }, totalDistanceMeters: 0, stops: [] };
const HOUR_MS = 3600_000;

let store: Store;

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  store = await Store.open("roundsman-driver");
  await store.saveList([{ id: "r", name: "R", stopCount: 0, claimable: false, started: true, completed: false }]);
  await store.saveRoute({ id: "r", route: ROUTE, tag: "1" }, store.tick());
  await app.openStore();
  app.lastFix.value = null;
  followPosition();
});

afterEach(() => { vi.restoreAllMocks(); });

const positions = async () => (await store.readJournal()).actions.map(({ action }) => action.position?.latitude);

it("takes no position of a chip that says 0, 0", async () => {
  say(0, 0);
  expect(app.lastFix.value).toBe(null);
  say(49.4, 8.7);
  say(0, 0);
  await vi.waitUntil(async () => (await positions()).length > 0);
  expect([await positions(), app.lastFix.value]).toMatchObject([[49.4], { fix: { latitude: 49.4 } }]);
});

describe("a phone's clock that is set back by an hour", () => {
  const setBack = () => vi.spyOn(Date, "now").mockReturnValue(Date.now() - HOUR_MS);

  it("keeps no position from being told", async () => {
    say(50.1, 8.6);
    await vi.waitUntil(async () => (await positions()).length === 1);
    setBack();
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 31_000);
    say(50.1, 8.6);
    await vi.waitUntil(async () => (await positions()).length === 2);
  });

  it("keeps none from being told without a network", async () => {
    hasNetwork.value = false;
    await app.recordPosition("r", { latitude: 50.1, longitude: 8.6 });
    setBack();
    await app.recordPosition("r", { latitude: 50.2, longitude: 8.6 });
    expect(await positions()).toEqual([50.1, 50.2]);
    hasNetwork.value = true;
  });

  it("makes no position of before one of now", async () => {
    say(49.4, 8.7);
    setBack();
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000);
    await app.record({ deeds: [{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s" } }] });
    const [action] = (await store.readJournal()).actions.filter(({ action: { kind } }) => kind !== "POSITION");
    expect(action!.action.position).toBe(undefined);
  });
});
