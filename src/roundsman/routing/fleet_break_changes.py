"""Which changes of a break that is in the way may give a vehicle time for a stop."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from roundsman.domain.unassigned_stop import PlanFixType, UnassignedReason, UnassignedReasonType
from roundsman.planning.fleet import FleetPlan, FleetProblem, FleetVehicle, StepKind
from roundsman.routing.fleet_overruns import RouteWithOneMore
from roundsman.routing.fleet_problem import FleetDay
from roundsman.routing.plan_change import Patch, PlanChange

_MINUTE = 60
_MOST_MINUTES = 240
_MINUTES_TRIED = (15, 30, 60, 120)
SHORTEST_BREAK = 900
"""Seconds; shorter ones do not count under Regulation (EC) No 561/2006, article 7."""


type _Change = Callable[[FleetVehicle, int], FleetVehicle]


@dataclass(frozen=True)
class BreakChanges:
    """Lists how the break that a reason names may change."""

    day: FleetDay
    plan: FleetPlan

    def list_for(self, index: int, reason: UnassignedReason) -> Iterator[PlanChange]:
        """Yield what makes room by a break that is in the way: sooner, later, or shorter.

        A break of a route that exists is a stop there, and is for the planner to change.
        """
        named = reason.break_
        if not named:
            return
        number, given = next(
            (number, one)
            for number, one in enumerate(self.day.given.vehicles)
            if one.id == named.vehicle
        )
        if given.present_route:
            return
        at = next(
            at
            for at, rest in enumerate(given.breaks)
            if (rest.time_window, rest.duration) == (named.time_window, named.duration)
        )
        is_alone = reason.type is UnassignedReasonType.BREAKS
        for kind, most in self._list_break_changes(number, at).items():
            patch = partial(_with_break, kind, at)
            sizes = (*(size for size in _MINUTES_TRIED if size < most), most)
            enough = (
                one
                for one in sizes
                if self._has_room(index, number, patch, at, one, is_alone=is_alone)
            )
            if most > 0 and (least := next(enough, None)):
                yield PlanChange(
                    kind=kind,
                    subject=named.vehicle,
                    patch=_of_vehicle(number, patch),
                    most=least,
                    unit=_MINUTE,
                    break_=named,
                    rests=(number, at),
                )

    def _list_break_changes(self, number: int, at: int) -> dict[PlanFixType, int]:
        """Return by how many minutes at most a break may change, within the shift."""
        van = self.day.problem.vehicles[number]
        rest = van.breaks[at]
        seconds = {
            PlanFixType.START_BREAK_LATER: van.closes - rest.closes,
            PlanFixType.START_BREAK_EARLIER: rest.opens - van.opens,
            PlanFixType.SHORTEN_BREAK: rest.duration - SHORTEST_BREAK,
        }
        return {kind: min(_MOST_MINUTES, one // _MINUTE) for kind, one in seconds.items()}

    def _has_room(
        self,
        index: int,
        number: int,
        patch: _Change,
        at: int,
        units: int,
        *,
        is_alone: bool,
    ) -> bool:
        """Say whether the route as it is, or an empty one, takes a stop once a break is changed.

        Searching costs a thousand times more, and most breaks are of no help.
        """
        own = (
            None
            if is_alone
            else next((one for one in self.plan.routes if one.vehicle == number), None)
        )
        # The break may come elsewhere among the stops then.
        route = own and replace(
            own,
            steps=[
                step for step in own.steps if step.kind is not StepKind.BREAK or step.index != at
            ],
        )
        problem = _of_vehicle(number, patch)(self.day.problem, units)
        return RouteWithOneMore(problem, number, route).has_room(index)


def _with_break(kind: PlanFixType, at: int, van: FleetVehicle, units: int) -> FleetVehicle:
    """Return a vehicle with a break that may begin sooner or later, or is shorter."""
    breaks, by = list(van.breaks), units * _MINUTE
    rest = breaks[at]
    match kind:
        case PlanFixType.START_BREAK_EARLIER:
            rest = replace(rest, opens=rest.opens - by)
        case PlanFixType.START_BREAK_LATER:
            rest = replace(rest, closes=rest.closes + by)
        case _:
            rest = replace(rest, duration=rest.duration - by)
    breaks[at] = rest
    return replace(van, breaks=breaks)


def _of_vehicle(number: int, change: _Change) -> Patch:
    def patch(problem: FleetProblem, units: int) -> FleetProblem:
        vehicles = list(problem.vehicles)
        vehicles[number] = change(vehicles[number], units)
        return replace(problem, vehicles=vehicles)

    return patch
