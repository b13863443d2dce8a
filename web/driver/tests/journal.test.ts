// The journal's protocol under seeded trouble: the phone is killed at any await, requests and
// answers are lost, doubled and late, sessions end, backups come back. What was promised (a store
// transaction that committed) must arrive once, in order, without gaps, and the journal must drain.
//
// SCHEDULES says how many schedules are run; the long run takes 100,000.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { describe, expect, it } from "vitest";
import { Journals } from "../journals";
import { Sender } from "../sending";
import { Store } from "../store";
import { FakeService, randomFrom, type Trouble } from "./fake_service";

declare const process: { env: Record<string, string | undefined> };
const SCHEDULES = Number(process.env["SCHEDULES"] ?? 300);
const CALM: Trouble = { lostRequest: 0, lostAnswer: 0, doubled: 0, limited: 0, failing: 0 };

const OFFER = { label: "", name: "", routeId: "r", stopId: "s", until: 0, correct: [] };

class Killed extends Error {}

class Phone {
  store!: Store;
  sender!: Sender;
  signedOut = 0;
  token = "session-1";
  private generation = 0;
  private budget = Infinity; // awaits of the network until the phone dies

  constructor(readonly service: FakeService, readonly clock: { now: number }, readonly random: () => number) {}

  async start(): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    let made = 0;
    this.store = await Store.open("phone", () => `${generation}-${(made += 1)}-${Math.floor(this.random() * 1e9)}`);
    const alive = () => { if (this.generation !== generation || (this.budget -= 1) < 0) throw new Killed(); };
    this.sender = new Sender(this.store, {
      fetch: async (path, init) => {
        alive();
        const response = await this.service.fetch(path, init);
        alive();
        return response;
      },
      now: () => this.clock.now, clock: () => this.clock.now, hasNetwork: () => true, token: () => this.token, reached: () => undefined, signedOut: () => { this.signedOut += 1; }, signedIn: () => undefined,
      settled: () => undefined, stored: () => undefined,
    });
  }

  // Run steps of both pumps in an order of chance; die somewhere within.
  async sendFor(steps: number, budget: number): Promise<void> {
    this.budget = budget;
    for (let step = 0; step < steps && this.budget >= 0; step++) {
      const pump = this.random() < 0.5 ? () => this.sender.stepActions() : () => this.sender.stepFiles();
      const wait = await pump();
      if (wait !== Infinity) this.clock.now += Math.min(wait, 60_000);
    }
    this.budget = Infinity;
  }

  async restart(): Promise<void> {
    this.store.close();
    await this.start();
  }

  async drain(): Promise<boolean> {
    for (let turn = 0; turn < 400; turn++) {
      const [one, other] = [await this.sender.stepActions(), await this.sender.stepFiles()];
      this.clock.now += 60_000;
      if (one === Infinity && other === Infinity) return true;
    }
    return false;
  }
}

