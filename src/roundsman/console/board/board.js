// The board: the routes of a day, or those that have no day, a row each.
import { alertBox, estimatedMark, followed, make, renew, sayOld, tell } from "./elements.js";
import { estimatedPlaces, requireSayable } from "./interface.js";
import { sayLate, withLateness } from "./lateness.js";
import { keepFresh } from "./renewal.js";
import { askSignedIn, organization } from "./session.js";
import { beginningOf, dayAt, daysLater, isDay, sayDay, sayMoment, sayTime } from "./times.js";
import { count, departureOf, endOf, sayDriver, sayState } from "./words.js";

const PAGE = 50, ENOUGH = 20, MOST_PAGES = 5;

export const today = () => dayAt(Date.now(), organization().timezone);

// Pages of a list, each route with whether its times are partly estimates, and with what of it is late.
async function* pages(question, signal) {
  let cursor = "";
  do {
    const asked = cursor ? `cursor=${encodeURIComponent(cursor)}` : question;
    const { body, headers } = await askSignedIn(`/routes?${asked}`, signal);
    const places = estimatedPlaces(headers.get("Roundsman-Estimated"), body.routes.length);
    yield await withLateness(body.routes.map((route, place) => ({ route, estimated: places.has(place) })), signal);
    cursor = body.nextCursor;
  } while (cursor);
}

const query = (values) => new URLSearchParams(Object.entries(values).map(([name, value]) => [`query.${name}`, value])).toString();

function routesOf(day, signal) {
  const { timezone } = organization();
  const [timestampStart, timestampEnd] = [day, daysLater(day, 1)].map((one) => new Date(beginningOf(one, timezone)).toISOString());
  return pages(query({ limit: PAGE, sortKey: "SCHEDULED_AT", timestampStart, timestampEnd, includeArchived: true }), signal);
}

const byDeparture = (one, other) => Date.parse(departureOf(one.route)) - Date.parse(departureOf(other.route)) || one.route.name.localeCompare(other.route.name);

// Return a day's routes, those that leave first in front, and show them page by page on the way.
async function loadDay(day, show, signal) {
  const rows = [];
  for await (const page of routesOf(day, signal)) {
    rows.push(...page);
    show(rows.toSorted(byDeparture));
  }
  return rows.toSorted(byDeparture);
}

// Newest first, and not forever: who has thousands of old routes asks for more by hand.
function undatedRoutes(signal) {
  const source = pages(query({ limit: PAGE, sortKey: "CREATED_AT" }), signal);
  const rows = [];
  return async (show) => {
    const wanted = rows.length + ENOUGH;
    for (let looked = 0; looked < MOST_PAGES && rows.length < wanted; looked++) {
      const { value, done } = await source.next();
      if (done) return { rows, isMore: false };
      rows.push(...value.filter(({ route }) => !route.scheduledFor));
      show(rows);
    }
    return { rows, isMore: true };
  };
}

const COLUMNS = ["Route", "Driver", "Vehicle", "State", "Stops", "Departs", "Ends", "Late"];

function timeCell(timestamp, day, estimated) {
  if (!timestamp) return make("span", { class: "soft", "aria-label": "not known" }, "\u2013");
  const zone = organization().timezone;
  return `${estimated ? "\u2248 " : ""}${day ? sayTime(timestamp, zone, day) : sayMoment(timestamp, zone)}`;
}

function lateCell({ route, late }) {
  if (late.length) return make("b", { class: "late-text" }, sayLate(late));
  return endOf(route) ? "none" : make("span", { class: "soft", "aria-label": "not known" }, "\u2013");
}

function row(one, day) {
  const { route, estimated } = one;
  const departure = departureOf(route);
  const cells = [
    [make("a", { href: `#/route/${encodeURIComponent(route.id)}` }, route.name), " ", estimated ? estimatedMark() : ""],
    [sayDriver(route) || make("span", { class: "soft" }, "nobody")],
    [route.vehicle?.name || make("span", { class: "soft" }, "none")],
    [sayState(route, Date.now())],
    [String(route.stops.length)],
    [timeCell(departure, day, false)],
    [timeCell(endOf(route), day, estimated)],
    [lateCell(one)],
  ];
  return make("tr", { class: route.archivedAt ? "archived" : null }, ...cells.map((content, index) =>
    make(index ? "td" : "th", { scope: index ? null : "row", "data-label": COLUMNS[index] }, ...content)));
}

function table(rows, day, caption) {
  return make("table", { class: "board" },
    make("caption", { class: "unseen" }, caption),
    make("thead", {}, make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows.map((one) => row(one, day))));
}

function summary(rows) {
  const sum = (number) => rows.reduce((total, { route }) => total + number(route), 0);
  const estimated = rows.filter((one) => one.estimated).length;
  const isKnown = rows.every(({ route }) => !route.stops.length || endOf(route));
  const late = sayLate(rows.flatMap((one) => one.late)) || (isKnown ? "none of them late" : "");
  const told = [count(rows.length, "route"), count(sum((route) => route.stops.length), "stop"), late];
  const words = make("p", { class: "sum" }, told.filter(Boolean).join(" \u00b7 "));
  if (!estimated) return [words];
  const whose = estimated === rows.length ? (estimated === 1 ? "This route\u2019s times are" : "The times of all routes are") : `The times of ${estimated} of ${rows.length} routes are`;
  return [words, make("p", { class: "banner" }, estimatedMark(), ` ${whose} wholly or partly estimates: no road map covers all of their ways.`)];
}

