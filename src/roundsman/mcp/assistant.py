"""What an assistant works with: whose day it is, and people's names for routes, stops, drivers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from roundsman.domain.day import Day, DayRoute
from roundsman.domain.driver import Driver, name_of_driver
from roundsman.domain.errors import FailedPrecondition, InvalidArgument, NotFound
from roundsman.domain.model import UnsetType
from roundsman.domain.queries import ListDrivers, ListVehicles
from roundsman.domain.search_text import fold_for_search
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.vehicle import Vehicle
from roundsman.mcp.answers import as_data
from roundsman.operations.days import find_day, read_day
from roundsman.operations.drivers import list_drivers
from roundsman.operations.organizations import get_organization
from roundsman.operations.paging import list_all
from roundsman.operations.request import Request
from roundsman.operations.stop_search import FoundStops, RoutedStop, search_stops
from roundsman.operations.tools import Tools
from roundsman.operations.vehicles import list_vehicles

_SHOWN_NAMES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Assistant:
    """The client of one request, and what its tools are handed."""

    tools: Tools
    request: Request
    zone: ZoneInfo

    @classmethod
    def of(cls, tools: Tools, request: Request) -> "Assistant":
        """Return the assistant of whoever asks."""
        zone = ZoneInfo(get_organization(tools.database, request.organization_id).timezone)
        return cls(tools=tools, request=request, zone=zone)

    @property
    def organization_id(self) -> str:
        """Return whose data it sees."""
        return self.request.organization_id

    def now(self) -> datetime:
        """Return the time by the organization's clocks."""
        return self.tools.clock.now().astimezone(self.zone)

    def day_named(self, text: str) -> str:
        """Return a day as YYYY-MM-DD; none, today and tomorrow are understood."""
        today = self.now().date()
        days: dict[str, date] = {
            "": today,
            "today": today,
            "tomorrow": today + timedelta(days=1),
        }
        found = days.get(text.strip().lower())
        return text.strip() if found is None else found.isoformat()

    def read(self, text: str) -> Day:
        """Return a day; raise InvalidArgument for what is none."""
        state = find_day(self.tools, self.organization_id, self.day_named(text))
        return read_day(self.tools, self.organization_id, state)

    def route_named(self, day: Day, text: str) -> DayRoute:
        """Return the one route of a day with this id, name, or driver."""
        wanted = fold_for_search(text)
        exact = [one for one in day.routes if one.id == text.strip()]
        named = [
            one
            for one in day.routes
            if wanted in {fold_for_search(one.name), fold_for_search(name_of_driver(one.driver))}
        ]
        partly = [one for one in day.routes if wanted and wanted in fold_for_search(one.name)]
        found = exact or named or partly
        what, known = f"route {text!r} on {day.date}", [one.name for one in day.routes]
        return _only(found, what, list(map(_say_route, found)), list(map(as_data, known)))

    def driver_named(self, text: str) -> Driver:
        """Return the one driver with this id or name."""
        drivers = list_all(
            lambda query: list_drivers(self.tools, self.organization_id, query),
            ListDrivers(limit=200),
        )
        wanted = fold_for_search(text)
        exact = [one for one in drivers if text.strip() == one.id or wanted == _fold_name(one)]
        found = exact or [one for one in drivers if wanted and wanted in _fold_name(one)]
        return _only(found, f"driver {text!r}", list(map(_say_driver, found)))

    def list_fleet(self) -> list[Vehicle]:
        """Return every vehicle that is not archived."""
        return list_all(
            lambda query: list_vehicles(self.tools, self.organization_id, query),
            ListVehicles(limit=200),
        )

    def search(self, text: str) -> FoundStops:
        """Return stops by id, or by a part of name, order, phone or e-mail, whole ones in front."""
        if not text.strip():
            raise InvalidArgument("text must say a part of a name, an order or a phone number")
        return search_stops(self.tools, self.organization_id, text.strip()).named_first(text)

    def stop_named(self, text: str) -> RoutedStop:
        """Return the one stop on a route with this id, or that this text finds."""
        found = self.search(text).named(text)
        if not found.routed and found.unrouted:
            raise FailedPrecondition(
                f"{text!r} is on no route yet; propose_plan puts stops on routes"
            )
        open_ones = [one for one in found.routed if not one.stop.is_done()] or found.routed
        return _only(open_ones, f"stop {text!r}", list(map(_say_stop, open_ones)))


def _say_stop(one: RoutedStop) -> str:
    """Say which stop it is, as people tell stops apart: order, name, street, route."""
    stop, name = one.stop, name_of_stop(one.stop)
    order = stop.order_name if stop.order_name != name else ""
    street = "" if isinstance(stop.address, UnsetType) else stop.address.address1
    known = ", ".join(filter(None, (order, name, street if street != name else "")))
    return f"{as_data(known)} on route {as_data(one.on.route.name)} ({stop.id})"


def _say_route(route: DayRoute) -> str:
    driver = as_data(name_of_driver(route.driver))
    return " ".join(filter(None, (as_data(route.name), driver, f"({route.id})")))


def _say_driver(driver: Driver) -> str:
    return f"{as_data(name_of_driver(driver))} ({driver.id})"


def _fold_name(driver: Driver) -> str:
    return fold_for_search(name_of_driver(driver))


def _only[T](found: Sequence[T], what: str, names: Sequence[str], known: Sequence[str] = ()) -> T:
    """Return the one that was found; else say what there is, or between which to choose.

    `names` and `known` have what somebody typed marked as data.
    """
    if not found:
        there_are = f"; there are {_enumerate(known)}" if known else ""
        raise NotFound(f"{what} not found{there_are}")
    if len(found) > 1:
        shown = _enumerate(names)
        raise InvalidArgument(f"{what} is not clear: it could be {shown}; give an id")
    return found[0]


def _enumerate(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN_NAMES} others" if len(names) > _SHOWN_NAMES else ""
    return ", ".join(names[:_SHOWN_NAMES]) + more
