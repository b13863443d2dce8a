// One stop: where it is and how that was found, what it asks for, and what was recorded there.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { Refusal } from "../kit/http";
import { t } from "../kit/words";
import { date, dayOfUnrouted, notice, openTimes, report, shownOfDay } from "./day";
import { ask, closeDialog, Field, MoveDialog, openDialog } from "./dialogs";
import { act } from "./edits";
import { sayExplanation, type Explanation } from "./explanation";
import { FixLocation, fixImportedStop, fixOrder } from "./fix_location";
import { History } from "./history";
import { sayChannel, sayMessageStatus, sayMoment } from "./messages_settings";
import { orderPath, relocateImportedStop, relocateOrder, relocateRouteStop, takeNewAddress, type OrderLocation } from "./locations";
import { NextDay } from "./next_day";
import { go } from "./places";
import { lateMinutes, localDayAndTime, sayDelivery } from "./route_items";
import { get, isViewer, send, type Place } from "./session";
import { isDone, nameByNumber, nameOfStop, sayAddress, type ImportedStop, type Route, type RouteStop } from "./shapes";
import { ReportList, type OrderProgress, type ShopReport } from "./shop_reports";
import { EditImportedStop, EditRouteStop } from "./stop_dialog";
import { lockStop, takeNewTime } from "./stop_edits";
import { Facts, Proof } from "./stop_facts";
import { StopPin } from "./stop_pin";

async function copyLink(route: Route, stop: RouteStop): Promise<void> {
  try {
    const { url } = await get<{ url: string }>(`/routes/${route.id}/stops/${stop.id}/tracking-link`);
    if (await hasCopied(url)) notice.value = `${t("trackingLink")}: ${t("copied")}`;
    else openDialog(<LinkDialog url={url} />);
  } catch (error) {
    report(error);
  }
}

// Some browsers give a page no clipboard, or none that was opened by plain HTTP.
const hasCopied = (text: string): Promise<boolean> => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? Promise.resolve(false);

// Where the link was not copied it stands in a field, to be copied from there.
function LinkDialog({ url }: { url: string }) {
  return (
    <Dialog title={t("trackingLink")} close={closeDialog}>
      <Field label={t("trackingLink")}><input readOnly value={url} onFocus={(event) => event.currentTarget.select()} /></Field>
      <div class="buttons"><button type="button" onClick={closeDialog}>{t("close")}</button></div>
    </Dialog>
  );
}

interface ShopOrder extends OrderLocation { connectionId: string }

// What the shop that a stop's order came from was told of the stop, and where it has the order go.
function ShopTold({ stop }: { stop: RouteStop }) {
  const [found, setFound] = useState<{ order: ShopOrder; reports: ShopReport[] } | null>(null);
  const read = () => Promise.all([get<ShopOrder>(orderPath(stop.storeOrderId)), get<OrderProgress>(`${orderPath(stop.storeOrderId)}/progress`)]).then(
    ([order, { reports }]) => { setFound({ order, reports: reports.filter((one) => one.stopId === stop.id) }); },
    (error: unknown) => { if (!(error instanceof Refusal && error.status === 404)) report(error); }); // the order was erased
  useEffect(() => { setFound(null); void read(); }, [stop.id, stop.deliveryStatus, sayAddress(stop.address)]);
  if (!found) return null;
  const { connectionId, shopLocation } = found.order;
  return (
    <>
      {shopLocation?.address && <p class="soft">{t("shopAddress")}: {sayAddress(shopLocation.address)}</p>}
      {connectionId && <h3>{t("shopTold")}</h3>}
      {connectionId && <ReportList reports={found.reports} connectionId={connectionId} changed={read} />}
    </>
  );
}

interface SentMessage { id: string; moment: string; channel: string; status: string; lastError?: string }

