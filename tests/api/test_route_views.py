"""What boards and maps show of a route beside the route itself."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_roads_come_back import Returning, driven, roads

from roundsman.wire.v2024_07.route_headers import ESTIMATED

__all__ = ["driven", "roads"]

BALTIMORE = {"latitude": 39.29, "longitude": -76.61}
NEAR = {"latitude": 39.3, "longitude": -76.6}
CHICAGO = {"latitude": 41.88, "longitude": -87.63}


def create(world: World, **route: Any) -> str:
    """Return the path of a route from Baltimore over a stop, waiting there, to Chicago."""
    termini = {"start": {"coordinates": BALTIMORE}, "end": {"coordinates": CHICAGO}}
    path = f"/routes/{world.client.post('/routes', {**termini, **route}).json()['id']}"
    late_morning = {"start": {"hours": 9, "minutes": 30}, "end": {"hours": 12}}
    stop = {
        "clientStopId": "a",
        "coordinates": NEAR,
        "duration": "300s",
        "timeWindows": [late_morning, {"start": {"hours": 8}, "end": {"hours": 8}}],
    }
    world.client.post("/stops/imports", [stop])
    assert world.client.post(f"{path}/stops", [{"clientStopId": "a"}]).status_code == 200
    return path


def test_a_timetable_says_arrival_waiting_and_departure_by_the_clocks_of_each_place(
    world: World,
) -> None:
    path = create(world, scheduledFor="2024-07-01T09:00:00-04:00")
    route = world.client.get(path).json()
    answer = world.client.get(f"{path}/timetable")
    start, stop, end = answer.json()["places"]
    assert start == {
        "stopId": "",
        "timezone": "America/New_York",
        "departure": "2024-07-01T13:00:00Z",
    }
    assert stop["stopId"] == route["stops"][0]["id"]
    assert stop["arrival"] == route["stops"][0]["plannedArrival"] == "2024-07-01T13:03:35Z"
    assert stop["waiting"] == f"{26 * 60 + 25}s"  # until 9:30 by the stop's own clocks
    assert stop["departure"] == "2024-07-01T13:35:00Z"
    assert (end["stopId"], end["timezone"]) == ("", "America/Chicago")
    assert end["arrival"] == route["end"]["plannedArrival"]
    assert answer.headers[ESTIMATED] == "true"


def test_a_timetable_of_a_route_that_does_not_leave_yet_has_zones_alone(world: World) -> None:
    answer = world.client.get(f"{create(world)}/timetable").json()
    assert [set(place) for place in answer["places"]] == [{"stopId", "timezone"}] * 3


def test_a_late_stop_is_not_waited_at(world: World) -> None:
    path = create(world, scheduledFor="2024-07-01T13:00:00-04:00")
    (stop,) = world.client.get(path).json()["stops"]
    assert stop["plannedLateness"]
    assert "waiting" not in world.client.get(f"{path}/timetable").json()["places"][1]


@pytest.mark.spec("design, Roads")
def test_lines_are_straight_and_say_so_without_roads_and_name_their_source_with_them(
    driven: World, roads: Returning
) -> None:
    path = create(driven)
    straight = driven.client.get(f"{path}/path")
    assert straight.json() == {
        "lines": [
            {"points": [BALTIMORE, NEAR], "estimated": True},
            {"points": [NEAR, CHICAGO], "estimated": True},
        ],
        "attribution": "",
    }
    assert straight.headers[ESTIMATED] == "true"
    roads.is_away = False
    along = driven.client.get(f"{path}/path")
    assert [line["estimated"] for line in along.json()["lines"]] == [False, False]
    assert along.json()["attribution"] == "© OpenStreetMap contributors"
    assert along.headers[ESTIMATED] == "true"  # its times are still those made without roads


def test_a_route_without_stops_and_end_has_no_lines(world: World) -> None:
    created = world.client.post("/routes", {"start": {"coordinates": BALTIMORE}}).json()
    answer = world.client.get(f"/routes/{created['id']}/path")
    assert answer.json() == {"lines": [], "attribution": ""}
    assert ESTIMATED not in answer.headers


@pytest.mark.parametrize("view", ["timetable", "path"])
def test_another_organization_sees_nothing_of_a_route(world: World, view: str) -> None:
    path = create(world)
    assert world.stranger.get(f"{path}/{view}").status_code == 404
    assert world.client.get(f"/routes/rte-unknown/{view}").status_code == 404
