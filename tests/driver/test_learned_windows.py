"""Windows are learned from what drivers did, and a report says whether they held."""

import csv
from datetime import datetime
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, dispatch, sign_up

from roundsman.endpoints.application import Application
from roundsman.operations.arrival_learning import learn_from_days

pytestmark = pytest.mark.spec("decisions §16")

type Json = Any


def drive(world: World, device: Device, stops: int, minutes: float) -> None:
    """Drive a route; each stop is reached so long after the one before."""
    dispatch(world, device, stops=stops)
    device.done("ROUTE_STARTED")
    for number in range(stops):
        stop = device.route()["stops"][number]
        world.clock.advance(minutes=minutes)
        device.done("STOP_ARRIVED", stopId=stop["id"])
        device.done("STOP_DELIVERED", stopId=stop["id"])


def buckets(world: World, query: str = "") -> dict[int, Json]:
    answer = world.client.get(f"/reports/arrivals{query}")
    assert answer.status_code == 200, answer.text
    return {one["stopsAhead"]: one for one in answer.json()["buckets"]}


@pytest.mark.both_databases
def test_a_report_counts_what_was_shown_and_what_came(world: World, door: Application) -> None:
    device = sign_up(world, door)
    assert {one["count"] for one in buckets(world).values()} == {0}
    drive(world, device, stops=5, minutes=7)
    shown = buckets(world)
    assert [shown[ahead]["count"] for ahead in (0, 1, 3, 6, 11)] == [5, 4, 2, 0, 0]
    assert 0 <= shown[0]["held"] <= 5
    assert shown[0]["share"] == pytest.approx(shown[0]["held"] / 5)
    assert isinstance(shown[0]["medianErrorSeconds"], int)
    assert "share" not in shown[11]
    day = world.clock.now().date().isoformat()
    assert buckets(world, f"?query.from={day}&query.to={day}") == shown
    before = "?query.from=2024-06-01&query.to=2024-06-02"
    assert {one["count"] for one in buckets(world, before).values()} == {0}
    table = world.client.get("/reports/arrivals?query.format=CSV")
    assert table.headers["content-disposition"] == 'attachment; filename="arrivals.csv"'
    head, *rows = csv.reader(table.text.lstrip("\ufeff").splitlines())
    assert head == ["stopsAhead", "count", "held", "share", "medianErrorSeconds"]
    assert [row[:2] for row in rows] == [
        ["0", "5"],
        ["1", "4"],
        ["3", "2"],
        ["6", "0"],
        ["11", "0"],
    ]
    assert rows[-1][3:] == ["", ""]
    other = world.stranger.get("/reports/arrivals").json()["buckets"]
    assert {one["count"] for one in other} == {0}


def test_windows_follow_what_an_organization_has_learned(world: World, door: Application) -> None:
    device = sign_up(world, door)
    drive(world, device, stops=20, minutes=2.5)
    dispatch(world, device, stops=3)
    usual = length(device.route()["stops"][2]["arrivalWindow"])
    learn_from_days(world.tools)
    dispatch(world, device, stops=3)
    assert length(device.route()["stops"][2]["arrivalWindow"]) != usual


def length(window: Json) -> float:
    start, end = (datetime.fromisoformat(window[name]) for name in ("start", "end"))
    return (end - start).total_seconds()


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2024-02-30", "query.from"),
        ("from=yesterday", "query.from"),
        ("from=2024-07-02&query.to=2024-07-01", "query.from"),
    ],
)
def test_days_that_there_are_not_are_refused(world: World, query: str, field: str) -> None:
    refused = world.client.get(f"/reports/arrivals?query.{query}")
    assert refused.status_code == 400
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == field
