"""Shopify by its admin interface (GraphQL), version 2026-10.

Errors come with status 200: `errors` for the document and for throttling, `userErrors` for what the
shop refuses. What is left to deliver is in fulfilment orders, one for each location. A fulfilment
has no key of ours but the number of its tracking, which is the stop's id; its events are added to
as often as one likes, so what it says already is read first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

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
    ReportedItem,
    ShopConnection,
    Step,
    StorefrontFailure,
    Unauthorized,
)
from roundsman.storefronts.quantities import (
    choose_attempted,
    choose_packed,
    list_missing,
    pick_quantities,
    refuse_with_nothing_left,
)
from roundsman.storefronts.reading import (
    instant,
    iso,
    line,
)
from roundsman.storefronts.shop_client import (
    Missing,
    ShopClient,
    find_credentials_good,
    find_refused,
)
from roundsman.storefronts.shopify_documents import (
    ADD_TAGS,
    CREATE_EVENT,
    CREATE_FULFILLMENT,
    CREATE_SUBSCRIPTION,
    GET_ORDER_TO_REPORT,
    GET_ORDERS,
    GET_WHOLE_ORDER,
    LIST_ORDERS,
    LIST_SCOPES,
    LIST_SUBSCRIPTIONS,
    REMOVE_TAGS,
    SET_FIELDS,
    UPDATE_TRACKING,
    VERSION,
)
from roundsman.storefronts.shopify_orders import read_order
from roundsman.storefronts.time_cursor import TimeCursor

type Json = Any

_PAGE = 25

NEEDED_SCOPES = (
    "read_orders", "read_customers", "read_locations", "write_fulfillments",
    "write_merchant_managed_fulfillment_orders",
)  # fmt: skip
WRITING_SCOPES = ("write_orders",)
"""Asked for besides where anything is written into orders."""

TOPICS = (
    "ORDERS_CREATE", "ORDERS_UPDATED", "ORDERS_CANCELLED", "ORDERS_EDITED",
    "FULFILLMENT_ORDERS_PLACED_ON_HOLD", "FULFILLMENT_ORDERS_HOLD_RELEASED", "REFUNDS_CREATE",
)  # fmt: skip
_OPEN = {"OPEN", "IN_PROGRESS", "SCHEDULED", "ON_HOLD"}
_STANDING = {"SUCCESS", "OPEN", "PENDING"}
_STATUS_OF_STEP: Mapping[Step, str] = {
    Step.OUT_FOR_DELIVERY: "OUT_FOR_DELIVERY",
    Step.DELIVERED: "DELIVERED",
    Step.ATTEMPTED: "ATTEMPTED_DELIVERY",
    Step.CORRECTED: "OUT_FOR_DELIVERY",
}
_NAMESPACE = "roundsman"


@dataclass(frozen=True, slots=True)
class Shopify:
    """A shop on Shopify."""

    connection: ShopConnection
    http: HttpClient
    _tokens: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def check(self) -> Sequence[CheckResult]:
        """Read an order, look at what the app may do, and whether customers' data come along."""
        try:
            rows = self._query(LIST_ORDERS, {"first": 5})["orders"]["nodes"]
            granted = self._query(LIST_SCOPES, {})["currentAppInstallation"]["accessScopes"]
        except StorefrontFailure as failure:
            return [find_refused(failure)]
        results = [find_credentials_good()]
        scopes = {one["handle"] for one in granted}
        scopes |= {name.replace("write_", "read_", 1) for name in scopes}
        wanted = (*NEEDED_SCOPES, *(WRITING_SCOPES if self.connection.is_annotated else ()))
        for name in wanted:
            has = name in scopes
            results.append(
                CheckResult(
                    subject=f"permission {name}",
                    is_good=has,
                    message="granted" if has else "missing",
                    remedy="" if has else f"Add the scope {name} to the app and install it again.",
                )
            )
        if rows and all(not (row.get("shippingAddress") or {}).get("address1") for row in rows):
            results.append(
                CheckResult(
                    subject="customer data",
                    is_good=False,
                    message="no order has an address: customers' data are withheld",
                    remedy="Ask for protected customer data, level 2, in the app's settings.",
                )
            )
        return results

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return a page of orders, the one changed longest ago first."""
        known = TimeCursor(cursor, since)
        found = self._query(
            LIST_ORDERS,
            {
                "query": f"updated_at:>='{iso(known.after)}'",
                "first": _PAGE,
                "after": known.place or None,
            },
        )["orders"]
        rows = found["nodes"]
        is_last = not found["pageInfo"]["hasNextPage"]
        if is_last:
            following = known.next_visit(rows[-1]["updatedAt"] if rows else None)
        else:
            following = known.next_page(found["pageInfo"]["endCursor"])
        return OrderPage(
            orders=[read_order(self._complete(row), self.connection) for row in rows],
            cursor=following,
            is_last=is_last,
        )

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by their numbers."""
        if not order_ids:
            return []
        ids = [_global_id(order_id) for order_id in order_ids]
        nodes = self._query(GET_ORDERS, {"ids": ids})["nodes"]
        return [
            read_order(self._complete(row), self.connection)
            for row in nodes
            if row and row.get("id")
        ]

    def _complete(self, row: Json) -> Json:
        """Return an order with all its lines: a page shows some of each."""
        parts = row["fulfillmentOrders"]
        lists = [parts, *(one["lineItems"] for one in parts["nodes"])]
        if not any(one["pageInfo"]["hasNextPage"] for one in lists):
            return row
        return self._query(GET_WHOLE_ORDER, {"ids": [row["id"]]})["nodes"][0]

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Make the stop's fulfilments, one for each location, and add to each what happened."""
        row = self._query(GET_ORDER_TO_REPORT, {"ids": [_global_id(order_id)]})["nodes"][0]
        if not row or not row.get("id"):
            raise Refused("NOT_FOUND", "the shop has no such order any more")
        own = _list_tracked(row, report.stop_id)
        # Whoever was stopped between two locations goes on with what is in no fulfilment yet.
        parts = self._parts(row, _less(report.items, own)) if report.items or not own else []
        again = _find_attempted(row, report, own, parts)
        if not own and not parts and not again:
            packed = _find_packed(row, report)
            own = [] if packed is None else [packed]
        if not own and not parts and not again:
            raise refuse_with_nothing_left(f"order {row['name']}")
        for one in again:
            self._track(one["id"], report)
        own += [*again, *(self._fulfil(part, report) for part in parts)]
        status = _STATUS_OF_STEP[report.step]
        silent = [one for one in own if not _says(one, status, report.happened_at)]
        for one in silent:
            self._add_event(one["id"], status, report)
        return ReportAnswer(was_known=not silent, fulfillment_id=own[0]["id"])

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Set metafields of ours, and add and remove tags; whole lists are never overwritten."""
        owner = _global_id(order_id)
        fields = [
            {
                "ownerId": owner,
                "namespace": _NAMESPACE,
                "key": name.value.lower(),
                "type": "url" if name is OrderField.TRACKING_URL else "single_line_text_field",
                "value": value,
            }
            for name, value in annotation.fields.items()
        ]
        former, tags_now = list(annotation.former_tags), list(annotation.tags)
        changes = (
            (fields, SET_FIELDS, "metafieldsSet", {"fields": fields}),
            (former, REMOVE_TAGS, "tagsRemove", {"id": owner, "tags": former}),
            (tags_now, ADD_TAGS, "tagsAdd", {"id": owner, "tags": tags_now}),
        )
        refusals = []
        for wanted, document, name, variables in changes:
            if wanted:
                # What is refused of one keeps the others from nothing.
                try:
                    _require(self._query(document, variables)[name])
                except Refused as refusal:
                    refusals.append(f"{name}: {refusal}")
        if refusals:
            raise Refused("USER_ERROR", "; ".join(refusals))

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make the subscriptions that are missing; Shopify signs with the app's own secret."""
        del secret
        nodes = self._query(LIST_SUBSCRIPTIONS, {})["webhookSubscriptions"]["nodes"]
        present = {one["topic"] for one in nodes if one.get("uri") == hook_url}
        for topic in TOPICS:
            if topic not in present:
                made = self._query(CREATE_SUBSCRIPTION, {"topic": topic, "uri": hook_url})
                _require(made["webhookSubscriptionCreate"])
        return True

    def _parts(self, row: Json, items: Sequence[ReportedItem] | None) -> list[Json]:
        """Return what of each fulfilment order is to be fulfilled; None is nothing more."""
        if items is None:
            return []
        orders = [one for one in row["fulfillmentOrders"]["nodes"] if one["status"] in _OPEN]
        free = [one for one in orders if one["status"] != "ON_HOLD"]
        if orders and not free:
            raise Refused("ON_HOLD", f"order {row['name']} is on hold in the shop")
        left = {
            item["id"]: (line(item["sku"]), line(item["productTitle"]), item["remainingQuantity"])
            for one in free
            for item in one["lineItems"]["nodes"]
        }
        picked = pick_quantities(left, items)
        return [
            {
                "fulfillmentOrderId": one["id"],
                "fulfillmentOrderLineItems": [
                    {"id": item["id"], "quantity": picked[item["id"]]}
                    for item in one["lineItems"]["nodes"]
                    if item["id"] in picked
                ],
            }
            for one in free
            if any(item["id"] in picked for item in one["lineItems"]["nodes"])
        ]

    def _fulfil(self, part: Json, report: Report) -> Json:
        wanted = {
            "lineItemsByFulfillmentOrder": [part],
            "notifyCustomer": self.connection.notifies_customer,
            "trackingInfo": _tracking_of(report),
        }
        made = self._query(CREATE_FULFILLMENT, {"fulfillment": wanted})["fulfillmentCreate"]
        _require(made)
        return {**made["fulfillment"], "events": {"nodes": []}}

    def _track(self, fulfillment_id: str, report: Report) -> None:
        """Have a fulfilment of an earlier stop be this stop's, and its link lead to this one."""
        wanted = {
            "id": fulfillment_id,
            "tracking": _tracking_of(report),
            "notify": self.connection.notifies_customer,
        }
        _require(self._query(UPDATE_TRACKING, wanted)["fulfillmentTrackingInfoUpdate"])

    def _add_event(self, fulfillment_id: str, status: str, report: Report) -> None:
        event: dict[str, Json] = {
            "fulfillmentId": fulfillment_id,
            "status": status,
            "happenedAt": iso(report.happened_at),
        }
        if report.expected_at is not None:
            event["estimatedDeliveryAt"] = iso(report.expected_at)
        if report.place is not None:
            event |= {"latitude": report.place.latitude, "longitude": report.place.longitude}
        if report.note:
            event["message"] = report.note
        _require(self._query(CREATE_EVENT, {"event": event})["fulfillmentEventCreate"])

    def _query(self, document: str, variables: Json) -> Json:
        client = ShopClient(
            http=self.http,
            root=f"{self.connection.address}/admin/api/{VERSION}/graphql.json",
            headers={"X-Shopify-Access-Token": self._token()},
        )
        remedy = "Give the app the missing scope, then resume the connection."
        return client.query(document, variables, {"ACCESS_DENIED": remedy})

    def _token(self) -> str:
        """Return an access token: the eternal one of an old app, or one of a day by credentials."""
        given = self.connection.credentials
        if given.get("accessToken"):
            return given["accessToken"]
        if "token" not in self._tokens:
            client = ShopClient(http=self.http, root=self.connection.address)
            form = {
                "grant_type": "client_credentials",
                "client_id": given["clientId"],
                "client_secret": given["clientSecret"],
            }
            try:
                made = client.send("/admin/oauth/access_token", form)
            except Missing:
                raise
            except Refused as refused:
                remedy = "Check the app's client id and secret, and that it is installed."
                raise Unauthorized(refused.code, str(refused), remedy) from refused
            self._tokens["token"] = str(made["access_token"])
        return self._tokens["token"]


