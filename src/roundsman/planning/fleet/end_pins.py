"""End pins: stops that have to be the first or the last of their route.

The search only looks at them where it puts a stop, so a route that it begins with has to keep them
already.
"""

from collections.abc import Sequence

from roundsman.planning.fleet.problem import EndPin, FleetProblem, FleetStop


def keeps_end_pins(stops: Sequence[FleetStop]) -> bool:
    """Say whether the stops of a route, in order, are at the ends that they are pinned to."""
    pins = [stop.end_pin for stop in stops]
    return EndPin.FIRST not in pins[1:] and EndPin.LAST not in pins[:-1]


def put_at_ends(problem: FleetProblem, number: int) -> list[int]:
    """Return the present route of a vehicle with each pinned stop at its end.

    Stops that it may not serve are left out, and those for which an end is taken: by what is kept
    in front, or by another stop, which is one that no other vehicle may serve if there is one.
    """
    vehicle = problem.vehicles[number]

    def rank(index: int) -> tuple[int, bool]:
        stop = problem.stops[index]
        if stop.end_pin is None:
            return 1, False
        return 2 * (stop.end_pin is EndPin.LAST), stop.vehicles != frozenset({number})

    kept, others = vehicle.route[: vehicle.keep_first], vehicle.route[vehicle.keep_first :]
    order: list[int] = []
    for index in [*kept, *sorted(others, key=rank)]:
        has_end = keeps_end_pins([problem.stops[one] for one in (*order, index)])
        if has_end and problem.may_serve(number, index):
            order.append(index)
    return order


def leave_out_misplaced(problem: FleetProblem, number: int) -> list[int]:
    """Return the present route of a vehicle without the stops that are not at their end."""
    stops, route = problem.stops, list(problem.vehicles[number].route)
    route = [one for one in route if one == route[0] or stops[one].end_pin is not EndPin.FIRST]
    return [one for one in route if one == route[-1] or stops[one].end_pin is not EndPin.LAST]
