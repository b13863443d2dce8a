"""The adapter of Shopify: its documents against the platform's schema, executed on a small shop."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema, graphql_sync, parse, validate
from scripts.shopify_references import find_missing_scopes
from tests.storefronts.web_shop import Answer, Asked, serve

from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField, StorefrontPlatform
from roundsman.domain.time_window import Date
from roundsman.kit.http import HttpClient
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    Refused,
    Report,
    ReportedItem,
    ShopConnection,
    Step,
    Storefront,
    Unauthorized,
)
from roundsman.storefronts.shopify import NEEDED_SCOPES
from roundsman.storefronts.shopify_documents import DOCUMENTS, VERSION

type Json = Any

pytestmark = pytest.mark.spec("decisions §20")

SCHEMAS: dict[str, GraphQLSchema] = {
    file.stem.removeprefix("admin_"): build_schema(file.read_text())
    for file in sorted((Path(__file__).parent / "shopify").glob("admin_*.graphql"))
}
"""Of every version that Shopify serves; `scripts/shopify_references.py` renews them."""

SCHEMA = SCHEMAS[VERSION]
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)


class Shop:
    """One order of two locations, and the platform's rules for fulfilments."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        """Before the numbers of its parts, where a shop has several orders."""

        self.left = {"1": 3, "2": 1}
        self.totals = {"1": 3, "2": 1}
        self.part: Json = {}
        """What is otherwise than usual of each part."""

        self.fulfillments: list[Json] = []
        self.row: Json = {
            "__typename": "Order", "id": "gid://shopify/Order/1001", "legacyResourceId": "1001",
            "name": "#1001", "note": "Side door", "tags": ["veg"], "test": False,
            "updatedAt": "2026-11-24T08:00:00Z", "cancelledAt": None, "email": "ann@example.com",
            "phone": None, "displayFinancialStatus": "PAID",
            "displayFulfillmentStatus": "UNFULFILLED",
            "customer": {"note": "Nice", "tags": ["vip"]},
            "customAttributes": [{"key": "Delivery-Date", "value": "2026-11-25"},
                                 {"key": "Delivery-Time", "value": "13:00 - 14:00"}],
            "shippingAddress": {
                "firstName": "Ann", "lastName": "Lee", "company": None, "address1": "100 Oak St",
                "address2": None, "city": "Towson", "provinceCode": "MD", "countryCodeV2": "US",
                "zip": "21204", "phone": "(410) 555-0123", "latitude": 39.4, "longitude": -76.6,
                "coordinatesValidated": True},
        }  # fmt: skip
        self.fields: dict[str, str] = {}
        self.troubles: list[Answer] = []
        self.scopes = list(NEEDED_SCOPES)
        self.asked = 0
        self.is_cut = False
        self.dies_after = 99

    def order(self) -> Json:
        parts = [self._part(number, left) for number, left in self.left.items()]
        return {
            **self.row,
            "fulfillmentOrders": {"pageInfo": {"hasNextPage": False}, "nodes": parts},
            "fulfillments": self.fulfillments,
        }

    def _part(self, number: str, left: int) -> Json:
        total = self.totals[number]
        return {
            "id": f"gid://shopify/FulfillmentOrder/{self.prefix}{number}",
            "status": "OPEN" if left else "CLOSED", "supportedActions": [], "fulfillmentHolds": [],
            "assignedLocation": {"name": f"Depot {number}", "location": None},
            "deliveryMethod": {"methodType": "LOCAL", "minDeliveryDateTime": None,
                               "maxDeliveryDateTime": None,
                               "additionalInformation": {"instructions": "Ring twice"}},
            "lineItems": {"pageInfo": {"hasNextPage": self.is_cut}, "nodes": [{
                "id": f"gid://shopify/FulfillmentOrderLineItem/{number}", "totalQuantity": total,
                "remainingQuantity": left, "sku": f"BOX-{number}", "productTitle": f"Box {number}",
                "weight": {"unit": "KILOGRAMS", "value": 2.0}}]},
            **self.part,
        }  # fmt: skip

    def create(self, _info: Json, fulfillment: Json) -> Json:
        if len(self.fulfillments) >= self.dies_after:
            raise RuntimeError("the shop is away")
        taken = []
        for part in fulfillment["lineItemsByFulfillmentOrder"]:
            number = part["fulfillmentOrderId"].rpartition("/")[2].removeprefix(self.prefix)
            for item in part["fulfillmentOrderLineItems"]:
                if item["quantity"] > self.left[number]:
                    message = "Invalid fulfillment order line item quantity requested."
                    return {"fulfillment": None, "userErrors": [{"message": message}]}
                self.left[number] -= item["quantity"]
                sold = {"sku": f"BOX-{number}", "title": f"Box {number}"}
                taken.append({"quantity": item["quantity"], "lineItem": sold})
        made = {
            "id": f"gid://shopify/Fulfillment/{self.prefix}{len(self.fulfillments) + 1}",
            "status": "SUCCESS",
            "trackingInfo": [{"number": fulfillment["trackingInfo"]["number"]}],
            "events": {"nodes": []},
            "fulfillmentLineItems": {"nodes": taken},
        }
        self.fulfillments.append(made)
        return {"fulfillment": made, "userErrors": []}

    def add_event(self, _info: Json, fulfillmentEvent: Json) -> Json:  # noqa: N803 -- its name
        one = next(f for f in self.fulfillments if f["id"] == fulfillmentEvent["fulfillmentId"])
        event = {name: fulfillmentEvent[name] for name in ("status", "happenedAt")}
        one["events"]["nodes"].append(event)
        return {"fulfillmentEvent": {"id": "gid://shopify/FulfillmentEvent/1"}, "userErrors": []}

    def track(self, _info: Json, fulfillmentId: str, trackingInfoInput: Json, **_: Json) -> Json:  # noqa: N803 -- its names
        one = next(f for f in self.fulfillments if f["id"] == fulfillmentId)
        one["trackingInfo"] = [{"number": trackingInfoInput["number"]}]
        return {"fulfillment": one, "userErrors": []}

    def set_fields(self, metafields: list[Json]) -> Json:
        kinds = {"url", "single_line_text_field"}
        wrong = [one for one in metafields if one["type"] not in kinds or not one["value"]]
        if wrong:
            return {"metafields": None, "userErrors": [{"message": "Value is invalid"}]}
        assert {one["namespace"] for one in metafields} == {"roundsman"}
        self.fields.update({one["key"]: one["value"] for one in metafields})
        return {"metafields": [], "userErrors": []}

    def add_tags(self, tags: list[str]) -> Json:
        self.row["tags"] = sorted({*self.row["tags"], *tags})
        return {"node": self.row, "userErrors": []}

    def remove_tags(self, tags: list[str]) -> Json:
        self.row["tags"] = [one for one in self.row["tags"] if one not in tags]
        return {"node": self.row, "userErrors": []}

    def answer(self, asked: Asked) -> Answer:
        self.asked += 1
        if asked.path == "/admin/oauth/access_token":
            good = asked.body["client_secret"] == "secret"
            return Answer({"access_token": "day-token"}) if good else Answer({}, 400)
        if asked.headers.get("x-shopify-access-token") not in {"shpat_good", "day-token"}:
            return Answer({"errors": "[API] Invalid API key or access token"}, 401)
        if self.troubles:
            return self.troubles.pop(0)
        root = {
            "orders": lambda _info, **_: {
                "nodes": [self.order()],
                "pageInfo": {"hasNextPage": False, "endCursor": None},
            },
            "nodes": lambda _info, ids: [
                self.order() if one == self.row["id"] else None for one in ids
            ],
            "currentAppInstallation": {"accessScopes": [{"handle": one} for one in self.scopes]},
            "fulfillmentCreate": self.create,
            "fulfillmentEventCreate": self.add_event,
            "fulfillmentTrackingInfoUpdate": self.track,
            "metafieldsSet": lambda _info, metafields: self.set_fields(metafields),
            "tagsAdd": lambda _info, id, tags: self.add_tags(tags),  # noqa: A006, ARG005 -- its name
            "tagsRemove": lambda _info, id, tags: self.remove_tags(tags),  # noqa: A006, ARG005 -- its name
        }
        done = graphql_sync(
            SCHEMA, asked.body["query"], root, variable_values=asked.body["variables"]
        )
        return Answer(done.formatted)


