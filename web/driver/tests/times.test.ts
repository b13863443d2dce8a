// Times in the hour that clocks show twice, when they are put back (kit/times).
import { expect, test } from "vitest";
import { sayTimes } from "../../kit/times";

const BALTIMORE = "America/New_York";
const said = (start: string, end: string) => sayTimes({ start, end }, BALTIMORE, "en");

test("a window in the hour that clocks show twice names its clocks", () => {
  expect(said("2030-11-03T05:45:00Z", "2030-11-03T06:15:00Z")).toBe("01:45 EDT – 01:15 EST");
  expect(said("2030-11-03T06:50:00Z", "2030-11-03T07:20:00Z")).toBe("01:50 EST – 02:20 EST");
});

test("any other window has times alone, also in that night and where clocks are put forward", () => {
  expect(said("2030-11-03T04:15:00Z", "2030-11-03T04:45:00Z")).toBe("00:15–00:45");
  expect(said("2030-11-03T07:00:00Z", "2030-11-03T07:30:00Z")).toBe("02:00–02:30");
  expect(said("2030-03-10T06:45:00Z", "2030-03-10T07:15:00Z")).toBe("01:45–03:15");
});
