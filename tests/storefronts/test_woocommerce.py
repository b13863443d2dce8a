"""The adapter of WooCommerce against a shop with the traps that were measured on 7.9.

Fulfilments are as WooCommerce's documentation of 10.9 and its source have them.
"""

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
    """Orders, notes, refunds and fulfilments, with the rules of the platform."""

    def __init__(self, *, has_own_tables: bool = False, has_fulfillments: bool = False) -> None:
        self.has_own_tables = has_own_tables
        """Whether orders are in tables of their own (HPOS), which moves more times of change."""
        self.fulfillments: dict[int, list[Json]] | None = {} if has_fulfillments else None
        self.mails = 0
        self.statuses = ["pending", "processing", "on-hold", "completed", "cancelled"]
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
                return self._change(self.orders[int(id_)], asked.body)
            case "POST", ["orders", _, "notes"]:
                if self.dies_before_note:
                    return Answer({}, 502)
                self.notes.append(asked.body)
                self.mails += asked.body["customer_note"]
                return Answer(asked.body, 201)
            case "OPTIONS", ["orders"]:
                status = {"type": "string", "enum": self.statuses}
                writing = {"methods": ["POST"], "args": {"status": status}}
                return Answer({"endpoints": [{"methods": ["GET"], "args": {}}, writing]})
            case _, ["orders", id_, "fulfillments", *which]:
                return self._fulfil(asked, int(id_), which)
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

    def _change(self, row: Json, body: Json) -> Answer:
        if body.get("status", "pending") not in self.statuses:
            message = "Invalid parameter(s): status"
            return Answer({"code": "rest_invalid_param", "message": message}, 400)
        for meta in body.pop("meta_data", ()):
            self._put_meta(row, meta)
        if body or self.has_own_tables:
            row["date_modified_gmt"] = NOW.replace(tzinfo=None).isoformat()
        row.update(body)
        return Answer(row)

    @staticmethod
    def _put_meta(row: Json, meta: Json) -> None:
        row["meta_data"] = [one for one in row["meta_data"] if one["key"] != meta["key"]]
        row["meta_data"].append(meta)

    def _fulfil(self, asked: Asked, id_: int, which: list[str]) -> Answer:
        if self.fulfillments is None:
            message = "No route was found matching the URL and request method."
            return Answer({"code": "rest_no_route", "message": message}, 404)
        rows = self.fulfillments.setdefault(id_, [])
        if asked.method == "GET":
            return Answer(rows)
        self.mails += asked.query["notify_customer"] == "true"
        if which:
            changed = next(row for row in rows if row["id"] == int(which[0]))
            changed.update(asked.body)  # meta data that is not named again is removed
        else:
            changed = {"id": 70 + len(rows), "date_deleted": None, **asked.body}
            rows.append(changed)
        whole = {"key": "_fulfillment_status", "value": "partially_fulfilled"}
        self._put_meta(self.orders[id_], whole)
        return Answer(changed, 200 if which else 201)


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


def report_of(stop_id: str, step: Step, quantity: int = 0, **fields: Json) -> Report:
    items = [ReportedItem(sku="BOX", name="Veg box", quantity=quantity)] if quantity else []
    return Report(stop_id=stop_id, step=step, happened_at=NOW, items=items, **fields)


def items_of(fulfillment: Json) -> Json:
    return next(one["value"] for one in fulfillment["meta_data"] if one["key"] == "_items")


def test_an_order_is_completed_when_the_last_part_has_arrived(
    shop: tuple[Shop, Storefront],
) -> None:
    made, storefront = shop
    made.orders[13] = order(13)
    first, second = (report_of(f"rst-{n}", Step.DELIVERED, n) for n in (2, 1))
    assert storefront.report("13", first).remark
    assert made.orders[13]["status"] == "processing"
    # What was a mistake has not arrived.
    storefront.report("13", replace(first, step=Step.CORRECTED))
    assert storefront.report("13", second).remark
    assert made.orders[13]["status"] == "processing"
    again = replace(first, happened_at=NOW + timedelta(minutes=5))
    assert not storefront.report("13", again).remark
    assert made.orders[13]["status"] == "completed"
    storefront.report("13", replace(again, step=Step.CORRECTED))
    assert made.orders[13]["status"] == "processing"
    made.orders[13]["status"] = "cancelled"
    with pytest.raises(Refused, match="is cancelled in the shop"):
        storefront.report("13", replace(second, stop_id="rst-3"))


