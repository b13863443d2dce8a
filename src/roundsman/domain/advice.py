"""What a planner could change where no order of a route's stops meets every window and limit.

A change names the field to set and its whole new value, as the operation that sets it wants it.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

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
    """The field to change, or that a stop is to be taken out."""

    subject: str
    """The id of the stop or route that it is a field of."""

    description: str
    """The change in words."""

    time_windows: tuple[TimeWindow, ...] | UnsetType = UNSET
    """The stop's new windows, all of them."""

    scheduled_for: datetime | UnsetType = UNSET
    """When the route would have to leave."""

    max_duration: Duration | UnsetType = UNSET
    max_stops: Annotated[int, Meta(ge=0, le=1_000_000_000)] | UnsetType = UNSET
    """The route's new limit of stops."""

    max_item_count: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] | UnsetType = UNSET
    """The route's new limit of units."""

    max_kilograms: Annotated[float, Meta(ge=0, le=1_000_000_000)] | UnsetType = UNSET
    """The route's new limit of weight."""


class Combination(Model):
    """Changes that are enough together, and not one by one."""

    changes: tuple[SuggestedChange, ...] = ()
    """All of them have to be made."""


class WindowConflict(Model):
    """Stops whose windows cannot all be met, whatever else the route does."""

    subjects: tuple[str, ...]
    """The ids of the stops."""

    description: str
    """Why their windows cannot all be met."""


class Advice(Model):
    """Each change alone is enough, and so is each combination; every one was tried."""

    changes: tuple[SuggestedChange, ...] = ()
    combinations: tuple[Combination, ...] = ()
    conflicts: tuple[WindowConflict, ...] = ()
