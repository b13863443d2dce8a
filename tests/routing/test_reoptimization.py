"""Whatever a route on the road looks like, reoptimizing keeps what is to stay."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.planning.orders import common_length
from tests.routing.test_ordering import DONE, MORNING, route_of, stop, under_way, window

from roundsman.domain.reoptimization import Keep, ReoptimizeOptions, Tradeoff
from roundsman.domain.route import Route
from roundsman.kit.durations import from_seconds
from roundsman.planning import schedule
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.reoptimization import COMPARED, Reoptimized, reoptimize
from roundsman.routing.route_problem import pose_problem, trip_ahead_of_driver, trip_of

ROADS = EstimatedRoads()
NOW = MORNING + timedelta(minutes=15)
CHUNKS = 100
CASES = 100  # a chunk


def random_route(seed: int) -> Route:
    """Return a route under way, or not begun: stops done, locked, appended, with windows or not."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 8)) if seed % 50 else int(random.integers(10, 26))
    has_windows, has_left = seed % 3 == 0, seed % 4 > 0
    stops = []
    for number in range(count):
        fields: dict[str, Any] = {}
        if has_left and random.random() < 0.2:
            fields |= DONE
        if random.random() < 0.15:
            fields["locked"] = True
        if has_windows and random.random() < 0.4:
            opens = int(random.integers(8, 11))
            fields["time_windows"] = (window((opens, 0), (opens + 1, 0)),)
        if seed % 5 == 0:
            fields["priority"] = int(random.integers(0, 2))
        stops.append(stop(str(number), float(random.integers(-50, 50)), **fields))
    route = (under_way if has_left else route_of)(*stops)
    appended = int(random.integers(0, 3)) if count > 2 else 0
    return replace(
        route,
        max_duration=from_seconds(7200) if seed % 7 == 0 else UNSET,
        appended_stop_ids=tuple(one.id for one in stops[count - appended :] if not one.locked),
    )


def ids(route: Route) -> list[str]:
    return [one.id for one in route.open_stops()]


def reoptimized(route: Route, **options: Any) -> Reoptimized:
    given = ReoptimizeOptions(ignore_routing_constraints=True, **options)
    return reoptimize(route, given, roads=ROADS, now=NOW)


@dataclass(frozen=True)
class State:
    """A route before, and how its orders after compare with it."""

    route: Route

    def moved(self, after: Route) -> int:
        placed = [one for one in ids(self.route) if one not in self.route.appended_stop_ids]
        number = {id_: index for index, id_ in enumerate(placed)}
        return len(placed) - common_length(
            [*number.values()], [number[one] for one in ids(after) if one in number]
        )

    def cost(self, after: Route) -> tuple[int, int, int]:
        """Return what the order after costs, from the same place and moment as the search."""
        route = replace(self.route, replanned_at=NOW)
        trip = trip_ahead_of_driver(route) if route.is_started() else trip_of(route, MORNING)
        locations = trip.waypoints()
        problem = pose_problem(trip, ROADS.matrix(locations, locations, trip.profile))
        node = {one.id: number for number, one in enumerate(trip.stops, 1)}
        return schedule(problem, [node[id_] for id_ in ids(after)]).cost

    def check(self, found: Reoptimized, most: int | None) -> None:
        route, after = self.route, found.route
        done = [one.id for one in route.done_stops()]
        assert [one.id for one in after.stops[: len(done)]] == done
        assert sorted(one.id for one in after.stops) == sorted(one.id for one in route.stops)
        assert [one.delivered_coordinates for one in after.done_stops()] == [
            one.delivered_coordinates for one in route.done_stops()
        ]
        for index, one in enumerate(route.open_stops()):
            assert not one.locked or ids(after)[index] == one.id
        assert found.moved == self.moved(after)
        assert most is None or found.moved <= most
        assert after.optimized
        assert after.appended_stop_ids == ()


def costs(curve: Sequence[Tradeoff]) -> list[tuple[int, int, int]]:
    return [(one.lateness_seconds, one.priority_inversions, one.travel_seconds) for one in curve]


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(
    "chunk",
    [pytest.param(one, marks=pytest.mark.full if one >= 3 else ()) for one in range(CHUNKS)],
)
def test_whatever_the_route_what_is_to_stay_stays_and_more_moves_are_never_worse(
    chunk: int,
) -> None:
    for seed in range(chunk * CASES, (chunk + 1) * CASES):
        route = random_route(seed)
        state = State(route)
        most = seed % 4
        few = reoptimized(route, max_moves=most, tradeoffs=True)
        state.check(few, most)
        curve = few.tradeoffs
        assert [one.max_moves or None for one in curve] == [most or None for most in COMPARED]
        assert all(one.moved <= (one.max_moves or 0) for one in curve[:-1])
        assert costs(curve) == sorted(costs(curve), reverse=True), seed
        kept = reoptimized(route, keep=Keep.ORDER)
        state.check(kept, 0)
        whole = reoptimized(route)
        state.check(whole, None)
        any_number = reoptimized(route, max_moves=len(route.stops))
        state.check(any_number, None)
        late, inversions, travel = state.cost(whole.route)
        for cost in (costs(curve)[-1], state.cost(any_number.route)):
            assert cost[:2] <= (late, inversions), seed
            assert cost[:2] < (late, inversions) or cost[2] <= 1.001 * travel, seed
        if most in COMPARED:
            assert state.cost(few.route) == costs(curve)[COMPARED.index(most)], seed
