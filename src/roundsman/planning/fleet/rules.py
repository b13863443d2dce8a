"""The problem as the kernels read it, in arrays.

Stops are numbered from 0 to n - 1, along a first rough tour, so that near in town is near in
memory. Behind them come the reloads: for each vehicle that may load again, and for each place where
it may, as many as it may make. A reload is timed as a stop is, but only its vehicle may make it,
and it may stay undone. A *slot* is one of these m visits, or m + v for both ends of the route of
vehicle v.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.fleet.problem import (
    FleetBalance,
    FleetProblem,
    FleetStop,
    FleetVehicle,
)
from roundsman.planning.matrix import FAR, WAIT_WEIGHT
from roundsman.planning.problem import join_windows

type Int8 = NDArray[np.int8]
type Int32 = NDArray[np.int32]
type Int64 = NDArray[np.int64]
type Float64 = NDArray[np.float64]

NEIGHBOURS = 40
"""Beside so many near stops places are looked for; 20 were worse, 100 no better (plans, 3.3)."""

LONG_AGO, FAR_AHEAD = -(2**45), 2**45
NO_LIMIT = 2**61
_HOUR = 3600.0
_ROWS = 256
_FORBIDDEN = 1e15


(
    SERVICE, OPENS, CLOSES, FIRST_WINDOW, END_WINDOW, IS_RICH, MOST_LATE, PRIORITY, END_PIN, HELD,
    HOME, NODE,
) = range(12)  # fmt: skip
"""Columns of `Rules.stop`. OPENS and CLOSES are of the hull of a stop's windows, lateness included.
IS_RICH: timing needs a walk, for there are several windows, or lateness at a price. NODE is one of
`Rules.legs`; of a stop it is its own number."""

LATE, DROP = range(2)
"""Columns of `Rules.stop_price`: of a second of lateness, and of leaving the stop out."""

(
    START, END, LEAVES, LATEST_LEAVE, SHUTS, MOST_STOPS, MOST_METRES, MOST_SECONDS, PROFILE, KIND,
    FIRST_BREAK, END_BREAK, KEPT_FRONT, IS_UNDER_WAY, NEXT_STOP, LEAVES_TO_NEXT, DONE_SECONDS,
    DONE_STOPS, FIRST_RELOAD, END_RELOAD, MOST_RELOADS,
) = range(21)  # fmt: skip
"""Columns of `Rules.van`. START and END are nodes of `Rules.legs`. LEAVES is the earliest start, or
the moment when a vehicle under way may turn; to NEXT_STOP it is on its way since LEAVES_TO_NEXT.
SHUTS is the latest end. DONE_SECONDS until LEAVES, and DONE_STOPS, are behind it. Vehicles of one
KIND are alike: one empty one of each is enough to try. Its reloads go from FIRST_RELOAD to
END_RELOAD, MOST_RELOADS for each place."""

FIXED, PER_SECOND, PER_TRAVEL_SECOND, PER_METRE, PER_STOP = range(5)
"""Columns of `Rules.van_price`."""


class Rules(NamedTuple):
    """What the kernels read and never write: few arrays, for each is seven arguments of a call."""

    legs: Int32
    """Profile, from, to: seconds, and metres where anything looks at them. The nodes are stops,
    then places of vehicles, then one that is no way from anywhere, for open ends."""

    legs_back: Int32
    """The same from column to row."""

    has_metres: bool
    has_reloads: bool
    stop: Int64
    """A row for each stop, then one for each reload."""

    stop_price: Float64
    windows: Int64
    loads: Int64
    load_weight: Float64
    """One by the mean capacity, so that loads of different units can be added."""

    may: Int8
    """Stop, vehicle: 1 where skills and lists allow it."""

    has_vehicle_prices: bool
    vehicle_price: Float64
    """Stop, vehicle: what it costs that this one serves it; empty where none costs anything."""

    near: Int64
    """A row for each stop, and none for reloads."""

    van: Int64
    van_price: Float64
    capacity: Int64
    breaks: Int64
    has_end_pins: bool
    inversion_price: float
    spread_price: float
    """Of a metre from the medoid of a route to each of its stops."""

    longest_price: float
    """Of a second, or a stop, of the longest route."""

    counts_stops: bool
    """Whether the longest route is the one with the most stops."""

    most_moved: int
    move_price: float


def build_rules(problem: FleetProblem) -> Rules:
    """Write a problem down in arrays."""
    vehicles = problem.vehicles
    legs, has_metres = _legs(problem)
    reloads = _list_reloads(problem)
    stops = [*problem.stops, *reloads]
    windows = [_windows(stop, problem.now) for stop in stops]
    breaks = [
        sorted((rest.opens, rest.closes, rest.duration) for rest in van.breaks) for van in vehicles
    ]
    rules = Rules(
        legs=legs,
        legs_back=np.ascontiguousarray(legs.transpose(0, 2, 1, 3)),
        has_metres=has_metres,
        has_reloads=bool(reloads),
        stop=_stop_table(problem, stops, windows),
        stop_price=_real(
            [(stop.lateness_cost / _HOUR, stop.unassigned_cost) for stop in stops]
        ).reshape(-1, 2),
        windows=_whole([edge for own in windows for edge in own]).reshape(-1, 2),
        loads=_whole([stop.loads for stop in stops]).reshape(len(stops), problem.loads),
        load_weight=_load_weights(problem),
        may=np.vstack([_may(problem), _may_reload(problem, reloads)]),
        has_vehicle_prices=any(stop.vehicle_costs for stop in problem.stops),
        vehicle_price=_vehicle_prices(problem),
        near=np.zeros((0, 0), np.int64),
        van=_van_table(problem, len(legs[0]) - 1, breaks),
        van_price=_van_prices(vehicles),
        capacity=_whole([_capacity(van, problem.loads) for van in vehicles]).reshape(
            len(vehicles), problem.loads
        ),
        breaks=_whole([rest for own in breaks for rest in own]).reshape(-1, 3),
        has_end_pins=any(stop.end_pin for stop in stops),
        inversion_price=_inversion_price(problem),
        spread_price=problem.compactness / 1000,
        longest_price=_longest_price(problem.balance),
        counts_stops=bool(problem.balance and problem.balance.per_stop),
        most_moved=len(problem.stops) if problem.max_moved is None else problem.max_moved,
        move_price=float(problem.moved_cost),
    )
    return rules._replace(near=_near(rules, len(problem.stops)))


def _list_reloads(problem: FleetProblem) -> list[FleetStop]:
    """Return the reloads of all vehicles as stops that carry nothing."""
    return [
        FleetStop(
            node=reload.node,
            service=reload.duration,
            loads=(0,) * problem.loads,
            vehicles=frozenset({number}),
        )
        for number, van in enumerate(problem.vehicles)
        for reload in van.reloads
        for _ in range(van.max_reloads)
    ]


def _may_reload(problem: FleetProblem, reloads: Sequence[FleetStop]) -> Int8:
    """Return by whom each reload may be made, as `Rules.may` has it."""
    may = np.zeros((len(reloads), len(problem.vehicles)), np.int8)
    for row, reload in zip(may, reloads, strict=True):
        row[list(reload.vehicles or ())] = 1
    return may


type _Windows = tuple[tuple[int, int], ...]


def _stop_table(
    problem: FleetProblem, stops: Sequence[FleetStop], windows: Sequence[_Windows]
) -> Int64:
    table = np.zeros((len(stops), 12), np.int64)
    node_of = _number_end_nodes(problem)
    ends = np.cumsum([len(own) for own in windows], dtype=np.int64)
    kept = {stop for van in problem.vehicles for stop in van.route[: van.keep_first]}
    for number, (row, stop, own, end) in enumerate(zip(table, stops, windows, ends, strict=True)):
        row[SERVICE] = stop.service
        row[OPENS] = own[0][0]
        row[CLOSES] = own[-1][1] + stop.max_lateness
        row[FIRST_WINDOW], row[END_WINDOW] = end - len(own), end
        row[IS_RICH] = len(own) > 1 or stop.max_lateness > 0
        row[MOST_LATE] = stop.max_lateness
        row[PRIORITY] = stop.priority
        row[END_PIN] = stop.end_pin.value if stop.end_pin else 0
        row[HELD] = stop.held or number in kept
        row[HOME] = -1 if stop.home is None else stop.home
        row[NODE] = number if number < len(problem.stops) else node_of[stop.node]
    return table


def _windows(stop: FleetStop, now: int | None) -> _Windows:
    """Return the windows from now on, and those that may still be missed by no more than allowed.

    Where all are past it is the last one, which none can meet.
    """
    windows = join_windows(0, stop.windows) or ((LONG_AGO, FAR_AHEAD),)
    if now is None:
        return windows
    ahead = tuple(
        (max(opens, now), closes) for opens, closes in windows if closes + stop.max_lateness >= now
    )
    return ahead or ((now, windows[-1][1]),)


type _Breaks = Sequence[Sequence[tuple[int, int, int]]]


def _van_table(problem: FleetProblem, nowhere: int, breaks: _Breaks) -> Int64:
    vehicles = problem.vehicles
    table = np.zeros((len(vehicles), 21), np.int64)
    node_of = _number_end_nodes(problem)
    node_of[None] = nowhere
    kinds = _kinds(problem)
    end_break, end_reload = 0, len(problem.stops)
    for number, (row, van) in enumerate(zip(table, vehicles, strict=True)):
        under_way = van.under_way
        row[START], row[END] = node_of[van.start], node_of[van.end]
        row[LEAVES] = _leaves(problem, van)
        row[LATEST_LEAVE] = row[LEAVES] if under_way else _latest(van)
        row[SHUTS] = _shuts(van)
        row[MOST_STOPS] = _less(van.max_stops, under_way.stops if under_way else 0)
        row[MOST_METRES] = _less(van.max_metres, under_way.metres if under_way else 0)
        row[MOST_SECONDS] = NO_LIMIT if under_way else _less(van.max_duration, 0)
        row[PROFILE] = van.profile
        row[KIND] = kinds[number]
        row[FIRST_BREAK], row[END_BREAK] = end_break, end_break + len(breaks[number])
        row[KEPT_FRONT] = van.keep_first
        row[IS_UNDER_WAY] = under_way is not None
        row[NEXT_STOP] = _next_stop(van)
        row[LEAVES_TO_NEXT] = under_way.leaves_at if under_way else row[LEAVES]
        row[DONE_SECONDS] = row[LEAVES] - under_way.departed_at if under_way else 0
        row[DONE_STOPS] = under_way.stops if under_way else 0
        row[MOST_RELOADS] = van.max_reloads
        row[FIRST_RELOAD] = end_reload
        end_reload += len(van.reloads) * van.max_reloads
        row[END_RELOAD] = end_reload
        end_break += len(breaks[number])
    return table


def _van_prices(vehicles: Sequence[FleetVehicle]) -> Float64:
    prices = np.zeros((len(vehicles), 5), np.float64)
    for row, van in zip(prices, vehicles, strict=True):
        costs = van.costs
        row[FIXED] = 0.0 if van.under_way else costs.fixed
        row[PER_SECOND] = costs.per_hour / _HOUR
        row[PER_TRAVEL_SECOND] = costs.per_traveled_hour / _HOUR
        row[PER_METRE] = costs.per_kilometer / 1000
        row[PER_STOP] = costs.per_stop
    return prices


def _end_nodes(vehicles: Sequence[FleetVehicle]) -> list[int]:
    """Return the places of vehicles: where they start, end and reload."""
    ends = {place for van in vehicles for place in (van.start, van.end) if place is not None}
    return sorted(ends | {reload.node for van in vehicles for reload in van.reloads})


def _number_end_nodes(problem: FleetProblem) -> dict[int | None, int]:
    """Return the node in `Rules.legs` of each place of vehicles."""
    return {
        place: len(problem.stops) + number
        for number, place in enumerate(_end_nodes(problem.vehicles))
    }


def _legs(problem: FleetProblem) -> tuple[Int32, bool]:
    """Return seconds and metres between stops and vehicles' places, and whether metres count."""
    vehicles = problem.vehicles
    has_metres = problem.distances is not None and (
        bool(problem.compactness)
        or any(van.costs.per_kilometer or van.max_metres is not None for van in vehicles)
    )
    places = _whole([*(stop.node for stop in problem.stops), *_end_nodes(vehicles)])
    size = len(places) + 1
    legs = np.zeros((len(problem.durations), size, size, 1 + has_metres), np.int32)
    tables = [problem.durations, problem.distances] if has_metres else [problem.durations]
    for part, profiles in enumerate(tables):
        for profile, table in enumerate(profiles or ()):
            for begin in range(0, len(places), _ROWS):
                rows = places[begin : begin + _ROWS]
                block = np.minimum(table[np.ix_(rows, places)], FAR)
                legs[profile, begin : begin + len(rows), :-1, part] = block
    return legs, has_metres


