"""A day in one answer: its routes with their stops in columns, and what is on no route yet."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from msgspec import field

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.driver import RouteDriver
from roundsman.domain.geocoding import MatchLevel
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.time_window import TimeWindow
from roundsman.domain.vehicle import Vehicle
from roundsman.kit.durations import Duration

MOST_UNROUTED_SHOWN = 2_000
"""Of what is on no route; all of it is counted."""

_COLORS = (
    "#1f77b4",
    "#d1495b",
    "#2a9d55",
    "#8e5bb5",
    "#c7731b",
    "#17869c",
    "#b0417f",
    "#6b7a1e",
    "#5a6acf",
    "#8a5a44",
)
"""Dark enough for white numbers on them, and told apart on a map."""


class RouteColors:
    """The colors of a day's routes: no two are alike while one is free."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()

    def take(self, number: int) -> str:
        """Return the color that a route has by its number, or the next one that fewer have."""
        at = number % len(_COLORS)
        color = min((*_COLORS[at:], *_COLORS[:at]), key=self._used.__getitem__)
        self._used[color] += 1
        return color

    def take_next(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the colors of routes that are made next."""
        return tuple(self.take(number) for number in numbers)


ROUTE_COLOR_COUNT = len(_COLORS)


class StopColumns(Model):
    """The stops of a route in driving order, one list a property; all lists are equally long."""

    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    """The delivery status, or of a break its break status."""

    latitudes: tuple[float, ...] = ()
    longitudes: tuple[float, ...] = ()
    planned_arrivals: tuple[datetime | None, ...] = ()
    updated_arrivals: tuple[datetime | None, ...] = ()
    late: tuple[bool, ...] = ()
    """Whether a stop was served after its last time window, or is now expected to be."""

    match_types: tuple[MatchLevel | None, ...] = ()
    """What of its address was found."""


class DayRoute(Model):
    """A route as a day shows it."""

    id: str
    name: str
    color: str
    driver: RouteDriver | UnsetType = UNSET
    vehicle: Vehicle | UnsetType = UNSET
    status: RouteStatus
    start: Coordinates
    end: Coordinates | UnsetType = UNSET
    """Where it ends, unless with its last stop."""

    scheduled_for: datetime | UnsetType = UNSET
    updated_start: datetime | UnsetType = UNSET
    """When it left, or before that, when it leaves."""

    dispatched_until: datetime | UnsetType = UNSET
    planned_end: datetime | UnsetType = UNSET
    expected_end: datetime | UnsetType = UNSET
    late: int = 0
    """How many of its stops are late."""

    lateness: dict[str, Duration] = field(default_factory=dict)
    """By how much each of its late stops is late, by the stop's id."""

    estimated: bool = False
    """Whether times of it rest on straight lines, for want of roads."""

    stops: StopColumns


class UnroutedStop(Model):
    """An imported stop, or an order of a storefront, that is on no route."""

    imported_stop_id: str | UnsetType = UNSET
    store_order_id: str | UnsetType = UNSET
    name: str = ""
    address: Address | UnsetType = UNSET
    latitude: float | UnsetType = UNSET
    longitude: float | UnsetType = UNSET
    time_windows: tuple[TimeWindow, ...] = ()
    duration: Duration | UnsetType = UNSET
    undated: bool = False
    """Whether it names no day of its own, and is shown because this is today."""

    match_type: MatchLevel | UnsetType = UNSET


class UnroutedStops(Model):
    """What is on no route: how much, and the first of it."""

    count: int = 0
    stops: tuple[UnroutedStop, ...] = ()


class RouteMatch(Model):
    """A route that was searched for, and which of its stops were."""

    id: str
    stop_ids: tuple[str, ...] = ()
    """None where the text is in the name of the route alone."""


class DayMatches(Model):
    """What of a day has a text in it."""

    routes: tuple[RouteMatch, ...] = ()
    unrouted_ids: tuple[str, ...] = ()
    """What is on no route, by the ids of imported stops and store orders."""


class Day(Model):
    """The routes of a day by the clocks of the organization, and what is still to be routed."""

    date: str
    timezone: str
    routes: tuple[DayRoute, ...] = ()
    next_colors: tuple[str, ...] = ()
    """The colors of the routes that are made next on this day, the first one's first."""

    unrouted: UnroutedStops
    version: int = 0
    """The number of the last change that is in here; changes follow after it."""
