"""Stops stay whole, each on one route, however many planners move them at the same moment."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.api.conftest import World, inhabitants, world
from tests.api.test_route_previews import add_route, ids
from tests.operations.test_change_routes import of, read

from roundsman.domain.errors import Aborted
from roundsman.domain.transfer import StopMove
from roundsman.operations.transfers import transfer_stops

__all__ = ["inhabitants", "world"]

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §15")]


def storm(world: World, transfers: int) -> None:
    """Move random stops between four routes from four threads, two at a time."""
    routes = [
        add_route(world, *(f"{name}{number}" for number in range(4)))
        for name in ("a", "b", "c", "d")
    ]
    route_ids = [route["id"] for route in routes]
    stops = [id_ for route in routes for id_ in ids(route)]

    def move(seed: int) -> bool:
        chance = random.Random(seed)  # noqa: S311 -- no secret
        moves = [
            StopMove(stop_id=stop, to_route_id=chance.choice(route_ids))
            for stop in chance.sample(stops, 2)
        ]
        try:
            transfer_stops(world.tools, of(world), moves)
        except Aborted:
            return False
        return True

    with ThreadPoolExecutor(4) as movers:
        made = sum(movers.map(move, range(transfers)))
    assert made >= transfers * 0.9
    left = [stop.id for route_id in route_ids for stop in read(world, route_id).stops]
    assert sorted(left) == sorted(stops)


def test_no_stop_is_lost_or_doubled_while_many_move_stops(world: World) -> None:
    storm(world, 24)


@pytest.mark.full
def test_no_stop_is_lost_or_doubled_in_2000_transfers(world: World) -> None:
    storm(world, 2_000)
