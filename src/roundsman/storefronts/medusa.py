"""Medusa by its admin interface, as measured on 2.21.

Every change of an order but its payment moves its time of change: orders are listed by that, and
those that were paid later are found by their payments. The word of the fulfilment status is of no
use: of one piece in three it says that the order was shipped. Quantities are counted by line. A
fulfilment carries the stop's id in its metadata; once it is shipped it cannot be taken back, so
that is said when the goods are handed over and not when they leave.
"""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.kit.http import HttpClient
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    CheckResult,
    ForeignOrder,
    OrderLocked,
    OrderPage,
    Refused,
    Report,
    ReportAnswer,
    ShopConnection,
    Step,
    StorefrontFailure,
)
from roundsman.storefronts.quantities import (
    Lines,
    choose_attempted,
    choose_packed,
    is_stop_id,
    pick_quantities,
    refuse_with_nothing_left,
)
from roundsman.storefronts.reading import (
    Person,
    address,
    attributes,
    https_url,
    instant,
    iso,
    line,
    tags,
    with_delivery_times,
)
from roundsman.storefronts.shop_client import (
    ShopClient,
    find_credentials_good,
    find_refused,
)
from roundsman.storefronts.time_cursor import TimeCursor

type Json = Any

_PAGE = 50
_FIELDS = (
    "id,display_id,status,payment_status,email,updated_at,canceled_at,metadata,"
    "*shipping_address,*shipping_methods,*items,*items.detail,*fulfillments"
)
_FULFILLMENT_FIELDS = "*fulfillments,*fulfillments.items,*fulfillments.labels"
_MOST_IDS = 20
"""As many elements does the reader of its queries take for a list."""

_PAYMENTS_PAGE = 200
_PAYMENTS_OVERLAP = 10
_LONGEST_READ = timedelta(hours=1)
"""Of all orders: one that was paid behind the reader's back is found by its payment later."""

_OURS = "roundsman_"
_STOP = "roundsman_stop"
_ATTEMPTS = "roundsman_attempts"
_PAID = {"authorized", "partially_authorized", "captured", "partially_captured"}
_ONLY_VARIANT = "Default variant"
"""What its console calls the variant of a product that has one."""

_IS_EDITED = "active order change"
_IS_DONE = "already been"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Carried:
    """The fulfilments of what a stop carries."""

    own: Sequence[Json]
    again: Sequence[Json] = ()
    """Those of earlier stops, at which delivery was attempted."""

    is_new: bool = False

    @property
    def id(self) -> str:
        return str(self.list_all()[0]["id"])

    def list_all(self) -> list[Json]:
        return [*self.own, *self.again]


