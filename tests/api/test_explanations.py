"""Whoever asks why a stop is late is told, in data and in a sentence."""

from tests.api.conftest import World
from tests.api.test_days import start_on_the_road
from tests.api.test_routes import add, create_route, import_line


def test_a_stop_says_why_it_is_late(world: World) -> None:
    window = [{"start": {"hours": 8}, "end": {"hours": 8, "minutes": 30}}]
    route = create_route(world, scheduledFor="2024-07-01T12:00:00Z")
    add(world, route, import_line(world, 1, duration="1800s", orderName="#1"))
    add(world, route, import_line(world, 2, timeWindows=window, orderName="#2"))
    start_on_the_road(world, route)
    stop = world.client.get(f"/routes/{route}").json()["stops"][1]
    answer = world.client.get(f"/routes/{route}/stops/{stop['id']}/explanation")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["plannedArrival"] == found["updatedArrival"] == stop["plannedArrival"]
    assert (found["delaySeconds"], found["delays"]) == (0, [])
    assert found["latenessSeconds"] == -found["plannedSlackSeconds"] > 0
    assert {part["kind"] for part in found["plan"]} == {"TRAVEL", "SERVICE"}
    assert found["sentence"].startswith('"#2" is expected at 08:3')
    assert "The plan itself has it" in found["sentence"]


def test_only_stops_of_the_route_are_explained(world: World) -> None:
    route = create_route(world)
    path = f"/routes/{route}/stops/rst-00000000-0000-4000-8000-000000000000/explanation"
    refused = world.client.get(path)
    assert (refused.status_code, refused.json()["code"]) == (404, 5)
