"""Actions that a driver's device submits, each with what it does to a route.

A device keeps a journal and sends it when it can: an action may come late, twice or out of order.
`perform` says what the action makes of a route, or raises: `NotYet` when something that the device
told or will tell before it is missing, `TooLate` when the route has moved on, `InvalidArgument`
when it could never be.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.attachment import Attachment
from roundsman.domain.errors import FailedPrecondition, FieldViolation, NotFound
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_progress import order_after_progress
from roundsman.domain.route_stop import RouteStop

type UuidText = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        description="a UUID such as 7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5b",
    ),
]
type ObjectId = Annotated[str, Meta(min_length=1, max_length=255)]


class ActionKind(StrEnum):
    """What a driver can do."""

    ROUTE_STARTED = "ROUTE_STARTED"
    STOP_ARRIVED = "STOP_ARRIVED"
    STOP_DELIVERED = "STOP_DELIVERED"
    STOP_ATTEMPTED = "STOP_ATTEMPTED"
    STOP_REOPENED = "STOP_REOPENED"
    STOPS_REORDERED = "STOPS_REORDERED"
    PROOF_NOTE = "PROOF_NOTE"
    PHOTO = "PHOTO"
    SIGNATURE = "SIGNATURE"
    BARCODE = "BARCODE"
    BARCODE_ISSUE = "BARCODE_ISSUE"
    TASK_COMPLETED = "TASK_COMPLETED"
    TASK_ITEM_COMPLETED = "TASK_ITEM_COMPLETED"
    BREAK_COMPLETED = "BREAK_COMPLETED"
    END_COMPLETED = "END_COMPLETED"
    POSITION = "POSITION"


class Outcome(StrEnum):
    """What became of an action."""

    APPLIED = "APPLIED"
    KEPT = "KEPT"
    REFUSED = "REFUSED"


class Reason(StrEnum):
    """Why an action was kept without an effect."""

    NONE = ""
    WAITING = "WAITING"
    SUPERSEDED = "SUPERSEDED"
    ROUTE_GONE = "ROUTE_GONE"
    ROUTE_ARCHIVED = "ROUTE_ARCHIVED"
    ROUTE_NOT_DISPATCHED = "ROUTE_NOT_DISPATCHED"
    ROUTE_NOT_YOURS = "ROUTE_NOT_YOURS"
    ROUTE_COMPLETED = "ROUTE_COMPLETED"
    STOP_GONE = "STOP_GONE"
    TASK_GONE = "TASK_GONE"


SAYS_OTHERWISE = "a later action says otherwise"


class TooLate(FailedPrecondition):
    """The route has moved on without the device knowing; the planner decides."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Fix(Coordinates):
    """Where the device was."""

    accuracy_meters: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0

    def point(self) -> Coordinates:
        """Return the place alone."""
        return Coordinates(latitude=self.latitude, longitude=self.longitude)


class ActionContext(Model):
    """When and where an action happened; `at` is the device's time, held to what is possible."""

    at: datetime
    now: datetime
    location: Coordinates | UnsetType = UNSET
    attachment: Attachment | UnsetType = UNSET


