"""Bodies that import, change and list imported stops."""

from typing import Annotated

from msgspec import Meta

from roundsman.domain.address import Location
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.sheet_import import RefusedRow, SheetColumn
from roundsman.domain.stop_doubts import StopWarning
from roundsman.wire.field_mask import UpdateShape

type StopImport = Annotated[tuple[StopDraft, ...], Meta(min_length=1, max_length=200)]
"""Specification, Limits: stops per import request."""


STOP_FIELDS = (
    "timeWindows",
    "attributes",
    "priority",
    "duration",
    "orderName",
    "deliveryDate",
    "type",
    "customSignatureDisclosure",
    "orderReferenceUrl",
    "note",
    "contact",
    "tags",
)
"""What an update of an imported stop or of a route stop may change (decisions §6)."""


IMPORTED_STOP_UPDATE = UpdateShape(
    "importedStop", StopDraft, (*STOP_FIELDS, "loads", "requiredSkills")
)


IMPORTED_STOP_LOCATION = UpdateShape("location", Location, ("address", "coordinates"), clears=False)


class ImportedStopsAnswer(Model):
    """The stops of an import, in the order they were sent, and what is doubtful about them.

    Of a file it says, too, which rows were refused, and what its columns were taken for.
    """

    stops: tuple[ImportedStop, ...] = ()
    warnings: tuple[StopWarning, ...] = ()
    rejected_rows: tuple[RefusedRow, ...] | UnsetType = UNSET
    columns: tuple[SheetColumn, ...] | UnsetType = UNSET
    fields: tuple[str, ...] | UnsetType = UNSET
    """What a column can be taken for."""

    rows: tuple[int, ...] | UnsetType = UNSET
    """Of each stop the row that it came from, as a spreadsheet program numbers it."""

    country: str | UnsetType = UNSET
    """Where rows that name no country were taken to be: in the one that was asked for, else that of
    the organization's start or time zone, else of most rows; empty where none was known.
    """


class ImportedStopsPage(Model):
    """A page of imported stops."""

    stops: tuple[ImportedStop, ...] = ()
    next_cursor: str = ""
