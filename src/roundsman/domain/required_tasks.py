"""The rule that a stop is marked only once the tasks required for that are done.

A refusal lists every task that is missing (specification, Task; decisions §8).
"""

from collections.abc import Iterable

from roundsman.domain.errors import NotYet, PreconditionViolation
from roundsman.domain.task import Task


def require_tasks_for_delivery(tasks: Iterable[Task]) -> None:
    """Raise NotYet while a task that delivering the stop requires is not done."""
    _require_done((task for task in tasks if task.required_to_mark_stop_as_delivered), "delivered")


def require_tasks_for_attempt(tasks: Iterable[Task]) -> None:
    """Raise NotYet while a task that attempting the stop requires is not done."""
    _require_done((task for task in tasks if task.required_to_mark_stop_as_attempted), "attempted")


def _require_done(required: Iterable[Task], verb: str) -> None:
    violations = [
        PreconditionViolation(
            type="task",
            subject=task.id,
            description=f'complete the task "{task.title}" before marking as {verb}',
        )
        for task in required
        if not task.is_done()
    ]
    if violations:
        raise NotYet(violations[0].description, violations)
