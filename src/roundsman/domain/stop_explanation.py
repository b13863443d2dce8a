"""Why a stop is reached when it is: what of that was planned, and what came in between."""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.model import UNSET, Model, UnsetType


class TimeKind(StrEnum):
    """What time was spent on."""

    DEPARTURE = "DEPARTURE"
    """Leaving the start at another time than planned."""

    TRAVEL = "TRAVEL"
    """The way to the stop."""

    WAITING = "WAITING"
    """At the stop, until its time window opened."""

    SERVICE = "SERVICE"
    """Service at the stop."""

    VISIT = "VISIT"
    """The way to the stop and what was done there: of a done stop only its end is known."""

    ORDER = "ORDER"
    """The same, of a stop that was done at another place in the order than planned."""


class TimePart(Model):
    """A part of the time; less than 0 is time that was made up."""

    kind: TimeKind
    stop_id: str | UnsetType = UNSET
    """Where, unless it is the route's start."""

    seconds: int


class StopExplanation(Model):
    """Why a stop is reached when it is, as data and as a sentence.

    `delays` add up to `delaySeconds`, which is `updatedArrival` less `plannedArrival`. `plan` adds
    up to the time from the planned departure to `plannedArrival`. Of an open stop that is late,
    `latenessSeconds` is `delaySeconds` less `plannedSlackSeconds`.
    """

    stop_id: str
    planned_arrival: datetime | UnsetType = UNSET
    updated_arrival: datetime | UnsetType = UNSET
    delay_seconds: int = 0
    lateness_seconds: int = 0
    """How long after its last time window service starts."""

    slack_seconds: int | UnsetType = UNSET
    """How much later service may start in time; unset where no window closes, or when late."""

    planned_slack_seconds: int | UnsetType = UNSET
    """From the planned arrival until the last window closes; less than 0 is late by plan."""

    waiting_seconds: int = 0
    """How long the driver waits at an open stop, from the arrival, until its window opens."""

    opens_at: datetime | UnsetType = UNSET
    """When the window opens that the driver waits for, or before which the stop was done."""

    delays: tuple[TimePart, ...] = ()
    plan: tuple[TimePart, ...] = ()
    sentence: str
