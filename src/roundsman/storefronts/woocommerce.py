"""WooCommerce by its REST interface (v3), as measured on 7.9 in both modes of storage.

Its times of change are whole seconds, and its pages move when orders change, so reading goes on
from the last second seen (ADR 47). It has no fulfilments: what left and arrived is written into the
order's meta data by the stop's id, before a note that is a mail, so that a crash loses a mail
rather than sends two. Orders that go to the trash are in no list: they are seen when read by id.
"""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
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
from roundsman.storefronts.reading import (
    Person,
    address,
    attributes,
    https_url,
    instant,
    line,
    prose,
    with_delivery_times,
)
from roundsman.storefronts.shop_client import (
    ShopClient,
    find_credentials_good,
    find_credentials_refused,
)

type Json = Any

_PAGE = 50
_OVERLAP = 10
"""Of the orders of one second, on two pages."""

_META = "_roundsman_"
"""Before the id of a stop: the steps of it that the shop knows, in order."""

_SECOND = timedelta(seconds=1)
_DATE_NAMES = ("delivery_date", "jckwds_date", "orddd_delivery_date")
_WINDOW_NAMES = ("delivery_time", "jckwds_timeslot", "time_slot")
"""Meta keys of usual date pickers; hidden ones begin with an underscore, which does not count."""

_PICKED_UP = {"local_pickup", "pickup_location"}
_CLOSED = {
    "completed": StoreOrderState.FULFILLED,
    "cancelled": StoreOrderState.CANCELLED,
    "refunded": StoreOrderState.CANCELLED,
    "failed": StoreOrderState.CANCELLED,
    "trash": StoreOrderState.CANCELLED,
}
_HOOKS = ("order.created", "order.updated", "order.deleted", "order.restored")


