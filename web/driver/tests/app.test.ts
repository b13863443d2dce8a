// The state of the app beside its store: what is done meanwhile is neither lost nor done twice.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Route, Stop } from "../shapes";
import { Store } from "../store";

function stop(id: string): Stop {
  return {
    id, type: "DELIVERY", deliveryStatus: "OUT_FOR_DELIVERY", breakStatus: "UNKNOWN", note: "", plannedCoordinates: { latitude: 0, longitude: 0 }, items: [], orderName: id, clientStopId: "", timeWindows: [],
    tasks: [], proofOfDeliveryNote: "", proofOfDeliveryPhotos: [], proofOfDeliverySignatures: [], proofOfDeliveryBarcodes: [], attemptedReason: "UNKNOWN", attemptedNote: "",
  };
}

const ROUTE: Route = { id: "r", name: "R", note: "", start: { status: "STARTED", tasks: [] }, totalDistanceMeters: 0, stops: [..."abc"].map(stop) };

// The page that the app stands on: no more of it than the app looks at without a screen.
vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("window", globalThis);
vi.stubGlobal("navigator", { onLine: true });
const app = await import("../app");
const pumps = await import("../pumps");

let store: Store;

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  store = await Store.open("roundsman-driver"); // as the sender has it
  await store.saveList([{ id: "r", name: "R", stopCount: 3, claimable: false, started: true, completed: false }]);
  await store.saveRoute({ id: "r", route: ROUTE, tag: "1" }, store.tick());
  await store.changeLooked(() => ({ r: ["a", "b", "c"] }));
  await app.openStore();
});

it("tells the driver nothing of the driver's own order, though the journal is read for another reason meanwhile", async () => {
  const reading = app.putAway([], []);
  await app.record({ deeds: [{ deed: { kind: "STOPS_REORDERED", routeId: "r", stopIds: ["b", "c", "a"] } }], label: "Do later" });
  await reading;
  expect(app.routeOf("r")!.stops.map(({ id }) => id)).toEqual(["b", "c", "a"]);
  expect(app.newsAbout("r")).toBe(null);
});

it("brings back nothing of what was recorded with a key that is pressed meanwhile", async () => {
  const at = { routeId: "r", stopId: "a" };
  await app.keepStopDraft(at, { code: "4711" });
  const recording = app.record({ deeds: [{ deed: { kind: "BARCODE", ...at, value: "4711" } }], label: "Code", typed: [{ key: "a", only: { code: true } }] });
  await Promise.resolve();
  const typing = app.keepStopDraft(at, { note: "at the back" });
  await Promise.all([recording, typing]);
  const kept = (await store.readContents()).drafts["a"]!;
  expect([kept.code, kept.note]).toEqual([undefined, "at the back"]);
});

it("has a code that is being recorded go along with no delivery that is pressed meanwhile", async () => {
  const at = { routeId: "r", stopId: "a" };
  const save = () => app.record({ deeds: [{ deed: { kind: "BARCODE", ...at, value: "4711" } }], label: "Code", typed: [{ key: "a", only: { code: true } }] });
  await app.keepStopDraft(at, { code: "4711" });
  expect(app.draftsLeft()["a"]?.code).toBe("4711");
  const recording = save();
  expect(app.draftsLeft()["a"]?.code).toBe(undefined);
  await recording;
  await app.keepStopDraft(at, { code: "4712" });
  expect(app.draftsLeft()["a"]?.code).toBe("4712"); // typed since
});

it("brings back no code with Undo that was sent already, and what was typed beside it", async () => {
  const at = { routeId: "r", stopId: "a" };
  await app.keepStopDraft(at, { code: "4711", note: "at the back" });
  const deeds = [{ deed: { kind: "BARCODE", ...at, value: "4711" } }, { deed: { kind: "STOP_DELIVERED", ...at } }];
  const record = () => app.record({ deeds, correct: [{ kind: "STOP_REOPENED", ...at }], label: "Delivered", typed: [{ key: "a" }] });
  await record();
  await app.undo();
  expect(app.drafts.value["a"]).toMatchObject({ code: "4711", note: "at the back" });
  await record();
  await store.release();
  await store.takeBatch(10, Date.now());
  await app.undo();
  expect(app.actions.value.map(({ action }) => action.kind)).toEqual(["BARCODE", "STOP_DELIVERED", "STOP_REOPENED"]);
  expect([app.drafts.value["a"]?.code, app.drafts.value["a"]?.note]).toEqual([undefined, "at the back"]);
});

