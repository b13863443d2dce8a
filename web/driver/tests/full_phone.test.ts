// A phone without room: what can be had again goes, what was recorded stays and is sent.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Sender } from "../sending";
import type { Route } from "../shapes";
import { room } from "../space";
import { Store } from "../store";
import { FakeService } from "./fake_service";

const AT = "2030-01-01T00:00:00Z";
const UPLOAD = "00000000-0000-4000-8000-000000000001";
const CALM = { lostRequest: 0, lostAnswer: 0, doubled: 0, limited: 0, failing: 0 };
const LIST = [{ id: "r", name: "Van 1", stopCount: 1, claimable: false, started: true, completed: false }];

// What the phone's storage takes in one row; more is refused, as by a browser whose disk is full.
let mostBytes = Infinity;
const { put } = IDBObjectStore.prototype;
const sizeOf = (value: { bytes?: ArrayBuffer }) => 100 + (value.bytes?.byteLength ?? 0);

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  room.value = "plenty";
  mostBytes = Infinity;
  IDBObjectStore.prototype.put = function (value, key) {
    if (sizeOf(value as { bytes?: ArrayBuffer }) > mostBytes) throw new DOMException("no room", "QuotaExceededError");
    return put.call(this, value, key);
  };
});
afterEach(() => { IDBObjectStore.prototype.put = put; });

const sessionOf = (id: string) => ({ id, token: id, driver: { id, firstName: "", lastName: "" }, organization: { id: "o", name: "" }, device: "" });
const routeOf = (id: string, completedAt?: string) => ({ id, stops: [], ...(completedAt ? { completedAt } : {}) }) as unknown as Route;
const deliver = (store: Store, note: string) => store.record([{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s", note } }], AT);
const photograph = (store: Store, size: number) =>
  store.record([{ deed: { kind: "PHOTO", routeId: "r", stopId: "s" }, file: { uploadId: UPLOAD, type: "image/jpeg", bytes: new ArrayBuffer(size), sha256: "" } }], AT);

function senderOf(store: Store, service: FakeService): Sender {
  return new Sender(store, {
    fetch: service.fetch, now: () => 0, clock: () => 0, hasNetwork: () => true, token: () => service.token, reached: () => undefined, signedOut: () => undefined, signedIn: () => undefined, settled: () => undefined, stored: () => undefined,
  });
}

it("sends what waits and reads routes where nothing more can be written", async () => {
  const store = await Store.open();
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "1" }, store.tick());
  await deliver(store, "one");
  await deliver(store, "two");
  await photograph(store, 1_000);
  mostBytes = 0;
  const service = new FakeService(() => 1, CALM);
  const sender = senderOf(store, service);
  for (let turn = 0; turn < 6; turn++) { await sender.stepActions(); await sender.stepFiles(); }
  expect([...service.actions.values()].map(({ kind, note }) => note ?? kind)).toEqual(["one", "two", "PHOTO"]);
  expect(service.bytesOf(UPLOAD).length).toBe(1_000);
  expect(room.value).toBe("none");
  const { actions, files, settled } = await store.readJournal();
  expect(actions).toEqual([]);
  expect(files).toMatchObject([{ isComplete: true }]);
  expect(settled.map(({ result }) => result.outcome)).toEqual(["APPLIED", "APPLIED", "APPLIED"]);
  // What is read is shown, and the picture that has arrived makes room.
  await store.saveList(LIST);
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "2" }, store.tick());
  expect(await store.readContents()).toMatchObject({ list: LIST, routes: [{ id: "r", tag: "2" }] });
  const after = await store.readJournal();
  expect(after.files).toEqual([]);
  expect(after.settled.every(({ isShown }) => isShown)).toBe(true);
  // Once there is room again all is written.
  mostBytes = Infinity;
  await store.saveList(LIST);
  expect(room.value).toBe("little");
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "3" }, store.tick());
  expect(await (await Store.open()).readContents()).toMatchObject({ list: LIST, routes: [{ id: "r", tag: "3" }] });
});

