"""What drivers' actions do: to a route as a whole, at its stops, and to tasks along it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.actions import (
    ActionContext,
    ActionKind,
    DriverAction,
    ObjectId,
    Reason,
    StopAction,
    TooLate,
    UuidText,
)
from roundsman.domain.attachment import Attachment
from roundsman.domain.errors import NotYet
from roundsman.domain.model import UNSET, Line, Prose, Rule, UnsetType, obey_rules
from roundsman.domain.proof import (
    AttemptedReason,
    Barcode,
    BarcodeIssue,
    BarcodeIssueReason,
    LeftWith,
)
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import InputMethod, Task, TaskType


class _StopVisit(StopAction):
    """Says how a visit ended; the last word counts, until the route is completed."""

    is_statement = True

    def slot(self) -> str:
        """Name the stop's status."""
        return f"status:{self.stop_id}"

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Move the stop, unless that would correct a route that is completed."""
        over = isinstance(route.completed_at, datetime) and context.at > route.completed_at
        if over and self.at_stop(route).is_done():
            raise TooLate(Reason.ROUTE_COMPLETED, "the route is completed")
        return super().perform(route, context)

    def retract(self, route: Route) -> Route:
        """Forget where it was, with whom it was left and the note that came with it."""
        stops = (self.retracted(one) if one.id == self.stop_id else one for one in route.stops)
        return replace(route, stops=tuple(stops))

    def retracted(self, stop: RouteStop) -> RouteStop:
        """Return the stop without what the action brought beside its status."""
        return replace(stop, delivered_coordinates=UNSET)


class StopDelivered(_StopVisit):
    """The goods were handed over."""

    note: Prose | UnsetType = UNSET
    recipient_name: Line = ""
    left_with: LeftWith | UnsetType = UNSET

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Mark the stop as delivered, to whom, and with whom it was left."""
        delivered = replace(
            stop.delivered(context.at, context.location),
            recipient_name=self.recipient_name or UNSET,
            left_with=self.left_with,
        )
        if isinstance(self.note, UnsetType):
            return delivered
        return replace(delivered, proof_of_delivery_note=self.note)

    def retracted(self, stop: RouteStop) -> RouteStop:
        """Return the stop without recipient and note, too; a note of somebody else stays."""
        is_own = stop.proof_of_delivery_note == self.note
        return replace(
            super().retracted(stop),
            recipient_name=UNSET,
            left_with=UNSET,
            proof_of_delivery_note="" if is_own else stop.proof_of_delivery_note,
        )


class StopReopened(_StopVisit):
    """Neither handed over nor tried in vain: the tap before was a slip."""

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Mark the stop as out for delivery."""
        del context
        return stop.reopened()


class StopArrived(StopAction):
    """The driver is at the door."""

    def slot(self) -> str:
        """Name the stop's arrival."""
        return f"arrived:{self.stop_id}"

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Note the arrival; there is none before the route has started."""
        if not route.is_started():
            raise NotYet("the route is not started")
        return super().perform(route, context)

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Note the arrival, unless the stop is done already."""
        return stop if stop.is_done() else replace(stop, arrived_at=context.at)


class StopsReordered(DriverAction):
    """The driver goes on in another order; a stop to do later comes last."""

    stop_ids: Annotated[tuple[ObjectId, ...], Meta(min_length=1, max_length=1_000)]
    """Open stops in their new order; those that are not named follow in theirs."""

    def slot(self) -> str:
        """Name the order."""
        return "order"

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Order what is open; done stops stay in front, locked ones keep their places."""
        del context
        if not route.is_started():
            raise NotYet("the route is not started")
        still = {stop.id: stop for stop in route.open_stops() if not stop.locked}
        wanted = [still.pop(one) for one in dict.fromkeys(self.stop_ids) if one in still]
        movable = iter([*wanted, *still.values()])
        ahead = [stop if stop.locked else next(movable) for stop in route.open_stops()]
        done = [stop for stop in route.stops if stop.is_done()]
        stops = (*done, *ahead)
        if [stop.id for stop in stops] == [stop.id for stop in route.stops]:
            return route
        return replace(route, stops=stops).with_order_outdated()


class StopAttempted(_StopVisit):
    """The goods could not be handed over."""

    reason: AttemptedReason
    note: Prose = ""

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Mark the stop as attempted."""
        return stop.attempted(self.reason, self.note, context.at, context.location)


class BreakCompleted(_StopVisit):
    """The driver has had a break."""

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Mark the break as taken; there is none before the route has started."""
        if not route.is_started():
            raise NotYet("the route is not started")
        return super().perform(route, context)

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Mark the break as taken."""
        return stop.break_completed(context.at)


