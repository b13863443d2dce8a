"""Routes that exist already, made legal as they are: what is broken may stay so, and no more.

A route on the road may be late whatever is done, or carry more than it should. A search that
refused it would take stops away from their driver for a fault that nobody can mend. So each limit
is widened to what the route needs as it stands, and lateness beyond it is refused as before.
"""

from collections.abc import Mapping
from dataclasses import replace

from roundsman.planning.fleet.budget import FleetBudget
from roundsman.planning.fleet.plan import FleetRoute
from roundsman.planning.fleet.problem import FleetProblem, FleetStop, FleetVehicle
from roundsman.planning.fleet.search import search_plan

LATENESS_COST = 100.0
"""For an hour, of a stop that has no price of its own: four times the usual wage."""

_EVER = 10**6
_HOUR = 3600


def widen_for_present_routes(problem: FleetProblem) -> FleetProblem:
    """Return the problem with limits that `FleetVehicle.route` of each vehicle keeps as it is.

    A break that no longer fits into its route is not planned any more.
    """
    if not any(vehicle.route for vehicle in problem.vehicles):
        return problem
    driven = _drive(problem)
    unfit = {
        number
        for number, vehicle in enumerate(problem.vehicles)
        if vehicle.route and _is_incomplete(vehicle, driven.get(number))
    }
    if unfit:
        vehicles = [
            replace(vehicle, breaks=()) if number in unfit else vehicle
            for number, vehicle in enumerate(problem.vehicles)
        ]
        problem = replace(problem, vehicles=vehicles)
        driven = _drive(problem)
    lateness = {
        step.index: step.lateness
        for route in driven.values()
        for step in route.steps
        if step.lateness
    }
    return replace(
        problem,
        stops=[
            _allow_lateness(stop, lateness.get(number, 0))
            for number, stop in enumerate(problem.stops)
        ],
        vehicles=[
            _allow_route(problem, vehicle, driven[number]) if vehicle.route else vehicle
            for number, vehicle in enumerate(problem.vehicles)
        ],
    )


def _is_incomplete(vehicle: FleetVehicle, route: FleetRoute | None) -> bool:
    return route is None or list(route.stops) != list(vehicle.route)


def _drive(problem: FleetProblem) -> Mapping[int, FleetRoute]:
    """Return every present route as it is driven when nothing but its order holds."""
    vehicle_of = {
        stop: number for number, vehicle in enumerate(problem.vehicles) for stop in vehicle.route
    }
    without_limits = replace(
        problem,
        stops=[
            replace(
                stop,
                held=True,
                home=vehicle_of.get(number),
                vehicles=frozenset({vehicle_of[number]} if number in vehicle_of else ()),
                max_lateness=_EVER,
                lateness_cost=float(_EVER),
                end_pin=None,
            )
            for number, stop in enumerate(problem.stops)
        ],
        vehicles=[
            replace(
                vehicle,
                closes=vehicle.closes + _EVER,
                latest_start=_latest_start(problem, vehicle),
                capacities=[None] * problem.loads,
                max_stops=None,
                max_duration=None,
                max_metres=None,
            )
            for vehicle in problem.vehicles
        ],
    )
    found = search_plan(without_limits, FleetBudget(seconds=_HOUR, moves=1))
    return {route.vehicle: route for route in found.routes}


def _latest_start(problem: FleetProblem, vehicle: FleetVehicle) -> int | None:
    """Return until when a vehicle may leave: one with a route may do so now."""
    latest = vehicle.latest_start
    if not vehicle.route or problem.now is None:
        return latest
    return None if latest is None else max(latest, problem.now)


def _allow_lateness(stop: FleetStop, lateness: int) -> FleetStop:
    if lateness <= stop.max_lateness:
        return stop
    price = stop.lateness_cost if stop.max_lateness else LATENESS_COST
    return replace(stop, max_lateness=lateness, lateness_cost=price)


def _allow_route(problem: FleetProblem, vehicle: FleetVehicle, route: FleetRoute) -> FleetVehicle:
    done = vehicle.under_way
    begun = route.departure if done is None else done.departed_at
    loads = [sum(problem.stops[stop].loads[load] for stop in route.stops)
             + (done.loads[load] if done and done.loads else 0)
             for load in range(problem.loads)]  # fmt: skip
    return replace(
        vehicle,
        closes=max(vehicle.closes, route.end),
        latest_start=_latest_start(problem, vehicle),
        capacities=[
            None if most is None else max(most, load)
            for most, load in zip(vehicle.capacities, loads, strict=True)
        ],
        max_stops=_at_least(vehicle.max_stops, len(route.stops) + (done.stops if done else 0)),
        max_duration=_at_least(vehicle.max_duration, route.end - begun),
        max_metres=_at_least(vehicle.max_metres, route.metres + (done.metres if done else 0)),
    )


def _at_least(most: int | None, present: int) -> int | None:
    return None if most is None else max(most, present)
