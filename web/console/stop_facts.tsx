// What a stop asks for, and what its driver and its customer reported of it.
import type { ComponentChildren } from "preact";
import { isNowhere } from "../kit/nowhere";
import { sayWindow, t } from "../kit/words";
import { sayCodeIssue, sayLeftWith, sayReason } from "./reported";
import { localTime, localTimes } from "./route_items";
import { dayOf, sayAddress, sayNowhere, type Contact, type Geocoding, type ImportedStop, type Item, type RouteStop, type Task } from "./shapes";
import { sayDate, sayNumber } from "./summaries";

function sayMatch(found: Geocoding | undefined): string {
  const words: Record<string, string> = { ROOFTOP: t("matchRooftop"), STREET: t("matchStreet"), LOCALITY: t("matchLocality"), GIVEN: t("matchGiven") };
  if (!found) return "";
  const distance = found.distanceMeters !== undefined && found.matchedAddress ? t("fromAddress", { meters: found.distanceMeters, address: found.matchedAddress }) : found.matchedAddress;
  return [words[found.matchType] ?? found.matchType, distance].filter(Boolean).join(" · ");
}

// One line of the list; without words there is none.
function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return children ? <><dt>{name}</dt><dd>{children}</dd></> : null;
}

const Lines = ({ lines }: { lines: ComponentChildren[] }) => <ul class="plain">{lines.map((line, index) => <li key={index}>{line}</li>)}</ul>;

const sayContact = (contact: Contact | undefined) =>
  [[contact?.firstName, contact?.lastName].filter(Boolean).join(" "), contact?.company].filter(Boolean).join(" · ");

function sayItem(item: Item): string {
  const grams = (item.grams ?? 0) * item.quantity;
  const details = [item.sku, grams ? `${sayNumber(grams / 1000)} kg` : ""].filter(Boolean).join(", ");
  return `${item.quantity}${item.name && ` × ${item.name}`}${details && ` (${details})`}`;
}

function isAnswered({ type, items = [], input }: Task): boolean {
  const ticked = items.filter((item) => item.completed).length;
  if (items.length && type === "CHECKBOXES") return ticked === items.length;
  return items.length && type === "RADIO_BUTTONS" ? ticked > 0 : !!input;
}

// A task with what the driver answered: the boxes that are ticked, what was typed or scanned.
function TaskLine({ task }: { task: Task }) {
  const answers = [...(task.items ?? []).filter((item) => item.completed).map((item) => item.title), task.input?.value ?? ""].filter(Boolean);
  const isMissing = task.requiredToMarkStopAsDelivered && !isAnswered(task);
  return <>{isAnswered(task) && "✓ "}{task.title}{answers.length > 0 && <>: <b>{answers.join(", ")}</b></>}{isMissing && <span class="soft"> ({t("proofRequired")})</span>}</>;
}

const isRouteStop = (stop: RouteStop | ImportedStop): stop is RouteStop => "deliveryStatus" in stop;

// When an order of a shop is to arrive by now, in what is otherwise than of its stop.
function sayOrderTime({ deliveryDate, timeWindows }: NonNullable<RouteStop["storeOrder"]>): string {
  const windows = timeWindows && (timeWindows.map(sayWindow).join(", ") || t("anyTimeOfDay"));
  return [deliveryDate && sayDate(dayOf(deliveryDate)), windows].filter(Boolean).join(", ");
}

interface Takes { takeNewAddress?: (() => void) | undefined; takeNewTime?: (() => void) | undefined }

