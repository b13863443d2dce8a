"""Workers are killed between a shop's answer and our commit; each report has one effect."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.acceptance.shop_workers import (
    count_orders,
    count_reports,
    let_claims_run_out,
    make_request,
    opened,
    start_worker,
)
from tests.storefronts.served_shop import ServedShop, open_served_shop
from tests.support.waiting import PATIENCE_SECONDS, wait_until

from roundsman.domain.event import stop_statuses_changed
from roundsman.domain.model import UNSET
from roundsman.domain.route import Route
from roundsman.domain.route_draft import RouteDraft
from roundsman.domain.store_order import ItemSelection
from roundsman.domain.storefront import StorefrontDraft, StorefrontPlatform
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.routes import create_route
from roundsman.operations.store_orders import add_orders
from roundsman.operations.storefronts import connect_shop
from roundsman.operations.tools import Tools
from roundsman.wire.reading import read_value

ORDERS = 6
KILLS = 2
STEPS = ("OUT_FOR_DELIVERY", "DELIVERED")


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_a_report_has_one_effect_though_workers_are_killed_before_they_keep_the_answer(
    database_url: str, tmp_path: Path
) -> None:
    with open_served_shop(ORDERS) as shop, opened(database_url, tmp_path) as tools:
        request = make_request(tools)
        connect(tools, request, shop)
        start = partial(start_worker, database_url, tmp_path)
        workers = [start() for _ in range(2)]
        try:
            wait_until(lambda: count_orders(tools) == ORDERS)
            deliver(tools, request, lambda: kill_after_effects(tools, shop, workers))

            def is_done() -> bool:
                workers[:] = [one if one.is_alive() else start() for one in workers]
                return count_reports(tools)["REPORTED"] == 2 * ORDERS

            wait_until(is_done, 2 * PATIENCE_SECONDS)
        finally:
            for worker in workers:
                worker.kill()
        told = Counter((order, step) for order, _, step in shop.effects)
        orders = [f"id-{number}" for number in range(1, ORDERS + 1)]
        assert told == {(order, step): 1 for order in orders for step in STEPS}
        assert shop.asked > len(shop.effects), "no kill ever lost an answer"
        assert shop.most_at_once == 1
        for order in orders:
            steps = [step for one, _, step in shop.effects if one == order]
            assert steps == list(STEPS)


def connect(tools: Tools, request: Request, shop: ServedShop) -> None:
    body = {
        "platform": StorefrontPlatform.MEDUSA.value,
        "address": shop.address,
        "credentials": {"apiKey": "of-the-served-shop"},
    }
    connect_shop(tools, request, read_value(body, StorefrontDraft))


def deliver(tools: Tools, request: Request, before: Callable[[], None]) -> None:
    """Put all orders on a route, start it, and deliver every stop."""
    start = {"start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}
    route_id = create_route(tools, request, read_value(start, RouteDraft)).route.id
    wanted = [(str(number), ItemSelection.ALL) for number in range(1, ORDERS + 1)]
    add_orders(tools, request, route_id, wanted)
    before()
    now = tools.clock.now()

    def delivered(route: Route) -> Route:
        return replace(route, stops=tuple(one.delivered(now, UNSET) for one in route.stops))

    for change in (lambda route: route.started(now, now), delivered):
        change_route(tools, request, route_id, change, happened=stop_statuses_changed)


def kill_after_effects(tools: Tools, shop: ServedShop, workers: list[ForkServerProcess]) -> None:
    """Have the shop kill whoever asks, some times, when it has acted and not yet answered."""
    left = KILLS

    def kill() -> None:
        nonlocal left
        if not left:
            return
        left -= 1
        killed = tuple(workers)  # who waits for the orders puts new ones into the list meanwhile
        for worker in killed:
            if worker.is_alive() and worker.pid is not None:
                os.kill(worker.pid, signal.SIGKILL)
        for worker in killed:
            worker.join(PATIENCE_SECONDS)
        let_claims_run_out(tools)

    shop.after_effect = kill
