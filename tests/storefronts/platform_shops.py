"""Shops of all four platforms that are filled and looked at in the same words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from graphql import graphql_sync
from tests.storefronts import test_medusa, test_shopify, test_woocommerce
from tests.storefronts.web_shop import Answer, Asked, serve

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.kit.http import HttpClient
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import ShopConnection, Storefront
from roundsman.storefronts.reading import instant
from roundsman.storefronts.shopify import NEEDED_SCOPES

type Json = Any

OPENED = datetime(2026, 11, 24, 8, tzinfo=UTC)
_WRONG = "not-a-key-of-theirs"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """An order of so many boxes, as a case wants it."""

    second: int = 0
    """When it changed, after OPENED."""

    quantity: int = 3
    refunded: int = 0
    state: str = "open"
    """Or cancelled, held, unpaid."""

    is_fetched: bool = False
    day: str = "2026-11-25"
    has_address: bool = True
    note: str = ""
    further_lines: int = 0
    is_split: bool = False
    """Whether one box of it leaves from another location."""

    @property
    def changed_at(self) -> datetime:
        return OPENED + timedelta(seconds=self.second)


class PlatformShop(Protocol):
    """A shop on one of the platforms."""

    @property
    def platform(self) -> StorefrontPlatform: ...

    @property
    def page(self) -> int: ...

    @property
    def lacks(self) -> Mapping[str, str]:
        """Return the facts and cases that the platform cannot have, with the reason."""
        ...

    @property
    def troubles(self) -> list[Answer]:
        """Return what is answered next, whatever is asked."""
        ...

    @property
    def credentials(self) -> dict[str, str]: ...

    def put(self, number: int, facts: Facts) -> None: ...

    def id_of(self, number: int) -> str: ...

    def answer(self, asked: Asked) -> Answer: ...

    def pack(self, number: int) -> None:
        """Have somebody in the shop fulfil what is left of an order."""
        ...

    def pay(self, number: int, facts: Facts) -> None:
        """Have an unpaid order paid; the time of these facts is when."""
        ...

    def pieces(self, number: int) -> int:
        """Return how many boxes have left or arrived, as the shop has it."""
        ...

    def has_arrived(self, number: int) -> bool:
        """Say whether all of an order has arrived, as the shop has it."""
        ...

    def fields(self, number: int) -> dict[str, str]:
        """Return what the people of the shop see that was written into an order, by our names."""
        ...

    def busy(self, seconds: int) -> Answer:
        """Return what the platform answers to whoever asks too often."""
        ...


@dataclass
class Medusa:
    platform = StorefrontPlatform.MEDUSA
    page = 50
    lacks = {  # noqa: RUF012 -- a constant of the fake
        "is_split": "an order of Medusa leaves from one location",
        "refunded": "what comes back to Medusa was delivered; what is taken off a line lowers it",
        "withheld": "Medusa withholds nothing of an order",
    }
    shop: test_medusa.Shop = field(default_factory=test_medusa.Shop)

    def __post_init__(self) -> None:
        self.shop.rows.clear()
        self.troubles = self.shop.troubles

    @property
    def credentials(self) -> dict[str, str]:
        return {"apiKey": "sk_good"}

    def id_of(self, number: int) -> str:
        return f"order_{number:06}"

    def put(self, number: int, facts: Facts) -> None:
        usual = test_medusa.ORDER
        place = usual["shipping_address"] if facts.has_address else None
        first = test_medusa.item(1, quantity=facts.quantity)
        first["detail"]["quantity"] = facts.quantity
        lines = [
            test_medusa.item(100 + line, variant_sku=f"SKU-{line}", title=f"Item {line}")
            for line in range(facts.further_lines)
        ]
        self.shop.rows[self.id_of(number)] = {
            **usual,
            "id": self.id_of(number),
            "display_id": number,
            "updated_at": facts.changed_at.isoformat(),
            "canceled_at": facts.changed_at.isoformat() if facts.state == "cancelled" else None,
            "status": "requires_action" if facts.state == "held" else "pending",
            "payment_status": "awaiting" if facts.state == "unpaid" else "captured",
            "metadata": {"Delivery Date": facts.day, "Note": facts.note},
            "shipping_methods": [{"name": "Pickup at the farm" if facts.is_fetched else "Van"}],
            "shipping_address": place,
            "fulfillments": [],
            "items": [first, *lines],
        }

    def answer(self, asked: Asked) -> Answer:
        return self.shop.answer(asked)

    def pay(self, number: int, facts: Facts) -> None:
        row = self.shop.rows[self.id_of(number)]
        row["payment_status"] = "captured"  # and its time of change stands still
        self.shop.payments.append((row["id"], facts.changed_at))

    def pack(self, number: int) -> None:
        self.shop.pack(self.id_of(number))

    def pieces(self, number: int) -> int:
        items = self.shop.rows[self.id_of(number)]["items"]
        return sum(one["detail"]["fulfilled_quantity"] for one in items)

    def has_arrived(self, number: int) -> bool:
        row = self.shop.rows[self.id_of(number)]
        return all(one.get("delivered_at") for one in row["fulfillments"]) and self._is_gone(row)

    def _is_gone(self, row: Json) -> bool:
        return all(one["detail"]["fulfilled_quantity"] == one["quantity"] for one in row["items"])

    def fields(self, number: int) -> dict[str, str]:
        return dict(_without_prefix(self.shop.rows[self.id_of(number)]["metadata"]))

    def busy(self, seconds: int) -> Answer:
        return Answer({"message": "Too many requests"}, 429, {"Retry-After": str(seconds)})


@dataclass
class WooCommerce:
    platform = StorefrontPlatform.WOOCOMMERCE
    page = 50
    lacks = {  # noqa: RUF012 -- a constant of the fake
        "is_split": "WooCommerce knows no locations",
        "note": "a note of WooCommerce is the customer's, and no attribute",
        "nothing left": "WooCommerce takes a note of anything, and a fulfilment of nothing is none",
        "packed": "what is packed in WooCommerce is a status, tried in test_woocommerce",
    }
    shop: test_woocommerce.Shop = field(default_factory=test_woocommerce.Shop)

    def __post_init__(self) -> None:
        self.troubles = self.shop.troubles

    @property
    def credentials(self) -> dict[str, str]:
        return {"consumerKey": "ck", "consumerSecret": "cs"}

    def id_of(self, number: int) -> str:
        return str(number)

    def put(self, number: int, facts: Facts) -> None:
        statuses = {"cancelled": "cancelled", "held": "on-hold", "unpaid": "pending"}
        row = test_woocommerce.order(
            number,
            status=statuses.get(facts.state, "processing"),
            date_modified_gmt=facts.changed_at.replace(tzinfo=None).isoformat(),
            customer_note=facts.note,
            meta_data=[{"key": "_delivery_date", "value": facts.day}],
            shipping_lines=[{"method_id": "local_pickup" if facts.is_fetched else "flat_rate"}],
        )
        row["line_items"] = [
            {"id": 5, "name": "Veg box", "sku": "BOX", "quantity": facts.quantity},
            *({"id": 100 + line, "name": f"Item {line}", "sku": f"SKU-{line}", "quantity": 3}
              for line in range(facts.further_lines)),
        ]  # fmt: skip
        if not facts.has_address:
            row["shipping"] = {}
        if facts.refunded:
            back = {
                "quantity": -facts.refunded,
                "meta_data": [{"key": "_refunded_item_id", "value": "5"}],
            }
            row["refunds"] = [{"id": 1}]
            self.shop.refunds[number] = [{"line_items": [back]}]
        self.shop.orders[number] = row

    def pay(self, number: int, facts: Facts) -> None:
        self.put(number, facts)

    def answer(self, asked: Asked) -> Answer:
        return self.shop.answer(asked)

    def pack(self, number: int) -> None:
        self.shop.orders[number]["status"] = "completed"

    def pieces(self, number: int) -> int:
        row = self.shop.orders[number]
        told = [
            str(one["value"]) for one in row["meta_data"] if one["key"].startswith("_roundsman_")
        ]
        last = [one.rpartition(",")[2] for one in told]
        return sum(int(one.partition("#")[2] or 0) for one in last)

    def has_arrived(self, number: int) -> bool:
        return bool(self.shop.orders[number]["status"] == "completed")

    def fields(self, number: int) -> dict[str, str]:
        meta = {one["key"]: one["value"] for one in self.shop.orders[number]["meta_data"]}
        return dict(_without_prefix(meta))

    def busy(self, seconds: int) -> Answer:
        return Answer({"code": "too_many_requests"}, 429, {"Retry-After": str(seconds)})


def _without_prefix(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if key.startswith("roundsman_"):
            yield key.removeprefix("roundsman_"), value


@dataclass
class OwnTablesWooCommerce(WooCommerce):
    """The same with orders in tables of their own, and with fulfilments."""

    shop: test_woocommerce.Shop = field(
        default_factory=lambda: test_woocommerce.Shop(has_own_tables=True, has_fulfillments=True)
    )


@dataclass
class Shopify:
    platform = StorefrontPlatform.SHOPIFY
    page = 25
    lacks: Mapping[str, str] = field(
        default_factory=lambda: {"note": "a note of Shopify is the order's, and no attribute"}
    )
    orders: dict[int, test_shopify.Shop] = field(default_factory=dict)
    troubles: list[Answer] = field(default_factory=list)

    @property
    def credentials(self) -> dict[str, str]:
        return {"accessToken": "shpat_good"}

    def id_of(self, number: int) -> str:
        return str(number)

    def put(self, number: int, facts: Facts) -> None:
        one = test_shopify.Shop(prefix=f"{number}-")
        left = facts.quantity - facts.refunded
        parts = {"1": left - 1, "2": 1} if facts.is_split else {"1": left}
        parts |= {f"x{line}": 3 for line in range(facts.further_lines)}
        one.left, one.totals = dict(parts), parts
        one.row |= {
            "id": f"gid://shopify/Order/{number}",
            "legacyResourceId": str(number),
            "name": f"#{number}",
            "note": facts.note,
            "updatedAt": facts.changed_at.isoformat(),
            "cancelledAt": facts.changed_at.isoformat() if facts.state == "cancelled" else None,
            "displayFinancialStatus": "PENDING" if facts.state == "unpaid" else "PAID",
            "customAttributes": [{"key": "Delivery-Date", "value": facts.day}],
        }
        if not facts.has_address:
            one.row["shippingAddress"] = None
        if facts.state == "held":
            one.part["status"] = "ON_HOLD"
        if facts.is_fetched:
            one.part["deliveryMethod"] = {"methodType": "PICK_UP"}
        self.orders[number] = one

    def pay(self, number: int, facts: Facts) -> None:
        self.put(number, facts)

    def answer(self, asked: Asked) -> Answer:
        if asked.headers.get("x-shopify-access-token") != "shpat_good":
            return Answer({"errors": "[API] Invalid API key or access token"}, 401)
        if self.troubles:
            return self.troubles.pop(0)
        scopes = NEEDED_SCOPES
        root = {
            "orders": self._list,
            "nodes": lambda _info, ids: [self._find(one) for one in ids],
            "currentAppInstallation": {"accessScopes": [{"handle": one} for one in scopes]},
            "fulfillmentCreate": self._create,
            "fulfillmentEventCreate": self._add_event,
            "fulfillmentTrackingInfoUpdate": self._track,
            "metafieldsSet": lambda _info, metafields: self._owner(
                metafields[0]["ownerId"]
            ).set_fields(metafields),
            "tagsAdd": lambda _info, id, tags: self._owner(id).add_tags(tags),  # noqa: A006 -- its name
            "tagsRemove": lambda _info, id, tags: self._owner(id).remove_tags(tags),  # noqa: A006 -- its name
        }
        variables = asked.body["variables"]
        done = graphql_sync(
            test_shopify.SCHEMA, asked.body["query"], root, variable_values=variables
        )
        return Answer(done.formatted)

    def _list(self, _info: Json, first: int, after: str = "", query: str = "", **_: Json) -> Json:
        since = instant(query.partition("'")[2].rstrip("'")) if query else OPENED
        keyed = sorted(
            (f"{instant(one.row['updatedAt']).isoformat()} {number:06}", one)
            for number, one in self.orders.items()
            if instant(one.row["updatedAt"]) >= since
        )
        found = [(key, one) for key, one in keyed if key > (after or "")]
        page = found[:first]
        return {
            "nodes": [one.order() for _, one in page],
            "pageInfo": {
                "hasNextPage": len(found) > first,
                "endCursor": page[-1][0] if page else None,
            },
        }

    def _find(self, global_id: str) -> Json:
        found = self.orders.get(int(global_id.rpartition("/")[2]))
        return None if found is None else found.order()

    def _owner(self, global_id: str) -> test_shopify.Shop:
        return self.orders[int(global_id.rpartition("/")[2].partition("-")[0])]

    def _create(self, info: Json, fulfillment: Json) -> Json:
        (first, *_) = fulfillment["lineItemsByFulfillmentOrder"]
        return self._owner(first["fulfillmentOrderId"]).create(info, fulfillment)

    def _track(self, info: Json, fulfillmentId: str, **given: Json) -> Json:  # noqa: N803 -- its name
        return self._owner(fulfillmentId).track(info, fulfillmentId, **given)

    def _add_event(self, info: Json, fulfillmentEvent: Json) -> Json:  # noqa: N803 -- its name
        owner = self._owner(fulfillmentEvent["fulfillmentId"])
        return owner.add_event(info, fulfillmentEvent)

    def pack(self, number: int) -> None:
        one = self.orders[number]
        parts = [
            {
                "fulfillmentOrderId": f"gid://shopify/FulfillmentOrder/{one.prefix}{part}",
                "fulfillmentOrderLineItems": [{"id": part, "quantity": left}],
            }
            for part, left in one.left.items()
        ]
        tracking = {"number": None}
        one.create(None, {"lineItemsByFulfillmentOrder": parts, "trackingInfo": tracking})

    def pieces(self, number: int) -> int:
        one = self.orders[number]
        return sum(one.totals.values()) - sum(one.left.values())

    def has_arrived(self, number: int) -> bool:
        one = self.orders[number]
        last = [made["events"]["nodes"][-1:] for made in one.fulfillments]
        said = [event["status"] for events in last for event in events]
        return said == ["DELIVERED"] * len(last) and not any(one.left.values())

    def fields(self, number: int) -> dict[str, str]:
        return self.orders[number].fields

    def busy(self, seconds: int) -> Answer:
        bucket = {"currentlyAvailable": 0, "restoreRate": 100}
        cost = {"requestedQueryCost": 100 * seconds, "throttleStatus": bucket}
        throttled = {"message": "Throttled", "extensions": {"code": "THROTTLED"}}
        return Answer({"errors": [throttled], "extensions": {"cost": cost}})


@dataclass
class Vendure:
    """What is asked of Vendure; that its documents are Vendure's is held by one that runs."""

    platform = StorefrontPlatform.VENDURE
    page = 50
    lacks = {  # noqa: RUF012 -- a constant of the fake
        "held": "an order of Vendure is never on hold",
        "refunded": "Vendure refunds money; what is cancelled of a line lowers its quantity",
        "is_split": "an order of Vendure leaves from one place",
        "withheld": "Vendure withholds nothing of an order",
    }
    rows: dict[str, Json] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    troubles: list[Answer] = field(default_factory=list)

    @property
    def credentials(self) -> dict[str, str]:
        return {"apiKey": "vendure-good"}

    def id_of(self, number: int) -> str:
        return str(number)

    def put(self, number: int, facts: Facts) -> None:
        states = {"cancelled": "Cancelled", "unpaid": "ArrangingPayment"}
        place = {
            "fullName": "Ann Lee", "company": "", "streetLine1": "100 Oak St", "streetLine2": "",
            "city": "Towson", "province": "MD", "postalCode": "21204", "countryCode": "US",
            "phoneNumber": "(410) 555-0123",
        }  # fmt: skip
        lines = [("BOX", "Veg box", facts.quantity)]
        lines += [(f"SKU-{line}", f"Item {line}", 3) for line in range(facts.further_lines)]
        self.rows[str(number)] = {
            "id": str(number), "code": f"CODE{number}",
            "state": states.get(facts.state, "PaymentSettled"),
            "updatedAt": facts.changed_at.isoformat(),
            "customer": {"firstName": "Ann", "lastName": "Lee", "phoneNumber": "",
                         "emailAddress": "ann@example.com"},
            "shippingAddress": place if facts.has_address else {},
            "shippingLines": [
                {"shippingMethod": {"code": "farm-pickup" if facts.is_fetched else "van"}}
            ],
            "customFields": {"deliveryDate": facts.day, "note": facts.note},
            "lines": [
                {"id": f"{number}-{index}", "quantity": quantity, "fulfillmentLines": [],
                 "productVariant": {"sku": sku, "name": name}}
                for index, (sku, name, quantity) in enumerate(lines)
            ],
            "fulfillments": [],
        }  # fmt: skip

    def pay(self, number: int, facts: Facts) -> None:
        self.put(number, facts)

    def answer(self, asked: Asked) -> Answer:
        if asked.headers.get("vendure-api-key") != "vendure-good":
            forbidden = {"message": "Forbidden", "extensions": {"code": "FORBIDDEN"}}
            return Answer({"errors": [forbidden], "data": None})
        if self.troubles:
            return self.troubles.pop(0)
        query, given = asked.body["query"], asked.body["variables"]
        acts: Sequence[tuple[str, Callable[[Json], Json]]] = (
            ("addFulfillmentToOrder", self._fulfil),
            ("transitionFulfillmentToState", self._move),
            ("addNoteToOrder", self._note),
            ("setOrderCustomFields", self._set_fields),
            ("history", self._history),
            ("orders", lambda given: {"items": self._select(query, given["options"])}),
        )
        name, act = next(pair for pair in acts if pair[0] in query)
        if name == "history":
            return Answer({"data": {"order": {"history": act(given)}}})
        return Answer({"data": {name: act(given)}})

    def _select(self, query: str, options: Json) -> list[Json]:
        """Return orders with the custom fields that are asked for, as GraphQL does."""
        asked = query.partition("customFields {")[2].partition("}")[0].split()
        return [
            {**row, "customFields": {name: row["customFields"].get(name) for name in asked}}
            for row in self._list(options)
        ]

    def _list(self, options: Json) -> list[Json]:
        wanted = options.get("filter", {})
        ids = wanted.get("id", {})
        among = [ids["eq"]] if "eq" in ids else ids.get("in", list(self.rows))
        found = [self.rows[one] for one in among if one in self.rows]
        if "updatedAt" in wanted:
            since = instant(wanted["updatedAt"]["after"])
            found = [row for row in found if instant(row["updatedAt"]) > since]
            found.sort(key=lambda row: (instant(row["updatedAt"]), int(row["id"])))
        first = options.get("skip", 0)
        return found[first : first + options["take"]]

    def _fulfil(self, given: Json) -> Json:
        wanted = given["input"]
        row = self.rows[wanted["lines"][0]["orderLineId"].partition("-")[0]]
        code = next(
            one["value"] for one in wanted["handler"]["arguments"] if one["name"] == "trackingCode"
        )
        made = {"id": f"{row['id']}-f{len(row['fulfillments'])}", "state": "Pending",
                "trackingCode": code}  # fmt: skip
        for part in wanted["lines"]:
            line = next(one for one in row["lines"] if one["id"] == part["orderLineId"])
            gone = sum(one["quantity"] for one in line["fulfillmentLines"])
            if gone + part["quantity"] > line["quantity"]:
                return {"__typename": "ItemsAlreadyFulfilledError", "errorCode": "ITEMS",
                        "message": "One or more items are already fulfilled"}  # fmt: skip
            line["fulfillmentLines"].append({"quantity": part["quantity"], "fulfillment": made})
        row["fulfillments"].append(made)  # and its time of change stands still
        return {"__typename": "Fulfillment", **made}

    def _move(self, given: Json) -> Json:
        row = self.rows[given["id"].partition("-")[0]]
        one = next(one for one in row["fulfillments"] if one["id"] == given["id"])
        if one["state"] == given["state"]:
            message = f"Cannot transition Fulfillment from {one['state']} to {given['state']}"
            return {"__typename": "FulfillmentStateTransitionError", "errorCode": "STATE",
                    "message": message}  # fmt: skip
        one["state"] = given["state"]
        return {"__typename": "Fulfillment", **one}

    def _note(self, given: Json) -> Json:
        wanted = given["input"]
        self.notes.setdefault(wanted["id"], []).append(wanted["note"])
        return {"id": wanted["id"]}

    def _set_fields(self, given: Json) -> Json:
        wanted = given["input"]
        self.rows[wanted["id"]]["customFields"].update(wanted["customFields"])
        return {"id": wanted["id"]}

    def fields(self, number: int) -> dict[str, str]:
        ours = self.rows[str(number)]["customFields"].items()
        return {
            re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key.removeprefix("roundsman")).lower(): value
            for key, value in ours
            if key.startswith("roundsman")
        }

    def _history(self, given: Json) -> Json:
        return {"items": [{"data": {"note": one}} for one in self.notes.get(given["id"], ())]}

    def pack(self, number: int) -> None:
        lines = self.rows[str(number)]["lines"]
        parts = [{"orderLineId": one["id"], "quantity": one["quantity"]} for one in lines]
        handler = {"arguments": [{"name": "trackingCode", "value": ""}]}
        assert "id" in self._fulfil({"input": {"lines": parts, "handler": handler}})

    def pieces(self, number: int) -> int:
        lines = self.rows[str(number)]["lines"]
        return sum(part["quantity"] for line in lines for part in line["fulfillmentLines"])

    def has_arrived(self, number: int) -> bool:
        row = self.rows[str(number)]
        ordered = sum(line["quantity"] for line in row["lines"])
        states = {one["state"] for one in row["fulfillments"]}
        return states == {"Delivered"} and self.pieces(number) == ordered

    def busy(self, seconds: int) -> Answer:
        return Answer({"message": "Too many requests"}, 429, {"Retry-After": str(seconds)})


