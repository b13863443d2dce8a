// One route: its stops in driving order beside its map.
import { alertBox, estimatedMark, followed, make, renew, sayOld, tell } from "./elements.js";
import { Refusal, requireSayable } from "./interface.js";
import { latenessOf, sayLate, sayLateness } from "./lateness.js";
import { showProof } from "./proof.js";
import { keepFresh } from "./renewal.js";
import { drawRouteMap } from "./route_map.js";
import { askSignedIn, organization } from "./session.js";
import { dayAt, knownZone, sayDay, sayMoment, saySpan, sayTime, zoneLetters } from "./times.js";
import { count, departureOf, endOf, isDone, nameOf, sayAddress, sayDistance, sayDriver, sayNumbers, sayProgress, sayState, sayWindows } from "./words.js";

const A_MINUTE = 60_000;

// The places of a route with their clocks: its start, its stops, its end.
function placesOf(route, timetable) {
  const zones = timetable.places.map(({ timezone }) => knownZone(timezone));
  const crosses = new Set(zones).size > 1;
  const departure = departureOf(route);
  const firstDay = departure && dayAt(Date.parse(departure), zones[0]);
  const at = (index) => (timestamp) => timestamp ? sayTime(timestamp, zones[index], firstDay) + (crosses ? ` ${zoneLetters(timestamp, zones[index])}` : "") : "";
  return [
    startPlace(route, at(0)),
    ...route.stops.map((stop, index) => stopPlace(stop, index, timetable.places[index + 1], at(index + 1))),
    ...(route.end ? [endPlace(route.end, at(zones.length - 1))] : []),
  ];
}

function startPlace({ start }, at) {
  const left = start.status === "STARTED";
  return {
    ...start.coordinates, key: "start", badge: "S", kind: "terminal", title: "Start", time: at((left && start.updatedStart) || start.scheduledStart),
    parts: [sayAddress(start.address), left ? "driver has left" : ""], late: "",
  };
}

function endPlace(end, at) {
  const isOver = end.status === "COMPLETED";
  return {
    ...end.coordinates, key: "end", badge: "E", kind: "terminal", title: "End", time: at(end.plannedArrival),
    parts: [sayAddress(end.address), isOver ? `completed ${at(end.updatedArrival)}` : expected(end, at), sayDistance(end.distanceMeters)], late: "",
  };
}

function stopPlace(stop, index, times, at) {
  const title = nameOf(stop), address = sayAddress(stop.address), progress = sayProgress(stop), late = latenessOf(stop, times);
  return {
    ...stop.plannedCoordinates, key: stop.id, badge: String(index + 1), kind: isDone(stop) ? "done" : late ? "late" : "", title, time: at(stop.plannedArrival),
    parts: [
      address === title ? "" : address,
      sayWindows(stop),
      times?.waiting ? `waits ${saySpan(times.waiting)}` : "",
      isDone(stop) ? [progress.toLowerCase(), at(stop.updatedArrival)].filter(Boolean).join(" ") : [progress.toLowerCase(), expected(stop, at)].filter(Boolean).join(", "),
      sayDistance(stop.distanceMeters),
    ],
    late: late ? sayLateness(late) : "", sense: late?.sense,
    note: stop.note, stop,
  };
}

// When an arrival is expected now, where that is no more what was planned.
function expected({ plannedArrival, updatedArrival }, at) {
  if (!plannedArrival || !updatedArrival || Math.abs(Date.parse(updatedArrival) - Date.parse(plannedArrival)) < A_MINUTE) return "";
  return `now expected ${at(updatedArrival)}`;
}

function listOf(places, estimated, choose, near) {
  const buttons = places.map((place, index) => {
    const parts = place.parts.filter(Boolean).join(" \u00b7 ");
    return make("button", { type: "button", "data-key": place.key, "aria-pressed": "false", click: () => choose(index), pointerenter: () => near(index), pointerleave: () => near(-1) },
      make("span", { class: `badge ${place.kind}` }, place.badge, place.kind === "done" ? make("span", { class: "unseen" }, " done") : ""),
      make("span", { class: "name" }, place.title),
      make("span", { class: "time" }, place.time ? `${estimated && place.badge !== "S" ? "\u2248 " : ""}${place.time}` : "\u2013"),
      make("span", { class: "more" }, parts, place.late && parts ? " \u00b7 " : "", place.late ? make("span", { class: "late-text" }, place.late) : ""));
  });
  return { buttons, list: make("ol", { class: "stops" }, ...buttons.map((button, index) => make("li", {}, button, places[index].stop ? showProof(places[index].stop) : ""))) };
}

