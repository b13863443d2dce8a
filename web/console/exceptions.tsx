// What somebody has to look after: routes that are late or have not left, stops that could not be
// delivered, actions kept aside, and proof that has not arrived.
import { useEffect, useState } from "preact/hooks";
import { pressOver } from "../kit/press";
import { daysLater, sayDay } from "../kit/times";
import { locale, t } from "../kit/words";
import { date, day, journalVersion, now, report, today } from "./day";
import { isMissingProof, KeptActions, listKept, type JournalLine } from "./kept_actions";
import { NextDay, readFailures, type Failure } from "./next_day";
import { sayReason, sayWhen } from "./reported";
import { isDriverOut, isOverdue, isUnderWay, time } from "./route_items";
import { get, getAll } from "./session";
import { nameByNumber, nameOfDriver, type Day, type DayRoute, type RouteDriver } from "./shapes";
import { sayDate } from "./summaries";

const DAYS_BEFORE = 3; // whoever plans on a Monday still has Friday's failed stops

interface FailedStop { day: string; route: DayRoute; id: string; name: string; at: string | null }

const failedOf = (one: Day): FailedStop[] => one.routes.flatMap((route) => route.stops.ids
  .map((id, index) => ({ day: one.date, route, id, name: nameByNumber(route.stops.names[index], index + 1), at: route.stops.updatedArrivals[index] ?? null, status: route.stops.statuses[index] }))
  .filter((stop) => stop.status === "ATTEMPTED_DELIVERY"));

// The days before the open one, the latest first.
function useDaysBefore(): Day[] | null {
  const [days, setDays] = useState<Day[] | null>(null);
  useEffect(() => {
    let isOver = false;
    const wanted = Array.from({ length: DAYS_BEFORE }, (_, index) => daysLater(date.value, -1 - index));
    setDays(null);
    Promise.all(wanted.map((one) => get<Day>(`/days/${one}`))).then((found) => { if (!isOver) setDays(found); }, report);
    return () => { isOver = true; };
  }, [date.value]);
  return days;
}

const isStranded = (route: DayRoute): boolean => isDriverOut(route) && isUnderWay(route);
const behindOf = (one: Day): DayRoute[] => one.routes.filter((route) => isOverdue(route) || route.late > 0 || isStranded(route));

// Of a day that is over nobody mends what is done; a night's routes go on into the next one.
const isStillOpen = (route: DayRoute): boolean =>
  isUnderWay(route) || (route.status !== "COMPLETED" && !!route.plannedEnd && Date.parse(route.plannedEnd) > now.value);
const stillBehindOf = (one: Day): DayRoute[] => behindOf(one).filter(isStillOpen);

// Whether today has what the open day and the days before it do not show: whoever plans another day is told.
function useTodayElsewhere(before: Day[] | null): boolean {
  const [found, setFound] = useState<Day | null>(null);
  const isOpen = date.value === today();
  useEffect(() => {
    let isOver = false;
    setFound(null);
    if (!isOpen) get<Day>(`/days/${today()}`).then((one) => { if (!isOver) setFound(one); }, report);
    return () => { isOver = true; };
  }, [date.value, isOpen]);
  if (isOpen || !found || !before) return false;
  const isFailureShown = before.some((one) => one.date === found.date);
  const shown = new Set(before.flatMap(stillBehindOf).map((route) => route.id));
  return behindOf(found).some((route) => !shown.has(route.id)) || (!isFailureShown && failedOf(found).length > 0);
}

// What the drivers said of failed stops, route by route; a day's own answer does not say it.
function useFailures(failed: FailedStop[]): ReadonlyMap<string, Failure> {
  const [known, setKnown] = useState<ReadonlyMap<string, Failure>>(new Map());
  useEffect(() => {
    let isOver = false;
    void (async () => {
      for (const id of new Set(failed.map((one) => one.route.id))) {
        if (isOver) return;
        const { failures } = await readFailures(id);
        setKnown((before) => new Map([...before, ...failures]));
      }
    })().catch(report);
    return () => { isOver = true; };
  }, [failed.map((one) => one.id).join()]);
  return known;
}

interface Journal { lines: JournalLine[]; drivers: ReadonlyMap<string, RouteDriver> }

