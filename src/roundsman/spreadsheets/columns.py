"""Finds out which field each column means, however its header is written.

Headers are compared without case, accents, spaces, underscores, hyphens and brackets, so `Time
Window(s)`, `time_windows` and `timeWindows` are one name. A number or a unit behind a word hides
it no more than they do.
"""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import NamedTuple

from roundsman.spreadsheets.column_words import (
    BILLING_MARKS,
    CUSTOMERS,
    DELIVERY_ADDRESSES,
    DELIVERY_MARKS,
    ORDERS,
    UNLESS_GOODS_ARE_LISTED,
    WINDOW_SIDES,
    WINDOW_WORDS,
    WRITTEN,
    Field,
)
from roundsman.spreadsheets.header_additions import (
    NUMBERED,
    split_number,
    split_unit,
    without_number,
)

PLACE = frozenset(
    {
        Field.ADDRESS,
        Field.ADDRESS1,
        Field.HOUSE_NUMBER,
        Field.ADDRESS2,
        Field.CITY,
        Field.PROVINCE,
        Field.ZIP,
        Field.ZIP_CITY,
        Field.COUNTRY,
    }
)
"""The parts of an address; they are taken together from one of a row's addresses."""

LOCATING = frozenset({Field.ADDRESS, Field.ADDRESS1, Field.CITY, Field.ZIP, Field.ZIP_CITY})
"""The parts of which one is enough to look for."""

_TOWNS = frozenset({Field.CITY, Field.ZIP, Field.ZIP_CITY})
_CONTACT = frozenset({Field.FIRST_NAME, Field.LAST_NAME, Field.RECIPIENT, Field.PHONE, Field.EMAIL})
_OF_PAYERS = frozenset({Field.PHONE, Field.EMAIL})
_SIDES = (Field.WINDOW_START, Field.WINDOW_END)
_WINDOW = frozenset({Field.TIME_WINDOWS, *_SIDES})
_GOODS = frozenset({Field.ITEM, Field.SKU})


def fold_header(text: str) -> str:
    """Return the letters and digits of a header, without case and accents."""
    # `Order #` is a number, and `Item #` is none of an item's names.
    text = f"{text[:-1]}number" if text.endswith("#") else text
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def _folded(words: str) -> tuple[str, ...]:
    """Return folded words, the longest first, because a longer mark is more exact."""
    return tuple(sorted(map(fold_header, words.split(",")), key=len, reverse=True))


_FIELDS = {
    fold_header(name): field for field, names in WRITTEN.items() for name in names.split(",")
}
_DELIVERY, _BILLING = _folded(DELIVERY_MARKS), _folded(BILLING_MARKS)
_DELIVERY_ADDRESSES = frozenset({*_DELIVERY, *_folded(DELIVERY_ADDRESSES)})
_COMPANIES = frozenset(_folded("company, company name, firma, société, empresa, bedrijf"))
_CUSTOMERS, _ORDERS = frozenset(_folded(CUSTOMERS)), frozenset(_folded(ORDERS))
_ORDERS_OWN = frozenset(map(fold_header, UNLESS_GOODS_ARE_LISTED))


def _paired_headers() -> dict[str, set[str]]:
    """Return for each folded header of a window's opening those that close it beside it."""
    words = ("", *map(fold_header, WINDOW_WORDS.split(",")))
    pairs: dict[str, set[str]] = {}
    for openings, closings in WINDOW_SIDES:
        for opening, closing in product(openings.split(), closings.split()):
            one, other = fold_header(opening), fold_header(closing)
            for word in words:
                pairs.setdefault(word + one, set()).add(word + other)
                pairs.setdefault(one + word, set()).add(other + word)
    return pairs


_PAIRED = _paired_headers()
_SIDE_HEADERS = frozenset(
    {
        *_PAIRED,
        *chain.from_iterable(_PAIRED.values()),
        *(name for name, meant in _FIELDS.items() if meant in _SIDES),
    }
)
"""Folded headers that are a side of a window, or are one beside the other side."""


def plain_header(header: str) -> str:
    """Return a folded header, without its number or unit where only that hides its meaning."""
    name = fold_header(header)
    if not name or name in _PAIRED or _meaning(name)[0] is not None:
        return name
    header = " ".join(header.split())  # a thousand blanks are looked at a million times
    word, of_unit = split_unit(header)
    if Field.DURATION_SECONDS in of_unit and _FIELDS.get(fold_header(word)) is Field.DURATION:
        return _SECONDS
    if _FIELDS.get(fold_header(word)) in of_unit:
        return fold_header(word)
    if Field.TIME_WINDOWS in of_unit and fold_header(word) in _SIDE_HEADERS:
        return fold_header(word)
    unnumbered = fold_header(without_number(word if Field.TIME_WINDOWS in of_unit else header))
    return unnumbered if _FIELDS.get(unnumbered) in NUMBERED else name


