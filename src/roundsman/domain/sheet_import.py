"""What became of a file of stops: which were read, which rows were refused, what columns mean."""

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.stop_doubts import StopWarning


class RefusedRow(Model):
    """Why a row is no stop; a row with several cells that are wrong stands here once for each.

    Rows are numbered as spreadsheet programs number them. `column` names the header of the cell, or
    the field where they are the same word; it is empty where the whole row is meant.
    """

    row: int
    column: str = ""
    reason: str
    """Why, in English."""

    type: IssueType
    """What the reason says, in a form that programs know."""

    values: IssueValues | UnsetType = UNSET
    """What the reason names."""

    order_row: int | UnsetType = UNSET
    """Of a further line of an order that is left out: the row on which the order stands first."""

    cells: tuple[str, ...] | UnsetType = UNSET
    """The row's cells as text, in the order of `columns`, with what stands right of the last header
    behind them; where a row stands here several times, once.
    """


class SheetColumn(Model):
    """A header, and the field that it was taken for; empty when it is not used."""

    header: str
    field: str = ""


class ImportedSheet(Model):
    """A file that was imported, or would be."""

    stops: tuple[ImportedStop, ...]
    warnings: tuple[StopWarning, ...]
    rejected_rows: tuple[RefusedRow, ...]
    columns: tuple[SheetColumn, ...]
    fields: tuple[str, ...]
    rows: tuple[int, ...]
    """Of each stop the row that it came from, as a spreadsheet program numbers it."""

    country: str
    """Where rows that name no country were taken to be: in the one that was asked for, else that of
    the organization's start or time zone, else of most rows; empty where none was known.
    """