export function Facts({ stop, takeNewAddress, takeNewTime }: { stop: RouteStop | ImportedStop } & Takes) {
  const { contact, arrivalWindow, storeOrder } = isRouteStop(stop) ? stop : { contact: stop.contact, arrivalWindow: undefined, storeOrder: undefined };
  const place = isRouteStop(stop) ? stop.plannedCoordinates : stop.coordinates;
  const order = stop.orderName || (stop.orderReferenceUrl && t("shopOrder"));
  return (
    <dl>
      <Fact name={t("shopOrder")}>{order && (stop.orderReferenceUrl ? <a href={stop.orderReferenceUrl} target="_blank" rel="noopener noreferrer">{order}</a> : order)}</Fact>
      <Fact name={t("contact")}>{sayContact(contact) || "–"}</Fact>
      <Fact name={t("phone")}>{contact?.phone && <a href={`tel:${contact.phone}`}>{contact.phone}</a>}</Fact>
      <Fact name={t("email")}>{contact?.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>}</Fact>
      <Fact name={t("address")}>{sayAddress(stop.address) || "–"}</Fact>
      <Fact name={t("orderAddress")}>{storeOrder?.address && <><span class="warn">{sayAddress(storeOrder.address)}</span> {takeNewAddress && <button type="button" onClick={takeNewAddress}>{t("takeNewAddress")}</button>}</>}</Fact>
      <Fact name={t("howFound")}>{isNowhere(place?.latitude, place?.longitude) ? <span class="warn">{sayNowhere()}</span> : sayMatch(stop.geocoding) || "–"}</Fact>
      <Fact name={t("shopDay")}>{stop.deliveryDate && sayDate(dayOf(stop.deliveryDate))}</Fact>
      <Fact name={t("window")}>{stop.timeWindows.map(sayWindow).join(", ") || "–"}</Fact>
      <Fact name={t("orderTime")}>{storeOrder && sayOrderTime(storeOrder) && <><span class="warn">{sayOrderTime(storeOrder)}</span> {takeNewTime && <button type="button" onClick={takeNewTime}>{t("takeNewTime")}</button>}</>}</Fact>
      <Fact name={t("promisedWindow")}>{arrivalWindow && localTimes(stop, arrivalWindow)}</Fact>
      <Fact name={t("items")}>{stop.items.length ? <Lines lines={stop.items.map(sayItem)} /> : "–"}</Fact>
      <Fact name={t("tasks")}>{stop.tasks.length ? <Lines lines={stop.tasks.map((task) => <TaskLine task={task} />)} /> : "–"}</Fact>
      <Fact name={t("note")}>{stop.note}</Fact>
      <Fact name={t("orderNote")}>{storeOrder?.orderNote !== stop.note && storeOrder?.orderNote}</Fact>
      <Fact name={t("fromCustomer")}>{[stop.customerNote?.note, storeOrder?.customerNote].filter(Boolean).join(" · ")}</Fact>
    </dl>
  );
}

// What the driver recorded at the door, and what the customer said afterwards.
export function Proof({ stop }: { stop: RouteStop }) {
  const pictures = [...stop.proofOfDeliveryPhotos, ...stop.proofOfDeliverySignatures];
  const isAttempted = stop.deliveryStatus === "ATTEMPTED_DELIVERY";
  const codes = stop.proofOfDeliveryBarcodes.map((one) => one.value);
  const issues = stop.proofOfDeliveryBarcodeIssues.map((one) => [sayCodeIssue(one.reason), one.note].filter(Boolean).join(": "));
  const rating = stop.customerRating;
  const isEmpty = !pictures.length && !isAttempted && !codes.length && !issues.length && !rating
    && !stop.arrivedAt && !stop.leftWith && !stop.recipientName && !stop.proofOfDeliveryNote;
  return (
    <>
      <h3>{t("proof")}</h3>
      {isEmpty && <p class="soft">{t("noProof")}</p>}
      <dl>
        <Fact name={t("atTheDoor")}>{localTime(stop, stop.arrivedAt)}</Fact>
        <Fact name={t("reason")}>{isAttempted && [sayReason(stop.attemptedReason), stop.attemptedNote].filter(Boolean).join(": ")}</Fact>
        <Fact name={t("leftWith")}>{stop.leftWith && sayLeftWith(stop.leftWith)}</Fact>
        <Fact name={t("proofRecipient")}>{stop.recipientName}</Fact>
        <Fact name={t("note")}>{stop.proofOfDeliveryNote}</Fact>
        <Fact name={t("proofBarcode")}>{[...codes, ...issues].length > 0 && <Lines lines={[...codes, ...issues]} />}</Fact>
        <Fact name={t("rating")}>{rating && [t("ratingOf", { rating: rating.rating }), rating.comment].filter(Boolean).join(": ")}</Fact>
      </dl>
      <div class="pictures">{pictures.map((one) => <a key={one.id} href={one.url} target="_blank" rel="noopener"><img src={`${one.url}?width=320`} alt={t("proof")} loading="lazy" /></a>)}</div>
    </>
  );
}