class WooCommerce:
    """A shop on WooCommerce."""

    def __init__(self, connection: ShopConnection, http: HttpClient) -> None:
        self.connection = connection
        given = connection.credentials
        pair = f"{given['consumerKey']}:{given['consumerSecret']}"
        headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        root = f"{connection.address}/wp-json/wc/v3"
        self._client = ShopClient(http=http, root=root, headers=headers)

    def check(self) -> Sequence[CheckResult]:
        """Read the newest order."""
        try:
            found = self._client.get("/orders", per_page="1", status="any")
        except StorefrontFailure as failure:
            return [find_credentials_refused(failure)]
        results = [find_credentials_good()]
        if found and not _place(found[0]).get("address_1"):
            results.append(
                CheckResult(
                    subject="customer data",
                    is_good=False,
                    message="the last order has no shipping address",
                    remedy="Let the shop ask for a shipping address.",
                )
            )
        return results

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return a page from the last second seen on; within a second, by how many were seen.

        Orders that leave that second meanwhile move the others up, so pages overlap.
        """
        second, _, number = cursor.partition("|")
        begin = instant(second) if second else since.astimezone(UTC).replace(microsecond=0)
        offset = int(number or 0)
        rows = self._client.get(
            "/orders",
            # What is asked for is after this second, so the one before is named.
            modified_after=_utc(begin - _SECOND),
            dates_are_gmt="true",
            orderby="modified",
            order="asc",
            status="any",
            per_page=str(_PAGE),
            offset=str(offset),
        )
        is_last = len(rows) < _PAGE
        last = instant(rows[-1]["date_modified_gmt"]) if rows else begin
        following = _utc(last)
        if not is_last and last == begin:
            following += f"|{offset + _PAGE - _OVERLAP}"
        return OrderPage(
            orders=[self._read(row) for row in rows], cursor=following, is_last=is_last
        )

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders one by one: a list leaves out those in the trash."""
        found = [self._client.find(f"/orders/{order_id}") for order_id in order_ids]
        return [self._read(row) for row in found if row is not None]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Write a step into the order's meta data, and then tell of it in a note."""
        path = f"/orders/{order_id}"
        row = self._client.get(path)
        key = _META + report.stop_id
        known = _meta(row).get(key, "")
        steps = [one for one in str(known).split(",") if one]
        said = f"{report.step}@{_utc(report.happened_at)}"
        if said in steps:
            return ReportAnswer(was_known=True)
        if row["status"] in {"cancelled", "refunded", "trash"}:
            raise Refused(row["status"], f"order {row['number']} is {row['status']} in the shop")
        change: Json = {"meta_data": [{"key": key, "value": ",".join([*steps, said])}]}
        remark = ""
        if report.step is Step.DELIVERED:
            if self._is_whole(row, report):
                change["status"] = "completed"
            else:
                remark = "WooCommerce knows no part of an order; it stays open"
        self._client.send(path, change, "PUT")
        self._client.send(f"{path}/notes", self._note(report))
        return ReportAnswer(was_known=False, remark=remark)

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make the hooks that are missing, and wake those that were switched off."""
        present = self._client.get("/webhooks", per_page="100")
        ours = {one["topic"]: one for one in present if one.get("delivery_url") == hook_url}
        for topic in _HOOKS:
            wanted = {
                "topic": topic,
                "delivery_url": hook_url,
                "secret": secret,
                "status": "active",
            }
            if topic not in ours:
                self._client.send("/webhooks", {"name": f"Roundsman {topic}", **wanted})
            elif ours[topic].get("status") != "active":
                self._client.send(f"/webhooks/{ours[topic]['id']}", wanted, "PUT")
        return True

    def _is_whole(self, row: Json, report: Report) -> bool:
        """Say whether a stop carries all that the order has."""
        if not report.items:
            return True
        carried = sum(item.quantity for item in report.items)
        return carried >= sum(item.quantity for item in self._items(row))

    def _note(self, report: Report) -> Json:
        words = {
            Step.OUT_FOR_DELIVERY: "Out for delivery.",
            Step.DELIVERED: "Delivered.",
            Step.ATTEMPTED: "Delivery was attempted.",
            Step.CORRECTED: "The delivery's status was corrected.",
        }
        parts = [words[report.step], report.note, report.tracking_url]
        is_mail = report.step is Step.OUT_FOR_DELIVERY and self.connection.notifies_customer
        return {"note": " ".join(part for part in parts if part), "customer_note": is_mail}

    def _items(self, row: Json) -> tuple[OrderItem, ...]:
        """Return the lines, less what was refunded of each."""
        refunded: Counter[int] = Counter()
        if row.get("refunds"):
            for refund in self._client.get(f"/orders/{row['id']}/refunds", per_page="100"):
                for back in refund.get("line_items", ()):
                    of = _meta(back).get("_refunded_item_id")
                    refunded[int(of or 0)] += abs(int(back.get("quantity") or 0))
        return tuple(
            OrderItem(name=line(one["name"]), quantity=left, sku=line(one.get("sku")))
            for one in row["line_items"][:499]
            if (left := max(0, int(one["quantity"]) - refunded[int(one["id"])]))
        )

    def _read(self, row: Json) -> ForeignOrder:
        place, billing = _place(row), row.get("billing") or {}
        status = str(row["status"])
        statuses = set(self.connection.statuses) or {"processing"}
        is_open = status in statuses
        state = _CLOSED.get(status, StoreOrderState.OPEN)
        if not is_open and state is StoreOrderState.OPEN:
            state = StoreOrderState.ON_HOLD
        country = str(place.get("country") or "")
        person = Person(
            first_name=place.get("first_name"),
            last_name=place.get("last_name"),
            company=place.get("company"),
            phone=place.get("phone") or billing.get("phone"),
            email=billing.get("email"),
            country_code=country,
        )
        named = ((key.lstrip("_"), value) for key, value in _meta(row).items())
        shown = ((key, value) for key, value in named if not key.startswith("roundsman_"))
        draft = StoreOrderDraft(
            name=f"#{line(row['number'])}",
            address=address(
                address1=place.get("address_1"),
                address2=place.get("address_2"),
                city=place.get("city"),
                province_code=place.get("state"),
                country_code=country,
                zip=place.get("postcode"),
            ),
            contact=person.contact(),
            items=self._items(row),
            customer_note=prose(row.get("customer_note")),
            state=state,
            attributes=attributes((*person.unread(), *shown)),
            order_reference_url=https_url(
                f"{self.connection.address}/wp-admin/post.php?post={row['id']}&action=edit"
            ),
        )
        read = with_delivery_times(draft, _with_usual_names(self.connection))
        methods = {one.get("method_id") for one in row.get("shipping_lines", ())}
        return ForeignOrder(
            order_id=str(row["id"]),
            number=line(row["number"]),
            draft=read.draft,
            updated_at=instant(row["date_modified_gmt"]),
            # Unpaid ones, drafts and what the customer fetches are nobody's to deliver.
            is_wanted=(is_open or status in _CLOSED) and not (methods and methods <= _PICKED_UP),
            remarks=read.remarks,
        )


def _with_usual_names(connection: ShopConnection) -> ShopConnection:
    return replace(
        connection,
        date_names=connection.date_names or _DATE_NAMES,
        window_names=connection.window_names or _WINDOW_NAMES,
    )


def _meta(row: Json) -> Mapping[str, Json]:
    return {str(one.get("key")): one.get("value") for one in row.get("meta_data", ())}


def _place(row: Json) -> Json:
    """Return the shipping address, or the billing one where nothing else was given."""
    shipping = row.get("shipping") or {}
    return shipping if shipping.get("address_1") else row.get("billing") or {}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()
