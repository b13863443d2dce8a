"""The demo: a route planned for today and one under way, at whatever time of day it is made."""

import io
import sys
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from PIL import Image
from sqlalchemy import inspect
from tests.api.conftest import World, inhabitants, world
from tests.api.described import DescribedClient
from tests.support.in_process import InProcessClient

from roundsman.app import make_application
from roundsman.cli.demo import FoundDemo, ensure_demo, make_demo, report_demo
from roundsman.operations.demo import Demo
from roundsman.settings import Settings

__all__ = ["inhabitants", "world"]

ZONE = ZoneInfo("America/New_York")


def signed_in(world: World, made: Demo) -> DescribedClient:
    client = DescribedClient(world.client.interface)
    client.sign_in(made.credentials.client_id, made.credentials.client_secret)
    return client


def routes_by_name(client: DescribedClient) -> dict[str, Any]:
    listed = client.get("/routes").json()["routes"]
    return {one["name"]: client.get(f"/routes/{one['id']}").json() for one in listed}


def late_stops(client: DescribedClient, route: Any) -> list[str]:
    places = client.get(f"/routes/{route['id']}/timetable").json()["places"]
    late = {one.get("stopId") for one in places if one.get("lateness", "0s") != "0s"}
    return [stop["orderName"] for stop in route["stops"] if stop["id"] in late]


def set_time(world: World, local: str) -> None:
    """Move on to the next time that clocks in the demo's zone show this."""
    now = world.clock.now().astimezone(ZONE)
    asked = datetime.strptime(local, "%H:%M:%S").time()  # noqa: DTZ007 -- a time of day has no zone
    then = datetime.combine(now.date() + timedelta(days=1), asked, ZONE)
    world.clock.advance(seconds=(then - now).total_seconds())


@pytest.mark.spec("decisions §12")
def test_one_route_is_planned_for_today_and_one_is_under_way(world: World) -> None:
    set_time(world, "13:37:00")
    made = ensure_demo(world.tools)
    assert isinstance(made, Demo)
    client = signed_in(world, made)
    routes = routes_by_name(client)
    planned, under_way = routes["Morning round"], routes["Downtown tour"]
    assert planned["id"] == made.route_id
    assert planned["optimized"]
    assert planned["start"]["status"] == "UNKNOWN"
    assert under_way["start"]["status"] == "STARTED"
    assert under_way["driver"]["firstName"] == "Dana"
    assert under_way["driver"]["status"] == "ACTIVE"
    statuses = [stop["deliveryStatus"] for stop in under_way["stops"]]
    assert {one: statuses.count(one) for one in set(statuses)} == {
        "DELIVERED": 3,
        "ATTEMPTED_DELIVERY": 1,
        "OUT_FOR_DELIVERY": 4,
    }
    assert late_stops(client, under_way) == ["Locust Point Breakfast"]


def test_a_delivery_is_proved_by_a_photo_that_can_be_opened(world: World) -> None:
    made = make_demo(world.tools)
    under_way = routes_by_name(signed_in(world, made))["Downtown tour"]
    photos = [
        photo["url"] for stop in under_way["stops"] for photo in stop["proofOfDeliveryPhotos"]
    ]
    assert len(photos) == len(set(photos)) == 3
    front = make_application(Settings(), world.tools)
    browser = InProcessClient(front, base_url="https://roundsman.test")
    led = browser.get(photos[0].removeprefix(world.tools.address.url))
    answer = browser.get(led.headers["Location"])
    assert answer.headers["Content-Type"] == "image/jpeg"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (480, 360)
    front.close()


@pytest.mark.parametrize("local", ["00:00:07", "00:04:00", "01:10:30", "23:59:59"])
def test_the_day_is_todays_and_one_stop_is_late_at_any_hour(world: World, local: str) -> None:
    set_time(world, local)
    made = make_demo(world.tools)
    client = signed_in(world, made)
    routes = routes_by_name(client)
    for route in routes.values():
        leaves = datetime.fromisoformat(route["scheduledFor"])
        assert leaves.astimezone(ZONE).date() == world.clock.now().astimezone(ZONE).date()
    assert len(late_stops(client, routes["Downtown tour"])) == 1
    photos = [
        datetime.fromisoformat(photo["createdAt"])
        for stop in routes["Downtown tour"]["stops"]
        for photo in stop["proofOfDeliveryPhotos"]
    ]
    assert len(photos) == 3
    assert max(photos) <= world.clock.now()


def test_run_again_it_changes_nothing_and_says_what_is_there(world: World) -> None:
    first = ensure_demo(world.tools)
    assert isinstance(first, Demo)
    with world.tools.database.reading() as tx:
        tables = inspect(tx).get_table_names()
    before = {table: world.count(table) for table in tables}
    second = ensure_demo(world.tools)
    assert second == FoundDemo(
        organization_id=first.organization_id,
        routes=("Downtown tour: 4 of 8 stops done", "Morning round: 0 of 12 stops done"),
    )
    assert {table: world.count(table) for table in tables} == before


@pytest.mark.parametrize(
    ("started_as", "called"),
    [
        ("/srv/bin/roundsman", "/srv/bin/roundsman"),
        ("/srv/roundsman/__main__.py", f"{sys.executable} -m roundsman"),
    ],
)
def test_the_command_that_it_names_can_be_typed(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    started_as: str,
    called: str,
) -> None:
    monkeypatch.setattr(sys, "argv", [started_as, "serve", "--demo"])
    report_demo(FoundDemo(organization_id="demo-1", routes=()), "http://127.0.0.1", None)
    assert f"  {called} credentials create --organization demo-1 " in capsys.readouterr().out