class DriverAction(Model):
    """One entry of a device's journal."""

    server_set: ClassVar[frozenset[str]] = frozenset({"submittedAt"})
    is_statement: ClassVar[bool] = False
    """Whether it says what happened, so that nobody may lose it unseen."""

    id: UuidText
    kind: ActionKind
    sequence: Annotated[int, Meta(ge=1, le=2**53)]
    at: datetime
    route_id: ObjectId
    position: Fix | UnsetType = UNSET
    submitted_at: datetime | UnsetType = UNSET
    """What the device said instead of `at`, where its clock was wrong."""

    def slot(self) -> str:
        """Name what the action sets, where a later action's value replaces an earlier one's."""
        return ""

    def released_slots(self, route: Route) -> frozenset[str]:
        """Name what else of the route the action sets: other slots than its own."""
        del route
        return frozenset()

    def contradicts(self, other: "DriverAction") -> bool:
        """Say whether two devices state something different of the same thing."""
        own = replace(
            self,
            id=other.id,
            sequence=other.sequence,
            at=other.at,
            position=other.position,
            submitted_at=other.submitted_at,
        )
        return self.is_statement and own != other

    def upload(self) -> str:
        """Return the id of the upload that the action names, if any."""
        return ""

    def context(self, route: Route, now: datetime) -> ActionContext:
        """Return when it happened: never in the future, never before the route was made."""
        at = max(min(self.at, now), min(route.created_at, now))
        location = self.position.point() if isinstance(self.position, Fix) else UNSET
        return ActionContext(at=at, now=now, location=location)

    def apply(self, route: Route, context: ActionContext) -> Route:
        """Return the route after the action."""
        performed = order_after_progress(route, self.perform(route, context))
        return performed.completed_when_over(context.at)

    def fix(self, context: ActionContext) -> DriverFix | None:
        """Return where the driver was, if the action says so."""
        if not isinstance(self.position, Fix):
            return None
        return DriverFix(
            coordinates=self.position.point(),
            accuracy_meters=self.position.accuracy_meters,
            at=context.at,
        )

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Return what the action makes of the route."""
        raise NotImplementedError

    def retract(self, route: Route) -> Route:
        """Return the route without what the action brought and a later one may not replace."""
        return route


CLOCKS_DIFFER_BY = timedelta(seconds=5)
"""Less than that may be the time that a request took."""


def with_clock_corrected[Action: DriverAction](
    action: Action, sent_at: datetime | None, received_at: datetime
) -> Action:
    """Return an action with its time by the service's clock; both times are kept."""
    if sent_at is None or abs(received_at - sent_at) <= CLOCKS_DIFFER_BY:
        return action
    try:
        corrected = action.at + (received_at - sent_at)
    except OverflowError:
        corrected = received_at  # no calendar has it: of such a clock nothing can be believed
    return replace(action, at=corrected, submitted_at=action.at)


class StopAction(DriverAction):
    """An action at a stop."""

    stop_id: ObjectId

    def at_stop(self, route: Route) -> RouteStop:
        """Return the stop, which a planner may have removed meanwhile."""
        try:
            return route.find_stop(self.stop_id)
        except NotFound:
            raise TooLate(Reason.STOP_GONE, "the stop is no longer on the route") from None

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Put the changed stop in its place."""
        return route.with_stop_edited(self.change(self.at_stop(route), context), context.now)

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Return what the action makes of the stop."""
        raise NotImplementedError


class ActionResult(Model):
    """What a device is answered about one action."""

    id: str
    outcome: Outcome
    reason: Reason = Reason.NONE
    message: str = ""
    field_violations: tuple[FieldViolation, ...] = ()


class WaitingAction(Model):
    """An action that rests on something that has not arrived."""

    id: str
    kind: ActionKind
    sequence: int


class JournalState(Model):
    """What the service has of a device's journal."""

    last_sequence: int = 0
    gaps: tuple[int, ...] = ()
    """Sequence numbers before it that have not arrived."""

    waiting: tuple[WaitingAction, ...] = ()


class KeptStop(Model):
    """The stop of a kept action, wherever it is now."""

    id: str
    """Of the stop that its delivery is by now, where that is another one than the action names."""

    name: str = ""
    route_id: str = ""
    """Empty where it is on no route."""

    imported_stop_id: str = ""
    """What it was made from, where that still exists."""


class JournalEntry(Model):
    """An action as it is stored: what was submitted, by whom, and what became of it."""

    id: str
    driver_id: str
    session_id: str
    sequence: int
    kind: ActionKind
    route_id: str
    at: datetime
    received_at: datetime
    outcome: Outcome
    reason: Reason = Reason.NONE
    message: str = ""
    resolved_at: datetime | UnsetType = UNSET
    """When a planner ticked it off, where one has."""

    resolved_by: str | UnsetType = UNSET
    """The e-mail of who did, or their id where there is none."""

    def resolved(self, by: str, at: datetime) -> Self:
        """Tick it off; once is enough. Only what was kept asks for somebody to look at it."""
        if self.outcome is not Outcome.KEPT:
            raise FailedPrecondition(f"only a KEPT action is resolved; this one is {self.outcome}")
        if self.resolved_at is not UNSET:
            return self
        return replace(self, resolved_at=at, resolved_by=by)

    def with_result(self, result: ActionResult) -> Self:
        """Note what became of the action."""
        return replace(self, outcome=result.outcome, reason=result.reason, message=result.message)