def test_a_shop_s_own_statuses_are_set_where_it_has_them() -> None:
    made = Shop()
    made.orders[13] = order(13)
    made.statuses += ["on-the-road"]
    with serve(made.answer) as address:
        storefront = connect(
            address, out_for_delivery_status="on-the-road", attempted_status="nobody-home"
        )
        missing = storefront.check()[1]
        assert (missing.subject, missing.is_good) == ("status nobody-home", False)
        assert "processing" in missing.message
        storefront.report("13", report_of("rst-1", Step.OUT_FOR_DELIVERY))
        assert made.orders[13]["status"] == "on-the-road"
        (found,) = storefront.get(["13"])
        assert (found.draft.state, found.is_wanted) == (StoreOrderState.OPEN, True)
        answer = storefront.report("13", report_of("rst-1", Step.ATTEMPTED))
        assert answer.remark == 'the shop has no status "nobody-home"'
        assert made.orders[13]["status"] == "on-the-road"
        assert not connect(address, out_for_delivery_status="on-the-road").check()[1:]


@pytest.mark.parametrize("step", [Step.OUT_FOR_DELIVERY, Step.ATTEMPTED])
@pytest.mark.parametrize(
    ("status", "expected", "remark"),
    [
        ("processing", "under-way", ""),
        ("picked", "under-way", ""),
        ("under-way", "under-way", ""),
        ("tried", "under-way", ""),
        ("completed", "completed", 'the order is "completed" in the shop, and stays so'),
        ("on-hold", "on-hold", 'the order is "on-hold" in the shop, and stays so'),
    ],
)
def test_a_status_that_was_set_in_the_shop_is_not_taken_back(
    step: Step, status: str, expected: str, remark: str
) -> None:
    made = Shop()
    made.orders[13] = order(13, status=status)
    made.statuses += ["picked", "under-way", "tried"]
    ours = {"out_for_delivery_status": "under-way", "attempted_status": "tried"}
    if step is Step.ATTEMPTED:
        ours = {"out_for_delivery_status": "tried", "attempted_status": "under-way"}
    with serve(made.answer) as address:
        storefront = connect(address, statuses=("processing", "picked"), **ours)
        answer = storefront.report("13", report_of("rst-1", step))
    assert (made.orders[13]["status"], answer.remark) == (expected, remark)
    assert len(made.notes) == 1


@pytest.mark.parametrize("has_own_tables", [False, True], ids=["classic", "own tables"])
def test_what_the_shop_is_told_is_no_news_of_the_order(*, has_own_tables: bool) -> None:
    made = Shop(has_own_tables=has_own_tables)
    made.orders[13] = order(13)
    with serve(made.answer) as address:
        storefront = connect(address)
        (before,) = storefront.get(["13"])
        report = report_of("rst-1", Step.OUT_FOR_DELIVERY, tracking_url="https://t/1")
        storefront.report("13", report)
        assert storefront.report("13", report).was_known
        (after,) = storefront.get(["13"])
        assert after.draft == before.draft
        assert (after.updated_at > before.updated_at) == has_own_tables
        # A date that is written later is seen by reading the order again, in both modes.
        picked = {"key": "_delivery_date", "value": "2026-11-30"}
        made._change(made.orders[13], {"meta_data": [picked]})
        (moved,) = storefront.get(["13"])
        assert moved.draft.delivery_date == Date(year=2026, month=11, day=30)


