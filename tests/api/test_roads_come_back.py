"""Routes that were ordered on estimates, and reoptimizing them once there are roads."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.plan_requests import DEPOT, import_stops, plan, served

from roundsman.app import make_application
from roundsman.domain.address import Coordinates
from roundsman.domain.errors import Unavailable
from roundsman.roads.encoded_polyline import decode_polyline
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import OPENSTREETMAP, Leg, Path, TravelMatrix, TravelProfile
from roundsman.settings import Settings
from roundsman.wire.v2024_07.route_headers import ESTIMATED


class Returning:
    """Estimates while it is away; else roads, each as long as the estimate and half again."""

    def __init__(self) -> None:
        self._estimate = EstimatedRoads()
        self.is_away = True

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        guess = self._estimate.matrix(sources, targets, profile)
        if self.is_away:
            return guess
        return TravelMatrix(
            durations=guess.durations * 3 // 2,
            distances=guess.distances * 3 // 2,
            estimated=guess.estimated & False,
        )

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        guesses = self._estimate.legs(waypoints, profile)
        if self.is_away:
            return guesses
        return [
            Leg(
                duration_seconds=guess.duration_seconds * 3 // 2,
                distance_meters=guess.distance_meters * 3 // 2,
                estimated=False,
            )
            for guess in guesses
        ]

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        guesses = self._estimate.paths(waypoints, profile)
        if self.is_away:
            return guesses
        return [Path(points=guess.points, estimated=False) for guess in guesses]

    def attribution(self) -> str:
        return OPENSTREETMAP

    def close(self) -> None:
        self._estimate.close()


@pytest.fixture
def roads() -> Returning:
    return Returning()


@pytest.fixture
def driven(world: World, roads: Returning) -> World:
    """The world, on these roads."""
    tools = replace(world.tools, roads=roads)
    client = DescribedClient(make_application(Settings(), tools))
    client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    return replace(world, tools=tools, client=client)


def add_ordered_route(world: World) -> str:
    created = world.client.post("/routes", {"start": at(39.29, -76.61)})
    path = f"/routes/{created.json()['id']}"
    away = [at(39.3, -76.6), at(39.35, -76.5), at(39.31, -76.65)]
    stops = world.client.post("/stops/imports", away).json()["stops"]
    world.client.post(f"{path}/stops", [{"importedStopId": stop["id"]} for stop in stops])
    world.client.post(f"{path}/reoptimize", {})
    return path


def at(latitude: float, longitude: float) -> dict[str, dict[str, float]]:
    return {"coordinates": {"latitude": latitude, "longitude": longitude}}


@pytest.mark.spec("design, Roads")
def test_a_route_ordered_on_estimates_is_ordered_again_once_there_are_roads(
    driven: World, roads: Returning
) -> None:
    path = add_ordered_route(driven)
    guessed = driven.client.get(path)
    assert guessed.headers[ESTIMATED] == "true"
    roads.is_away = False
    timed = driven.client.post(f"{path}/reoptimize", {})
    assert ESTIMATED not in timed.headers
    before, after = (answer.json()["totalDistanceMeters"] for answer in (guessed, timed))
    assert after == pytest.approx(1.5 * before, rel=1e-3)
    told = driven.topics().count("ROUTE_UPDATED")
    assert driven.client.post(f"{path}/reoptimize", {}).json() == {**timed.json(), "moved": 0}
    assert driven.topics().count("ROUTE_UPDATED") == told


def test_while_there_are_only_estimates_reoptimizing_again_changes_nothing(driven: World) -> None:
    path = add_ordered_route(driven)
    before, told = driven.client.get(path).json(), driven.topics()
    assert driven.client.post(f"{path}/reoptimize", {}).json() == {**before, "moved": 0}
    assert driven.topics() == told


def test_a_route_timed_on_roads_keeps_its_times_when_the_roads_go(
    driven: World, roads: Returning
) -> None:
    roads.is_away = False
    path = add_ordered_route(driven)
    before = driven.client.get(path).json()
    roads.is_away = True
    again = driven.client.post(f"{path}/reoptimize", {})
    assert again.json() == {**before, "moved": 0}
    assert ESTIMATED not in again.headers


def test_an_archived_route_stays_as_it_is_when_the_roads_come(
    driven: World, roads: Returning
) -> None:
    path = add_ordered_route(driven)
    archived = driven.client.post(f"{path}/archive", {}).json()
    roads.is_away = False
    again = driven.client.post(f"{path}/reoptimize", {})
    assert (again.status_code, again.json()) == (200, {**archived, "moved": 0})


@pytest.mark.spec("decisions §21")
def test_a_plan_has_the_lines_of_the_roads_there_are(driven: World, roads: Returning) -> None:
    ids = import_stops(driven, {}, {}, {})
    (guessed,) = plan(driven, ids)["routes"]
    assert "polyline" not in guessed
    roads.is_away = False
    (route,) = plan(driven, ids)["routes"]
    line = decode_polyline(route["polyline"], 5)
    depot, far = Coordinates(**DEPOT["coordinates"]), Coordinates(latitude=39.294, longitude=-76.61)
    assert (line[0], line[-1]) == (depot, depot)
    assert far in line


@pytest.mark.spec("decisions §21")
def test_a_plan_is_found_without_lines_when_the_roads_go_away(
    driven: World, roads: Returning, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> list[Path]:
        raise Unavailable("the road engine is away")

    roads.is_away = False
    monkeypatch.setattr(roads, "paths", refuse)
    found = plan(driven, import_stops(driven, {}, {}))
    assert (found["status"], len(served(found)["van"])) == ("COMPLETED", 2)
    assert "polyline" not in found["routes"][0]
