// Days and times by the clocks of a zone, whatever the clock of the person who looks.

const MINUTE = 60_000;

export function knownZone(zone: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return "UTC"; // then also what is shown
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, options);
    formats.set(key, found);
  }
  return found;
}

function partsAt(instant: number, zone: string): Record<string, string> {
  const parts = format("en-GB", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
    hour: "2-digit", minute: "2-digit", second: "2-digit",
  }).formatToParts(instant);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

// The calendar day at an instant, as 2030-05-06.
export function dayAt(instant: number, zone: string): string {
  const { year, month, day } = partsAt(instant, zone);
  return `${year!.padStart(4, "0")}-${month}-${day}`;
}

function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = partsAt(instant, zone);
  return Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!) - Math.floor(instant / 1000) * 1000;
}

// The instant at which clocks show a time of a day, such as 08:30.
export function instantOf(day: string, time: string, zone: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const first = wall - offsetAt(wall, zone);
  return wall - offsetAt(first, zone);
}

// The time that clocks show, as 08:30, the next five minutes begun.
export function timeAt(instant: number, zone: string): string {
  const { hour, minute } = partsAt(Math.ceil(instant / (5 * MINUTE)) * 5 * MINUTE, zone);
  return `${hour}:${minute}`;
}

export function daysLater(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + count * 24 * 60 * MINUTE).toISOString().slice(0, 10);
}

export interface CalendarDay { year: number; month: number; day: number }

export const dayOf = ({ year, month, day }: CalendarDay) =>
  [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");

export function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T12:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

export function sayDay(day: string, locale: string): string {
  return format(locale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" })
    .format(Date.parse(`${day}T12:00:00Z`));
}

export function sayTime(timestamp: string | null | undefined, zone: string, locale: string): string {
  if (!timestamp) return "";
  return format(locale, { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(Date.parse(timestamp));
}

// Whether clocks show the time of an instant twice in that night, for they are put back.
function isShownTwice(instant: number, zone: string): boolean {
  const back = offsetAt(instant - 180 * MINUTE, zone) - offsetAt(instant + 180 * MINUTE, zone);
  return back > 0 && [instant, instant - back].some((first) => offsetAt(first, zone) - offsetAt(first + back, zone) === back);
}

/** Say from when to when, and by which clocks where one of the ends is a time that they show twice. */
export function sayTimes({ start, end }: { start: string; end: string }, zone: string, locale: string): string {
  if (![start, end].some((one) => isShownTwice(Date.parse(one), zone))) return `${sayTime(start, zone, locale)}–${sayTime(end, zone, locale)}`;
  const named = format(locale, { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" });
  return `${named.format(Date.parse(start))} – ${named.format(Date.parse(end))}`;
}

// The day of an instant where that is another one than `day`, short: of the days around it the day of
// the week, of others their date, too.
export function sayOtherDay(timestamp: string | null | undefined, zone: string, locale: string, day: string): string {
  return timestamp ? nameOtherDay(dayAt(Date.parse(timestamp), zone), locale, day) : "";
}

export function nameOtherDay(own: string, locale: string, day: string): string {
  if (own === day) return "";
  const isNear = Math.abs(Date.parse(own) - Date.parse(day)) < 7 * 24 * 60 * MINUTE;
  return format(locale, { timeZone: "UTC", weekday: "short", ...(isNear ? {} : { day: "numeric", month: "short" }) }).format(Date.parse(`${own}T12:00:00Z`));
}

export function sayDayAndTime(timestamp: string | null | undefined, zone: string, locale: string, day: string): string {
  return [sayOtherDay(timestamp, zone, locale, day), sayTime(timestamp, zone, locale)].filter(Boolean).join("\u00a0");
}

// Seconds of a duration such as "90s".
export function secondsOf(duration: string | undefined): number {
  return duration ? Number.parseFloat(duration) || 0 : 0;
}

export interface TimeOfDay { hours: number; minutes: number; seconds: number }
export interface TimeWindow { start?: TimeOfDay; end?: TimeOfDay }

export const sayClock = (time: TimeOfDay) => `${String(time.hours).padStart(2, "0")}:${String(time.minutes).padStart(2, "0")}`;

// How windows are said in an application's words; one may be open at either end.
export const windowSayer = (t: (key: "fromTime" | "until", values: { time: string }) => string) => ({ start, end }: TimeWindow): string => {
  if (start && end) return `${sayClock(start)}–${sayClock(end)}`;
  if (start) return t("fromTime", { time: sayClock(start) });
  return end ? t("until", { time: sayClock(end) }) : "";
};
