"""Tools that look and change nothing."""

from collections import Counter
from typing import Annotated, Any

from msgspec import Meta

from roundsman.domain.day import Day, DayRoute, UnroutedStop
from roundsman.domain.driver import name_of_driver
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.insertion import StopReference, StopWishes
from roundsman.domain.model import Model, UnsetType
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.route_stop import DeliveryStatus
from roundsman.domain.stop_name import name_of_stop
from roundsman.mcp.answers import as_data, as_local, write_answer, write_rows
from roundsman.mcp.assistant import Assistant
from roundsman.operations.insertions import find_insertions
from roundsman.operations.route_reading import get_explanation
from roundsman.operations.stop_search import RoutedStop
from roundsman.routing.route_rows import say_window

_MOST_PLACES = 8
_DONE = {DeliveryStatus.DELIVERED, DeliveryStatus.ATTEMPTED_DELIVERY, "COMPLETED"}


type Start = Annotated[int, Meta(ge=0)]
"""How many rows to leave out."""


class OfDay(Model):
    """Which day, and behind how many rows to go on."""

    date: str = ""
    start: Start = 0


class OfText(Model):
    """What to look for, and behind how many rows to go on."""

    text: str
    start: Start = 0


class OfStop(Model):
    """Which stop."""

    stop: str


def day_overview(assistant: Assistant, wanted: OfDay) -> str:
    """Return the routes of a day, those in trouble first."""
    day = assistant.read(wanted.date)
    routes = sorted(day.routes, key=lambda one: (-one.late, _ORDER[one.status], one.name))
    statuses = Counter(status for one in routes for status in one.stops.statuses)
    head = {
        "date": day.date,
        "now": as_local(assistant.now(), assistant.zone, day.date),
        "timezone": day.timezone,
        "routes": len(routes),
        "byStatus": dict(Counter(str(one.status) for one in routes)),
        "stops": dict(statuses),
        "late": sum(one.late for one in routes),
        "unrouted": day.unrouted.count,
    }
    rows = [_show_route(assistant, day, one) for one in routes]
    return write_rows(head, "worstFirst", rows, wanted.start)


_ORDER = {
    RouteStatus.STARTED: 0,
    RouteStatus.READY: 1,
    RouteStatus.UNSTARTED: 2,
    RouteStatus.COMPLETED: 3,
}


def _show_route(assistant: Assistant, day: Day, route: DayRoute) -> dict[str, Any]:
    done = sum(status in _DONE for status in route.stops.statuses)
    return {
        "route": as_data(route.name),
        "id": route.id,
        "driver": as_data(name_of_driver(route.driver)),
        "status": str(route.status),
        "done": f"{done}/{len(route.stops.ids)}",
        "late": route.late or None,
        **show_times(assistant, day, route),
    }


def show_times(assistant: Assistant, day: Day, route: DayRoute) -> dict[str, str]:
    """Return when a route leaves, or when it left, and when it is expected to end."""
    has_left = route.status in {RouteStatus.STARTED, RouteStatus.COMPLETED}
    departure = route.updated_start or route.scheduled_for
    return {
        "left" if has_left else "leaves": as_local(departure, assistant.zone, day.date),
        "ends": as_local(route.expected_end, assistant.zone, day.date),
    }


def find_stop(assistant: Assistant, wanted: OfText) -> str:
    """Return stops with a text in name, company, order, phone or e-mail."""
    found = assistant.search(wanted.text)
    rows = [
        *(_show_stop(assistant, one) for one in found.routed),
        *(_show_imported(one) for one in found.unrouted),
    ]
    head = {"now": as_local(assistant.now(), assistant.zone), "found": len(rows)}
    return write_rows(head, "stops", rows, wanted.start)


def who_has(assistant: Assistant, wanted: OfText) -> str:
    """Return who drives stops that a text finds, how to reach them, and where they were last."""
    found = assistant.search(wanted.text)
    rows = [{**_show_stop(assistant, one), **_show_crew(assistant, one)} for one in found.routed]
    head = {
        "now": as_local(assistant.now(), assistant.zone),
        "found": len(rows),
        "onNoRoute": len(found.unrouted) or None,
    }
    return write_rows(head, "stops", rows, wanted.start)


