"""Which limits keep a stop from the vehicles of a plan that come nearest to serve it, and breaks.

For each kind of vehicle the routes near the stop are looked at, and one that stays at home. What
would have to give way there is data for clients and half a sentence for people.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.unassigned_stop import BindingLimit, BlockingBreak
from roundsman.domain.unassigned_stop import UnassignedReasonType as Type
from roundsman.kit.durations import whole_seconds
from roundsman.planning.fleet import FleetPlan
from roundsman.routing.fleet_cargo import THOUSANDTHS
from roundsman.routing.fleet_overruns import Overrun, RouteWithOneMore
from roundsman.routing.fleet_problem import FleetDay
from roundsman.routing.route_problem import zone_of
from roundsman.routing.wording import describe_distance, describe_duration, describe_load

_ROUTES_TRIED = 3
_ALTERNATIVES = 3
"""So many vehicles are told apart by what binds there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WhatBinds:
    """What keeps a stop out, and how to say so."""

    limits: tuple[BindingLimit, ...] = ()
    break_: BlockingBreak | UnsetType = UNSET
    words: str = ""
    amount: float = 0.0
    """Seconds, where nothing but time is short on the vehicle that comes nearest."""


@dataclass(frozen=True)
class FleetLimits:
    """Looks at the routes of a plan with one stop more."""

    day: FleetDay
    plan: FleetPlan
    _routes: dict[tuple[int, bool, frozenset[int]], RouteWithOneMore] = field(default_factory=dict)

    def find_alone(self, index: int, number: int) -> WhatBinds | None:
        """Return what keeps a stop from an empty vehicle because of its breaks; None if nothing.

        The stop is known to fit but for them.
        """
        breaks = frozenset(range(len(self.day.problem.vehicles[number].breaks)))
        if not breaks:
            return None
        over = self._with_one_more(number, is_empty=True).find_least(index)
        free = self._with_one_more(number, is_empty=True, without=breaks)
        if not over or not free.has_room(index):
            return None
        return WhatBinds(
            limits=tuple(self._limits(number, over)),
            break_=self._find_break(index, number, over, is_empty=True),
            words=self._describe_all(index, [(number, over)]),
            amount=sum(one.amount for one in over if one.is_of_time),
        )

    def find_contention(self, index: int, numbers: Sequence[int]) -> WhatBinds:
        """Return what keeps a stop from the vehicles of a kind, with all that they serve.

        Nothing where one of them has room after all, or pins decide.
        """
        found: list[tuple[int, tuple[Overrun, ...]]] = []
        for number in self._list_nearest(index, numbers):
            over = self._with_one_more(number).find_least(index)
            if over == ():
                return WhatBinds()
            if over is not None:
                found.append((number, over))
        found.sort(key=lambda one: len(one[1]))
        told = {
            frozenset((one.type, one.index) for one in over): (number, over)
            for number, over in reversed(found)
        }
        nearest = sorted(told.values(), key=found.index)[:_ALTERNATIVES]
        blocking = (self._find_break(index, number, over) for number, over in nearest)
        return WhatBinds(
            limits=tuple(limit for number, over in nearest for limit in self._limits(number, over)),
            break_=next((one for one in blocking if one), UNSET),
            words=self._describe_all(index, nearest),
        )

    def _with_one_more(
        self, number: int, *, is_empty: bool = False, without: frozenset[int] = frozenset()
    ) -> RouteWithOneMore:
        key = (number, is_empty, without)
        if key not in self._routes:
            own = next((one for one in self.plan.routes if one.vehicle == number), None)
            route = None if is_empty else own
            self._routes[key] = RouteWithOneMore(self.day.problem, number, route, without)
        return self._routes[key]

    def _list_nearest(self, index: int, numbers: Sequence[int]) -> list[int]:
        """Return those vehicles of a kind that pass nearest, and one that stays at home."""
        problem = self.day.problem
        here = problem.stops[index].node
        away = {
            route.vehicle: min(
                int(problem.durations[0][problem.stops[one].node, here]) for one in route.stops
            )
            for route in self.plan.routes
            if route.vehicle in numbers and route.stops
        }
        unused = [one for one in numbers if one not in away]
        return [*sorted(away, key=away.__getitem__)[:_ROUTES_TRIED], *unused[:1]]

    def _find_break(
        self, index: int, number: int, over: Sequence[Overrun], *, is_empty: bool = False
    ) -> BlockingBreak | UnsetType:
        """Return the first break of a vehicle without which it had room."""
        if not all(one.is_of_time for one in over):
            return UNSET
        vehicle = self.day.given.vehicles[number]
        for at, rest in enumerate(vehicle.breaks):
            lighter = self._with_one_more(number, is_empty=is_empty, without=frozenset({at}))
            if lighter.has_room(index):
                return BlockingBreak(
                    vehicle=vehicle.id, time_window=rest.time_window, duration=rest.duration
                )
        return UNSET

    def _limits(self, number: int, over: Sequence[Overrun]) -> Iterator[BindingLimit]:
        for one in over:
            subject, amount = "", float(one.amount)
            if one.type is Type.CAPACITIES:
                subject, amount = self.day.load_names[one.index], one.amount / THOUSANDTHS
            elif one.type is Type.TIME_WINDOWS:
                subject = self.day.given.stops[one.index].name()
            yield BindingLimit(
                vehicle=self.day.given.vehicles[number].id,
                type=one.type,
                subject=subject,
                amount=amount,
            )

    def _describe_all(self, index: int, found: Sequence[tuple[int, Sequence[Overrun]]]) -> str:
        """Return what each vehicle would break, in half a sentence each."""
        return "; ".join(
            f"{self.day.given.vehicles[number].id} would "
            + " and ".join(self._describe(index, one) for one in over)
            for number, over in found
        )

    def _describe(self, index: int, over: Overrun) -> str:
        time = describe_duration(over.amount)
        match over.type:
            case Type.CAPACITIES:
                load = self.day.load_names[over.index]
                return f"carry {describe_load(over.amount / THOUSANDTHS, load)} more than it may"
            case Type.MAX_STOPS:
                many = f"{over.amount} {'stop' if over.amount == 1 else 'stops'}"
                return f"have {many} more than it may"
            case Type.MAX_DISTANCE_METERS:
                return f"drive {describe_distance(over.amount)} more than it may"
            case Type.MAX_DURATION:
                return f"be on the road {time} longer than it may"
            case Type.BREAKS:
                return f"begin its break {time} too late"
            case Type.TIME_WINDOWS:
                served = "it" if over.index == index else "another stop"
                return f"serve {served} {time} too late"
        return f"end {time} after its shift"

    def describe_break(self, index: int, rest: BlockingBreak) -> str:
        """Return how long a break is and when, by the clocks at a stop."""
        zone = zone_of(self.day.given.stops[index].coordinates)
        begins, ends = (
            f"{moment.astimezone(zone):%H:%M}"
            for moment in (rest.time_window.start, rest.time_window.end)
        )
        return f"{describe_duration(whole_seconds(rest.duration))} between {begins} and {ends}"
