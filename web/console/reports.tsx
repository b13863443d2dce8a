// What was promised and done in a period: windows that held, days, drivers.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BASE } from "../kit/http";
import { daysLater, isDay } from "../kit/times";
import { t } from "../kit/words";
import { report, today } from "./day";
import { Field } from "./dialogs";
import { downloadByToken } from "./downloads";
import { go, path } from "./places";
import { DaysChart, WindowsChart } from "./report_charts";
import { sayReason } from "./reported";
import { get } from "./session";
import { nameOfBucket, sayDate, sayNumber, sayShare, TARGET_SHARE, type ArrivalBucket, type DaySummary, type DriverSummary, type WorkSummary } from "./summaries";

const MOST_DAYS = 31; // of one report of days or drivers; the server refuses more
const PERIODS = [7, 30];

type Reading<T> = T | "reading" | "failed";

// What is at an address; "reading" until it is there.
function useReport<T>(address: string): Reading<T> {
  const [found, setFound] = useState<Reading<T>>("reading");
  useEffect(() => {
    const controller = new AbortController();
    setFound("reading");
    if (address) {
      get<T>(address, controller.signal).then(setFound, (error: unknown) => {
        if (controller.signal.aborted) return;
        setFound("failed");
        report(error);
      });
    }
    return () => { controller.abort(); };
  }, [address]);
  return found;
}

export function ReportsPage() {
  const [, first = "", second = ""] = path.value.split("/");
  const to = isDay(second) ? second : today();
  const from = isDay(first) ? first : daysLater(to, 1 - PERIODS[1]!);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  const period = `query.from=${from}&query.to=${to}`;
  const choose = (start: string, end: string) => { if (isDay(start) && isDay(end)) go(`reports/${start}/${end}`); };
  return (
    <section class="page reports" aria-label={t("reports")}>
      <h1>{t("reports")}</h1>
      <div role="group" aria-label={t("period")} class="period">
        <Field label={t("from")}><input type="date" required value={from} max={to} onChange={(event) => { choose(event.currentTarget.value, to); }} /></Field>
        <Field label={t("to")}><input type="date" required value={to} min={from} onChange={(event) => { choose(from, event.currentTarget.value); }} /></Field>
        {PERIODS.map((count) => (
          <button key={count} type="button" aria-pressed={days === count && to === today()}
            onClick={() => { choose(daysLater(today(), 1 - count), today()); }}>{t("dayCount", { count })}</button>
        ))}
      </div>
      {days < 1 ? <p role="alert" class="alert">{t("periodBackwards")}</p> : <>
        <WindowsRegion period={period} />
        <DaysRegion period={period} from={from} days={days} />
        <DriversRegion period={period} days={days} />
      </>}
    </section>
  );
}

function WindowsRegion({ period }: { period: string }) {
  const found = useReport<{ buckets: ArrivalBucket[] }>(`/reports/arrivals?${period}`);
  return (
    <ReportRegion name={t("windowsThatHold")} file="arrivals" period={period}>
      <p class="soft">{t("windowsHint", { target: sayShare(TARGET_SHARE) })}</p>
      <Read found={found}>{({ buckets }) => <Windows buckets={buckets} />}</Read>
    </ReportRegion>
  );
}

function Windows({ buckets }: { buckets: ArrivalBucket[] }) {
  const promised = buckets.reduce((sum, one) => sum + one.count, 0);
  const held = buckets.reduce((sum, one) => sum + one.held, 0);
  if (!promised) return <p>{t("noWindows")}</p>;
  const summary = t("windowsHeld", { held: sayNumber(held), promised: sayNumber(promised), share: sayShare(held / promised), target: sayShare(TARGET_SHARE) });
  return <>
    <p>{summary}</p>
    <WindowsChart buckets={buckets} label={summary} />
    <table class="stacked" role="table" aria-label={t("windowsThatHold")}>
      <Head columns={[t("stopsAhead"), t("promised"), t("held"), t("heldShare"), t("medianArrival")]} />
      <tbody role="rowgroup">
        {buckets.map((one) => (
          <tr key={one.stopsAhead} role="row">
            <th role="rowheader" scope="row">{nameOfBucket(one.stopsAhead)}</th>
            <Cell label={t("promised")}>{sayNumber(one.count)}</Cell>
            <Cell label={t("held")}>{sayNumber(one.held)}</Cell>
            <Cell label={t("heldShare")}>{one.share === undefined ? t("noWindowYet") : <>{sayShare(one.share)}{one.share < TARGET_SHARE && <small>{t("belowTarget")}</small>}</>}</Cell>
            <Cell label={t("medianArrival")}>{sayError(one.medianErrorSeconds)}</Cell>
          </tr>
        ))}
      </tbody>
    </table>
  </>;
}

function sayError(seconds: number | undefined): string {
  if (seconds === undefined) return t("noWindowYet");
  const minutes = Math.round(seconds / 60);
  if (!minutes) return t("asExpected");
  return t(minutes > 0 ? "minutesLater" : "minutesEarlier", { minutes: sayNumber(Math.abs(minutes)) });
}

