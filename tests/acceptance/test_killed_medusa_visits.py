"""A worker is killed between each answer of a running Medusa and our commit: fulfilled once."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.killing_proxy import KillingProxy, deliver_under_kills
from tests.storefronts.running_medusa import HOW_TO_INSTALL, IS_INSTALLED, Medusa, run_medusa

type Json = Any

ORDERS = 2
CHANGES = ("fulfillments", "shipments", "mark-as-delivered")
"""What the shop is asked to do of each order: a worker dies of every one."""

pytestmark = [
    pytest.mark.full,
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason=HOW_TO_INSTALL),
]


def describe_connection(key: str, address: str) -> Json:
    return {"platform": "MEDUSA", "address": address, "credentials": {"apiKey": key}}


def find_delivered(shop: Medusa, order_id: str) -> list[tuple[int, bool]]:
    """Return of each fulfilment of an order how many pieces it has, and whether they arrived."""
    return [
        (sum(item["quantity"] for item in one["items"]), bool(one["delivered_at"]))
        for one in shop.find_order(order_id)["fulfillments"]
    ]


def test_each_order_is_fulfilled_once(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    with run_medusa(tmp_path / "shop") as shop:
        orders = [shop.order(2, "2026-11-25") for _ in range(ORDERS)]
        proxy = KillingProxy(shop.address, "authorization", ORDERS * len(CHANGES), 1.0)
        connection = partial(describe_connection, shop.key)
        deliver_under_kills(database_url, tmp_path, proxy, ORDERS, connection)
        assert sorted(proxy.killed) == sorted(CHANGES * ORDERS)
        assert [find_delivered(shop, one) for one in orders] == [[(2, True)]] * ORDERS
