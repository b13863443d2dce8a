"""The adapter of WooCommerce against a shop with the traps that were measured on 7.9."""

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
    Busy,
    Refused,
    Report,
    ReportedItem,
    ShopConnection,
    Step,
    Storefront,
    Unauthorized,
)

type Json = Any

pytestmark = pytest.mark.spec("decisions §20")

NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
BEGIN = datetime(2026, 11, 1, tzinfo=UTC)


def order(number: int, second: int = 0, **fields: Json) -> Json:
    modified = (BEGIN + timedelta(seconds=second)).replace(tzinfo=None).isoformat()
    return {
        "id": number, "number": str(number), "status": "processing", "date_modified_gmt": modified,
        "shipping": {"first_name": "Ann", "last_name": "Lee", "address_1": "100 Oak St",
                     "city": "Towson", "state": "MD", "postcode": "21204", "country": "US",
                     "phone": ""},
        "billing": {"phone": "(410) 555-0123", "email": "ann@example.com"},
        "customer_note": "Side door", "refunds": [],
        "line_items": [{"id": 5, "name": "Veg box", "sku": "BOX", "quantity": 3}],
        "shipping_lines": [{"method_id": "flat_rate"}],
        "meta_data": [{"key": "_delivery_date", "value": "2026-11-25"},
                      {"key": "delivery_time", "value": "13:00 - 14:00"}],
        **fields,
    }  # fmt: skip


class Shop:
    """Orders, notes and refunds, with the rules of the platform."""

    def __init__(self) -> None:
        self.orders: dict[int, Json] = {}
        self.notes: list[Json] = []
        self.refunds: dict[int, list[Json]] = {}
        self.hooks: list[Json] = []
        self.troubles: list[Answer] = []
        self.dies_before_note = False
        self.key = "Basic Y2s6Y3M="

    def answer(self, asked: Asked) -> Answer:  # noqa: C901 -- one branch a path
        if asked.headers.get("authorization") != self.key:
            return Answer({"code": "woocommerce_rest_cannot_view", "message": "Sorry"}, 401)
        if self.troubles:
            return self.troubles.pop(0)
        parts = asked.path.removeprefix("/wp-json/wc/v3/").split("/")
        match asked.method, parts:
            case "GET", ["orders"]:
                return Answer(self._list(asked))
            case "GET", ["orders", id_]:
                found = self.orders.get(int(id_))
                return Answer(found) if found else Answer({"code": "invalid_id"}, 404)
            case "PUT", ["orders", id_]:
                return Answer(self._change(self.orders[int(id_)], asked.body))
            case "POST", ["orders", _, "notes"]:
                if self.dies_before_note:
                    return Answer({}, 502)
                self.notes.append(asked.body)
                return Answer(asked.body, 201)
            case "GET", ["orders", id_, "refunds"]:
                return Answer(self.refunds[int(id_)])
            case "GET", ["webhooks"]:
                return Answer(self.hooks)
            case "POST", ["webhooks"]:
                self.hooks.append({"id": len(self.hooks) + 1, **asked.body})
            case "PUT", ["webhooks", id_]:
                self.hooks[int(id_) - 1].update(asked.body)
        return Answer({})

    def _list(self, asked: Asked) -> list[Json]:
        after = asked.query.get("modified_after", "")
        rows = [
            one
            for one in self.orders.values()
            if one["date_modified_gmt"] > after and one["status"] != "trash"  # exclusive
        ]
        rows.sort(key=lambda one: (one["date_modified_gmt"], one["id"]))
        size, offset = int(asked.query["per_page"]), int(asked.query.get("offset", 0))
        return rows[offset : offset + size]

    @staticmethod
    def _change(row: Json, body: Json) -> Json:
        for meta in body.pop("meta_data", ()):
            row["meta_data"] = [one for one in row["meta_data"] if one["key"] != meta["key"]]
            row["meta_data"].append(meta)
        row.update(body)
        return row


@pytest.fixture
def shop() -> Iterator[tuple[Shop, Storefront]]:
    made = Shop()
    with serve(made.answer) as address:
        yield made, connect(address)


def connect(address: str, secret: str = "cs", **settings: Json) -> Storefront:
    connection = ShopConnection(
        address=address, credentials={"consumerKey": "ck", "consumerSecret": secret}, **settings
    )
    return open_storefront(StorefrontPlatform.WOOCOMMERCE, connection, HttpClient("Roundsman/test"))


