// The day: what is on no route, the routes, a map or a board or a list, and the time line.
import { computed, signal, useComputed, type ReadonlySignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { isNowhere } from "../kit/nowhere";
import { daysLater, sayDay, secondsOf } from "../kit/times";
import { useGrowing, useSeen } from "../kit/windowed";
import { locale, sayWindow, t } from "../kit/words";
import { CopyDay } from "./copy_day";
import { date, day, doubtfulCount, isLargeDay, isNarrowed, isSearched, onlyDoubtful, openRoute, report, search, shownRoutes, shownStops, shownUnrouted, soughtStops, today } from "./day";
import { NewRoute, openDialog } from "./dialogs";
import { columnTarget, dropTarget, drop, lifted, liftedPrices } from "./dragging";
import { canRedo, canUndo, redo, safely, undo } from "./edits";
import { fixImportedStop, fixOrder } from "./fix_location";
import { ImportDialog, leftRows, type LeftRows } from "./import_dialog";
import { refusedRows } from "./import_mends";
import { DayMap } from "./map";
import { PlanDialog } from "./plan_dialog";
import { go } from "./places";
import { sayPrice } from "./prices";
import { RouteActions } from "./route_actions";
import { hasTimes, isDriverOut, isOverdue, progressOf, sayStatus, time } from "./route_items";
import { SendRoutes, routesToSend } from "./send_routes";
import { get, isOwner, isViewer } from "./session";
import { FINISHED, nameByNumber, nameOfDriver, looseStop, placeOfLoose, sayAddress, sayNowhere, unroutedId, type DayRoute, type ImportedStop, type Insertion, type UnroutedStop } from "./shapes";
import { NewStop } from "./stop_dialog";
import { Doubt, StopItem } from "./stop_items";
import { Timeline } from "./timeline";
import { StillOut } from "./yesterday";

export type Layout = "map" | "board" | "list";
export const layout = signal<Layout>("map");

export function DayPage() {
  useEffect(() => { openRoute.value = null; }, []);
  const shown = date.value;
  return (
    <>
      <div class="day-bar">
        <button type="button" aria-label={t("previousDay")} onClick={() => go(`day/${daysLater(shown, -1)}`)}>‹</button>
        <h1>{sayDay(shown, locale.value)}</h1>
        <button type="button" aria-label={t("nextDay")} onClick={() => go(`day/${daysLater(shown, 1)}`)}>›</button>
        <button type="button" onClick={() => go(`day/${today()}`)}>{t("today")}</button>
        {!isViewer.value && <>
          <ArrowButton name={t("undo")} disabled={!canUndo()} onClick={() => void undo()} />
          <ArrowButton name={t("redo")} disabled={!canRedo()} onClick={() => void redo()} isForth />
        </>}
        <input type="search" class="search" aria-label={t("search")} placeholder={`${t("search")}  /`} value={search.value}
          onInput={(event) => { search.value = event.currentTarget.value; }} />
        <fieldset class="segments" role="radiogroup" aria-label={t("layout")}>
          {(["map", "board", "list"] as const).map((one) => (
            <label key={one}><input type="radio" name="layout" checked={layout.value === one} onChange={() => { layout.value = one; }} /><span>{t(one)}</span></label>
          ))}
        </fieldset>
        <span class="spacer" />
        {!isViewer.value && <>
          <button type="button" onClick={() => openDialog(<NewRoute date={shown} />)}>{t("newRoute")}</button>
          <button type="button" onClick={() => openDialog(<ImportDialog date={shown} />)}>{t("importStops")}</button>
          <button type="button" class="main" onClick={() => openDialog(<PlanDialog date={shown} />)}>{t("plan")}</button>
        </>}
      </div>
      <div class={`day ${layout.value}`}>
        <div class="side">
          <StillOut />
          <Doubtful />
          <NothingFound />
          <Unrouted />
          <Routes />
        </div>
        {layout.value === "map" && <section class="map-holder" aria-label={t("map")}><DayMap /></section>}
        {layout.value === "board" && <Board />}
        {layout.value === "list" && <StopTable />}
        <Timeline />
      </div>
    </>
  );
}

// An arrow, for the words of some languages would take a line of their own.
const ArrowButton = ({ name, disabled, onClick, isForth }: { name: string; disabled: boolean; onClick: () => void; isForth?: boolean }) => (
  <button type="button" class="arrow" aria-label={name} title={name} disabled={disabled} onClick={onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true" transform={isForth ? "scale(-1 1)" : ""}><path d="M9 14 4 9l5-5M4 9h10a5 5 0 0 1 0 10h-4" /></svg>
  </button>
);

// How many stops were not found where they are, which alone are shown when it is pressed.
const Doubtful = () => doubtfulCount.value > 0 && <button type="button" class="doubtful" aria-pressed={onlyDoubtful.value}
  onClick={() => { onlyDoubtful.value = !onlyDoubtful.value; }}>{t("doubtfulStops", { count: doubtfulCount.value })}</button>;

// Of a text that hits nothing at all, which may have been forgotten.
function NothingFound() {
  const isNothing = day.value && isSearched.value && !shownUnrouted.value.length && !shownRoutes.value.length;
  return (
    <div aria-live="polite">
      {isNothing && <p class="warn">{t("noMatch", { text: search.value.trim() })} <button type="button" class="quiet" onClick={() => { search.value = ""; }}>{t("clearSearch")}</button></p>}
    </div>
  );
}

// Of one of two lists, where the other has what was searched for.
const NoMatch = () => isSearched.value && <p class="soft">{t("noMatch", { text: search.value.trim() })}</p>;

const matchProblem = (stop: UnroutedStop) =>
  isNowhere(stop.latitude, stop.longitude) ? sayNowhere() : stop.matchType === "STREET" ? t("matchStreet") : stop.matchType === "LOCALITY" ? t("matchLocality") : "";

const fix = ({ importedStopId, storeOrderId = "" }: UnroutedStop) => (importedStopId ? safely(async () => fixImportedStop(await get<ImportedStop>(`/stops/imports/${importedStopId}`), () => Promise.resolve())) : fixOrder(storeOrderId));

// Each of them is an order that somebody waits for.
const MendLeft = ({ left }: { left: LeftRows }) =>
  <button type="button" class="quiet" onClick={() => openDialog(<ImportDialog date={left.date} left={left} />)}>{t("rowsLeft", { count: refusedRows(left.review.rejectedRows).length })}</button>;

function Unrouted() {
  const stops = shownUnrouted.value;
  const count = day.value?.unrouted.count ?? 0;
  const title = `${t("notOnRoute")} · ${isNarrowed() ? stops.length : count}`;
  return (
    <section class={lifted.value?.routeId ? "unrouted target" : "unrouted"} aria-label={title}
      onDragOver={(event) => { if (lifted.value?.routeId) event.preventDefault(); }}
      onDrop={(event) => { event.preventDefault(); if (lifted.value?.routeId) drop(""); }}>
      <div class="head">
        <h2>{title}</h2>
        {!isViewer.value && <button type="button" onClick={() => openDialog(<NewStop day={date.value} />)}>{t("newStop")}</button>}
      </div>
      {leftRows.value && <MendLeft left={leftRows.value} />}
      {day.value && !count && <p class="soft">{t(day.value.routes.some((route) => route.stops.ids.length) ? "nothingToPlan" : "noStops")}</p>}
      {count > 0 && !stops.length && shownRoutes.value.length > 0 && <NoMatch />}
      <ul class="stops">
        {stops.map((stop) => (
          <StopItem key={unroutedId(stop)} name={stop.name || t("stop")} href={`#/${placeOfLoose(stop)}`} moved={looseStop(stop)}>
            <small>{[sayAddress(stop.address), stop.timeWindows.map(sayWindow).join(", "), stop.duration ? `${Math.round(secondsOf(stop.duration) / 60)} min` : ""].filter(Boolean).join(" · ")}</small>
            {matchProblem(stop) && <small class="warn">{t("howFound")}: {matchProblem(stop)}</small>}
            {matchProblem(stop) && !isViewer.value && <button type="button" class="quiet fix" onClick={() => void fix(stop)}>{t("fixLocation")}</button>}
          </StopItem>
        ))}
      </ul>
    </section>
  );
}

function Routes() {
  const routes = shownRoutes.value;
  useEffect(noteMoved, [routes]);
  return (
    <section aria-label={t("routes")} class="routes">
      <div class="head">
        <h2>{`${t("routes")} · ${routes.length}`}</h2>
        {!isViewer.value && routesToSend().length > 0 && <button type="button" onClick={() => openDialog(<SendRoutes />)}>{t("sendRoutes")}</button>}
      </div>
      {routes.some((route) => route.estimated) && <p class="warn">{t("estimate")}</p>}
      {day.value && !day.value.routes.length && <NoRoutes />}
      {day.value && day.value.routes.length > 0 && !routes.length && shownUnrouted.value.length > 0 && <NoMatch />}
      <ul>{routes.map((route) => <RouteItem key={route.id} route={route} />)}</ul>
      {day.value && !isEmpty() && !isViewer.value && <button type="button" class="quiet" onClick={openCopyDay}>{t("copyDay")}</button>}
    </section>
  );
}

const isEmpty = () => !day.value?.routes.length && !day.value?.unrouted.count;
const openCopyDay = () => openDialog(<CopyDay date={date.value} />);

// An empty day has ways in.
function NoRoutes() {
  return (
    <>
      <p class="soft">{t("noRoutes")}</p>
      {isEmpty() && !isViewer.value && <div class="actions">
        <button type="button" onClick={() => openDialog(<ImportDialog date={date.value} />)}>{t("importSheet")}</button>
        <button type="button" onClick={openCopyDay}>{t("copyDay")}</button>
        {isOwner.value && <a href="#/settings/storefronts">{t("storefrontsTab")}</a>}
        <a href="/api/2024-07/docs" target="_blank" rel="noopener">{t("sendByApi")}</a>
      </div>}
      {isEmpty() && !isViewer.value && <Demo />}
    </>
  );
}

// Who has planned before needs no demo on a free day.
function Demo() {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const look = async () => {
      const { routes } = await get<{ routes: unknown[] }>("/routes?query.limit=1");
      if (isWanted) setNew(!routes.length);
    };
    look().catch(report);
    return () => { isWanted = false; };
  }, []);
  return isNew ? <p class="soft">{t("demoWords")} <code>roundsman demo</code></p> : null;
}

