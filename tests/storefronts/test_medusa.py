"""The adapter of Medusa against a shop with the rules that were measured on 2.21."""

import copy
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.storefronts.web_shop import Answer, Asked, serve

from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import StorefrontPlatform
from roundsman.domain.time_window import Date
from roundsman.kit.http import HttpClient
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import (
    Refused,
    Report,
    ReportedItem,
    ShopConnection,
    Step,
    Storefront,
)
from roundsman.storefronts.reading import instant

type Json = Any

pytestmark = pytest.mark.spec("decisions §20")

NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
ORDER: Json = {
    "id": "order_1", "display_id": 7, "status": "pending", "payment_status": "captured",
    "email": "ann@example.com", "updated_at": "2026-11-24T08:00:00.983Z", "canceled_at": None,
    "metadata": {"Delivery Date": "2026-11-25"},
    "shipping_methods": [{"name": "Van"}], "fulfillments": [],
    "shipping_address": {"first_name": "Ann", "last_name": "Lee", "address_1": "100 Oak St",
                         "city": "Towson", "province": "us-md", "postal_code": "21204",
                         "country_code": "us", "phone": "+1 410 555 0123"},
    "items": [{"id": "ordli_1", "title": "Veg box", "variant_sku": "BOX", "quantity": 3,
               "detail": {"quantity": 3, "fulfilled_quantity": 0, "return_received_quantity": 0}}],
}  # fmt: skip


class Shop:
    """Orders, and what the platform allows."""

    def __init__(self) -> None:
        self.row: Json = copy.deepcopy(ORDER)
        self.rows: dict[str, Json] = {self.row["id"]: self.row}
        self.posts: list[str] = []
        self.troubles: list[Answer] = []

    def answer(self, asked: Asked) -> Answer:  # noqa: C901 -- one branch a path
        if asked.headers.get("authorization") != "Basic c2tfZ29vZDo=":
            return Answer({"message": "Unauthorized"}, 401)
        if self.troubles:
            return self.troubles.pop(0)
        parts = asked.path.removeprefix("/admin/").split("/")
        if asked.method == "POST":
            self.posts.append("/".join(parts[2:]))
        match asked.method, parts:
            case "GET", ["orders"]:
                return Answer({"orders": self._list(asked)})
            case "GET", ["orders", id_]:
                return Answer({"order": self.rows[id_]}) if id_ in self.rows else Answer({}, 404)
            case "GET", ["stock-locations"]:
                return Answer({"stock_locations": []})
            case "POST", ["orders", id_]:
                self.rows[id_]["metadata"].update(asked.body["metadata"])
                return Answer({"order": self.rows[id_]})
            case "POST", ["orders", id_, "fulfillments"]:
                return self._fulfil(self.rows[id_], asked.body)
            case "POST", ["orders", id_, "fulfillments", fulfillment_id, step]:
                return self._move(self.rows[id_], fulfillment_id, step)
        return Answer({}, 404)

    def _list(self, asked: Asked) -> list[Json]:
        since = instant(asked.query.get("updated_at[$gte]", "2000-01-01T00:00:00Z"))
        found = [row for row in self.rows.values() if instant(row["updated_at"]) >= since]
        found.sort(key=lambda row: (instant(row["updated_at"]), row["id"]))
        first = int(asked.query.get("offset", 0))
        return found[first : first + int(asked.query.get("limit", 20))]

    def _fulfil(self, row: Json, body: Json) -> Answer:
        for item in body["items"]:
            detail = next(one["detail"] for one in row["items"] if one["id"] == item["id"])
            if detail["fulfilled_quantity"] + item["quantity"] > detail["quantity"]:
                message = "Cannot fulfill more items than what was ordered"
                return Answer({"type": "not_allowed", "message": message}, 400)
            detail["fulfilled_quantity"] += item["quantity"]
        lines = [{"line_item_id": one["id"], "quantity": one["quantity"]} for one in body["items"]]
        made = {"id": f"ful_{len(row['fulfillments']) + 1}", "items": lines,
                "metadata": body["metadata"], "shipped_at": None, "delivered_at": None,
                "canceled_at": None}  # fmt: skip
        row["fulfillments"].append(made)
        return Answer({"order": row})

    def _move(self, row: Json, id_: str, step: str) -> Answer:
        one = next(one for one in row["fulfillments"] if one["id"] == id_)
        name = "shipped_at" if step == "shipments" else "delivered_at"
        if one[name]:
            message = "Fulfillment has already been marked"
            return Answer({"type": "not_allowed", "message": message}, 400)
        one[name] = "2026-11-24T09:00:00Z"
        return Answer({"order": row})


