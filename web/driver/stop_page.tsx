// A stop: where it is, what was agreed, what is done at the door, and how the visit ended.
import { useState } from "preact/hooks";
import { isNowhere } from "../kit/nowhere";
import { sayOtherDay, sayTime } from "../kit/times";
import { actions, choices, drafts, files, isRouteGone, keepStopDraft, record, routeOf, session, settled } from "./app";
import { saidByFailing, type Draft } from "./drafts";
import { FailDialog } from "./fail_dialog";
import { LEFT_WITH, NoRoute, Unsent, useLast } from "./gone";
import { mapLink } from "./map_links";
import { useOnce } from "./once";
import { routeAddress } from "./places";
import { Barcodes, isCodeTyped, isDrawn, Pictures, SignButton, typedCode } from "./proof";
import { BackTo, goOnTo, nextOpen, statusOf, titleOf } from "./route_page";
import { firstDay, sayWindows, zone } from "./routes_page";
import { addressOf, besideName, isBreak, isDone, isOver, isStarted, missingTasks, notesOf, parcelOf } from "./shown_route";
import type { NewDeed } from "./stored";
import type { Deed, ProofKind, Route, Stop } from "./shapes";
import { isTyped, Tasks, typedTasks } from "./tasks";
import { locale, t } from "./words";

const SAME_DOOR_DEGREES = 0.0003; // some 30 m

export const ruleOf = (kind: ProofKind) => session.value?.organization.proofRules?.[kind] ?? "OFFERED";

export function StopPage({ routeId, stopId }: { routeId: string; stopId: string }) {
  const route = routeOf(routeId);
  const stop = route?.stops.find(({ id }) => id === stopId);
  const last = useLast(stop);
  const isGone = isRouteGone(routeId);
  if (!route || !stop || isGone) {
    return (
      <>
        <BackTo address={route && !isGone ? routeAddress(routeId) : "#/routes"} />
        {last && <StopName stop={last} />}
        {route && !isGone
          ? <><p class="alert">{t("stopGone")}</p><a class="button" href={routeAddress(routeId)}>{route.name}</a></>
          : <NoRoute id={routeId} />}
        <Unsent stopId={stopId} tasks={last?.tasks ?? []} />
      </>
    );
  }
  const number = route.stops.indexOf(stop) + 1;
  return (
    <>
      <BackTo address={routeAddress(routeId)} />
      <p class="soft">{number} / {route.stops.length} · {statusOf(stop)}</p>
      <StopName stop={stop} />
      {isBreak(stop) ? <Break route={route} stop={stop} /> : <><About route={route} stop={stop} /><Visit route={route} stop={stop} /></>}
    </>
  );
}

function StopName({ stop }: { stop: Stop }) {
  const beside = besideName(stop);
  return <><h1>{titleOf(stop)}</h1>{beside && <p class="beside">{beside}</p>}</>;
}

function About({ route, stop }: { route: Route; stop: Stop }) {
  const arrival = stop.updatedArrival ?? stop.plannedArrival;
  const day = sayOtherDay(arrival, zone(), locale.value, firstDay(route));
  const expected = sayTime(arrival, zone(), locale.value);
  const windows = sayWindows(route, stop);
  const phone = stop.contact?.phone;
  return (
    <section class="about">
      <p class="address">{addressOf(stop)}</p>
      {isNowhere(stop.plannedCoordinates.latitude, stop.plannedCoordinates.longitude) && <p class="note">{t("noPlace")}</p>}
      {stop.storeOrder?.address && <p class="note"><b>{t("orderAddress")}:</b> {addressOf(stop.storeOrder)}</p>}
      <p>{[windows && t("window", { window: windows }), expected && [day, t("expected", { time: expected })].filter(Boolean).join(" ")].filter(Boolean).join(" · ")}</p>
      {notesOf(stop).map(({ by, text }) => <p key={by + text} class="note">{by && <b>{t(by)}: </b>}{text}</p>)}
      {stop.items.length > 0 && <ul aria-label={t("items")} class="items">{stop.items.map((item, index) => <li key={index}>{item.quantity} × {item.name || item.sku}</li>)}</ul>}
      <p class="row">
        <a class="button" href={mapLink(stop, choices.value["map"] ?? "")} target="_blank" rel="noreferrer">{t("navigate")}</a>
        {phone && <a class="button" href={`tel:${phone}`}>{t("call")}</a>}
      </p>
    </section>
  );
}