def _leaves(problem: FleetProblem, van: FleetVehicle) -> int:
    if van.under_way is None:
        return van.opens if problem.now is None else max(van.opens, problem.now)
    return max(van.under_way.leaves_at, problem.now or LONG_AGO)


def _latest(van: FleetVehicle) -> int:
    return van.closes if van.latest_start is None else van.latest_start


def _next_stop(van: FleetVehicle) -> int:
    stop = van.under_way.next_stop if van.under_way else None
    return -1 if stop is None else stop


def _shuts(van: FleetVehicle) -> int:
    if van.under_way is None or van.max_duration is None:
        return van.closes
    return min(van.closes, van.under_way.departed_at + van.max_duration)


def _capacity(van: FleetVehicle, loads: int) -> list[int]:
    used = van.under_way.loads if van.under_way and van.under_way.loads else [0] * loads
    return [
        NO_LIMIT if most is None else most - on_board
        for most, on_board in zip(van.capacities, used, strict=True)
    ]


def _load_weights(problem: FleetProblem) -> Float64:
    limits = [
        [most for most in own if most]
        for own in zip(*(van.capacities for van in problem.vehicles), strict=True)
    ]
    return _real([len(own) / sum(own) if own else 0.0 for own in limits])


def _less(most: int | None, done: int) -> int:
    return NO_LIMIT if most is None else most - done