it("takes nothing back that was sent without room to note so", async () => {
  const store = await Store.open();
  await store.record([{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s" } }], AT, { offer: { label: "", name: "", routeId: "r", stopId: "s", until: 0, correct: [{ kind: "STOP_REOPENED", routeId: "r", stopId: "s" }] } });
  mostBytes = 0;
  await store.takeBatch(100, 0);
  mostBytes = Infinity;
  expect((await store.takeBack(AT)).isDropped).toBe(false);
  expect((await store.readJournal()).actions.map(({ action }) => action.kind)).toEqual(["STOP_DELIVERED", "STOP_REOPENED"]);
});

it("forgets what can be had again at the first refusal, and nothing that was not sent", async () => {
  const forgotten: string[] = [];
  Object.assign(globalThis, { caches: { delete: async (name: string) => { forgotten.push(name); mostBytes = Infinity; return true; } } });
  const store = await Store.open();
  await store.saveRoute({ id: "old", route: routeOf("old", AT), tag: "" }, store.tick());
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "" }, store.tick());
  await deliver(store, "waits");
  mostBytes = 0;
  await photograph(store, 1_000);
  expect(forgotten).toEqual(["roundsman-tiles"]);
  expect(room.value).toBe("little");
  expect((await store.readContents()).routes.map(({ id }) => id)).toEqual(["r"]);
  expect((await store.readJournal()).actions.map(({ action }) => action.kind)).toEqual(["STOP_DELIVERED", "PHOTO"]);
  Reflect.deleteProperty(globalThis, "caches");
});

it("records nothing of a picture for which there is no room, and knows so before the next one", async () => {
  const store = await Store.open();
  mostBytes = 10_000;
  await expect(photograph(store, 500_000)).rejects.toMatchObject({ name: "QuotaExceededError" });
  expect(await store.readJournal()).toMatchObject({ actions: [], files: [] });
  expect(await store.hasRoomFor(256 * 1024)).toBe(false);
  expect(await store.hasRoomFor(5_000)).toBe(true);
  await deliver(store, "without a picture");
  expect(await store.readBytes("trial")).toEqual([]);
});

it("goes on showing the last answer about a route for which there was no room when the next one is that nothing has changed", async () => {
  const store = await Store.open();
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "1" }, store.tick());
  mostBytes = 0;
  await store.saveRoute({ id: "r", route: routeOf("r"), tag: "2" }, store.tick());
  await store.saveRoute({ id: "r" }, store.tick());
  expect((await store.readContents()).routes).toMatchObject([{ tag: "2" }]);
  // Once there is room it is written.
  mostBytes = Infinity;
  await store.saveRoute({ id: "r" }, store.tick());
  for (const one of [store, await Store.open()]) expect((await one.readContents()).routes).toMatchObject([{ tag: "2" }]);
});

it("shows nobody what it had no room to write of the driver before", async () => {
  const store = await Store.open();
  await store.saveSession(sessionOf("ama"));
  for (const leave of [() => store.clear(), () => store.signIn(sessionOf("ben"))]) {
    const [{ action } = { action: { id: "" } }] = await deliver(store, "Ama's");
    mostBytes = 0;
    await store.saveList(LIST);
    await store.saveRoute({ id: "r", route: routeOf("r"), tag: "1" }, store.tick());
    await store.settle([{ id: action.id, outcome: "REFUSED", reason: "", message: "why" }], store.tick());
    mostBytes = Infinity;
    await leave();
    expect(await store.readContents()).toMatchObject({ list: [], routes: [] });
    expect((await store.readJournal()).settled).toEqual([]);
    await store.clear();
    await store.saveSession(sessionOf("ama"));
  }
});

it("lets its driver put away what was refused while there is no room to write so", async () => {
  const store = await Store.open();
  const [refused] = await deliver(store, "refused");
  const [kept] = await deliver(store, "kept");
  await photograph(store, 1_000);
  mostBytes = 0;
  await store.settle([{ id: refused!.action.id, outcome: "REFUSED", reason: "", message: "why" }, { id: kept!.action.id, outcome: "KEPT", reason: "STOP_GONE", message: "" }], store.tick());
  await store.noteFile(UPLOAD, { trouble: "no picture" });
  await store.noteRead([refused!.action.id], [UPLOAD]);
  await store.noteSeen([kept!.action.id]);
  const { settled, files } = await store.readJournal();
  expect(settled).toMatchObject([{ isRead: true }, { isUnseen: false }]);
  expect(files).toMatchObject([{ isRead: true }]);
});

it("shows what came to nothing once and as it is, however often it is noted without room", async () => {
  const store = await Store.open();
  const [told] = await deliver(store, "one");
  await store.takeBatch(10, 0);
  await store.settle([{ id: told!.action.id, outcome: "APPLIED", reason: "", message: "" }], 0);
  mostBytes = 0;
  await store.noteSuperseded([told!.action.id]);
  await store.noteSeen([told!.action.id]);
  const read = async () => (await store.readJournal()).settled.map(({ result, isUnseen }) => [result.reason, isUnseen]);
  expect(await read()).toEqual([["SUPERSEDED", false]]);
  mostBytes = Infinity;
  await store.noteSeen([told!.action.id]);
  await store.settle([], 0);
  expect(await read()).toEqual([["SUPERSEDED", false]]);
});