class ProofNote(StopAction):
    """A note about the delivery; it replaces an earlier one."""

    is_statement = True

    note: Prose

    def slot(self) -> str:
        """Name the stop's note."""
        return f"note:{self.stop_id}"

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Set the note."""
        del context
        return replace(stop, proof_of_delivery_note=self.note)


class Signature(StopAction):
    """A signature, drawn on the device and uploaded."""

    upload_id: UuidText

    def upload(self) -> str:
        """Name the upload."""
        return self.upload_id.lower()

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Add the signature."""
        signatures = with_attachment(stop.proof_of_delivery_signatures, context)
        return replace(stop, proof_of_delivery_signatures=signatures)


class ScannedBarcode(StopAction):
    """A code on a parcel, scanned."""

    value: Annotated[Line, Meta(min_length=1)]

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Add the code; scanned twice it is there twice, in the order of the scans."""
        scanned = Barcode(value=self.value, created_at=context.at)
        codes = sorted(
            (*stop.proof_of_delivery_barcodes, scanned),
            key=lambda code: (code.created_at, code.value),
        )
        return replace(stop, proof_of_delivery_barcodes=tuple(codes))


class ReportedBarcodeIssue(StopAction):
    """A code that could not be scanned."""

    reason: BarcodeIssueReason
    note: Prose = ""

    def change(self, stop: RouteStop, context: ActionContext) -> RouteStop:
        """Add the issue."""
        issue = BarcodeIssue(reason=self.reason, note=self.note, created_at=context.at)
        issues = sorted(
            (*stop.proof_of_delivery_barcode_issues, issue),
            key=lambda one: (one.created_at, one.reason, one.note),
        )
        return replace(stop, proof_of_delivery_barcode_issues=tuple(issues))


class PhotoLocation(StrEnum):
    """Where a photo was taken."""

    STOP = "STOP"
    START = "START"
    END = "END"


def _judge_stop_id(photo: Any) -> Iterator[str]:
    """Find a photo of nowhere, or of two places."""
    if (photo.place is PhotoLocation.STOP) is isinstance(photo.stop_id, UnsetType):
        yield "is required where place is STOP, and only there"


class Photo(DriverAction):
    """A photo, taken at a stop, the start or the end, and uploaded."""

    rules: ClassVar = (Rule(_judge_stop_id, ("stop_id", "place")),)

    place: PhotoLocation = PhotoLocation.STOP
    stop_id: ObjectId | UnsetType = UNSET
    upload_id: UuidText

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def upload(self) -> str:
        """Name the upload."""
        return self.upload_id.lower()

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Add the photo where it was taken."""
        match self.place:
            case PhotoLocation.START:
                photos = with_attachment(route.start.photos, context)
                return replace(route, start=replace(route.start, photos=photos))
            case PhotoLocation.END:
                end = route.require_end()
                photos = with_attachment(end.photos, context)
                return replace(route, end=replace(end, photos=photos))
            case PhotoLocation.STOP:
                return self._at_stop(route, context)

    def _at_stop(self, route: Route, context: ActionContext) -> Route:
        stop = next((stop for stop in route.stops if stop.id == self.stop_id), None)
        if stop is None:
            raise TooLate(Reason.STOP_GONE, "the stop is no longer on the route")
        photos = with_attachment(stop.proof_of_delivery_photos, context)
        return route.with_stop_edited(replace(stop, proof_of_delivery_photos=photos), context.now)


def with_attachment(kept: tuple[Attachment, ...], context: ActionContext) -> tuple[Attachment, ...]:
    """Add what was uploaded, oldest first; an upload that has not arrived yet is waited for."""
    if isinstance(context.attachment, UnsetType):
        raise NotYet("the upload has not arrived yet")
    added = replace(context.attachment, created_at=context.at)
    if any(one.id == added.id for one in kept):
        return kept
    return tuple(sorted((*kept, added), key=lambda one: (one.created_at, one.id)))


class RouteStarted(DriverAction):
    """The driver has left."""

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Start the route, once."""
        return route.started(context.at, context.now)


class EndCompleted(DriverAction):
    """The driver is back, or wherever the route ends."""

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Complete the end, once."""
        if not route.is_started():
            raise NotYet("the route is not started")
        return route.end_completed(context.at)


def _judge_position(action: Any) -> Iterator[str]:
    """Find a position that says nothing."""
    if isinstance(action.position, UnsetType):
        yield "is required"