class Medusa:
    """A shop on Medusa."""

    def __init__(self, connection: ShopConnection, http: HttpClient) -> None:
        self.connection = connection
        pair = f"{connection.credentials['apiKey']}:"
        headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        root = f"{connection.address}/admin"
        self._client = ShopClient(http=http, root=root, headers=headers)

    def check(self) -> Sequence[CheckResult]:
        """Read an order, and look for a location to deliver from."""
        try:
            self._list(limit="1")
            places = self._client.get("/stock-locations", limit="1")["stock_locations"]
        except StorefrontFailure as failure:
            return [find_refused(failure)]
        good = find_credentials_good()
        if places:
            return [good]
        missing = CheckResult(
            subject="location",
            is_good=False,
            message="the shop has no stock location",
            remedy="Add a location in Medusa; fulfilments leave from one.",
        )
        return [good, missing]

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return a page of orders, the one changed longest ago first."""
        known = TimeCursor(cursor, since)
        offset = int(known.place or 0)
        rows = self._list(
            **{"updated_at[$gte]": iso(known.after)},
            order="updated_at",
            limit=str(_PAGE),
            offset=str(offset),
        )
        # Who begins at the beginning reads all orders as they are now.
        is_next_visit = bool(cursor) and not known.place
        paid = self._list_paid(known.after, rows) if is_next_visit else []
        is_last = len(rows) < _PAGE
        if is_last:
            following = known.next_visit(rows[-1]["updated_at"] if rows else None)
        else:
            following = known.next_page_from(rows[-1]["updated_at"], _PAGE)
        return OrderPage(
            orders=[self._read(row) for row in (*paid, *rows)], cursor=following, is_last=is_last
        )

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by their ids."""
        return [self._read(row) for row in self._list_by_ids(order_ids)]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Fulfil what a stop carries when it leaves; ship and deliver it when it is handed over."""
        row = self._find(order_id)
        if row is None:
            raise Refused("not_found", "the shop has no such order any more")
        match report.step:
            case Step.OUT_FOR_DELIVERY:
                return self._send_out(row, report)
            case Step.DELIVERED:
                carried = self._fulfil(row, report)
                is_known = [self._deliver(row, one, report) for one in carried.list_all()]
                return ReportAnswer(was_known=all(is_known), fulfillment_id=carried.id)
            case Step.ATTEMPTED | Step.CORRECTED:
                remark = "Medusa takes no delivery back; the order's metadata says so"
                return self._note(row, report, remark if _is_delivered(row, report) else "")

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Write into the order's metadata, where it is merged."""
        fields = {_OURS + name.value.lower(): one for name, one in annotation.fields.items()}
        if fields:
            self._send(f"/orders/{order_id}", {"metadata": fields})

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make nothing: hooks come from a subscriber of the shop's own."""
        del hook_url, secret
        return False

    def _send_out(self, row: Json, report: Report) -> ReportAnswer:
        carried = self._fulfil(row, report)
        was_known = not carried.is_new
        if carried.again:
            # Nothing of a fulfilment says that it has left, so the order says that it has again.
            was_known = self._note(row, report, "").was_known and was_known
        return ReportAnswer(was_known=was_known, fulfillment_id=carried.id)

    def _deliver(self, row: Json, made: Json, report: Report) -> bool:
        """Have a fulfilment be delivered; return whether it was before."""
        if made.get("delivered_at"):
            return True
        path = f"/orders/{row['id']}/fulfillments/{made['id']}"
        if not made.get("shipped_at"):
            items = [
                {"id": one["line_item_id"], "quantity": one["quantity"]} for one in made["items"]
            ]
            url = report.tracking_url
            label = {"tracking_number": report.stop_id, "tracking_url": url, "label_url": url}
            # What was not made for this stop is known again by this alone.
            labels = [label] if url or report.stop_id not in _list_stops(made) else []
            self._move(f"{path}/shipments", {"items": items, "labels": labels, **self._silent()})
        self._move(f"{path}/mark-as-delivered", {})
        return False

    def _fulfil(self, row: Json, report: Report) -> _Carried:
        """Return the fulfilments of what a stop carries; make one of what is in none.

        Where the shop has fulfilled everything itself, as one does that packs in the morning, the
        stop carries that fulfilment; what was attempted before, it carries in that of then.
        """
        own = _list_of_stop(row, report.stop_id)
        goods = _list_goods(row)
        left = {
            one["id"]: (line(one.get("variant_sku")), _name_of(one), _left(one)) for one in goods
        }
        picked = {} if own else pick_quantities(left, report.items)
        pieces = [(*left[line_id][:2], quantity) for line_id, quantity in picked.items()]
        pieces += [held for one in own for held in _lines_of(row, one).values()]
        again = _list_again(row, report, pieces)
        if picked:
            return _Carried(own=[self._create(row, picked, report)], again=again, is_new=True)
        if not own and not again:
            packed = _find_packed(row, report)
            if packed is None:
                raise refuse_with_nothing_left("the order")
            own = [packed]
        return _Carried(own=own, again=again)

    def _create(self, row: Json, picked: Mapping[str, int], report: Report) -> Json:
        items = [{"id": line_id, "quantity": quantity} for line_id, quantity in picked.items()]
        path = f"/orders/{row['id']}/fulfillments"
        body = {"items": items, "metadata": {_STOP: report.stop_id}, **self._silent()}
        made = self._send(f"{path}?fields={_FULFILLMENT_FIELDS}", body)["order"]
        found = _list_of_stop(made, report.stop_id)
        if not found:
            raise Busy("NO_JSON", "the shop answered something else than was asked for")
        return found[0]

    def _note(self, row: Json, report: Report, remark: str) -> ReportAnswer:
        """Write into the order's metadata, which has no state for this; it is merged there."""
        before = str((row.get("metadata") or {}).get(_ATTEMPTS, ""))
        said = f"{report.stop_id} {report.step} {iso(report.happened_at)}"
        if said in before:
            return ReportAnswer(was_known=True, remark=remark)
        text = "; ".join(part for part in (before, said) if part)
        metadata = {**(row.get("metadata") or {}), _ATTEMPTS: text}
        self._send(f"/orders/{row['id']}", {"metadata": metadata})
        return ReportAnswer(was_known=False, remark=remark)

    def _silent(self) -> Mapping[str, bool]:
        return {"no_notification": not self.connection.notifies_customer}

    def _send(self, path: str, body: Json) -> Json:
        """Return what the shop answers; while somebody edits the order, it is told later."""
        try:
            return self._client.send(path, body)
        except Refused as refusal:
            if _IS_EDITED not in str(refusal):
                raise
            sentence = "somebody changes the order in the shop and has not confirmed it"
            raise OrderLocked("ORDER_IS_EDITED", sentence) from refusal

    def _move(self, path: str, body: Json) -> None:
        """Move a fulfilment on, unless somebody was faster."""
        try:
            self._send(path, body)
        except Refused as refusal:
            if _IS_DONE not in str(refusal):
                raise

    def _find(self, order_id: str) -> Json | None:
        fields = f"{_FIELDS},{_FULFILLMENT_FIELDS}"
        found = self._client.find(f"/orders/{order_id}", fields=fields)
        return None if found is None else found["order"]

    def _list_by_ids(self, order_ids: Sequence[str]) -> list[Json]:
        rows: list[Json] = []
        for batch in batched(order_ids, _MOST_IDS):
            ids = {f"id[{index}]": order_id for index, order_id in enumerate(batch)}
            rows += self._list(**ids, limit=str(_MOST_IDS))
        return rows

    def _list_paid(self, after: datetime, rows: Sequence[Json]) -> list[Json]:
        """Return the orders of payments since, but for those that the list of orders has."""
        known = {row["id"] for row in rows}
        paid: dict[str, None] = {}
        offset = 0
        is_last = False
        while not is_last:
            page = self._list_payments(after - _LONGEST_READ, offset)
            orders = ((one.get("payment_collection") or {}).get("order") for one in page)
            paid |= {
                one["id"]: None for one in orders if one and instant(one["updated_at"]) < after
            }
            # One that is captured meanwhile moves to the end, and those behind it move up.
            offset += len(page) - _PAYMENTS_OVERLAP
            is_last = len(page) < _PAYMENTS_PAGE
        return self._list_by_ids([order_id for order_id in paid if order_id not in known])

    def _list_payments(self, after: datetime, offset: int) -> list[Json]:
        found: list[Json] = self._client.get(
            "/payments",
            **{"updated_at[$gte]": iso(after)},
            order="updated_at",
            limit=str(_PAYMENTS_PAGE),
            offset=str(offset),
            fields="id,payment_collection.order.id,payment_collection.order.updated_at",
        )["payments"]
        return found

    def _list(self, **query: str) -> list[Json]:
        rows: list[Json] = self._client.get("/orders", fields=_FIELDS, **query)["orders"]
        return rows

    def _read(self, row: Json) -> ForeignOrder:
        goods = _list_goods(row)
        place = row.get("shipping_address") or {}
        country = str(place.get("country_code") or "").upper()
        # "us-il" as well as "IL": what is before the hyphen repeats the country.
        province = line(place.get("province"))
        if province.lower().startswith(f"{country.lower()}-"):
            province = province[len(country) + 1 :].upper()
        person = Person(
            first_name=place.get("first_name"),
            last_name=place.get("last_name"),
            company=place.get("company"),
            phone=place.get("phone"),
            email=row.get("email"),
            country_code=country,
        )
        metadata: Mapping[str, Json] = row.get("metadata") or {}
        shown = ((key, one) for key, one in metadata.items() if not key.startswith(_OURS))
        draft = StoreOrderDraft(
            name=f"#{line(row.get('display_id'))}",
            address=address(
                address1=place.get("address_1"),
                address2=place.get("address_2"),
                city=place.get("city"),
                province_code=province,
                country_code=country,
                zip=place.get("postal_code"),
            ),
            contact=person.contact(),
            items=tuple(_item(one) for one in goods[:499] if int(one["quantity"])),
            state=_state_of(row),
            attributes=attributes((*person.unread(), *shown)),
            order_reference_url=https_url(f"{self.connection.address}/app/orders/{row['id']}"),
        )
        read = with_delivery_times(draft, self.connection)
        methods = tags(one.get("name") for one in row.get("shipping_methods") or ())
        is_fetched = bool(methods) and all("pickup" in name.lower() for name in methods)
        is_paid = row.get("payment_status") in {*_PAID, None}
        return ForeignOrder(
            order_id=str(row["id"]),
            number=line(row.get("display_id")),
            draft=read.draft,
            updated_at=instant(row["updated_at"]),
            is_wanted=(is_paid or bool(row.get("canceled_at"))) and not is_fetched,
            is_delivered=all(_delivered(one) >= int(one["quantity"]) for one in goods),
            remarks=(*read.remarks, *_list_left_off(row)),
            delivery_methods=methods,
        )


