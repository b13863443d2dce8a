"""Reoptimizing with few moves: what stays, what `moved` says, locks, and what moves would gain."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import START, add, create_route, import_line

from roundsman.api.examples import EXAMPLES

SCHEDULED = {"scheduledFor": "2024-07-02T12:00:00Z"}  # 8:00 in Baltimore


class Line:
    """A route over stops on a line; each is called by how far east of the start it lies."""

    def __init__(self, world: World, *east: float, **fields: Any) -> None:
        self.world = world
        self.id = create_route(world, **fields)
        if east:
            self.add(*east)

    def add(self, *east: float, **fields: Any) -> None:
        answer = add(self.world, self.id, import_line(self.world, *east, **fields))
        assert answer.status_code == 200, answer.text

    def read(self) -> Any:
        return self.world.client.get(f"/routes/{self.id}").json()

    def names(self) -> list[float]:
        west = START["coordinates"]["longitude"]
        stops = self.read()["stops"]
        return [round((stop["plannedCoordinates"]["longitude"] - west) * 100, 2) for stop in stops]

    def stop(self, east: float) -> str:
        return str(self.read()["stops"][self.names().index(east)]["id"])

    def put_at(self, east: float, index: int) -> None:
        path = f"/routes/{self.id}/stops/{self.stop(east)}/position"
        assert self.world.client.send("PUT", path, json={"index": index}).status_code == 200

    def lock(self, east: float, *, locked: bool = True) -> Any:
        path = f"/routes/{self.id}/stops/{self.stop(east)}"
        body = {"routeStop": {"locked": locked}, "updateMask": "locked"}
        answer = self.world.client.send("PATCH", path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def reoptimize(self, status: int = 200, **options: Any) -> Any:
        answer = self.world.client.post(f"/routes/{self.id}/reoptimize", options)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.mark.spec("decisions §15")
def test_kept_order_holds_moves_by_hand_and_appended_stops_go_where_they_cost_least(
    world: World,
) -> None:
    line = Line(world, 3, 1, 2)
    assert line.reoptimize()["moved"] == 1
    line.put_at(3, 1)
    line.add(0.5)
    answer = line.reoptimize(keep="ORDER")
    assert answer["moved"] == 0
    assert line.names() == [0.5, 1, 3, 2]
    assert {**line.read(), "moved": 0} == answer
    # Nothing is appended any more: without another order to keep, all stay where they are.
    events = world.count("events")
    assert line.reoptimize(keep="ORDER") == answer
    assert world.count("events") == events
    assert line.reoptimize()["moved"] > 0
    assert line.names() == [0.5, 1, 2, 3]


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(
    ("most", "moved", "names"),
    [
        (0, 0, [6, 1, 2, 3, 5, 4]),
        (1, 1, [1, 2, 3, 5, 4, 6]),
        (2, 2, [1, 2, 3, 4, 5, 6]),
        (6, 2, [1, 2, 3, 4, 5, 6]),
        (1_000_000, 2, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_no_more_stops_move_than_may(
    world: World, most: int, moved: int, names: list[float]
) -> None:
    line = Line(world, 6, 1, 2, 3, 5, 4)
    answer = line.reoptimize(maxMoves=most)
    assert answer["moved"] == moved
    assert line.names() == names
    assert line.reoptimize(maxMoves=most)["moved"] == 0


@pytest.mark.spec("decisions §15")
def test_another_number_of_moves_than_the_last_time_is_another_question(world: World) -> None:
    line = Line(world, 6, 1, 2, 3, 5, 4)
    assert line.reoptimize(maxMoves=1)["moved"] == 1
    assert line.reoptimize(keep="ORDER")["moved"] == 0
    assert line.reoptimize()["moved"] == 1
    assert line.names() == [1, 2, 3, 4, 5, 6]
    events = world.count("events")
    assert line.reoptimize(keep="ASSIGNMENT")["moved"] == 0  # on one route the same as nothing
    assert line.reoptimize(keep="NONE")["moved"] == 0
    assert world.count("events") == events


@pytest.mark.spec("decisions §15")
def test_appended_stops_do_not_count_as_moved(world: World) -> None:
    line = Line(world, 1, 2, 4)
    line.reoptimize()
    line.add(3, 0.5)
    assert line.reoptimize(maxMoves=0)["moved"] == 0
    assert line.names() == [0.5, 1, 2, 3, 4]
    line.add(1.5)
    line.put_at(1.5, 0)  # a place that a planner chose counts
    assert line.reoptimize(keep="ORDER")["moved"] == 0
    assert line.names() == [1.5, 0.5, 1, 2, 3, 4]


@pytest.mark.spec("decisions §22")
@pytest.mark.parametrize(
    ("options", "field"), [({"maxMoves": 0}, "maxMoves"), ({"keep": "ORDER"}, "keep")]
)
def test_windows_that_no_order_within_the_moves_meets_are_refused(
    world: World, options: Any, field: str
) -> None:
    line = Line(world, 1, 2, 30, **SCHEDULED)
    line.add(3, duration="60s", timeWindows=[{"end": {"hours": 8, "minutes": 30}}])
    line.put_at(3, 3)
    before = line.read()
    refused = line.reoptimize(400, **options)
    assert refused["code"] == 9
    assert refused["message"].startswith(f"no order within {field} meets every limit")
    window, moves = refused["details"][0]["violations"]
    assert (window["type"], window["subject"]) == ("timeWindows", line.stop(3))
    assert (moves["type"], moves["subject"]) == (field, line.id)
    assert "moves 1 at most does" in moves["description"]
    assert line.read() == before
    assert line.reoptimize(maxMoves=1)["moved"] == 1
    assert line.names()[3] == 30


@pytest.mark.spec("decisions §22")
def test_windows_that_no_order_at_all_meets_are_explained_as_ever(world: World) -> None:
    line = Line(world, 1, 2, **SCHEDULED)
    line.add(30, timeWindows=[{"end": {"hours": 8, "minutes": 1}}])
    line.put_at(30, 2)
    refused = line.reoptimize(400, maxMoves=0)
    assert [one["type"] for one in refused["details"][0]["violations"]] == ["timeWindows"]
    assert line.reoptimize(maxMoves=0, ignoreRoutingConstraints=True)["moved"] == 0


@pytest.mark.spec("decisions §15")
def test_a_locked_stop_keeps_its_place_among_the_open_ones(world: World) -> None:
    line = Line(world, 1, 2, 3, 4, 5)
    line.put_at(4, 0)
    shown = line.lock(4)
    assert shown["locked"] is True
    assert [stop["locked"] for stop in line.read()["stops"]] == [True] + [False] * 4
    line.reoptimize()
    assert line.names() == [4, 5, 3, 2, 1] or line.names() == [4, 3, 2, 1, 5]
    best = line.names()
    line.add(0.5)
    line.reoptimize()
    assert line.names()[0] == 4
    # By hand it may still move, and its new place counts.
    line.put_at(4, 2)
    line.reoptimize()
    assert line.names()[2] == 4
    line.lock(4, locked=False)
    line.reoptimize()
    assert line.names() == [0.5, 1, 2, 3, 4, 5] != best


@pytest.mark.spec("decisions §22")
def test_setting_or_releasing_a_lock_ends_an_order_that_was_current(world: World) -> None:
    line = Line(world, 1, 2, 3)
    line.reoptimize()
    for locked in (True, False):
        line.lock(2, locked=locked)
        assert line.read()["optimized"] is True
        before = world.topics()
        line.lock(2, locked=locked)
        assert world.topics() == before
        line.reoptimize()
        assert world.topics() == [*before, "ROUTE_UPDATED"]
        line.reoptimize()
        assert world.topics() == [*before, "ROUTE_UPDATED"]


@pytest.mark.spec("decisions §15")
def test_a_stop_of_a_store_order_takes_a_lock_and_nothing_else(world: World) -> None:
    line = Line(world, 2)
    world.client.send("PUT", "/store-orders/1001", json=EXAMPLES["saveStoreOrder"])
    world.client.post(f"/routes/{line.id}/store-orders", [{"storeOrderId": "1001"}])
    path = f"/routes/{line.id}/stops/{line.read()['stops'][1]['id']}"
    stop = {"locked": True, "note": "n"}
    locked = world.client.send("PATCH", path, json={"routeStop": stop, "updateMask": "locked"})
    assert locked.json()["locked"] is True
    body = {"routeStop": stop, "updateMask": "locked,note"}
    refused = world.client.send("PATCH", path, json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert world.client.get(path).json() == locked.json()


@pytest.mark.spec("decisions §15")
def test_tradeoffs_say_what_other_numbers_of_moves_would_cost(world: World) -> None:
    line = Line(world, 6, 1, 2, 3, 5, 4)
    answer = line.reoptimize(maxMoves=1, tradeoffs=True)
    curve = answer["tradeoffs"]
    assert [one.get("maxMoves") for one in curve] == [0, 1, 2, 5, None]
    assert [one["moved"] for one in curve] == [0, 1, 2, 2, 2]
    travel = [one["travelSeconds"] for one in curve]
    assert travel == sorted(travel, reverse=True)
    assert len(set(travel)) == 3
    assert {one["latenessSeconds"] for one in curve} == {0}
    # The order is current now: the curve is answered again, and nothing changes.
    events = world.count("events")
    again = line.reoptimize(maxMoves=1, tradeoffs=True)
    assert again["moved"] == 0
    assert again["tradeoffs"][0]["travelSeconds"] == curve[1]["travelSeconds"]
    assert world.count("events") == events
    assert "tradeoffs" not in line.reoptimize(maxMoves=1)


def test_tradeoffs_of_a_route_without_stops_are_none(world: World) -> None:
    answer = Line(world).reoptimize(tradeoffs=True)
    assert (answer["moved"], answer["tradeoffs"]) == (0, [])


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"keep": "ALL"}, "keep"),
        ({"maxMoves": -1}, "maxMoves"),
        ({"maxMoves": 1.5}, "maxMoves"),
        ({"maxMoves": "1"}, "maxMoves"),
        ({"tradeoffs": 1}, "tradeoffs"),
        ({"moved": 1}, "moved"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_field(world: World, body: Any, field: str) -> None:
    line = Line(world, 2, 1)
    refused = line.reoptimize(400, **body)
    assert refused["code"] == 3
    assert refused["details"][0]["fieldViolations"][0]["field"] == field
    assert line.names() == [2, 1]
