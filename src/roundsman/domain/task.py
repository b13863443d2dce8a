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
    """What the driver reads beside the box or button."""


def _judge_items(task: Any) -> Iterator[str]:
    """Find boxes on a text field."""
    if task.items and task.type is TaskType.TEXT_INPUT:
        yield "belong to CHECKBOXES and RADIO_BUTTONS, not to TEXT_INPUT"


class TaskTemplate(Model):
    """A task before it belongs to a stop: no ids, no completion state."""

    rules: ClassVar = (Rule(_judge_items, ("items", "type")),)
    server_set: ClassVar[frozenset[str]] = frozenset({"id", "input"})

    title: Line = ""
    """What the driver reads."""

    type: TaskType = TaskType.UNKNOWN
    """How it is done: all boxes, one button, a text, or a scan."""

    items: Annotated[tuple[TaskItemTemplate, ...], Meta(max_length=100)] = ()
    """The boxes or buttons; none for other types."""

    required_to_mark_stop_as_delivered: bool = False
    """Whether the stop cannot be delivered before it is done."""

    required_to_mark_stop_as_attempted: bool = False
    """Whether the stop cannot be given up before it is done."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


type TaskTemplates = Annotated[tuple[TaskTemplate, ...], Meta(max_length=100)]


class TaskInput(Model):
    """What a driver typed or scanned."""

    value: str
    """What was typed or scanned."""

    updated_at: datetime
    """When it was typed or scanned."""

    input_method: InputMethod
    """Whether it was typed or scanned."""


class TaskItem(Model):
    """One box or button of a task at a stop, and whether the driver has done it."""

    id: str
    """The id that the driver's actions name."""

    title: str = ""
    """What the driver reads beside the box or button."""

    completed: bool = False
    """Whether it is ticked or chosen."""

    updated_at: datetime | UnsetType = UNSET
    """When it was ticked or changed last."""


class Task(Model):
    """A task at a stop, a start or an end."""

    id: str
    """The id that the driver's actions name; each copy of a task has its own."""

    title: str = ""
    """What the driver reads."""

    type: TaskType = TaskType.UNKNOWN
    """How it is done: all boxes, one button, a text, or a scan."""

    items: tuple[TaskItem, ...] = ()
    """The boxes or buttons; none for other types."""

    required_to_mark_stop_as_delivered: bool = False
    """Whether the stop cannot be delivered before it is done."""

    required_to_mark_stop_as_attempted: bool = False
    """Whether the stop cannot be given up before it is done."""

    input: TaskInput | UnsetType = UNSET
    """What the driver typed or scanned, once there is something."""

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

    def as_template(self) -> TaskTemplate:
        """Return what it was made of: the task as nobody has begun it."""
        return TaskTemplate(
            title=self.title,
            type=self.type,
            items=tuple(TaskItemTemplate(title=item.title) for item in self.items),
            required_to_mark_stop_as_delivered=self.required_to_mark_stop_as_delivered,
            required_to_mark_stop_as_attempted=self.required_to_mark_stop_as_attempted,
        )

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
