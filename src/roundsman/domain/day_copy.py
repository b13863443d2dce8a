"""Regular rounds: the routes of a day, made once more for another day.

What a planner said of a route is copied, and nothing of what happened on it. Clocks count: who left
at eight leaves at eight, though the clocks have changed in between.
"""

from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.loads import Loads, Skills
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.planned_days import nearest_planned_day, nearest_planned_instant
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_correction import own_tasks
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date
from roundsman.kit.time_zones import wall_clock

MOST_COPIED_ROUTES = 200
MOST_COPIED_STOPS = 5_000
"""In one request; a plan has no more of either."""

USUAL_DEPARTURE = time(8)
"""Of a route without a schedule: its copy would be a route of the day on which it is made."""


class CopyWarningType(StrEnum):
    """What of a route could not be copied as it was."""

    VEHICLE_LEFT_OUT = "VEHICLE_LEFT_OUT"
    DRIVER_LEFT_OUT = "DRIVER_LEFT_OUT"
    ORDERS_LEFT_OUT = "ORDERS_LEFT_OUT"
    DEPARTURE_ASSUMED = "DEPARTURE_ASSUMED"


class CopyWarning(Model):
    """Something of a route that is not on its copy as it was."""

    type: CopyWarningType
    """What could not be copied."""

    route_id: str
    """The new route."""

    subject: str = ""
    """The vehicle or driver that was left out, by its id."""

    count: int = 0
    """How many stops were left out."""

    message: str
    """The same in words."""


class CopiedRoute(Model):
    """A new route, and which one it is a copy of."""

    id: str
    """Of the new route."""

    name: str
    """What people call it."""

    copied_from: str
    """The route of the other day."""

    stop_count: int = 0
    """How many stops it has."""

    etag: str = ""
    """Its `ETag`: `DELETE /routes/{routeId}` with it as `If-Match` takes back an untouched copy."""


class DayCopy(Model):
    """Which routes a day got from another one."""

    date: str
    """The day that has them now."""

    routes: tuple[CopiedRoute, ...] = ()
    """The new routes, in the order of those that they were copied from."""

    warnings: tuple[CopyWarning, ...] = ()
    """What could not be copied as it was; empty when all was."""


def is_named_by_number(route: Route) -> bool:
    """Say whether a route has no name of its own."""
    return route.name == f"#{route.number}"


def is_of_shop(stop: RouteStop) -> bool:
    """Say whether a stop delivers a shop's order, which is delivered once."""
    return bool(stop.store_order_id)


def is_importable(stop: RouteStop) -> bool:
    """Say whether a stop was imported, and so can be changed; breaks and reloads were not."""
    return bool(stop.imported_stop_id) and stop.type is not StopType.BREAK


def pool_stop_of(
    stop: RouteStop, id_: str, route: Route, days: int, at: datetime, origin: ImportedStop | None
) -> ImportedStop:
    """Return what the copy of a stop is made of: as the stop stands on its route, edits included.

    Client's own ids are unique, so the copy has none. `origin` is what the stop was made of, if
    that is still there: it alone knows the loads and skills. The stop itself knows what was copied
    first, by which an erasure finds copies of copies though those between are gone.
    """
    loads, skills = _needs_of(origin)
    return ImportedStop(
        id=id_,
        imported_at=at,
        address=stop.address,
        contact=stop.contact,
        coordinates=stop.planned_coordinates,
        geocoding=stop.geocoding,
        items=stop.items,
        note=stop.note,
        duration=stop.duration,
        priority=stop.priority,
        order_name=stop.order_name,
        time_windows=stop.time_windows,
        delivery_date=shift_date(stop.delivery_date, days),
        attributes=stop.attributes,
        tags=stop.tags,
        tasks=own_tasks(stop, route.stop_tasks),
        type=stop.type,
        custom_signature_disclosure=stop.custom_signature_disclosure,
        order_reference_url=stop.order_reference_url,
        loads=loads,
        required_skills=skills,
        copied_from=stop.copied_from or stop.imported_stop_id,
    )


def _needs_of(origin: ImportedStop | None) -> tuple[Loads | UnsetType, Skills]:
    return (UNSET, ()) if origin is None else (origin.loads, origin.required_skills)


def shift_date(at: Date | UnsetType, days: int) -> Date | UnsetType:
    """Return a day so many days later, or the nearest that can be planned."""
    if isinstance(at, UnsetType):
        return UNSET
    later = nearest_planned_day(at.as_planned() + timedelta(days=days))
    return Date(year=later.year, month=later.month, day=later.day)


def departure_of_copy(route: Route, days: int, day: date, zone: tzinfo) -> datetime:
    """Return when a copy leaves: as its route did by the clocks of `zone`, so many days later.

    The copy of a route without a schedule leaves at the usual time of its `day`.
    """
    if isinstance(route.scheduled_for, UnsetType):
        return wall_clock(datetime.combine(day, USUAL_DEPARTURE), zone, latest=False)
    local = route.scheduled_for.astimezone(zone)
    later = local.replace(tzinfo=None) + timedelta(days=days)
    return nearest_planned_instant(wall_clock(later, zone, latest=bool(local.fold)))
