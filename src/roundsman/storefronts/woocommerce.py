"""WooCommerce by its REST interface (v3), as measured on 7.9 in both modes of storage.

Its times of change are whole seconds, and its pages move when orders change, so reading goes on
from the last second seen (ADR 47). What left and arrived is written into the order's meta data by
the stop's id, before a note that is a mail, so that a crash loses a mail rather than sends two;
newer shops may have fulfilments besides. Orders that go to the trash are in no list: they are seen
when read by id.
"""

import base64
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.kit.http import HttpClient
from roundsman.storefronts.port import (
    Annotation,
    CheckResult,
    ForeignOrder,
    OrderPage,
    Refused,
    Report,
    ReportAnswer,
    ReportedItem,
    ShopConnection,
    Step,
    StorefrontFailure,
    Unauthorized,
)
from roundsman.storefronts.quantities import Lines
from roundsman.storefronts.reading import (
    Person,
    address,
    attributes,
    https_url,
    instant,
    line,
    prose,
    tags,
    with_delivery_times,
)
from roundsman.storefronts.shop_client import (
    ShopClient,
    find_credentials_good,
    find_refused,
)
from roundsman.storefronts.woocommerce_fulfillments import (
    Fulfilled,
    count_fulfilled,
    find_fulfillments,
    fulfil,
)

type Json = Any

_PAGE = 50
_OVERLAP = 10
"""Of the orders of one second, on two pages."""

_META = "_roundsman_"
"""Before the id of a stop: the steps of it that the shop knows, in order."""

