"""What would bring a stop into a plan: single changes, each tried by searching again.

A change is offered only where a search that starts from the plan serves the stop with it, and still
serves all who were served. A change with an amount is made as small as the searches show: `minimal`
says that one unit less (a minute, a whole unit of a load, a kilometre) was tried and does not do.

The room is kept for the stop in these searches. Who makes the change by hand and plans anew keeps
it for nobody: that is searched, too, and where another stop gets the room the fix says so.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.time_window import TimeWindow
from roundsman.domain.unassigned_stop import PlanFix, PlanFixType, UnassignedReason
from roundsman.planning.fleet import (
    NEVER_DROPPED,
    FleetBudget,
    FleetPlan,
    FleetProblem,
    StepKind,
    plan_fleet,
)
from roundsman.routing.fleet_changes import PlanChanges
from roundsman.routing.fleet_problem import FleetDay, with_routes
from roundsman.routing.plan_change import PlanChange

MOST_FIXES = 5
_NEVER = 10**12
"""More seconds than any window is missed by."""

_MOVES = 1_000
_MOVES_ALONE = 500
"""Of the search with the change and nothing kept, which begins with the plan that serves all."""

_MORE_ALONE = 1.25
"""Of the time for fixes: what is found last is searched alone, too."""

_MOVES_TO_BE_SURE = 5_000
"""Of the search that is to show that one unit less does not do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Alone:
    """What a plan made anew does with a change, and the price with which it serves the stop."""

    serves: frozenset[int] = frozenset()
    leaves_out: frozenset[int] = frozenset()
    price: float | None = None