it("keeps nothing of a route that was asked for before somebody else signed in", async () => {
  const sessionOf = (id: string) => ({ session: { id, device: "" }, token: id, driver: { id, firstName: id, lastName: "" }, organization: { id: "o", name: "" } }) as unknown as Parameters<typeof app.keepSignedIn>[0];
  const held: ((response: Response) => void)[] = [];
  const isOf = (headers: HeadersInit | undefined, id: string) => new Headers(headers).get("Authorization") === `Bearer ${id}`;
  vi.stubGlobal("fetch", async (path: string, { headers }: RequestInit) => {
    if (path.endsWith("/routes/r") && isOf(headers, "ama")) return new Promise<Response>((resolve) => { held.push(resolve); });
    if (path.endsWith("/routes")) return Response.json({ routes: isOf(headers, "ama") ? [{ id: "r", name: "R", stopCount: 3, claimable: false, started: true, completed: false }] : [] });
    return new Promise<Response>(() => undefined);
  });
  void app.keepSignedIn(sessionOf("ama"));
  await vi.waitUntil(() => held.length === 1);
  const kept: string[] = [];
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (value: { id?: string }, key) { if (this.name === "routes") kept.push(value.id ?? ""); return put.call(this, value, key); };
  const signedIn = app.keepSignedIn(sessionOf("ben"));
  await vi.waitUntil(() => app.session.value?.id === "ben");
  held[0]!(Response.json(ROUTE, { headers: { ETag: "1" } }));
  await signedIn;
  IDBObjectStore.prototype.put = put;
  expect(kept).toEqual([]);
});

it("tells the driver once what counted and another device has said otherwise about since", async () => {
  const asked: string[] = [];
  const attempted = { ...ROUTE, stops: ROUTE.stops.map((one) => (one.id === "a" ? { ...one, deliveryStatus: "ATTEMPTED_DELIVERY", attemptedReason: "REFUSED" } : { ...one, deliveryStatus: "DELIVERED" })) };
  await store.saveSession({ id: "s", token: "t", device: "", driver: { id: "d", firstName: "D", lastName: "" }, organization: { id: "o", name: "O" } });
  await app.openStore();
  const deliver = ["a", "b", "c"].map((stopId) => ({ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId } }));
  const told = await store.record([...deliver, { deed: { kind: "STOP_REOPENED", routeId: "r", stopId: "c" } }, deliver[2]!], new Date().toISOString());
  await store.takeBatch(10, Date.now());
  await store.settle(told.map(({ action }) => ({ id: action.id, outcome: "APPLIED", reason: "", message: "" })), 0);
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const { ids } = JSON.parse((init.body as string | undefined) ?? "{}") as { ids?: string[] };
    if (ids) asked.push(...ids);
    const list = [{ id: "r", name: "R", stopCount: 3, claimable: false, started: true, completed: false }];
    return new Response(JSON.stringify(ids ? { known: ids, superseded: ids } : path.endsWith("/routes") ? { routes: list } : attempted), { headers: { ETag: "2" } });
  });
  await app.readRoutes();
  expect(app.unseen.value.map(({ action, result }) => [action.stopId, result.reason])).toEqual([["a", "SUPERSEDED"]]);
  await app.seeUnseen();
  await app.readRoutes();
  expect(app.unseen.value).toEqual([]);
  expect(asked).toEqual([told[0]!.action.id]);
});

it("reads and tells nothing in a tab that was left for another one, which has the journal now", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => { asked.push(path); return Response.json({ routes: [] }); });
  await store.saveSession({ id: "s", token: "t", device: "", driver: { id: "d", firstName: "D", lastName: "" }, organization: { id: "o", name: "O" } });
  await app.openStore();
  app.phase.value = "elsewhere";
  await app.readRoutes();
  await app.readSession();
  await app.recordPosition("r", { latitude: 1, longitude: 1 });
  app.phase.value = "ready";
  expect([asked, (await store.readContents()).list.length, (await store.readJournal()).actions]).toEqual([[], 1, []]);
});

it("asks again while the session is refused, and goes on once its driver is activated", async () => {
  let isActive = false;
  vi.stubGlobal("fetch", async () => (isActive ? Response.json({ routes: [] }) : Response.json({ code: 16 }, { status: 401 })));
  await store.saveSession({ id: "s", token: "t", device: "", driver: { id: "d", firstName: "D", lastName: "" }, organization: { id: "o", name: "O" } });
  await app.openStore();
  await app.readRoutes();
  expect(pumps.isSignedOut.value).toBe(true);
  isActive = true;
  app.sendNow();
  await vi.waitUntil(() => !pumps.isSignedOut.value);
});

