"""Whatever a planner does to a route, in any order, leaves it whole."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
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
from tests.api.described import DescribedClient
from tests.world import CountingIds, FixedClock

from roundsman.app import make_application
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.installation import make_registrar, make_tools
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.operations.route_changes import load_route
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate

PLACES = st.integers(min_value=0, max_value=50)


class Installation:
    """One installation for all runs; each run has a route of its own."""

    def __init__(self, tools: Tools, client: DescribedClient, clock: FixedClock) -> None:
        self.tools = tools
        self.client = client
        self.clock = clock
        registrar = make_registrar(tools)
        self.organization = create_organization(registrar, "Acme Foods", "UTC").id
        credentials = create_credentials(registrar, self.organization, "dev@example.com")
        client.sign_in(credentials.client_id, credentials.client_secret)
        stops = [
            {
                "clientStopId": f"stop-{number}",
                "coordinates": {
                    "latitude": 39.29 + number % 3 / 100,
                    "longitude": -76.61 + number * 7 % 11 / 100,
                },
                "items": [{"quantity": number, "grams": 100}],
            }
            for number in range(12)
        ]
        self.send("POST", "/stops/imports", stops)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        # A tenth of a second fills one token into the bucket: nobody is ever limited.
        self.clock.advance(seconds=0.1)
        options = {} if body is None else {"json": body}
        return self.client.send(method, path, **options)


class RouteMachine(RuleBasedStateMachine):
    """A route, and what it should look like."""

    at: ClassVar[Installation]

    def __init__(self) -> None:
        super().__init__()
        self.stops: list[str] = []
        self.items: dict[str, tuple[int, int]] = {}
        self.optimized = False
        self.current = False
        self.archived = False
        self.dispatched = False
        self.spare = [f"stop-{number}" for number in range(12)]

    @initialize()
    def create(self) -> None:
        body = {
            "start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}},
            "scheduledFor": "2024-07-02T08:00:00Z",
        }
        self.seen = self.at.send("POST", "/routes", body).json()
        self.path = f"/routes/{self.seen['id']}"
        self.version = self.read_version()

    def read_version(self) -> int:
        route_id = self.seen["id"]
        return load_route(self.at.tools, self.at.organization, route_id).version

    def send(self, method: str, path: str, body: Any = None, *, expected: int = 200) -> Any:
        response = self.at.send(method, self.path + path, body)
        status = 400 if self.archived else expected
        assert response.status_code == status, response.text
        return response.json() if status == 200 else None

    def outdate(self) -> None:
        self.optimized = self.current = False

    @precondition(lambda self: self.spare)
    @rule(count=st.integers(min_value=1, max_value=4))
    def append(self, count: int) -> None:
        names = self.spare[:count]
        route = self.send("POST", "/stops", [{"clientStopId": name} for name in names])
        if route is None:
            return
        del self.spare[:count]
        self.current = False
        for stop in route["stops"][len(self.stops) :]:
            self.stops.append(stop["id"])
            self.items[stop["id"]] = (stop["items"][0]["quantity"], 100)

    @precondition(lambda self: self.stops)
    @rule(places=st.sets(PLACES, min_size=1, max_size=3))
    def remove(self, places: set[int]) -> None:
        gone = {self.stops[place % len(self.stops)] for place in places}
        if self.send("DELETE", f"/stops/{','.join(sorted(gone))}") is None:
            return
        self.stops = [stop for stop in self.stops if stop not in gone]
        self.outdate()

    @precondition(lambda self: self.stops and not self.archived)
    @rule(place=PLACES, index=PLACES)
    def move(self, place: int, index: int) -> None:
        stop, index = self.stops[place % len(self.stops)], index % (len(self.stops) + 1)
        fits = index < len(self.stops)
        path = f"/stops/{stop}/position"
        self.send("PUT", path, {"index": index}, expected=200 if fits else 400)
        if fits:
            self.stops.remove(stop)
            self.stops.insert(index, stop)
            self.outdate()

    @precondition(lambda self: self.stops)
    @rule(place=PLACES, quantity=st.integers(min_value=0, max_value=9))
    def load(self, place: int, quantity: int) -> None:
        stop = self.stops[place % len(self.stops)]
        # A name that no stop has, so that the call always changes something.
        items = [{"name": str(self.version), "quantity": quantity, "grams": 50}]
        if self.send("PUT", f"/stops/{stop}/items", items) is not None:
            self.items[stop] = (quantity, 50)
            self.outdate()

    @precondition(lambda self: self.stops and not self.archived)
    @rule(place=PLACES, priority=st.integers(min_value=0, max_value=2))
    def prefer(self, place: int, priority: int) -> None:
        stop = self.stops[place % len(self.stops)]
        before = self.at.send("GET", f"{self.path}/stops/{stop}").json()["priority"]
        body = {"routeStop": {"priority": priority}, "updateMask": "priority"}
        self.send("PATCH", f"/stops/{stop}", body)
        if priority != before:
            self.outdate()

    @rule()
    def annotate(self) -> None:
        note = f"version {self.version}"
        self.send("PATCH", "", {"route": {"note": note}, "updateMask": "note"})

    @precondition(lambda self: not self.archived)
    @rule(speed=st.sampled_from([1, 2]))
    def hurry(self, speed: int) -> None:
        body = {"route": {"speedFactor": speed}, "updateMask": "speedFactor"}
        before = self.seen["speedFactor"]
        self.send("PATCH", "", body)
        if speed != before:
            self.outdate()

    @precondition(lambda self: not self.archived)
    @rule()
    def reoptimize(self) -> None:
        route = self.send("POST", "/reoptimize", {})
        now = [stop["id"] for stop in route["stops"]]
        assert now == self.stops or not (self.optimized and self.current)
        assert sorted(now) == sorted(self.stops)
        self.stops = now
        self.optimized = self.current = True

    @rule()
    def dispatch(self) -> None:
        done = self.send("POST", "/dispatch", {}, expected=200 if self.stops else 400)
        self.dispatched = self.dispatched or bool(self.stops and done)

    @precondition(lambda self: not self.archived)
    @rule()
    def undispatch(self) -> None:
        self.send("DELETE", "/dispatch")
        self.dispatched = False

    @precondition(lambda self: self.stops)
    @rule()
    def archive_or_take_out(self) -> None:
        method = "DELETE" if self.archived else "POST"
        assert self.at.send(method, f"{self.path}/archive").status_code == 200
        self.archived = not self.archived
        self.dispatched = False

    @invariant()
    def the_route_is_as_expected(self) -> None:
        before, self.seen = self.seen, self.at.send("GET", self.path).json()
        assert [stop["id"] for stop in self.seen["stops"]] == self.stops
        assert self.seen["optimized"] is self.optimized
        assert ("archivedAt" in self.seen) is self.archived
        assert ("dispatchedUntil" in self.seen) is self.dispatched
        version = self.read_version()
        assert version == self.version + (self.seen != before)
        then, now = (datetime.fromisoformat(one["updatedAt"]) for one in (before, self.seen))
        assert (now > then) is (version > self.version)
        self.version = version

    @invariant()
    def totals_are_sums_and_arrivals_follow_the_order(self) -> None:
        stops = self.seen["stops"]
        loads = [self.items[stop] for stop in self.stops]
        assert self.seen["totalItemQuantity"] == sum(quantity for quantity, _ in loads)
        assert self.seen["totalItemGrams"] == str(sum(one * each for one, each in loads))
        assert self.seen["totalDistanceMeters"] == sum(stop["distanceMeters"] for stop in stops)
        arrivals = [stop["plannedArrival"] for stop in stops]
        assert arrivals == sorted(arrivals)


@contextlib.contextmanager
def installation(folder: Path, gazetteer: Gazetteer) -> Iterator[Installation]:
    database = Database(f"sqlite:///{folder / 'roundsman.db'}")
    migrate(database)
    clock, chosen = FixedClock(), Settings(data=folder)
    tools = replace(make_tools(chosen, database, clock, CountingIds()), geocoder=gazetteer)
    interface = make_application(chosen, tools)
    try:
        yield Installation(tools, DescribedClient(interface), clock)
    finally:
        interface.close()
        database.close()


@pytest.mark.spec("States and transitions")
def test_a_route_stays_whole_whatever_is_done_to_it(tmp_path: Path, gazetteer: Gazetteer) -> None:
    bounds = settings(
        max_examples=40, stateful_step_count=15, suppress_health_check=list(HealthCheck)
    )
    with installation(tmp_path, gazetteer) as at:
        run_state_machine_as_test(type("Machine", (RouteMachine,), {"at": at}), settings=bounds)
