"""Why a cell cannot be read: a sentence, and what it says in a form that programs know."""

from msgspec.structs import replace

from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.model import UNSET
from roundsman.spreadsheets.cells import NO_RESULT, is_error
from roundsman.spreadsheets.table import shorten

_NO_RESULT = (
    "is a formula without a result in the file; open it in a spreadsheet program and save it anew"
)

type Why = tuple[str, Issue]
"""A reason in words, lower case without a full stop, and as what."""


class UnreadableCell(ValueError):
    """A cell, or a part of one, that is not what its column holds."""

    def __init__(self, message: str, kind: IssueType, values: IssueValues | None = None) -> None:
        super().__init__(message)
        self.issue = Issue(type=kind, values=values or UNSET)


def cell_error(message: str, kind: IssueType, value: str) -> UnreadableCell:
    """Return the error about a text that names nothing else."""
    return UnreadableCell(message, kind, IssueValues(value=value))


def describe_unreadable(text: str, error: UnreadableCell) -> Why:
    """Quote the whole cell as it was typed, where a message is about a part of it."""
    shown = shorten(text)
    message = str(error).replace(f'"{text.casefold()}"', f'"{text}"').replace(text, shown)
    if f'"{shown}"' not in message and not message.startswith(shown):
        message = f'in "{shown}", {message}'
    return message, _as_typed(error.issue, text)


def describe_unusable(text: str, longest: int) -> Why:
    """Say of a cell that no field can hold whether it is an error or too long."""
    if text == NO_RESULT:
        return _NO_RESULT, Issue(type=IssueType.FORMULA_WITHOUT_RESULT)
    if is_error(text):
        values = IssueValues(value=text)
        issue = Issue(type=IssueType.SPREADSHEET_ERROR, values=values)
        return f"holds the spreadsheet error {text}", issue
    issue = Issue(type=IssueType.TOO_LONG, values=IssueValues(most=longest))
    return f"is longer than {longest:,} characters", issue


def _as_typed(issue: Issue, text: str) -> Issue:
    """Name the value as it stands in the cell, at the length of a message."""
    values = issue.values or IssueValues()
    part = values.value or text
    written = text if part == text.casefold() else part
    return replace(issue, values=replace(values, value=shorten(written)))
