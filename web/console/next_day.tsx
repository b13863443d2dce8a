// A stop that could not be delivered is tried again another day: it comes once more, as an imported
// stop of that day, with what it asks for. Its client's id is made of the failed stop's, so however
// often and by however many planners it is asked for, there is one.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "../kit/http";
import { dayAt, daysLater } from "../kit/times";
import { t } from "../kit/words";
import { dayOfUnrouted, report, today, type PlaceTimes } from "./day";
import { change } from "./edits";
import { get, isViewer, send, unlessGone, zone } from "./session";
import { dayOf, type ImportedStop, type Route, type RouteStop, type Task } from "./shapes";
import { sayDate } from "./summaries";

// The days to which failed stops were moved, by their ids: "" of one that was not.
const movedTo = signal<ReadonlyMap<string, string>>(new Map());

const note = (stopId: string, to: string) => { movedTo.value = new Map(movedTo.value).set(stopId, to); };

const LONGEST_NOTE = 10_000;

const clientIdOf = (stopId: string) => `next-day-${stopId}`;

// One after the other: of a bad day there are many.
let lookingUp: Promise<unknown> = Promise.resolve();
function lookUpInTurn(stopId: string): Promise<unknown> {
  lookingUp = lookingUp.then(() => findMoved(stopId)).catch(report);
  return lookingUp;
}

/** Learn where a failed stop was moved to; false where it was not. */
async function findMoved(stopId: string): Promise<boolean> {
  const found = await unlessGone<ImportedStop>(`/stops/imports/${encodeURIComponent(clientIdOf(stopId))}`);
  note(stopId, found ? dayOfUnrouted(found) : "");
  return found !== null;
}

interface Origin { tasks?: Task[]; loads?: unknown; requiredSkills?: string[] }

// What a stop of a route does not show of what it was made of.
async function originOf({ importedStopId, storeOrderId }: RouteStop): Promise<Origin | null> {
  if (importedStopId) return unlessGone<Origin>(`/stops/imports/${importedStopId}`);
  return storeOrderId ? unlessGone<Origin>(`/store-orders/${encodeURIComponent(storeOrderId)}`) : null;
}

// The route's own tasks are given by the next route, too.
function ownTasks(stop: RouteStop, route: Route): Task[] {
  const ofRoute = new Set((route.stopTasks ?? []).map((task) => task.title));
  return stop.tasks.filter((task) => !ofRoute.has(task.title));
}

async function draftOf(stop: RouteStop, route: Route, day: string): Promise<object> {
  const [year, month, date] = day.split("-").map(Number);
  const origin = await originOf(stop);
  const { address, contact, items, duration, priority, orderName, timeWindows, attributes, tags, type, customSignatureDisclosure, orderReferenceUrl } = stop;
  return {
    address, contact, items, duration, priority, orderName, timeWindows, attributes, tags, type, customSignatureDisclosure, orderReferenceUrl,
    clientStopId: clientIdOf(stop.id), coordinates: stop.plannedCoordinates, deliveryDate: { year, month, day: date },
    note: [...new Set([stop.note, stop.storeOrder?.orderNote, stop.storeOrder?.customerNote, stop.customerNote?.note])].filter(Boolean).join("\n").slice(0, LONGEST_NOTE),
    tasks: origin?.tasks ?? ownTasks(stop, route), loads: origin?.loads, requiredSkills: origin?.requiredSkills,
  };
}

/** A failed stop as its route has it, and the zone of the clocks where it is. */
export interface Failure { stop: RouteStop; timezone: string | undefined }

/** Read what a route says of its stops and of the clocks there, by the stops' ids. */
export async function readFailures(routeId: string): Promise<{ route: Route | null; failures: ReadonlyMap<string, Failure> }> {
  const [route, times] = await Promise.all([
    unlessGone<Route>(`/routes/${routeId}`), unlessGone<{ places: PlaceTimes[] }>(`/routes/${routeId}/timetable`),
  ]);
  const zones = new Map(times?.places.map((place) => [place.stopId, place.timezone]));
  return { route, failures: new Map(route?.stops.map((stop) => [stop.id, { stop, timezone: zones.get(stop.id) }])) };
}

async function importAgain(routeId: string, stopId: string): Promise<ImportedStop> {
  const { route, failures } = await readFailures(routeId);
  const failure = failures.get(stopId);
  if (!route || failure?.stop.deliveryStatus !== "ATTEMPTED_DELIVERY") throw new Refusal("conflict", "");
  const { stop } = failure, day = nextDayAfter(failure);
  const { stops } = await send<{ stops: ImportedStop[] }>("POST", "/stops/imports", [await draftOf(stop, route, day)]);
  note(stopId, day);
  return stops[0]!;
}

async function moveToNextDay({ routeId, stopId, name }: Failed): Promise<void> {
  try {
    if (await findMoved(stopId)) return;
  } catch (error) {
    return report(error);
  }
  let made = "";
  await change({
    make: async () => { made = (await importAgain(routeId, stopId)).id; },
    takeBack: async () => {
      const { routes } = await get<{ routes: unknown[] }>(`/stops/imports/${made}/routes`);
      if (routes.length) throw new Refusal("refused", t("isOnRoute", { name }));
      await send("DELETE", `/stops/imports/${made}`);
      note(stopId, "");
    },
  });
}

interface Failed { routeId: string; stopId: string; name: string; isOfShop?: boolean }

// The day after that on which it failed by the clocks there, or after its own where that is later: a
// night's route fails past midnight, on a day that its own window is of. Today when that day is over.
function nextDayAfter({ stop, timezone = zone.value }: Failure): string {
  const failedOn = stop.updatedArrival ? dayAt(Date.parse(stop.updatedArrival), timezone) : today();
  const ownDay = stop.deliveryDate ? dayOf(stop.deliveryDate) : failedOn;
  const next = daysLater(ownDay > failedOn ? ownDay : failedOn, 1);
  return next < today() ? today() : next;
}

/** The button that moves a failed stop to the next day; where it has been moved, to which day. */
export function NextDay({ failed, failure, describedBy }: { failed: Failed; failure: Failure | undefined; describedBy?: string }) {
  const { stopId } = failed;
  const [isBusy, setBusy] = useState(false);
  const isAsking = useRef(false); // a second press may come before the button is drawn anew
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => { void lookUpInTurn(stopId); }, [stopId]);
  const moved = movedTo.value.get(stopId);
  if (moved) {
    return (
      <span class="moved">
        <a ref={link} href={`#/day/${moved}`}>{t("movedTo", { day: sayDate(moved) })}</a>
        {failed.isOfShop && <small class="soft">{t("shopNotTold")}</small>}
      </span>
    );
  }
  if (moved === undefined || isViewer.value) return null;
  const press = async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    setBusy(true);
    await moveToNextDay(failed).finally(() => { isAsking.current = false; setBusy(false); });
    link.current?.focus();
  };
  return <button type="button" disabled={isBusy} aria-describedby={describedBy} title={failure && sayDate(nextDayAfter(failure))} onClick={() => void press()}>{t("nextDay")}</button>;
}