// Which stops are reached on a straight line: the ends of estimated lines, found along the route.
function guessedPlaces(lines, places) {
  const guessed = [];
  const here = ({ latitude, longitude }) => `${latitude.toFixed(5)} ${longitude.toFixed(5)}`;
  const marks = places.map(here);
  let from = 0;
  for (const { points, estimated } of lines) {
    if (!estimated) continue;
    const found = marks.indexOf(here(points[0]), from);
    if (found < 0) continue;
    from = found + points.length - 1;
    for (let place = found + 1; place <= from; place++) guessed.push(places[place].badge);
  }
  return guessed;
}

function sayEstimates(path, places) {
  if (!path) return "Times are partly estimates: not all of them are from real roads.";
  const guessed = guessedPlaces(path.lines, places);
  if (!path.lines.some((line) => line.estimated)) return "Times are partly estimates: they were made when no road map covered the whole route. Roads are known now; reoptimize the route, and it is timed on them.";
  if (path.lines.every((line) => line.estimated)) return "Times are estimates: no road map covers this route, or its engine is away. Lines on the map are straight, not roads.";
  const stops = guessed.filter((badge) => badge !== "E").map(Number);
  const ends = [stops.length ? `${stops.length === 1 ? "stop" : "stops"} ${sayNumbers(stops)}` : "", guessed.includes("E") ? "the end" : ""].filter(Boolean).join(" and ");
  return `Times are partly estimates: no road map covers the way to ${ends}. Dotted lines on the map are straight, not roads.`;
}

function facts(route, places, zone, estimated) {
  const end = endOf(route), departure = departureOf(route);
  const since = departure && dayAt(Date.parse(departure), zone);
  const rows = [
    ["Stops", String(route.stops.length)],
    ["Distance", sayDistance(route.totalDistanceMeters)],
    ["Departs", places[0].time || "\u2013"],
    ["Ends", end ? `${estimated ? "\u2248 " : ""}${sayTime(end, zone, since)}` : "\u2013"],
  ];
  return make("dl", {}, ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

function header(route, timetable, places, estimated) {
  const zones = [...new Set(timetable.places.map(({ timezone }) => knownZone(timezone)))];
  const departure = departureOf(route), lastZone = zones.at(-1), late = sayLate(places.map(({ sense }) => sense));
  const who = [sayDriver(route) || "nobody drives", route.vehicle?.name || "no vehicle", sayState(route, Date.now())].join(" \u00b7 ");
  const when = departure ? `${sayDay(dayAt(Date.parse(departure), zones[0]))}, by the clocks of ${zones.length > 1 ? "each place" : zones[0]}` : "Not scheduled, so there are no times yet";
  return make("header", {},
    make("a", { class: "back", href: backTo(route) }, "\u2190 All routes"),
    make("h1", { tabindex: "-1" }, route.name, " ", estimated ? estimatedMark() : ""),
    make("p", {}, who), make("p", {}, when),
    late ? make("p", { class: "late-text" }, `Late: ${late}`) : "",
    route.note ? make("p", { class: "note" }, route.note) : "",
    facts(route, places, lastZone, estimated));
}

const backTo = (route) => route.scheduledFor ? `#/day/${dayAt(Date.parse(route.scheduledFor), organization().timezone)}` : "#/undated";

// The page of a route: built once, and filled again whenever the route is looked up.
function build(view, refresh) {
  let places = [], buttons = [], map = null;
  const mark = (className, index) => buttons.forEach((button, other) => button.classList.toggle(className, other === index));
  const choose = (index) => {
    mark("picked", index);
    buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === index)));
  };
  const notice = make("div", {}), about = make("div", {}), list = make("div", { class: "list" }), source = make("span", {}), asOf = make("span", {});
  const holder = make("div", { class: "map", "aria-label": "Map" }, make("p", { class: "drawing" }, "Drawing the map\u2026"));
  view.replaceChildren(make("section", { class: "route" },
    make("div", { class: "aside" }, notice, about, list,
      make("footer", {}, make("button", { type: "button", class: "quiet", click: refresh }, "Refresh"), asOf, source)),
    holder));

  function fill({ route, timetable, estimated, path }) {
    places = placesOf(route, timetable);
    const listed = listOf(places, estimated, (index) => { choose(index); map?.pick(index); }, (index) => map?.hover(index));
    buttons = listed.buttons;
    renew(about, header(route, timetable, places, estimated), estimated ? make("p", { class: "banner" }, sayEstimates(path, places)) : "");
    renew(list, listed.list, route.stops.length ? "" : make("p", { class: "empty" }, "This route has no stops yet."));
  }

  function drawMap(path, isSameWay) {
    const seen = isSameWay ? map?.look() : undefined;
    holder.replaceChildren();
    source.textContent = path.attribution ? `Roads ${path.attribution}` : "No road map was used for this drawing.";
    const drawn = places.map((place) => ({ ...place, details: [...place.parts.slice(0, 3), place.late, place.note].filter(Boolean) }));
    map = drawRouteMap(holder, drawn, path.lines, {
      near: (index) => mark("near", index),
      pick: (index) => { choose(index); if (index >= 0) buttons[index].scrollIntoView({ block: "nearest" }); },
    }, seen);
    if (seen) choose(seen.picked);
  }

  const settle = (now) => {
    notice.replaceChildren();
    asOf.textContent = `As of ${sayTime(new Date(now).toISOString(), organization().timezone)}`;
  };
  return { fill, drawMap, settle, notice, holder };
}

