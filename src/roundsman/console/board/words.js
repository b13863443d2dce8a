// What routes and stops are called on the board.

const DONE = ["DELIVERED", "ATTEMPTED_DELIVERY"];

export const isDone = (stop) => DONE.includes(stop.deliveryStatus) || stop.breakStatus === "COMPLETED";

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

const isStarted = (route) => route.start.status === "STARTED";
const isOver = (route) => route.end ? route.end.status === "COMPLETED" : route.stops.length > 0 && route.stops.every(isDone);

export function sayState(route, now) {
  if (route.archivedAt) return "Archived";
  if (isStarted(route) && isOver(route)) return "Completed";
  if (isStarted(route)) return `Under way, ${route.stops.filter(isDone).length} of ${route.stops.length} done`;
  if (route.dispatchedUntil && Date.parse(route.dispatchedUntil) > now) return route.driver ? "Dispatched" : "To be claimed";
  if (!route.stops.length) return "Empty";
  return route.optimized ? "Planned" : "Not optimized";
}

export const departureOf = (route) => (isStarted(route) && route.start.updatedStart) || route.start.scheduledStart || route.scheduledFor;

const arrivalAt = (place) => place.updatedArrival || place.plannedArrival;

// When a route ends as far as is known now: at its end, or with the latest arrival at a stop, which
// need not be the last in order: drivers go where they like.
export function endOf(route) {
  if (route.end) return arrivalAt(route.end);
  const byArrival = (one, other) => Date.parse(one) - Date.parse(other);
  return route.stops.map(arrivalAt).filter(Boolean).toSorted(byArrival).at(-1);
}

export const sayDriver = (route) => route.driver ? [route.driver.firstName, route.driver.lastName].filter(Boolean).join(" ") : "";

export function sayAddress(address) {
  if (!address) return "";
  const region = [address.provinceCode, address.zip].filter(Boolean).join(" ");
  return [address.address1, address.address2, address.city, region, address.countryCode].filter(Boolean).join(", ");
}

const sayPoint = ({ latitude, longitude }) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

export function nameOf(stop) {
  const { company, firstName, lastName } = stop.contact || {};
  const person = [firstName, lastName].filter(Boolean).join(" ");
  return stop.orderName || company || person || sayAddress(stop.address) || sayPoint(stop.plannedCoordinates);
}

const clock = ({ hours = 0, minutes = 0 }) => `${hours}:${String(minutes).padStart(2, "0")}`;

function sayWindow({ start, end }) {
  if (start && end) return `${clock(start)}\u2013${clock(end)}`;
  if (start) return `from ${clock(start)}`;
  return end ? `until ${clock(end)}` : "any time";
}

export function sayWindows(stop) {
  if (!stop.timeWindows.length) return "";
  const windows = stop.timeWindows.map(sayWindow).join(", ");
  const { year, month, day } = stop.deliveryDate || {};
  const on = stop.deliveryDate ? ` on ${day}/${month}/${year}` : "";
  return `window ${windows}${on}`;
}

export const sayDistance = (meters) => meters < 1000 ? `${Math.round(meters)} m` : `${(meters / 1000).toFixed(1)} km`;

export function sayProgress(stop) {
  if (stop.breakStatus === "COMPLETED") return "Break taken";
  if (stop.deliveryStatus === "DELIVERED") return "Delivered";
  if (stop.deliveryStatus === "ATTEMPTED_DELIVERY") {
    const reason = stop.attemptedReason === "UNKNOWN" ? "" : `: ${stop.attemptedReason.toLowerCase().replaceAll("_", " ")}`;
    return `Attempted${reason}`;
  }
  if (stop.deliveryStatus === "OUT_FOR_DELIVERY") return "Out for delivery";
  return stop.deliveryStatus === "READY_FOR_DELIVERY" ? "Ready" : "";
}

// Rising numbers as one would say them: 1 to 6, 9 and 11.
export function sayNumbers(numbers) {
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run.last === number - 1) run.last = number;
    else runs.push({ first: number, last: number });
  }
  const said = runs.map(({ first, last }) => first === last ? `${first}` : `${first}\u2013${last}`);
  return said.length < 2 ? said.join("") : `${said.slice(0, -1).join(", ")} and ${said.at(-1)}`;
}