def _are_of_one_series(one: str, other: str) -> bool:
    both_numbered = bool(without_number(one) and without_number(other))
    return both_numbered or plain_header(one) == plain_header(other)


_SECONDS = fold_header("duration in seconds")


type FurtherCells = Mapping[Field, tuple[tuple[str, str], ...]]
"""Header and cell of each column beside the first that adds to it, by the field.

Both sides of windows have as many, those of one window in the same position; an empty cell where
the row says nothing of a side.
"""


class _FoundColumn(NamedTuple):
    """A column that means a field; sorted by which counts first."""

    rank: int
    is_alias: bool
    column: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnMeaning:
    """A header and the field that it was taken for; none when it is ignored."""

    header: str
    field: Field | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Where each field is found; several columns may mean one field, the first filled counts.

    `delivery` are those marked as the delivery's, in a table that has another address beside it.
    """

    indexes: Mapping[Field, tuple[int, ...]]
    headers: tuple[str, ...]
    delivery: frozenset[int]
    numbers: Mapping[int, int]
    """Of a side of one of several windows, by its column: which window that is."""

    def say_where(self) -> bool:
        """Return whether these columns can locate a row."""
        found = set(self.indexes)
        return (
            not LOCATING.isdisjoint(found)
            or Field.COORDINATES in found
            or {Field.LATITUDE, Field.LONGITUDE} <= found
        )

    def list_goods(self) -> bool:
        """Return whether rows may be lines of orders, one for each of their goods."""
        return Field.ITEM_LIST not in self.indexes and not _GOODS.isdisjoint(self.indexes)

    def meanings(self) -> tuple[ColumnMeaning, ...]:
        """Return what each column was taken for, in their order; blank headers left out."""
        fields = {index: field for field, indexes in self.indexes.items() for index in indexes}
        return tuple(
            ColumnMeaning(header=header, field=fields.get(index))
            for index, header in enumerate(self.headers)
            if header
        )

    def values(self, cells: Sequence[str]) -> dict[Field, str]:
        """Return what a row says, empty cells left out; of notes every one counts."""
        said = {field: cells[index] for field, index in self._filled(cells).items()}
        notes = (cells[index] for index in self.indexes.get(Field.NOTE, ()) if index < len(cells))
        return said | {Field.NOTE: "; ".join(filter(None, notes))} if Field.NOTE in said else said

    def further(self, cells: Sequence[str]) -> FurtherCells:
        """Return the header and the cell of columns that add to the first of their field.

        Those are all of skills. Of windows `Zeitfenster 2` adds to `Zeitfenster 1`, as do its two
        sides to theirs, and of columns of other words the first filled counts.
        """
        found: dict[Field, tuple[tuple[str, str], ...]] = {}
        for field in (Field.TIME_WINDOWS, Field.REQUIRED_SKILLS):
            indexes = self.indexes.get(field, ())
            filled = [index for index in indexes if index < len(cells) and cells[index]]
            found[field] = tuple(
                (self.headers[index], cells[index])
                for index in filled[1:]
                if field is Field.REQUIRED_SKILLS
                or _are_of_one_series(self.headers[filled[0]], self.headers[index])
            )
        for field in _SIDES:
            found[field] = tuple(
                (self.headers[sides[field]], cells[sides[field]]) if field in sides else ("", "")
                for sides in self._windows_by_sides(cells)[1:]
            )
        return found

    def _windows_by_sides(self, cells: Sequence[str]) -> list[dict[Field, int]]:
        """Return for each window whose sides a row fills the columns of these, by their number."""
        found: dict[int, dict[Field, int]] = {}
        for field in _SIDES:
            for index in self.indexes.get(field, ()):
                if index < len(cells) and cells[index]:
                    found.setdefault(self.numbers.get(index, 0), {}).setdefault(field, index)
        return [found[number] for number in sorted(found)]

    def under_headers(self, cells: Sequence[str]) -> tuple[str, ...]:
        """Return a row's cells in the order of `meanings`, then those right of the last header."""
        named = tuple(
            cells[index] if index < len(cells) else ""
            for index, header in enumerate(self.headers)
            if header
        )
        return named + tuple(cells[len(self.headers) :]) if self.are_outgrown_by(cells) else named

    def others(self, cells: Sequence[str]) -> dict[str, str]:
        """Return the filled cells of columns without a meaning, by their folded headers."""
        meant = {index for indexes in self.indexes.values() for index in indexes}
        return {
            fold_header(header): cells[index]
            for index, header in enumerate(self.headers)
            if index not in meant and index < len(cells) and cells[index] and header
        }

    def names(self, cells: Sequence[str] = ()) -> dict[Field, str]:
        """Return the names of fields in messages: the header, where it is another word."""
        counting = {field: indexes[0] for field, indexes in self.indexes.items()}
        headers = {
            field: self.headers[index] for field, index in (counting | self._filled(cells)).items()
        }
        return {
            field: header
            for field, header in headers.items()
            if fold_header(header) != fold_header(field)
        }

    def are_outgrown_by(self, cells: Sequence[str]) -> bool:
        """Return whether a row has values to the right of the last header."""
        return any(cells[len(self.headers) :])

    def _filled(self, cells: Sequence[str]) -> dict[Field, int]:
        """Return the column that counts for each field that a row fills."""
        names_delivery = any(
            index in self.delivery
            for field in LOCATING & set(self.indexes)
            for index in self.indexes[field]
            if index < len(cells) and cells[index]
        )
        windows = self._windows_by_sides(cells)
        found: dict[Field, int] = windows[0] if windows else {}
        for field, indexes in self.indexes.items():
            if field in _SIDES:
                continue
            for index in indexes:
                of_other = field in PLACE and (index in self.delivery) != names_delivery
                if index < len(cells) and cells[index] and not of_other:
                    found[field] = index
                    break
        return found


