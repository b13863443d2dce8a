"""Why a cell cannot be read: a sentence, and what it says in a form that programs know."""

from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.model import UNSET


class UnreadableCell(ValueError):
    """A cell, or a part of one, that is not what its column holds."""

    def __init__(self, message: str, kind: IssueType, values: IssueValues | None = None) -> None:
        super().__init__(message)
        self.issue = Issue(type=kind, values=values or UNSET)


def cell_error(message: str, kind: IssueType, value: str) -> UnreadableCell:
    """Return the error about a text that names nothing else."""
    return UnreadableCell(message, kind, IssueValues(value=value))
