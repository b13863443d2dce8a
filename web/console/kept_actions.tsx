// Actions of drivers that changed nothing, and pictures that their phones announced and never sent.
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { t } from "../kit/words";
import { journalVersion, report } from "./day";
import { sayLeftWith, sayReason, sayWhen } from "./reported";
import { getAll, isViewer, send, unlessGone } from "./session";
import { nameOfDriver, nameOfStop, type Route, type RouteDriver, type RouteStop } from "./shapes";

const MOST_SHOWN = 100;

export interface JournalLine {
  id: string; driverId: string; kind: string; routeId: string; at: string; outcome: string; reason: string; message: string;
  resolvedAt?: string; resolvedBy?: string;
  stop?: { id: string; name: string; routeId: string; importedStopId: string }; // wherever it is now
  action: { stopId?: string; taskId?: string; uploadId?: string; reason?: string; note?: string; leftWith?: string; recipientName?: string; value?: string };
}

const KINDS = {
  ROUTE_STARTED: "routeStarted", STOP_ARRIVED: "atTheDoor", STOP_DELIVERED: "delivered", STOP_ATTEMPTED: "couldNotDeliver", STOP_REOPENED: "takenBack",
  STOPS_REORDERED: "orderChanged", PROOF_NOTE: "note", PHOTO: "proofPhoto", SIGNATURE: "proofSignature", BARCODE: "proofBarcode", BARCODE_ISSUE: "codeMissing",
  TASK_COMPLETED: "taskWord", TASK_ITEM_COMPLETED: "taskWord", BREAK_COMPLETED: "breakDone", END_COMPLETED: "routeFinished",
} as const;

const REASONS = {
  WAITING: "keptWaiting", SUPERSEDED: "keptSuperseded", ROUTE_GONE: "keptRouteGone", ROUTE_ARCHIVED: "keptRouteArchived", ROUTE_NOT_DISPATCHED: "keptNotDispatched",
  ROUTE_NOT_YOURS: "keptNotTheirs", ROUTE_COMPLETED: "keptRouteCompleted", STOP_GONE: "keptStopGone", TASK_GONE: "keptTaskGone",
} as const;

// What somebody is to look after, or has ticked off. Where a driver was after a route is neither.
export const listKept = (isResolved: boolean, driverId = "") =>
  getAll<JournalLine>(`/driver-actions?query.outcome=KEPT&query.positions=false&query.resolved=${isResolved}&query.driverId=${driverId}`, "actions");

const sayKind = (kind: string) => (kind in KINDS ? t(KINDS[kind as keyof typeof KINDS]) : kind);
const sayWhy = ({ reason, message }: JournalLine) => (reason in REASONS ? t(REASONS[reason as keyof typeof REASONS]) : message);

// What the driver said with it.
function sayDetails({ kind, action }: JournalLine): string {
  const reason = kind === "STOP_ATTEMPTED" && action.reason ? sayReason(action.reason) : "";
  return [reason, action.leftWith && sayLeftWith(action.leftWith), action.recipientName, action.value, action.note].filter(Boolean).join(", ");
}

const stopOf = ({ action }: JournalLine, route: Route | undefined): RouteStop | undefined =>
  route?.stops.find((stop) => stop.id === action.stopId || stop.tasks.some((task) => task.id === action.taskId));

// A stop that was moved or removed meanwhile is where the service says.
function whereIs(line: JournalLine, route: Route | undefined): { name: string; href: string } | null {
  const here = stopOf(line, route);
  if (here) return { name: nameOfStop(here), href: `#/route/${line.routeId}/stop/${here.id}` };
  if (!line.stop) return null;
  const { id, name, routeId, importedStopId } = line.stop;
  return { name, href: routeId ? `#/route/${routeId}/stop/${id}` : importedStopId ? `#/unrouted/${importedStopId}` : "" };
}

// The routes that actions were for, as they come; one that is gone stays away.
function useRoutes(ids: string[]): ReadonlyMap<string, Route> {
  const [routes, setRoutes] = useState<ReadonlyMap<string, Route>>(new Map());
  useEffect(() => {
    let isOver = false;
    void (async () => {
      for (const id of ids) {
        if (isOver) return;
        const found = await unlessGone<Route>(`/routes/${id}`);
        if (found) setRoutes((before) => new Map(before).set(id, found));
      }
    })().catch(report);
    return () => { isOver = true; };
  }, [ids.join()]);
  return routes;
}

export const isMissingProof = ({ reason, action }: JournalLine) => reason === "WAITING" && !!action.uploadId;

export function KeptActions({ title, hint, lines, drivers }: { title: string; hint: string; lines: JournalLine[]; drivers: ReadonlyMap<string, RouteDriver> }) {
  const shown = lines.slice(0, MOST_SHOWN);
  const routes = useRoutes([...new Set(shown.map((line) => line.routeId))]);
  const heading = useId();
  // With the last entry the heading goes, too: then that of the page is next.
  useLayoutEffect(() => () => {
    const ours = document.getElementById(heading);
    if (ours && ours === document.activeElement) ours.closest("section")?.querySelector("h1")?.focus();
  }, []);
  // The button goes with its entry: whoever works with keys goes on from the list's heading.
  const resolve = async (line: JournalLine) => {
    await send("POST", `/drivers/${line.driverId}/actions/${line.id}/resolve`);
    document.getElementById(heading)?.focus();
    journalVersion.value += 1;
  };
  return (
    <>
      <h2 id={heading} tabIndex={-1}>{title}</h2>
      <p class="soft">{hint}</p>
      <ul class="plain cases" aria-label={title}>{shown.map((line) => <KeptAction key={line.id} line={line} route={routes.get(line.routeId)} driver={drivers.get(line.driverId)} resolve={() => { resolve(line).catch(report); }} />)}</ul>
      {lines.length > shown.length && <p class="soft">{t("shown", { count: shown.length, all: lines.length })}</p>}
    </>
  );
}

interface KeptActionProps { line: JournalLine; route: Route | undefined; driver: RouteDriver | undefined; resolve: () => void }

function KeptAction({ line, route, driver, resolve }: KeptActionProps) {
  const stop = whereIs(line, route);
  const details = sayDetails(line);
  const describedBy = `kept-${line.id}`;
  return (
    <li>
      <div id={describedBy}>
        <b>{sayKind(line.kind)}</b>{details && <>: {details}</>}
        {stop && <> · {stop.href ? <a href={stop.href}>{stop.name || t("stop")}</a> : stop.name || t("stop")}</>}
        {route && <> · <a href={`#/route/${line.routeId}`}>{route.name}</a></>}
        <> · {driver ? nameOfDriver(driver) : t("driver")} · {sayWhen(line.at)}</>
      </div>
      {!isMissingProof(line) && <p class="soft">{sayWhy(line)}</p>}
      {line.resolvedAt
        ? <p class="soft">{t("tickedOffBy", { who: line.resolvedBy ?? "", when: sayWhen(line.resolvedAt) })}</p>
        : !isViewer.value && <button type="button" aria-describedby={describedBy} onClick={resolve}>{t("tickOff")}</button>}
    </li>
  );
}