// What was kept aside: what is open, or what somebody has ticked off. Read anew when one more is.
function useJournal(isWanted: boolean, isResolved: boolean): Journal | null {
  const [journal, setJournal] = useState<Journal | null>(null);
  useEffect(() => {
    let isOver = false;
    if (isWanted) Promise.all([listKept(isResolved), getAll<RouteDriver>("/drivers", "drivers")]).then(async ([kept, drivers]) => {
      await pressOver();
      const lines = [...kept].reverse();
      if (!isOver) setJournal({ lines, drivers: new Map(drivers.map((one) => [one.id, one])) });
    }, report);
    return () => { isOver = true; };
  }, [isWanted, journalVersion.value]);
  return journal;
}

export function ExceptionsPage() {
  const before = useDaysBefore();
  const journal = useJournal(true, false);
  const [showsDone, setShowsDone] = useState(false);
  const done = useJournal(showsDone, true);
  const failed = [...(day.value ? [day.value] : []), ...(before ?? [])].flatMap(failedOf);
  const said = useFailures(failed);
  const behind = [
    ...(day.value ? behindOf(day.value).map((route) => ({ route, leftOn: "" })) : []),
    ...(before ?? []).flatMap((one) => stillBehindOf(one).map((route) => ({ route, leftOn: one.date }))),
  ];
  const isTodayElsewhere = useTodayElsewhere(before);
  const missing = journal?.lines.filter(isMissingProof) ?? [];
  const kept = journal?.lines.filter((line) => !isMissingProof(line)) ?? [];
  const drivers = journal?.drivers ?? new Map<string, RouteDriver>();
  const isEmpty = before && journal && !failed.length && !behind.length && !journal.lines.length;
  return (
    <section class="page" aria-label={t("exceptions")}>
      <h1 tabIndex={-1}>{t("exceptions")} · {sayDay(date.value, locale.value)}</h1>
      {isTodayElsewhere && <p class="warn">{t("todayElsewhere")} <a href={`#/exceptions/${today()}`}>{t("showToday")}</a></p>}
      {isEmpty && <p class="soft">{t("noExceptions")}</p>}
      {behind.length > 0 && <>
        <h2>{t("routes")}</h2>
        <ul class="plain">{behind.map(({ route, leftOn }) => (
          <li key={route.id}>
            <a href={`#/route/${route.id}`}>{route.name}</a>{leftOn && ` · ${sayDate(leftOn)}`} · {route.driver ? nameOfDriver(route.driver) : t("nobodyDrives")}
            {isStranded(route) && <> · <span class="bad">{t("driverOut")}</span></>}
            {isOverdue(route) && <> · <span class="bad">{t("shouldHaveLeft", { time: time(route.scheduledFor) })}</span></>}
            {route.late > 0 && <> · <span class="bad">{t("lateStops", { count: route.late })}</span></>}
          </li>
        ))}</ul>
      </>}
      {failed.length > 0 && <>
        <h2>{t("failedDeliveries")}</h2>
        <ul class="plain cases" aria-label={t("failedDeliveries")}>{failed.map((one) => <FailedDelivery key={one.id} failed={one} failure={said.get(one.id)} />)}</ul>
      </>}
      {missing.length > 0 && <KeptActions title={t("missingProof")} hint={t("missingProofHint")} lines={missing} drivers={drivers} />}
      {kept.length > 0 && <KeptActions title={t("keptActions")} hint={t("keptHint")} lines={kept} drivers={drivers} />}
      <label class="check"><input type="checkbox" checked={showsDone} onChange={(event) => { setShowsDone(event.currentTarget.checked); }} /> {t("showDone")}</label>
      {showsDone && done && (done.lines.length > 0
        ? <KeptActions title={t("doneActions")} hint={t("doneHint")} lines={done.lines} drivers={done.drivers} />
        : <p class="soft">{t("noneDone")}</p>)}
    </section>
  );
}

function FailedDelivery({ failed: { day: failedOn, route, id, name, at }, failure }: { failed: FailedStop; failure: Failure | undefined }) {
  const said = failure?.stop;
  return (
    <li>
      <div id={`failed-${id}`}>
        <a href={`#/route/${route.id}/stop/${id}`}>{name}</a>
        {said && <> · <span class="bad">{[sayReason(said.attemptedReason), said.attemptedNote].filter(Boolean).join(": ")}</span></>}
        <> · {at ? sayWhen(at) : sayDate(failedOn)} · {route.driver ? nameOfDriver(route.driver) : t("nobodyDrives")} · </>
        <a href={`#/route/${route.id}`}>{route.name}</a>
      </div>
      <NextDay failed={{ routeId: route.id, stopId: id, name, isOfShop: !!said?.storeOrderId }} failure={failure} describedBy={`failed-${id}`} />
    </li>
  );
}