it("takes no answer to whoever opens a link for one to the session that is refused", async () => {
  vi.stubGlobal("fetch", async (path: string) => (path.includes("/invites/") ? Response.json({}) : Response.json({ code: 16 }, { status: 401 })));
  await store.saveSession({ id: "s", token: "t", device: "", driver: { id: "d", firstName: "D", lastName: "" }, organization: { id: "o", name: "O" } });
  await app.openStore();
  await app.readRoutes();
  await app.ask("/invites/another");
  expect(pumps.isSignedOut.value).toBe(true);
});

describe("the outcome that ends the route", () => {
  const deliver = (...stopIds: string[]) => {
    const base = stopIds.map((stopId) => ({ routeId: "r", stopId }));
    return app.record({ deeds: base.map((one) => ({ deed: { kind: "STOP_DELIVERED", ...one } })), correct: base.map((one) => ({ kind: "STOP_REOPENED", ...one })), label: "Delivered" });
  };
  const sent = async (now = Date.now()) => (await store.takeBatch(10, now)).map(({ stopId }) => stopId);

  it("is not sent while it can be taken back, and says that it waits", async () => {
    await deliver("a");
    await deliver("b");
    expect(await sent()).toEqual(["a", "b"]);
    await store.settle(app.actions.value.map(({ action }) => ({ id: action.id, outcome: "APPLIED", reason: "", message: "" })), store.tick());
    await deliver("c");
    expect([await sent(), app.waitingCount.value]).toEqual([[], 1]);
    await app.undo();
    expect([app.actions.value, await store.readNextNumber(), app.routeOf("r")!.stops[2]!.deliveryStatus]).toEqual([[], 3, "OUT_FOR_DELIVERY"]);
  });

  it("is sent once the time of its undo is over", async () => {
    await deliver("a", "b", "c");
    expect(await sent(app.undoable.value!.until - 100)).toEqual([]);
    expect(await sent(app.undoable.value!.until)).toEqual(["a", "b", "c"]);
  });

  it("is sent with the next tap", async () => {
    await deliver("a", "b", "c");
    await app.record({ deeds: [{ deed: { kind: "STOP_ARRIVED", routeId: "r", stopId: "c" } }], label: "At the door" });
    expect(await sent()).toEqual(["a", "b", "c"]);
  });

  it("is offered no undo any more once it was sent, as on a phone that was put away", async () => {
    await deliver("a", "b", "c");
    await store.release();
    await app.openStore();
    expect(app.undoable.value).not.toBe(null); // nobody has it yet
    await sent();
    await app.openStore();
    expect(app.undoable.value).toBe(null);
  });

  it("is sent at once where the route has an end, which completes it", async () => {
    await store.saveRoute({ id: "r", route: { ...ROUTE, end: { status: "UNKNOWN", tasks: [] } }, tag: "2" }, store.tick());
    await app.openStore();
    await deliver("a", "b", "c");
    expect(await sent()).toEqual(["a", "b", "c"]);
  });
});

it("offers no undo of what was sent and no later action corrects", async () => {
  await app.record({ deeds: [{ deed: { kind: "STOP_ARRIVED", routeId: "r", stopId: "a" } }], label: "At the door" });
  await store.release();
  await store.takeBatch(10, Date.now());
  await app.openStore();
  expect(app.undoable.value).toBe(null);
});

describe("a phone's clock that was five hours ahead", () => {
  const AHEAD_MS = 5 * 3600_000;
  const arrive = () => app.record({ deeds: [{ deed: { kind: "STOP_ARRIVED", routeId: "r", stopId: "a" } }], label: "At the door" });
  const wait = (until: number) => Math.round((until - Date.now()) / 1000);

  it("holds nothing longer than the ten seconds of Undo where it is set right", async () => {
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now + AHEAD_MS);
    await arrive();
    clock.mockRestore();
    expect(wait(app.actions.value[0]!.holdUntil)).toBeLessThanOrEqual(10);
    expect(wait(app.undoable.value!.until)).toBeLessThanOrEqual(10);
  });

  it("holds nothing longer in an app that is opened again", async () => {
    const ahead = Date.now() + AHEAD_MS;
    const offer = { label: "At the door", name: "a", routeId: "r", stopId: "a", correct: [], until: ahead };
    await store.record([{ deed: { kind: "STOP_ARRIVED", routeId: "r", stopId: "a" }, holdUntil: ahead }], new Date(ahead).toISOString(), { offer });
    await app.openStore();
    expect(wait(app.actions.value[0]!.holdUntil)).toBe(10);
    expect(wait(app.undoable.value!.until)).toBe(10);
  });
});
