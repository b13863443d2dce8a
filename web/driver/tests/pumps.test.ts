// What sends the journals of a phone, over requests that a test answers when it likes.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Store } from "../store";

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("window", globalThis);
vi.stubGlobal("navigator", { onLine: true });
const pumps = await import("../pumps");

const AT = "2030-01-01T00:00:00Z";
const sessionOf = (token: string) => ({ id: token, token, driver: { id: "ama", firstName: "", lastName: "" }, organization: { id: "o", name: "" }, device: "" });
const note = (words: string) => pumps.store.record([{ deed: { kind: "PROOF_NOTE", routeId: "r", stopId: "s", note: words } }], AT);

interface Asked { path: string; token: string; answer: (status: number, body: object) => void }
let asked: Asked[];

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  asked = [];
  vi.stubGlobal("fetch", (url: string, { headers }: RequestInit) => new Promise<Response>((resolve) => {
    const token = new Headers(headers).get("Authorization")!.replace("Bearer ", "");
    asked.push({ path: url.replace("/driver/api", ""), token, answer: (status, body) => { resolve(new Response(JSON.stringify(body), { status })); } });
  }));
  await (await Store.open()).saveSession(sessionOf("old"));
  await pumps.openJournals({ reached: () => undefined, settled: () => undefined, stored: () => undefined }, () => undefined);
});
afterEach(() => { pumps.endPumps(); });

// Until the pumps have looked at the journal and wait.
async function rest(): Promise<void> {
  for (let read = 0; read < 10; read++) await pumps.store.readJournal();
}

const begin = () => { pumps.runPumps((error) => { throw error; }); };

it("ends the session of the request that was refused, though another has begun meanwhile", async () => {
  await note("waits");
  begin();
  await vi.waitUntil(() => asked.length === 1);
  await pumps.useJournalOf(sessionOf("new"));
  asked[0]!.answer(401, { code: 16 });
  await vi.waitUntil(() => asked.length === 2);
  expect([asked[1]!.token, pumps.isSignedOut.value]).toEqual(["new", false]);
});

it("sends what waited once a session that was refused is taken again, and says so", async () => {
  await note("waits");
  begin();
  await vi.waitUntil(() => asked.length === 1);
  asked[0]!.answer(401, { code: 16 });
  await vi.waitUntil(() => pumps.isSignedOut.value);
  await rest();
  expect(asked.length).toBe(1); // not in a hurry
  pumps.hurry();
  await vi.waitUntil(() => asked.length === 2);
  asked[1]!.answer(200, { lastSequence: 0, gaps: [] });
  await vi.waitUntil(() => asked.length === 3);
  expect([asked.map(({ path }) => path), pumps.isSignedOut.value]).toEqual([["/journal", "/journal", "/actions"], false]);
});

it("sends nothing more from a tab that has been left, and as much as before once it is used again", async () => {
  begin();
  await vi.waitUntil(() => asked.length === 1);
  asked[0]!.answer(200, { lastSequence: 0, gaps: [] });
  await rest();
  pumps.endPumps();
  await note("recorded in the other tab");
  pumps.wake();
  await pumps.openJournals({ reached: () => undefined, settled: () => undefined, stored: () => undefined }, () => undefined);
  begin();
  await vi.waitUntil(() => asked.length > 1);
  await rest();
  expect(asked.length).toBe(2);
});

it("ends the open session by the first refusal in a tab that was left and is used again", async () => {
  await pumps.openJournals({ reached: () => undefined, settled: () => undefined, stored: () => undefined }, () => undefined);
  pumps.noteSignedOut("old");
  expect(pumps.isSignedOut.value).toBe(true);
  await (await Store.open()).saveSession(sessionOf("new")); // as the other tab does when its driver signs in
  await pumps.openJournals({ reached: () => undefined, settled: () => undefined, stored: () => undefined }, () => undefined);
  expect(pumps.isSignedOut.value).toBe(false);
});
