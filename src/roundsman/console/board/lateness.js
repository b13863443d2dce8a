// How late stops are, and in which sense: as they were served, as they are expected by now, or as
// they were planned. Windows are reckoned by the server alone, whose timetable says by how much.
import { Refusal } from "./interface.js";
import { askSignedIn } from "./session.js";
import { saySpan } from "./times.js";
import { isDone } from "./words.js";

const WAS = "was late", WILL = "will be late", PLANNED = "planned late";
const LANES = 4;

const isMoved = ({ plannedArrival, updatedArrival }) => Boolean(updatedArrival) && Date.parse(updatedArrival) !== Date.parse(plannedArrival);

// The sense in which a stop is late and the duration, or null; `times` is its place in the timetable.
export function latenessOf(stop, times) {
  const by = isMoved(stop) ? times?.lateness : stop.plannedLateness;
  return by ? { sense: isDone(stop) ? WAS : isMoved(stop) ? WILL : PLANNED, by } : null;
}

export const sayLateness = ({ sense, by }) => sense.replace("late", `${saySpan(by)} late`);

// 1 was late, 2 will be late: what there is of each sense.
export function sayLate(senses) {
  const counts = [WAS, WILL, PLANNED].map((sense) => [senses.filter((one) => one === sense).length, sense]);
  return counts.filter(([number]) => number).map(([number, sense]) => `${number} ${number > 1 ? sense.replace("was", "were") : sense}`).join(", ");
}

// Whether anything has come or is expected at another time than planned, and may be late by that.
const isToBeAsked = (route) => route.stops.some((stop) => isMoved(stop) && stop.timeWindows.some(({ end }) => end) &&
  (stop.plannedLateness || !(Date.parse(stop.updatedArrival) <= Date.parse(stop.plannedArrival))));

// Timetables only change with their routes; those that are asked for are remembered in these terms.
const asked = new Map();

async function timesOf(route, signal) {
  const known = asked.get(route.id);
  if (known?.updatedAt === route.updatedAt) return known.times;
  try {
    const { body } = await askSignedIn(`/routes/${encodeURIComponent(route.id)}/timetable`, signal);
    const times = new Map(body.places.filter(({ lateness }) => lateness).map((place) => [place.stopId, place]));
    asked.set(route.id, { updatedAt: route.updatedAt, times });
    return times;
  } catch (error) {
    // Who was deleted since the list was made is late nowhere.
    if (error instanceof Refusal && error.kind === "missing") return new Map();
    throw error;
  }
}

async function lateSenses(route, signal) {
  const times = isToBeAsked(route) ? await timesOf(route, signal) : new Map();
  return route.stops.map((stop) => latenessOf(stop, times.get(stop.id))?.sense).filter(Boolean);
}

// Routes with the senses in which their stops are late; a few are asked at once, for all share a rate limit.
export async function withLateness(rows, signal) {
  const found = new Map(), left = rows.values();
  const lane = async () => { for (const row of left) found.set(row, await lateSenses(row.route, signal)); };
  await Promise.all(Array.from({ length: LANES }, lane));
  return rows.map((row) => ({ ...row, late: found.get(row) }));
}