def _inversion_price(problem: FleetProblem) -> float:
    priorities = {stop.priority for stop in problem.stops}
    return float(problem.inversion_cost) if len(priorities) > 1 else 0.0


def _vehicle_prices(problem: FleetProblem) -> Float64:
    if not any(stop.vehicle_costs for stop in problem.stops):
        return np.zeros((0, 0), np.float64)
    prices = np.zeros((len(problem.stops), len(problem.vehicles)), np.float64)
    for row, stop in zip(prices, problem.stops, strict=True):
        for van, cost in stop.vehicle_costs.items():
            row[van] = cost
    return prices


def _longest_price(balance: FleetBalance | None) -> float:
    if balance is None:
        return 0.0
    return balance.per_stop or balance.per_hour / _HOUR


def _may(problem: FleetProblem) -> Int8:
    may = np.zeros((len(problem.stops), len(problem.vehicles)), np.int8)
    skilled: dict[object, NDArray[np.int8]] = {}
    for number, stop in enumerate(problem.stops):
        key = (stop.skills, stop.vehicles, stop.home)
        if key not in skilled:
            allowed = [problem.may_serve(van, number) for van in range(len(problem.vehicles))]
            skilled[key] = np.array(allowed, np.int8)
        may[number] = skilled[key]
    for number, van in enumerate(problem.vehicles):
        if van.under_way is None and _leaves(problem, van) > _latest(van):
            may[:, number] = 0  # it is too late to leave
    return may