@pytest.fixture
def shop() -> Iterator[tuple[Shop, Storefront]]:
    made = Shop()
    with serve(made.answer) as address:
        yield made, connect(address)


def connect(address: str, key: str = "sk_good") -> Storefront:
    connection = ShopConnection(address=address, credentials={"apiKey": key})
    return open_storefront(StorefrontPlatform.MEDUSA, connection, HttpClient("Roundsman/test"))


def test_an_order_is_read_and_its_province_is_brought_to_its_form(
    shop: tuple[Shop, Storefront],
) -> None:
    _, storefront = shop
    page = storefront.changed("", NOW - timedelta(days=60))
    (found,) = page.orders
    draft = found.draft
    assert (found.order_id, found.number, found.is_wanted) == ("order_1", "7", True)
    assert draft.delivery_date == Date(year=2026, month=11, day=25)
    assert draft.address
    assert draft.address.one_line() == "100 Oak St, Towson, MD 21204, US"
    assert draft.contact
    assert draft.contact.phone == "+14105550123"
    assert page.cursor == "2026-11-24T07:58:00.983000Z"
    assert storefront.get(["none"]) == []


def test_it_is_shipped_when_it_is_handed_over_and_only_once(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    part = [ReportedItem(sku="BOX", name="Veg box", quantity=2)]
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, items=part)
    done = replace(out, step=Step.DELIVERED)
    assert [storefront.report("order_1", out).was_known for _ in range(2)] == [False, True]
    assert not made.row["fulfillments"][0]["shipped_at"], "what has left may still be taken back"
    assert [storefront.report("order_1", done).was_known for _ in range(2)] == [False, True]
    assert made.posts == [
        "fulfillments", "fulfillments/ful_1/shipments", "fulfillments/ful_1/mark-as-delivered",
    ]  # fmt: skip
    (found,) = storefront.get(["order_1"])
    assert found.draft.state is StoreOrderState.OPEN
    assert found.draft.items[0].fulfilled_quantity == 2


def test_a_crash_between_shipping_and_delivering_is_made_good(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    done = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW)
    storefront.report("order_1", done)
    made.row["fulfillments"][0]["delivered_at"] = None
    assert not storefront.report("order_1", done).was_known
    assert made.posts.count("fulfillments/ful_1/shipments") == 1
    (found,) = storefront.get(["order_1"])
    assert found.draft.state is StoreOrderState.FULFILLED
    with pytest.raises(Refused, match="nothing of the order"):
        storefront.report("order_1", replace(done, stop_id="rst-2"))


def test_an_attempt_is_written_into_the_metadata_once(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    attempt = Report(stop_id="rst-1", step=Step.ATTEMPTED, happened_at=NOW)
    assert [storefront.report("order_1", attempt).was_known for _ in range(2)] == [False, True]
    assert made.row["metadata"]["Delivery Date"] == "2026-11-25"
    made.row["canceled_at"] = "2026-11-24T09:00:00Z"
    (found,) = storefront.get(["order_1"])
    assert found.draft.state is StoreOrderState.CANCELLED


def test_a_location_is_checked(shop: tuple[Shop, Storefront]) -> None:
    _, storefront = shop
    assert [(one.subject, one.is_good) for one in storefront.check()] == [
        ("credentials", True),
        ("location", False),
    ]