function Break({ route, stop }: { route: Route; stop: Stop }) {
  if (isDone(stop) || !isStarted(route)) return null;
  const take = async () => {
    if (await record({ deeds: [{ deed: { kind: "BREAK_COMPLETED", routeId: route.id, stopId: stop.id } }] })) goOnTo(route, stop.id);
  };
  return <button type="button" class="main" onClick={() => { void take(); }}>{t("breakDone")}</button>;
}

// Other open stops at the same door: one tap ends them all.
function sharingDoor(route: Route, stop: Stop): Stop[] {
  const { latitude, longitude } = stop.plannedCoordinates;
  return route.stops.filter((other) => other.id !== stop.id && !isBreak(other) && !isDone(other) && addressOf(other) === addressOf(stop)
    && Math.abs(other.plannedCoordinates.latitude - latitude) < SAME_DOOR_DEGREES && Math.abs(other.plannedCoordinates.longitude - longitude) < SAME_DOOR_DEGREES);
}

// Pictures taken here stand for the others at this door, too: the same upload is named again.
function picturesFor(stop: Stop, other: Stop): NewDeed[] {
  const taken = [...settled.value.map(({ action }) => action), ...actions.value.map(({ action }) => action)];
  return taken.filter(({ stopId, kind }) => stopId === stop.id && (kind === "PHOTO" || kind === "SIGNATURE"))
    .map(({ kind, routeId, uploadId }) => ({ deed: { kind, routeId, stopId: other.id, uploadId: uploadId! } }));
}

// What the rules ask for and is not there yet.
function missingProof(stop: Stop, others: Stop[], note: string, recipientName: string): { required: string[]; wished: string[] } {
  const here = files.value.filter(({ stopId }) => stopId === stop.id);
  const has: Record<ProofKind, boolean> = {
    photo: stop.proofOfDeliveryPhotos.length > 0 || here.some(({ kind }) => kind === "PHOTO"),
    signature: stop.proofOfDeliverySignatures.length > 0 || here.some(({ kind }) => kind === "SIGNATURE"),
    barcode: stop.proofOfDeliveryBarcodes.length > 0 || isCodeTyped(stop), note: note.trim() !== "", recipientName: recipientName.trim() !== "",
  };
  const words: Record<ProofKind, string> = { photo: t("photo"), signature: t("signature"), barcode: t("code"), note: t("note"), recipientName: t("recipientName") };
  // Nobody leaves behind by chance what a customer has drawn and the driver has not saved.
  const isLeft = (kind: ProofKind) => kind === "signature" && ruleOf(kind) !== "OFF" && [stop, ...others].some(isDrawn);
  const kinds = Object.keys(words) as ProofKind[];
  const required = kinds.filter((kind) => ruleOf(kind) === "REQUIRED" && !has[kind]);
  const wished = kinds.filter((kind) => !required.includes(kind) && (isLeft(kind) || (ruleOf(kind) === "WARN" && !has[kind])));
  return { required: required.map((kind) => words[kind]), wished: wished.map((kind) => words[kind]) };
}

// What brings the stop back to how it stood before, where the tap was sent already.
function wayBack(route: Route, stop: Stop): Deed {
  const base = { routeId: route.id, stopId: stop.id };
  if (stop.deliveryStatus === "DELIVERED") {
    return {
      ...base, kind: "STOP_DELIVERED", note: stop.proofOfDeliveryNote,
      ...(stop.recipientName ? { recipientName: stop.recipientName } : {}), ...(stop.leftWith ? { leftWith: stop.leftWith } : {}),
    };
  }
  if (stop.deliveryStatus === "ATTEMPTED_DELIVERY") return { ...base, kind: "STOP_ATTEMPTED", reason: stop.attemptedReason, note: stop.attemptedNote };
  return { ...base, kind: "STOP_REOPENED" };
}

