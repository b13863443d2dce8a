"""What is odd about stops that can be planned all the same: told by row, decided by the planner."""

import math
import shlex
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from statistics import median

from roundsman.cli.plan_ends import Located
from roundsman.cli.plan_input import PlanInput
from roundsman.cli.plan_report import PlanReport, Visit
from roundsman.domain.address import Coordinates
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.durations import whole_seconds
from roundsman.roads.estimate import kilometers_between
from roundsman.routing.wording import describe_windows
from roundsman.spreadsheets.remarks import Remark, say_rows
from roundsman.spreadsheets.table import shorten

_FAR_KILOMETERS = 300
"""Farther from the middle of a route than a vehicle is sent on most days."""

_LONGEST_WAIT = timedelta(hours=8)
_ROWS_NAMED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class FarStop:
    """A stop far from all others, and why that may be: lower case, no full stop."""

    row: int
    reason: str


def find_far_stops(given: PlanInput, start: Coordinates) -> tuple[FarStop, ...]:
    """Return the stops more than 300 km from the middle of all and the start, or at 0, 0."""
    locations = [stop.planned_coordinates for stop in given.stops]
    # Between two places there is no middle to tell which of them is wrong; the start is checked.
    middle = _middle([start, *locations]) if len(locations) > 1 else start
    return tuple(
        FarStop(row=given.rows[stop.id], reason=_why_far(stop, far, middle, given))
        for stop, far in zip(given.stops, _kilometers(locations, middle), strict=True)
        if far > _FAR_KILOMETERS or stop.planned_coordinates.is_nowhere()
    )


def say_far_stops(far: Sequence[FarStop]) -> Iterator[Remark]:
    """Yield a remark for each of the first stops, and one for the others."""
    for stop in far[:_ROWS_NAMED]:
        yield Remark(message=f"row {stop.row} is {stop.reason}", rows=(stop.row,))
    if others := far[_ROWS_NAMED:]:
        rows = tuple(stop.row for stop in others)
        listed = ", ".join(map(str, rows))
        message = f"more than {_FAR_KILOMETERS} km from the other stops are also rows {listed}"
        yield Remark(message=message, rows=rows)


def say_far_start(given: PlanInput, start: Located) -> Iterator[Remark]:
    """Yield a remark when the start is far from the middle of several stops."""
    if len(given.stops) < 2:
        return
    middle = _middle([stop.planned_coordinates for stop in given.stops])
    (far,) = _kilometers([start.coordinates], middle)
    if far > _FAR_KILOMETERS:
        hint = ""
        if _is_swapped(middle, start.coordinates):
            hint = "; latitude and longitude look swapped in every row"
        said = f"the start is {_say_kilometers(far)} from the middle of the stops{hint}"
        yield Remark(message=said)


def say_repeated_stops(given: PlanInput) -> Iterator[Remark]:
    """Yield a remark for each of the first stops that several rows are, and one for others."""
    rows: dict[Hashable, list[int]] = {}
    names: dict[Hashable, str] = {}
    for stop in given.stops:
        rows.setdefault(_sameness(stop), []).append(given.rows[stop.id])
        names.setdefault(_sameness(stop), stop.order_name)
    repeated = [key for key, named in rows.items() if len(named) > 1]
    for key in repeated[:_ROWS_NAMED]:
        who = f', "{shorten(names[key])}"' if names[key] else ""
        said = f"{say_rows(rows[key])} are one stop by name and place{who}; each is planned"
        yield Remark(message=said, rows=tuple(rows[key]))
    if others := repeated[_ROWS_NAMED:]:
        last = tuple(rows[key][-1] for key in others)
        said = f"repeated stops are also in rows {', '.join(map(str, last))}"
        yield Remark(message=said, rows=last)


def say_other_days(report: PlanReport) -> Iterator[Remark]:
    """Yield a remark for each date on which the route neither leaves nor is at the stop."""
    leaves = report.start.at.date()
    rows: dict[date, list[int]] = {}
    for visit in sorted(report.visits, key=lambda visit: visit.row):
        if isinstance(visit.stop.delivery_date, UnsetType):
            continue
        day = visit.stop.delivery_date.as_date()
        if day not in {leaves, *_days_at(visit)}:
            rows.setdefault(day, []).append(visit.row)
    for day, named in sorted(rows.items()):
        said = f"{_are(named)} for {_say_day(day)}; this route leaves on {_say_day(leaves)}"
        yield Remark(message=said, rows=tuple(named))


