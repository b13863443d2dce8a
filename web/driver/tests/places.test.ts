// An address that was typed by hand shows a screen, too.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.stubGlobal("location", { hash: "#/route/%/stop/a%20b" });
  vi.stubGlobal("addEventListener", () => undefined);
});

afterEach(() => { vi.unstubAllGlobals(); });

it("takes a part of an address that nobody encoded as it is", async () => {
  const { parts } = await import("../places");
  expect(parts.value).toEqual(["route", "%", "stop", "a b"]);
});