// Of a large day, the routes on the screen alone say what a lifted stop would cost: all of them at once
// would hold up what follows the pointer on a slow machine.
const saysPrice = (routeId: string) => liftedPrices.value.has(routeId) && (!isLargeDay.value || routesOnScreen.value.has(routeId));

const scrolled = signal(0); // how often routes came to other places, with a stop in hand
const noteMoved = () => { if (lifted.value) scrolled.value += 1; };
addEventListener("scroll", noteMoved, { capture: true, passive: true });
addEventListener("resize", noteMoved);

// Looked for once for all of them, before the first is changed.
const routesOnScreen = computed<ReadonlySet<string | undefined>>(() => {
  void [liftedPrices.value, scrolled.value];
  const items = [...document.querySelectorAll<HTMLElement>(".routes .route")];
  return new Set(items.filter(isOnScreen).map((item) => item.dataset["route"]));
});

function isOnScreen(item: HTMLElement): boolean {
  const { top, bottom } = item.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function RouteItem({ route }: { route: DayRoute }) {
  const [done, all] = progressOf(route);
  // While a stop is dragged these two alone change, and no route is rendered again.
  const price = useComputed(() => lifted.value && lifted.value.routeId !== route.id && saysPrice(route.id) ? liftedPrices.value.get(route.id) : undefined);
  const kind = useComputed(() => `route ${classOf(price.value)}`);
  return (
    <li class={kind} data-route={route.id} style={{ borderInlineStartColor: route.color }} {...dropTarget(route.id)}>
      <div class="first">
        <a href={`#/route/${route.id}`}>{route.name}</a>
        <span class={route.driver ? "" : "warn"}>{route.driver ? nameOfDriver(route.driver) : t("nobodyDrives")}</span>
        {isDriverOut(route) && <span class="bad">{t("driverOut")}</span>}
        {route.vehicle && <span class="soft">{route.vehicle.name}</span>}
        <span class="progress">{`${done}/${all}`}</span>
        <Price price={price} />
      </div>
      <div class="second">
        <Status route={route} />
        {route.expectedEnd && <strong>{t("back", { time: (route.estimated ? "≈ " : "") + time(route.expectedEnd) })}</strong>}
        {route.plannedEnd && route.plannedEnd !== route.expectedEnd && <small>{t("plannedFor", { time: time(route.plannedEnd) })}</small>}
        {route.late > 0 ? <span class="bad">{t("lateStops", { count: route.late })}</span> : all > 0 && (hasTimes(route) ? !isOverdue(route) && <span class="good">{t("onTime")}</span> : <span class="soft">{t("noTimesYet")}</span>)}
        <Overdue route={route} />
      </div>
      <SoughtStops route={route} />
      <RouteActions route={{ ...route, stopCount: all }} isSmall />
    </li>
  );
}

const MOST_SOUGHT = 5;

// Where what was searched for is, and when it comes; board and list show those stops themselves.
function SoughtStops({ route }: { route: DayRoute }) {
  const indexes = soughtStops(route).slice(0, MOST_SOUGHT);
  if (layout.value !== "map") return null;
  const { ids, names, updatedArrivals, plannedArrivals, statuses } = route.stops;
  return (
    <>
      {indexes.map((index) => (
        <p key={ids[index]} class="sought">{index + 1} <a href={`#/route/${route.id}/stop/${ids[index]}`}>{nameByNumber(names[index], index + 1)}</a> <strong>{time(updatedArrivals[index] ?? plannedArrivals[index])}</strong> <small>{sayStopStatus(statuses[index]!)}</small></p>
      ))}
    </>
  );
}

function classOf(price: Insertion | undefined): string {
  if (!price) return "";
  return price.newViolations.length ? "forbidden" : price.extraLatenessSeconds ? "later" : "fits";
}

// These read the clock: as components of their own they are rendered with each tick, and their routes are not.
const Status = ({ route }: { route: DayRoute }) => <span>{sayStatus(route)}</span>;
const Overdue = ({ route }: { route: DayRoute }) => isOverdue(route) && <span class="bad">{t("shouldHaveLeft", { time: time(route.scheduledFor) })}</span>;

const Price = ({ price }: { price: ReadonlySignal<Insertion | undefined> }) => price.value && <strong class="price">{sayPrice(price.value)}</strong>;

function movedFrom(route: DayRoute, index: number) {
  return { id: route.stops.ids[index]!, importedStopId: "", routeId: route.id, index };
}

const LANE_STOPS_AT_ONCE = 30, TABLE_ROWS_AT_ONCE = 100; // of a large day
const STOP_REM = 3.35, ROW_REM = 2.1; // about as high as one is, for the scroll bar

function Board() {
  return (
    <div class="lanes" role="group" aria-label={t("board")}>
      {shownRoutes.value.map((route) => <Lane key={route.id} route={route} />)}
    </div>
  );
}

function Lane({ route }: { route: DayRoute }) {
  const { ids, names, late, statuses, updatedArrivals, matchTypes, latitudes, longitudes } = route.stops;
  const [wasSeen, lane] = useSeen<HTMLElement>(!isLargeDay.value);
  const indexes = shownStops(route);
  const price = useComputed(() => !isLargeDay.value && lifted.value && lifted.value.routeId !== route.id ? liftedPrices.value.get(route.id) : undefined);
  const kind = useComputed(() => `lane ${classOf(price.value)}`);
  const doneCount = statuses.findLastIndex((status) => FINISHED.has(status)) + 1;
  const [made, rest] = useGrowing<HTMLLIElement>(wasSeen ? indexes.length : 0, isLargeDay.value ? LANE_STOPS_AT_ONCE : Infinity);
  return (
    <section ref={lane} aria-label={route.name} class={kind} style={{ borderTopColor: route.color }} {...columnTarget(route.id, ids, doneCount)}>
      <h3><a href={`#/route/${route.id}`}>{route.name}</a> <small>{progressOf(route).join("/")}</small> <Price price={price} /></h3>
      <ol class="stops">
        {indexes.slice(0, made).map((index) => (
          <StopItem key={ids[index]} number={index + 1} name={nameByNumber(names[index], index + 1)} href={`#/route/${route.id}/stop/${ids[index]}`} isLate={late[index]!}
            mayMove={!FINISHED.has(statuses[index]!)} moved={movedFrom(route, index)}>
            <small><strong>{time(updatedArrivals[index])}</strong></small>
            <Doubt matchType={matchTypes[index]} latitude={latitudes[index]} longitude={longitudes[index]} />
          </StopItem>
        ))}
        {made < indexes.length && <li ref={rest} aria-hidden="true" style={{ flex: "none", height: `${(indexes.length - made) * STOP_REM}rem` }} />}
      </ol>
    </section>
  );
}

function StopTable() {
  const rows = shownRoutes.value.flatMap((route) => shownStops(route).map((index) => ({ route, id: route.stops.ids[index]!, index })));
  const [made, rest] = useGrowing<HTMLTableRowElement>(rows.length, isLargeDay.value ? TABLE_ROWS_AT_ONCE : Infinity);
  return (
    <div class="table-holder">
      <table>
        <thead><tr><th>{t("fieldRoute")}</th><th>{t("stop")}</th><th>{t("expected")}</th><th>{t("planned")}</th><th>{t("state")}</th></tr></thead>
        <tbody>
          {rows.slice(0, made).map(({ route, id, index }) => (
            <tr key={id} class={route.stops.late[index] ? "late" : ""}>
              <td>{route.name}</td>
              <td><b class="number">{index + 1}</b> <a href={`#/route/${route.id}/stop/${id}`}>{nameByNumber(route.stops.names[index], index + 1)}</a> <Doubt matchType={route.stops.matchTypes[index]} latitude={route.stops.latitudes[index]} longitude={route.stops.longitudes[index]} /></td>
              <td><strong>{time(route.stops.updatedArrivals[index])}</strong></td>
              <td class="soft">{time(route.stops.plannedArrivals[index])}</td>
              <td>{sayStopStatus(route.stops.statuses[index]!)}{route.lateness[id] && ` · ${t("minutesLate", { minutes: Math.ceil(secondsOf(route.lateness[id]) / 60) })}`}</td>
            </tr>
          ))}
          {made < rows.length && <tr ref={rest} aria-hidden="true"><td colSpan={5} style={{ height: `${(rows.length - made) * ROW_REM}rem` }} /></tr>}
        </tbody>
      </table>
    </div>
  );
}

function sayStopStatus(status: string): string {
  switch (status) {
    case "DELIVERED": return t("delivered");
    case "ATTEMPTED_DELIVERY": return t("couldNotDeliver");
    case "OUT_FOR_DELIVERY": return t("outForDelivery");
    case "READY_FOR_DELIVERY": return t("ready");
    case "COMPLETED": return t("breakDone");
    default: return t("planned");
  }
}