def say_closed_windows(report: PlanReport) -> Iterator[Remark]:
    """Yield a remark when windows close before the route leaves, at an hour that nobody chose."""
    leaves = report.start.at
    closed = sorted(
        (
            visit
            for visit in report.visits
            if _was_closed(visit, leaves) and not _opens_this_night(visit, leaves)
        ),
        key=lambda visit: visit.row,
    )
    if closed:
        hour = max(min(map(_first_hour, closed)) - 1, 0)
        morning = datetime.combine(leaves.date() + timedelta(days=1), time(hour))
        rows = [visit.row for visit in closed]
        said = (
            f"{_are(rows)} closed when this route leaves,"
            f" at {leaves:%H:%M} on {_say_day(leaves.date())};"
            f" say when, such as --start-at {morning:%Y-%m-%dT%H:%M}"
        )
        yield Remark(message=said, rows=tuple(rows))


def say_windows_after_midnight(report: PlanReport) -> Iterator[Remark]:
    """Yield a remark when windows of a night are read as those of the morning before it."""
    leaves = report.start.at
    rows = sorted(
        visit.row
        for visit in report.visits
        if _was_closed(visit, leaves) and _opens_this_night(visit, leaves)
    )
    if rows:
        tomorrow = leaves.date() + timedelta(days=1)
        said = (
            f"{_are(rows)} closed when this route leaves, at {leaves:%H:%M} on"
            f" {_say_day(leaves.date())}, the day that windows belong to; for the hours after"
            f" midnight say deliveryDate {tomorrow.isoformat()} there"
        )
        yield Remark(message=said, rows=tuple(rows))


def _opens_this_night(visit: Visit, leaves: datetime) -> bool:
    """Say whether a window would be part of the night's work if it were the next day's."""
    there = visit.arrival.tzinfo
    tomorrow = leaves.astimezone(there).date() + timedelta(days=1)
    return any(
        datetime.combine(
            tomorrow,
            time() if isinstance(window.start, UnsetType) else window.start.as_time(),
            there,
        )
        <= leaves.astimezone(UTC) + _LONGEST_WAIT
        for window in visit.stop.time_windows
    )


def _was_closed(visit: Visit, leaves: datetime) -> bool:
    """Say whether no window was open any more; a row with a date has no other day."""
    has_date = not isinstance(visit.stop.delivery_date, UnsetType)
    closed = visit.service_start.astimezone(UTC) - visit.late
    return bool(visit.late) and not has_date and closed <= leaves


def _first_hour(visit: Visit) -> int:
    """Return when the first window opens, or closes where it has no opening."""
    sides = (
        window.end if isinstance(window.start, UnsetType) else window.start
        for window in visit.stop.time_windows
    )
    return min(side.hours for side in sides if not isinstance(side, UnsetType))


def _why_far(stop: RouteStop, far: float, middle: Coordinates, given: PlanInput) -> str:
    others = "the other stops" if len(given.stops) > 1 else "the start"
    said = f"{_say_kilometers(far)} from {others}"
    location, match = stop.planned_coordinates, given.matches.get(stop.id)
    if match is not None:
        return f"{said}; its address was taken for {match.label}"
    if location.is_nowhere():
        return f"{said}; 0, 0 is what programs write for coordinates that they do not know"
    if _is_swapped(location, middle):
        return (
            f"{said}; latitude and longitude look swapped: "
            f"{location.longitude:g}, {location.latitude:g} would be near"
        )
    return said


def _is_swapped(location: Coordinates, near: Coordinates) -> bool:
    """Say whether a place would be near another if its longitude were its latitude."""
    if abs(location.longitude) > 90:
        return False
    swapped = Coordinates(latitude=location.longitude, longitude=location.latitude)
    return _kilometers([swapped], near)[0] <= _FAR_KILOMETERS