async function digest(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function runSchedule(seed: number): Promise<void> {
  globalThis.indexedDB = new IDBFactory();
  const random = randomFrom(seed);
  const level = random() * 0.4;
  const service = new FakeService(random, { lostRequest: level, lostAnswer: level, doubled: level / 2, limited: level / 4, failing: level / 4 });
  const phone = new Phone(service, { now: 1_700_000_000_000 }, random);
  await phone.start();
  await phone.store.saveSession({ id: "s", token: "session-1", driver: { id: "d", firstName: "", lastName: "" }, organization: { id: "o", name: "" }, device: "" });
  const promised = new Map<string, string>(); // id → note
  const files = new Map<string, string>(); // upload → hash
  let deeds = 0;
  for (let turn = 0; turn < 12; turn++) {
    const chance = random();
    if (chance < 0.45) {
      deeds += 1;
      const note = `deed ${deeds}`;
      const hasFile = random() < 0.3;
      const bytes = new Uint8Array(Math.floor(random() * 700_000) + 1).fill(deeds);
      const uploadId = `00000000-0000-4000-8000-${String(deeds).padStart(12, "0")}`;
      const file = hasFile ? { uploadId, type: "image/jpeg", bytes: bytes.buffer, sha256: await digest(bytes) } : undefined;
      const holdUntil = random() < 0.3 ? phone.clock.now + 10_000 : 0;
      const [stored] = await phone.store.record([{ deed: { kind: hasFile ? "PHOTO" : "PROOF_NOTE", routeId: "r", stopId: "s", note }, ...(file ? { file } : {}), holdUntil }], new Date(phone.clock.now).toISOString(), { offer: OFFER });
      promised.set(stored!.action.id, note);
      if (file) files.set(uploadId, file.sha256);
      if (random() < 0.25 && (await phone.store.takeBack("")).isDropped) {
        promised.delete(stored!.action.id);
        files.delete(uploadId);
      }
    } else if (chance < 0.85) {
      await phone.sendFor(1 + Math.floor(random() * 4), Math.floor(random() * 8));
      if (random() < 0.6) await phone.restart();
    } else if (chance < 0.9) {
      // A new sign-up: the old session is over, what waits goes on under the new one.
      service.token = phone.token = `session-${seed}-${turn}`;
      phone.sender.startAgain();
      if (random() < 0.5) await phone.restart();
    } else {
      service.isDown = !service.isDown;
    }
  }
  service.isDown = false;
  service.trouble = { ...CALM, lostAnswer: 0.3, lostRequest: 0.3 };
  await phone.restart();
  const isDrained = await phone.drain();
  phone.store.close();
  const told = `seed ${seed}`;
  expect(isDrained, told).toBe(true);
  expect(service.wrong, told).toEqual([]);
  expect(service.gaps(), told).toEqual([]);
  expect([...service.actions.values()].map(({ id, note }) => [id, note]).sort(), told).toEqual([...promised].sort());
  for (const [uploadId, sha256] of files) expect(await digest(service.bytesOf(uploadId)), told).toBe(sha256);
  expect(service.uploads.size, told).toBe(files.size);
}

// A door that cannot read an action with the word "bad" in it.
const refusing = (good: FakeService["fetch"]) => async (path: string, init: RequestInit) =>
  (path.endsWith("/actions") && String(init.body).includes("bad") ? new Response('{"code":3,"message":"bad"}', { status: 400 }) : good(path, init));

describe("the journal", () => {
  it(`brings everything that was promised once and in order, in ${SCHEDULES} schedules`, async () => {
    const first = Number(process.env["FIRST_SEED"] ?? 1);
    for (let seed = first; seed < first + SCHEDULES; seed++) await runSchedule(seed);
  }, 3_600_000);

  it("numbers what waits anew where a backup of the phone has come back", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    const tell = (note: string) => phone.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", note } }], "2030-01-01T00:00:00Z");
    const first = await tell("before");
    // The service has gone on to number 3 with what this phone has forgotten.
    service.session().lastSequence = 3;
    for (const number of [1, 2, 3]) service.session().numbers.set(number, `forgotten-${number}`);
    expect(await phone.drain()).toBe(true);
    expect(service.wrong).toEqual([]);
    expect(service.actions.get(first[0]!.action.id)?.sequence).toBe(4);
    const [next] = await tell("after");
    expect(next!.sequence).toBe(5);
  });

  it("asks again in a minute where its session is refused, which it may be for now only", async () => {
    globalThis.indexedDB = new IDBFactory();
    const phone = new Phone(new FakeService(() => 1, CALM), { now: 0 }, () => 0.5);
    await phone.start();
    await phone.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", note: "waits" } }], "2030-01-01T00:00:00Z");
    phone.token = "of somebody who is deactivated";
    expect([await phone.sender.stepActions(), phone.signedOut]).toEqual([60_000, 1]);
    phone.token = "session-1";
    expect(await phone.drain()).toBe(true);
  });

  it("gives no new number to what arrives while it is asked for", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    const good = service.fetch;
    let underWay: Parameters<typeof good> | null = null, isCut = false;
    const slow = async (path: string, init: RequestInit) => {
      if (path.endsWith("/actions") && !isCut) {
        isCut = true;
        underWay = [path, init];
        throw new TypeError("network");
      }
      const response = await good(path, init);
      if (path.endsWith("/journal/known") && underWay) {
        await good(...underWay);
        underWay = null;
      }
      return response;
    };
    Object.assign(service, { fetch: slow });
    const tell = (note: string) => phone.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", note } }], "2030-01-01T00:00:00Z");
    for (const note of ["one", "two"]) await tell(note);
    await phone.sender.stepActions();
    await phone.restart();
    expect(await phone.drain()).toBe(true);
    const [next] = await tell("three");
    expect(next!.sequence).toBe(3);
    expect(await phone.drain()).toBe(true);
    expect([service.wrong, service.gaps()]).toEqual([[], []]);
  });

  it("keeps an action that the door refuses as a whole, and sends the others", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    Object.assign(service, { fetch: refusing(service.fetch) });
    for (const note of ["one", "bad", "three"]) await phone.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", note } }], "2030-01-01T00:00:00Z");
    expect(await phone.drain()).toBe(true);
    const { settled, actions } = await phone.store.readJournal();
    expect(actions).toEqual([]);
    expect(settled.map(({ action, result }) => [action.note, result.outcome])).toEqual([["one", "APPLIED"], ["bad", "REFUSED"], ["three", "APPLIED"]]);
  });

  it("keeps a picture that is named for another stop when that is taken back", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    const bytes = new Uint8Array(10).fill(7);
    const photo = { kind: "PHOTO", routeId: "r", stopId: "s" };
    const uploadId = "00000000-0000-4000-8000-000000000001";
    await phone.store.record([{ deed: photo, file: { uploadId, type: "image/jpeg", bytes: bytes.buffer, sha256: await digest(bytes) } }], "2030-01-01T00:00:00Z");
    await phone.store.record([{ deed: { ...photo, stopId: "other", uploadId } }], "2030-01-01T00:00:00Z", { offer: OFFER });
    expect((await phone.store.takeBack("2030-01-01T00:00:01Z")).isDropped).toBe(true);
    expect(await phone.drain()).toBe(true);
    expect(service.wrong).toEqual([]);
    expect(service.bytesOf(uploadId)).toEqual(bytes);
  });

  it("brings a picture over a line on which a large part never arrives in time, and each byte once", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    const good = service.fetch;
    let bytesSent = 0;
    const weak = async (path: string, init: RequestInit) => {
      const size = init.body instanceof Uint8Array ? init.body.byteLength : 0;
      bytesSent += Math.min(size, 45 * 5_000);
      phone.clock.now += Math.min(45_000, size / 5);
      if (size > 45 * 5_000) throw new DOMException("late", "TimeoutError");
      return good(path, init);
    };
    Object.assign(service, { fetch: weak });
    const bytes = new Uint8Array(535_444).fill(7);
    const uploadId = "00000000-0000-4000-8000-000000000001";
    await phone.store.record([{ deed: { kind: "PHOTO", routeId: "r", stopId: "s" }, file: { uploadId, type: "image/jpeg", bytes: bytes.buffer, sha256: await digest(bytes) } }], "2030-01-01T00:00:00Z");
    expect(await phone.drain()).toBe(true);
    expect(await digest(service.bytesOf(uploadId))).toBe(await digest(bytes));
    expect(bytesSent).toBeLessThan(2 * bytes.length);
    expect(phone.clock.now).toBeLessThan(30 * 60_000);
    // A fast line takes large parts again.
    const parts: number[] = [];
    Object.assign(service, { fetch: (path: string, init: RequestInit) => { if (init.method === "PUT") parts.push((init.body as Uint8Array).byteLength); return good(path, init); } });
    const other = new Uint8Array(2_000_000).fill(8);
    await phone.store.record([{ deed: { kind: "PHOTO", routeId: "r", stopId: "s" }, file: { uploadId: uploadId.replace(/1$/, "2"), type: "image/jpeg", bytes: other.buffer, sha256: await digest(other) } }], "2030-01-01T00:00:00Z");
    expect(await phone.drain()).toBe(true);
    expect(Math.max(...parts)).toBe(1024 * 1024);
  });

  it("keeps what was refused listed once its driver has read why, and says what is refused later anew", async () => {
    globalThis.indexedDB = new IDBFactory();
    const service = new FakeService(() => 1, CALM);
    const phone = new Phone(service, { now: 0 }, () => 0.5);
    await phone.start();
    Object.assign(service, { fetch: refusing(service.fetch) });
    const tell = async (note: string) => {
      const [told] = await phone.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", note } }], "2030-01-01T00:00:00Z");
      await phone.drain();
      return told!.action.id;
    };
    const first = await tell("bad");
    await phone.store.noteRead([first], []);
    await phone.restart();
    await tell("bad, too");
    const { settled } = await phone.store.readJournal();
    expect(settled.map(({ action, result, isRead }) => [action.note, result.outcome, isRead ?? false])).toEqual([["bad", "REFUSED", true], ["bad, too", "REFUSED", false]]);
  });

  it("keeps what a picture is refused for, read or not", async () => {
    globalThis.indexedDB = new IDBFactory();
    const phone = new Phone(new FakeService(() => 1, CALM), { now: 0 }, () => 0.5);
    await phone.start();
    const uploadId = "00000000-0000-4000-8000-000000000001";
    await phone.store.record([{ deed: { kind: "PHOTO", routeId: "r", stopId: "s" }, file: { uploadId, type: "image/jpeg", bytes: new ArrayBuffer(1), sha256: "" } }], "2030-01-01T00:00:00Z");
    await phone.store.noteFile(uploadId, { trouble: "no picture" });
    await phone.store.noteRead([], [uploadId]);
    await phone.restart();
    expect((await phone.store.readJournal()).files).toMatchObject([{ uploadId, trouble: "no picture", isRead: true }]);
  });

  it("takes the note or a task alone out of what was typed, and puts it back under what was typed since", async () => {
    globalThis.indexedDB = new IDBFactory();
    const phone = new Phone(new FakeService(() => 1, CALM), { now: 0 }, () => 0.5);
    await phone.start();
    const tell = (only: { note?: boolean; taskIds?: string[] }) => phone.store.record([{ deed: { kind: "TASK_COMPLETED", routeId: "r", taskId: "t1" } }], "2030-01-01T00:00:00Z", { typed: [{ key: "s", only }], offer: OFFER });
    const drafts = async () => (await phone.store.readContents()).drafts;
    await phone.store.saveDraft("s", { note: "with Jo", leftWith: "NEIGHBOUR", tasks: { t1: "7", t2: "8" } });
    await tell({ taskIds: ["t1"] });
    expect(await drafts()).toEqual({ s: { note: "with Jo", leftWith: "NEIGHBOUR", tasks: { t2: "8" } } });
    await phone.store.saveDraft("s", { note: "with Jo", leftWith: "NEIGHBOUR", tasks: { t2: "9" } });
    await phone.restart();
    expect((await phone.store.takeBack("2030-01-01T00:00:01Z")).drafts).toEqual({ s: { note: "with Jo", leftWith: "NEIGHBOUR", tasks: { t1: "7", t2: "9" } } });
    await tell({ note: true });
    expect(await drafts()).toEqual({ s: { leftWith: "NEIGHBOUR", tasks: { t1: "7", t2: "9" } } });
  });

  it("shows nobody else what a driver has typed on the phone", async () => {
    globalThis.indexedDB = new IDBFactory();
    const sessionOf = (id: string) => ({ id: `session of ${id}`, token: "", driver: { id, firstName: "", lastName: "" }, organization: { id: "o", name: "" }, device: "" });
    const journals = await Journals.open();
    await journals.signIn(sessionOf("d1"));
    await journals.current.saveDraft("s", { note: "with Jo" });
    await journals.current.record([{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s2" } }], "2030-01-01T00:00:00Z", { offer: OFFER });
    await journals.signIn(sessionOf("d1"));
    expect((await journals.current.readContents()).drafts).toEqual({ s: { note: "with Jo" } });
    await journals.signIn(sessionOf("d2"));
    expect((await journals.current.readContents()).drafts).toEqual({});
    expect((await journals.current.readJournal()).undoable).toBeNull();
  });

  it("has what was typed there again after it is taken back, sent or not, under what was typed since", async () => {
    for (const isSent of [false, true]) {
      globalThis.indexedDB = new IDBFactory();
      const service = new FakeService(() => 1, CALM);
      const phone = new Phone(service, { now: 0 }, () => 0.5);
      await phone.start();
      await phone.store.saveDraft("s", { note: "with Jo", leftWith: "NEIGHBOUR", recipientName: "Jo" });
      const correct = [{ kind: "STOP_REOPENED", routeId: "r", stopId: "s" }];
      await phone.store.record([{ deed: { kind: "STOP_DELIVERED", routeId: "r", stopId: "s" } }], "2030-01-01T00:00:00Z", { typed: [{ key: "s" }], offer: { ...OFFER, correct } });
      if (isSent) await phone.drain();
      await phone.restart();
      expect((await phone.store.readContents()).drafts).toEqual({});
      await phone.store.saveDraft("s", { recipientName: "Joan" });
      expect((await phone.store.takeBack("2030-01-01T00:00:01Z")).isDropped).toBe(!isSent);
      expect((await phone.store.readContents()).drafts).toEqual({ s: { note: "with Jo", leftWith: "NEIGHBOUR", recipientName: "Joan" } });
      expect((await phone.store.readJournal()).undoable).toBeNull();
      await phone.drain();
      expect([...service.actions.values()].map(({ kind }) => kind)).toEqual(isSent ? ["STOP_DELIVERED", "STOP_REOPENED"] : []);
    }
  });
});