@pytest.fixture
def shop() -> Iterator[tuple[Shop, Storefront]]:
    made = Shop()
    with serve(made.answer) as address:
        yield made, connect(address, accessToken="shpat_good")


def connect(address: str, *, is_annotated: bool = False, **credentials: str) -> Storefront:
    connection = ShopConnection(
        address=address,
        credentials=credentials,
        timezone="America/New_York",
        is_annotated=is_annotated,
    )
    return open_storefront(StorefrontPlatform.SHOPIFY, connection, HttpClient("Roundsman/test"))


@pytest.mark.parametrize("version", SCHEMAS)
def test_every_document_is_one_of_the_platforms(version: str) -> None:
    assert [validate(SCHEMAS[version], parse(document)) for document in DOCUMENTS] == [
        [] for _ in DOCUMENTS
    ]


def test_the_scopes_that_are_asked_for_open_all_that_is_used() -> None:
    published = json.loads((Path(__file__).parent / "shopify" / "scopes.json").read_text())
    assert find_missing_scopes(published) == []


def test_an_order_is_read_with_all_that_its_checkout_asked(
    shop: tuple[Shop, Storefront],
) -> None:
    _, storefront = shop
    page = storefront.changed("", NOW - timedelta(days=60))
    (found,) = page.orders
    draft = found.draft
    assert (found.number, found.is_wanted, draft.name) == ("1001", True, "#1001")
    assert draft.delivery_date == Date(year=2026, month=11, day=25)
    assert len(draft.time_windows) == 1
    assert [(i.name, i.quantity, i.fulfilled_quantity, i.grams) for i in draft.items] == [
        ("Box 1", 3, 0, 2000),
        ("Box 2", 1, 0, 2000),
    ]
    assert (draft.order_note, draft.customer_note) == ("Side door", "Nice\nRing twice")
    assert draft.contact
    assert draft.contact.phone == "+14105550123"
    assert draft.coordinates
    assert draft.location == "Depot 1"
    assert page.cursor == "2026-11-24T07:58:00Z", "two minutes come twice"


