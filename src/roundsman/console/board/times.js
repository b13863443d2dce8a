// Days and times by the clocks of a zone, whatever the clock of the person who looks.

const MINUTE = 60_000, HOUR = 60 * MINUTE;

// A zone that this browser does not know is shown as UTC, which is then also what is written.
export function knownZone(zone) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return "UTC";
  }
}

function partsAt(instant, zone) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
    hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}

// The calendar day at an instant, as 2030-05-06.
export function dayAt(instant, zone) {
  const { year, month, day } = partsAt(instant, zone);
  return `${year.padStart(4, "0")}-${month}-${day}`;
}

function offsetAt(instant, zone) {
  const { year, month, day, hour, minute, second } = partsAt(instant, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

// The instant at which a day begins. Where clocks skip midnight, it begins behind the jump.
export function beginningOf(day, zone) {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let instant = midnight - offsetAt(midnight, zone);
  instant = midnight - offsetAt(instant, zone);
  while (dayAt(instant, zone) < day) instant += 30 * MINUTE;
  return instant;
}

export function daysLater(day, count) {
  return new Date(Date.parse(`${day}T12:00:00Z`) + count * 24 * HOUR).toISOString().slice(0, 10);
}

// Whether a text is a day that there is, as addresses and date fields have it.
export function isDay(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(`${text}T12:00:00Z`))) return false;
  return new Date(`${text}T12:00:00Z`).toISOString().startsWith(text);
}

export function sayDay(day) {
  const options = { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" };
  return new Intl.DateTimeFormat("en-GB", options).format(Date.parse(`${day}T12:00:00Z`));
}

// 08:05, and +1d when that is on another day than `since`.
export function sayTime(timestamp, zone, since) {
  if (!timestamp) return "";
  const instant = Date.parse(timestamp);
  const { hour, minute } = partsAt(instant, zone);
  const time = `${hour}:${minute}`;
  if (!since) return time;
  const days = Math.round((Date.parse(dayAt(instant, zone)) - Date.parse(since)) / (24 * HOUR));
  return days ? `${time} ${days > 0 ? "+" : "\u2212"}${Math.abs(days)}d` : time;
}

// 6 May 08:05, where the day is not clear from what stands around.
export function sayMoment(timestamp, zone) {
  const options = { timeZone: zone, hourCycle: "h23", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat("en-GB", options).format(Date.parse(timestamp)).replace(",", "");
}

// EDT, CEST, GMT+2: which clocks are meant, where several are.
export function zoneLetters(timestamp, zone) {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "short" });
  return format.formatToParts(Date.parse(timestamp)).find(({ type }) => type === "timeZoneName").value;
}

// A duration of the interface ("95s") in minutes, never rounded down: 2 min, 1 h 05 min.
export function saySpan(duration) {
  const minutes = Math.ceil(parseFloat(duration) / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
