"""Workers are killed between answers of a running Vendure and our commits: one fulfilment each."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.killing_proxy import KillingProxy, deliver_under_kills
from tests.storefronts.running_vendure import IS_INSTALLED, run_vendure

type Json = Any

ORDERS = 4

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason="npm ci in tests/storefronts/vendure installs it"),
]


def describe_connection(key: str, address: str) -> Json:
    return {"platform": "VENDURE", "address": address, "credentials": {"apiKey": key}}


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.full)])
def test_each_order_is_fulfilled_once(database_url: str, tmp_path: Path, kills: int) -> None:
    (tmp_path / "shop").mkdir()
    with run_vendure(tmp_path / "shop") as shop:
        orders = [shop.order(2, "2026-11-25") for _ in range(max(ORDERS, kills // 2))]
        proxy = KillingProxy(shop.address, "vendure-api-key", kills, 0.8)
        connection = partial(describe_connection, shop.key)
        deliver_under_kills(database_url, tmp_path, proxy, len(orders), connection)
        assert len(proxy.killed) == kills
        query = (
            "query($i: ID!) { order(id: $i) { state fulfillments { state lines { quantity } } } }"
        )
        once = {"state": "Delivered", "fulfillments": [
            {"state": "Delivered", "lines": [{"quantity": 2}]}
        ]}  # fmt: skip
        assert [shop.admin(query, i=one)["order"] for one in orders] == [once] * len(orders)
