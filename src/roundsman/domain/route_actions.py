"""What a driver does with a route as a whole, and the tasks along it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from msgspec.structs import replace

from roundsman.domain.actions import (
    ActionContext,
    ActionKind,
    DriverAction,
    ObjectId,
    Reason,
    TooLate,
)
from roundsman.domain.errors import NotYet
from roundsman.domain.noun import UNSET, Line, Rule, UnsetType, obey_rules
from roundsman.domain.route import Route, RouteEnd
from roundsman.domain.stop_actions import (
    BreakCompleted,
    Photo,
    ProofNote,
    ReportedBarcodeIssue,
    ScannedBarcode,
    Signature,
    StopAttempted,
    StopDelivered,
)
from roundsman.domain.task import InputMethod, Task


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

    value: Line = ""
    input_method: InputMethod = InputMethod.TYPED

    def slot(self) -> str:
        """Name the task's input."""
        return f"input:{self.task_id}"

    def change(self, task: Task, context: ActionContext) -> Task:
        """Set the input."""
        return task.answered(self.value, self.input_method, context.at)


class TaskItemCompleted(_TaskAction):
    """A box was ticked or a button chosen, or that was taken back."""

    item_id: ObjectId
    completed: bool = True
    value: Line | UnsetType = UNSET
    input_method: InputMethod = InputMethod.TYPED

    def slot(self) -> str:
        """Name the item."""
        return f"item:{self.item_id}"

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


def _has(tasks: Sequence[Task], task_id: str) -> bool:
    return any(task.id == task_id for task in tasks)


ACTIONS: Mapping[ActionKind, type[DriverAction]] = {
    ActionKind.ROUTE_STARTED: RouteStarted,
    ActionKind.STOP_DELIVERED: StopDelivered,
    ActionKind.STOP_ATTEMPTED: StopAttempted,
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
