// Where the phone is led to a stop.
import { expect, test } from "vitest";
import { mapLink } from "../map_links";
import type { Stop } from "../shapes";

const address = { address1: "Main St 5", address2: "", city: "Baltimore", provinceCode: "MD", countryCode: "US", zip: "21201" };
const stopAt = (latitude: number, longitude: number, more: Partial<Stop> = {}) => ({ plannedCoordinates: { latitude, longitude }, address, ...more }) as Stop;

test("a stop at 0,0 is navigated to by its address, not into the sea", () => {
  for (const app of ["google", "apple", "waze", "geo"]) {
    const link = mapLink(stopAt(0, 0), app);
    expect(decodeURIComponent(link)).toContain("Main St 5");
    expect(link).not.toContain("0.000000");
  }
  expect(mapLink(stopAt(39.29, -76.61), "google")).toContain("destination=39.290000,-76.610000");
});
