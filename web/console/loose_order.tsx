// An order of a shop that is on no route: what it asks for, and where it may go.
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../kit/http";
import { type TimeWindow } from "../kit/times";
import { sayWindow, t } from "../kit/words";
import { date, dayOfUnrouted, report, shownOfDay } from "./day";
import { MoveDialog, openDialog } from "./dialogs";
import { grasp } from "./edits";
import { fixOrder } from "./fix_location";
import { orderPath, type OrderLocation } from "./locations";
import { get, isViewer } from "./session";
import { looseStop, sayAddress, type CalendarDay, type Contact } from "./shapes";

interface StoreOrder extends OrderLocation {
  name: string; contact?: Contact; deliveryDate?: CalendarDay; timeWindows: TimeWindow[]; orderNote: string; orderReferenceUrl: string; remarks: string[];
  items: { name: string; quantity: number }[];
}

export function LooseOrderPage({ id }: { id: string }) {
  const [order, setOrder] = useState<StoreOrder | null>(null);
  const [isGone, setGone] = useState(false);
  const read = () => get<StoreOrder>(orderPath(id)).then(setOrder, (error: unknown) => { if (error instanceof Refusal && error.status === 404) setGone(true); else report(error); });
  useEffect(() => { void read(); }, [id]);
  useEffect(() => {
    if (order || isGone) shownOfDay.value = order ? { id, day: dayOfUnrouted(order) } : { id };
  }, [id, order, isGone]);
  const back = <p><a href={`#/day/${date.value}`}>‹ {t("day")}</a></p>;
  if (!order) return <div class="page">{back}<p aria-live="polite">{isGone ? t("notFound") : t("loading")}</p></div>;
  const name = order.name || t("stop");
  const { contact } = order;
  const who = [[contact?.firstName, contact?.lastName].filter(Boolean).join(" "), contact?.company, contact?.phone, contact?.email].filter(Boolean).join(" · ");
  return (
    <section class="page stop-region" aria-label={`${t("stop")} ${name}`}>
      {back}
      <h1>{name}</h1>
      {!isViewer.value && <div class="actions">
        <button type="button" onClick={() => void fixOrder(id, read)}>{t("fixLocation")}</button>
        <button type="button" onClick={() => openDialog(<MoveDialog name={name} stop={grasp({ ...looseStop({ storeOrderId: id }), name })} />)}>{t("moveTo")}</button>
      </div>}
      <dl>
        <dt>{t("address")}</dt><dd>{sayAddress(order.address) || "–"}</dd>
        {order.shopLocation?.address && <><dt>{t("shopAddress")}</dt><dd>{sayAddress(order.shopLocation.address)}</dd></>}
        <dt>{t("window")}</dt><dd>{order.timeWindows.map(sayWindow).join(", ") || "–"}</dd>
        <dt>{t("contact")}</dt><dd>{who || "–"}</dd>
        <dt>{t("items")}</dt><dd>{order.items.map((item) => `${item.quantity}${item.name && ` × ${item.name}`}`).join(", ") || "–"}</dd>
        {order.orderNote && <><dt>{t("note")}</dt><dd>{order.orderNote}</dd></>}
        {order.remarks.length > 0 && <><dt>{t("reason")}</dt><dd>{order.remarks.join("; ")}</dd></>}
      </dl>
      <p><a href="#/orders">{t("shopOrdersPage")}</a></p>
    </section>
  );
}
