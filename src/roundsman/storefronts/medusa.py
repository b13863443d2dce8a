"""Medusa by its admin interface, as measured on 2.21.

Every change moves an order's time of change, so it is a good cursor. The word of its fulfilment
status is not: of one piece in three it says that the order was shipped. Quantities are counted by
line. A fulfilment carries the stop's id in its metadata; once it is shipped it cannot be taken
back, so that is said when the goods are handed over and not when they leave.
"""

import base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.kit.http import HttpClient
from roundsman.storefronts.port import (
    CheckResult,
    ForeignOrder,
    OrderPage,
    Refused,
    Report,
    ReportAnswer,
    ShopConnection,
    Step,
    StorefrontFailure,
)
from roundsman.storefronts.quantities import pick_quantities
from roundsman.storefronts.reading import (
    Person,
    address,
    attributes,
    https_url,
    instant,
    iso,
    line,
    with_delivery_times,
)
from roundsman.storefronts.shop_client import (
    ShopClient,
    find_credentials_good,
    find_credentials_refused,
)
from roundsman.storefronts.time_cursor import TimeCursor

type Json = Any

_PAGE = 50
_FIELDS = (
    "id,display_id,status,payment_status,email,updated_at,canceled_at,metadata,"
    "*shipping_address,*shipping_methods,*items,*items.detail,*fulfillments"
)
_STOP = "roundsman_stop"
_ATTEMPTS = "roundsman_attempts"
_PAID = {"authorized", "partially_authorized", "captured", "partially_captured"}


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
            return [find_credentials_refused(failure)]
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
        is_last = len(rows) < _PAGE
        if is_last:
            following = known.next_visit(rows[-1]["updated_at"] if rows else None)
        else:
            following = known.next_page_from(rows[-1]["updated_at"], _PAGE)
        return OrderPage(
            orders=[self._read(row) for row in rows], cursor=following, is_last=is_last
        )

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by their ids."""
        found = [self._find(order_id) for order_id in order_ids]
        return [self._read(row) for row in found if row is not None]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Fulfil what a stop carries when it leaves; ship and deliver it when it is handed over."""
        row = self._find(order_id)
        if row is None:
            raise Refused("not_found", "the shop has no such order any more")
        known = next(
            (
                one
                for one in row.get("fulfillments") or ()
                if (one.get("metadata") or {}).get(_STOP) == report.stop_id
                and not one.get("canceled_at")
            ),
            None,
        )
        match report.step:
            case Step.OUT_FOR_DELIVERY:
                if known is not None:
                    return ReportAnswer(was_known=True, fulfillment_id=known["id"])
                made = self._fulfil(row, report)
                return ReportAnswer(was_known=False, fulfillment_id=made["id"])
            case Step.DELIVERED:
                return self._deliver(row, known, report)
            case Step.ATTEMPTED:
                return self._note(row, report, "")
            case Step.CORRECTED:
                remark = "Medusa takes no delivery back; the order's metadata says so"
                return self._note(row, report, remark)

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make nothing: hooks come from a subscriber of the shop's own."""
        del hook_url, secret
        return False

    def _deliver(self, row: Json, known: Json | None, report: Report) -> ReportAnswer:
        if known is not None and known.get("delivered_at"):
            return ReportAnswer(was_known=True, fulfillment_id=known["id"])
        made = known or self._fulfil(row, report)
        path = f"/orders/{row['id']}/fulfillments/{made['id']}"
        if not made.get("shipped_at"):
            label = {"tracking_number": report.stop_id, "tracking_url": report.tracking_url}
            items = [
                {"id": one["line_item_id"], "quantity": one["quantity"]} for one in made["items"]
            ]
            labels = [{**label, "label_url": report.tracking_url}] if report.tracking_url else []
            body = {"items": items, "labels": labels, **self._silent()}
            self._client.send(f"{path}/shipments", body)
        self._client.send(f"{path}/mark-as-delivered", {})
        return ReportAnswer(was_known=False, fulfillment_id=made["id"])

    def _fulfil(self, row: Json, report: Report) -> Json:
        left = {
            one["id"]: (str(one.get("variant_sku") or ""), str(one.get("title") or ""), _left(one))
            for one in row["items"]
        }
        items = [
            {"id": line_id, "quantity": quantity}
            for line_id, quantity in pick_quantities(left, report.items).items()
        ]
        if not items:
            raise Refused("NOTHING_LEFT", "nothing of the order is left to deliver")
        path = f"/orders/{row['id']}/fulfillments"
        body = {"items": items, "metadata": {_STOP: report.stop_id}, **self._silent()}
        made = self._client.send(f"{path}?fields=*fulfillments,*fulfillments.items", body)
        return next(
            one
            for one in made["order"]["fulfillments"]
            if (one.get("metadata") or {}).get(_STOP) == report.stop_id
            and not one.get("canceled_at")
        )

    def _note(self, row: Json, report: Report, remark: str) -> ReportAnswer:
        """Write into the order's metadata, which has no state for this; it is merged there."""
        before = str((row.get("metadata") or {}).get(_ATTEMPTS, ""))
        said = f"{report.stop_id} {report.step} {iso(report.happened_at)}"
        if said in before:
            return ReportAnswer(was_known=True)
        text = "; ".join(part for part in (before, said) if part)
        metadata = {**(row.get("metadata") or {}), _ATTEMPTS: text}
        self._client.send(f"/orders/{row['id']}", {"metadata": metadata})
        return ReportAnswer(was_known=False, remark=remark)

    def _silent(self) -> Mapping[str, bool]:
        return {"no_notification": not self.connection.notifies_customer}

    def _find(self, order_id: str) -> Json | None:
        fields = f"{_FIELDS},*fulfillments.items"
        found = self._client.find(f"/orders/{order_id}", fields=fields)
        return None if found is None else found["order"]

    def _list(self, **query: str) -> list[Json]:
        rows: list[Json] = self._client.get("/orders", fields=_FIELDS, **query)["orders"]
        return rows

    def _read(self, row: Json) -> ForeignOrder:
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
        shown = ((key, one) for key, one in metadata.items() if not key.startswith("roundsman_"))
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
            items=tuple(_item(one) for one in row["items"][:499] if _ordered(one)),
            state=_state_of(row),
            attributes=attributes((*person.unread(), *shown)),
            order_reference_url=https_url(f"{self.connection.address}/app/orders/{row['id']}"),
        )
        read = with_delivery_times(draft, self.connection)
        methods = [str(one.get("name", "")).lower() for one in row.get("shipping_methods") or ()]
        is_fetched = bool(methods) and all("pickup" in name for name in methods)
        is_paid = row.get("payment_status") in {*_PAID, None}
        return ForeignOrder(
            order_id=str(row["id"]),
            number=line(row.get("display_id")),
            draft=read.draft,
            updated_at=instant(row["updated_at"]),
            is_wanted=(is_paid or bool(row.get("canceled_at"))) and not is_fetched,
            remarks=read.remarks,
        )


def _ordered(one: Json) -> int:
    """Return the pieces that the customer is still to have: returned ones are not."""
    detail = one.get("detail") or {}
    back = int(detail.get("return_received_quantity") or 0)
    return max(0, int(one["quantity"]) - back)


def _fulfilled(one: Json) -> int:
    return int((one.get("detail") or {}).get("fulfilled_quantity") or 0)


def _left(one: Json) -> int:
    return max(0, _ordered(one) - _fulfilled(one))


def _item(one: Json) -> OrderItem:
    quantity = _ordered(one)
    return OrderItem(
        name=line(one.get("title")),
        sku=line(one.get("variant_sku")),
        quantity=quantity,
        fulfilled_quantity=min(quantity, _fulfilled(one)),
    )


def _state_of(row: Json) -> StoreOrderState:
    if row.get("canceled_at") or row.get("status") == "canceled":
        return StoreOrderState.CANCELLED
    if row["items"] and all(not _left(one) for one in row["items"]):
        return StoreOrderState.FULFILLED
    return (
        StoreOrderState.ON_HOLD if row.get("status") == "requires_action" else StoreOrderState.OPEN
    )
