"""Workers are killed between the answer of a running Vendure and our commit: one fulfilment each.

A proxy stands before the shop. It passes a change on, waits until the shop has acted, and then
kills whoever asked instead of answering.
"""

import json
import os
import random
import signal
import urllib.request
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.acceptance.shop_workers import (
    count_orders,
    count_reports,
    make_request,
    opened,
    start_worker,
)
from tests.storefronts.running_vendure import IS_INSTALLED, Vendure, run_vendure
from tests.storefronts.web_shop import Answer, Asked, serve
from tests.support.waiting import PATIENCE_SECONDS, wait_until

from roundsman.domain.address import Coordinates
from roundsman.domain.event import stop_statuses_changed
from roundsman.domain.model import UNSET
from roundsman.domain.route import Route
from roundsman.domain.route_draft import RouteDraft
from roundsman.domain.store_order import ItemSelection
from roundsman.domain.storefront import StorefrontDraft
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.routes import create_route
from roundsman.operations.store_orders import add_orders
from roundsman.operations.storefronts import connect_shop
from roundsman.operations.tools import Tools
from roundsman.storage.store_orders import find_store_orders, save_store_order
from roundsman.wire.reading import read_value

type Json = Any

ORDERS = 10
START = {"start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}
SLOWEST_KILL_SECONDS = 40
"""A claim and the delay of a report that was cut short run out before it is tried again."""

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason="npm ci in tests/storefronts/vendure installs it"),
]


class KillingProxy:
    """Passes on what is asked of a shop, and kills workers after some of its changes."""

    def __init__(self, shop: Vendure, workers: list[ForkServerProcess], kills: int) -> None:
        self.shop, self.workers, self.left = shop, workers, kills
        self.draw = random.Random(7)  # noqa: S311 -- a test's draw
        self.killed: list[str] = []
        self.may_kill = False

    def pass_on(self, asked: Asked) -> Answer:
        request = urllib.request.Request(  # noqa: S310 -- on this machine
            self.shop.address + asked.path,
            data=json.dumps(asked.body).encode(),
            headers={
                "Content-Type": "application/json",
                "vendure-api-key": asked.headers["vendure-api-key"],
            },
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 -- the same
            said = json.load(answer)
        is_change = asked.body["query"].startswith("mutation")
        if self.may_kill and is_change and self.left and self.draw.random() < 0.8:
            self.left -= 1
            self.killed.append(asked.body["query"].partition("{")[0])
            for worker in self.workers:
                if worker.is_alive() and worker.pid is not None:
                    os.kill(worker.pid, signal.SIGKILL)
            for worker in self.workers:
                worker.join(PATIENCE_SECONDS)
        return Answer(said)


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.full)])
def test_each_order_is_fulfilled_once(database_url: str, tmp_path: Path, kills: int) -> None:
    (tmp_path / "shop").mkdir()
    workers: list[ForkServerProcess] = []
    with (
        run_vendure(tmp_path / "shop") as shop,
        opened(database_url, tmp_path, is_served=False) as tools,
    ):
        orders = [shop.order(2, "2026-11-25") for _ in range(max(ORDERS, kills // 2))]
        proxy = KillingProxy(shop, workers, kills)
        with serve(proxy.pass_on) as address:
            request = make_request(tools)
            connect(tools, request, address, shop.key)
            start = partial(start_worker, database_url, tmp_path, is_served=False)
            workers.append(start())
            try:
                wait_until(lambda: count_orders(tools) == len(orders))
                proxy.may_kill = True
                deliver(tools, request, orders)

                def is_done() -> bool:
                    workers[:] = [one if one.is_alive() else start() for one in workers]
                    return count_reports(tools)["REPORTED"] == 2 * len(orders)

                wait_until(is_done, PATIENCE_SECONDS + SLOWEST_KILL_SECONDS * kills, every=0.2)
            finally:
                for worker in workers:
                    worker.kill()
        assert len(proxy.killed) == kills
        query = (
            "query($i: ID!) { order(id: $i) { state fulfillments { state lines { quantity } } } }"
        )
        once = {"state": "Delivered", "fulfillments": [
            {"state": "Delivered", "lines": [{"quantity": 2}]}
        ]}  # fmt: skip
        assert [shop.admin(query, i=one)["order"] for one in orders] == [once] * len(orders)


def connect(tools: Tools, request: Request, address: str, key: str) -> None:
    body = {"platform": "VENDURE", "address": address, "credentials": {"apiKey": key}}
    connect_shop(tools, request, read_value(body, StorefrontDraft))


def deliver(tools: Tools, request: Request, orders: list[str]) -> None:
    """Put all orders on a route, start it, and deliver every stop."""
    here = Coordinates(latitude=39.3, longitude=-76.6)
    owner = request.organization_id
    with tools.database.writing() as tx:
        for order in find_store_orders(tx, owner, orders).values():
            save_store_order(tx, owner, replace(order, coordinates=here), tools.clock.now())
    route_id = create_route(tools, request, read_value(START, RouteDraft)).route.id
    add_orders(tools, request, route_id, [(one, ItemSelection.ALL) for one in orders])
    now = tools.clock.now()

    def delivered(route: Route) -> Route:
        return replace(route, stops=tuple(one.delivered(now, UNSET) for one in route.stops))

    for change in (lambda route: route.started(now, now), delivered):
        change_route(tools, request, route_id, change, happened=stop_statuses_changed)