class Position(DriverAction):
    """Where the driver is; the position itself is what every action may carry."""

    rules: ClassVar = (Rule(_judge_position, ("position",)),)

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Leave the route as it is."""
        del context
        return route


POSITIONS_KEPT_EVERY = timedelta(seconds=10)
"""Decisions §22, track: of one driver; the others are answered, and neither kept nor applied."""


class _TaskAction(DriverAction):
    """Work done on a task, wherever along the route it belongs."""

    task_id: ObjectId

    def perform(self, route: Route, context: ActionContext) -> Route:
        """Put the changed task in its place."""

        def change(tasks: Sequence[Task]) -> tuple[Task, ...]:
            return tuple(
                self.change(task, context) if task.id == self.task_id else task for task in tasks
            )

        return _with_tasks(route, self.task_id, change, context)

    def change(self, task: Task, context: ActionContext) -> Task:
        """Return what the action makes of the task."""
        raise NotImplementedError


class TaskCompleted(_TaskAction):
    """A task was answered; the last answer counts."""

    is_statement = True

    value: Line = ""
    input_method: InputMethod = InputMethod.TYPED

    def slot(self) -> str:
        """Name the task's input."""
        return f"input:{self.task_id}"

    def contradicts(self, other: DriverAction) -> bool:
        """Compare values alone: one may be typed on a phone and scanned by another."""
        if isinstance(other, TaskCompleted):
            other = replace(other, input_method=self.input_method)
        return super().contradicts(other)

    def change(self, task: Task, context: ActionContext) -> Task:
        """Set the input."""
        return task.answered(self.value, self.input_method, context.at)


class TaskItemCompleted(_TaskAction):
    """A box was ticked or a button chosen, or that was taken back."""

    is_statement = True

    item_id: ObjectId
    completed: bool = True
    value: Line | UnsetType = UNSET
    input_method: InputMethod = InputMethod.TYPED

    def slot(self) -> str:
        """Name the item."""
        return f"item:{self.item_id}"

    def contradicts(self, other: DriverAction) -> bool:
        """Compare as answers are compared, whatever way the value was given."""
        if isinstance(other, TaskItemCompleted):
            other = replace(other, input_method=self.input_method)
        return super().contradicts(other)

    def released_slots(self, route: Route) -> frozenset[str]:
        """Name the other buttons of the task: choosing one lets go of them."""
        task = _find_task(route, self.task_id)
        if not self.completed or task is None or task.type is not TaskType.RADIO_BUTTONS:
            return frozenset()
        others = {item.id for item in task.items} - {self.item_id}
        return frozenset(f"item:{item_id}" for item_id in others)

    def change(self, task: Task, context: ActionContext) -> Task:
        """Set the item, and the task's input where one came with it."""
        if all(item.id != self.item_id for item in task.items):
            raise TooLate(Reason.TASK_GONE, "the item is no longer part of the task")
        marked = task.marked(self.item_id, context.at, completed=self.completed)
        if isinstance(self.value, UnsetType):
            return marked
        return marked.answered(self.value, self.input_method, context.at)


def _with_tasks(
    route: Route,
    task_id: str,
    change: Callable[[Sequence[Task]], tuple[Task, ...]],
    context: ActionContext,
) -> Route:
    if _has(route.start.tasks, task_id):
        return replace(route, start=replace(route.start, tasks=change(route.start.tasks)))
    if isinstance(route.end, RouteEnd) and _has(route.end.tasks, task_id):
        return replace(route, end=replace(route.end, tasks=change(route.end.tasks)))
    for stop in route.stops:
        if _has(stop.tasks, task_id):
            edited = replace(stop, tasks=change(stop.tasks))
            return route.with_stop_edited(edited, context.now)
    raise TooLate(Reason.TASK_GONE, "the task is no longer on the route")


def _find_task(route: Route, task_id: str) -> Task | None:
    end_tasks = route.end.tasks if isinstance(route.end, RouteEnd) else ()
    at_stops = (task for stop in route.stops for task in stop.tasks)
    return next(
        (task for task in chain(route.start.tasks, at_stops, end_tasks) if task.id == task_id), None
    )


def _has(tasks: Sequence[Task], task_id: str) -> bool:
    return any(task.id == task_id for task in tasks)


ACTIONS: Mapping[ActionKind, type[DriverAction]] = {
    ActionKind.ROUTE_STARTED: RouteStarted,
    ActionKind.STOP_ARRIVED: StopArrived,
    ActionKind.STOP_DELIVERED: StopDelivered,
    ActionKind.STOP_ATTEMPTED: StopAttempted,
    ActionKind.STOP_REOPENED: StopReopened,
    ActionKind.STOPS_REORDERED: StopsReordered,
    ActionKind.PROOF_NOTE: ProofNote,
    ActionKind.PHOTO: Photo,
    ActionKind.SIGNATURE: Signature,
    ActionKind.BARCODE: ScannedBarcode,
    ActionKind.BARCODE_ISSUE: ReportedBarcodeIssue,
    ActionKind.TASK_COMPLETED: TaskCompleted,
    ActionKind.TASK_ITEM_COMPLETED: TaskItemCompleted,
    ActionKind.BREAK_COMPLETED: BreakCompleted,
    ActionKind.END_COMPLETED: EndCompleted,
    ActionKind.POSITION: Position,
}
"""Every kind of action and its shape."""
