// One dialog at a time, opened from anywhere; it is closed by whoever is done with it.
import { signal } from "@preact/signals";
import type { ComponentChildren, RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { isUnanswered, newKey, Refusal, wordsOf, type Answer } from "../kit/http";
import { t } from "../kit/words";
import { day, forgetRoute, readAll, report, usualDeparture } from "./day";
import { cameBack, isLike, moveStop, rememberDone, reportMove, routeNamed, type MovedStop } from "./edits";
import { readPlace, sayPlace } from "./place";
import { askPrices, openRouteIds, sayPrice } from "./prices";
import { assign } from "./route_edits";
import { isDispatched } from "./route_items";
import { call, get, getAll, send, zone, type Organization, type Place } from "./session";
import { nameOfDriver, type Insertion, type Route, type RouteDriver, type Vehicle } from "./shapes";
import { instantOf } from "../kit/times";

const shown = signal<VNode | null>(null);

export const openDialog = (content: VNode) => { shown.value = content; };
export const closeDialog = () => { shown.value = null; };
export const DialogHost = () => shown.value;

export function Failure({ words }: { words: string }) {
  return words ? <p role="alert" class="alert">{words}</p> : null;
}

// What a form of a dialog does when it is sent: once however often it is pressed; what is refused is
// said in the dialog, which keeps what was typed. One that was left meanwhile closes no other: it is
// closed by what its step is given, and what it was refused for stands on the page.
export function useSubmit(step: (close: () => void) => Promise<void>): [submit: (event: Event) => void, trouble: string, isBusy: boolean] {
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isAsking = useRef(false); // a second press may come before the button is drawn anew
  const isGone = useRef(false);
  useEffect(() => () => { isGone.current = true; }, []);
  const close = () => { if (!isGone.current) closeDialog(); };
  function submit(event: Event): void {
    event.preventDefault();
    if (isAsking.current) return;
    isAsking.current = true;
    setBusy(true);
    setTrouble("");
    step(close).catch((error: unknown) => {
      if (isGone.current) return report(error);
      if (!(error instanceof Refusal)) throw error;
      setTrouble(wordsOf(error));
    }).finally(() => { isAsking.current = false; setBusy(false); });
  }
  return [submit, trouble, isBusy];
}

// A question with one answer that does something; the button is called like the dialog, or shorter.
export function Question({ title, button, words, answer }: { title: string; button: string; words: string; answer: () => void }) {
  return (
    <Dialog title={title} close={closeDialog}>
      <p>{words}</p>
      <div class="buttons">
        <button type="button" onClick={closeDialog}>{t("cancel")}</button>
        <button type="button" class="main" onClick={() => { closeDialog(); answer(); }}>{button}</button>
      </div>
    </Dialog>
  );
}

export function ask(title: string, button: string, words: string): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog(
      <Dialog title={title} close={() => { closeDialog(); resolve(false); }}>
        <p>{words}</p>
        <div class="buttons">
          <button type="button" onClick={() => { closeDialog(); resolve(false); }}>{t("cancel")}</button>
          <button type="button" class="main" onClick={() => { closeDialog(); resolve(true); }}>{button}</button>
        </div>
      </Dialog>,
    );
  });
}

// Ask once before a move that drivers on the road see: those who gain a stop and those who lose one.
export async function mayMove(routeIds: string[]): Promise<boolean> {
  const concerned = [...new Set(routeIds)].map(routeNamed).filter(isDispatched);
  return !concerned.length || ask(t("moveDispatched"), t("move"), concerned.map((route) => t("moveDispatchedWords", { name: route!.name })).join(" "));
}

export async function moveAsked(stop: MovedStop, routeId: string, index?: number): Promise<boolean> {
  if (!(await mayMove([stop.routeId, routeId]))) return false;
  return moveStop(stop, index === undefined ? { routeId } : { routeId, index });
}

