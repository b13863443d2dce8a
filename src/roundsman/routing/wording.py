"""How times, durations, weights and stops are named to a planner, on the clocks where they are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from roundsman.domain.address import Coordinates
from roundsman.domain.loads import ITEMS, KILOGRAMS
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.routing.route_problem import zone_of

GRAMS_PER_KILOGRAM = 1_000
_KILOMETRE = 1_000


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of the interface; another door may have other names for the same things."""

    def stop(self, stop: RouteStop) -> str:
        """Return how to call a stop: as people do, else as the client does."""
        named = name_of_stop(stop) or stop.client_stop_id
        return f'"{named}"' if named else stop.id

    def may_widen(self, stop: RouteStop) -> bool:
        """Say whether the windows of a stop can be changed: of one that was imported."""
        return bool(stop.imported_stop_id)


def describe_duration(seconds: int) -> str:
    """Return a length of time: seconds below a minute, else hours and minutes, never rounded down.

    Whoever is told "12 min late" and mends 12 minutes is not late.
    """
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(-(-seconds // 60), 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"


def describe_slack(seconds: int) -> str:
    """Return a length of time that may still be used, never rounded up: more would be late."""
    return describe_duration(seconds if seconds < 60 else seconds // 60 * 60)


def share_minutes(seconds: Sequence[int], total: int) -> list[int]:
    """Return parts in whole minutes that add up to a total, by largest remainders.

    The total is less than a minute off the sum of the parts.
    """
    minutes = [part // 60 for part in seconds]
    missing = total - sum(minutes)
    order = sorted(range(len(minutes)), key=lambda index: -(seconds[index] % 60))
    if missing < 0:  # of the longest part, which changes least by it
        order = sorted(range(len(minutes)), key=lambda index: -abs(seconds[index]))
    for index in order[: abs(missing)]:
        minutes[index] += 1 if missing > 0 else -1
    return minutes


def describe_weight(grams: int) -> str:
    """Return a weight in kilograms."""
    return f"{grams / GRAMS_PER_KILOGRAM:g}"


def describe_load(amount: float, name: str) -> str:
    """Return so much of a load; names other than the usual two are a client's own."""
    unit = {KILOGRAMS: "kg", ITEMS: "item" if amount == 1 else "items"}.get(name, name)
    return f"{amount:g} {unit}"


def describe_distance(metres: float) -> str:
    """Return a distance that is lacking, never rounded down: metres below a kilometre."""
    if metres < _KILOMETRE:
        return f"{metres:g} m"
    return f"{math.ceil(metres / 100) / 10:,} km".replace(".0 km", " km")


def describe_window(window: TimeWindow) -> str:
    """Return a time window as one would write it."""
    if isinstance(window.start, UnsetType) and isinstance(window.end, UnsetType):
        return "any time"
    if isinstance(window.start, UnsetType):
        return f"until {_bound(window.end)}"
    if isinstance(window.end, UnsetType):
        return f"from {_bound(window.start)}"
    return f"{_bound(window.start)}\N{EN DASH}{_bound(window.end)}"


def describe_windows(stop: RouteStop) -> str:
    """Return all windows of a stop, and their day when it is a chosen one."""
    windows = ", ".join(describe_window(window) for window in stop.time_windows)
    if isinstance(stop.delivery_date, UnsetType):
        return windows
    return f"{windows} on {stop.delivery_date.as_date().isoformat()}"


def describe_time(instant: datetime, location: Coordinates, since: datetime) -> str:
    """Return the time on the clocks at a place, with the day when it is not that of `since`."""
    zone = zone_of(location)
    local = instant.astimezone(zone)
    clock = f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
    same_day = local.date() == since.astimezone(zone).date()
    return clock if same_day else f"{clock} on {local.date().isoformat()}"


def floor_to_minute(instant: datetime) -> datetime:
    """Return the last full minute."""
    return instant - timedelta(seconds=instant.second, microseconds=instant.microsecond)


def ceil_to_second(instant: datetime) -> datetime:
    """Return the next full second, or the instant where it is one."""
    return instant + timedelta(microseconds=-instant.microsecond % 1_000_000)


def _bound(bound: TimeOfDay | UnsetType) -> str:
    if isinstance(bound, UnsetType):
        return ""
    seconds = f":{bound.seconds:02d}" if bound.seconds else ""
    return f"{bound.hours}:{bound.minutes:02d}{seconds}"