def _list_of_stop(row: Json, stop_id: str) -> list[Json]:
    """Return the fulfilments of a stop: what was made for it, or shipped with it."""
    return [one for one in _list_standing(row) if stop_id in _list_stops(one)]


def _list_again(row: Json, report: Report, pieces: Sequence[tuple[str, str, int]]) -> list[Json]:
    """Return the fulfilments of stops that were attempted which a stop carries beside pieces."""
    parcels = [
        (one, _lines_of(row, one))
        for stop_id in report.attempted_stop_ids
        for one in _list_of_stop(row, stop_id)
    ]
    return choose_attempted(parcels, report.items, dict(enumerate(pieces)))


def _is_delivered(row: Json, report: Report) -> bool:
    own = _list_of_stop(row, report.stop_id)
    pieces = [held for one in own for held in _lines_of(row, one).values()]
    return any(one.get("delivered_at") for one in (*own, *_list_again(row, report, pieces)))


def _find_packed(row: Json, report: Report) -> Json | None:
    """Return the fulfilment of a stop's items that somebody in the shop has made, if any."""
    parcels = [
        (one, bool(one.get("delivered_at")), _lines_of(row, one))
        for one in _list_standing(row)
        if not _list_stops(one)
    ]
    return choose_packed(parcels, report.items)