function Visit({ route, stop }: { route: Route; stop: Stop }) {
  const [tried, setTried] = useState<"" | "deliver" | "deliverAll" | "fail">(""); // and was stopped by what is missing
  const [hasWarned, setWarned] = useState(false);
  const [isFailing, setFailing] = useState(false);
  const once = useOnce();
  const draft = drafts.value[stop.id] ?? {};
  const done = isDone(stop);
  const note = draft.note ?? stop.proofOfDeliveryNote;
  const recipientName = draft.recipientName ?? stop.recipientName ?? "";
  const leftWith = draft.leftWith ?? stop.leftWith ?? "";
  const base = { routeId: route.id, stopId: stop.id };
  if (!isStarted(route)) return null;

  // What holds for the whole door is said of each stop of it, but for what was typed at that one. An
  // emptied note replaces the one before: the service keeps a note that is not named.
  const deliveryOf = (one: Stop): Deed => {
    const own: Draft = one === stop ? {} : drafts.value[one.id] ?? {};
    const said = { note: own.note?.trim() || note.trim(), recipientName: own.recipientName?.trim() || recipientName.trim(), leftWith: own.leftWith || leftWith };
    return {
      kind: "STOP_DELIVERED", routeId: route.id, stopId: one.id, ...(said.note || (one === stop && stop.proofOfDeliveryNote) ? { note: said.note } : {}),
      ...(said.recipientName ? { recipientName: said.recipientName } : {}), ...(said.leftWith ? { leftWith: said.leftWith } : {}),
    };
  };
  const missingHere = (one: Stop, isDelivery: boolean) => missingTasks(one, isDelivery).filter((task) => !isTyped(one.id, task)).map(({ title }) => title);
  const proof = (others: Stop[]) => missingProof(stop, others, note, recipientName);
  const required = (others: Stop[]) => [...proof(others).required, ...[stop, ...others].flatMap((one) => missingHere(one, true))];
  const deliver = async (others: Stop[]) => {
    setTried(others.length ? "deliverAll" : "deliver");
    if (required(others).length) return;
    if (proof(others).wished.length && !hasWarned) { setWarned(true); return; }
    setTried("");
    const deeds = [stop, ...others].flatMap((one) => [...(one === stop ? [] : picturesFor(stop, one)), ...typedTasks(route.id, one.id, one.tasks), ...typedCode(route.id, one), { deed: deliveryOf(one) }]);
    const typed = [stop, ...others].map(({ id }) => ({ key: id }));
    const isKept = await record({ deeds, correct: [stop, ...others].map((one) => wayBack(route, one)), label: t("delivered"), typed });
    if (isKept && !done) goOnAfter([stop, ...others]);
  };
  const goOnAfter = (ended: Stop[]) => {
    const ids = new Set(ended.map(({ id }) => id));
    goOnTo({ ...route, stops: route.stops.filter(({ id }) => !ids.has(id)) }, stop.id, "");
  };
  const fail = async (reason: string, words: string) => {
    setFailing(false);
    setTried("fail");
    if (missingHere(stop, false).length) return;
    setTried("");
    const said = [words, note.trim()].filter(Boolean).join(": ");
    const deed: Deed = { ...base, kind: "STOP_ATTEMPTED", reason, ...(said ? { note: said } : {}) };
    const deeds = [...typedTasks(route.id, stop.id, stop.tasks), ...typedCode(route.id, stop), { deed }];
    if (await record({ deeds, correct: [wayBack(route, stop)], label: t("couldNotDeliver"), typed: [saidByFailing(stop.id, stop.tasks.map(({ id }) => id))] }) && !done) goOnAfter([stop]);
  };
  const doLater = async () => {
    const open = route.stops.filter((one) => !isDone(one)).map(({ id }) => id);
    const order = (stopIds: string[]): Deed => ({ kind: "STOPS_REORDERED", routeId: route.id, stopIds });
    const later = [...open.filter((id) => id !== stop.id), stop.id];
    if (await record({ deeds: [{ deed: order(later), name: parcelOf(stop) }], correct: [order(open)], label: t("doLater") })) goOnTo(route, stop.id);
  };
  const others = done ? [] : sharingDoor(route, stop);
  const isLast = nextOpen(route, stop.id) === undefined;

  // What is missing now, not when the driver tried: what is done meanwhile is asked for no more.
  const missing = (): string => {
    const along = tried === "deliverAll" ? others : [];
    const things = tried === "fail" ? missingHere(stop, false) : tried ? required(along) : [];
    if (things.length) return t("missing", { tasks: things.join(", ") });
    const { wished } = proof(along);
    return tried && tried !== "fail" && hasWarned && wished.length ? t("proofMissing", { things: wished.join(", ") }) : "";
  };

  return (
    <section aria-label={t("atTheDoor")} class="visit">
      {!done && (stop.arrivedAt
        ? <p class="good">{t("arrivedAt", { time: sayTime(stop.arrivedAt, zone(), locale.value) })}</p>
        : <button type="button" onClick={() => { void once("arrive", () => record({ deeds: [{ deed: { ...base, kind: "STOP_ARRIVED" } }], label: t("atTheDoor") })); }}>{t("atTheDoor")}</button>)}
      <Tasks routeId={route.id} stopId={stop.id} tasks={stop.tasks} />
      <Pictures routeId={route.id} stop={stop} />
      {ruleOf("signature") !== "OFF" && <SignButton routeId={route.id} stop={stop} />}
      {ruleOf("barcode") !== "OFF" && <Barcodes routeId={route.id} stop={stop} />}
      {ruleOf("note") !== "OFF" && (
        <label>{t("note")}<textarea rows={2} maxLength={2000} value={note} onInput={(event) => { void keepStopDraft(base, { note: event.currentTarget.value }); }} /></label>
      )}
      {done && draft.note !== undefined && draft.note !== stop.proofOfDeliveryNote && (
        <button type="button" onClick={() => { void once("note", () => record({ deeds: [{ deed: { ...base, kind: "PROOF_NOTE", note } }], label: t("note"), typed: [{ key: stop.id, only: { note: true } }] })); }}>{t("saveNote")}</button>
      )}
      {done && isOver(route) ? <Final stop={stop} /> : (
        <>
          <label>{t("leftWith")}
            <select value={leftWith} onChange={(event) => { void keepStopDraft(base, { leftWith: event.currentTarget.value }); }}>
              <option value="">{t("leftNobody")}</option>
              {LEFT_WITH.map(([value, key]) => <option key={value} value={value}>{t(key)}</option>)}
            </select>
          </label>
          {ruleOf("recipientName") !== "OFF" && (
            <label>{t("recipientName")}<input value={recipientName} maxLength={255} autocomplete="off" onInput={(event) => { void keepStopDraft(base, { recipientName: event.currentTarget.value }); }} /></label>
          )}
          {missing() && <p role="alert" class="alert">{missing()}</p>}
          <button type="button" class="main good" onClick={() => { void once("end", () => deliver([])); }}>{t("deliver")}</button>
          {others.length > 0 && <button type="button" onClick={() => { void once("end", () => deliver(others)); }}>{t("deliverAll", { count: others.length + 1 })}: {[stop, ...others].map(parcelOf).join(", ")}</button>}
          <button type="button" class="bad" onClick={() => { setFailing(true); }}>{t("fail")}</button>
          {!done && !isLast && !stop.locked && <button type="button" class="quiet" onClick={() => { void once("end", doLater); }}>{t("doLater")}</button>}
        </>
      )}
      {isFailing && <FailDialog close={() => { setFailing(false); }} save={(reason, words) => { void once("end", () => fail(reason, words)); }} />}
    </section>
  );
}

// The service corrects no outcome of a route that is completed.
function Final({ stop }: { stop: Stop }) {
  const place = LEFT_WITH.find(([value]) => value === stop.leftWith);
  const said = [[t("leftWith"), place && t(place[1])], [t("recipientName"), stop.recipientName]].filter(([, words]) => words);
  return (
    <>
      {said.map(([label, words]) => <p key={label}>{label}: {words}</p>)}
      <p class="good">{t("routeDone")}</p>
    </>
  );
}
