"""What stays out of a plan, with why and with what would help, for every door alike."""

import itertools
import time
from collections.abc import Callable

from msgspec.structs import replace

from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.planning.fleet import FleetPlan
from roundsman.routing.fleet_fixes import FleetFixes
from roundsman.routing.fleet_problem import FleetDay
from roundsman.routing.fleet_reasons import explain_unassigned

EXPLAIN_SHARE = 0.2
"""Of the seconds of a search, to look again for a place for what stays out, and for what helps.

They are seconds of a processor: a busy machine looks at as many changes as a quiet one.
"""

_LEAST_TO_EXPLAIN = 1.0
"""Seconds of a processor, however short the search was."""


def list_unassigned(
    day: FleetDay, plan: FleetPlan, *, spent: float, cancelled: Callable[[], bool]
) -> tuple[UnassignedStop, ...]:
    """Return the stops that are out of a plan whose search took so many seconds."""
    seconds = max(_LEAST_TO_EXPLAIN, EXPLAIN_SHARE * spent)
    until = time.monotonic() + day.given.max_seconds - spent

    def is_over() -> bool:
        return cancelled() or time.monotonic() >= until

    explains = day.given.explain and bool(plan.unassigned)
    reasons = (
        explain_unassigned(day, plan, seconds=seconds, cancelled=is_over)
        if explains
        else [() for _ in plan.unassigned]
    )
    because = dict(zip(plan.unassigned, reasons, strict=True))
    fixes = FleetFixes(day=day, plan=plan, seconds=seconds, cancelled=is_over).find_all(because)
    numbers = itertools.count()
    return tuple(
        UnassignedStop(
            imported_stop_id=stop.imported_stop_id,
            client_stop_id=stop.client_stop_id,
            store_order_id=stop.store_order_id,
            route_stop_id=stop.route_stop_id,
            cost=stop.unassigned_cost,
            reasons=because[index],
            fixes=tuple(replace(fix, index=next(numbers)) for fix in fixes[index]),
        )
        for index in plan.unassigned
        for stop in (day.given.stops[index],)
    )