def _kinds(problem: FleetProblem) -> list[int]:
    """Number vehicles by what they are; whoever has a route, or is named by a stop, is unique."""
    named = {van for stop in problem.stops if stop.vehicles is not None for van in stop.vehicles}
    named |= {stop.home for stop in problem.stops if stop.home is not None}
    prices = _vehicle_prices(problem)
    numbers: dict[object, int] = {}
    kinds = []
    for number, van in enumerate(problem.vehicles):
        is_own = number in named or van.under_way is not None or bool(van.route)
        column = prices[:, number].tobytes() if len(prices) else b""
        key = number if is_own else (_description(van), column)
        kinds.append(numbers.setdefault(key, len(numbers)))
    return kinds


def _description(van: FleetVehicle) -> object:
    limits = (van.max_stops, van.max_duration, van.max_metres, van.skills, tuple(van.capacities))
    times = (van.opens, van.closes, van.latest_start, tuple(van.breaks))
    reloads = (van.max_reloads, tuple(van.reloads))
    return van.start, van.end, van.profile, van.costs, limits, times, reloads


def _near(rules: Rules, size: int) -> Int64:
    """Return for each stop its nearest ones, by the cheaper direction, waiting counted in part.

    After Vidal et al. (2013): the cost of driving, a fifth of the waiting that cannot be avoided,
    and never a pair that windows forbid.
    """
    most = min(NEIGHBOURS, max(0, size - 1))
    near = np.zeros((size, most), np.int64)
    for begin in range(0, size if most else 0, _ROWS):
        rows = slice(begin, min(size, begin + _ROWS))
        there = _proximity(rules, rows, slice(0, size))
        back = _proximity(rules, slice(0, size), rows).T
        scores = np.minimum(there, back)
        scores[np.arange(rows.stop - begin), np.arange(begin, rows.stop)] = np.inf
        nearest = np.argpartition(scores, most - 1, axis=1)[:, :most]
        order = np.argsort(np.take_along_axis(scores, nearest, 1), axis=1, kind="stable")
        near[rows] = np.take_along_axis(nearest, order, 1)
    return near


