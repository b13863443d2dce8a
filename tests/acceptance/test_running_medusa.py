"""The circle with a Medusa that runs: ordered there, driven here in two parts, delivered there."""

import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.shop_circle import open_circle
from tests.storefronts.running_medusa import (
    HOOK_SECRET,
    HOW_TO_INSTALL,
    IS_INSTALLED,
    Medusa,
    run_medusa,
)
from tests.storefronts.web_shop import Answer, Asked, serve
from tests.support.waiting import wait_until

type Json = Any

pytestmark = [
    pytest.mark.full,
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason=HOW_TO_INSTALL),
]


@dataclass
class HookRelay:
    """Passes hooks on to a connection that is made when the shop has started already."""

    url: str = ""
    accepted: list[str] = field(default_factory=list)
    """The events of hooks that the service has taken."""

    def pass_on(self, asked: Asked) -> Answer:
        if not self.url:
            return Answer({}, 503)
        signature = asked.headers["x-roundsman-hmac-sha256"]
        request = urllib.request.Request(  # noqa: S310 -- on this machine
            self.url,
            data=asked.raw,
            headers={
                "Content-Type": "application/json",
                "X-Roundsman-Hmac-SHA256": signature,
            },
        )
        with urllib.request.urlopen(request, timeout=30):  # noqa: S310 -- the same
            self.accepted.append(asked.body["name"])
        return Answer({})


def describe_connection(shop: Medusa) -> Json:
    return {
        "platform": "MEDUSA",
        "address": shop.address,
        "credentials": {"apiKey": shop.key, "hookSecret": HOOK_SECRET},
        "settings": {"deliveryDate": ["Delivery Date"], "timeWindow": ["Delivery Window"]},
    }


def find_quantities(shop: Medusa, order_id: str) -> dict[str, int]:
    """Return how many pieces of an order's one line were ordered, have left, and have arrived."""
    (item,) = shop.find_order(order_id)["items"]
    names = ("quantity", "fulfilled_quantity", "shipped_quantity", "delivered_quantity")
    return {name.removesuffix("_quantity"): item["detail"][name] for name in names}


def find_fulfillments(shop: Medusa, order_id: str) -> set[tuple[str, int, bool, bool]]:
    """Return of each fulfilment its stop, its pieces, and whether it was shipped and delivered."""
    return {
        (
            one["metadata"]["roundsman_stop"],
            sum(item["quantity"] for item in one["items"]),
            bool(one["shipped_at"]),
            bool(one["delivered_at"]),
        )
        for one in shop.find_order(order_id)["fulfillments"]
    }


def test_an_order_is_driven_in_two_parts_and_its_shop_says_so(
    tmp_path: Path, database_url: str
) -> None:
    (tmp_path / "shop").mkdir()
    relay = HookRelay()
    with (
        serve(relay.pass_on) as hooks,
        run_medusa(tmp_path / "shop", hooks) as shop,
        open_circle(tmp_path, database_url) as circle,
    ):
        first, second = shop.order(3, "2026-11-25"), shop.order(1, "2026-11-25")
        number, other = (str(shop.find_order(one)["display_id"]) for one in (first, second))
        circle.connect(describe_connection(shop))
        relay.url = f"{circle.http.base_url}storefronts/{circle.storefront['id']}/hooks"
        orders = {one["id"]: one for one in circle.wait_for_orders(2)}
        assert orders.keys() == {number, other}
        order = orders[number]
        assert order["deliveryDate"] == {"year": 2026, "month": 11, "day": 25}
        assert [one["start"]["hours"] for one in order["timeWindows"]] == [13]
        circle.correct(order, 2)
        stop = circle.deliver(number)
        circle.wait_for_reports(stop)
        assert find_quantities(shop, first) == {
            "quantity": 3, "fulfilled": 2, "shipped": 2, "delivered": 2
        }  # fmt: skip
        part = (stop["id"], 2, True, True)
        assert find_fulfillments(shop, first) == {part}

        circle.read_again(number, 2)
        rest = circle.deliver(number)
        circle.wait_for_reports(rest)
        assert find_quantities(shop, first) == {
            "quantity": 3, "fulfilled": 3, "shipped": 3, "delivered": 3
        }  # fmt: skip
        assert find_fulfillments(shop, first) == {part, (rest["id"], 1, True, True)}
        shop.order(1, "2026-11-26")
        circle.wait_for_orders(3)
        wait_until(lambda: "order.placed" in relay.accepted)
        assert find_quantities(shop, second) == {
            "quantity": 1, "fulfilled": 0, "shipped": 0, "delivered": 0
        }  # fmt: skip
