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
    OrderLocked,
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
               "variant_title": "Default variant", "requires_shipping": True,
               "detail": {"quantity": 3, "fulfilled_quantity": 0, "shipped_quantity": 0,
                          "delivered_quantity": 0, "return_received_quantity": 0}}],
}  # fmt: skip


def item(number: int, **facts: Json) -> Json:
    """Return a line of an order as the usual one, with an id of its own."""
    return {**copy.deepcopy(ORDER["items"][0]), "id": f"ordli_{number}", **facts}


class Shop:
    """Orders, and what the platform allows."""

    def __init__(self) -> None:
        self.row: Json = copy.deepcopy(ORDER)
        self.rows: dict[str, Json] = {self.row["id"]: self.row}
        self.payments: list[tuple[str, datetime]] = []
        """The orders that were paid, and when: their own time of change does not move."""

        self.edited: set[str] = set()
        """Orders that somebody changes, and has not confirmed yet."""

        self.posts: list[str] = []
        self.troubles: list[Answer] = []

    def answer(self, asked: Asked) -> Answer:
        if asked.headers.get("authorization") != "Basic c2tfZ29vZDo=":
            return Answer({"message": "Unauthorized"}, 401)
        if self.troubles:
            return self.troubles.pop(0)
        parts = asked.path.removeprefix("/admin/").split("/")
        return self._change(asked, parts) if asked.method == "POST" else self._look(asked, parts)

    def _look(self, asked: Asked, parts: list[str]) -> Answer:
        match parts:
            case ["orders"]:
                return Answer({"orders": self._list(asked)})
            case ["orders", id_]:
                return Answer({"order": self.rows[id_]}) if id_ in self.rows else Answer({}, 404)
            case ["payments"]:
                return Answer({"payments": self._list_payments(asked)})
            case ["stock-locations"]:
                return Answer({"stock_locations": []})
        return Answer({}, 404)

    def _change(self, asked: Asked, parts: list[str]) -> Answer:
        self.posts.append("/".join(parts[2:]))
        row = self.rows[parts[1]]
        if row["id"] in self.edited and len(parts) > 2:
            message = f"Order ({row['id']}) already has an existing active order change"
            return Answer({"type": "invalid_data", "message": message}, 400)
        refusal = ""
        match parts:
            case ["orders", _]:
                row["metadata"].update(asked.body["metadata"])
            case ["orders", _, "fulfillments"]:
                refusal = self._fulfil(row, asked.body)
            case ["orders", _, "fulfillments", id_, "shipments"]:
                refusal = self._ship(row, id_, asked.body)
            case ["orders", _, "fulfillments", id_, "mark-as-delivered"]:
                refusal = self._deliver(row, id_)
            case _:
                return Answer({}, 404)
        if refusal:
            return Answer({"type": "not_allowed", "message": refusal}, 400)
        row["updated_at"] = (instant(row["updated_at"]) + timedelta(milliseconds=1)).isoformat()
        return Answer({"order": row})

    def pack(self, order_id: str) -> None:
        """Fulfil all lines of an order in the shop, as somebody does that packs them."""
        row = self.rows[order_id]
        items = [{"id": one["id"], "quantity": one["quantity"]} for one in row["items"]]
        assert not self._fulfil(row, {"items": items})

    def _list(self, asked: Asked) -> list[Json]:
        ids = [id_ for name, id_ in asked.query.items() if name.startswith("id[")]
        assert len(ids) <= 20, "a longer list is read as something else"
        since = instant(asked.query.get("updated_at[$gte]", "2000-01-01T00:00:00Z"))
        found = [
            row
            for row in self.rows.values()
            if instant(row["updated_at"]) >= since and (not ids or row["id"] in ids)
        ]
        found.sort(key=lambda row: (instant(row["updated_at"]), row["id"]))
        first = int(asked.query.get("offset", 0))
        return found[first : first + int(asked.query.get("limit", 20))]

    def _list_payments(self, asked: Asked) -> list[Json]:
        since = instant(asked.query["updated_at[$gte]"])
        return [
            {"id": f"pay_{index}", "payment_collection": {"order": self._order_of(order_id)}}
            for index, (order_id, at) in enumerate(self.payments)
            if at >= since
        ][int(asked.query["offset"]) :][: int(asked.query["limit"])]

    def _order_of(self, order_id: str) -> Json:
        return {name: self.rows[order_id][name] for name in ("id", "updated_at")}

    def _fulfil(self, row: Json, body: Json) -> str:
        lines = {one["id"]: one for one in row["items"]}
        if len({lines[one["id"]]["requires_shipping"] for one in body["items"]}) > 1:
            return "Fulfillment can only be created entirely with items with shipping or without"
        for one in body["items"]:
            detail = lines[one["id"]]["detail"]
            if detail["fulfilled_quantity"] + one["quantity"] > detail["quantity"]:
                return "Cannot fulfill more items than what was ordered"
            detail["fulfilled_quantity"] += one["quantity"]
        parts = [{"line_item_id": one["id"], "quantity": one["quantity"]} for one in body["items"]]
        number = len(row["fulfillments"]) + 1
        made = {"id": f"ful_{number}", "items": parts, "labels": [],
                "metadata": body.get("metadata"), "created_at": f"2026-11-24T08:00:0{number}Z",
                "shipped_at": None, "delivered_at": None, "canceled_at": None}  # fmt: skip
        row["fulfillments"].append(made)
        return ""

    def _ship(self, row: Json, id_: str, body: Json) -> str:
        one = next(one for one in row["fulfillments"] if one["id"] == id_)
        if one["shipped_at"]:
            return "Shipment has already been created"
        one["shipped_at"], one["labels"] = "2026-11-24T09:00:00Z", body["labels"]
        self._count(row, one, "shipped_quantity")
        return ""

    def _deliver(self, row: Json, id_: str) -> str:
        one = next(one for one in row["fulfillments"] if one["id"] == id_)
        if one["delivered_at"]:
            return "Fulfillment has already been marked delivered"
        one["delivered_at"] = "2026-11-24T09:00:00Z"
        self._count(row, one, "delivered_quantity")
        return ""

    def _count(self, row: Json, fulfillment: Json, name: str) -> None:
        details = {one["id"]: one["detail"] for one in row["items"]}
        for part in fulfillment["items"]:
            details[part["line_item_id"]][name] += part["quantity"]


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


