"""A day in one answer, and the tag by which a client knows whether anything of it has changed.

The tag is found without reading a route: by the number of the organization's last change, and by
what changes without one. So a day that a client has already costs a few small queries.
"""

import hashlib
from collections.abc import Container
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.day import (
    MOST_UNROUTED_SHOWN,
    ROUTE_COLOR_COUNT,
    Day,
    DayMatches,
    DayRoute,
    RouteColors,
    RouteMatch,
    StopColumns,
    UnroutedStop,
    UnroutedStops,
)
from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.geocoding import Geocoding, MatchLevel
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.planned_days import parse_planned_day
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_status import derive_status
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.search_text import (
    day_text_of_order,
    day_text_of_stop,
    fold_for_search,
    is_found,
    spellings_of_search,
)
from roundsman.domain.stop_name import name_of_order, name_of_stop
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import StoreOrder
from roundsman.kit.durations import Duration
from roundsman.kit.time_zones import wall_clock
from roundsman.operations.tools import Tools
from roundsman.routing.timing import lateness_of
from roundsman.storage.changes import latest_number
from roundsman.storage.database import Transaction
from roundsman.storage.days import (
    DaySpan,
    find_last_order_change,
    list_routes_of_day,
    list_unrouted_orders,
    list_unrouted_stops,
    sum_live_revisions,
)
from roundsman.storage.organizations import find_organization, read_routes_counted

_DECIMALS = 5
"""Of a degree: a metre."""


@dataclass(frozen=True, slots=True)
class DayState:
    """Which day it is, and what its answer depends on."""

    span: DaySpan
    timezone: str
    version: int
    tag: str


def find_day(tools: Tools, organization_id: str, text: str) -> DayState:
    """Return a day's version and tag without reading its routes; raise InvalidArgument."""
    wanted = _parse_date(text)
    with tools.database.reading() as tx:
        # First, so that no change is missed by whoever follows from here.
        version = latest_number(tx, organization_id)
        organization = find_organization(tx, organization_id)
        if organization is None:
            raise NotFound("organization not found")
        span = _span_of(wanted, ZoneInfo(organization.timezone), tools.clock.now())
        live = _live_part(tx, organization_id, organization.timezone, span)
    return DayState(span, organization.timezone, version, f"{version}.{live}")


def _parse_date(text: str) -> date:
    try:
        return parse_planned_day(text)
    except ValueError as error:
        violation = FieldViolation(field="date", description=str(error))
        raise InvalidArgument(f"date {error}", [violation]) from error


def _span_of(wanted: date, zone: ZoneInfo, now: datetime) -> DaySpan:
    """Return from which midnight to which a day lasts: 23 or 25 hours, where clocks change."""
    starting, ending = (
        wall_clock(datetime.combine(day, time()), zone, latest=False)
        for day in (wanted, wanted + timedelta(days=1))
    )
    return DaySpan(
        date=wanted.isoformat(),
        starting=starting,
        ending=ending,
        is_today=starting <= now < ending,
    )


def _live_part(tx: Transaction, organization_id: str, timezone: str, span: DaySpan) -> str:
    """Return a digest of what is shown and is in no log of changes."""
    shown = [
        organization_id,
        timezone,
        span.date,
        str(span.is_today),  # stops without a date are today's
        str(sum_live_revisions(tx, organization_id, span)),
        str(find_last_order_change(tx, organization_id)),
    ]
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()[:12]


def read_day(tools: Tools, organization_id: str, state: DayState) -> Day:
    """Return a day: what there is now, which may be newer than the version that was found."""
    span = state.span
    with tools.database.reading() as tx:
        found = list_routes_of_day(tx, organization_id, span)
        stops = list_unrouted_stops(tx, organization_id, span, MOST_UNROUTED_SHOWN)
        orders = list_unrouted_orders(tx, organization_id, span, MOST_UNROUTED_SHOWN)
        following = read_routes_counted(tx, organization_id) + 1
    colors = RouteColors()
    shown = [*map(_show_stop, stops.shown), *map(_show_order, orders.shown)]
    return Day(
        date=span.date,
        timezone=state.timezone,
        routes=tuple(_show_route(one, colors.take(one.route.number)) for one in found),
        next_colors=colors.take_next(range(following, following + ROUTE_COLOR_COUNT)),
        unrouted=UnroutedStops(
            count=stops.count + orders.count, stops=tuple(shown[:MOST_UNROUTED_SHOWN])
        ),
        version=state.version,
    )


