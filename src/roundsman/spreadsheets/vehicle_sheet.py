"""Reads the vehicles of a CSV or XLSX file: one row a vehicle, or several alike by a count.

A column that is none of those below is a load where stops have one of its name: its cells are what
the vehicles carry of it. Others are named and not read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.loads import ITEMS, KILOGRAMS
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import MOST_PLANNED_VEHICLES
from roundsman.domain.time_window import TimeOfDay
from roundsman.domain.vehicle import USUAL_COSTS, DailyBreak, VehicleCosts
from roundsman.kit.durations import Duration
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.durations import parse_minutes
from roundsman.spreadsheets.header_additions import split_unit
from roundsman.spreadsheets.load_columns import (
    find_similar,
    hold_amounts,
    is_of_items,
    name_of_load,
)
from roundsman.spreadsheets.numbers import parse_amount, parse_whole
from roundsman.spreadsheets.structured_cells import parse_load, split_words
from roundsman.spreadsheets.table import Row, shorten
from roundsman.spreadsheets.tables import read_tables
from roundsman.spreadsheets.time_windows import parse_closing, parse_opening, read_windows
from roundsman.spreadsheets.vehicle_words import VEHICLE_COLUMNS

_BREAK = re.compile(r"(?P<window>.+?)\s+(?P<duration>\S+|\d[\d.,]*\s[^\W\d_]+\.?)")
_COSTS = {
    "fixedcost": "fixed",
    "costperhour": "per_hour",
    "costpertraveledhour": "per_traveled_hour",
    "costperkilometer": "per_kilometer",
    "costperstop": "per_stop",
}
_KNOWN = {fold_header(header): header for header in VEHICLE_COLUMNS}
_SAME_AS = {
    fold_header(word): fold_header(header)
    for header, words in VEHICLE_COLUMNS.items()
    for word in words.split(",")
}
"""The folded header that documents name by the folded ones of the same column."""

_BESIDE_NOM = {**_SAME_AS, "nombre": "count"}
"""Where the names are under the French `nom`, `nombre` is the French number, not a Spanish name."""

_UNITS = {
    "shiftstart": Field.TIME_WINDOWS,
    "shiftend": Field.TIME_WINDOWS,
    "maxduration": Field.DURATION,
}
"""Columns behind whose words a unit may stand: that of which field of a stop."""

_MOST_BREAKS = 3
_LEAST_SPEED_FACTOR, _MOST_SPEED_FACTOR = 0.1, 10
BACK_TO_START = "="
"""As the end of a vehicle; an empty cell is an open end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetVehicle:
    """A row of the file; places are as they are written."""

    row: int
    name: str
    count: int = 1
    start: str = ""
    end: str = ""
    shift_start: TimeOfDay | None = None
    shift_end: TimeOfDay | None = None
    capacities: Mapping[str, float]
    skills: tuple[str, ...] = ()
    max_stops: int = 0
    max_duration: Duration | UnsetType = UNSET
    max_distance_meters: int = 0
    breaks: tuple[DailyBreak, ...] = ()
    costs: VehicleCosts
    speed_factor: float | UnsetType = UNSET
    driver: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class VehicleSheet:
    """The vehicles of a file, and which of its columns were not read.

    `doubts` are lower case without a full stop: what looks as if it were meant and does not count.
    """

    vehicles: tuple[SheetVehicle, ...] = ()
    ignored: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    def loads(self) -> tuple[str, ...]:
        """Return the names of the loads that vehicles have limits of."""
        return tuple(dict.fromkeys(name for one in self.vehicles for name in one.capacities))


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a cell that holds a list, separated by semicolons."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


