"""One row into one stop, with every problem of the row named, not the first."""

import datetime
import re
from collections.abc import Callable, Mapping

import msgspec

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.item import Item
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.kit.durations import Duration
from roundsman.spreadsheets.columns import Field
from roundsman.spreadsheets.durations import parse_minutes, parse_seconds
from roundsman.spreadsheets.numbers import parse_amount, parse_degrees, parse_whole
from roundsman.spreadsheets.phones import CountryOf, iso_code, parse_phone
from roundsman.spreadsheets.table import shorten
from roundsman.spreadsheets.time_windows import parse_closing, parse_opening, parse_windows

_SPREADSHEET_ERROR = re.compile(r"#(N/A|REF!|VALUE!|NAME\?|DIV/0!|NULL!|NUM!)")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_PAIR = re.compile(r"\(?\s*([^,;\s]+)\s*[,;\s]\s*([^,;\s]+)\s*\)?")
_TOO_LONG = re.compile(
    r"Expected `str` of length <= (?P<length>\d+) - at `\$(?:\.\w+|\[\d+\])*\.(?P<name>\w+)`"
)
# Where dates are written with dots the day comes first; with slashes nobody can tell.
_DOTTED_DATE = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII)
_HELD_AS = {"orderName": Field.NAME}
"""Names that a stop's texts have in the interface, where a field's is another."""
_HIGHEST_PRIORITY = 1_000_000
_MOST_UNITS = 100_000
_HEAVIEST_GRAMS = 1_000_000_000
_GRAMS_PER = {
    "g": 1.0,
    "gram": 1.0,
    "grams": 1.0,
    "kg": 1_000.0,
    "kgs": 1_000.0,
    "lb": 453.59237,
    "lbs": 453.59237,
    "oz": 28.349523125,
}  # fmt: skip -- one table, one glance


