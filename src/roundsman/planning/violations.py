"""Limits of a route and by how much a schedule breaks them, each violation named as on the wire.

The number of stops, items and kilograms does not depend on the order, so these are checked here
and are none of the search's business. Duration and windows are the search's too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from roundsman.planning.schedule import Schedule


class ViolationKind(StrEnum):
    """What was broken, in the words of the interface (decisions §12)."""

    MAX_STOPS = "maxStops"
    MAX_DURATION = "maxDuration"
    MAX_ITEM_COUNT = "maxItemCount"
    MAX_KILOGRAMS = "maxKilograms"
    TIME_WINDOWS = "timeWindows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a route may hold and how long it may take; none means without limit."""

    max_stops: int | None = None
    max_duration: int | None = None
    max_item_count: int | None = None
    max_grams: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a route's stops add up to."""

    stops: int
    item_count: int = 0
    grams: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One limit or window that is not met."""

    kind: ViolationKind
    node: int | None
    """The node whose window is missed, none when the limit is the route's."""
    actual: int
    limit: int | None
    """What was allowed; grams for kilograms, none for a window, which has its own times."""
    excess: int
    """How much the limit would have to grow: stops, seconds, items, grams; seconds late."""


def check_limits(limits: Limits, load: Load, plan: Schedule | None = None) -> list[Violation]:
    """List everything that is broken; without a schedule only what no order could change."""
    facts = [
        (ViolationKind.MAX_STOPS, load.stops, limits.max_stops),
        (ViolationKind.MAX_ITEM_COUNT, load.item_count, limits.max_item_count),
        (ViolationKind.MAX_KILOGRAMS, load.grams, limits.max_grams),
    ]
    if plan is not None:
        facts.append((ViolationKind.MAX_DURATION, plan.duration_seconds, limits.max_duration))
    found = [
        Violation(kind=kind, node=None, actual=actual, limit=limit, excess=actual - limit)
        for kind, actual, limit in facts
        if limit is not None and actual > limit
    ]
    return found if plan is None else found + list(_missed_windows(plan))


def _missed_windows(plan: Schedule) -> Iterator[Violation]:
    for position, node in enumerate(plan.path):
        late = int(plan.lateness[position])
        if late:
            yield Violation(
                kind=ViolationKind.TIME_WINDOWS,
                node=node,
                actual=int(plan.service_starts[position]),
                limit=None,
                excess=late,
            )
