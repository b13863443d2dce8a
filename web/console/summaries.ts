// What the reports hold, and how their figures are said.
import { locale, t } from "../kit/words";

export interface ArrivalBucket { stopsAhead: number; count: number; held: number; share?: number; medianErrorSeconds?: number }

export interface WorkSummary {
  routes: number; stops: number; delivered: number; attempted: number; open: number;
  onTime: number; late: number; onTimeShare?: number;
  distanceMeters: number; secondsOnTheRoad: number; stopsPerHour?: number;
  failedReasons: { reason: string; count: number }[]; ratings: number; averageRating?: number;
}

export interface DaySummary extends WorkSummary { date: string }
export interface DriverSummary extends WorkSummary { driverId?: string; name: string }

export const TARGET_SHARE = 0.9;

export const sayNumber = (number: number) => new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }).format(number);
// Of no currency: costs are counted in whatever those of the vehicles are.
export const sayCost = (cost: number) => t("planCost", { cost: new Intl.NumberFormat(locale.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cost) });
export const sayShare = (share: number) => new Intl.NumberFormat(locale.value, { style: "percent", maximumFractionDigits: 1 }).format(share);

export function sayDate(date: string): string {
  return new Intl.DateTimeFormat(locale.value, { timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric" }).format(Date.parse(`${date}T12:00:00Z`));
}

const LAST_OF_BUCKET: Record<number, number> = { 1: 2, 3: 5, 6: 10 };

// A bucket is known by the least count of stops ahead in it.
export function nameOfBucket(first: number): string {
  if (!first) return t("nextAtDoor");
  const last = LAST_OF_BUCKET[first];
  return last ? t("aheadBetween", { first, last }) : t("aheadFrom", { first });
}