def price_driving(rules: Rules) -> tuple[float, float]:
    """Return what a second and a metre of driving cost in the mean of all vehicles."""
    if not len(rules.van):
        return 1.0, 0.0
    second = float(np.mean(rules.van_price[:, [PER_SECOND, PER_TRAVEL_SECOND]].sum(axis=1)))
    metre = float(np.mean(rules.van_price[:, PER_METRE]))
    return (second, metre) if second or metre else (1.0, 0.0)


def _proximity(rules: Rules, first: slice, second: slice) -> Float64:
    per_second, per_metre = price_driving(rules)
    legs = rules.legs[0, first, second]
    seconds = legs[:, :, 0].astype(np.float64)
    opens, closes, service = (rules.stop[:, column] for column in (OPENS, CLOSES, SERVICE))
    soonest = (opens + service)[first, None] + seconds
    latest = (closes + service)[first, None] + seconds
    waiting = np.maximum(0.0, opens[None, second] - latest)
    score = per_second * (seconds + WAIT_WEIGHT * waiting)
    if rules.has_metres:
        score += per_metre * legs[:, :, 1]
    return np.where(soonest > closes[None, second], _FORBIDDEN + score, score)


def _whole(values: object) -> Int64:
    return np.array(values, dtype=np.int64)


def _real(values: object) -> Float64:
    return np.array(values, dtype=np.float64)


def along_tour(problem: FleetProblem) -> list[int]:
    """Return the stops in the order of a tour that goes to the nearest next.

    Numbered so, what is near in town is near in memory, and the search is quicker for it.
    """
    places = _whole([stop.node for stop in problem.stops])
    if not len(places):
        return []
    table = problem.durations[0]
    is_left = np.ones(len(places), bool)
    order = [0]
    is_left[0] = False
    for _ in range(len(places) - 1):
        legs = np.where(is_left, table[places[order[-1]]][places], FAR)
        order.append(int(np.argmin(legs)))
        is_left[order[-1]] = False
    return order
