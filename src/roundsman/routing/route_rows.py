"""A route as rows for a spreadsheet: one a stop, with everything that a planner knows of it."""

from collections.abc import Iterator
from datetime import datetime

from roundsman.domain.address import Address, Contact
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import name_of_driver
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import whole_seconds
from roundsman.routing.route_problem import zone_of

type Row = list[str | int | float | None]

HEADER = (
    "route", "position", "order", "name", "firstName", "lastName", "company", "phone", "email",
    "address1", "address2", "zip", "city", "provinceCode", "countryCode", "latitude", "longitude",
    "timeWindows", "deliveryDate", "plannedArrival", "updatedArrival", "status", "minutes",
    "item", "quantity", "grams", "kilograms", "priority", "note", "tasks", "proofNote",
    "attemptedReason", "attemptedNote", "driver", "vehicle", "clientStopId", "importedStopId",
    "stopId",
)  # fmt: skip


def rows_of_route(assigned: AssignedRoute) -> Iterator[Row]:
    """Yield a row for each stop, in driving order; times are those of the clocks where it is.

    `grams` are of one piece, as an import reads them, `kilograms` of all.
    """
    for position, stop in enumerate(assigned.route.stops, 1):
        yield [
            assigned.route.name,
            position,
            *_who(stop),
            *_where(stop),
            *_when(stop),
            *_what(stop),
            name_of_driver(assigned.driver),
            assigned.vehicle.name if assigned.vehicle else "",
            stop.client_stop_id,
            stop.imported_stop_id,
            stop.id,
        ]


def _who(stop: RouteStop) -> Row:
    contact = stop.contact if isinstance(stop.contact, Contact) else Contact()
    return [
        stop.order_name,
        name_of_stop(stop),
        contact.first_name,
        contact.last_name,
        contact.company,
        contact.phone,
        contact.email,
    ]


def _where(stop: RouteStop) -> Row:
    at = stop.planned_coordinates
    address = stop.address if isinstance(stop.address, Address) else Address()
    return [
        address.address1,
        address.address2,
        address.zip,
        address.city,
        address.province_code,
        address.country_code,
        at.latitude,
        at.longitude,
    ]


def _when(stop: RouteStop) -> Row:
    day = stop.delivery_date
    return [
        ", ".join(say_window(window) for window in stop.time_windows),
        day.as_date().isoformat() if isinstance(day, Date) else "",
        say_local_time(stop, stop.planned_arrival),
        say_local_time(stop, stop.updated_arrival),
        say_status(stop),
        None if isinstance(stop.duration, UnsetType) else whole_seconds(stop.duration) / 60,
    ]


def _what(stop: RouteStop) -> Row:
    return [
        _say_items(stop),
        stop.total_quantity() if stop.items else None,
        round(stop.total_grams() / max(1, stop.total_quantity())) if stop.items else None,
        stop.total_grams() / 1000 if stop.items else None,
        stop.priority,
        stop.note,
        ", ".join(task.title for task in stop.tasks),
        stop.proof_of_delivery_note,
        "" if not stop.attempted_reason.value or stop.attempted_reason.value == "UNKNOWN"
        else stop.attempted_reason.value,
        stop.attempted_note,
    ]  # fmt: skip


def _say_items(stop: RouteStop) -> str:
    """Return what is carried: of one kind its name, as an import reads it, of several how many."""
    names = [item.name or item.sku for item in stop.items]
    if len(names) == 1:
        return names[0]
    counts = (item.quantity for item in stop.items)
    return ", ".join(f"{count} × {name}" for count, name in zip(counts, names, strict=True))  # noqa: RUF001


def say_status(stop: RouteStop) -> str:
    """Return how far a stop has come, as the interface says it."""
    return stop.break_status.value if stop.type is StopType.BREAK else stop.delivery_status.value


def say_local_time(stop: RouteStop, time: datetime | UnsetType) -> str:
    """Return a time by the clocks of a stop, as 2030-05-06 08:30."""
    if isinstance(time, UnsetType):
        return ""
    return f"{time.astimezone(zone_of(stop.planned_coordinates)):%Y-%m-%d %H:%M}"


def say_window(window: TimeWindow) -> str:
    """Return a window as 08:00-10:00; an open side is empty."""
    return f"{_clock(window.start)}-{_clock(window.end)}"


def _clock(time: TimeOfDay | UnsetType) -> str:
    return f"{time.hours:02}:{time.minutes:02}" if isinstance(time, TimeOfDay) else ""
