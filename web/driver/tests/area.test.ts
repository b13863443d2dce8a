// The streets around a route that the phone keeps.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { expect, it, vi } from "vitest";
import type { Route } from "../shapes";

vi.stubGlobal("location", { hash: "" });
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("window", globalThis);
vi.stubGlobal("navigator", { onLine: true });
vi.stubGlobal("indexedDB", new IDBFactory());
const app = await import("../app");
const { keepArea } = await import("../area");

const ROUTE: Route = { id: "r", name: "R", note: "", start: { status: "STARTED", tasks: [] }, totalDistanceMeters: 0, stops: [] };
const TILES = ["/map/tiles/8/134/86?v=1", "/map/tiles/9/268/172?v=1"];

it("keeps the tiles that the service lists, also where its first answer did not arrive", async () => {
  const kept: string[] = [];
  const cache = { keys: async () => [], match: async () => undefined, put: async (address: string) => { kept.push(address); } };
  vi.stubGlobal("caches", { open: async () => cache });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    if (address === "/map") return Response.json({ version: "1" });
    if (!address.endsWith("/routes/r/area")) return new Response("tile");
    if (asked.filter((one) => one === address).length === 1) throw new TypeError("network");
    return Response.json({ tiles: TILES });
  });
  await app.openStore();
  await expect(keepArea(ROUTE)).rejects.toThrow("network");
  await keepArea(ROUTE);
  expect(kept.filter((address) => address !== "/map")).toEqual(TILES);
  const before = asked.length;
  await keepArea(ROUTE);
  expect(asked.length).toBe(before);
});
