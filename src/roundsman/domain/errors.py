"""What can go wrong, in the words of the canonical RPC status codes (decisions §2).

Messages are lower case, without a full stop, and name the field. Only a door knows the HTTP status.
"""

from collections.abc import Sequence
from typing import ClassVar

from roundsman.domain.advice import Advice
from roundsman.domain.issue import ExcessValues, IssueType, IssueValues
from roundsman.domain.model import UNSET, Model, UnsetType

MOST_VIOLATIONS = 100
"""How many an answer lists before it only counts (decisions §1, "Error details")."""

LONGEST_NAME = 100
"""How much of a field's name that a client made up is repeated in the error."""


class FieldViolation(Model):
    """One thing wrong with a request: where, and what would be right."""

    field: str
    """Where in the request, such as `[3].contact.phone`; empty for the entry that counts the
    rest."""

    description: str
    """What would be right."""

    type: IssueType | UnsetType = UNSET
    """What the description says, in a form that programs know; absent where it has none yet."""

    values: IssueValues | UnsetType = UNSET
    """What the description names."""


def count_of_rest(more: int) -> Sequence[FieldViolation]:
    """Return the entry after the last that is listed, if there are any more."""
    return [FieldViolation(field="", description=f"and {more} more")] if more else []


class PreconditionViolation(Model):
    """One thing about the present state that forbids the request."""

    type: str
    """What it is about: a field such as `timeWindows` or `maxStops`, or a state such as
    `archived`."""

    subject: str
    """The id of the object that stands in the way."""

    description: str
    """What is the matter, with figures where there are any."""

    values: ExcessValues | UnsetType = UNSET
    """What the description names of a limit, window or rule that a route would break; absent in
    errors."""


class RoundsmanError(Exception):
    """The base of every expected error; `code` is the interface's error code."""

    code: ClassVar[int]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidArgument(RoundsmanError):
    """The input is wrong whatever the state; carries every violation, not the first.

    Past a hundred `more` says how many there are.
    """

    code = 3

    def __init__(
        self, message: str, violations: Sequence[FieldViolation] = (), more: int = 0
    ) -> None:
        super().__init__(message)
        self.violations = tuple(violations[:MOST_VIOLATIONS])
        self.more = more + len(violations) - len(self.violations)


class NotFound(RoundsmanError):
    """No such thing, or none of the caller's: both answer the same."""

    code = 5

    def __init__(self, message: str, violations: Sequence[FieldViolation] = ()) -> None:
        super().__init__(message)
        self.violations = tuple(violations)
        """Which of the things that a request names are not there, in one that names many."""


class PermissionDenied(RoundsmanError):
    """Credentials were rejected."""

    code = 7


class NotAllowed(PermissionDenied):
    """Who asks is known, and may not do this (decisions §13)."""


class ResourceExhausted(RoundsmanError):
    """Too many requests; the answer says after how many seconds the next one is welcome."""

    code = 8

    def __init__(self, message: str, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class FailedPrecondition(RoundsmanError):
    """Right input, wrong state; `advice` says what would make it right, where that is known."""

    code = 9

    def __init__(
        self,
        message: str,
        violations: Sequence[PreconditionViolation] = (),
        advice: Advice | None = None,
    ) -> None:
        super().__init__(message)
        self.violations = tuple(violations)
        self.advice = advice


class ChangedMeanwhile(FailedPrecondition):
    """The client asked for a change of another version than there is; `tag` is the present one."""

    def __init__(self, message: str, tag: str) -> None:
        super().__init__(message)
        self.tag = tag


class NotYet(FailedPrecondition):
    """Something that comes before is missing; it may still be on its way."""


class Aborted(RoundsmanError):
    """Somebody else was faster; the same request may succeed when sent again."""

    code = 10


class Unavailable(RoundsmanError):
    """A dependency is away; nothing was changed."""

    code = 14


class Unauthenticated(RoundsmanError):
    """The access token is missing, invalid, revoked or expired."""

    code = 16