def test_what_came_back_does_not_hide_what_is_left(shop: tuple[Shop, Storefront]) -> None:
    """Pieces come back that were delivered: the others go out all the same."""
    made, storefront = shop
    made.row["items"][0]["detail"] |= {"fulfilled_quantity": 2, "return_received_quantity": 1}
    (found,) = storefront.get(["order_1"])
    assert found.draft.state is StoreOrderState.OPEN
    (left,) = found.draft.items
    assert (left.quantity, left.fulfilled_quantity) == (3, 2)
    rest = Report(stop_id="rst-2", step=Step.DELIVERED, happened_at=NOW)
    assert not storefront.report("order_1", rest).was_known
    assert made.row["items"][0]["detail"]["fulfilled_quantity"] == 3


def test_a_report_waits_while_somebody_edits_the_order(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    done = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW)
    made.edited.add("order_1")
    with pytest.raises(OrderLocked, match="has not confirmed"):
        storefront.report("order_1", done)
    made.edited.clear()
    assert not storefront.report("order_1", done).was_known


def test_lines_that_need_no_shipping_are_on_no_stop(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    made.row["items"].append(item(2, title="Recipes", variant_sku="", requires_shipping=False))
    (found,) = storefront.get(["order_1"])
    assert [one.name for one in found.draft.items] == ["Veg box"]
    assert found.remarks == ('"Recipes" needs no shipping in the shop, and is on no stop',)
    done = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW)
    assert not storefront.report("order_1", done).was_known
    (found,) = storefront.get(["order_1"])
    assert found.draft.state is StoreOrderState.FULFILLED


def test_variants_of_a_product_without_numbers_are_told_apart(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    made.row["items"] = [
        item(number, title="Apples", variant_title=size, variant_sku=None)
        for number, size in enumerate(("Small", "Large"), start=1)
    ]
    (found,) = storefront.get(["order_1"])
    assert [one.name for one in found.draft.items] == ["Apples - Small", "Apples - Large"]
    large = [ReportedItem(sku="", name="Apples - Large", quantity=3)]
    done = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW, items=large)
    storefront.report("order_1", done)
    assert [one["detail"]["delivered_quantity"] for one in made.row["items"]] == [0, 3]


@pytest.mark.parametrize("is_shipped", [False, True], ids=["packed", "packed and shipped"])
@pytest.mark.parametrize("url", ["", "https://example.com/t/1"], ids=["no link", "a link"])
def test_a_stop_carries_what_the_shop_has_fulfilled_itself(
    shop: tuple[Shop, Storefront], url: str, *, is_shipped: bool
) -> None:
    made, storefront = shop
    made.pack("order_1")
    if is_shipped:
        made.row["fulfillments"][0]["shipped_at"] = "2026-11-24T08:30:00Z"
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, tracking_url=url)
    done = replace(out, step=Step.DELIVERED)
    answers = [storefront.report("order_1", one) for one in (out, done, done)]
    assert [one.was_known for one in answers] == [True, False, True]
    assert {one.fulfillment_id for one in answers} == {"ful_1"}
    assert made.row["items"][0]["detail"]["delivered_quantity"] == 3
    assert "fulfillments" not in made.posts


def test_a_stop_does_not_carry_what_another_has(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    made.pack("order_1")
    out = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW)
    storefront.report("order_1", out)
    with pytest.raises(Refused, match="nothing of the order"):
        storefront.report("order_1", replace(out, stop_id="rst-2"))
