"""Makes a stop of a row: a bad required cell refuses the row, a bad optional one is left out.

A stop needs a location. An unreadable window, a weight without a unit or a phone number without a
country costs only its cell, with a remark; in strict mode it costs the row.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import msgspec

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.item import Item
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.kit.durations import Duration
from roundsman.kit.phones import CountryOf, iso_code, parse_phone
from roundsman.spreadsheets.addresses import find_two_addresses, split_zip_and_city
from roundsman.spreadsheets.cells import is_error
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import LOCATING, PLACE, FurtherCells, fold_header
from roundsman.spreadsheets.dates import parse_day
from roundsman.spreadsheets.durations import parse_minutes, parse_seconds
from roundsman.spreadsheets.header_additions import is_day_first
from roundsman.spreadsheets.numbers import (
    parse_coordinates,
    parse_count,
    parse_degrees,
    parse_weight,
    parse_whole,
)
from roundsman.spreadsheets.remarks import ISSUES, KEPT, READ_AS, Remark, Slip
from roundsman.spreadsheets.structured_cells import (
    BREAK_BELONGS_TO_ROUTE,
    parse_listed_attributes,
    parse_listed_items,
    parse_listed_loads,
    parse_listed_tasks,
    parse_load,
    parse_skills,
    parse_stop_type,
    parse_tags,
    parse_url,
    require_few_windows,
)
from roundsman.spreadsheets.table import RowProblem, shorten
from roundsman.spreadsheets.time_windows import (
    WindowReading,
    join_half_windows,
    parse_closing,
    parse_opening,
    read_sides,
    read_windows,
    spell_windows,
)
from roundsman.spreadsheets.unreadable_cell import (
    UnreadableCell,
    Why,
    describe_unreadable,
    describe_unusable,
)
from roundsman.spreadsheets.window_days import (
    WindowDay,
    WindowSide,
    days_of_sides,
    settle_day,
    split_window_day,
)
from roundsman.wire.problems import Problems
from roundsman.wire.reading import reader_of

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_PLACES = frozenset({*PLACE, Field.LATITUDE, Field.LONGITUDE, Field.COORDINATES})
_LENGTHS = {
    Field.NOTE: 10_000,
    Field.CLIENT_STOP_ID: 255,
    Field.SIGNATURE_DISCLOSURE: 10_000,
    # Of these what they hold has bounds.
    **dict.fromkeys((Field.TAGS, Field.ATTRIBUTES, Field.LOADS, Field.REQUIRED_SKILLS), 400_000),
    Field.ORDER_URL: 400_000,
    **dict.fromkeys((Field.ITEM_LIST, Field.TASK_LIST), 4_000_000),
}
_LONGEST_LINE = 1_500
_EMAIL_FORM = "name@example.com"
_HIGHEST_PRIORITY = 1_000_000
_MOST_UNITS = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class RowReading:
    """How rows are read: `country` is the one of rows that name none, an ISO code or empty."""

    country_of: CountryOf = iso_code
    country: str = ""
    strict: bool = False
    loads: Mapping[str, str] = MappingProxyType({})
    """Loads that have columns of their own: their names by the folded headers."""


class RowReader:
    """Reads the values of one row; `problems` and `remarks` fill while `draft` is made.

    `names` are what they call fields whose column has a header of another name; `others` are the
    cells of columns that mean no field, by their folded headers.
    """

    def __init__(
        self,
        row: int,
        values: Mapping[Field, str],
        names: Mapping[Field, str],
        reading: RowReading,
        others: Mapping[str, str] = MappingProxyType({}),
        further: FurtherCells = MappingProxyType({}),
    ) -> None:
        self._row = row
        self._further = further
        self._others = others
        self._names = names
        self._reading = reading
        self.problems: list[RowProblem] = []
        self.remarks: list[Remark] = []
        self._values = self._usable(values)
        written = self._text(Field.COUNTRY)
        self._country = (reading.country_of(written) if written else reading.country) or ""

    def draft(self) -> StopDraft | None:
        """Return the stop, or None when there are problems."""
        day, windows = self._times()
        draft = StopDraft(
            client_stop_id=self._text(Field.CLIENT_STOP_ID),
            address=self._address(),
            contact=self._contact(),
            coordinates=self._coordinates(),
            items=self.items(),
            note=self._text(Field.NOTE),
            duration=self._duration(),
            priority=self._optional(Field.PRIORITY, _priority) or 0,
            order_name=self.order_name(),
            time_windows=windows,
            delivery_date=day or UNSET,
            type=self._type(),
            tags=self._optional(Field.TAGS, parse_tags) or (),
            attributes=self._optional(Field.ATTRIBUTES, parse_listed_attributes) or (),
            loads=self._loads() or UNSET,
            required_skills=self._skills(),
            tasks=self._optional(Field.TASK_LIST, parse_listed_tasks) or (),
            order_reference_url=self._optional(Field.ORDER_URL, parse_url) or "",
            custom_signature_disclosure=self._text(Field.SIGNATURE_DISCLOSURE),
        )
        if not self.problems:
            self._check_bounds(draft)
        return None if self.problems else draft

    def order_name(self) -> str:
        """Return the order's name, else the recipient's."""
        recipient = self._text(Field.RECIPIENT)
        person = f"{self._text(Field.FIRST_NAME)} {self._text(Field.LAST_NAME)}".strip()
        return self._text(Field.NAME) or recipient or person or self._text(Field.COMPANY)

    def says_where(self) -> bool:
        """Return whether the row has a location of its own."""
        return not _PLACES.isdisjoint(self._values)

    def items(self) -> tuple[Item, ...]:
        """Return the goods of this row: those that it lists, else the one that it names."""
        listed = self._optional(Field.ITEM_LIST, parse_listed_items)
        if listed is not None:
            return listed
        quantity = self._optional(Field.QUANTITY, lambda text: parse_count(text, _MOST_UNITS))
        grams = self._grams()
        name, sku = self._text(Field.ITEM), self._text(Field.SKU)
        if quantity is None and grams is None and not name and not sku:
            return ()
        count = 1 if quantity is None else quantity
        return (Item(name=name, sku=sku, quantity=count, grams=grams or 0),)

    def _loads(self) -> dict[str, float]:
        """Return what the stop takes of a vehicle; its column counts before what is listed."""
        named = self._reading.loads
        listed = self._optional(Field.LOADS, parse_listed_loads) or {}
        amounts = {named.get(fold_header(name), name): amount for name, amount in listed.items()}
        for header, name in named.items():
            amount = self._try(name, self._others.get(header), parse_load)
            if amount is not None:
                amounts[name] = amount
        return amounts

    def _skills(self) -> tuple[str, ...]:
        skills: tuple[str, ...] = ()
        for field, cell in self._cells_of(Field.REQUIRED_SKILLS):
            skills = self._try(field, cell, partial(parse_skills, before=skills)) or skills
        return skills

    def _type(self) -> StopType:
        if self._text(Field.STOP_TYPE).upper() == StopType.BREAK:
            issue = Issue(type=IssueType.BREAK_OF_A_ROUTE)
            self._refuse(Field.STOP_TYPE, BREAK_BELONGS_TO_ROUTE, issue)
            return StopType.UNKNOWN
        return self._optional(Field.STOP_TYPE, parse_stop_type) or StopType.UNKNOWN

    def _usable(self, values: Mapping[Field, str]) -> dict[Field, str]:
        """Return the cells that a field can hold; a required one that it cannot is refused."""
        usable: dict[Field, str] = {}
        for field, text in values.items():
            longest = _LENGTHS.get(field, _LONGEST_LINE)
            if not is_error(text) and len(text) <= longest:
                usable[field] = text
                continue
            why, issue = describe_unusable(text, longest)
            if field in _PLACES:
                self._refuse(field, why, issue)
            else:
                self._leave_out(field, text, why, issue)
        return usable

    def _text(self, field: Field) -> str:
        return self._values.get(field, "")

    def _name(self, field: Field | str) -> str:
        return self._names.get(field, field) if isinstance(field, Field) else field

    def _optional[Value](self, field: Field, parse: Callable[[str], Value]) -> Value | None:
        """Return the field's value, or None when it is empty or cannot be read."""
        return self._try(field, self._values.get(field), parse)

    def _try[Value](
        self, field: Field | str, text: str | None, parse: Callable[[str], Value]
    ) -> Value | None:
        if text is None:
            return None
        try:
            return parse(text)
        except UnreadableCell as error:
            self._leave_out(field, text, *describe_unreadable(text, error))
            return None

    def _leave_out(
        self,
        field: Field | str,
        text: str,
        why: str,
        issue: Issue,
        slip: Slip = Slip.UNREADABLE,
    ) -> None:
        if self._reading.strict:
            self._refuse(field, why, issue)
        else:
            message = why if slip in KEPT else f"{why}; left out"
            self._remark(field, text, message, issue, slip)

    def _refuse(self, field: Field | str, why: str, issue: Issue) -> None:
        self.problems.append(RowProblem(column=self._name(field), reason=why, issue=issue))

    def _remark(
        self, field: Field | str, text: str, message: str, issue: Issue, slip: Slip
    ) -> None:
        self.remarks.append(
            Remark(
                message=message,
                rows=(self._row,),
                column=self._name(field),
                slip=slip,
                cell=text,
                issue=issue,
                is_left_out=slip not in KEPT,
            )
        )

    def _address(self) -> Address | UnsetType:
        # A number behind its street is understood everywhere, wherever it is usually written.
        street = f"{self._text(Field.ADDRESS1)} {self._text(Field.HOUSE_NUMBER)}".strip()
        address1 = street if self._text(Field.ADDRESS1) else self._text(Field.ADDRESS) or street
        self._refuse_two_addresses(address1)
        # A code that stands in the city's cell is no part of the city's name.
        there = split_zip_and_city(self._text(Field.CITY) or self._text(Field.ZIP_CITY))
        address = Address(
            address1=address1,
            address2=self._text(Field.ADDRESS2),
            city=there.city,
            province_code=self._text(Field.PROVINCE) or there.province,
            country_code=self._text(Field.COUNTRY),
            zip=self._text(Field.ZIP) or there.zip,
        )
        return UNSET if address.is_blank() else address

    def _refuse_two_addresses(self, address1: str) -> None:
        both = find_two_addresses(address1)
        if both:
            field = Field.ADDRESS1 if self._text(Field.ADDRESS1) else Field.ADDRESS
            one, other = (shorten(part) for part in both)
            self._refuse(
                field,
                f'holds two addresses, "{one}" and "{other}"; keep one, or give each a row',
                Issue(type=IssueType.TWO_ADDRESSES, values=IssueValues(choices=(one, other))),
            )

    def _coordinates(self) -> Coordinates | UnsetType:
        """Return the coordinates; unreadable ones refuse the row if it has no other location."""
        has_address = not LOCATING.isdisjoint(self._values)
        found, wrong = self._written_coordinates()
        for field, (why, issue) in wrong.items():
            if self._reading.strict or not has_address:
                self._refuse(field, why, issue)
            else:
                message = f"{why}; left out, the address counts"
                self._remark(field, self._text(field), message, issue, Slip.UNREADABLE)
        if found is None and not has_address and not self.problems:
            why = "an address or coordinates are required; fill city or latitude and longitude"
            issue = Issue(type=IssueType.LOCATION_REQUIRED)
            self.problems.append(RowProblem(reason=why, issue=issue))
        return found or UNSET

    def _written_coordinates(self) -> tuple[Coordinates | None, dict[Field, Why]]:
        """Return what the row says, and what is wrong about it; with that there is no place."""
        wrong: dict[Field, Why] = {}

        def read[Value](field: Field, parse: Callable[[str], Value]) -> Value | None:
            text = self._values.get(field)
            try:
                return None if text is None else parse(text)
            except UnreadableCell as error:
                wrong[field] = describe_unreadable(text or "", error)
                return None

        pair = read(Field.COORDINATES, parse_coordinates)
        latitude = read(Field.LATITUDE, lambda text: parse_degrees(text, 90))
        longitude = read(Field.LONGITUDE, lambda text: parse_degrees(text, 180))
        sides = (Field.LATITUDE, Field.LONGITUDE)
        for one, other in (sides, sides[::-1]):
            if one in self._values and other not in self._values:
                column = IssueValues(column=self._name(one))
                wrong[other] = (
                    f"is missing beside {self._name(one)}",
                    Issue(type=IssueType.OTHER_COORDINATE_MISSING, values=column),
                )
        if wrong:
            return None, wrong
        if latitude is not None and longitude is not None:
            return Coordinates(latitude=latitude, longitude=longitude), {}
        return pair, {}

    def _grams(self) -> int | None:
        for field, unit in ((Field.GRAMS, "g"), (Field.KILOGRAMS, "kg"), (Field.WEIGHT, "")):
            if field in self._values:
                return self._optional(field, lambda text, unit=unit: parse_weight(text, unit))  # type: ignore[misc] # mypy cannot infer a lambda's default
        return None

    def _duration(self) -> Duration | UnsetType:
        minutes = self._optional(Field.DURATION, parse_minutes)
        seconds = self._optional(Field.DURATION_SECONDS, parse_seconds)
        return minutes or seconds or UNSET

    def _times(self) -> tuple[Date | None, tuple[TimeWindow, ...]]:
        """Return the day and the windows; a window's cell may name the day too."""
        country = self._country
        day_first = is_day_first(self._name(Field.DELIVERY_DATE))
        day = self._optional(
            Field.DELIVERY_DATE, lambda text: parse_day(text, country, day_first=day_first)
        )
        of_sides, sides = self._sides(day)
        windows: tuple[TimeWindow, ...] = ()
        days: list[WindowDay] = []
        for field, cell in self._cells_of(Field.TIME_WINDOWS):
            beside, read = self._windows_of(field, cell, (*windows, *sides))
            days += [WindowDay(column=field, cell=cell, day=beside)] if beside else []
            windows += read
        day, wrong = settle_day(day, (*days, *of_sides))
        for said, (why, issue) in wrong:
            self._leave_out(said.column, said.cell, why, issue, Slip.ANOTHER_DAY)
        return day, join_half_windows(windows) + sides

    def _cells_of(self, field: Field) -> Iterator[tuple[Field | str, str]]:
        """Yield a field's cell, and those of the columns that add to it."""
        if first := self._text(field):
            yield field, first
        for header, cell in self._further.get(field, ()):
            if self._is_usable(header, cell, _LENGTHS.get(field, _LONGEST_LINE)):
                yield header, cell

    def _is_usable(self, header: str, cell: str, longest: int = _LONGEST_LINE) -> bool:
        """Say whether a cell beside a field's first can be read; one that cannot is left out."""
        if not is_error(cell) and len(cell) <= longest:
            return True
        self._leave_out(header, cell, *describe_unusable(cell, longest))
        return False

    def _windows_of(
        self, field: Field | str, cell: str, others: Sequence[TimeWindow]
    ) -> tuple[Date | None, tuple[TimeWindow, ...]]:
        day, text = split_window_day(cell, self._country)

        def read(whole: str) -> WindowReading:
            found = read_windows(whole if text == cell else text)
            require_few_windows(whole, (*found.windows, *others))
            return found

        reading = self._try(field, cell, read) or WindowReading()
        return day, self._noted(field, cell, reading)

    def _sides(self, day: Date | None) -> tuple[list[WindowDay], tuple[TimeWindow, ...]]:
        """Return the windows whose sides have columns of their own, and the days they name."""
        first = [(field, self._text(field)) for field in (Field.WINDOW_START, Field.WINDOW_END)]
        days, windows = self._window_between(day, (), *first)
        further = (self._further.get(field, ()) for field in (Field.WINDOW_START, Field.WINDOW_END))
        for sides in zip(*further, strict=True):
            usable = [(name, cell if self._is_usable(name, cell) else "") for name, cell in sides]
            named, read = self._window_between(day, windows, *usable)
            days += named
            windows += read
        return days, join_half_windows(windows)

    def _window_between(
        self,
        row: Date | None,
        others: Sequence[TimeWindow],
        opens: tuple[Field | str, str],
        closes: tuple[Field | str, str],
    ) -> tuple[list[WindowDay], tuple[TimeWindow, ...]]:
        """Return the window between two cells, of which one may be empty, and their days."""
        (opening_day, starts), (closing_day, ends) = (
            split_window_day(cell, self._country) for _, cell in (opens, closes)
        )
        start = self._try(opens[0], opens[1] or None, lambda _: parse_opening(starts))
        end = self._try(closes[0], closes[1] or None, lambda _: parse_closing(ends))
        if start is None and end is None:
            return [], ()
        opening = WindowSide(*opens, opening_day, start)
        closing = WindowSide(*closes, closing_day, end)
        days = days_of_sides(opening, closing, row)

        def read(text: str) -> WindowReading:
            found = read_sides(starts if start else "", ends if end else "")
            require_few_windows(text, (*found.windows, *others))
            return found

        field, cell = closes if end else opens
        return days, self._noted(field, cell, self._try(field, cell, read) or WindowReading())

    def _noted(
        self, field: Field | str, cell: str, reading: WindowReading
    ) -> tuple[TimeWindow, ...]:
        for slip, became in reading.slips:
            values = IssueValues(value=shorten(cell), windows=became)
            issue = Issue(type=ISSUES[slip], values=values)
            message = f'"{shorten(cell)}" is {READ_AS[slip].format(spell_windows(became))}'
            self._remark(field, cell, message, issue, slip)
        return reading.windows

    def _contact(self) -> Contact | UnsetType:
        """Return the contact; an invalid part is left out with a remark, and the stop stays."""
        phone, email = self._phone(), self._text(Field.EMAIL)
        if email and not (_EMAIL.fullmatch(email) and len(email) <= 254):
            issue = Issue(type=IssueType.NOT_AN_EMAIL)
            why = f"not of the form {_EMAIL_FORM}"
            self._leave_out(Field.EMAIL, "", why, issue, Slip.EMAIL)
            email = ""
        first, last = self._text(Field.FIRST_NAME), self._text(Field.LAST_NAME)
        recipient = self._text(Field.RECIPIENT)
        if recipient and not first and not last and recipient != self.order_name():
            first, _, last = recipient.partition(" ")
        contact = Contact(
            first_name=first,
            last_name=last,
            company=self._text(Field.COMPANY),
            phone=phone,
            email=email,
        )
        return UNSET if contact == Contact() else contact

    def _phone(self) -> str:
        text = self._text(Field.PHONE)
        if not text:
            return ""
        try:
            return parse_phone(text, self._country)
        except ValueError:
            issue = Issue(type=IssueType.NOT_A_PHONE_NUMBER)
            why = Slip.PHONE.removesuffix(", left out")
            self._leave_out(Field.PHONE, "", why, issue, Slip.PHONE)
            return ""

    def _check_bounds(self, draft: StopDraft) -> None:
        """Refuse what only several cells together are too much of, such as a street's parts."""
        problems = Problems()
        reader_of(StopDraft)(msgspec.json.decode(msgspec.json.encode(draft)), problems)
        for path, description in problems.listed:
            why = f"{path.lstrip('.')} {description}"
            issue = Issue(type=IssueType.OUT_OF_BOUNDS, values=IssueValues(detail=why))
            self.problems.append(RowProblem(reason=why, issue=issue))


def _priority(text: str) -> int:
    return parse_whole(text, _HIGHEST_PRIORITY)