def test_an_order_is_read_with_meta_of_date_pickers_and_the_billing_phone(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    made.orders[13] = order(13)
    (found,) = storefront.get(["13", "14"])
    draft = found.draft
    assert (found.number, found.is_wanted, draft.name) == ("13", True, "#13")
    assert draft.delivery_date == Date(year=2026, month=11, day=25)
    assert len(draft.time_windows) == 1
    assert [(i.name, i.sku, i.quantity) for i in draft.items] == [("Veg box", "BOX", 3)]
    assert draft.contact
    assert (draft.contact.phone, draft.contact.email) == ("+14105550123", "ann@example.com")
    assert draft.address
    assert draft.address.one_line() == "100 Oak St, Towson, MD 21204, US"
    assert draft.customer_note == "Side door"


def test_orders_of_one_second_and_those_that_change_meanwhile_are_all_seen(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    for number in range(1, 161):
        made.orders[number] = order(number, second=number // 120)
    seen: set[str] = set()
    cursor, is_last, pages = "", False, 0
    while not is_last:
        page = storefront.changed(cursor, BEGIN)
        seen |= {one.order_id for one in page.orders}
        cursor, is_last, pages = page.cursor, page.is_last, pages + 1
        if pages == 1:
            made.orders[161] = order(161, second=1)
            made.orders[1]["date_modified_gmt"] = order(1, second=2)["date_modified_gmt"]
        assert pages < 20
    assert seen == {str(number) for number in range(1, 162)}
    made.orders[170] = order(170, second=2)
    again = storefront.changed(cursor, BEGIN)
    assert "170" in {one.order_id for one in again.orders}, "of the second that was seen last"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, (StoreOrderState.OPEN, True)),
        ({"status": "completed"}, (StoreOrderState.FULFILLED, True)),
        ({"status": "cancelled"}, (StoreOrderState.CANCELLED, True)),
        ({"status": "trash"}, (StoreOrderState.CANCELLED, True)),
        ({"status": "on-hold"}, (StoreOrderState.ON_HOLD, False)),
        ({"status": "pending"}, (StoreOrderState.ON_HOLD, False)),
        ({"shipping_lines": [{"method_id": "local_pickup"}]}, (StoreOrderState.OPEN, False)),
    ],
)
def test_a_status_says_what_is_to_be_done(
    shop: tuple[Shop, Storefront], fields: Json, expected: tuple[StoreOrderState, bool]
) -> None:
    made, storefront = shop
    made.orders[13] = order(13, **fields)
    (found,) = storefront.get(["13"])
    assert (found.draft.state, found.is_wanted) == expected


def test_what_was_refunded_is_not_delivered(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    made.orders[13] = order(13, refunds=[{"id": 1}])
    back = {"quantity": -2, "meta_data": [{"key": "_refunded_item_id", "value": "5"}]}
    made.refunds[13] = [{"line_items": [back]}]
    (found,) = storefront.get(["13"])
    assert [one.quantity for one in found.draft.items] == [1]


def test_a_stop_is_told_once_and_a_crash_loses_a_mail_rather_than_sends_two(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    made.orders[13] = order(13)
    out = Report(
        stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, tracking_url="https://t/1"
    )
    made.dies_before_note = True
    with pytest.raises(Busy):
        storefront.report("13", out)
    made.dies_before_note = False
    assert storefront.report("13", out).was_known
    done = replace(out, step=Step.DELIVERED)
    assert [storefront.report("13", done).was_known for _ in range(2)] == [False, True]
    assert made.orders[13]["status"] == "completed"
    assert len(made.notes) == 1
    assert made.notes[0]["note"] == "Delivered. https://t/1"


def test_a_part_leaves_the_order_open_and_a_cancelled_one_is_refused(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    made.orders[13] = order(13)
    part = [ReportedItem(sku="BOX", name="Veg box", quantity=2)]
    report = Report(stop_id="rst-1", step=Step.DELIVERED, happened_at=NOW, items=part)
    assert storefront.report("13", report).remark
    assert made.orders[13]["status"] == "processing"
    made.orders[13]["status"] = "cancelled"
    with pytest.raises(Refused, match="is cancelled in the shop"):
        storefront.report("13", replace(report, stop_id="rst-2"))


def test_hooks_are_made_once_and_woken(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    for _ in range(2):
        assert storefront.subscribe("https://roundsman.test/hooks", "secret")
    assert len(made.hooks) == 4
    made.hooks[1]["status"] = "disabled"
    storefront.subscribe("https://roundsman.test/hooks", "secret")
    assert {one["status"] for one in made.hooks} == {"active"}


def test_who_may_not_and_who_is_busy_is_told_apart(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    assert storefront.check()[0].is_good
    with serve(made.answer) as address:
        (finding,) = connect(address, "wrong").check()
        assert not finding.is_good
        assert finding.remedy
        with pytest.raises(Unauthorized):
            connect(address, "wrong").get(["13"])
    made.troubles = [Answer({}, 429, {"Retry-After": "30"}), Answer({}, 500)]
    with pytest.raises(Busy) as busy:
        storefront.get(["13"])
    assert busy.value.retry_after_seconds == 30
    with pytest.raises(Busy):
        storefront.get(["13"])
