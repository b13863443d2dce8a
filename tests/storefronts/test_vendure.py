"""The adapter of Vendure against a Vendure that really runs."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.storefronts.running_vendure import IS_INSTALLED, Vendure, run_vendure

from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField, StorefrontPlatform
from roundsman.domain.time_window import Date
from roundsman.kit.http import HttpClient
from roundsman.storefronts.delivery_times import read_window
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import (
    Annotation,
    Refused,
    Report,
    ReportedItem,
    ShopConnection,
    Step,
    Storefront,
    Unauthorized,
)

pytestmark = [
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason="npm ci in tests/storefronts/vendure installs it"),
]

NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def vendure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vendure]:
    with run_vendure(tmp_path_factory.mktemp("vendure")) as shop:
        yield shop


def connect(vendure: Vendure, key: str = "") -> Storefront:
    connection = ShopConnection(
        address=vendure.address,
        credentials={"apiKey": key or vendure.key},
        date_names=["deliveryDate"],
        window_names=["deliveryWindow"],
    )
    return open_storefront(StorefrontPlatform.VENDURE, connection, HttpClient("Roundsman/test"))


def box(quantity: int) -> ReportedItem:
    return ReportedItem(sku="BOX", name="Veg box", quantity=quantity)


def test_an_order_is_read_as_its_customer_wrote_it(vendure: Vendure) -> None:
    order_id = vendure.order(3, "2026-11-25")
    shop = connect(vendure)
    assert [(one.subject, one.is_good) for one in shop.check()] == [("credentials", True)]
    page = shop.changed("", LONG_AGO)
    assert page.is_last
    found = next(one for one in page.orders if one.order_id == order_id)
    assert found.is_wanted
    draft = found.draft
    assert (draft.delivery_date, draft.state) == (
        Date(year=2026, month=11, day=25),
        StoreOrderState.OPEN,
    )
    assert draft.time_windows == (read_window("13:00 - 14:00"),)
    assert [(i.name, i.sku, i.quantity, i.fulfilled_quantity) for i in draft.items] == [
        ("Veg box", "BOX", 3, 0)
    ]
    assert draft.address
    assert draft.address.one_line() == "100 Oak St, Towson, MD 21204, US"
    assert draft.contact
    assert (draft.contact.first_name, draft.contact.last_name) == ("Ann", "Lee")
    assert draft.contact.phone == "+14105550123"
    again = shop.changed(page.cursor, LONG_AGO)
    assert order_id in [one.order_id for one in again.orders], "the last two minutes come twice"
    assert [one.order_id for one in shop.get([order_id, "999"])] == [order_id]


def test_a_part_is_shipped_and_delivered_once_however_often_it_is_told(vendure: Vendure) -> None:
    order_id = vendure.order(3, "2026-11-25")
    shop = connect(vendure)
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, items=[box(2)])
    done = replace(out, step=Step.DELIVERED)
    answers = [shop.report(order_id, one) for one in (out, out, done, done)]
    assert [one.was_known for one in answers] == [False, True, False, True]
    assert len({one.fulfillment_id for one in answers}) == 1
    row = vendure.admin(
        "query($i: ID!) { order(id: $i) { state fulfillments { state trackingCode"
        " lines { quantity } } } }",
        i=order_id,
    )["order"]
    assert row["state"] == "PartiallyDelivered"
    assert row["fulfillments"] == [
        {"state": "Delivered", "trackingCode": "rst-1", "lines": [{"quantity": 2}]}
    ]
    (found,) = shop.get([order_id])
    assert found.draft.state is StoreOrderState.OPEN
    assert found.draft.items[0].fulfilled_quantity == 2
    rest = Report(stop_id="rst-2", step=Step.DELIVERED, happened_at=NOW)
    assert not shop.report(order_id, rest).was_known
    (found,) = shop.get([order_id])
    assert found.draft.state is StoreOrderState.FULFILLED
    with pytest.raises(Refused, match="nothing of order"):
        shop.report(order_id, replace(rest, stop_id="rst-3"))
    attempt = replace(rest, step=Step.ATTEMPTED, note="Nobody there")
    assert [shop.report(order_id, attempt).was_known for _ in range(2)] == [False, True]
    again = replace(attempt, happened_at=NOW + timedelta(hours=1))
    assert not shop.report(order_id, again).was_known


def test_what_nobody_took_is_delivered_with_the_stop_that_brings_it_again(vendure: Vendure) -> None:
    order_id = vendure.order(2, "2026-11-25")
    shop = connect(vendure)
    out = Report(stop_id="rst-1", step=Step.OUT_FOR_DELIVERY, happened_at=NOW, items=[box(2)])
    shop.report(order_id, out)
    shop.report(order_id, replace(out, step=Step.ATTEMPTED))
    later = NOW + timedelta(days=1)
    again = replace(out, stop_id="rst-2", attempted_stop_ids=["rst-1"], happened_at=later)
    done = replace(again, step=Step.DELIVERED)
    answers = [shop.report(order_id, one).was_known for one in (again, again, done, done)]
    assert answers == [False, True, False, True]
    row = vendure.admin(
        "query($i: ID!) { order(id: $i) { state fulfillments { state trackingCode } } }",
        i=order_id,
    )["order"]
    assert row == {
        "state": "Delivered",
        "fulfillments": [{"state": "Delivered", "trackingCode": "rst-1"}],
    }


def test_a_key_that_lets_nobody_in_is_said_so(vendure: Vendure) -> None:
    shop = connect(vendure, "not-a-key")
    (finding,) = shop.check()
    assert not finding.is_good
    with pytest.raises(Unauthorized):
        shop.get(["1"])


def test_custom_fields_that_the_shop_has_are_written_and_others_refused(vendure: Vendure) -> None:
    order_id = vendure.order(1, "2026-11-25")
    shop = connect(vendure)
    fields: dict[OrderField, str] = {name: f"a {name.value}" for name in OrderField}
    del fields[OrderField.DRIVER]
    for _ in range(2):
        shop.annotate(order_id, Annotation(fields=fields))
    shop.annotate(order_id, Annotation(fields={OrderField.ROUTE: "North"}))
    row = vendure.admin(
        "query($i: ID!) { order(id: $i) { customFields { deliveryDate roundsmanRoute"
        " roundsmanStopNumber roundsmanTrackingUrl } } }",
        i=order_id,
    )["order"]
    assert row["customFields"] == {
        "deliveryDate": "2026-11-25",
        "roundsmanRoute": "North",
        "roundsmanStopNumber": "a STOP_NUMBER",
        "roundsmanTrackingUrl": "a TRACKING_URL",
    }
    with pytest.raises(Refused, match="roundsmanDriver"):
        shop.annotate(order_id, Annotation(fields={OrderField.DRIVER: "Dana"}))