def search_day(tools: Tools, organization_id: str, text: str, sought: str) -> DayMatches:
    """Return what of a day has a text in a name, company, order, phone, e-mail or address."""
    span = find_day(tools, organization_id, text).span
    wanted = spellings_of_search(sought)
    if not wanted:
        return DayMatches()
    with tools.database.reading() as tx:
        found = list_routes_of_day(tx, organization_id, span)
        stops = list_unrouted_stops(tx, organization_id, span, MOST_UNROUTED_SHOWN)
        orders = list_unrouted_orders(tx, organization_id, span, MOST_UNROUTED_SHOWN)
    return DayMatches(
        routes=tuple(match for one in found if (match := _match_route(one.route, wanted))),
        unrouted_ids=(
            *(stop.id for stop in stops.shown if is_found(wanted, day_text_of_stop(stop))),
            *(order.id for order in orders.shown if is_found(wanted, day_text_of_order(order))),
        ),
    )


def _match_route(route: Route, wanted: tuple[str, ...]) -> RouteMatch | None:
    stops = tuple(stop.id for stop in route.stops if is_found(wanted, day_text_of_stop(stop)))
    if stops or is_found(wanted, fold_for_search(route.name)):
        return RouteMatch(id=route.id, stop_ids=stops)
    return None


def _show_route(assigned: AssignedRoute, color: str) -> DayRoute:
    route = assigned.route
    lateness = _lateness_of(route)
    columns = _columns_of(route, lateness)
    return DayRoute(
        id=route.id,
        name=route.name,
        color=color,
        driver=assigned.driver.as_shown_on_route() if assigned.driver else UNSET,
        vehicle=assigned.vehicle or UNSET,
        status=derive_status(route),
        start=_rounded(route.start.coordinates),
        end=_rounded(route.end.coordinates) if isinstance(route.end, RouteEnd) else UNSET,
        scheduled_for=route.scheduled_for,
        updated_start=route.start.updated_start,
        dispatched_until=route.dispatched_until,
        planned_end=route.planned_end(),
        expected_end=_expected_end(route),
        late=len(lateness),
        lateness=lateness,
        estimated=route.has_estimates,
        stops=columns,
    )


def _rounded(at: Coordinates) -> Coordinates:
    return Coordinates(
        latitude=round(at.latitude, _DECIMALS), longitude=round(at.longitude, _DECIMALS)
    )


def _lateness_of(route: Route) -> dict[str, Duration]:
    departs = route.departure()
    known = ((stop.id, lateness_of(stop, departs)) for stop in route.stops)
    return {id_: late for id_, late in known if late}


def _columns_of(route: Route, lateness: Container[str]) -> StopColumns:
    stops = route.stops
    return StopColumns(
        ids=tuple(stop.id for stop in stops),
        names=tuple(name_of_stop(stop) for stop in stops),
        statuses=tuple(_status_of(stop) for stop in stops),
        latitudes=tuple(round(stop.planned_coordinates.latitude, _DECIMALS) for stop in stops),
        longitudes=tuple(round(stop.planned_coordinates.longitude, _DECIMALS) for stop in stops),
        planned_arrivals=tuple(stop.planned_arrival or None for stop in stops),
        updated_arrivals=tuple(stop.updated_arrival or None for stop in stops),
        late=tuple(stop.id in lateness for stop in stops),
        match_types=tuple(
            stop.geocoding.match_type if isinstance(stop.geocoding, Geocoding) else None
            for stop in stops
        ),
    )


def _status_of(stop: RouteStop) -> str:
    return str(stop.break_status if stop.type is StopType.BREAK else stop.delivery_status)


def _expected_end(route: Route) -> datetime | UnsetType:
    """Return the arrival at the end as known now, or the last one at a stop."""
    if isinstance(route.end, RouteEnd):
        return route.end.updated_arrival or route.end.planned_arrival
    known = [stop.updated_arrival or stop.planned_arrival for stop in route.stops]
    return max((one for one in known if isinstance(one, datetime)), default=UNSET)


def _show_stop(stop: ImportedStop) -> UnroutedStop:
    place = stop.coordinates if isinstance(stop.coordinates, Coordinates) else None
    return UnroutedStop(
        imported_stop_id=stop.id,
        name=name_of_stop(stop),
        address=stop.address,
        latitude=round(place.latitude, _DECIMALS) if place else UNSET,
        longitude=round(place.longitude, _DECIMALS) if place else UNSET,
        time_windows=stop.time_windows,
        duration=stop.duration,
        undated=isinstance(stop.delivery_date, UnsetType),
        match_type=stop.geocoding.match_type if isinstance(stop.geocoding, Geocoding) else UNSET,
    )


def _show_order(order: StoreOrder) -> UnroutedStop:
    place = order.coordinates if isinstance(order.coordinates, Coordinates) else None
    return UnroutedStop(
        store_order_id=order.id,
        name=name_of_order(order),
        address=order.address,
        latitude=round(place.latitude, _DECIMALS) if place else UNSET,
        longitude=round(place.longitude, _DECIMALS) if place else UNSET,
        time_windows=order.time_windows,
        duration=order.duration,
        undated=isinstance(order.delivery_date, UnsetType),
        match_type=MatchLevel.GIVEN if place else UNSET,
    )
