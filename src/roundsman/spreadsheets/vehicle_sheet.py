"""Reads the vehicles of a CSV or XLSX file: one row a vehicle, or several alike by a count.

Every column that is none of those below is a load: its name is the load's, its cells are what the
vehicles carry of it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.loads import MOST_AMOUNT
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import MOST_PLANNED_VEHICLES
from roundsman.domain.time_window import TimeOfDay
from roundsman.domain.vehicle import USUAL_COSTS, DailyBreak, VehicleCosts
from roundsman.kit.durations import Duration
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.durations import parse_minutes
from roundsman.spreadsheets.numbers import parse_amount, parse_whole
from roundsman.spreadsheets.table import Row, shorten
from roundsman.spreadsheets.tables import read_tables
from roundsman.spreadsheets.time_windows import parse_closing, parse_opening, read_windows

_BREAK = re.compile(r"(?P<window>.+?)\s+(?P<duration>\S+)")
_COSTS = {
    "fixedcost": "fixed",
    "costperhour": "per_hour",
    "costpertraveledhour": "per_traveled_hour",
    "costperkilometer": "per_kilometer",
    "costperstop": "per_stop",
}
_KNOWN = {
    "name",
    "count",
    "start",
    "end",
    "shiftstart",
    "shiftend",
    "skills",
    "maxstops",
    "maxduration",
    "maxdistance",
    "breaks",
    "speedfactor",
    "driver",
    *_COSTS,
}
_MOST_BREAKS = 3
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
    speed_factor: float = 1.0
    driver: str = ""


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a cell that holds a list, separated by semicolons."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


def read_vehicle_sheet(content: bytes) -> list[SheetVehicle]:
    """Return the vehicles of a file; raise InvalidArgument with every cell that cannot be read."""
    rows = (row for row in read_tables(content)[0].rows if not row.is_blank())
    header = next(rows, None)
    if header is None:
        raise InvalidArgument("the file is empty")
    names = [fold_header(cell) for cell in header.cells]
    if "name" not in names:
        raise InvalidArgument('no column is called "name", which every vehicle needs')
    vehicles: list[SheetVehicle] = []
    problems: list[str] = []
    for row in rows:
        reader = _VehicleReader(row, names, header.cells)
        vehicle = reader.read()
        if vehicle.name in {other.name for other in vehicles}:
            problems.append(f'row {row.number}: name: "{vehicle.name}" is given more than once')
        vehicles.append(vehicle)
        problems += reader.problems
    if problems:
        raise InvalidArgument("; ".join(problems))
    if not vehicles:
        raise InvalidArgument("the file has a header but no vehicles below it")
    count = sum(vehicle.count for vehicle in vehicles)
    if count > MOST_PLANNED_VEHICLES:
        raise InvalidArgument(f"{count} vehicles; at most {MOST_PLANNED_VEHICLES} can be planned")
    return vehicles


class _VehicleReader:
    """Reads one row; `problems` fill while it is read."""

    def __init__(self, row: Row, names: list[str], headers: tuple[str, ...]) -> None:
        self._row = row.number
        cells = [*row.cells, *[""] * (len(names) - len(row.cells))]
        self._cells = dict(zip(names, cells, strict=False))
        self._headers = dict(zip(names, headers, strict=False))
        self.problems: list[str] = []

    def read(self) -> SheetVehicle:
        if not self._cells["name"]:
            self.problems.append(f"row {self._row}: name is empty")
        most = MOST_PLANNED_VEHICLES
        return SheetVehicle(
            row=self._row,
            name=self._cells["name"],
            count=self._read("count", lambda text: parse_whole(text, most)) or 1,
            start=self._cells.get("start", ""),
            end=self._cells.get("end", ""),
            shift_start=self._read("shiftstart", parse_opening),
            shift_end=self._read("shiftend", parse_closing),
            capacities=self._capacities(),
            skills=split_list(self._cells.get("skills", "")),
            max_stops=self._read("maxstops", lambda text: parse_whole(text, 100_000)) or 0,
            max_duration=self._read("maxduration", parse_minutes) or UNSET,
            max_distance_meters=round((self._read("maxdistance", _number) or 0) * 1000),
            breaks=self._read("breaks", _breaks) or (),
            costs=self._costs(),
            speed_factor=self._read("speedfactor", _number) or 1.0,
            driver=self._cells.get("driver", ""),
        )

    def _capacities(self) -> dict[str, float]:
        loads = [name for name in self._cells if name and name not in _KNOWN]
        read = {self._headers[name]: self._read(name, _number) for name in loads}
        return {name: amount for name, amount in read.items() if amount is not None}

    def _costs(self) -> VehicleCosts:
        read = {field: self._read(column, _number) for column, field in _COSTS.items()}
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


def _number(text: str) -> float:
    number, _ = parse_amount(text)
    if number > MOST_AMOUNT:
        raise ValueError(f"{text} is more than {MOST_AMOUNT:,}")
    return round(number, 3)


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
