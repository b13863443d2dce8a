"""Several routes change together or not at all, whoever else changes them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from msgspec.structs import replace
from tests.api.conftest import World, inhabitants, world
from tests.api.test_routes import add, create_route, import_line

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.principal import operator
from roundsman.domain.route import Route
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route, change_routes, load_route

__all__ = ["inhabitants", "world"]

pytestmark = pytest.mark.both_databases


def of(world: World) -> Request:
    return Request(principal=operator(world.credentials.organization_id))


def read(world: World, route_id: str) -> Route:
    return load_route(world.tools, world.credentials.organization_id, route_id).route


def two_routes(world: World) -> tuple[str, str]:
    """Return a route with three stops and one without any."""
    full, empty = create_route(world), create_route(world)
    add(world, full, import_line(world, 1, 2, 3))
    return full, empty


def move_first(routes: Sequence[Route]) -> Sequence[Route]:
    """Move the first stop of the first route to the end of the second."""
    source, target = routes
    if not source.stops:
        return routes
    first, *rest = source.stops
    return replace(source, stops=tuple(rest)), replace(target, stops=(*target.stops, first))


def test_a_stop_moves_in_one_transaction_with_an_event_for_each_route(world: World) -> None:
    full, empty = two_routes(world)
    moved = read(world, full).stops[0]
    events = world.count("events")
    answered = change_routes(world.tools, of(world), lambda: [full, empty], move_first)
    assert [[stop.id for stop in one.route.stops][-1:] for one in answered][1] == [moved.id]
    assert [len(read(world, one).stops) for one in (full, empty)] == [2, 1]
    assert world.count("events") == events + 2


def test_a_change_that_one_route_refuses_changes_none(world: World) -> None:
    full, empty = two_routes(world)
    world.client.post(f"/routes/{empty}/archive")
    before, events = [read(world, one) for one in (full, empty)], world.count("events")
    with pytest.raises(FailedPrecondition, match="archived"):
        change_routes(world.tools, of(world), lambda: [full, empty], move_first)
    assert [read(world, one) for one in (full, empty)] == before
    assert world.count("events") == events


def test_a_change_is_worked_out_again_when_one_of_the_routes_has_changed(world: World) -> None:
    full, empty = two_routes(world)
    notes = iter(("first", "second"))
    seen = []

    def change(routes: Sequence[Route]) -> Sequence[Route]:
        seen.append(routes[1].note)
        if note := next(notes, ""):
            change_route(world.tools, of(world), empty, lambda route: replace(route, note=note))
        return move_first(routes)

    change_routes(world.tools, of(world), lambda: [full, empty], change)
    assert seen == ["", "first", "second"]
    assert read(world, empty).note == "second"
    assert [len(read(world, one).stops) for one in (full, empty)] == [2, 1]


def test_no_stop_is_lost_or_doubled_while_many_move_stops_to_and_fro(world: World) -> None:
    full, empty = two_routes(world)
    stops = {stop.id for stop in read(world, full).stops}

    def move(pair: tuple[str, str]) -> None:
        change_routes(world.tools, of(world), lambda: pair, move_first)

    pairs = cycle(((full, empty), (empty, full)))
    with ThreadPoolExecutor(4) as movers:
        list(movers.map(move, [next(pairs) for _ in range(24)]))
    left = [stop.id for one in (full, empty) for stop in read(world, one).stops]
    assert sorted(left) == sorted(stops)
