"""Work to do at a stop, a start or an end; only a driver completes it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta

from roundsman.domain.noun import UNSET, BadField, Line, Noun, UnsetType


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


class TaskItemTemplate(Noun):
    """One box or button."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "completed", "updatedAt"})

    title: Line = ""


class TaskTemplate(Noun):
    """A task before it belongs to a stop: no ids, no completion state."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "input"})

    title: Line = ""
    type: TaskType = TaskType.UNKNOWN
    items: Annotated[tuple[TaskItemTemplate, ...], Meta(max_length=100)] = ()
    required_to_mark_stop_as_delivered: bool = False
    required_to_mark_stop_as_attempted: bool = False

    def __post_init__(self) -> None:
        """Refuse boxes on a text field."""
        if self.items and self.type is TaskType.TEXT_INPUT:
            told = "belong to CHECKBOXES and RADIO_BUTTONS, not to TEXT_INPUT"
            raise BadField("items", told, "type")


type TaskTemplates = Annotated[tuple[TaskTemplate, ...], Meta(max_length=100)]


class TaskInput(Noun):
    """What a driver typed or scanned."""

    value: str
    updated_at: datetime
    input_method: InputMethod


class TaskItem(Noun):
    """One box or button of a task at a stop, and whether the driver has done it."""

    id: str
    title: str = ""
    completed: bool = False
    updated_at: datetime | UnsetType = UNSET


class Task(Noun):
    """A task at a stop, a start or an end."""

    id: str
    title: str = ""
    type: TaskType = TaskType.UNKNOWN
    items: tuple[TaskItem, ...] = ()
    required_to_mark_stop_as_delivered: bool = False
    required_to_mark_stop_as_attempted: bool = False
    input: TaskInput | UnsetType = UNSET


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
