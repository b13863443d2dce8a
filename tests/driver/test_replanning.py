"""Re-planning on the road: what is done stays, the rest starts where the driver is, and now."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Device, Listener, dispatch, sign_up

from roundsman.domain.address import Coordinates
from roundsman.endpoints.application import Application
from roundsman.roads.network import TravelProfile

START = (39.29, -76.61)


def seconds_between(world: World, *places: tuple[float, float]) -> list[int]:
    points = [Coordinates(latitude=latitude, longitude=longitude) for latitude, longitude in places]
    legs = world.tools.roads.legs(points, TravelProfile())
    return [leg.duration_seconds for leg in legs]


def place_of(stop: Any) -> tuple[float, float]:
    point = stop["plannedCoordinates"]
    return point["latitude"], point["longitude"]


def names(route: Any) -> list[str]:
    """Return the stops by how many hundredths of a degree east of the start they lie."""
    east = [round((place_of(stop)[1] - START[1]) * 100) for stop in route["stops"]]
    return [str(hundredths) for hundredths in east]


def arrival(stop: Any) -> datetime:
    return datetime.fromisoformat(stop["updatedArrival"])


def reoptimize(device: Device, body: Any = None, status: int = 200) -> Any:
    answer = device.world.client.post(f"/routes/{device.route_id}/reoptimize", body or {})
    assert answer.status_code == status, answer.text
    route = answer.json()
    route.pop("moved", None)  # of this answer, not of the route
    return route


def started(world: World, door: Application, stops: int = 6) -> tuple[Device, dict[str, str]]:
    """Leave at 6:30 with stops 1, 2, 3 … east of the start, ordered; return ids by name."""
    device = sign_up(world, door)
    dispatch(world, device, stops=stops)
    best = reoptimize(device)
    world.clock.advance(minutes=30)
    device.done("ROUTE_STARTED")
    return device, dict(zip(names(best), (stop["id"] for stop in best["stops"]), strict=True))


@pytest.mark.both_databases
@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize("body", [{}, {"ignoreCompletedStops": True}])
def test_six_stops_of_which_the_last_is_done_first(
    world: World, door: Application, body: Any
) -> None:
    device, ids = started(world, door)
    world.clock.advance(minutes=20)
    device.done("STOP_DELIVERED", stopId=ids["6"])
    world.clock.advance(minutes=2)
    listener = Listener(world)
    route = reoptimize(device, body)
    assert names(route) == ["6", "5", "4", "3", "2", "1"]
    assert route["optimized"] is True
    assert listener.topics() == [("ROUTE_UPDATED", device.route_id)]
    now = datetime.fromisoformat("2024-07-01T06:52:00Z")
    along = [place_of(stop) for stop in route["stops"]]
    driven = seconds_between(world, *along)
    assert arrival(route["stops"][0]) == now - timedelta(minutes=2)
    expected = [now + timedelta(seconds=sum(driven[: count + 1])) for count in range(5)]
    assert [arrival(stop) for stop in route["stops"][1:]] == expected
    assert [stop["plannedArrival"] for stop in route["stops"][1:]] == [
        stop["updatedArrival"] for stop in route["stops"][1:]
    ]
    # From the start to the far end, and back to the first: the way that is really driven.
    whole = world.tools.roads.legs(
        [Coordinates(latitude=lat, longitude=lon) for lat, lon in (START, *along)], TravelProfile()
    )
    assert route["totalDistanceMeters"] == sum(leg.distance_meters for leg in whole)
    # The same question again has the same answer, and nothing happens.
    world.clock.advance(minutes=1)
    assert reoptimize(device, body) == route
    assert listener.topics() == []


@pytest.mark.spec("decisions §15")
def test_stops_that_are_done_cannot_be_ordered_again(world: World, door: Application) -> None:
    device, ids = started(world, door)
    device.done("STOP_DELIVERED", stopId=ids["6"])
    before = device.route()
    refused = reoptimize(device, {"ignoreCompletedStops": False}, status=400)
    assert refused["code"] == 9
    [violation] = refused["details"][0]["violations"]
    assert violation["type"] == "ignoreCompletedStops"
    assert device.route() == before


@pytest.mark.spec("decisions §15")
def test_a_route_that_is_not_started_may_say_either(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device, stops=3)
    assert names(reoptimize(device, {"ignoreCompletedStops": False})) == ["1", "2", "3"]


def drive_to(place: str) -> dict[str, float]:
    return {"latitude": START[0], "longitude": START[1] + int(place) / 100}


def deliver(device: Device, ids: dict[str, str], *places: str, minutes: float = 0) -> None:
    for place in places:
        device.world.clock.advance(minutes=minutes)
        device.done("STOP_DELIVERED", stopId=ids[place])


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(
    ("progress", "is_replanned"),
    [
        ("nothing", False),
        ("the first open stop, in time", False),
        ("the first open stop, late", True),
        ("another stop than the first open one", True),
        ("another stop attempted", True),
        ("a position on the way, in time", False),
        ("a position that means a delay", True),
        ("other options", True),
    ],
)
def test_what_ends_an_order_that_was_computed(
    world: World, door: Application, progress: str, *, is_replanned: bool
) -> None:
    device, ids = started(world, door)
    first = reoptimize(device)
    due = arrival(first["stops"][0]) - world.clock.now()
    options: dict[str, bool] = {}
    match progress:
        case "the first open stop, in time":
            world.clock.advance(seconds=due.total_seconds() + 30)
            deliver(device, ids, "1")
        case "the first open stop, late":
            world.clock.advance(seconds=due.total_seconds() + 90)
            deliver(device, ids, "1")
        case "another stop than the first open one":
            deliver(device, ids, "2")
        case "another stop attempted":
            device.done("STOP_ATTEMPTED", stopId=ids["6"], reason="OTHER")
        case "a position on the way, in time":
            world.clock.advance(seconds=due.total_seconds())
            device.done("POSITION", position=drive_to("1"))
        case "a position that means a delay":
            world.clock.advance(minutes=10)
            device.done("POSITION", position=drive_to("0"))
        case "other options":
            options = {"ignoreRoutingConstraints": True}
    optimized = device.route()
    route = world.client.get(f"/routes/{device.route_id}").json()
    assert route["optimized"] is True
    world.clock.advance(minutes=1)
    again = reoptimize(device, options)
    assert (again != route) is is_replanned, optimized
    assert reoptimize(device, options) == again


@pytest.mark.spec("decisions §15")
def test_starting_ends_an_order_that_was_computed(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device, stops=3)
    before = reoptimize(device)
    assert reoptimize(device) == before
    world.clock.advance(minutes=45)
    device.done("ROUTE_STARTED")
    world.clock.advance(minutes=3)
    after = reoptimize(device)
    [leg] = seconds_between(world, START, place_of(after["stops"][0]))
    assert arrival(after["stops"][0]) == world.clock.now() + timedelta(seconds=leg)


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(("age_minutes", "leaves_from"), [(14, "4"), (16, "1")])
def test_a_position_counts_for_a_quarter_of_an_hour(
    world: World, door: Application, age_minutes: int, leaves_from: str
) -> None:
    device, ids = started(world, door)
    deliver(device, ids, "1", minutes=5)
    world.clock.advance(minutes=1)
    device.done("POSITION", position=drive_to("4"))
    world.clock.advance(minutes=age_minutes)
    route = reoptimize(device)
    next_stop = route["stops"][1]
    at = (START[0], START[1] + int(leaves_from) / 100)
    [leg] = seconds_between(world, at, place_of(next_stop))
    assert arrival(next_stop) == world.clock.now() + timedelta(seconds=leg)
    # What a planner changes afterwards is timed from the same place and moment.
    world.client.send(
        "PATCH",
        f"/routes/{device.route_id}",
        json={"route": {"maxStops": 50}, "updateMask": "maxStops"},
    )
    timed = device.route()
    assert arrival(timed["stops"][1]) == arrival(next_stop)


@pytest.mark.spec("decisions §15")
def test_a_route_on_which_everything_is_done_is_put_in_the_order_in_which_it_was_done(
    world: World, door: Application
) -> None:
    device, ids = started(world, door, stops=3)
    deliver(device, ids, "2", "3", "1", minutes=4)
    assert names(reoptimize(device)) == ["2", "3", "1"]


@pytest.mark.spec("decisions §15")
def test_a_stop_that_was_appended_on_the_road_is_ordered_with_what_is_left(
    world: World, door: Application
) -> None:
    device, ids = started(world, door, stops=4)
    deliver(device, ids, "1", minutes=3)
    add(world, device.route_id, import_line(world, 2.4))
    assert names(reoptimize(device)) == ["1", "2", "2", "3", "4"]


class StartedRoute(RuleBasedStateMachine):
    """A route under way; what its driver did is remembered here, apart from the service."""

    world: ClassVar[World]
    device: ClassVar[Device]

    @initialize(east=st.lists(st.integers(1, 40), min_size=2, max_size=7, unique=True))
    def leave(self, east: list[int]) -> None:
        world, device = self.world, self.device
        self.sign_in()
        route = create_route(world, driverId=device.driver_id)
        added = add(world, route, import_line(world, *east)).json()
        self.places = {stop["id"]: place_of(stop) for stop in added["stops"]}
        self.done: list[str] = []
        self.done_at: dict[str, datetime] = {}
        self.replanned_at: datetime | None = None
        world.client.post(f"/routes/{route}/dispatch", {})
        device.route_id = route
        device.done("ROUTE_STARTED")
        self.known = (world.clock.now(), START)
        self.fix: tuple[datetime, tuple[float, float]] | None = None

    def sign_in(self) -> None:
        key = self.world.credentials
        self.world.client.sign_in(key.client_id, key.client_secret)

    def open_stops(self) -> list[str]:
        return [stop for stop in self.places if stop not in self.done]

    @rule(minutes=st.integers(1, 20))
    def time_passes(self, minutes: int) -> None:
        self.world.clock.advance(minutes=minutes)

    @precondition(lambda self: self.open_stops())
    @rule(which=st.integers(0, 50), delivered=st.booleans())
    def stop_is_done(self, which: int, *, delivered: bool) -> None:
        self.world.clock.advance(seconds=7)
        stop = self.open_stops()[which % len(self.open_stops())]
        if delivered:
            self.device.done("STOP_DELIVERED", stopId=stop)
        else:
            self.device.done("STOP_ATTEMPTED", stopId=stop, reason="OTHER")
        self.done.append(stop)
        self.done_at[stop] = self.world.clock.now()
        self.known = (self.world.clock.now(), self.places[stop])

    @rule(east=st.integers(0, 40))
    def position_is_sent(self, east: int) -> None:
        self.world.clock.advance(seconds=11)  # of those within ten seconds only one is kept
        self.device.done("POSITION", position=drive_to(str(east)))
        self.fix = (self.world.clock.now(), (START[0], START[1] + east / 100))

    @rule(says_so=st.booleans())
    def planner_reoptimizes(self, *, says_so: bool) -> None:
        self.world.clock.advance(seconds=7)
        self.sign_in()  # a token lasts for an hour
        before = self.device.route()
        route = reoptimize(self.device, {"ignoreCompletedStops": True} if says_so else {})
        if route["stops"] == before["stops"]:
            return  # the order was current
        now = self.world.clock.now()
        ids = [stop["id"] for stop in route["stops"]]
        assert ids[: len(self.done)] == self.done
        assert sorted(ids) == sorted(self.places)
        place = self.known[1]
        if self.fix and self.fix[0] >= self.known[0] and now - self.fix[0] <= timedelta(minutes=15):
            place = self.fix[1]
        along = [place, *(self.places[stop] for stop in ids[len(self.done) :])]
        driven = seconds_between(self.world, *along)
        expected = [now + timedelta(seconds=sum(driven[: n + 1])) for n in range(len(driven))]
        assert [arrival(stop) for stop in route["stops"][len(self.done) :]] == expected

    @invariant()
    def what_is_done_stays_as_it_was_done(self) -> None:
        route = self.device.route()
        stops = {stop["id"]: stop for stop in route["stops"]}
        assert {id_: arrival(stops[id_]) for id_ in self.done} == self.done_at
        assert route["totalDistanceMeters"] == sum(
            stop["distanceMeters"] for stop in stops.values()
        )
        open_ = [arrival(stop) for stop in route["stops"] if stop["id"] not in self.done]
        assert all(before <= after for before, after in pairwise(open_))


@pytest.mark.spec("decisions §15")
def test_whatever_a_driver_does_the_rest_is_planned_from_there(
    world: World, door: Application
) -> None:
    machine = type("Machine", (StartedRoute,), {"world": world, "device": sign_up(world, door)})
    bounds = settings(
        max_examples=25, stateful_step_count=12, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(machine, settings=bounds)
