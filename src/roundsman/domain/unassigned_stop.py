"""A stop that a plan leaves out: why, and what would bring it in (decisions §21)."""

from enum import StrEnum

from msgspec import field

from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.plan_draft import BreakSpan
from roundsman.domain.time_window import TimeWindow
from roundsman.kit.durations import Duration


class UnassignedReasonType(StrEnum):
    """What keeps a stop from a vehicle."""

    CAPACITIES = "capacities"
    REQUIRED_SKILLS = "requiredSkills"
    TIME_WINDOWS = "timeWindows"
    SHIFT = "shift"
    MAX_STOPS = "maxStops"
    MAX_DURATION = "maxDuration"
    MAX_DISTANCE_METERS = "maxDistanceMeters"
    ALLOWED_VEHICLES = "allowedVehicles"
    PINS = "pins"
    UNREACHABLE = "unreachable"
    BREAKS = "breaks"
    CONTENTION = "CONTENTION"
    COST = "COST"


class BindingLimit(Model):
    """What one vehicle would break with one stop more, at the place where it breaks least."""

    vehicle: str
    """The id of the vehicle in the request."""

    type: UnassignedReasonType
    """Which rule: `capacities`, `timeWindows`, `shift`, `maxStops`, `maxDuration`,
    `maxDistanceMeters`, or `breaks` where a break would begin after its window.
    """

    subject: str = ""
    """Which load, or the id of the stop that would be served after its windows, which may be
    another one.
    """

    amount: float = 0.0
    """By how much: of the load, seconds, metres, or stops."""


class BlockingBreak(Model):
    """A break without which a vehicle would have time for a stop."""

    vehicle: str
    """The id of the vehicle in the request."""

    time_window: BreakSpan
    """Between which moments it begins."""

    duration: Duration
    """How long it is."""


class UnassignedReason(Model):
    """Why one kind of vehicle does not serve a stop."""

    vehicle: str
    """The id of the first vehicle of this kind."""

    type: UnassignedReasonType
    subject: str = ""
    """Which load, skill or limit."""

    amount: float = 0.0
    """By how much: of the load, seconds, metres, stops, or money."""

    limits: tuple[BindingLimit, ...] = ()
    """With `CONTENTION` and `breaks`, what binds: for the vehicles of this kind that come nearest
    to serve it, what each would break. All limits of one vehicle have to give way, by their
    amounts; then it has room.
    """

    break_: BlockingBreak | UnsetType = field(name="break", default=UNSET)
    """With `CONTENTION` and `breaks`, a break without which there would be time."""

    description: Line = ""


class PlanFixType(StrEnum):
    """A change of what was asked, with which a stop could be served."""

    CLOSE_LATER = "CLOSE_LATER"
    OPEN_EARLIER = "OPEN_EARLIER"
    EXTEND_SHIFT = "EXTEND_SHIFT"
    RAISE_CAPACITY = "RAISE_CAPACITY"
    RAISE_LIMIT = "RAISE_LIMIT"
    GRANT_SKILL = "GRANT_SKILL"
    ADD_VEHICLE = "ADD_VEHICLE"
    UNPIN = "UNPIN"
    DROP_STOP = "DROP_STOP"
    START_BREAK_EARLIER = "START_BREAK_EARLIER"
    START_BREAK_LATER = "START_BREAK_LATER"
    SHORTEN_BREAK = "SHORTEN_BREAK"


class PlanFix(Model):
    """A change that was tried: a search served the stop with it, and all that were served."""

    type: PlanFixType
    index: int = 0
    """By which a plan that is based on this one calls it."""

    subject: str
    """The id of the vehicle in the request, of the imported stop, or of the store order; with
    DROP_STOP that of the stop that would be left out instead.
    """

    name: str = ""
    """Which load, skill or limit."""

    amount: float = 0.0
    """Seconds, metres, stops, or so much of the load."""

    time_window: TimeWindow | UnsetType = UNSET
    """With CLOSE_LATER and OPEN_EARLIER the window of the stop that changes, as the stop has it;
    absent where a stop has a day and no windows.
    """

    break_: BlockingBreak | UnsetType = field(name="break", default=UNSET)
    """With START_BREAK_EARLIER, START_BREAK_LATER and SHORTEN_BREAK the break that changes."""

    cost_difference: float = 0.0
    """What all routes cost more then, and what a stop costs that is left out instead; what the
    stop itself costs unassigned is not in it.
    """

    also_serves: tuple[str, ...] = ()
    """Other unassigned stops that would be served too."""

    serves_instead: tuple[str, ...] = ()
    """Other unassigned stops that a plan made anew with this change alone serves, and this one not,
    because they cost less to serve. A plan with `basedOn` and `fixes` keeps the room for this one.
    """

    leaves_out: tuple[str, ...] = ()
    """Served stops that such a plan leaves out."""

    unassigned_cost: float | UnsetType = UNSET
    """What the stop has to cost unassigned, beside the change, so that a plan made anew serves it
    and all that were served; absent where it does so anyway, or no price was found that does.
    """

    minimal: bool = False
    """Whether a unit less (a minute, one of the load, a kilometre) was tried and does not do."""


class UnassignedStop(Model):
    """A stop that the plan leaves out, and why."""

    imported_stop_id: str = ""
    client_stop_id: str = ""
    store_order_id: str = ""
    route_stop_id: str = ""
    cost: float
    reasons: tuple[UnassignedReason, ...] = ()
    fixes: tuple[PlanFix, ...] = ()
    """At most five, the cheapest first."""