def understand_columns(
    headers: Sequence[str],
    chosen: Mapping[Field, str] | None = None,
    ignored: Collection[str] = (),
) -> Columns:
    """Return what each column means; a field whose header is chosen is read there alone.

    Columns under ignored headers mean nothing.
    """
    unread = set(map(fold_header, ignored))
    folded = ["" if fold_header(header) in unread else plain_header(header) for header in headers]
    doubtful = _doubtful(folded)
    numbered = _numbered_sides(headers, folded)
    certain = [name for name, _, _ in numbered.values() if name in _FIELDS]
    sides = _window_sides([*certain, *(name for name in folded if name not in doubtful)])
    ranked: dict[Field, list[_FoundColumn]] = {}
    for index, name in enumerate(folded):
        field, rank = (None, 0) if name in doubtful else _meaning(name)
        if name in sides:
            field, rank = sides[name], _UNMARKED
        if index in numbered:
            field, rank = numbered[index].field, _UNMARKED
        if field is not None:
            # `Address1` before `Street`, which shops fill with both lines of it.
            is_alias = field in PLACE and not name.endswith(fold_header(field))
            ranked.setdefault(field, []).append(_FoundColumn(rank, is_alias, index))
    _part_names(ranked, folded)
    if Field.LATITUDE in ranked and Field.LONGITUDE in ranked:
        ranked.pop(Field.COORDINATES, None)  # such a `position` is that of a stop on its route
    return _with_chosen(
        Columns(
            indexes={
                field: tuple(one.column for one in sorted(found)) for field, found in ranked.items()
            },
            headers=tuple(headers),
            delivery=_marked(ranked),
            numbers={index: side.number for index, side in numbered.items()},
        ),
        chosen or {},
    )


def _part_names(ranked: dict[Field, list[_FoundColumn]], folded: Sequence[str]) -> None:
    """Take a company or a customer beside another name for what it is: the stop has one name.

    A company alone is the stop's name, and so is a customer without the number of an order.
    """
    names = ranked.get(Field.NAME, [])
    customers = [one for one in names if folded[one.column] in _CUSTOMERS]
    has_orders = any(folded[one.column] in _ORDERS for one in names)
    if customers and has_orders and Field.RECIPIENT not in ranked:
        names = ranked[Field.NAME] = [one for one in names if one not in customers]
        ranked[Field.RECIPIENT] = customers
    companies = [one for one in names if folded[one.column] in _COMPANIES]
    if companies and len(companies) < len(names):
        ranked[Field.NAME] = [one for one in names if one not in companies]
        ranked.setdefault(Field.COMPANY, []).extend(companies)