def _tracking_of(report: Report) -> dict[str, str]:
    tracking = {"company": "Roundsman", "number": report.stop_id}
    return tracking | {"url": report.tracking_url} if report.tracking_url else tracking


def _list_tracked(row: Json, stop_id: str) -> list[Json]:
    """Return the fulfilments of a stop."""
    return [
        one
        for one in row["fulfillments"]
        if any(info.get("number") == stop_id for info in one["trackingInfo"])
        and one["status"] != "CANCELLED"
    ]


def _find_attempted(
    row: Json, report: Report, own: Sequence[Json], parts: Sequence[Json]
) -> list[Json]:
    """Return the fulfilments of earlier stops of which this one carries the goods again."""
    goods = {
        item["id"]: item
        for one in row["fulfillmentOrders"]["nodes"]
        for item in one["lineItems"]["nodes"]
    }
    pieces = [line_ for one in own for line_ in _lines_of(one).values()]
    for part in parts:
        for picked in part["fulfillmentOrderLineItems"]:
            item = goods[picked["id"]]
            pieces.append((line(item["sku"]), line(item["productTitle"]), picked["quantity"]))
    parcels = [
        (one, _lines_of(one))
        for stop_id in report.attempted_stop_ids
        for one in _list_tracked(row, stop_id)
    ]
    return choose_attempted(parcels, report.items, dict(enumerate(pieces)))


