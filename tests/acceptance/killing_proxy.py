"""A proxy before a shop that kills whoever changed something there, instead of answering.

It passes a change on and waits until the shop has acted: of what was done nobody here knows. Then
the shop must be asked, and nothing done twice.
"""

import json
import os
import random
import signal
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from tests.acceptance.shop_workers import (
    count_orders,
    count_reports,
    let_claims_run_out,
    list_order_ids,
    make_request,
    opened,
    start_worker,
)
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

START = {"start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}
SLOWEST_KILL_SECONDS = 20
"""A new worker starts, and looks for what is due."""


@dataclass
class KillingProxy:
    """Passes on what is asked of a shop, and kills workers after some of its changes."""

    address: str
    """The shop's."""

    header: str
    """By which a shop lets its callers in."""

    kills: int
    share: float
    """Of the changes, while there are kills left."""

    workers: list[ForkServerProcess] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)
    """What was changed before each kill."""

    may_kill: bool = False
    after_kill: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self._draw = random.Random(7)  # noqa: S311 -- a test's draw

    def pass_on(self, asked: Asked) -> Answer:
        given = self._ask(asked)
        change = _name_change(asked)
        is_left = len(self.killed) < self.kills
        if self.may_kill and change and is_left and self._draw.random() < self.share:
            self.killed.append(change)
            for worker in self.workers:
                if worker.is_alive() and worker.pid is not None:
                    os.kill(worker.pid, signal.SIGKILL)
            for worker in self.workers:
                worker.join(PATIENCE_SECONDS)
            self.after_kill()
        return given

    def _ask(self, asked: Asked) -> Answer:
        query = f"?{urllib.parse.urlencode(asked.query)}" if asked.query else ""
        request = urllib.request.Request(  # noqa: S310 -- on this machine
            self.address + asked.path + query,
            data=None if asked.body is None else json.dumps(asked.body).encode(),
            headers={"Content-Type": "application/json", self.header: asked.headers[self.header]},
            method=asked.method,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- the same
                return Answer(json.load(answer))
        except urllib.error.HTTPError as refusal:
            return Answer(json.load(refusal), refusal.code)


def _name_change(asked: Asked) -> str:
    """Return what a request changes: by its mutation, or the end of its path; empty for a look."""
    if asked.body is None or asked.method == "GET":
        return ""
    if "query" not in asked.body:
        return asked.path.rpartition("/")[2]
    query: str = asked.body["query"]
    is_mutation = query.startswith("mutation")
    return query.partition("{")[2].partition("(")[0].strip() if is_mutation else ""


def deliver_under_kills(
    database_url: str,
    folder: Path,
    proxy: KillingProxy,
    orders: int,
    connection: Callable[[str], Json],
) -> None:
    """Deliver all orders of a shop, and wait until it knows; its proxy kills workers meanwhile.

    `connection` describes the connection to the shop, by the proxy's address.
    """
    with (
        opened(database_url, folder, is_served=False) as tools,
        serve(proxy.pass_on) as address,
    ):
        request = make_request(tools)
        connect_shop(tools, request, read_value(connection(address), StorefrontDraft))
        start = partial(start_worker, database_url, folder, is_served=False)
        workers = proxy.workers
        workers.append(start())
        try:
            wait_until(lambda: count_orders(tools) == orders)
            proxy.after_kill = partial(let_claims_run_out, tools)
            proxy.may_kill = True
            _deliver(tools, request)

            def is_done() -> bool:
                workers[:] = [one if one.is_alive() else start() for one in workers]
                return count_reports(tools)["REPORTED"] == 2 * orders

            patience = PATIENCE_SECONDS + SLOWEST_KILL_SECONDS * proxy.kills
            wait_until(is_done, patience, every=0.2)
        finally:
            for worker in workers:
                worker.kill()


def _deliver(tools: Tools, request: Request) -> None:
    """Put all orders on a route, start it, and deliver every stop."""
    here = Coordinates(latitude=39.3, longitude=-76.6)
    owner = request.organization_id
    orders = list_order_ids(tools)
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