export function StopRegion({ route, stop }: { route: Route; stop: RouteStop }) {
  const [why, setWhy] = useState<Explanation | null>(null);
  const [messages, setMessages] = useState<SentMessage[] | null>(null);
  const name = nameByNumber(nameOfStop(stop), route.stops.findIndex((one) => one.id === stop.id) + 1);
  const isOpen = !isDone(stop) && !route.archivedAt;
  const isOfOrder = !stop.importedStopId && !!stop.storeOrderId && isOpen;
  const mayBeFixed = (stop.importedStopId !== "" && !route.archivedAt) || isOfOrder;
  const mayBeEdited = isOpen && stop.importedStopId !== ""; // what an order says is its shop's
  const on = { routeId: route.id, stop };
  const relocate = (place: Place) => (isOfOrder ? relocateOrder(stop.storeOrderId, place, () => Promise.resolve(), undefined, on) : relocateRouteStop(route.id, stop, place));
  const fix = () => { if (isOfOrder) void fixOrder(stop.storeOrderId, undefined, on); else openDialog(<FixLocation current={{ coordinates: stop.plannedCoordinates }} save={relocate} />); };
  useEffect(() => {
    setWhy(null);
    get<Explanation>(`/routes/${route.id}/stops/${stop.id}/explanation`).then(setWhy, (error: unknown) => { if (!(error instanceof Refusal && error.kind === "refused")) report(error); }); // no times, no reason
    get<{ messages: SentMessage[] }>(`/messages?query.stopId=${stop.id}`).then((found) => setMessages(found.messages), report);
  }, [stop.id, stop.updatedArrival]);
  return (
    <section class="stop-region" aria-label={nameOfStop(stop) ? `${t("stop")} ${name}` : name}>
      <h2>{name}</h2>
      <p><strong>{localDayAndTime(route, stop, stop.updatedArrival ?? stop.plannedArrival)}</strong> · {sayDelivery(stop)} {lateMinutes(stop) > 0 && <span class="bad">{t("minutesLate", { minutes: lateMinutes(stop) })}</span>}</p>
      {why && <p class="soft">{sayExplanation(why, route, stop)}</p>}
      <div class="actions">
        <button type="button" onClick={() => void copyLink(route, stop)}>{t("copyTrackingLink")}</button>
        {!isViewer.value && <>
          {mayBeEdited && <button type="button" onClick={() => openDialog(<EditRouteStop route={route} stop={stop} name={name} />)}>{t("edit")}</button>}
          {mayBeFixed && <button type="button" onClick={fix}>{t("fixLocation")}</button>}
          {stop.deliveryStatus === "ATTEMPTED_DELIVERY" && <NextDay failed={{ routeId: route.id, stopId: stop.id, name, isOfShop: !!stop.storeOrderId }} failure={{ stop, timezone: openTimes.value.get(stop.id)?.timezone }} />}
          {isOpen && <button type="button" aria-pressed={stop.locked} title={t("lockHint")} onClick={() => void lockStop(route.id, stop, name)}>{t("lock")}</button>}
          {isOpen && <button type="button" onClick={() => openDialog(<MoveDialog name={name} stop={{ id: stop.id, importedStopId: stop.importedStopId, routeId: route.id, index: route.stops.indexOf(stop) }} />)}>{t("moveTo")}</button>}
        </>}
      </div>
      {isDone(stop) && <Proof stop={stop} />}
      <Facts stop={stop} {...(isOfOrder && !isViewer.value ? { takeNewAddress: () => void takeNewAddress(route.id, stop), takeNewTime: () => void takeNewTime(route.id, stop) } : {})} />
      <StopPin key={String(mayBeFixed)} name={name} place={stop.plannedCoordinates} save={mayBeFixed ? (coordinates) => relocate({ coordinates }) : undefined} />
      {!isDone(stop) && <Proof stop={stop} />}
      {stop.storeOrderId && <ShopTold stop={stop} />}
      <h3>{t("messages")}</h3>
      {messages?.length ? <ul>{messages.map((one) => <li key={one.id}>{sayMoment(one.moment)} · {sayChannel(one.channel)} · {sayMessageStatus(one.status)}{one.lastError && <span class="soft"> {one.lastError}</span>}</li>)}</ul> : <p class="soft">{t("noMessages")}</p>}
      <History routeId={route.id} stopId={stop.id} version={route.updatedAt} />
    </section>
  );
}

async function removeStop({ id }: ImportedStop, name: string): Promise<void> {
  if (!(await ask(t("deleteStop"), t("deleteStop"), t("deleteStopQuestion", { name })))) return;
  if (await act(name, () => send("DELETE", `/stops/imports/${id}`))) go(`day/${date.value}`);
}

// A stop that is on no route.
export function UnroutedStopPage({ id }: { id: string }) {
  const [stop, setStop] = useState<ImportedStop | null>(null);
  const [isGone, setGone] = useState(false);
  const read = () => get<ImportedStop>(`/stops/imports/${id}`).then(setStop, (error: unknown) => { if (error instanceof Refusal && error.status === 404) setGone(true); else report(error); });
  useEffect(() => { void read(); }, [id]);
  useEffect(() => {
    if (stop || isGone) shownOfDay.value = stop ? { id, day: dayOfUnrouted(stop) } : { id };
  }, [id, stop, isGone]);
  if (!stop) {
    return (
      <div class="page">
        <p><a href={`#/day/${date.value}`}>‹ {t("day")}</a></p>
        <p aria-live="polite">{isGone ? t("notFound") : t("loading")}</p>
      </div>
    );
  }
  const name = nameOfStop(stop) || t("stop");
  return (
    <section class="page stop-region" aria-label={`${t("stop")} ${name}`}>
      <p><a href={`#/day/${date.value}`}>‹ {t("day")}</a></p>
      <h1>{name}</h1>
      {!isViewer.value && <div class="actions">
        <button type="button" onClick={() => openDialog(<EditImportedStop stop={stop} name={name} changed={read} />)}>{t("edit")}</button>
        <button type="button" onClick={() => fixImportedStop(stop, read)}>{t("fixLocation")}</button>
        <button type="button" onClick={() => openDialog(<MoveDialog name={name} stop={{ id, importedStopId: id, routeId: "", index: 0 }} />)}>{t("moveTo")}</button>
        <button type="button" class="danger" onClick={() => void removeStop(stop, name)}>{t("deleteStop")}</button>
      </div>}
      <Facts stop={stop} />
      {stop.coordinates && <StopPin name={name} place={stop.coordinates} save={(coordinates) => relocateImportedStop(stop, { coordinates }, read)} />}
    </section>
  );
}
