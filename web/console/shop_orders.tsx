// Orders of shops: when each is to be delivered, what was not understood, where it is now, and what its shop was told.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type TimeWindow } from "../kit/times";
import { sayWindow, t } from "../kit/words";
import { report, seenAt } from "./day";
import { Field } from "./dialogs";
import { go, path } from "./places";
import { sayDelivery } from "./route_items";
import { get, isOwner } from "./session";
import { dayOf, type CalendarDay, type Contact } from "./shapes";
import { ReportList, sayFailure, type OrderProgress } from "./shop_reports";
import { nameOfShop, sayShopState, type Connection } from "./storefront_settings";
import { sayDate } from "./summaries";

const PAGE = 25;

interface StoreOrder {
  id: string; name: string; contact?: Contact; state: "OPEN" | "FULFILLED" | "CANCELLED" | "ON_HOLD"; connectionId: string;
  deliveryDate?: CalendarDay; timeWindows: TimeWindow[]; remarks: string[]; orderReferenceUrl: string;
}
interface OrdersPage { storeOrders: StoreOrder[]; nextCursor: string; progress?: OrderProgress[] }

// What may be asked for, and how the list is narrowed by it.
const FILTERS = {
  all: "", waiting: "&query.state=OPEN&query.unrouted=true", routed: "&query.state=OPEN&query.routed=true", held: "&query.state=ON_HOLD",
  fulfilled: "&query.state=FULFILLED", cancelled: "&query.state=CANCELLED", untold: "&query.failedReports=true",
} as const;
type Filter = keyof typeof FILTERS;

const nameOfFilter = (filter: Filter) => ({
  all: t("anyState"), waiting: t("orderWaiting"), routed: t("orderRouted"), held: t("orderHeld"), fulfilled: t("orderFulfilled"), cancelled: t("orderCancelled"), untold: t("orderUntold"),
})[filter];

export function ShopOrdersPage() {
  const [, shop = "all", asked = "all"] = path.value.split("/");
  const filter = asked in FILTERS ? asked as Filter : "all";
  const [connections, setConnections] = useState<Connection[]>([]);
  const [text, setText] = useState("");
  const [sought, setSought] = useState("");
  useEffect(() => { get<{ storefronts: Connection[] }>("/storefronts").then(({ storefronts }) => { setConnections(storefronts); }, report); }, [seenAt.value]);
  useEffect(() => {
    const soon = setTimeout(() => { setSought(text.trim()); }, 250);
    return () => { clearTimeout(soon); };
  }, [text]);
  const query = `${FILTERS[filter]}${shop === "all" ? "" : `&query.connectionId=${encodeURIComponent(shop)}`}${sought ? `&query.text=${encodeURIComponent(sought)}` : ""}`;
  return (
    <section class="page" aria-label={t("shopOrdersPage")}>
      <h1>{t("shopOrdersPage")}</h1>
      {connections.filter((one) => shop === "all" || one.id === shop).map((one) => <Trouble key={one.id} shop={one} />)}
      <div role="group" aria-label={t("search")} class="period">
        <Field label={t("searchOrders")}><input type="search" value={text} onInput={(event) => { setText(event.currentTarget.value); }} /></Field>
        <Field label={t("state")}><select value={filter} onChange={(event) => { go(`orders/${shop}/${event.currentTarget.value}`); }}>
          {(Object.keys(FILTERS) as Filter[]).map((one) => <option key={one} value={one}>{nameOfFilter(one)}</option>)}
        </select></Field>
        <Field label={t("shop")}><select value={shop} onChange={(event) => { go(`orders/${event.currentTarget.value}/${filter}`); }}>
          <option value="all">{t("allShops")}</option>
          {connections.map((one) => <option key={one.id} value={one.id}>{nameOfShop(one)}</option>)}
        </select></Field>
      </div>
      <Orders key={query} query={query} connections={connections} />
    </section>
  );
}

// A shop that is not visited, or that would not hear something, with what helps.
function Trouble({ shop }: { shop: Connection }) {
  const failed = shop.queue?.failed ?? 0;
  if (shop.state === "ACTIVE" && !shop.lastFailure && !failed) return null;
  const name = nameOfShop(shop);
  return (
    <section class="alert trouble" aria-label={name}>
      <h2>{name}: {sayShopState(shop)}</h2>
      {shop.lastFailure && <p>{sayFailure(shop.lastFailure)}</p>}
      {shop.state !== "ACTIVE" && <p>{isOwner.value ? <a href={`#/settings/storefronts/${shop.id}`}>{t(shop.lastFailure ? "newCredentials" : "storefrontsTab")}</a> : t("askOwner")}</p>}
      {failed > 0 && <p><a href={`#/orders/${shop.id}/untold`}>{t("failedReports", { count: failed })}</a></p>}
    </section>
  );
}

