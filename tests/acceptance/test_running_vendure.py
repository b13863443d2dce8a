"""The circle with a Vendure that runs: ordered there, driven here in two parts, delivered there."""

from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.shop_circle import open_circle
from tests.storefronts.running_vendure import IS_INSTALLED, Vendure, run_vendure

type Json = Any

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason="npm ci in tests/storefronts/vendure installs it"),
]


def describe_connection(shop: Vendure) -> Json:
    return {
        "platform": "VENDURE",
        "address": shop.address,
        "credentials": {"apiKey": shop.key},
        "settings": {"deliveryDate": ["deliveryDate"], "timeWindow": ["deliveryWindow"]},
    }


def find_order(shop: Vendure, order_id: str) -> tuple[str, list[tuple[str, str, int]]]:
    """Return an order's state, and of each fulfilment the state, the code and the pieces."""
    query = (
        "query($i: ID!) { order(id: $i) { state"
        " fulfillments { state trackingCode lines { quantity } } } }"
    )
    found = shop.admin(query, i=order_id)["order"]
    fulfillments = [
        (one["state"], one["trackingCode"], sum(line["quantity"] for line in one["lines"]))
        for one in found["fulfillments"]
    ]
    return found["state"], sorted(fulfillments)


def test_an_order_is_driven_in_two_parts_and_its_shop_says_so(
    tmp_path: Path, database_url: str
) -> None:
    (tmp_path / "shop").mkdir()
    with run_vendure(tmp_path / "shop") as shop, open_circle(tmp_path, database_url) as circle:
        first, second = shop.order(3, "2026-11-25"), shop.order(1, "2026-11-25")
        circle.connect(describe_connection(shop))
        orders = {one["id"]: one for one in circle.wait_for_orders(2)}
        assert orders.keys() == {first, second}
        circle.correct(orders[first], 2)
        stop = circle.deliver(first)
        circle.wait_for_reports(stop)
        part = ("Delivered", stop["id"], 2)
        assert find_order(shop, first) == ("PartiallyDelivered", [part])
        assert find_order(shop, second) == ("PaymentSettled", [])

        circle.read_again(first, 2)
        rest = circle.deliver(first)
        circle.wait_for_reports(rest)
        both = sorted([part, ("Delivered", rest["id"], 1)])
        assert find_order(shop, first) == ("Delivered", both)
        assert find_order(shop, second) == ("PaymentSettled", [])
