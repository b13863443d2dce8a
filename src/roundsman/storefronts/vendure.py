"""Vendure by its admin interface (GraphQL), as measured on 3.7.

A fulfilment moves an order's state and not its time of change, so orders on routes are read again
by id. What a fulfilment is for is its tracking code: the stop's id. Its states go forward only.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField
from roundsman.kit.http import HttpClient
from roundsman.storefronts.port import (
    Annotation,
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
from roundsman.storefronts.quantities import (
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
_TICK = timedelta(milliseconds=1)
"""Times of change are told to the millisecond, and what is asked for is after one."""

_ORDER = """
fragment Parts on Order {
id code state updatedAt customer { firstName lastName emailAddress phoneNumber }
shippingAddress { fullName company streetLine1 streetLine2 city province postalCode countryCode
  phoneNumber }
shippingLines { shippingMethod { code } }
lines { id quantity productVariant { name sku }
  fulfillmentLines { quantity fulfillment { id state } } }
fulfillments { id state trackingCode }
"""
_LIST = "query($options: OrderListOptions) { orders(options: $options) { items { ...Parts } } }"
_FULFILL = """mutation($input: FulfillOrderInput!) { addFulfillmentToOrder(input: $input) {
  __typename ... on Fulfillment { id state } ... on ErrorResult { errorCode message } } }"""
_MOVE = """mutation($id: ID!, $state: String!) {
  transitionFulfillmentToState(id: $id, state: $state) {
    __typename ... on Fulfillment { id state } ... on ErrorResult { errorCode message } } }"""
_NOTES = """query($id: ID!) { order(id: $id) { history(options: {
  filter: {type: {eq: "ORDER_NOTE"}}, sort: {createdAt: DESC}, take: 100}) { items { data } } } }"""
_NOTE = """mutation($input: AddNoteToOrderInput!) { addNoteToOrder(input: $input) { id } }"""

_SET_FIELDS = (
    """mutation($input: UpdateOrderInput!) { setOrderCustomFields(input: $input) { id } }"""
)

_PAID = {
    "PaymentAuthorized", "PaymentSettled", "PartiallyShipped", "Shipped", "PartiallyDelivered",
    "Delivered",
}  # fmt: skip
_PICKED_UP = "pickup"
_SENTENCES = {
    Step.ATTEMPTED: "Delivery was attempted.",
    Step.CORRECTED: "The delivery's status was corrected.",
}
_OURS = "roundsman"
"""Before the names of custom fields that are written here."""


class Vendure:
    """A shop on Vendure."""

    def __init__(self, connection: ShopConnection, http: HttpClient) -> None:
        self.connection = connection
        headers = {"vendure-api-key": connection.credentials["apiKey"]}
        root = connection.address
        if not root.endswith("/admin-api"):
            root += "/admin-api"
        self._client = ShopClient(http=http, root=root, headers=headers)

    def check(self) -> Sequence[CheckResult]:
        """Read an order."""
        try:
            self._list({"take": 1})
        except StorefrontFailure as failure:
            return [find_refused(failure)]
        return [find_credentials_good()]

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return a page of orders that were placed, the one changed longest ago first."""
        known = TimeCursor(cursor, since)
        skip = int(known.place or 0)
        options = {
            "filter": {"active": {"eq": False}, "updatedAt": {"after": iso(known.after)}},
            "sort": {"updatedAt": "ASC"},
            "take": _PAGE,
            "skip": skip,
        }
        rows = self._list(options)
        is_last = len(rows) < _PAGE
        if is_last:
            following = known.next_visit(rows[-1]["updatedAt"] if rows else None)
        else:
            following = known.next_page_from(rows[-1]["updatedAt"], _PAGE, _TICK)
        return OrderPage(
            orders=[self._read(row) for row in rows], cursor=following, is_last=is_last
        )

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by their ids."""
        options = {"filter": {"id": {"in": list(order_ids)}}, "take": len(order_ids)}
        return [self._read(row) for row in self._list(options)] if order_ids else []

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Fulfil what a stop carries when it leaves, and move that fulfilment on."""
        found = self._list({"filter": {"id": {"eq": order_id}}, "take": 1})
        if not found:
            raise Refused("NOT_FOUND", "the shop has no such order any more")
        row = found[0]
        match report.step:
            case Step.OUT_FOR_DELIVERY:
                return self._ship(row, report)
            case Step.DELIVERED:
                return self._deliver(row, report)
            case Step.ATTEMPTED | Step.CORRECTED:
                remark = "Vendure takes no fulfilment back; a note says so"
                return self._note(
                    order_id,
                    report,
                    _SENTENCES[report.step],
                    remark if _is_delivered(row, report) else "",
                )

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Set custom fields, which the shop has to have: `roundsmanRoute` and so on."""
        fields = {_custom_field(name): value for name, value in annotation.fields.items()}
        if fields:
            self._query(_SET_FIELDS, {"input": {"id": order_id, "customFields": fields}})

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make nothing: hooks come from a plugin of the shop's own."""
        del hook_url, secret
        return False

    def _ship(self, row: Json, report: Report) -> ReportAnswer:
        own, again = self._fulfil(row, report)
        pending = [one for one in own if one["state"] not in {"Shipped", "Delivered"}]
        for one in pending:
            self._move(one["id"], "Shipped")
        was_known = not pending
        if again:
            # What was shipped once cannot be shipped again: a note says that it is on its way.
            noted = self._note(row["id"], report, "Out for delivery again.", "")
            was_known = was_known and noted.was_known
        return ReportAnswer(was_known=was_known, fulfillment_id=(*own, *again)[0]["id"])

    def _deliver(self, row: Json, report: Report) -> ReportAnswer:
        own, again = self._fulfil(row, report)
        carried = [*own, *again]
        undelivered = [one for one in carried if one["state"] != "Delivered"]
        for one in undelivered:
            if one["state"] != "Shipped":
                self._move(one["id"], "Shipped")
            self._move(one["id"], "Delivered")
        return ReportAnswer(was_known=not undelivered, fulfillment_id=carried[0]["id"])

    def _fulfil(self, row: Json, report: Report) -> tuple[list[Json], list[Json]]:
        """Return the fulfilments of what a stop carries: its own, and those of earlier stops."""
        own = _list_tracked(row, report.stop_id)
        left = {
            one["id"]: (one["productVariant"]["sku"], one["productVariant"]["name"], _left_of(one))
            for one in row["lines"]
        }
        picked = {} if own else pick_quantities(left, report.items)
        pieces = [(*left[line_id][:2], quantity) for line_id, quantity in picked.items()]
        pieces += [held for one in own for held in _lines_of(row, one["id"]).values()]
        again = _list_again(row, report, pieces)
        if picked:
            own = [self._create(picked, report)]
        if not own and not again:
            packed = _find_packed(row, report)
            if packed is None:
                raise refuse_with_nothing_left(f"order {row['code']}")
            own = [packed]
        return own, again

    def _create(self, picked: Mapping[str, int], report: Report) -> Json:
        lines = [
            {"orderLineId": line_id, "quantity": quantity} for line_id, quantity in picked.items()
        ]
        handler = {
            "code": "manual-fulfillment",
            "arguments": [
                {"name": "method", "value": "Roundsman"},
                {"name": "trackingCode", "value": report.stop_id},
            ],
        }
        made = self._query(_FULFILL, {"input": {"lines": lines, "handler": handler}})
        return _require(made["addFulfillmentToOrder"])

    def _move(self, fulfillment_id: str, state: str) -> None:
        moved = self._query(_MOVE, {"id": fulfillment_id, "state": state})
        result = moved["transitionFulfillmentToState"]
        if f"to {state}" in str(result.get("message", "")) and f"from {state}" in result["message"]:
            return  # Somebody was faster.
        _require(result)

    def _note(self, order_id: str, report: Report, sentence: str, remark: str) -> ReportAnswer:
        """Write a note unless there is one of this step already: its end says which it is."""
        mark = f"[{report.stop_id} {iso(report.happened_at)}]"
        history = self._query(_NOTES, {"id": order_id})["order"]["history"]["items"]
        if any(mark in str(one["data"].get("note", "")) for one in history):
            return ReportAnswer(was_known=True, remark=remark)
        text = " ".join(part for part in (sentence, report.note, mark) if part)
        self._query(_NOTE, {"input": {"id": order_id, "note": text, "isPublic": False}})
        return ReportAnswer(was_known=False, remark=remark)

    def _list(self, options: Json) -> list[Json]:
        document = f"{_LIST}{_ORDER}{self._custom_fields()} }}"
        found: list[Json] = self._query(document, {"options": options})["orders"]["items"]
        return found

    def _custom_fields(self) -> str:
        """Return the fields that are looked at: they are named, for schemas may be hidden."""
        given = self.connection
        names = dict.fromkeys([*given.date_names, *given.window_names, *given.rule_names])
        fields = [name for name in names if name.isidentifier()]
        return f"customFields {{ {' '.join(fields)} }}" if fields else ""

    def _query(self, document: str, variables: Json) -> Json:
        remedy = "Give the key's role ReadOrder and UpdateOrder, then resume."
        return self._client.query(document, variables, {"FORBIDDEN": remedy})

    def _read(self, row: Json) -> ForeignOrder:
        place, customer = row.get("shippingAddress") or {}, row.get("customer") or {}
        first, _, last = str(place.get("fullName") or "").rpartition(" ")
        person = Person(
            first_name=first or customer.get("firstName"),
            last_name=last or customer.get("lastName"),
            company=place.get("company"),
            phone=place.get("phoneNumber") or customer.get("phoneNumber"),
            email=customer.get("emailAddress"),
            country_code=str(place.get("countryCode") or ""),
        )
        fields: Mapping[str, Json] = row.get("customFields") or {}
        shown = ((name, one) for name, one in fields.items() if not name.startswith(_OURS))
        draft = StoreOrderDraft(
            name=f"#{line(row['code'])}",
            address=address(
                address1=place.get("streetLine1"),
                address2=place.get("streetLine2"),
                city=place.get("city"),
                province_code=place.get("province"),
                country_code=place.get("countryCode"),
                zip=place.get("postalCode"),
            ),
            contact=person.contact(),
            items=tuple(_item(one) for one in row["lines"][:499] if one["quantity"]),
            state=_state_of(row),
            attributes=attributes((*person.unread(), *shown)),
            order_reference_url=https_url(f"{self.connection.address}/admin/orders/{row['id']}"),
        )
        read = with_delivery_times(draft, self.connection)
        methods = tags(one["shippingMethod"]["code"] for one in row.get("shippingLines") or ())
        is_fetched = bool(methods) and all(_PICKED_UP in method.lower() for method in methods)
        return ForeignOrder(
            order_id=str(row["id"]),
            number=str(row["id"]),
            draft=read.draft,
            updated_at=instant(row["updatedAt"]),
            is_wanted=(row["state"] in _PAID or row["state"] == "Cancelled") and not is_fetched,
            is_delivered=row["state"] == "Delivered",
            remarks=read.remarks,
            delivery_methods=methods,
        )


def _custom_field(name: OrderField) -> str:
    return _OURS + "".join(part.capitalize() for part in name.value.split("_"))


def _state_of(row: Json) -> StoreOrderState:
    """Count by lines; of the words of Vendure's state only the one for cancelled is believed."""
    if row["state"] == "Cancelled":
        return StoreOrderState.CANCELLED
    is_done = bool(row["lines"]) and not any(_left_of(one) for one in row["lines"])
    return StoreOrderState.FULFILLED if is_done else StoreOrderState.OPEN


def _fulfilled_of(one: Json) -> int:
    return sum(
        int(part["quantity"])
        for part in one.get("fulfillmentLines") or ()
        if (part.get("fulfillment") or {}).get("state") != "Cancelled"
    )


def _list_tracked(row: Json, stop_id: str) -> list[Json]:
    """Return the fulfilments of a stop."""
    return [
        one
        for one in row["fulfillments"] or ()
        if one["trackingCode"] == stop_id and one["state"] != "Cancelled"
    ]


def _list_again(row: Json, report: Report, pieces: Sequence[tuple[str, str, int]]) -> list[Json]:
    """Return the fulfilments of stops that were attempted which a stop carries beside pieces."""
    parcels = [
        (one, _lines_of(row, one["id"]))
        for stop_id in report.attempted_stop_ids
        for one in _list_tracked(row, stop_id)
    ]
    return choose_attempted(parcels, report.items, dict(enumerate(pieces)))


def _is_delivered(row: Json, report: Report) -> bool:
    """Say whether what a stop carries is delivered in the shop.

    What the shop packed itself has its own tracking code: of that it is known by the items alone.
    """
    own = _list_tracked(row, report.stop_id)
    pieces = [held for one in own for held in _lines_of(row, one["id"]).values()]
    carried = [*own, *_list_again(row, report, pieces)]
    packed = None if carried else _find_packed(row, report)
    carried += [] if packed is None else [packed]
    return any(one["state"] == "Delivered" for one in carried)


def _find_packed(row: Json, report: Report) -> Json | None:
    """Return the fulfilment of a stop's items that somebody in the shop has made, if any."""
    return choose_packed(
        [
            (one, one["state"] == "Delivered", _lines_of(row, one["id"]))
            for one in row["fulfillments"] or ()
            if one["state"] != "Cancelled" and not is_stop_id(str(one["trackingCode"]))
        ],
        report.items,
    )


def _lines_of(row: Json, fulfillment_id: str) -> dict[str, tuple[str, str, int]]:
    counts = {
        one["id"]: sum(
            part["quantity"]
            for part in one["fulfillmentLines"]
            if part["fulfillment"]["id"] == fulfillment_id
        )
        for one in row["lines"]
    }
    variants = {one["id"]: one["productVariant"] for one in row["lines"]}
    return {
        id_: (variants[id_]["sku"], variants[id_]["name"], count)
        for id_, count in counts.items()
        if count
    }


def _left_of(one: Json) -> int:
    return max(0, int(one["quantity"]) - _fulfilled_of(one))


def _item(one: Json) -> OrderItem:
    return OrderItem(
        name=line(one["productVariant"]["name"]),
        sku=line(one["productVariant"]["sku"]),
        quantity=int(one["quantity"]),
        fulfilled_quantity=min(int(one["quantity"]), _fulfilled_of(one)),
    )


def _require(result: Json) -> Json:
    """Return a result; raise Refused for one of Vendure's typed errors."""
    if result.get("__typename") == "Fulfillment":
        return result
    raise Refused(str(result.get("errorCode")), str(result.get("message", ""))[:300])
