from datetime import UTC, datetime

from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.wire.v2024_07.route_headers import ESTIMATED, list_headers

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
ON_ROADS = Route(
    id="rte-1",
    number=1,
    name="#1",
    start=RouteStart(coordinates=Coordinates(latitude=39.29, longitude=-76.61)),
    created_at=NOON,
    updated_at=NOON,
)


def listed(*, estimated: int, on_roads: int = 0) -> list[AssignedRoute]:
    guessed = AssignedRoute(route=replace(ON_ROADS, has_estimates=True))
    return [AssignedRoute(route=ON_ROADS)] * on_roads + [guessed] * estimated


def test_a_whole_page_on_estimates_is_named_index_by_index() -> None:
    told = list_headers(listed(estimated=200))[ESTIMATED]
    assert told.split(", ") == [str(index) for index in range(200)]
    assert len(told) < 1_000


def test_a_list_without_pages_that_is_too_long_to_name_all_says_that_there_are_some() -> None:
    assert list_headers(listed(estimated=201)) == {ESTIMATED: "true"}
    assert list_headers(listed(estimated=1, on_roads=500)) == {ESTIMATED: "500"}
    assert list_headers(listed(estimated=0, on_roads=500)) == {}