def test_what_leaves_is_a_fulfilment_where_the_shop_has_those() -> None:
    made = Shop(has_fulfillments=True)
    made.orders[13] = order(13)
    made.orders[13]["line_items"].append({"id": 6, "name": "Eggs", "sku": "EGG", "quantity": 1})
    with serve(made.answer) as address:
        storefront = connect(address, notifies_customer=True)
        out = report_of("rst-1", Step.OUT_FOR_DELIVERY, 2, tracking_url="https://t/1")
        made.dies_before_note = True
        with pytest.raises(Busy):
            storefront.report("13", out)
        made.dies_before_note = False
        done = storefront.report("13", report_of("rst-1", Step.DELIVERED, 2))
        assert done.fulfillment_id == "70"
        assert made.fulfillments is not None
        (first,) = made.fulfillments[13]
        assert first["is_fulfilled"]
        assert items_of(first) == [{"item_id": 5, "qty": 2}]
        meta = {one["key"]: one["value"] for one in first["meta_data"]}
        assert (meta["_tracking_number"], meta["_tracking_url"]) == ("rst-1", "https://t/1")
        (found,) = storefront.get(["13"])
        assert [(one.quantity, one.fulfilled_quantity) for one in found.draft.items] == [
            (3, 2),
            (1, 0),
        ]
        # All that is left goes with a stop that names nothing.
        assert storefront.report("13", report_of("rst-2", Step.OUT_FOR_DELIVERY)).fulfillment_id
        assert items_of(made.fulfillments[13][1]) == [
            {"item_id": 5, "qty": 1},
            {"item_id": 6, "qty": 1},
        ]
        assert made.mails == 2, "one for each that left, by the fulfilment and not by the note"
        late = storefront.report("13", report_of("rst-3", Step.OUT_FOR_DELIVERY, 1))
        assert late.remark == "it was fulfilled in the shop already"
        assert len(made.fulfillments[13]) == 2


def test_what_somebody_made_ready_in_the_shop_is_sent_rather_than_made_twice() -> None:
    made = Shop(has_fulfillments=True)
    made.orders[13] = order(13)
    items = {"key": "_items", "value": [{"item_id": 5, "qty": 3}]}
    draft = {"id": 9, "is_fulfilled": False, "date_deleted": None, "meta_data": [items]}
    gone = {**draft, "id": 8, "date_deleted": "2026-11-23T00:00:00Z"}
    made.fulfillments = {13: [gone, draft]}
    with serve(made.answer) as address:
        answer = connect(address).report("13", report_of("rst-1", Step.OUT_FOR_DELIVERY, 3))
    assert (answer.fulfillment_id, answer.remark) == ("9", "")
    assert made.fulfillments[13][1]["is_fulfilled"]
    assert items_of(made.fulfillments[13][1]) == items["value"]
    assert made.mails == 0


@pytest.mark.parametrize(
    ("present", "remark"),
    [
        ([{"id": 9, "is_fulfilled": True, "date_deleted": None, "meta_data": []}],
         "it was fulfilled in the shop already"),
        ([], "the order has no such items to fulfil"),
    ],
)  # fmt: skip
def test_the_note_is_the_mail_where_no_fulfilment_is_made(present: Json, remark: str) -> None:
    made = Shop(has_fulfillments=True)
    made.orders[13] = order(13, line_items=[])
    made.fulfillments = {13: present}
    with serve(made.answer) as address:
        storefront = connect(address, notifies_customer=True)
        answer = storefront.report("13", report_of("rst-1", Step.OUT_FOR_DELIVERY, 3))
    assert answer.remark == remark
    assert [one["customer_note"] for one in made.notes] == [True]
    assert made.mails == 1


def test_a_refusal_says_how_the_connection_is_put_right() -> None:
    with serve(Shop().answer) as address, pytest.raises(Unauthorized) as refused:
        connect(address, "wrong").get(["13"])
    assert refused.value.remedy == (
        "Check the credentials and what they are allowed: give the connection others, "
        "or resume it where these were put right in the shop."
    )


def test_keys_over_a_connection_that_is_not_encrypted_get_the_remedy() -> None:
    with serve(Shop().answer) as address:
        (finding,) = connect(address, "wrong").check()
    assert finding.remedy == "WooCommerce takes keys over TLS alone: give an https:// address."


def test_hooks_are_made_once_and_woken(shop: tuple[Shop, Storefront]) -> None:
    made, storefront = shop
    for _ in range(2):
        assert storefront.subscribe("https://roundsman.test/hooks", "secret")
    assert len(made.hooks) == 4
    made.hooks[1]["status"] = "disabled"
    storefront.subscribe("https://roundsman.test/hooks", "secret")
    assert {one["status"] for one in made.hooks} == {"active"}