// The list of routes with what the stop costs on each: everything a drop does, without dragging.
export function MoveDialog({ stop, name }: { stop: MovedStop; name: string }) {
  const [prices, setPrices] = useState<Map<string, Insertion> | null>(null);
  const isDayRead = day.value !== null;
  useEffect(() => {
    if (isDayRead) askPrices(stop, openRouteIds()).then(setPrices, (error: unknown) => { closeDialog(); reportMove(error, name); });
  }, [isDayRead]);
  const routes = (day.value?.routes ?? []).filter((route) => route.status !== "COMPLETED");
  const choose = (routeId: string, index?: number) => { closeDialog(); void moveAsked(stop, routeId, index); };
  const ordered = prices ? [...routes].sort((one, other) => [...prices.keys()].indexOf(one.id) - [...prices.keys()].indexOf(other.id)) : routes;
  return (
    <Dialog title={t("moveStop")} close={closeDialog}>
      <p>{name}</p>
      {!prices && <p role="status" class="soft">{t("asking")}</p>}
      <ul class="choices">
        {ordered.map((route) => {
          const place = prices?.get(route.id);
          const isThere = stop.routeId === route.id && !stop.before;
          return (
            <li key={route.id}>
              <button type="button" disabled={isThere} class={place?.newViolations.length ? "forbidden" : place?.extraLatenessSeconds ? "later" : ""}
                onClick={() => choose(route.id, place?.index)}>
                <i class="dot" style={{ background: route.color }} />
                <span>{route.name}</span> <span class="price">{isThere ? t("orderUnchanged") : sayPrice(place)}</span>
              </button>
            </li>
          );
        })}
        {stop.routeId && <li><button type="button" onClick={() => choose("")}>{t("notOnRoute")}</button></li>}
      </ul>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("cancel")}</button></div>
    </Dialog>
  );
}

interface Choice { id: string; name: string; state?: string }

function ChoiceDialog({ title, choices, none, choose }: { title: string; choices: Choice[] | null; none: string; choose: (id: string) => void }) {
  return (
    <Dialog title={title} close={closeDialog}>
      {!choices && <p role="status" class="soft">{t("loading")}</p>}
      <ul class="choices">
        {choices?.map((one) => (
          <li key={one.id}>
            <button type="button" aria-describedby={one.state ? `state-${one.id}` : undefined} onClick={() => choose(one.id)}>
              {one.name}{one.state && <small id={`state-${one.id}`} class="soft state" aria-hidden="true">{one.state}</small>}
            </button>
          </li>
        ))}
        <li><button type="button" onClick={() => choose("")}>{none}</button></li>
      </ul>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("cancel")}</button></div>
    </Dialog>
  );
}

export function AssignDriver({ id, name }: { id: string; name: string }) {
  const [drivers, setDrivers] = useState<RouteDriver[] | null>(null);
  useEffect(() => { getAll<RouteDriver>("/drivers", "drivers").then(setDrivers, report); }, []);
  const choose = (driverId: string) => {
    closeDialog();
    void assign({ id, name }, "driver", driverId);
  };
  // Who has not signed up cannot see a route yet, and stands behind those who can.
  const state = (driver: RouteDriver) => (driver.status === "ACTIVE" ? "" : driver.status === "PENDING" ? t("invited") : t("inactive"));
  const choices = drivers?.filter((one) => one.status !== "ARCHIVED").map((one) => ({ id: one.id, name: nameOfDriver(one), state: state(one) }))
    .sort((one, other) => Number(!!one.state) - Number(!!other.state)) ?? null;
  return <ChoiceDialog title={t("assignDriver")} choices={choices} none={t("nobody")} choose={choose} />;
}

export function AssignVehicle({ id, name }: { id: string; name: string }) {
  const [vehicles, setVehicles] = useState<Vehicle[] | null>(null);
  useEffect(() => { getAll<Vehicle>("/vehicles", "vehicles").then(setVehicles, report); }, []);
  const choose = (vehicleId: string) => {
    closeDialog();
    void assign({ id, name }, "vehicle", vehicleId);
  };
  const choices = vehicles?.filter((one) => !one.isArchived).map((one) => ({ id: one.id, name: one.name })) ?? null;
  return <ChoiceDialog title={t("assignVehicle")} choices={choices} none={t("none")} choose={choose} />;
}

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return <label class="field"><span>{label}</span>{children}</label>;
}