def explain_stop(assistant: Assistant, wanted: OfStop) -> str:
    """Return why a stop is reached when it is; off routes, where it would fit today."""
    found = assistant.search(wanted.stop).named(wanted.stop)
    if not found.routed and len(found.unrouted) == 1:
        return _explain_unrouted(assistant, found.unrouted[0])
    one = assistant.stop_named(wanted.stop)
    why = get_explanation(
        assistant.tools, assistant.organization_id, one.on.route.id, one.stop.id
    ).shown
    slack = why.slack_seconds
    return write_answer(
        {
            **_show_stop(assistant, one),
            "windows": [say_window(window) for window in one.stop.time_windows],
            "delayMinutes": round(why.delay_seconds / 60),
            "latenessMinutes": round(why.lateness_seconds / 60),
            "slackMinutes": None if isinstance(slack, UnsetType) else slack // 60,
            "note": as_data(one.stop.note),
            "why": as_data(why.sentence),
        }
    )


def _explain_unrouted(assistant: Assistant, stop: ImportedStop) -> str:
    day = assistant.read("")
    routes = [one.id for one in day.routes if one.status is not RouteStatus.COMPLETED]
    names = {one.id: one.name for one in day.routes}
    wanted = [(StopReference(imported_stop_id=stop.id), StopWishes())]
    (found,) = find_insertions(assistant.tools, assistant.organization_id, wanted, routes)
    places = [
        {
            "route": as_data(names[place.route_id]),
            "id": place.route_id,
            "index": place.index,
            "extraMinutes": round(place.extra_travel_seconds / 60),
            "extraLatenessMinutes": round(place.extra_lateness_seconds / 60),
            "arrival": as_local(place.planned_arrival, assistant.zone, day.date),
            "breaks": [as_data(broken.description) for broken in place.violations[:2]],
        }
        for place in found.places[:_MOST_PLACES]
    ]
    head = {**_show_imported(stop), "why": "it is on no route", "date": day.date}
    return write_rows(head, "placesOnRoutesOfToday", places)


def list_unrouted(assistant: Assistant, wanted: OfDay) -> str:
    """Return what is to be delivered on a day and is on no route."""
    day = assistant.read(wanted.date)
    rows = [_show_waiting(one) for one in day.unrouted.stops]
    head = {"date": day.date, "timezone": day.timezone, "count": day.unrouted.count}
    return write_rows(head, "stops", rows, wanted.start)


def _show_stop(assistant: Assistant, one: RoutedStop) -> dict[str, Any]:
    stop, route = one.stop, one.on.route
    return {
        "stop": stop.id,
        "name": as_data(name_of_stop(stop)),
        "order": as_data(stop.order_name),
        "address": "" if isinstance(stop.address, UnsetType) else as_data(stop.address.one_line()),
        "status": str(stop.delivery_status),
        "planned": as_local(stop.planned_arrival, assistant.zone),
        "expected": as_local(stop.updated_arrival, assistant.zone),
        "route": as_data(route.name),
        "routeId": route.id,
        "place": f"{one.index + 1} of {len(route.stops)}",
        "driver": as_data(name_of_driver(one.on.driver)),
    }


def _show_crew(assistant: Assistant, one: RoutedStop) -> dict[str, Any]:
    driver, vehicle, fix = one.on.driver, one.on.vehicle, one.on.route.last_fix
    return {
        "driver": as_data(name_of_driver(driver)) or "nobody",
        "phone": as_data(driver.phone) if driver else "",
        "vehicle": as_data(vehicle.name) if vehicle else "",
        "lastSeen": "" if isinstance(fix, UnsetType) else as_local(fix.at, assistant.zone),
    }


def _show_imported(stop: ImportedStop) -> dict[str, Any]:
    return {
        "importedStop": stop.id,
        "name": as_data(name_of_stop(stop)),
        "order": as_data(stop.order_name),
        "address": "" if isinstance(stop.address, UnsetType) else as_data(stop.address.one_line()),
        "windows": [say_window(window) for window in stop.time_windows],
        "status": "not found on a route",
    }


def _show_waiting(stop: UnroutedStop) -> dict[str, Any]:
    return {
        "id": stop.imported_stop_id or stop.store_order_id,
        "name": as_data(stop.name),
        "address": "" if isinstance(stop.address, UnsetType) else as_data(stop.address.one_line()),
        "windows": [say_window(window) for window in stop.time_windows],
        "undated": stop.undated or None,
    }
