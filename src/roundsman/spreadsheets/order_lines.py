"""Reads tables of orders in which each item of an order has a line, as shops export them.

A later line of an order repeats its name without an address or, where the table lists items,
repeats both. It adds its item to the order's stop.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.item import Item
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import PLACE

_MOST_ITEMS = 499
_SAME_STOP = (
    *sorted(PLACE),
    Field.LATITUDE,
    Field.LONGITUDE,
    Field.COORDINATES,
    Field.TIME_WINDOWS,
    Field.WINDOW_START,
    Field.WINDOW_END,
    Field.DELIVERY_DATE,
)


@dataclass(slots=True)
class OrderLines:
    """The stops read so far, and which line of the table each order stands on first."""

    lists_goods: bool
    stops: list[tuple[int, StopDraft]] = field(default_factory=list)
    _first_rows: dict[str, int] = field(default_factory=dict)
    _positions: dict[int, int] = field(default_factory=dict)
    _whole: dict[Hashable, int] = field(default_factory=dict)

    def first_row(self, values: Mapping[Field, str], *, says_where: bool) -> int | None:
        """Return the row of the order that a row is a further line of, or None."""
        name = values.get(Field.NAME, "")
        if not name:
            return None
        if not says_where:
            return self._first_rows.get(name)
        return self._whole.get(_identity(values)) if self.lists_goods else None

    def note(self, row: int, values: Mapping[Field, str]) -> None:
        """Record the first line of an order, whether or not it is valid."""
        name = values.get(Field.NAME, "")
        if name:
            self._first_rows.setdefault(name, row)
            self._whole.setdefault(_identity(values), row)

    def add(self, row: int, draft: StopDraft) -> None:
        """Add a stop."""
        self._positions[row] = len(self.stops)
        self.stops.append((row, draft))

    def extend(self, first_row: int, items: tuple[Item, ...]) -> str | None:
        """Add items to a stop; return the reason when that fails."""
        position = self._positions.get(first_row)
        if position is None:
            return f"belongs to the order of row {first_row}, which is left out"
        row, draft = self.stops[position]
        if len(draft.items) + len(items) > _MOST_ITEMS:
            return f"the order of row {first_row} has more than {_MOST_ITEMS} lines"
        self.stops[position] = (row, replace(draft, items=draft.items + items))
        return None


def _identity(values: Mapping[Field, str]) -> Hashable:
    return values[Field.NAME], *(values.get(part, "") for part in _SAME_STOP)