// Where a route may start when nobody says: as the organization does, or as the last route did.
async function usualStart(): Promise<Place | undefined> {
  const own = (await get<Organization>("/organization")).start;
  if (own) return own;
  for (const route of day.value?.routes ?? []) {
    const { start } = await get<Route>(`/routes/${route.id}`);
    return { coordinates: start.coordinates };
  }
  const last = await get<{ routes: Route[] }>("/routes?query.limit=1");
  return last.routes[0] && { coordinates: last.routes[0].start.coordinates };
}

// Where routes usually start, until something else is typed. It comes a moment later than the field:
// to who is in the field by then it is marked, so that the next letter replaces it.
export function useStart(): [start: string, setStart: (text: string) => void, read: () => Place | null, field: RefObject<HTMLInputElement | null>] {
  const [start, setStart] = useState("");
  const [usual, setUsual] = useState<Place>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => { usualStart().then((place) => { setUsual(place); setStart((before) => before || sayPlace(place)); }, report); }, []);
  useLayoutEffect(() => {
    if (usual && field.current === document.activeElement && field.current?.value === sayPlace(usual)) field.current.select();
  }, [usual]);
  return [start, setStart, () => readPlace(start, usual), field];
}

async function removeUnchanged({ body: { id }, tag }: Answer<Route>): Promise<void> {
  try {
    const now = await call<Route>(`/routes/${id}`);
    await send("DELETE", `/routes/${id}`, {}, isLike(id, now.tag, tag) ? now.tag : tag);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error; // it is gone: the answer before was lost
  }
  forgetRoute(id);
}

export function NewRoute({ date }: { date: string }) {
  const [name, setName] = useState("");
  const [start, setStart, readStart, field] = useStart();
  const [departure, setDeparture] = useState(() => usualDeparture(date));
  const [isUnread, setUnread] = useState(false);
  const key = useRef(newKey()); // of an attempt that nobody answered, too
  const [submit, trouble, isBusy] = useSubmit(async (close) => {
    const place = readStart();
    setUnread(!place);
    if (!place) return;
    const scheduledFor = new Date(instantOf(date, departure, zone.value)).toISOString();
    let made: Answer<Route> | undefined;
    const make = async () => {
      const before = made?.body.id ?? "";
      try {
        made = await call<Route>("/routes", { method: "POST", body: { name, start: place, end: place, scheduledFor }, key: key.current });
      } catch (error) {
        if (error instanceof Refusal && !isUnanswered(error)) key.current = newKey();
        throw error;
      }
      key.current = newKey(); // another one, when it is made again
      cameBack(before, made.body.id);
    };
    await make();
    rememberDone({ name, make, takeBack: () => removeUnchanged(made!) });
    close();
    await readAll();
  });
  return (
    <Dialog title={t("newRoute")} close={closeDialog}>
      <form onSubmit={submit}>
        <Failure words={isUnread ? t("badPlace") : trouble} />
        <Field label={t("name")}><input value={name} required onInput={(event) => setName(event.currentTarget.value)} /></Field>
        <Field label={t("start")}><input ref={field} value={start} required aria-describedby="start-hint" onInput={(event) => setStart(event.currentTarget.value)} /></Field>
        <p id="start-hint" class="soft">{t("startHint")}</p>
        <Field label={t("leavesAt")}><input type="time" value={departure} required onInput={(event) => setDeparture(event.currentTarget.value)} /></Field>
        <div class="buttons">
          <button type="button" onClick={closeDialog}>{t("cancel")}</button>
          <button type="submit" class="main" disabled={isBusy}>{t("createRoute")}</button>
        </div>
      </form>
    </Dialog>
  );
}
