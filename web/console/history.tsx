// What happened to a route, or to one stop of it: read in pages when somebody opens it, newest first.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../kit/words";
import type { Words } from "../words/en";
import { openRoute, report } from "./day";
import { sayChannel, sayMessageStatus, sayMoment } from "./messages_settings";
import { sayReason, sayWhen } from "./reported";
import { call } from "./session";

interface Changed { kind: string; stops: { stopId: string; name: string }[]; stopCount: number; before: string; after: string }
interface Entry { id: string; at: string; who: string; topics: string[]; changes: Changed[]; message?: { moment: string; channel: string; status: string } }
interface Page { entries: Entry[]; nextCursor: string }

const PAGE = 20;

const KINDS: Record<string, keyof Words> = {
  CREATED: "historyCreated", DELETED: "historyDeleted", RENAMED: "name", DRIVER_CHANGED: "driver", VEHICLE_CHANGED: "historyVehicle", DEPARTURE_CHANGED: "leavesAt",
  STOPS_ADDED: "historyAdded", STOPS_REMOVED: "historyRemoved", STOPS_REORDERED: "orderChanged", STOPS_CHANGED: "historyStopsChanged",
  DISPATCHED: "dispatchedWord", UNDISPATCHED: "historyUndispatched", ARCHIVED: "archived", UNARCHIVED: "historyUnarchived", STARTED: "routeStarted", COMPLETED: "routeFinished",
  START_CHANGED: "historyStart", END_CHANGED: "historyEnd", STOPS_SCHEDULED: "planned", STOPS_READY: "ready", STOPS_SENT_OUT: "outForDelivery", STOPS_ARRIVED: "atTheDoor",
  STOPS_DELIVERED: "delivered", STOPS_ATTEMPTED: "couldNotDeliver", STOPS_REOPENED: "takenBack", BREAK_COMPLETED: "breakDone", PROOF_CHANGED: "historyProof", MESSAGE: "messages",
};
const FROM_TO = new Set(["RENAMED", "DRIVER_CHANGED", "VEHICLE_CHANGED", "DEPARTURE_CHANGED"]);

// What this console does not know yet is shown by its name.
function sayKind({ kind }: Changed, topics: string[]): string {
  const key = KINDS[kind];
  return key ? t(key) : kind === "OTHER" ? topics.join(", ") : kind;
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
      <b>{sayKind(changed, entry.topics)}</b>{(changed.stops.length > 0 || details) && ": "}
      {changed.stops.map((stop, number) => <span key={stop.stopId}>{number > 0 && ", "}{isThere(stop.stopId) ? <a href={`#/route/${routeId}/stop/${stop.stopId}`}>{stop.name || t("stop")}</a> : stop.name || t("stop")}</span>)}
      {unnamed > 0 && ` ${t("andMore", { count: unnamed })}`}
      {details && `${changed.stops.length ? " · " : ""}${details}`}
    </div>
  );
}

export function History({ routeId, stopId = "", version }: { routeId: string; stopId?: string; version: string | undefined }) {
  const [pages, setPages] = useState<Page | null>(null);
  const [isOpen, setOpen] = useState(false);
  const asked = useRef(0);
  async function read(cursor: string): Promise<void> {
    const mine = asked.current += 1;
    const query = cursor ? `cursor=${encodeURIComponent(cursor)}` : `query.limit=${PAGE}${stopId && `&query.stopId=${stopId}`}`;
    try {
      const { body } = await call<Page>(`/routes/${routeId}/history?${query}`);
      if (asked.current !== mine) return;
      setPages((before) => ({ ...body, entries: [...(cursor ? before?.entries ?? [] : []), ...body.entries] }));
    } catch (error) {
      if (asked.current === mine) setOpen(pages !== null);
      report(error);
    }
  }
  useEffect(() => () => { asked.current += 1; setOpen(false); setPages(null); }, [routeId, stopId]);
  // What is done while it is open comes to it.
  useEffect(() => { if (isOpen) void read(""); }, [version]);
  function toggle(): void {
    setOpen(!isOpen);
    if (!isOpen) { setPages(null); void read(""); }
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
        {pages.nextCursor && <button type="button" onClick={() => void read(pages.nextCursor)}>{t("showEarlier")}</button>}
      </>}
    </Part>
  );
}