function dayControls(day) {
  const go = (to) => { location.hash = `#/day/${to}`; };
  const input = make("input", { type: "date", value: day, "aria-label": "Day", change: () => { if (isDay(input.value)) go(input.value); } });
  const step = (label, face, to) => make("button", { type: "button", "aria-label": label, click: () => go(to) }, face);
  return make("div", { class: "days" },
    step("The day before", "\u2190", daysLater(day, -1)), input, step("The day after", "\u2192", daysLater(day, 1)),
    make("button", { type: "button", disabled: day === today(), click: () => go(today()) }, "Today"));
}

function tabs(current, day) {
  const tab = (name, to) => make("a", { href: to, "aria-current": name === current ? "page" : null }, name);
  return make("nav", { class: "tabs", "aria-label": "Which routes" }, tab("By day", `#/day/${day}`), tab("Without a day", "#/undated"));
}

function frame(view, current, day, heading, controls, signal) {
  const holder = make("div", { class: "rows", "aria-busy": "true" }, make("p", { class: "soft" }, "Loading\u2026"));
  const notice = make("div", {});
  const asOf = make("span", { class: "soft" });
  const refresh = make("button", { type: "button", class: "quiet" }, "Refresh");
  view.replaceChildren(make("section", { class: "page" },
    tabs(current, day),
    make("div", { class: "head" }, make("h1", { tabindex: "-1" }, heading), controls),
    notice,
    holder,
    make("div", { class: "foot" }, refresh, asOf)));
  const zone = organization().timezone;
  let shownAt = Infinity, isBusy = false;
  const begin = () => {
    isBusy = true;
    holder.setAttribute("aria-busy", "true");
    refresh.disabled = true;
  };
  // Nobody asked for a renewal by the clock: it leaves the page as it is until it has an answer.
  const renewing = (load) => async () => {
    if (isBusy) return;
    isBusy = true;
    await load({ isQuiet: true });
  };
  const settle = () => {
    holder.setAttribute("aria-busy", "false");
    refresh.disabled = false;
    notice.replaceChildren();
    isBusy = false;
    shownAt = Date.now();
    asOf.textContent = `As of ${sayTime(new Date().toISOString(), zone)}. Times by the clocks of ${zone}; those that are not estimates are made with road maps \u00a9 OpenStreetMap contributors.`;
  };
  // What was known before stays: hours-old rows that say so are worth more than none.
  const sayTrouble = (error, again) => {
    if (signal.aborted) return;
    requireSayable(error);
    isBusy = false;
    holder.setAttribute("aria-busy", "false");
    refresh.disabled = false;
    if (shownAt === Infinity) holder.replaceChildren(alertBox(error.title, error.words, again));
    else sayOld(notice, error, sayMoment(new Date(shownAt).toISOString(), zone), again);
  };
  return { holder, refresh, begin, renewing, settle, sayTrouble, isShown: () => shownAt < Infinity, shownAt: () => shownAt };
}

export async function showDay(view, day, signal) {
  const heading = day === today() ? `Today, ${sayDay(day)}` : sayDay(day);
  const { holder, refresh, begin, renewing, settle, sayTrouble, isShown, shownAt } = frame(view, "By day", day, heading, dayControls(day), signal);
  const show = (rows) => renew(holder, ...(rows.length
    ? [...summary(rows), table(rows, day, `Routes of ${sayDay(day)}`)]
    : [make("div", { class: "empty" },
      make("p", {}, make("b", {}, "No routes are scheduled for this day.")),
      make("p", {}, "A route is on a day when it has a time it is scheduled for. Those that have none are under ", make("a", { href: "#/undated" }, "Without a day"), "."))]));
  const load = async ({ isQuiet = false } = {}) => {
    if (!isQuiet) begin();
    try {
      const rows = await loadDay(day, isShown() ? () => {} : show, signal);
      show(rows);
      settle();
      if (!isQuiet) tell(`${heading}: ${holder.querySelector(".sum")?.textContent ?? "no routes"}`);
    } catch (error) {
      sayTrouble(error, () => follow(load()));
    }
  };
  const follow = followed(view);
  refresh.addEventListener("click", () => follow(load()));
  keepFresh(() => follow(renewing(load)()), shownAt, signal);
  await load();
}

export async function showUndated(view, signal) {
  const { holder, refresh, begin, renewing, settle, sayTrouble, isShown, shownAt } = frame(view, "Without a day", today(), "Routes without a day", null, signal);
  const more = make("button", { type: "button" }, "Look further back");
  const follow = followed(view);
  let look = undatedRoutes(signal);
  const show = (rows) => renew(holder, ...(rows.length
    ? [...summary(rows), table(rows, null, "Routes without a day, newest first")]
    : [make("div", { class: "empty" }, make("p", {}, make("b", {}, "No routes without a day.")), make("p", {}, "Every route that was looked at is scheduled for one."))]));
  const load = async ({ isQuiet = false } = {}) => {
    if (!isQuiet) begin();
    more.disabled = true;
    try {
      const { rows, isMore } = await look(isShown() ? () => {} : show);
      show(rows);
      if (isMore) holder.append(more);
      settle();
    } catch (error) {
      sayTrouble(error, again);
    } finally {
      more.disabled = false;
    }
  };
  const again = () => { isFurther = false; follow(startOver()); };
  // Who has looked further back keeps what they found until they ask.
  let isFurther = false;
  more.addEventListener("click", () => { isFurther = true; follow(load()); });
  const startOver = (options) => { look = undatedRoutes(signal); return load(options); };
  keepFresh(() => { if (!isFurther) follow(renewing(startOver)()); }, shownAt, signal);
  refresh.addEventListener("click", again);
  await load();
}