def read_vehicle_sheet(
    content: bytes, loads_of_stops: Mapping[str, str] = MappingProxyType({})
) -> VehicleSheet:
    """Return the vehicles of a file; raise InvalidArgument with everything that is wrong.

    `loads_of_stops` are headers by their folded form, beside what the items of stops weigh and are.
    """
    rows = [row for row in read_tables(content, _count_known)[0].rows if not row.is_blank()]
    if not rows:
        raise InvalidArgument("the file is empty")
    header, *rows = rows
    names = _names_of_columns(header.cells)
    if "name" not in names:
        raise InvalidArgument('no column is called "name", which every vehicle needs')
    columns = _understand(header.cells, names, rows, loads_of_stops)
    vehicles: list[SheetVehicle] = []
    problems = columns.problems
    for row in rows:
        reader = _VehicleReader(row, header.cells, names, columns.loads)
        vehicle = reader.read()
        if vehicle.name in {other.name for other in vehicles}:
            problems.append(f'row {row.number}: name: "{vehicle.name}" is given more than once')
        vehicles.append(vehicle)
        problems += reader.problems
        columns.doubts += _doubt_shift(vehicle)
    if problems:
        raise InvalidArgument("; ".join(problems))
    if not vehicles:
        raise InvalidArgument("the file has a header but no vehicles below it")
    count = sum(vehicle.count for vehicle in vehicles)
    if count > MOST_PLANNED_VEHICLES:
        raise InvalidArgument(f"{count} vehicles; at most {MOST_PLANNED_VEHICLES} can be planned")
    return VehicleSheet(
        vehicles=tuple(vehicles), ignored=tuple(columns.ignored), doubts=tuple(columns.doubts)
    )


def _count_known(headers: Sequence[str]) -> int:
    names = zip(headers, _names_of_columns(headers), strict=True)
    return sum(name in _KNOWN or is_of_items(header) for header, name in names)


def _names_of_columns(headers: Sequence[str]) -> tuple[str, ...]:
    """Return the folded headers, those of other words as the one that they are the same as.

    Where two columns are the same, the one that is called as documents name it counts, else the
    first; the other one keeps its own header, which has no meaning.
    """
    folded = tuple(map(_fold_without_unit, headers))
    same_as = _BESIDE_NOM if "nom" in folded else _SAME_AS
    taken = {name for name in folded if name in _KNOWN}
    names = []
    for name in folded:
        meant = same_as.get(name, name)
        names.append(name if meant in taken else meant)
        if name in same_as:
            taken.add(meant)
    return tuple(names)


def _fold_without_unit(header: str) -> str:
    name = fold_header(header)
    word, of_unit = split_unit(header)
    plain = fold_header(word)
    is_hidden = name not in _KNOWN and name not in _SAME_AS
    return plain if is_hidden and _UNITS.get(_SAME_AS.get(plain, plain)) in of_unit else name


def _doubt_shift(vehicle: SheetVehicle) -> list[str]:
    """Say which side of a shift stands alone."""
    if (vehicle.shift_start is None) is (vehicle.shift_end is None):
        return []
    sides = ("shiftStart", "shiftEnd")
    one, other = sides if vehicle.shift_end is None else sides[::-1]
    return [f"row {vehicle.row}: {one} counts only beside a {other}"]


@dataclass(slots=True)
class _OtherColumns:
    """What the columns are that have no meaning of their own."""

    loads: dict[str, str] = field(default_factory=dict)
    """The name of each load by its column's folded header."""

    ignored: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def _understand(
    headers: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Row],
    of_stops: Mapping[str, str],
) -> _OtherColumns:
    """Say of each column without a meaning whether it is a load, misspelt, or nothing of ours."""
    found = _OtherColumns()
    there = set(names)
    known = [written for name, written in _KNOWN.items() if name not in there]
    free = [header for name, header in of_stops.items() if name not in there]
    free += [name for name in (KILOGRAMS, ITEMS) if name not in map(name_of_load, headers)]
    for index, (header, name) in enumerate(zip(headers, names, strict=True)):
        if not name or name in _KNOWN:
            continue
        cells = [row.cells[index] for row in rows if index < len(row.cells) and row.cells[index]]
        if name in of_stops or is_of_items(header):
            load = name_of_load(header)
            if load in found.loads.values():
                found.problems.append(f'column "{header}": another is the load "{load}", too')
            found.loads[name] = load
        elif hold_amounts(cells):
            if meant := find_similar(header, free):
                problem = f'column "{header}": no stop has such a load, did you mean "{meant}"?'
                found.problems.append(problem)
                continue
            meant = find_similar(header, known)
            hint = f', did you mean "{meant}"?' if meant else ""
            found.doubts.append(f'column "{header}" limits nothing: no stop has such a load{hint}')
        elif meant := find_similar(header, known):
            found.doubts.append(f'column "{header}" is ignored, did you mean "{meant}"?')
        else:
            found.ignored.append(header)
    return found