def test_a_stop_of_two_locations_is_told_once(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW)
    done = replace(out, step=Step.DELIVERED, happened_at=NOW + timedelta(minutes=5))
    answers = [storefront.report("1001", one) for one in (out, out, done, done)]
    assert [one.was_known for one in answers] == [False, True, False, True]
    assert made.left == {"1": 0, "2": 0}
    assert [[e["status"] for e in one["events"]["nodes"]] for one in made.fulfillments] == [
        ["OUT_FOR_DELIVERY", "DELIVERED"]
    ] * 2
    (found,) = storefront.get(["1001"])
    assert found.draft.state is StoreOrderState.FULFILLED


def test_a_part_is_told_and_a_lost_answer_does_nothing_twice(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    part = [ReportedItem(sku="BOX-1", name="Box 1", quantity=2)]
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, items=part)
    storefront.report("1001", out)
    made.fulfillments[0]["events"]["nodes"].clear()  # killed before the event
    assert not storefront.report("1001", out).was_known
    assert len(made.fulfillments) == 1
    assert made.left == {"1": 1, "2": 1}
    made.fulfillments[0]["status"] = "CANCELLED"
    made.left["1"] = 3
    assert not storefront.report("1001", out).was_known
    assert len(made.fulfillments) == 2, "one that the shop took back is made anew"
    nothing = [ReportedItem(sku="BOX-1", name="Box 1", quantity=9)]
    made.left = {"1": 0, "2": 0}
    with pytest.raises(Refused, match="nothing of order #1001"):
        storefront.report("1001", Report(
            stop_id="rst-2", step=Step.DELIVERED, happened_at=NOW, items=nothing))  # fmt: skip


