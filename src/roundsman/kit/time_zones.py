"""The time zone of a point on earth, wall clock times in it, and the country whose zone it is."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzfpy


def zone_at(*, latitude: float, longitude: float) -> tzinfo:
    """Return the zone whose clocks hang there; UTC where nobody hangs any."""
    return _zone(tzfpy.get_tz(longitude, latitude))


@cache
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def country_at(*, latitude: float, longitude: float) -> str:
    """Return the ISO code of the country whose clocks hang there; empty at sea."""
    return country_of_zone(tzfpy.get_tz(longitude, latitude))


def country_of_zone(name: str) -> str:
    """Return the ISO code of the country with this time zone; empty for UTC and aliases."""
    return _countries().get(name, "")


@cache
def _countries() -> dict[str, str]:
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line[:1] not in {"", "#"})
    return {zone: country for country, _, zone, *_ in rows}


def wall_clock(local: datetime, zone: tzinfo, *, latest: bool) -> datetime:
    """Return the moment when clocks in `zone` show a naive `local` time.

    A time that clocks show twice is the first, or the second when `latest`. One that they skip is
    the moment as far after the jump (PEP 495).
    """
    return local.replace(tzinfo=zone, fold=int(latest)).astimezone(UTC)


def say_clock_times(start: datetime, end: datetime, zone: tzinfo | None) -> tuple[str, str]:
    """Return what clocks in a zone show at both ends of a window.

    Where they show one of the times twice they are named: 01:45 EDT to 01:15 EST is half an hour.
    """
    local_start, local_end = start.astimezone(zone), end.astimezone(zone)
    is_clear = not (_is_shown_twice(local_start) or _is_shown_twice(local_end))
    form = "%H:%M" if is_clear else "%H:%M %Z"
    return f"{local_start:{form}}", f"{local_end:{form}}"


def _is_shown_twice(local: datetime) -> bool:
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def elapsed(since: datetime, until: datetime) -> timedelta:
    """Return how much time passes between two moments.

    Python subtracts two local times of one zone as their clocks show them, which is an hour off
    when the clocks have been changed in between.
    """
    return until.astimezone(UTC) - since.astimezone(UTC)


def require_even_time(instant: datetime) -> datetime:
    """Return a moment that seconds may be added to; raise ValueError for a local time.

    What is added to a time of a zone with summer time is added to its clock, and the answer is an
    hour off beyond a change of the clocks.
    """
    if isinstance(instant.tzinfo, ZoneInfo):
        raise ValueError(  # noqa: TRY004 -- of the value, not of its type
            f"{instant!r} is a local time; convert it to UTC where it comes in"
        )
    return instant