def _with_chosen(columns: Columns, chosen: Mapping[Field, str]) -> Columns:
    """Return the columns with some fields where somebody said that they are."""
    headers = reversed(list(enumerate(columns.headers)))
    index_of = {fold_header(header): index for index, header in headers}
    named = {field: fold_header(header) for field, header in chosen.items()}
    fixed = {field: index_of[header] for field, header in named.items() if header in index_of}
    taken = set(fixed.values())
    guessed = {
        field: tuple(index for index in indexes if index not in taken)
        for field, indexes in columns.indexes.items()
        if field not in fixed
    }
    indexes = {field: left for field, left in guessed.items() if left}
    indexes |= {field: (index,) for field, index in fixed.items()}
    is_fixed = bool(fixed.keys() & PLACE)
    return replace(
        columns,
        indexes=indexes,
        delivery=frozenset() if is_fixed else columns.delivery,
        numbers={} if fixed.keys() & {*_SIDES} else columns.numbers,
    )


def _marked(ranked: Mapping[Field, Sequence[_FoundColumn]]) -> frozenset[int]:
    """Return the columns of the delivery's address where there is another address, else none.

    `Ship to Address, City, Zip` is one address, `Street, City, Ship to Street, Ship to City` two.
    """
    unmarked = {
        field for field, found in ranked.items() if any(one.rank == _UNMARKED for one in found)
    }
    is_whole = Field.ADDRESS1 in unmarked and not _TOWNS.isdisjoint(unmarked)
    if not is_whole and Field.ADDRESS not in unmarked:
        return frozenset()
    return frozenset(
        one.column
        for field in PLACE & set(ranked)
        for one in ranked[field]
        if one.rank == _OF_DELIVERY
    )


_OF_DELIVERY, _UNMARKED, _OF_BILLING = range(3)


def _meaning(name: str) -> tuple[Field | None, int]:
    """Return what a folded header means, and how near to the delivery it is."""
    if name in _FIELDS:
        return _FIELDS[name], _OF_DELIVERY if name in _DELIVERY_ADDRESSES else _UNMARKED
    for rest in _without_mark(name, _DELIVERY):
        if rest in _COMPANIES:
            return Field.COMPANY, _OF_DELIVERY
        field = _FIELDS.get(rest)
        if field is Field.NAME and rest in {"name", "nom", "nombre", "naam"}:
            return Field.RECIPIENT, _OF_DELIVERY
        if field in PLACE | _CONTACT:
            return field, _OF_DELIVERY
    for rest in _without_mark(name, _BILLING):
        if _FIELDS.get(rest) in _OF_PAYERS:
            return _FIELDS[rest], _OF_BILLING
    return None, 0


def _without_mark(name: str, marks: Sequence[str]) -> list[str]:
    before = [name.removeprefix(mark) for mark in marks if name.startswith(mark)]
    return before + [name.removesuffix(mark) for mark in marks if name.endswith(mark)]


def _window_sides(folded: Sequence[str]) -> dict[str, Field]:
    """Return the headers that are a window's sides because both of them are there.

    Where other headers mean a window by themselves, `Start` and `End` may mean anything.
    """
    there = set(folded)
    certain = {name for name in there if _FIELDS.get(name) in _WINDOW}
    sides: dict[str, Field] = {}
    for name in there & _PAIRED.keys():
        closings = there & _PAIRED[name]
        if closings and certain <= {name, *closings}:
            sides[name] = Field.WINDOW_START
            sides |= dict.fromkeys(closings, Field.WINDOW_END)
    return sides


class _NumberedSide(NamedTuple):
    """A column that is a side of one of several windows."""

    name: str
    number: int
    field: Field


def _numbered_sides(headers: Sequence[str], folded: Sequence[str]) -> dict[int, _NumberedSide]:
    """Return the columns of `Zeitfenster 1 von` and `Zeitfenster 1 bis`: both sides of a number.

    Short words (`von 1`) are none beside a column that means a window by itself.
    """
    by_number: dict[int, dict[int, str]] = {}
    for index, (header, name) in enumerate(zip(headers, folded, strict=True)):
        word, number = split_number(header)
        side = plain_header(word) if name and number else ""
        if side in _SIDE_HEADERS:
            by_number.setdefault(number, {})[index] = side
    whole = [name for name in folded if _FIELDS.get(name) is Field.TIME_WINDOWS]
    found: dict[int, _NumberedSide] = {}
    for number, names in by_number.items():
        sides = {name: _FIELDS[name] for name in names.values() if name in _FIELDS}
        if set(sides.values()) != {*_SIDES}:
            sides = _window_sides([*whole, *names.values()])
        for index, name in names.items():
            if name in sides:
                found[index] = _NumberedSide(name, number, sides[name])
    return found


def _doubtful(folded: Sequence[str]) -> frozenset[str]:
    """Return headers whose meaning is uncertain beside the others."""
    lists_goods = any(_FIELDS.get(name) in _GOODS for name in folded)
    return _ORDERS_OWN if lists_goods else frozenset()
