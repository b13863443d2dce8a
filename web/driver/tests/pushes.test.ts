// Whoever wants to be told goes on to be, though the push service has called the subscription off.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { Store } from "../store";

// A browser with a push service, which calls each subscription by a number.
const browser = {
  made: 0,
  subscription: null as { endpoint: string; unsubscribe: () => Promise<boolean> } | null,
  getSubscription: async () => browser.subscription,
  subscribe: async () => (browser.subscription = { endpoint: `https://push.example/${(browser.made += 1)}`, unsubscribe: async () => { browser.subscription = null; return true; } }),
};
let inFront = () => {};

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("window", globalThis);
vi.stubGlobal("PushManager", class {});
vi.stubGlobal("Notification", { permission: "granted" });
vi.stubGlobal("navigator", { onLine: true, serviceWorker: { ready: Promise.resolve({ pushManager: browser }) } });
vi.stubGlobal("caches", { open: async () => ({ put: async () => undefined }) });
vi.stubGlobal("document", { visibilityState: "visible", addEventListener: (_: string, then: () => void) => { inFront = then; } });
const app = await import("../app");
const pushes = await import("../pushes");

let known = ""; // the address that the server has of this phone
let isActive = true;
let asked = 0;

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", async (_: string, { method = "GET", body }: RequestInit) => {
    asked += 1;
    if (!isActive) return Response.json({ code: 16, message: "session token is invalid" }, { status: 401 });
    if (method === "POST") known = (JSON.parse(body as string) as { endpoint: string }).endpoint;
    return Response.json({ publicKey: "key", isSubscribed: known !== "" });
  });
  [known, isActive, asked] = ["", true, 0];
  const store = await Store.open("roundsman-driver");
  await store.saveSession({ id: "s", token: "t", device: "", driver: { id: "d", firstName: "D", lastName: "" }, organization: { id: "o", name: "O" } });
  await store.saveChoice("pushes", "on");
  await app.openStore();
});

it("subscribes anew, once, when the app is put in front and the server has forgotten this phone", async () => {
  pushes.stayTold();
  await vi.waitUntil(() => known !== "");
  const before = known;
  known = ""; // its push service has answered 410
  inFront();
  inFront();
  await vi.waitUntil(() => known !== "");
  expect([known, browser.subscription?.endpoint]).toEqual([`https://push.example/${browser.made}`, known]);
  expect(known).not.toBe(before);
  await pushes.subscribeAgain();
  expect([asked, pushes.isTold()]).toEqual([5, true]); // asked and told, twice, and asked
});

it("takes a session that is refused for now for no failure of the push service", async () => {
  await pushes.subscribeAgain();
  isActive = false;
  await pushes.subscribeAgain();
  expect([pushes.isTold(), pushes.whyNotTold()]).toEqual([true, ""]);
});