// Which places are driven to in which order: lines on the map are asked for anew when that changes.
const wayOf = ({ start, stops, end }) => JSON.stringify([start.coordinates, ...stops.map((stop) => [stop.id, stop.plannedCoordinates]), end?.coordinates]);

// What is shown of a route, but for its lines: those are drawn when the rest is there to be read.
async function lookUp(one, signal) {
  const [route, timetable] = await Promise.all([askSignedIn(one, signal), askSignedIn(`${one}/timetable`, signal)]);
  if (timetable.body.places.length < route.body.stops.length + 1) throw new Refusal("trouble", "The route was just changed.", "Look again.");
  return { route: route.body, timetable: timetable.body, estimated: route.headers.has("Roundsman-Estimated") };
}

export async function showRoute(view, id, signal) {
  const one = `/routes/${encodeURIComponent(id)}`;
  view.replaceChildren(make("section", { class: "page" }, make("p", { class: "soft" }, "Loading\u2026")));
  const follow = followed(view);
  let page = null, shown = null, shownAt = Infinity, isBusy = false;

  async function look({ isQuiet = false } = {}) {
    const found = await lookUp(one, signal);
    const isSameWay = shown !== null && wayOf(shown.route) === wayOf(found.route);
    const path = isSameWay ? shown.path : undefined;
    const isSame = path && JSON.stringify(shown) === JSON.stringify({ ...found, path });
    page ??= build(view, () => follow(load()));
    shown = { ...found, path };
    if (!isSame) page.fill(shown);
    shownAt = Date.now();
    page.settle(shownAt);
    document.title = `${found.route.name} \u00b7 Roundsman`;
    if (!isQuiet) tell(`${found.route.name}, ${count(found.route.stops.length, "stop")}${found.estimated ? ", times are partly estimates" : ""}`);
    if (!isSame) await draw(isSameWay);
  }

  async function draw(isSameWay) {
    try {
      if (!shown.path) {
        shown.path = (await askSignedIn(`${one}/path`, signal)).body;
        page.fill(shown);
      }
      page.drawMap(shown.path, isSameWay);
    } catch (error) {
      if (signal.aborted) return;
      requireSayable(error);
      page.holder.replaceChildren(alertBox("The map cannot be drawn.", error.words, () => follow(load())));
    }
  }

  async function load(options) {
    if (isBusy) return;
    isBusy = true;
    try {
      await look(options);
    } catch (error) {
      if (signal.aborted) return;
      requireSayable(error);
      const again = () => follow(load());
      if (page) sayOld(page.notice, error, sayMoment(new Date(shownAt).toISOString(), organization().timezone), again);
      else view.replaceChildren(make("section", { class: "page" }, alertBox(error.title, error.words, again), make("p", {}, make("a", { href: "#/" }, "All routes of today"))));
    } finally {
      isBusy = false;
    }
  }

  keepFresh(() => follow(load({ isQuiet: true })), () => shownAt, signal);
  await load();
}