_FIELD = "roundsman_"
"""Before the names of fields that people read: the shop shows no keys that begin with `_`."""

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
_NO_SUCH_VALUE = "rest_invalid_param"
_TOLD_OF_FULFILLMENTS = frozenset({Step.OUT_FOR_DELIVERY, Step.DELIVERED})
_FULFILLMENT_STATUS = "_fulfillment_status"
"""The shop's own sum of its fulfilments, in the order's meta data; absent where there are none."""
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
            found = self._client.get_list("/orders", per_page="1", status="any")
        except StorefrontFailure as failure:
            if isinstance(failure, Unauthorized) and not self._is_encrypted():
                failure.remedy = "WooCommerce takes keys over TLS alone: give an https:// address."
            return [find_refused(failure)]
        results = [find_credentials_good(), *self._check_statuses()]
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
        rows = self._client.get_list(
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
        told = _read_reported(row)
        steps = told.get(report.stop_id, ())
        said = f"{report.step}@{_utc(report.happened_at)}"
        if said in (one.partition("#")[0] for one in steps):
            return ReportAnswer(was_known=True)
        if row["status"] in {"cancelled", "refunded", "trash"}:
            raise Refused(row["status"], f"order {row['number']} is {row['status']} in the shop")
        lines = self._lines(row)
        fulfilled = self._fulfil(order_id, lines, report)
        pieces = _count_pieces(report, lines)
        status, remark = self._next_status(
            row, report, pieces + _count_arrived(told, report), lines
        )
        entry = f"{said}#{pieces}" if report.step is Step.DELIVERED else said
        meta = {"key": _META + report.stop_id, "value": ",".join([*steps, entry])}
        refusal = self._change(path, {"meta_data": [meta]}, status)
        has_mailed = fulfilled is not None and fulfilled.is_mailed
        self._client.send(f"{path}/notes", self._note(report, has_mailed=has_mailed))
        remarks = (refusal, remark, fulfilled.remark if fulfilled else "")
        return ReportAnswer(
            was_known=False,
            fulfillment_id=fulfilled.fulfillment_id if fulfilled else "",
            remark="; ".join(one for one in remarks if one),
        )

    def _fulfil(self, order_id: str, lines: Lines[int], report: Report) -> Fulfilled | None:
        """Fulfil what leaves, where the shop has fulfilments."""
        if report.step not in _TOLD_OF_FULFILLMENTS:
            return None
        rows = find_fulfillments(self._client, order_id)
        if rows is None:
            return None
        is_mail = report.step is Step.OUT_FOR_DELIVERY and self.connection.notifies_customer
        return fulfil(self._client, order_id, rows, lines, report, notifies=is_mail)

    def _next_status(
        self, row: Json, report: Report, arrived: int, lines: Lines[int]
    ) -> tuple[str, str]:
        """Return the status that an order gets, empty for none, and what it cannot say."""
        now, given = row["status"], self.connection
        match report.step:
            case Step.OUT_FOR_DELIVERY:
                return self._while_under_way(now, given.out_for_delivery_status)
            case Step.ATTEMPTED:
                if now == "completed" and _was_delivered(row, report.stop_id):
                    # It was completed by what its driver has taken back.
                    return given.attempted_status or self._status_on_its_way(), ""
                return self._while_under_way(now, given.attempted_status)
            case Step.DELIVERED:
                ordered = sum(count for _, _, count in lines.values())
                rest = "a part has arrived; the order stays open until the rest has"
                return ("completed", "") if arrived >= ordered else ("", rest)
            case Step.CORRECTED:
                is_ours = now in {"completed", given.attempted_status}
                return (self._status_on_its_way() if is_ours else ""), ""

    def _status_on_its_way(self) -> str:
        return self.connection.out_for_delivery_status or next(iter(self._open_statuses()))

    def _while_under_way(self, now: str, wanted: str) -> tuple[str, str]:
        """Return the wanted status, or none, and why, where the shop's people have set another."""
        if not wanted or now in self._statuses_under_way():
            return wanted, ""
        return "", f'the order is "{now}" in the shop, and stays so'

    def _change(self, path: str, change: Json, status: str) -> str:
        """Write into an order; return what of it the shop would not take."""
        if not status:
            self._client.send(path, change, "PUT")
            return ""
        try:
            self._client.send(path, {**change, "status": status}, "PUT")
        except Refused as refusal:
            if refusal.code != _NO_SUCH_VALUE:
                raise
            # The plugin that had the status is gone; what happened is no less true.
            self._client.send(path, change, "PUT")
            return f'the shop has no status "{status}"'
        return ""

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Write into the order's meta data, which the shop's people see as custom fields."""
        fields = [
            {"key": _FIELD + name.value.lower(), "value": value}
            for name, value in annotation.fields.items()
        ]
        if fields:
            self._client.send(f"/orders/{order_id}", {"meta_data": fields}, "PUT")

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make the hooks that are missing, and wake those that were switched off."""
        present = self._client.get_list("/webhooks", per_page="100")
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
            else:
                # Its secret cannot be read, and may be that of before.
                self._client.send(f"/webhooks/{ours[topic]['id']}", wanted, "PUT")
        return True

    def _is_encrypted(self) -> bool:
        return self.connection.address.startswith("https://")

    def _open_statuses(self) -> Sequence[str]:
        return self.connection.statuses or ("processing",)

    def _statuses_under_way(self) -> Collection[str]:
        """Return the statuses that an order has here from when it is to be delivered until it is.

        One that somebody in the shop has set besides is not overwritten on the way.
        """
        given = self.connection
        ours = {given.out_for_delivery_status, given.attempted_status} - {""}
        return {*self._open_statuses(), *ours}

    def _check_statuses(self) -> Sequence[CheckResult]:
        """Look whether the shop has the statuses that the connection names."""
        given = self.connection
        named = {*given.statuses, given.out_for_delivery_status, given.attempted_status} - {""}
        allowed = _find_statuses(self._client.fetch_options("/orders")) if named else ()
        return [
            CheckResult(
                subject=f"status {status}",
                is_good=False,
                message=f'the shop has no status "{status}"; it has {", ".join(allowed)}',
                remedy="Name one of those, or install the plugin that has it.",
            )
            for status in sorted(named)
            if allowed and status not in allowed
        ]

    def _note(self, report: Report, *, has_mailed: bool) -> Json:
        words = {
            Step.OUT_FOR_DELIVERY: "Out for delivery.",
            Step.DELIVERED: "Delivered.",
            Step.ATTEMPTED: "Delivery was attempted.",
            Step.CORRECTED: "The delivery's status was corrected.",
        }
        parts = [words[report.step], report.note, report.tracking_url]
        is_mail = report.step is Step.OUT_FOR_DELIVERY and self.connection.notifies_customer
        # A fulfilment has its own mail; nobody is to get two.
        is_note_mail = is_mail and not has_mailed
        return {"note": " ".join(part for part in parts if part), "customer_note": is_note_mail}

    def _lines(self, row: Json) -> Lines[int]:
        """Return the lines by their ids, less what was refunded of each."""
        refunded: Counter[int] = Counter()
        if row.get("refunds"):
            for refund in self._client.get_list(f"/orders/{row['id']}/refunds", per_page="100"):
                for back in refund.get("line_items", ()):
                    of = _meta(back).get("_refunded_item_id")
                    refunded[int(of or 0)] += abs(int(back.get("quantity") or 0))
        return {
            int(one["id"]): (line(one.get("sku")), line(one["name"]), left)
            for one in row["line_items"]
            if (left := max(0, int(one["quantity"]) - refunded[int(one["id"])]))
        }

    def _items(self, row: Json) -> tuple[OrderItem, ...]:
        """Return the lines, and how much of each has left in a fulfilment."""
        rows: Sequence[Json] | None = None
        if _meta(row).get(_FULFILLMENT_STATUS) in {"fulfilled", "partially_fulfilled"}:
            rows = find_fulfillments(self._client, str(row["id"]))
        gone = count_fulfilled(rows or (), with_drafts=False)
        return tuple(
            OrderItem(name=name, quantity=left, sku=sku, fulfilled_quantity=min(left, gone[id_]))
            for id_, (sku, name, left) in list(self._lines(row).items())[:499]
        )

    def _read(self, row: Json) -> ForeignOrder:
        place, billing = _place(row), row.get("billing") or {}
        status = str(row["status"])
        is_open = status in self._statuses_under_way()
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
        shown = (
            (key.lstrip("_"), value)
            for key, value in _meta(row).items()
            if not key.startswith((_META, _FIELD)) and key != _FULFILLMENT_STATUS
        )
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
        chosen = row.get("shipping_lines", ())
        methods = {one.get("method_id") for one in chosen}
        return ForeignOrder(
            order_id=str(row["id"]),
            number=line(row["number"]),
            draft=read.draft,
            updated_at=instant(row["date_modified_gmt"]),
            # Unpaid ones, drafts and what the customer fetches are nobody's to deliver.
            is_wanted=(is_open or status in _CLOSED) and not (methods and methods <= _PICKED_UP),
            is_delivered=state is StoreOrderState.FULFILLED,
            remarks=read.remarks,
            delivery_methods=tags(
                one.get(name) for one in chosen for name in ("method_id", "method_title")
            ),
        )


def _read_reported(row: Json) -> Mapping[str, Sequence[str]]:
    """Return what the shop was told of each stop, oldest first."""
    return {
        key.removeprefix(_META): [one for one in str(value).split(",") if one]
        for key, value in _meta(row).items()
        if key.startswith(_META)
    }


def _was_delivered(row: Json, stop_id: str) -> bool:
    """Say whether the shop was told last of a stop that it was delivered."""
    steps = _read_reported(row).get(stop_id, ())
    return bool(steps) and steps[-1].startswith(Step.DELIVERED)


def _count_pieces(report: Report, lines: Lines[int]) -> int:
    """Return how many pieces a stop carries; without items all that the order has."""
    wanted = report.items or [
        ReportedItem(sku=sku, name=name, quantity=count) for sku, name, count in lines.values()
    ]
    return sum(item.quantity for item in wanted)


def _count_arrived(told: Mapping[str, Sequence[str]], report: Report) -> int:
    """Return how many pieces have arrived with other stops."""
    last = [steps[-1] for stop_id, steps in told.items() if steps and stop_id != report.stop_id]
    arrived = [step.partition("#")[2] for step in last if step.startswith(Step.DELIVERED)]
    return sum(int(pieces) for pieces in arrived if pieces.isdecimal())


def _find_statuses(options: Json) -> Sequence[str]:
    """Return which statuses an order may be given, as the interface describes itself."""
    for endpoint in (options or {}).get("endpoints", ()):
        if "POST" in endpoint.get("methods", ()):
            return [str(one) for one in endpoint.get("args", {}).get("status", {}).get("enum", ())]
    return ()


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
