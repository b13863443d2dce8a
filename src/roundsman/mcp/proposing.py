"""Tools that propose a change, show it again, and have it made.

Nothing changes before `apply`, and then what was shown, or nothing (decisions §19).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from roundsman.domain.day import Day, DayRoute
from roundsman.domain.driver import name_of_driver
from roundsman.domain.errors import FailedPrecondition, InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.insertion import Insertion, StopReference, StopWishes
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan_draft import (
    PlanDraft,
    PlanEffort,
    PlanOptions,
    PlanStop,
    PlanStopFilter,
    PlanVehicle,
)
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.search_text import fold_for_search
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.transfer import StopMove
from roundsman.domain.vehicle import Vehicle
from roundsman.mcp.answers import as_data, as_local, write_answer, write_rows
from roundsman.mcp.assistant import Assistant
from roundsman.mcp.looking import show_times
from roundsman.mcp.proposals import NEXT, show_change, show_import
from roundsman.operations import proposed_changes
from roundsman.operations.insertions import find_insertions
from roundsman.operations.route_changes import load_route
from roundsman.operations.stop_search import RoutedStop

_MOST_IMPORTED = 200
_NOBODY = "nobody: any driver may claim it"


class PlanWanted(Model):
    """Which day to plan, with which vehicles and how much effort."""

    date: str = ""
    vehicles: tuple[str, ...] = ()
    effort: PlanEffort = PlanEffort.NORMAL


class DriverOfDay(Model):
    """A driver, and a day."""

    driver: str
    date: str = ""


class MoveWanted(Model):
    """Which stop goes to which route of which day, and where on it; an index of 0 is the first."""

    stop: str
    route: str = ""
    index: int | UnsetType = UNSET
    date: str = ""


class RouteOfDay(Model):
    """A route, by id, name or driver, of a day."""

    route: str
    date: str = ""


class StopsToImport(Model):
    """Stops as POST /stops/imports takes them."""

    stops: Annotated[tuple[StopDraft, ...], Meta(min_length=1, max_length=_MOST_IMPORTED)]


def propose_plan(assistant: Assistant, wanted: PlanWanted) -> str:
    """Have a plan of everything unrouted of a day searched for."""
    day = assistant.read(wanted.date)
    if not day.unrouted.count:
        raise FailedPrecondition(f"nothing is unrouted on {day.date}; there is nothing to plan")
    vehicles = _choose_vehicles(assistant, day, wanted.vehicles)
    draft = PlanDraft(
        **_stops_to_plan(assistant, day),
        vehicles=tuple(PlanVehicle(vehicle_id=one.id) for one in vehicles),
        options=PlanOptions(effort=wanted.effort),
    )
    change = proposed_changes.propose_plan(assistant.tools, assistant.request, draft)
    return write_rows(
        {
            **show_change(assistant, change, day.date),
            "date": day.date,
            "unrouted": day.unrouted.count,
            "next": "call show_proposal with this proposal to see the plan once it is found",
        },
        "vehicles",
        [{"vehicle": as_data(one.name), "id": one.id} for one in vehicles],
    )


def _stops_to_plan(assistant: Assistant, day: Day) -> dict[str, Any]:
    """Return what is unrouted; today that is also what names no day, which no filter finds."""
    if day.date != assistant.day_named("today"):
        return {"stop_filter": PlanStopFilter(delivery_date=day.date, store_orders=True)}
    return {
        "stops": tuple(
            PlanStop(
                imported_stop_id=one.imported_stop_id or "", store_order_id=one.store_order_id or ""
            )
            for one in day.unrouted.stops
        )
    }


def _choose_vehicles(assistant: Assistant, day: Day, names: Sequence[str]) -> list[Vehicle]:
    """Return the vehicles that are named, or all that drive no route on the day yet."""
    fleet = assistant.list_fleet()
    if not names:
        busy = {one.vehicle.id for one in day.routes if not isinstance(one.vehicle, UnsetType)}
        free = [one for one in fleet if one.id not in busy]
        if not free:
            raise FailedPrecondition(
                f"no vehicle is free on {day.date}: name some, or add one with POST /vehicles"
            )
        return free
    found = []
    for name in names:
        wanted = fold_for_search(name)
        fitting = [one for one in fleet if name == one.id or wanted == fold_for_search(one.name)]
        if len(fitting) != 1:
            known = ", ".join(as_data(one.name) for one in fleet[:10])
            raise InvalidArgument(f"vehicle {name!r} is not one vehicle; there are {known}")
        found += fitting
    return found


def propose_move(assistant: Assistant, wanted: MoveWanted) -> str:
    """Propose to move a stop to another route, or to another place on its own."""
    one = assistant.stop_named(wanted.stop)
    day = assistant.read(wanted.date or _day_of(assistant, one))
    targets = (
        [assistant.route_named(day, wanted.route)]
        if wanted.route
        else [route for route in day.routes if _may_take(route, one)]
    )
    if not targets:
        raise FailedPrecondition(f"no other route of {day.date} is still open")
    place = _best_place(assistant, one, targets)
    index = place.index if isinstance(wanted.index, UnsetType) else wanted.index
    move = StopMove(stop_id=one.stop.id, to_route_id=place.route_id, index=index)
    versions = {
        id_: load_route(assistant.tools, assistant.organization_id, id_).version
        for id_ in {one.on.route.id, place.route_id}
    }
    change = proposed_changes.propose_moves(assistant.tools, assistant.request, [move], versions)
    name = next(route.name for route in targets if route.id == place.route_id)
    shown: dict[str, Any] = {
        "stop": as_data(name_of_stop(one.stop)),
        "from": as_data(one.on.route.name),
        "to": as_data(name),
        "position": index + 1,
    }
    if index == place.index:
        shown |= _show_place(assistant, place, day.date)
    return write_answer({**show_change(assistant, change, day.date), **shown, "next": NEXT})


def _day_of(assistant: Assistant, one: RoutedStop) -> str:
    at = one.on.route.scheduled_for or one.on.route.created_at
    return at.astimezone(assistant.zone).date().isoformat()


def _may_take(route: DayRoute, one: RoutedStop) -> bool:
    return route.status is not RouteStatus.COMPLETED and route.id != one.on.route.id


def _best_place(assistant: Assistant, one: RoutedStop, targets: Sequence[DayRoute]) -> Insertion:
    wanted = [(StopReference(stop_id=one.stop.id), StopWishes())]
    (found,) = find_insertions(
        assistant.tools, assistant.organization_id, wanted, [route.id for route in targets]
    )
    return found.places[0]


def _show_place(assistant: Assistant, place: Insertion, date: str) -> dict[str, Any]:
    return {
        "arrival": as_local(place.planned_arrival, assistant.zone, date),
        "extraMinutes": round(place.extra_travel_seconds / 60),
        "extraLatenessMinutes": round(place.extra_lateness_seconds / 60),
        "breaks": [as_data(broken.description) for broken in place.violations[:5]],
    }


def propose_without(assistant: Assistant, wanted: DriverOfDay) -> str:
    """Propose that others take over the open stops of a driver who cannot drive."""
    day = assistant.read(wanted.date)
    driver = assistant.driver_named(wanted.driver)
    drives = {
        one.id: driver.id == one.driver.id
        for one in day.routes
        if not isinstance(one.driver, UnsetType) and one.status is not RouteStatus.COMPLETED
    }
    leaving = [id_ for id_, is_theirs in drives.items() if is_theirs]
    taking = [id_ for id_, is_theirs in drives.items() if not is_theirs]
    name = name_of_driver(driver)
    if not leaving:
        raise FailedPrecondition(f"{as_data(name)} has no open route on {day.date}")
    if not taking:
        raise FailedPrecondition(
            f"nobody else drives on {day.date}: assign drivers to other routes, or plan again"
        )
    found = proposed_changes.propose_redistribution(
        assistant.tools, assistant.request, leaving, taking
    )
    routes = {one.id: one for one in day.routes}
    rows: dict[str, list[Any]] = defaultdict(list)
    for place in found.found.placed:
        rows[place.at.route_id].append(place)
    head: dict[str, Any] = {"driver": as_data(name), "date": day.date}
    if found.change is None:
        head["proposal"] = None
        head["result"] = "no other route can take any of the stops without breaking something"
    else:
        head |= {**show_change(assistant, found.change, day.date), "next": NEXT}
    head["moved"] = len(found.found.placed)
    head["staying"] = len(found.found.left)
    head["stayingFirst"] = [as_data(name_of_stop(stop)) for stop in found.found.left[:5]]
    return write_rows(
        head,
        "takenOver",
        [
            {
                "route": as_data(routes[id_].name),
                "driver": as_data(name_of_driver(routes[id_].driver)),
                "stops": len(places),
                "extraMinutes": round(sum(one.at.extra_travel_seconds for one in places) / 60),
            }
            for id_, places in rows.items()
        ],
    )


def dispatch(assistant: Assistant, wanted: RouteOfDay) -> str:
    """Propose to hand a route to its driver, or to whoever claims it."""
    day = assistant.read(wanted.date)
    route = assistant.route_named(day, wanted.route)
    change = proposed_changes.propose_dispatch(assistant.tools, assistant.request, route.id)
    return write_answer(
        {
            **show_change(assistant, change, day.date),
            "route": as_data(route.name),
            "driver": as_data(name_of_driver(route.driver)) or _NOBODY,
            "stops": len(route.stops.ids),
            "late": route.late or None,
            **show_times(assistant, day, route),
            "next": NEXT,
        }
    )


def import_stops(assistant: Assistant, wanted: StopsToImport) -> str:
    """Propose to import stops; says which known ones that replaces, and what they lose."""
    change = proposed_changes.propose_import(assistant.tools, assistant.request, wanted.stops)
    return show_import(assistant, change)
