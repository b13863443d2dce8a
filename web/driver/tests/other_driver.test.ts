// One phone, several drivers: what one recorded never goes out as another's, and is never lost.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it } from "vitest";
import { Journals, countWaiting } from "../journals";
import { Sender } from "../sending";
import { Store } from "../store";
import { FakeService } from "./fake_service";

const AT = "2030-01-01T00:00:00Z";
const CALM = { lostRequest: 0, lostAnswer: 0, doubled: 0, limited: 0, failing: 0 };
const UPLOAD = "00000000-0000-4000-8000-000000000001";
const OFFER = { label: "", name: "", routeId: "r", stopId: "s", until: 0, correct: [] };

// All have one name: whoever it is is known by the id.
const sessionOf = (id: string, token = `session of ${id}`) => ({ id: token, token, driver: { id, firstName: "Ali", lastName: "" }, organization: { id: "o", name: "" }, device: "" });

const deliver = (store: Store, note: string) => store.record([{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s", note } }], AT, { offer: OFFER });

async function photograph(store: Store): Promise<void> {
  const file = { uploadId: UPLOAD, type: "image/jpeg", bytes: new Uint8Array([1, 2, 3]).buffer, sha256: "" };
  await store.record([{ deed: { kind: "PHOTO", routeId: "r", stopId: "s" }, file }], AT);
}

async function send(service: FakeService, store: Store, token: string): Promise<void> {
  service.token = token;
  const sender = new Sender(store, {
    fetch: service.fetch, now: () => 0, clock: () => 0, hasNetwork: () => true, token: () => token, reached: () => undefined, signedOut: () => undefined, signedIn: () => undefined, settled: () => undefined, stored: () => undefined,
  });
  for (let turn = 0; turn < 10; turn++) { await sender.stepActions(); await sender.stepFiles(); }
}

const service = () => new FakeService(() => 1, CALM);

beforeEach(() => { globalThis.indexedDB = new IDBFactory(); });

it("keeps a picture that waits with its driver when another one of the same name signs in", async () => {
  const journals = await Journals.open();
  await journals.signIn(sessionOf("ama"));
  await photograph(journals.current);
  const taken = service();
  // The action passes, its picture does not.
  await journals.current.takeBatch(1, 0);
  const { actions: [photo] } = await journals.current.readJournal();
  await journals.current.settle([{ id: photo!.action.id, outcome: "KEPT", reason: "WAITING", message: "" }], 1);
  await journals.signIn(sessionOf("ben"));
  expect(await journals.current.readJournal()).toMatchObject({ actions: [], files: [], settled: [] });
  // A phone that dies meanwhile knows both.
  const again = await Journals.open();
  expect((await again.current.readContents()).session?.driver.id).toBe("ben");
  const [aside] = again.aside;
  expect(countWaiting(await aside!.store.readJournal())).toBe(1);
  expect(await again.forget(aside!)).toBe(false);
  await send(taken, aside!.store, aside!.session.token);
  expect([...taken.bytesOf(UPLOAD)]).toEqual([1, 2, 3]);
  expect(await again.forget(aside!)).toBe(true);
  expect((await Journals.open()).aside).toEqual([]);
});

it("goes on with a driver's own journal when they sign in again, however they are called by now", async () => {
  const journals = await Journals.open();
  await journals.signIn(sessionOf("ama"));
  await deliver(journals.current, "Ama's");
  await journals.signIn(sessionOf("ben"));
  await deliver(journals.current, "Ben's");
  const back = sessionOf("ama", "Ama's second session");
  await journals.signIn({ ...back, driver: { ...back.driver, firstName: "Alina" } });
  const notes = async (store: Store) => (await store.readJournal()).actions.map(({ action }) => action.note);
  expect(await notes(journals.current)).toEqual(["Ama's"]);
  expect(await Promise.all(journals.aside.map(({ store }) => notes(store)))).toEqual([["Ben's"]]);
  await journals.signIn(sessionOf("cleo"));
  expect(await notes(journals.current)).toEqual([]);
  const again = await Journals.open();
  expect(again.aside.map(({ session }) => session.driver.id).sort()).toEqual(["ama", "ben"]);
  await again.signIn(sessionOf("ben", "Ben's second session"));
  const taken = service();
  await send(taken, again.current, "Ben's second session");
  expect([...taken.actions.values()].map(({ note }) => note)).toEqual(["Ben's"]);
});

it("takes over what a phone kept before it knew several journals", async () => {
  const before = await Store.open();
  await before.saveSession(sessionOf("ama"));
  await deliver(before, "waits");
  const journals = await Journals.open();
  await journals.signIn(sessionOf("ama", "a new session"));
  expect(countWaiting(await journals.current.readJournal())).toBe(1);
  expect(journals.aside).toEqual([]);
});

it("leaves nothing of a driver behind who has nothing unsent, but what was chosen for the phone", async () => {
  const journals = await Journals.open();
  await journals.signIn(sessionOf("ama"));
  await deliver(journals.current, "sent");
  await send(service(), journals.current, "session of ama");
  await journals.current.saveChoice("map", "waze");
  await journals.current.saveDraft("s", { note: "with Jo" });
  await journals.signIn(sessionOf("ben"));
  expect(journals.aside).toEqual([]);
  expect(await journals.current.readJournal()).toEqual({ actions: [], files: [], settled: [], undoable: null, looked: {} });
  expect(await journals.current.readContents()).toMatchObject({ drafts: {}, choices: { map: "waze" }, session: { driver: { id: "ben" } } });
});

it("puts aside what was refused and not read", async () => {
  const journals = await Journals.open();
  await journals.signIn(sessionOf("ama"));
  const [told] = await deliver(journals.current, "refused");
  await journals.current.settle([{ id: told!.action.id, outcome: "REFUSED", reason: "", message: "why" }], 1);
  await journals.signIn(sessionOf("ben"));
  await journals.signIn(sessionOf("ama"));
  expect((await journals.current.readJournal()).settled).toMatchObject([{ result: { outcome: "REFUSED" } }]);
});

it("leaves a driver signed in who comes back in any moment in which the last thing put aside is forgotten", async () => {
  for (let reads = 0; reads < 12; reads++) {
    globalThis.indexedDB = new IDBFactory();
    const journals = await Journals.open();
    await journals.signIn(sessionOf("ama"));
    await deliver(journals.current, "waits");
    await journals.signIn(sessionOf("ben"));
    const [aside] = journals.aside;
    await send(service(), aside!.store, "session of ama");
    const signedIn = journals.signIn(sessionOf("ama", "a new session"));
    for (let read = 0; read < reads; read++) await journals.current.readRegistry();
    await Promise.all([signedIn, journals.forget(aside!)]);
    for (const known of [journals, await Journals.open()]) expect((await known.current.readContents()).session?.token, `after ${reads} reads`).toBe("a new session");
  }
});

it("forgets a journal in a tab that is left without forgetting who has signed in since in another", async () => {
  const left = await Journals.open();
  await left.signIn(sessionOf("ama"));
  await deliver(left.current, "Ama's");
  await left.signIn(sessionOf("ben"));
  await deliver(left.current, "Ben's");
  const journals = await Journals.open();
  await journals.signIn(sessionOf("cleo"));
  await deliver(journals.current, "Cleo's");
  await send(service(), left.aside[0]!.store, "session of ama");
  await left.forget(left.aside[0]!);
  const again = await Journals.open();
  expect((await again.current.readContents()).session?.driver.id).toBe("cleo");
  expect(again.aside.map(({ session }) => session.driver.id)).toContain("ben");
});