function Orders({ query, connections }: { query: string; connections: Connection[] }) {
  const [cursors, setCursors] = useState<string[]>([""]); // of the pages up to the one that is shown
  const [shown, setShown] = useState<{ cursor: string; page: OrdersPage } | null>(null);
  const cursor = cursors.at(-1)!;
  const first = `/store-orders?query.limit=${PAGE}&query.newestFirst=true&query.progress=true${query}`;
  const read = (signal?: AbortSignal) => get<OrdersPage>(cursor ? `/store-orders?cursor=${encodeURIComponent(cursor)}` : first, signal)
    .then((page) => { setShown({ cursor, page }); }, (error: unknown) => { if (!signal?.aborted) report(error); });
  useEffect(() => {
    const controller = new AbortController();
    void read(controller.signal);
    return () => { controller.abort(); };
  }, [cursor, seenAt.value]);
  if (!shown) return <p aria-live="polite">{t("loading")}</p>;
  const { page } = shown;
  // The page before stays until the next is there, so that whoever presses the key again keeps the focus.
  const turn = (to: string[]) => { if (shown.cursor === cursor) setCursors(to); };
  const progress = new Map((page.progress ?? []).map((one) => [one.storeOrderId, one]));
  const shops = new Map(connections.map((one) => [one.id, one]));
  return <>
    {!page.storeOrders.length ? <p>{t("noOrders")}</p> : (
      <table class="stacked orders" role="table" aria-label={t("shopOrdersPage")}>
        <thead role="rowgroup"><tr role="row">
          {[t("shopOrder"), t("customer"), t("dayAndWindow"), t("state"), t("shopTold"), t("shopRemarks")].map((one) => <th key={one} role="columnheader" scope="col">{one}</th>)}
        </tr></thead>
        <tbody role="rowgroup">{page.storeOrders.map((one) => (
          <OrderRow key={one.id} order={one} shop={shops.get(one.connectionId)} progress={progress.get(one.id) ?? { storeOrderId: one.id, stops: [], reports: [] }} changed={() => read()} />
        ))}</tbody>
      </table>
    )}
    {(cursors.length > 1 || page.nextCursor) && (
      <nav class="verbs" aria-label={t("pages")}>
        <button type="button" disabled={cursors.length < 2} onClick={() => { turn(cursors.slice(0, -1)); }}>{t("previousPage")}</button>
        <button type="button" disabled={!page.nextCursor} onClick={() => { turn([...cursors, page.nextCursor]); }}>{t("nextPage")}</button>
        <span aria-live="polite" class="soft">{t("pageNumber", { number: cursors.length })}</span>
      </nav>
    )}
  </>;
}

interface OrderRowProps { order: StoreOrder; shop: Connection | undefined; progress: OrderProgress; changed: () => unknown }

function OrderRow({ order, shop, progress, changed }: OrderRowProps) {
  const { contact } = order;
  const name = [contact?.firstName, contact?.lastName].filter(Boolean).join(" ") || contact?.company || "–";
  const number = order.name || order.id;
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {order.orderReferenceUrl ? <a href={order.orderReferenceUrl} target="_blank" rel="noopener noreferrer">{number}</a> : number}
        {shop && <small>{nameOfShop(shop)}</small>}
      </th>
      <Cell label={t("customer")}>{name}</Cell>
      <Cell label={t("dayAndWindow")}>{sayDayOf(order)}{order.timeWindows.map((one) => <small key={sayWindow(one)}>{sayWindow(one)}</small>)}</Cell>
      <Cell label={t("state")}>{sayOrderState(order, progress)}
        {progress.stops.map((one) => (
          <small key={one.stopId}>
            <a href={`#/route/${one.routeId}/stop/${one.stopId}`}>{t("stopOnRoute", { route: one.routeName || t("routes"), number: one.index + 1 })}</a> {sayDelivery({ ...one, type: "", breakStatus: "" })}
            {one.isElsewhere && <> · <span class="warn">{t("orderElsewhere")}</span></>}
            {one.isAtAnotherTime && <> · <span class="warn">{t("orderOtherTime")}</span></>}
          </small>
        ))}
      </Cell>
      <Cell label={t("shopTold")}>{order.connectionId ? <ReportList reports={progress.reports} connectionId={shop?.id ?? ""} changed={changed} /> : t("noShopToTell")}</Cell>
      <Cell label={t("shopRemarks")}>{order.remarks.length ? order.remarks.map((one) => <small key={one} class="warn">{one}</small>) : "–"}</Cell>
    </tr>
  );
}

function sayDayOf({ deliveryDate: on }: StoreOrder): string {
  return on ? sayDate(dayOf(on)) : t("noDay");
}

function sayOrderState({ state }: StoreOrder, { stops }: OrderProgress): string {
  switch (state) {
    case "FULFILLED": return t("orderFulfilled");
    case "CANCELLED": return t("orderCancelled");
    case "ON_HOLD": return t("orderHeld");
    default: return stops.length ? t("orderRouted") : t("orderWaiting");
  }
}

// On a narrow screen rows are stacked, and each cell is preceded by its label.
function Cell({ label, children }: { label: string; children: ComponentChildren }) {
  return <td role="cell" data-label={label}><div>{children}</div></td>;
}
