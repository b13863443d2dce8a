"""What a planner could change where no order of a route's stops meets every window and limit.

A change names the field to set and its whole new value, as the operation that sets it wants it.
"""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.time_window import TimeWindow
from roundsman.kit.durations import Duration


class ChangeKind(StrEnum):
    """What to change: a field of the stop or route that is meant, or which stops there are."""

    TIME_WINDOWS = "timeWindows"
    SCHEDULED_FOR = "scheduledFor"
    MAX_DURATION = "maxDuration"
    MAX_STOPS = "maxStops"
    MAX_ITEM_COUNT = "maxItemCount"
    MAX_KILOGRAMS = "maxKilograms"
    REMOVE_STOP = "removeStop"


class SuggestedChange(Model):
    """One change; the field that `kind` names holds the new value."""

    kind: ChangeKind
    subject: str
    description: str
    time_windows: tuple[TimeWindow, ...] | UnsetType = UNSET
    scheduled_for: datetime | UnsetType = UNSET
    max_duration: Duration | UnsetType = UNSET
    max_stops: int | UnsetType = UNSET
    max_item_count: int | UnsetType = UNSET
    max_kilograms: float | UnsetType = UNSET


class Combination(Model):
    """Changes that are enough together, and not one by one."""

    changes: tuple[SuggestedChange, ...] = ()


class WindowConflict(Model):
    """Stops whose windows cannot all be met, whatever else the route does."""

    subjects: tuple[str, ...]
    description: str


class Advice(Model):
    """Each change alone is enough, and so is each combination; every one was tried."""

    changes: tuple[SuggestedChange, ...] = ()
    combinations: tuple[Combination, ...] = ()
    conflicts: tuple[WindowConflict, ...] = ()