def _lines_of(row: Json, fulfillment: Json) -> Lines[str]:
    """Return what is in a fulfilment, by the order's lines."""
    called = {one["id"]: (line(one.get("variant_sku")), _name_of(one)) for one in _list_goods(row)}
    counts = Counter[str]()
    for item in fulfillment["items"]:
        counts[item["line_item_id"]] += item["quantity"]
    return {id_: (*called.get(id_, ("", "")), count) for id_, count in counts.items()}


def _list_standing(row: Json) -> list[Json]:
    return [one for one in row.get("fulfillments") or () if not one.get("canceled_at")]


def _list_stops(fulfillment: Json) -> set[str]:
    """Return the stops that a fulfilment is of: by its metadata, and by what it was shipped as."""
    made_for = (fulfillment.get("metadata") or {}).get(_STOP)
    labels = (str(one.get("tracking_number")) for one in fulfillment.get("labels") or ())
    return {one for one in (made_for, *labels) if one and is_stop_id(one)}


def _list_goods(row: Json) -> list[Json]:
    """Return the lines that are driven: those that need shipping, or all where none says so.

    Medusa takes no fulfilment of lines of both sorts.
    """
    items: list[Json] = row["items"]
    return [one for one in items if one.get("requires_shipping")] or items


def _list_left_off(row: Json) -> list[str]:
    items: list[Json] = row["items"]
    if not any(one.get("requires_shipping") for one in items):
        return []
    return [
        f'"{_name_of(one)}" needs no shipping in the shop, and is on no stop'
        for one in items
        if not one.get("requires_shipping")
    ]


def _name_of(one: Json) -> str:
    """Return what a line is called, with the variant where there may be several."""
    variant = line(one.get("variant_title"))
    names = (line(one.get("title")), "" if variant == _ONLY_VARIANT else variant)
    return line(" - ".join(name for name in names if name))


def _fulfilled(one: Json) -> int:
    return int((one.get("detail") or {}).get("fulfilled_quantity") or 0)


def _delivered(one: Json) -> int:
    return int((one.get("detail") or {}).get("delivered_quantity") or 0)


def _left(one: Json) -> int:
    """Return the pieces that have not left; those that came back had, and go nowhere again."""
    return max(0, int(one["quantity"]) - _fulfilled(one))


def _item(one: Json) -> OrderItem:
    quantity = int(one["quantity"])
    return OrderItem(
        name=_name_of(one),
        sku=line(one.get("variant_sku")),
        quantity=quantity,
        fulfilled_quantity=min(quantity, _fulfilled(one)),
    )


def _state_of(row: Json) -> StoreOrderState:
    if row.get("canceled_at") or row.get("status") == "canceled":
        return StoreOrderState.CANCELLED
    goods = _list_goods(row)
    if goods and not any(_left(one) for one in goods):
        return StoreOrderState.FULFILLED
    return (
        StoreOrderState.ON_HOLD if row.get("status") == "requires_action" else StoreOrderState.OPEN
    )