class RowReader:
    """Reads the values of one row; `problems` and `remarks` fill while `draft` is made.

    `names` are what problems call fields whose column has a header of another name.
    """

    def __init__(
        self,
        values: Mapping[Field, str],
        country_of: CountryOf = iso_code,
        names: Mapping[Field, str] | None = None,
    ) -> None:
        self._values = values
        self._country_of = country_of
        self._names = names or {}
        self.problems: list[str] = []
        self.remarks: list[Field] = []

    def draft(self) -> StopDraft | None:
        """Return the stop, or None when there are problems."""
        self._refuse_spreadsheet_errors()
        draft = StopDraft(
            client_stop_id=self._text(Field.CLIENT_STOP_ID),
            address=self._address(),
            contact=self._contact(),
            coordinates=self._coordinates(),
            items=self._items(),
            note=self._text(Field.NOTE),
            duration=self._duration(),
            priority=self._whole(Field.PRIORITY, _HIGHEST_PRIORITY) or 0,
            order_name=self._text(Field.NAME),
            time_windows=self._time_windows(),
            delivery_date=self._parsed(Field.DELIVERY_DATE, _date) or UNSET,
        )
        if not self.problems:
            self._check_bounds(draft)
        return None if self.problems else draft

    def _text(self, field: Field) -> str:
        return self._values.get(field, "")

    def _name(self, field: Field) -> str:
        return self._names.get(field, field)

    def _parsed[Value](self, field: Field, parse: Callable[[str], Value]) -> Value | None:
        """Return the field's value, or None when it is empty or wrong."""
        text = self._values.get(field)
        if text is None:
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.problems.append(f"{self._name(field)}: {_about_cell(text, str(error))}")
            return None

    def _whole(self, field: Field, limit: int) -> int | None:
        return self._parsed(field, lambda text: parse_whole(text, limit))

    def _address(self) -> Address | UnsetType:
        # A number behind its street is understood everywhere, wherever it is usually written.
        street = f"{self._text(Field.ADDRESS1)} {self._text(Field.HOUSE_NUMBER)}".strip()
        address1 = street if self._text(Field.ADDRESS1) else self._text(Field.ADDRESS) or street
        address = Address(
            address1=address1,
            address2=self._text(Field.ADDRESS2),
            city=self._text(Field.CITY),
            province_code=self._text(Field.PROVINCE),
            country_code=self._text(Field.COUNTRY),
            zip=self._text(Field.ZIP),
        )
        return UNSET if address.is_blank() else address

    def _coordinates(self) -> Coordinates | UnsetType:
        pair = self._parsed(Field.COORDINATES, _pair)
        latitude = self._parsed(Field.LATITUDE, lambda text: parse_degrees(text, 90))
        longitude = self._parsed(Field.LONGITUDE, lambda text: parse_degrees(text, 180))
        self._require_both(Field.LATITUDE, Field.LONGITUDE)
        self._require_both(Field.LONGITUDE, Field.LATITUDE)
        self._require_place()
        if latitude is not None and longitude is not None:
            return Coordinates(latitude=latitude, longitude=longitude)
        return pair or UNSET

    def _require_both(self, one: Field, other: Field) -> None:
        if one in self._values and other not in self._values:
            self.problems.append(f"{self._name(other)}: is missing beside {self._name(one)}")

    def _require_place(self) -> None:
        located = {Field.LATITUDE, Field.LONGITUDE, Field.COORDINATES} & set(self._values)
        streets = {Field.ADDRESS, Field.ADDRESS1, Field.CITY, Field.ZIP} & set(self._values)
        if not located and not streets:
            self.problems.append(
                "an address or coordinates are required; fill city or latitude and longitude"
            )

    def _items(self) -> tuple[Item, ...]:
        quantity = self._whole(Field.QUANTITY, _MOST_UNITS)
        grams = self._grams()
        if quantity is None and grams is None:
            return ()
        return (Item(quantity=1 if quantity is None else quantity, grams=grams or 0),)

    def _grams(self) -> int | None:
        for field, unit in ((Field.GRAMS, "g"), (Field.KILOGRAMS, "kg"), (Field.WEIGHT, "")):
            if field in self._values:
                return self._parsed(field, lambda text, unit=unit: _weight(text, unit))  # type: ignore[misc] # mypy cannot infer a lambda's default
        return None

    def _duration(self) -> Duration | UnsetType:
        minutes = self._parsed(Field.DURATION, parse_minutes)
        seconds = self._parsed(Field.DURATION_SECONDS, parse_seconds)
        return minutes or seconds or UNSET

    def _time_windows(self) -> tuple[TimeWindow, ...]:
        windows = self._parsed(Field.TIME_WINDOWS, parse_windows) or ()
        start = self._parsed(Field.WINDOW_START, parse_opening)
        end = self._parsed(Field.WINDOW_END, parse_closing)
        if start is None and end is None:
            return windows
        window = TimeWindow(
            start=UNSET if start is None else start, end=UNSET if end is None else end
        )
        return (*windows, window)

    def _contact(self) -> Contact | UnsetType:
        """A contact that does not hold up is left out with a remark: the stop is good without."""
        phone, email = self._phone(), self._text(Field.EMAIL)
        if email and not (_EMAIL.fullmatch(email) and len(email) <= 254):
            self.remarks.append(Field.EMAIL)
            email = ""
        return Contact(phone=phone, email=email) if phone or email else UNSET

    def _phone(self) -> str:
        text = self._text(Field.PHONE)
        if not text:
            return ""
        try:
            return parse_phone(text, self._country_of(self._text(Field.COUNTRY)) or "")
        except ValueError:
            self.remarks.append(Field.PHONE)
            return ""

    def _refuse_spreadsheet_errors(self) -> None:
        for field, text in self._values.items():
            if _SPREADSHEET_ERROR.fullmatch(text):
                self.problems.append(f"{self._name(field)}: holds the spreadsheet error {text}")

    def _check_bounds(self, draft: StopDraft) -> None:
        try:
            msgspec.convert(msgspec.to_builtins(draft), StopDraft)
        except msgspec.ValidationError as error:
            self.problems.append(self._about_bound(str(error)))

    def _about_bound(self, message: str) -> str:
        """Say which column is too long; the noun that found it knows none."""
        too_long = _TOO_LONG.fullmatch(message)
        if too_long is None:
            return _lower_first(message)
        field = _HELD_AS.get(too_long["name"]) or Field(too_long["name"])
        if field is Field.ADDRESS1 and field not in self._values:
            field = Field.ADDRESS
        return f"{self._name(field)}: is longer than {int(too_long['length']):,} characters"


def _about_cell(text: str, message: str) -> str:
    """Quote the whole cell, as it was typed, where a message is about a part of it."""
    shown = shorten(text)
    message = message.replace(f'"{text.casefold()}"', f'"{text}"').replace(text, shown)
    if f'"{shown}"' in message or message.startswith(shown):
        return message
    return f'in "{shown}", {message}'


def _weight(text: str, unit: str) -> int:
    number, written = parse_amount(text)
    unit = written or unit
    if not unit and not number.is_integer():
        raise ValueError(f'"{text}" has no unit; write "{text} kg", or whole grams')
    if unit and unit not in _GRAMS_PER:
        raise ValueError(f'"{written}" is no unit of weight; use g, kg, lb or oz')
    grams = round(number * _GRAMS_PER.get(unit, 1.0))
    if grams > _HEAVIEST_GRAMS:
        raise ValueError(f"{text} is more than 1,000 tonnes")
    return grams


def _pair(text: str) -> Coordinates:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is no pair of coordinates, such as 39.2904, -76.6122')
    return Coordinates(latitude=parse_degrees(match[1], 90), longitude=parse_degrees(match[2], 180))


def _date(text: str) -> Date:
    try:
        if match := _DOTTED_DATE.fullmatch(text):
            day = datetime.date(int(match[3]), int(match[2]), int(match[1]))
        else:
            day = datetime.date.fromisoformat(text)
    except ValueError:
        raise ValueError(f'"{text}" is no date of the form 2024-07-31') from None
    return Date(year=day.year, month=day.month, day=day.day)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
