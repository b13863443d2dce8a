"""Plans that are applied while other plans are, and planners change what they were made of.

No stop comes to two routes and none is lost; what could not be applied says of which stops and
routes.
"""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, import_stops, plan, van

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §21")]

type Json = Any
type Act = Callable[[], Any]

NAMED = {"STALE_STOP", "STALE_ROUTE", "ALREADY_ROUTED"}
ON_ROUTE = 3
FREE = 7


@dataclass
class Race:
    """Some stops on a route and some on none, and two plans that both want them all."""

    world: World
    draw: random.Random
    number: int

    def __post_init__(self) -> None:
        drafts = [{"clientStopId": f"{self.number}-{one}"} for one in range(ON_ROUTE + FREE)]
        self.ids = import_stops(self.world, *drafts)
        self.route = self.post("/routes", {"start": DEPOT})["id"]
        self.other = self.post("/routes", {"start": DEPOT})["id"]
        there = [{"importedStopId": one} for one in self.ids[:ON_ROUTE]]
        self.post(f"/routes/{self.route}/stops", there)
        self.free = self.ids[ON_ROUTE:]
        live = {"routes": [{"routeId": self.route}]}
        self.plans = [
            plan(self.world, self.free, van(count=2, maxStops=6), **live)["id"],
            plan(self.world, self.draw.sample(self.free, 5), van(count=2))["id"],
        ]
        self.world.clock.advance(minutes=1)  # so that nobody has asked too often
        self.added: set[str] = set()

    def post(self, path: str, body: Json) -> Json:
        answer = self.world.client.post(path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def apply(self, plan_id: str) -> Act:
        return lambda: self.world.client.post(f"/plans/{plan_id}/apply")

    def edit(self) -> Act:
        """Return one of the changes that a planner makes meanwhile."""
        stop = self.draw.choice(self.free)
        client = self.world.client
        first = client.get(f"/routes/{self.route}").json()["stops"][0]["id"]
        moves = [{"stopId": first, "routeId": self.other}]
        note = {"importedStop": {"note": "Ring"}, "updateMask": "note"}
        return self.draw.choice(
            [
                lambda: self.add(stop, self.route),
                lambda: self.add(stop, self.other),
                lambda: client.send("DELETE", f"/stops/imports/{stop}"),
                lambda: client.send("PATCH", f"/stops/imports/{stop}", json=note),
                lambda: client.post("/routes/transfers", {"moves": moves}),
                lambda: client.send("DELETE", f"/routes/{self.route}/stops/{first}"),
                lambda: client.post(f"/routes/{self.route}/reoptimize"),
            ]
        )

    def add(self, stop: str, route: str) -> Any:
        """Add a stop by hand, which may be on another route by then: that is the planner's."""
        answer = self.world.client.post(f"/routes/{route}/stops", [{"importedStopId": stop}])
        if answer.status_code == 200:
            self.added.add(stop)
        return answer

    def run(self) -> list[Any]:
        """Start everything at one moment; return what the plans were answered."""
        acts = [*(self.apply(one) for one in self.plans), self.edit(), self.edit()]
        gate = Barrier(len(acts))

        def start(act: Act) -> Any:
            gate.wait()
            return act()

        with ThreadPoolExecutor(len(acts)) as callers:
            answers = list(callers.map(start, acts))
        assert all(answer.status_code < 500 for answer in answers), [one.text for one in answers]
        return answers[: len(self.plans)]


def look(race: Race) -> None:
    """Find each stop on one route or in the pool, or deleted, and never twice."""
    client = race.world.client
    routes = client.get("/routes?query.limit=100").json()["routes"]
    on_routes = Counter(
        stop["importedStopId"]
        for route in routes
        for stop in client.get(f"/routes/{route['id']}").json()["stops"]
        if stop["importedStopId"] in race.ids
    )
    twice = {id_ for id_, count in on_routes.items() if count > 1}
    assert twice <= race.added, on_routes
    for id_ in race.ids:
        kept = client.get(f"/stops/imports/{id_}")
        assert kept.status_code in {200, 404}
        # Only a stop that was on no route can be deleted.
        assert id_ in on_routes or kept.status_code == 200 or id_ in race.free, id_
    pool = client.get("/stops/imports?query.unrouted=true&query.limit=100").json()["stops"]
    unrouted = {one["id"] for one in pool} & set(race.ids)
    assert unrouted.isdisjoint(on_routes)


@pytest.mark.parametrize("races", [12, pytest.param(500, marks=pytest.mark.full)])
def test_no_stop_comes_to_two_routes_and_none_is_lost(world: World, races: int) -> None:
    outcomes: Counter[str] = Counter()
    key = world.credentials
    for number in range(races):
        world.client.sign_in(key.client_id, key.client_secret)  # a token lasts an hour
        race = Race(world, random.Random(number), number)  # noqa: S311 -- repeats itself on purpose
        for answer in race.run():
            if answer.status_code == 200:
                outcomes["applied"] += 1
                continue
            assert answer.json()["code"] == 9, answer.text
            found = answer.json()["details"][0]["violations"]
            named = {one["type"] for one in found}
            assert named <= NAMED, found
            assert {one["subject"] for one in found} <= {*race.ids, race.route}, found
            outcomes["refused"] += 1
        world.clock.advance(minutes=1)
        look(race)
        clear(race)
    assert outcomes["applied"] >= races // 4, outcomes
    assert outcomes["refused"] >= races // 4, outcomes


def clear(race: Race) -> None:
    """Delete what the race has made, so that the next one is as quick."""
    client = race.world.client
    for route in client.get("/routes?query.limit=100").json()["routes"]:
        assert client.send("DELETE", f"/routes/{route['id']}").status_code == 200
    for id_ in race.ids:
        assert client.send("DELETE", f"/stops/imports/{id_}").status_code in {200, 404}