class _VehicleReader:
    """Reads one row; `problems` fill while it is read."""

    def __init__(
        self, row: Row, headers: Sequence[str], names: Sequence[str], loads: Mapping[str, str]
    ) -> None:
        self._row = row.number
        cells = [*row.cells, *[""] * (len(names) - len(row.cells))]
        self._cells = dict(zip(names, cells, strict=False))
        self._headers = dict(zip(names, headers, strict=False))
        self._loads = loads
        self.problems: list[str] = []

    def read(self) -> SheetVehicle:
        if not self._cells["name"]:
            self.problems.append(f"row {self._row}: name is empty")
        most = MOST_PLANNED_VEHICLES
        speed_factor = self._read("speedfactor", _speed_factor)
        return SheetVehicle(
            row=self._row,
            name=self._cells["name"],
            count=self._read("count", lambda text: parse_whole(text, most, 1)) or 1,
            start=self._cells.get("start", ""),
            end=self._cells.get("end", ""),
            shift_start=self._read("shiftstart", parse_opening),
            shift_end=self._read("shiftend", parse_closing),
            capacities=self._capacities(),
            skills=tuple(split_words(self._cells.get("skills", ""))),
            max_stops=self._read("maxstops", lambda text: parse_whole(text, 100_000)) or 0,
            max_duration=self._read("maxduration", parse_minutes) or UNSET,
            max_distance_meters=round((self._read("maxdistance", parse_load) or 0) * 1000),
            breaks=self._read("breaks", _breaks) or (),
            costs=self._costs(),
            speed_factor=UNSET if speed_factor is None else speed_factor,
            driver=self._cells.get("driver", ""),
        )

    def _capacities(self) -> dict[str, float]:
        read = {load: self._read(name, parse_load) for name, load in self._loads.items()}
        return {name: amount for name, amount in read.items() if amount is not None}

    def _costs(self) -> VehicleCosts:
        read = {field: self._read(column, parse_load) for column, field in _COSTS.items()}
        given = {field: amount for field, amount in read.items() if amount is not None}
        return VehicleCosts(**given) if given else USUAL_COSTS

    def _read[T](self, column: str, parse: Callable[[str], T]) -> T | None:
        text = self._cells.get(column, "")
        if not text:
            return None
        try:
            return parse(text)
        except ValueError as error:
            named = self._headers.get(column, column)
            self.problems.append(f"row {self._row}: {named}: {shorten(str(error))}")
            return None


def _speed_factor(text: str) -> float:
    factor, _ = parse_amount(text)
    if not _LEAST_SPEED_FACTOR <= factor <= _MOST_SPEED_FACTOR:
        raise ValueError(f"{text} is outside {_LEAST_SPEED_FACTOR} to {_MOST_SPEED_FACTOR}")
    return factor


def _breaks(text: str) -> tuple[DailyBreak, ...]:
    parts = split_list(text)
    if len(parts) > _MOST_BREAKS:
        raise ValueError(f"at most {_MOST_BREAKS} breaks, not {len(parts)}")
    return tuple(map(_break, parts))


def _break(text: str) -> DailyBreak:
    match = _BREAK.fullmatch(text)
    windows = read_windows(match["window"]).windows if match else ()
    if match is None or len(windows) != 1:
        raise ValueError(f'"{text}" is no break, such as 12:00-13:30 30m')
    (window,) = windows
    if not window.start or not window.end:
        raise ValueError(f'"{text}" needs a start and an end, such as 12:00-13:30 30m')
    return DailyBreak(time_window=window, duration=parse_minutes(match["duration"]))
