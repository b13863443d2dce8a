// What happened to a route, or to one stop of it: read in pages when somebody opens it, newest first.
import { useEffect, useRef, useState } from "preact/hooks";
import { pressOver } from "../kit/press";
import { t } from "../kit/words";
import type { Words } from "../words/en";
import { openRoute, report } from "./day";
import { sayChannel, sayMessageStatus, sayMoment } from "./messages_settings";
import { sayReason, sayWhen } from "./reported";
import { call } from "./session";

interface Changed { kind: string; stops: { stopId: string; name: string }[]; stopCount: number; before: string; after: string }
interface Entry { id: string; at: string; who: string; changes: Changed[]; message?: { moment: string; channel: string; status: string } }
interface Page { entries: Entry[]; nextCursor: string }

const PAGE = 20;

const KINDS: Record<string, keyof Words> = {
  CREATED: "historyCreated", RENAMED: "name", DRIVER_CHANGED: "driver", VEHICLE_CHANGED: "historyVehicle", DEPARTURE_CHANGED: "leavesAt",
  STOPS_ADDED: "historyAdded", STOPS_REMOVED: "historyRemoved", STOPS_REORDERED: "orderChanged", STOPS_CHANGED: "historyStopsChanged",
  DISPATCHED: "dispatchedWord", UNDISPATCHED: "historyUndispatched", ARCHIVED: "archived", UNARCHIVED: "historyUnarchived", STARTED: "routeStarted", COMPLETED: "routeFinished",
  START_CHANGED: "historyStart", END_CHANGED: "historyEnd", OPTIONS_CHANGED: "historyOptions", STOPS_READY: "ready", STOPS_SENT_OUT: "outForDelivery", STOPS_ARRIVED: "atTheDoor",
  STOPS_DELIVERED: "delivered", STOPS_ATTEMPTED: "couldNotDeliver", STOPS_REOPENED: "takenBack", BREAK_COMPLETED: "breakDone", PROOF_CHANGED: "historyProof", MESSAGE: "messages",
  OTHER: "historyOther",
};
const FROM_TO = new Set(["RENAMED", "DRIVER_CHANGED", "VEHICLE_CHANGED", "DEPARTURE_CHANGED"]);

// What this console does not know yet is shown by its name.
function sayKind({ kind }: Changed): string {
  const key = KINDS[kind];
  return key ? t(key) : kind;
}

function sayDetails({ kind, before, after }: Changed): string {
  const value = (text: string) => (!text ? "–" : kind === "DEPARTURE_CHANGED" ? sayWhen(text) : text);
  if (FROM_TO.has(kind)) return `${value(before)} → ${value(after)}`;
  if (!after) return "";
  if (kind === "STOPS_ADDED") return t("fromRoute", { name: after });
  if (kind === "STOPS_REMOVED") return t("toRoute", { name: after });
  return kind === "STOPS_ATTEMPTED" ? sayReason(after) : after;
}

function Change({ changed, entry, routeId }: { changed: Changed; entry: Entry; routeId: string }) {
  const details = entry.message && changed.kind === "MESSAGE" ? [sayMoment(entry.message.moment), sayChannel(entry.message.channel), sayMessageStatus(entry.message.status)].join(" · ") : sayDetails(changed);
  const unnamed = changed.stopCount - changed.stops.length;
  const isThere = (id: string) => openRoute.value?.stops.some((stop) => stop.id === id);
  return (
    <div>
      <b>{sayKind(changed)}</b>{(changed.stops.length > 0 || details) && ": "}
      {changed.stops.map((stop, number) => <span key={stop.stopId}>{number > 0 && ", "}{isThere(stop.stopId) ? <a href={`#/route/${routeId}/stop/${stop.stopId}`}>{stop.name || t("stop")}</a> : stop.name || t("stop")}</span>)}
      {unnamed > 0 && ` ${t("andMore", { count: unnamed })}`}
      {details && `${changed.stops.length ? " · " : ""}${details}`}
    </div>
  );
}

// The newest page in front of the entries that are known from before; of what is in both, as it
// reads now. Where it does not reach down to them it stands alone: what lies between comes with
// the pages that are asked for.
function putInFront(newest: Page, known: Page): Page {
  const ids = new Set(newest.entries.map(({ id }) => id));
  const last = known.entries.findLastIndex(({ id }) => ids.has(id));
  const older = last < 0 ? [] : known.entries.slice(last + 1);
  return older.length ? { entries: [...newest.entries, ...older], nextCursor: known.nextCursor } : newest;
}

export function History({ routeId, stopId = "", version }: { routeId: string; stopId?: string; version: string | undefined }) {
  const [pages, setPages] = useState<Page | null>(null);
  const [isOpen, setOpen] = useState(false);
  const asked = useRef(0);
  const read = async (query: string) => (await call<Page>(`/routes/${routeId}/history?${query}`)).body;
  async function readNewest(): Promise<void> {
    const mine = asked.current += 1;
    try {
      const newest = await read(`query.limit=${PAGE}${stopId && `&query.stopId=${stopId}`}`);
      await pressOver();
      if (asked.current === mine) setPages((known) => (known ? putInFront(newest, known) : newest));
    } catch (error) {
      if (asked.current === mine) setOpen(pages !== null);
      report(error);
    }
  }
  function readEarlier(cursor: string): void {
    read(`cursor=${encodeURIComponent(cursor)}`).then((page) => {
      // Another answer of the same page may have come, or another route be shown.
      setPages((known) => (known?.nextCursor === cursor ? { ...page, entries: [...known.entries, ...page.entries] } : known));
    }, report);
  }
  useEffect(() => () => { asked.current += 1; setOpen(false); setPages(null); }, [routeId, stopId]);
  // What is done while it is open comes to it.
  useEffect(() => { if (isOpen) void readNewest(); }, [version]);
  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen) void readNewest();
  }
  const title = t(stopId ? "stopHistory" : "history");
  const Part = stopId ? "div" : "section"; // that of a stop stands in its region
  return (
    <Part class="history" aria-label={stopId ? undefined : title}>
      <button type="button" aria-expanded={isOpen} onClick={toggle}>{title}</button>
      {isOpen && !pages && <p aria-live="polite" class="soft">{t("loading")}</p>}
      {isOpen && pages && <>
        {!pages.entries.length && <p class="soft">{t("noHistory")}</p>}
        <ol>{pages.entries.map((entry) => (
          <li key={entry.id}>
            {entry.changes.map((changed, number) => <Change key={number} changed={changed} entry={entry} routeId={routeId} />)}
            <small class="soft">{[sayWhen(entry.at), entry.who].filter(Boolean).join(" · ")}</small>
          </li>
        ))}</ol>
        {pages.nextCursor && <button type="button" onClick={() => { readEarlier(pages.nextCursor); }}>{t("showEarlier")}</button>}
      </>}
    </Part>
  );
}