function DaysRegion({ period, from, days }: { period: string; from: string; days: number }) {
  const isRead = days <= MOST_DAYS;
  const found = useReport<{ days: DaySummary[] }>(isRead ? `/reports/days?${period}` : "");
  return (
    <ReportRegion name={t("days")} file="days" period={period} isRead={isRead}>
      <Read found={found}>{(read) => !read.days.length ? <p>{t("noRoutesThen")}</p> : <>
        <p>{sayWork(read.days)}</p>
        <DaysChart days={read.days} from={from} count={days} label={t("deliveriesPerDay")} />
        <WorkTable name={t("days")} first={t("day")} rows={read.days.map((one) => ({
          key: one.date, work: one, title: <a href={`#/day/${one.date}`}>{sayDate(one.date)}</a>,
        }))} />
      </>}</Read>
    </ReportRegion>
  );
}

function DriversRegion({ period, days }: { period: string; days: number }) {
  const isRead = days <= MOST_DAYS;
  const found = useReport<{ drivers: DriverSummary[] }>(isRead ? `/reports/drivers?${period}` : "");
  return (
    <ReportRegion name={t("drivers")} file="drivers" period={period} isRead={isRead}>
      <Read found={found}>{({ drivers }) => !drivers.length ? <p>{t("noRoutesThen")}</p> : (
        <WorkTable name={t("drivers")} first={t("driver")} rows={drivers.map((one) => ({
          key: one.driverId ?? "", work: one, title: one.driverId ? one.name || t("erasedDriver") : t("withoutDriver"),
        }))} />
      )}</Read>
    </ReportRegion>
  );
}

interface ReportRegionProps { name: string; file: string; period: string; isRead?: boolean; children: ComponentChildren }

function ReportRegion({ name, file, period, isRead = true, children }: ReportRegionProps) {
  const address = `${BASE}/reports/${file}?${period}&query.format=CSV`;
  return (
    <section class="card" aria-label={name}>
      <div class="card-head">
        <h2>{name}</h2>
        {isRead && <a href={address} download={`${file}.csv`} onClick={(event) => { downloadByToken(event, address, `${file}.csv`); }}>CSV</a>}
      </div>
      {isRead ? children : <p>{t("periodTooLong", { count: MOST_DAYS })}</p>}
    </section>
  );
}

function Read<T extends object>({ found, children }: { found: Reading<T>; children: (read: T) => ComponentChildren }) {
  if (typeof found === "object") return <>{children(found)}</>;
  return <p class="soft">{found === "reading" ? t("loading") : t("notRead")}</p>;
}

function sayWork(works: WorkSummary[]): string {
  const sum = (key: "delivered" | "stops" | "attempted" | "late") => works.reduce((total, one) => total + one[key], 0);
  return t("workDone", {
    delivered: sayNumber(sum("delivered")), stops: sayNumber(sum("stops")), attempted: sayNumber(sum("attempted")), late: sayNumber(sum("late")),
  });
}

interface Row { key: string; title: ComponentChildren; work: WorkSummary }

function WorkTable({ name, first, rows }: { name: string; first: string; rows: Row[] }) {
  return (
    <table class="stacked" role="table" aria-label={name}>
      <Head columns={[first, t("routes"), t("stops"), t("delivered"), t("couldNotDeliver"), t("stillOpen"), t("punctual"), t("distance"), t("onTheRoad"), t("stopsPerHour"), t("rating")]} />
      <tbody role="rowgroup">
        {rows.map(({ key, title, work }) => (
          <tr key={key} role="row">
            <th role="rowheader" scope="row">{title}</th>
            <Cell label={t("routes")}>{sayNumber(work.routes)}</Cell>
            <Cell label={t("stops")}>{sayNumber(work.stops)}</Cell>
            <Cell label={t("delivered")}>{sayNumber(work.delivered)}</Cell>
            <Cell label={t("couldNotDeliver")}>{sayNumber(work.attempted)}{work.failedReasons.map(({ reason, count }) => <small key={reason}>{sayReason(reason)}: {sayNumber(count)}</small>)}</Cell>
            <Cell label={t("stillOpen")}>{sayNumber(work.open)}</Cell>
            <Cell label={t("punctual")}>{work.onTimeShare === undefined ? t("nothingDone") : <>{sayShare(work.onTimeShare)}{work.late > 0 && <small>{t("lateStops", { count: work.late })}</small>}</>}</Cell>
            <Cell label={t("distance")}>{t("kilometers", { count: sayNumber(work.distanceMeters / 1000) })}</Cell>
            <Cell label={t("onTheRoad")}>{isBegun(work) ? sayHours(work.secondsOnTheRoad) : t("nothingDone")}</Cell>
            <Cell label={t("stopsPerHour")}>{work.stopsPerHour !== undefined ? sayNumber(work.stopsPerHour) : isBegun(work) ? t("notKnown") : t("nothingDone")}</Cell>
            <Cell label={t("rating")}>{work.averageRating === undefined ? t("noRating") : <>{t("ratingOf", { rating: sayNumber(work.averageRating) })}<small>{t("ratingCount", { count: work.ratings })}</small></>}</Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isBegun = (work: WorkSummary) => work.delivered + work.attempted > 0;

function sayHours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return t("hoursMinutes", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

function Head({ columns }: { columns: string[] }) {
  return <thead role="rowgroup"><tr role="row">{columns.map((one) => <th key={one} role="columnheader" scope="col">{one}</th>)}</tr></thead>;
}

// On a narrow screen rows are stacked, and each cell is preceded by its label.
function Cell({ label, children }: { label: string; children: ComponentChildren }) {
  return <td role="cell" data-label={label}><span>{children}</span></td>;
}
