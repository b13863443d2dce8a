"""Which columns of two files are loads: what vehicles carry and stops take, by a common name.

A load has a column in both files. One that only one file has is mostly misspelt in the other, and
would switch a limit off; a column of words, such as number plates or notes, is no load.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from roundsman.domain.loads import ITEMS, KILOGRAMS, loads_of_items
from roundsman.spreadsheets.column_words import WRITTEN, Field
from roundsman.spreadsheets.columns import fold_header, plain_header
from roundsman.spreadsheets.stop_sheet import StopSheet
from roundsman.spreadsheets.structured_cells import parse_load

PLAN_COLUMNS = frozenset({"vehicles", "unassignedcost", "fixedvehicle"})
"""Columns of stops that mean something for a plan alone, folded; loads are the vehicles' own."""

_OF_ITEMS = {
    fold_header(word): name
    for field, name in ((Field.KILOGRAMS, KILOGRAMS), (Field.QUANTITY, ITEMS))
    for word in WRITTEN[field].split(",")
}
"""What stops have by their items, under every header that means it in a file of stops."""

_CLOSE = 0.75
"""Of 1: as alike as `kilogramms` and `kilograms`, or `liters` and `litres`."""


def name_of_load(header: str) -> str:
    """Return the name of the load that a column is: its header, but one name for kilograms."""
    return _OF_ITEMS.get(plain_header(header), header)


def is_of_items(header: str) -> bool:
    """Say whether the items of stops have such a load, whatever other columns there are."""
    return plain_header(header) in _OF_ITEMS


def hold_amounts(cells: Iterable[str]) -> bool:
    """Say whether any cell of a column is an amount."""
    for cell in cells:
        with suppress(ValueError):
            parse_load(cell)
            return True
    return False


def find_similar(header: str, known: Collection[str]) -> str:
    """Return the known header that one is probably meant to be; empty where there is none."""
    by_folded = {fold_header(one): one for one in known}
    close = difflib.get_close_matches(fold_header(header), by_folded, n=1, cutoff=_CLOSE)
    return by_folded[close[0]] if close else ""


def find_loads_of_stops(sheet: StopSheet, meant: Collection[str]) -> Mapping[str, str]:
    """Return by their folded form the loads that stops list, and the headers that may be loads.

    Headers in `meant` mean something else.
    """
    unmeant = [column.header for column in sheet.columns if not column.field]
    columns = {fold_header(header): header for header in unmeant if header}
    listed = {fold_header(name): name for _, draft in sheet.stops for name in draft.loads or ()}
    return listed | {
        folded: header
        for folded, header in columns.items()
        if folded not in meant
        and hold_amounts(row[folded] for row in sheet.others.values() if folded in row)
    }


def find_misspelt_load(
    sheet: StopSheet, of_stops: Mapping[str, str], of_vehicles: Collection[str]
) -> tuple[str, str] | None:
    """Return a load of stops that no vehicle names, and the load of vehicles that it is meant as.

    None where each is spelt alike; a load that is like none of the vehicles' is not limited.
    """
    carried = {fold_header(name) for name in of_vehicles}
    weighed = {name for _, draft in sheet.stops for name in loads_of_items(draft.items)}
    taken = {*of_stops, *map(fold_header, weighed)}
    left = [name for name in of_vehicles if fold_header(name) not in taken]
    for folded, header in of_stops.items():
        if folded not in carried and (meant := find_similar(header, left)):
            return header, meant
    return None
