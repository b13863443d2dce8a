"""Work to do at a stop, a start or an end; only a driver completes it."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.model import UNSET, Line, Model, Rule, UnsetType, obey_rules


class TaskType(StrEnum):
    """How a task is answered."""

    UNKNOWN = "UNKNOWN"
    CHECKBOXES = "CHECKBOXES"
    RADIO_BUTTONS = "RADIO_BUTTONS"
    TEXT_INPUT = "TEXT_INPUT"


class InputMethod(StrEnum):
    """How a driver gave an input."""

    UNKNOWN = "UNKNOWN"
    TYPED = "TYPED"
    SCANNED = "SCANNED"


class TaskItemTemplate(Model):
    """One box or button."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "completed", "updatedAt"})

    title: Line = ""


def _judge_items(task: Any) -> Iterator[str]:
    """Find boxes on a text field."""
    if task.items and task.type is TaskType.TEXT_INPUT:
        yield "belong to CHECKBOXES and RADIO_BUTTONS, not to TEXT_INPUT"


class TaskTemplate(Model):
    """A task before it belongs to a stop: no ids, no completion state."""

    rules: ClassVar = (Rule(_judge_items, ("items", "type")),)
    server_set: ClassVar[frozenset[str]] = frozenset({"id", "input"})

    title: Line = ""
    type: TaskType = TaskType.UNKNOWN
    items: Annotated[tuple[TaskItemTemplate, ...], Meta(max_length=100)] = ()
    required_to_mark_stop_as_delivered: bool = False
    required_to_mark_stop_as_attempted: bool = False

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


type TaskTemplates = Annotated[tuple[TaskTemplate, ...], Meta(max_length=100)]


class TaskInput(Model):
    """What a driver typed or scanned."""

    value: str
    updated_at: datetime
    input_method: InputMethod


class TaskItem(Model):
    """One box or button of a task at a stop, and whether the driver has done it."""

    id: str
    title: str = ""
    completed: bool = False
    updated_at: datetime | UnsetType = UNSET


class Task(Model):
    """A task at a stop, a start or an end."""

    id: str
    title: str = ""
    type: TaskType = TaskType.UNKNOWN
    items: tuple[TaskItem, ...] = ()
    required_to_mark_stop_as_delivered: bool = False
    required_to_mark_stop_as_attempted: bool = False
    input: TaskInput | UnsetType = UNSET

    def is_done(self) -> bool:
        """Say whether the driver has done it: every box, one button, or an input.

        A text needs words; a task of no known type is done by any input.
        """
        if self.items and self.type is TaskType.CHECKBOXES:
            return all(item.completed for item in self.items)
        if self.items and self.type is TaskType.RADIO_BUTTONS:
            return any(item.completed for item in self.items)
        if isinstance(self.input, UnsetType):
            return False
        return self.type is not TaskType.TEXT_INPUT or bool(self.input.value.strip())

    def answered(self, value: str, method: InputMethod, at: datetime) -> Self:
        """Set what the driver typed or scanned."""
        return replace(self, input=TaskInput(value=value, updated_at=at, input_method=method))

    def marked(self, item_id: str, at: datetime, *, completed: bool) -> Self:
        """Tick or untick a box; of buttons, choosing one lets go of the others."""
        lets_go = completed and self.type is TaskType.RADIO_BUTTONS

        def mark(item: TaskItem) -> TaskItem:
            wanted = completed if item.id == item_id else item.completed and not lets_go
            if wanted == item.completed:
                return item
            return replace(item, completed=wanted, updated_at=at)

        return replace(self, items=tuple(mark(item) for item in self.items))


def issue_tasks(templates: Iterable[TaskTemplate], new_id: Callable[[], str]) -> tuple[Task, ...]:
    """Make tasks from templates, each task and item with an id of its own."""
    return tuple(
        Task(
            id=new_id(),
            title=template.title,
            type=template.type,
            items=tuple(TaskItem(id=new_id(), title=item.title) for item in template.items),
            required_to_mark_stop_as_delivered=template.required_to_mark_stop_as_delivered,
            required_to_mark_stop_as_attempted=template.required_to_mark_stop_as_attempted,
        )
        for template in templates
    )
