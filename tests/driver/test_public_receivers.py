"""Receivers as they are found in public take the events of a long route, once they are thin."""

import asyncio
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_store_orders import push
from tests.driver.device import sign_up
from tests.support.in_process import InProcessClient
from tests.webhooks.order_book import OrderBook

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application, make_webhook_delivery
from roundsman.domain.topics import Topic
from roundsman.endpoints.application import Application
from roundsman.operations.signing_secrets import read_secrets
from roundsman.settings import Settings
from roundsman.workers.webhook_delivery import WebhookDelivery

PROGRAM = Path(__file__).parents[1] / "webhooks" / "express_like.mjs"
TOPICS = [topic.value for topic in Topic if topic is not Topic.STOP_UPDATED]
ORDERS = ["1001", "1002", "1003"]
STOPS = 200
START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


@contextmanager
def express_like(secret: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    with subprocess.Popen(  # noqa: S603 -- our own program
        [node, str(PROGRAM)], env={"WEBHOOK_SECRET": secret}, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}", process
        finally:
            process.terminate()


def import_many(world: World) -> list[str]:
    stops = [
        {
            "coordinates": {"latitude": 39.2 + n % 20 / 200, "longitude": -76.7 + n // 20 / 100},
            "contact": {"firstName": "Ann", "phone": "+14105550123"},
            "items": [{"name": "Box", "quantity": 1, "grams": 500}],
            "orderName": f"#{n}",
        }
        for n in range(STOPS)
    ]
    answer = world.client.post("/stops/imports", stops)
    assert answer.status_code == 200, answer.text
    return [stop["id"] for stop in answer.json()["stops"]]


def drive_a_day(world: World, door: Application) -> None:
    """Import, route, reoptimize, dispatch, start, and deliver the shop's orders."""

    def call(method: str, path: str, body: Any) -> Any:
        answer = world.client.send(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    device = sign_up(world, door)
    ids = import_many(world)
    for order in ORDERS:
        push(world, order)
    route = call("POST", "/routes", {"start": START, "driverId": device.driver_id})["id"]
    call("POST", f"/routes/{route}/stops", [{"importedStopId": id_} for id_ in ids])
    call("POST", f"/routes/{route}/store-orders", [{"storeOrderId": order} for order in ORDERS])
    call("POST", f"/routes/{route}/reoptimize", {})
    stops = call("POST", f"/routes/{route}/dispatch", {})["stops"]
    device.route_id = route
    device.done("ROUTE_STARTED")
    for order in ORDERS[:2]:
        (stop,) = [one["id"] for one in stops if one["storeOrderId"] == order]
        device.done("STOP_DELIVERED", stopId=stop, position=START["coordinates"])


@pytest.mark.spec("decisions §19")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_event_of_a_long_route_is_taken_thin_and_refused_full(
    world: World, door: Application, tmp_path: Path
) -> None:
    settings = Settings(
        data=tmp_path,
        webhook_allow=(ip_network("127.0.0.0/8"),),
        event_header_alias="X-Example",
        store_field_alias="example",
    )
    interface = make_application(settings, world.tools)
    client = InProcessClient(
        interface, base_url=f"https://roundsman.test{BASE_PATH}", headers=world.client.headers
    )
    with world.tools.database.reading() as tx:
        slug = tx.exec_driver_sql(
            "SELECT id FROM organizations WHERE name = 'Acme Foods'"
        ).scalar_one()
    secret = read_secrets(world.tools, slug).current
    book = OrderBook(secret, lambda path: client.get(path).json())
    with express_like(secret) as (node, process), book.listening() as shop:
        for url, payload in ((f"{node}/thin", "THIN"), (f"{node}/full", "FULL"), (shop, "THIN")):
            body = {"url": url, "topics": TOPICS, "payload": payload}
            assert world.client.post("/webhooks", body).status_code == 200
        drive_a_day(world, door)
        told = Counter(world.topics())
        world.clock.advance(seconds=1)
        delivery = make_webhook_delivery(settings, world.tools)
        assert isinstance(delivery, WebhookDelivery)
        asyncio.run(delivery.send_due())
        process.terminate()
        assert process.stdout is not None
        lines = [line.split() for line in process.stdout]
    interface.close()

    del told["STOP_UPDATED"]  # includes the other topic of stops, so nobody asked for it
    events = told.total()
    with_stops = events - STOPS - told["ROUTE_CREATED"] - told["DRIVER_ADDED"]
    assert told["STOP_STATUS_UPDATED"] == STOPS + len(ORDERS) + 2
    assert (
        with_stops == told["STOP_STATUS_UPDATED"] + 5
    )  # added twice, ordered, dispatched, started
    answers = Counter((path, status) for path, status, _ in lines)
    assert answers == {
        ("/thin", "200"): events,
        ("/full", "200"): events - with_stops,
        ("/full", "413"): with_stops,
    }
    assert Counter(book.answers) == {200: events}
    assert book.statuses == {"1001": "DELIVERED", "1002": "DELIVERED", "1003": "OUT_FOR_DELIVERY"}
