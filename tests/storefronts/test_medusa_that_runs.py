"""The adapter of Medusa against a Medusa that runs: it keeps to what the fake of it claims."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.storefronts.running_medusa import HOW_TO_INSTALL, IS_INSTALLED, Medusa, run_medusa

from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField, StorefrontPlatform
from roundsman.kit.http import HttpClient
from roundsman.storefronts.platforms import open_storefront
from roundsman.storefronts.port import (
    Annotation,
    OrderLocked,
    Refused,
    Report,
    ReportedItem,
    ShopConnection,
    Step,
    Storefront,
)
from roundsman.storefronts.reading import instant, iso

pytestmark = [
    pytest.mark.full,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason=HOW_TO_INSTALL),
]

NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
DAY = "2026-11-25"


@pytest.fixture(scope="module")
def medusa(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Medusa]:
    with run_medusa(tmp_path_factory.mktemp("medusa")) as shop:
        yield shop


@pytest.fixture
def storefront(medusa: Medusa) -> Storefront:
    connection = ShopConnection(address=medusa.address, credentials={"apiKey": medusa.key})
    return open_storefront(StorefrontPlatform.MEDUSA, connection, HttpClient("Roundsman/test"))


def delivered(stop_id: str, quantity: int = 0) -> Report:
    box = ReportedItem(sku="BOX", name="Veg box - S", quantity=quantity)
    items = [box] if quantity else []
    return Report(stop_id=stop_id, step=Step.DELIVERED, happened_at=NOW, items=items)


def test_what_came_back_does_not_hide_what_is_left(medusa: Medusa, storefront: Storefront) -> None:
    order_id = medusa.order(3, DAY)
    storefront.report(order_id, delivered("rst-1", 2))
    medusa.take_back(order_id, 1)
    (found,) = storefront.get([order_id])
    assert found.draft.state is StoreOrderState.OPEN
    (left,) = found.draft.items
    assert (left.name, left.quantity, left.fulfilled_quantity) == ("Veg box - S", 3, 2)
    assert not storefront.report(order_id, delivered("rst-2")).was_known
    (found,) = storefront.get([order_id])
    assert found.draft.state is StoreOrderState.FULFILLED
    with pytest.raises(Refused, match="nothing of the order"):
        storefront.report(order_id, delivered("rst-3"))


def test_an_order_that_is_paid_later_arrives_then(medusa: Medusa, storefront: Storefront) -> None:
    order_id = medusa.order_unpaid(1)
    (unpaid,) = storefront.get([order_id])
    assert not unpaid.is_wanted
    changed_at = instant(medusa.find_order(order_id)["updated_at"])
    medusa.pay(order_id)
    assert instant(medusa.find_order(order_id)["updated_at"]) == changed_at
    page = storefront.changed(iso(changed_at + timedelta(milliseconds=1)), NOW)
    assert (order_id, True) in [(one.order_id, one.is_wanted) for one in page.orders]


def test_a_report_waits_while_somebody_edits_the_order(
    medusa: Medusa, storefront: Storefront
) -> None:
    order_id = medusa.order(1, DAY)
    medusa.admin("/order-edits", {"order_id": order_id})
    with pytest.raises(OrderLocked, match="has not confirmed"):
        storefront.report(order_id, delivered("rst-1"))
    medusa.admin(f"/order-edits/{order_id}/confirm", {})
    assert not storefront.report(order_id, delivered("rst-1")).was_known


def test_lines_that_need_no_shipping_are_on_no_stop(medusa: Medusa, storefront: Storefront) -> None:
    order_id = medusa.order(1, DAY, recipes=1)
    (found,) = storefront.get([order_id])
    assert [one.name for one in found.draft.items] == ["Veg box - S"]
    assert found.remarks == ('"Recipes - PDF" needs no shipping in the shop, and is on no stop',)
    assert not storefront.report(order_id, delivered("rst-1")).was_known
    (found,) = storefront.get([order_id])
    assert found.draft.state is StoreOrderState.FULFILLED


def test_a_stop_carries_what_the_shop_has_fulfilled_itself(
    medusa: Medusa, storefront: Storefront
) -> None:
    order_id = medusa.order(2, DAY)
    medusa.fulfil(order_id)
    done = delivered("rst-1", 2)
    out = replace(done, step=Step.OUT_FOR_DELIVERY)
    answers = [storefront.report(order_id, one).was_known for one in (out, done, done)]
    assert answers == [True, False, True]
    row = medusa.find_order(order_id)
    assert [bool(one["delivered_at"]) for one in row["fulfillments"]] == [True]
    assert row["items"][0]["detail"]["delivered_quantity"] == 2


def test_what_nobody_took_is_delivered_with_the_stop_that_brings_it_again(
    medusa: Medusa, storefront: Storefront
) -> None:
    order_id = medusa.order(2, DAY)
    out = replace(delivered("rst-1", 2), step=Step.OUT_FOR_DELIVERY)
    storefront.report(order_id, out)
    storefront.report(order_id, replace(out, step=Step.ATTEMPTED))
    later = NOW + timedelta(days=1)
    again = replace(out, stop_id="rst-2", attempted_stop_ids=["rst-1"], happened_at=later)
    done = replace(again, step=Step.DELIVERED)
    answers = [storefront.report(order_id, one).was_known for one in (again, again, done, done)]
    assert answers == [False, True, False, True]
    row = medusa.find_order(order_id)
    assert [bool(one["delivered_at"]) for one in row["fulfillments"]] == [True]
    assert row["items"][0]["detail"]["delivered_quantity"] == 2
    (found,) = storefront.get([order_id])
    assert found.is_delivered


def test_an_attempt_is_written_into_the_metadata_once(
    medusa: Medusa, storefront: Storefront
) -> None:
    order_id = medusa.order(1, DAY)
    attempt = replace(delivered("rst-1", 1), step=Step.ATTEMPTED)
    assert [storefront.report(order_id, attempt).was_known for _ in range(2)] == [False, True]
    assert medusa.find_order(order_id)["metadata"]["Delivery Date"] == DAY
    medusa.admin(f"/orders/{order_id}/cancel", {})
    (found,) = storefront.get([order_id, "order_none"])
    assert found.draft.state is StoreOrderState.CANCELLED


def test_what_is_written_into_an_order_leaves_its_own_metadata_alone(
    medusa: Medusa, storefront: Storefront
) -> None:
    order_id = medusa.order(1, DAY)
    fields = {OrderField.ROUTE: "North", OrderField.STOP_NUMBER: "3"}
    for _ in range(2):
        storefront.annotate(order_id, Annotation(fields=fields))
    storefront.annotate(order_id, Annotation(fields={OrderField.STOP_NUMBER: "4"}))
    metadata = medusa.find_order(order_id)["metadata"]
    assert metadata["Delivery Date"] == DAY
    assert (metadata["roundsman_route"], metadata["roundsman_stop_number"]) == ("North", "4")
    (found,) = storefront.get([order_id])
    assert not [one for one in found.draft.attributes if "roundsman" in one.key]