KINDS: Mapping[str, Callable[[], PlatformShop]] = {
    "shopify": Shopify,
    "woocommerce": WooCommerce,
    "woocommerce with own tables": OwnTablesWooCommerce,
    "medusa": Medusa,
    "vendure": Vendure,
}


@dataclass
class OpenShop:
    """A shop on a port of its own, and what speaks to it."""

    kind: PlatformShop
    address: str = ""
    changes: int = 0
    """How many requests have changed something."""

    lost: set[int] = field(default_factory=set)
    """Of which of them the answer never arrives."""

    @property
    def storefront(self) -> Storefront:
        return self.connect(self.kind.credentials)

    def connect(self, credentials: Mapping[str, str]) -> Storefront:
        connection = ShopConnection(
            address=self.address,
            credentials=credentials,
            date_names=["delivery_date"] if self.kind.platform != "VENDURE" else ["deliveryDate"],
            rule_names=["note"],
            timezone="America/New_York",
        )
        return open_storefront(self.kind.platform, connection, HttpClient("Roundsman/test"))

    def connect_wrongly(self) -> Storefront:
        return self.connect(dict.fromkeys(self.kind.credentials, _WRONG))

    def answer(self, asked: Asked) -> Answer:
        given = self.kind.answer(asked)
        query = asked.body.get("query", "mutation") if isinstance(asked.body, dict) else ""
        if asked.method == "GET" or not query.lstrip().startswith("mutation"):
            return given
        self.changes += 1
        return Answer({}, 502) if self.changes in self.lost else given


@contextmanager
def open_platform_shop(kind: PlatformShop) -> Iterator[OpenShop]:
    shop = OpenShop(kind)
    with serve(shop.answer) as address:
        shop.address = address
        yield shop
