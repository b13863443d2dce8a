// Times of another day name it, by the clocks of the organization.
import { expect, it } from "vitest";
import { nameOtherDay, sayDayAndTime, sayOtherDay } from "../../kit/times";

const ZONE = "Europe/Berlin";
const FRIDAY = "2026-11-27";

it("names the day of a time past midnight, and not that of the day itself", () => {
  const said = (at: string, locale: string) => sayDayAndTime(at, ZONE, locale, FRIDAY);
  expect(said("2026-11-27T22:59:00Z", "de")).toBe("23:59");
  expect(said("2026-11-27T23:00:00Z", "de")).toBe("Sa\u00a000:00");
  expect(said("2026-11-28T10:50:00Z", "pl")).toBe("sob.\u00a011:50");
  expect(said("2026-11-28T10:50:00Z", "en")).toBe("Sat\u00a011:50");
});

it("names a day that is told as such, by no zone", () => {
  expect([nameOtherDay("2026-11-28", "en", FRIDAY), nameOtherDay(FRIDAY, "en", FRIDAY)]).toEqual(["Sat", ""]);
});

it("names the date, too, where a day of the week could be another week's", () => {
  expect(sayOtherDay("2026-12-03T10:00:00Z", ZONE, "en", FRIDAY)).toBe("Thu");
  expect(sayOtherDay("2026-12-04T10:00:00Z", ZONE, "en", FRIDAY)).toBe("Fri, Dec 4");
  expect(sayOtherDay(undefined, ZONE, "en", FRIDAY)).toBe("");
});