@dataclass(frozen=True, kw_only=True)
class FleetFixes:
    """Looks for changes until its time is over, as the thread that looks spends it."""

    day: FleetDay
    plan: FleetPlan
    seconds: float
    cancelled: Callable[[], bool]
    _begun: float = field(default_factory=time.thread_time)
    _tried: dict[tuple[object, ...], list[FleetPlan]] = field(default_factory=dict)
    """Plans by their change: what one search finds may serve many stops."""

    _alone: dict[tuple[object, ...], FleetPlan] = field(default_factory=dict)

    def find_all(
        self, reasons: Mapping[int, Sequence[UnassignedReason]]
    ) -> dict[int, tuple[PlanFix, ...]]:
        """Return for each stop the changes that bring it in, the cheapest first.

        Each stop gets one before any gets a second, or a smaller one: with many stops out, time
        is short.
        """
        changes = PlanChanges(day=self.day, plan=self.plan)
        untried = {index: changes.list_for(index, own) for index, own in reasons.items()}
        found: dict[int, list[PlanFix]] = {index: [] for index in untried}
        helping = self._find_next_of_each(untried)
        while helping:
            for index, (change, best) in helping.items():
                found[index].append(self._make_small(index, change, best))
            helping = self._find_next_of_each(
                {index: untried[index] for index in helping if len(found[index]) < MOST_FIXES}
            )
        return {
            index: tuple(sorted(fixes, key=lambda fix: fix.cost_difference))
            for index, fixes in found.items()
        }

    def _find_next_of_each(
        self, untried: Mapping[int, Iterator[PlanChange]]
    ) -> dict[int, tuple[PlanChange, FleetPlan]]:
        found = {index: self._find_next(index, changes) for index, changes in untried.items()}
        return {index: helping for index, helping in found.items() if helping is not None}

    def _is_over(self) -> bool:
        return self.cancelled() or time.thread_time() - self._begun >= self.seconds

    def _find_next(
        self, index: int, changes: Iterator[PlanChange]
    ) -> tuple[PlanChange, FleetPlan] | None:
        """Return the next change that does, at its least if that is known, and the plan with it."""
        for change in changes:
            for units in (change.least, change.most) if change.least > 1 else (change.most,):
                if self._is_over():
                    return None
                found = self._search(index, change, units)
                if found is not None:
                    return replace(change, most=units), found
        return None

    def _make_small(self, index: int, change: PlanChange, best: FleetPlan) -> PlanFix:
        """Return a change with the least amount that does, as far as there is time."""
        units, best, is_least = self._find_least(index, change, best)
        alone = self._plan_alone(index, change, units, best)
        also = set(self.plan.unassigned) - set(best.unassigned) - {index}
        before = self.plan.cost - self.plan.unassigned_cost
        given = self.day.given.stops
        price = 0.0 if change.given_up is None else given[change.given_up].unassigned_cost
        return PlanFix(
            type=change.kind,
            subject=change.subject,
            name=change.name,
            amount=units * change.unit if change.has_amount else 0.0,
            time_window=self._find_window(change, best),
            break_=change.break_,
            cost_difference=round(best.cost - best.unassigned_cost - before + price, 2),
            also_serves=self._names(also),
            serves_instead=self._names(alone.serves),
            leaves_out=self._names(alone.leaves_out),
            unassigned_cost=UNSET if alone.price is None else alone.price,
            minimal=is_least,
        )

    def _names(self, stops: Collection[int]) -> tuple[str, ...]:
        return tuple(self.day.given.stops[one].name() for one in sorted(stops))

    def _plan_alone(self, index: int, change: PlanChange, units: int, best: FleetPlan) -> _Alone:
        """Return what a plan made anew with a change does where that is not to serve a stop, too.

        The price that a stop lacks is what the plan with it costs more; twice that, for a longer
        search finds a cheaper plan without it.
        """
        competes = set(best.unassigned) - {change.given_up}
        if not competes and best.cost <= self.plan.cost:
            return _Alone()
        found = self._search_alone(change, units, self.plan)
        if self._does(index, change, found) or found.cost >= best.cost:
            found = self._search_alone(change, units, best)
        if self._does(index, change, found):
            return _Alone()
        problem = with_routes(change.patch(self.day.problem, units), best)
        price = problem.stops[index].unassigned_cost + 2 * max(0.0, best.cost - found.cost)
        price = math.ceil(price) + 1.0
        stops = list(problem.stops)
        stops[index] = replace(stops[index], unassigned_cost=price)
        dearer = plan_fleet(replace(problem, stops=stops), self._budget(_MOVES_ALONE, _MORE_ALONE))
        others = frozenset(self.plan.unassigned) - set(found.unassigned)
        return _Alone(
            serves=frozenset() if index in others else others,
            leaves_out=frozenset(found.unassigned) - set(self.plan.unassigned) - {change.given_up},
            price=price if self._does(index, change, dearer) else None,
        )

    def _search_alone(self, change: PlanChange, units: int, first: FleetPlan) -> FleetPlan:
        """Return a plan with a change and nothing kept, searched from the routes of another."""
        called = (*change.called, units, first.cost)
        if called not in self._alone:
            problem = with_routes(change.patch(self.day.problem, units), first)
            self._alone[called] = plan_fleet(problem, self._budget(_MOVES_ALONE, _MORE_ALONE))
        return self._alone[called]

    def _find_window(self, change: PlanChange, best: FleetPlan) -> TimeWindow | UnsetType:
        """Return the window of a stop that a change is of: where the plan serves it then.

        The change is tried on all windows at once; that plan is legal with the one alone.
        """
        index = change.window_of
        if index is None:
            return UNSET
        windows = self.day.given.stops[index].time_windows
        begin = next(
            step.begin
            for route in best.routes
            for step in route.steps
            if step.kind is StepKind.STOP and step.index == index
        )

        def missed(number: int) -> int:
            gaps = (
                begin - closes if change.kind is PlanFixType.CLOSE_LATER else opens - begin
                for opens, closes in self.day.windows_of(index)[number]
                if (opens <= begin if change.kind is PlanFixType.CLOSE_LATER else begin <= closes)
            )
            return max(0, min(gaps, default=_NEVER))

        return windows[min(range(len(windows)), key=missed)] if windows else UNSET

    def _find_least(
        self, index: int, change: PlanChange, best: FleetPlan
    ) -> tuple[int, FleetPlan, bool]:
        """Return the fewest units that do, the plan with them, and whether one less surely fails.

        Sure is what cannot help on an empty vehicle, and what a longer search finds no place with.
        """
        fails, serves = change.least - 1, change.most
        while serves - fails > 1 and not self._is_over():
            middle = (fails + serves) // 2
            found = self._search(index, change, middle)
            if found is None:
                fails = middle
            else:
                serves, best = middle, found
        while serves > change.least and serves - fails == 1 and not self._is_over():
            found = self._search(index, change, fails, _MOVES_TO_BE_SURE)
            if found is None:
                return serves, best, not self._is_over()
            serves, best, fails = fails, found, fails - 1
        return serves, best, serves == change.least

    def _search(
        self, index: int, change: PlanChange, units: int, moves: int = _MOVES
    ) -> FleetPlan | None:
        """Return a plan that serves the stop beside all that were served, if one is found."""
        if units <= 0:
            return None
        tried = self._tried.setdefault((*change.called, units), [])
        for found in tried:
            if self._does(index, change, found) and self._is_worth_it(index, found):
                return found
        found = plan_fleet(change.patch(self._wanting(index), units), self._budget(moves))
        tried.append(found)
        return found if self._does(index, change, found) else None

    def _budget(self, moves: int, share: float = 1.0) -> FleetBudget:
        left = max(0.01, self.seconds * share - (time.thread_time() - self._begun))
        return FleetBudget(
            seconds=left,
            moves=moves,
            cancelled=self.cancelled,
            clock=time.thread_time,
            polishes_all=False,
        )

    def _does(self, index: int, change: PlanChange, found: FleetPlan) -> bool:
        """Say whether a plan serves the stop beside all that were served."""
        lost = set(found.unassigned) - set(self.plan.unassigned) - {change.given_up}
        return not lost and index not in found.unassigned and _rests(change, found)

    def _is_worth_it(self, index: int, found: FleetPlan) -> bool:
        """Say whether the other stops that a plan serves pay for what it costs more.

        It may serve one of them at any price: it was searched for that one's sake.
        """
        also = set(self.plan.unassigned) - set(found.unassigned) - {index}
        paid = sum(self.day.given.stops[one].unassigned_cost for one in also)
        routes = self.plan.cost - self.plan.unassigned_cost
        return not also or found.cost - found.unassigned_cost - routes <= paid

    def _wanting(self, index: int) -> FleetProblem:
        """Return the problem as the plan left it, where neither this stop nor a served one goes."""
        out = set(self.plan.unassigned) - {index}
        problem = self._planned
        stops = [
            stop if number in out else replace(stop, unassigned_cost=NEVER_DROPPED)
            for number, stop in enumerate(problem.stops)
        ]
        return replace(problem, stops=stops)

    @cached_property
    def _planned(self) -> FleetProblem:
        return with_routes(self.day.problem, self.plan)


def _rests(change: PlanChange, found: FleetPlan) -> bool:
    """Say whether a break that a change is of is still taken: to do without it is no help."""
    if change.rests is None:
        return True
    vehicle, number = change.rests
    return any(
        step.kind is StepKind.BREAK and step.index == number
        for route in found.routes
        if route.vehicle == vehicle
        for step in route.steps
    )