def test_who_was_stopped_between_two_locations_goes_on_with_the_other(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    every = [
        ReportedItem(sku="BOX-1", name="Box 1", quantity=3),
        ReportedItem(sku="BOX-2", name="Box 2", quantity=1),
    ]
    done = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW, items=every)
    made.dies_after = 1
    with pytest.raises(Refused):
        storefront.report("1001", done)
    assert made.left == {"1": 0, "2": 1}
    made.dies_after = 99
    assert not storefront.report("1001", done).was_known
    assert storefront.report("1001", done).was_known
    assert made.left == {"1": 0, "2": 0}
    assert [len(one["events"]["nodes"]) for one in made.fulfillments] == [1, 1]


def test_an_order_that_a_page_cuts_short_is_read_whole(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    before = made.asked
    storefront.get(["1001"])
    assert made.asked == before + 1
    made.is_cut = True
    assert len(storefront.get(["1001"])) == 1
    assert made.asked == before + 3


def test_throttling_says_when_to_come_again(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    bucket = {"currentlyAvailable": 100, "restoreRate": 50}
    cost = {"requestedQueryCost": 400, "throttleStatus": bucket}
    made.troubles.append(
        Answer({"errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}],
                "extensions": {"cost": cost}})
    )  # fmt: skip
    with pytest.raises(Busy) as busy:
        storefront.get(["1001"])
    assert busy.value.retry_after_seconds == 6
    away = [{"message": "Oh", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}]
    made.troubles.append(Answer({"errors": away}))
    with pytest.raises(Busy, match="Oh"):
        storefront.get(["1001"])
    at = {"Date": "Tue, 24 Nov 2026 09:00:00 GMT", "Retry-After": "Tue, 24 Nov 2026 09:00:09 GMT"}
    made.troubles.append(Answer({}, 503, at))
    with pytest.raises(Busy) as busy:
        storefront.get(["1001"])
    assert busy.value.retry_after_seconds == 9
    made.troubles.append(Answer({}, 503, {"Retry-After": "7"}))
    with pytest.raises(Busy) as busy:
        storefront.get(["1001"])
    assert busy.value.retry_after_seconds == 7


def test_tags_of_a_step_take_the_place_of_one_another(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    out = Annotation(fields={}, tags=["out"], former_tags=["arrived", "nobody home"])
    storefront.annotate("1001", out)
    storefront.annotate("1001", out)
    assert made.row["tags"] == ["out", "veg"], "the shop's own stay"
    arrived = Annotation(fields={}, tags=["arrived"], former_tags=["out", "nobody home"])
    storefront.annotate("1001", arrived)
    assert made.row["tags"] == ["arrived", "veg"]


def test_what_the_shop_would_not_write_is_refused_in_its_words(
    shop: tuple[Shop, Storefront],
) -> None:
    with pytest.raises(Refused, match="Value is invalid"):
        shop[1].annotate("1001", Annotation(fields={OrderField.ROUTE: ""}))


def test_writing_into_orders_takes_a_permission_of_its_own(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    assert [one for one in storefront.check() if "write_orders" in one.subject] == []
    with serve(made.answer) as address:
        writing = connect(address, is_annotated=True, accessToken="shpat_good")
        bad = [one for one in writing.check() if not one.is_good]
    assert [one.subject for one in bad] == ["permission write_orders"]
    assert "write_orders" in bad[0].remedy


def test_credentials_are_exchanged_for_a_token_once(shop: tuple[Shop, Storefront]) -> None:
    made, _ = shop
    with serve(made.answer) as address:
        storefront = connect(address, clientId="id", clientSecret="secret")
        assert storefront.get(["1001"])
        before = made.asked
        assert storefront.get(["1001"])
        assert made.asked == before + 1
        with pytest.raises(Unauthorized):
            connect(address, clientId="id", clientSecret="wrong").get(["1001"])
        with pytest.raises(Unauthorized):
            connect(address, accessToken="shpat_bad").get(["1001"])


def test_a_check_names_missing_permissions_and_withheld_addresses(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    assert all(one.is_good for one in storefront.check())
    made.scopes.remove("read_locations")
    made.row["shippingAddress"] = None
    bad = [one.subject for one in storefront.check() if not one.is_good]
    assert bad == ["permission read_locations", "customer data"]