def _find_packed(row: Json, report: Report) -> Json | None:
    """Return the fulfilment of a stop's items that somebody in the shop has made, if there is one.

    One that is tracked is another carrier's.
    """
    return choose_packed(
        [
            (one, _has_event(one, "DELIVERED"), _lines_of(one))
            for one in row["fulfillments"]
            if one["status"] in _STANDING and not any(i.get("number") for i in one["trackingInfo"])
        ],
        report.items,
    )


def _has_event(fulfillment: Json, status: str) -> bool:
    return any(one["status"] == status for one in fulfillment["events"]["nodes"])


def _lines_of(fulfillment: Json) -> dict[int, tuple[str, str, int]]:
    parts = fulfillment["fulfillmentLineItems"]["nodes"]
    return {
        number: (line(part["lineItem"]["sku"]), line(part["lineItem"]["title"]), part["quantity"])
        for number, part in enumerate(parts)
    }


def _less(items: Sequence[ReportedItem], own: Sequence[Json]) -> Sequence[ReportedItem] | None:
    """Return what of a stop's items is in none of its fulfilments; None where all of it is."""
    if not own:
        return items
    there = dict(enumerate(part for one in own for part in _lines_of(one).values()))
    return list_missing(items, there) or None


def _says(fulfillment: Json, status: str, happened_at: datetime) -> bool:
    """Say whether a fulfilment has an event of this kind and second."""
    return any(
        one["status"] == status
        and abs(instant(one["happenedAt"]) - happened_at).total_seconds() < 1
        for one in fulfillment["events"]["nodes"]
    )


def _require(result: Json) -> None:
    if result.get("userErrors"):
        raise Refused("USER_ERROR", str(result["userErrors"][0]["message"])[:300])


def _global_id(order_id: str) -> str:
    return order_id if order_id.startswith("gid://") else f"gid://shopify/Order/{order_id}"