def _middle(locations: Sequence[Coordinates]) -> Coordinates:
    """Return the median place, which a few places far away do not move.

    Longitudes are counted from the first place's, so that Fiji lies on both sides of a meridian.
    """
    origin = locations[0].longitude
    east = median((location.longitude - origin + 180) % 360 - 180 for location in locations)
    return Coordinates(
        latitude=median(location.latitude for location in locations),
        longitude=(origin + east + 180) % 360 - 180,
    )


def _kilometers(locations: Sequence[Coordinates], middle: Coordinates) -> list[float]:
    return [float(far) for far in kilometers_between(locations, [middle])[:, 0]]


def _sameness(stop: RouteStop) -> Hashable:
    """Return what two rows share that are one stop; other times are another visit."""
    return (
        stop.order_name.casefold(),
        stop.client_stop_id,
        "" if isinstance(stop.address, UnsetType) else stop.address.one_line().casefold(),
        stop.planned_coordinates.latitude,
        stop.planned_coordinates.longitude,
        describe_windows(stop),
    )


def _days_at(visit: Visit) -> set[date]:
    """Waiting past midnight is part of a night's work, waiting for the next day is not."""
    waits_overnight = visit.waiting() > _LONGEST_WAIT
    return {
        visit.arrival.date(),
        (visit.arrival if waits_overnight else visit.service_start).date(),
    }


def _are(rows: Sequence[int]) -> str:
    return f"{say_rows(rows)} {'is' if len(rows) == 1 else 'are'}"


def _say_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _say_kilometers(far: float) -> str:
    return f"{round(far, -2 if far >= 1_000 else -1):,.0f} km"


_SHIFT = timedelta(hours=8)


def say_vans_needed(report: PlanReport, sheet: Path, said: Mapping[str, object]) -> list[str]:
    """Say how many vans the work of one route is for, where no driver does it in a shift.

    Waiting is no work: it is for two vans as long. `said` are the options to plan with again.
    """
    work = report.duration - report.waiting()
    vans = math.ceil(work / _SHIFT)
    if vans < 2 or _allows(report) or _is_out_of_reach(report):
        return []
    takes = f"this route takes {_say_hours(report.duration)} hours"
    if report.waiting():
        takes += f", {_say_hours(work)} without waiting"
    takes += f", the work of {vans} vans of eight hours"
    ends = report.start.at.astimezone(UTC) + _SHIFT
    late = [visit.row for visit in report.visits if _opens_after(visit, ends)]
    if late:
        rows = say_rows(sorted(late))
        return [f"{takes}; {rows} can be served only later, so give vans shifts: --vehicles FILE"]
    command = shlex.join(["roundsman", "plan", str(sheet), "--vehicles", str(vans)])
    return [f"{takes}: {command} {_spell(said)}"]


def _say_hours(span: timedelta) -> int:
    return round(span / timedelta(hours=1))


def _allows(report: PlanReport) -> bool:
    """Say whether somebody allowed the route to be as long as it is."""
    longest = report.route.max_duration
    return bool(longest) and report.duration.total_seconds() <= whole_seconds(longest)


def _is_out_of_reach(report: PlanReport) -> bool:
    """Say whether a stop is so far away that no van serves it in a shift."""
    locations = [visit.stop.planned_coordinates for visit in report.visits]
    return max(_kilometers(locations, report.start.coordinates)) > _FAR_KILOMETERS


def _opens_after(visit: Visit, latest: datetime) -> bool:
    """Say whether every window of a stop opens after vans of eight hours are done."""
    leaves = (latest - _SHIFT).astimezone(visit.arrival.tzinfo)
    day = visit.stop.delivery_date
    on = leaves.date() if isinstance(day, UnsetType) else day.as_date()
    opens = [
        time() if isinstance(window.start, UnsetType) else window.start.as_time()
        for window in visit.stop.time_windows
    ]
    return bool(opens) and datetime.combine(on, min(opens), visit.arrival.tzinfo) > latest


def _spell(said: Mapping[str, object]) -> str:
    """Return options as they are typed; those without a value are left out."""
    words: list[str] = []
    for option, value in said.items():
        if value is True:
            words.append(option)
        elif value:
            words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)
