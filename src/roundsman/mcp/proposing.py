"""Tools that propose a change, show it again, and have it made.

Nothing changes before `apply`, and then what was shown, or nothing (decisions §19).
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.day import Day, DayRoute
from roundsman.domain.errors import FailedPrecondition, InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.insertion import Insertion, StopReference, StopWishes
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan import ProposedPlan, UnassignedStop
from roundsman.domain.plan_draft import (
    PlanDraft,
    PlanEffort,
    PlanOptions,
    PlanStop,
    PlanStopFilter,
    PlanVehicle,
)
from roundsman.domain.proposed_change import ProposedChange, ProposedKind
from roundsman.domain.queries import ListVehicles
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.search_text import fold_for_search
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.transfer import StopMove
from roundsman.domain.vehicle import Vehicle
from roundsman.mcp.answers import as_data, as_local, write_answer, write_rows
from roundsman.mcp.assistant import Assistant, driver_name, full_name
from roundsman.operations import proposed_changes
from roundsman.operations.insertions import find_insertions
from roundsman.operations.paging import list_all
from roundsman.operations.plans import find_plan_status
from roundsman.operations.route_changes import load_route
from roundsman.operations.stop_search import RoutedStop
from roundsman.operations.vehicles import list_vehicles

_PATIENCE_SECONDS = 8.0
"""How long an answer waits for a plan that is being searched for."""

_LOOK_EVERY_SECONDS = 0.1
_MOST_IMPORTED = 200
_NEXT = "show this to the user; call apply with this proposal only after they agree"


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


class OfProposal(Model):
    """Which proposal, and behind how many rows to go on."""

    proposal: str
    start: int = 0


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
            **_show_change(assistant, change, day.date),
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
    fleet = list_all(
        lambda query: list_vehicles(assistant.tools, assistant.organization_id, query),
        ListVehicles(limit=200),
    )
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
    return write_answer({**_show_change(assistant, change, day.date), **shown, "next": _NEXT})


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
    name = full_name(driver)
    if not leaving:
        raise FailedPrecondition(f"{as_data(name)} has no open route on {day.date}")
    if not taking:
        raise FailedPrecondition(
            f"nobody else drives on {day.date}: assign drivers to other routes, or plan again"
        )
    found = proposed_changes.propose_takeover(assistant.tools, assistant.request, leaving, taking)
    routes = {one.id: one for one in day.routes}
    rows: dict[str, list[Any]] = defaultdict(list)
    for place in found.found.placed:
        rows[place.at.route_id].append(place)
    head: dict[str, Any] = {"driver": as_data(name), "date": day.date}
    if found.change is None:
        head["proposal"] = None
        head["result"] = "no other route can take any of the stops without breaking something"
    else:
        head |= {**_show_change(assistant, found.change, day.date), "next": _NEXT}
    head["moved"] = len(found.found.placed)
    head["staying"] = len(found.found.left)
    head["stayingFirst"] = [as_data(name_of_stop(stop)) for stop in found.found.left[:5]]
    return write_rows(
        head,
        "takenOver",
        [
            {
                "route": as_data(routes[id_].name),
                "driver": as_data(driver_name(routes[id_])),
                "stops": len(places),
                "extraMinutes": round(sum(one.at.extra_travel_seconds for one in places) / 60),
            }
            for id_, places in rows.items()
        ],
    )


def dispatch(assistant: Assistant, wanted: RouteOfDay) -> str:
    """Propose to hand a route to its driver."""
    day = assistant.read(wanted.date)
    route = assistant.route_named(day, wanted.route)
    if isinstance(route.driver, UnsetType):
        raise FailedPrecondition(f"route {as_data(route.name)} has no driver; assign one first")
    change = proposed_changes.propose_dispatch(assistant.tools, assistant.request, route.id)
    return write_answer(
        {
            **_show_change(assistant, change, day.date),
            "route": as_data(route.name),
            "driver": as_data(driver_name(route)),
            "stops": len(route.stops.ids),
            "late": route.late or None,
            "leaves": as_local(route.scheduled_for, assistant.zone, day.date),
            "ends": as_local(route.expected_end, assistant.zone, day.date),
            "next": _NEXT,
        }
    )


def import_stops(assistant: Assistant, wanted: StopsToImport) -> str:
    """Propose to import stops."""
    drafts = wanted.stops
    change = proposed_changes.propose_import(assistant.tools, assistant.request, drafts)
    rows = [
        {
            "name": as_data(" ".join((draft.order_name, _contact_of(draft)))),
            "address": ""
            if isinstance(draft.address, UnsetType)
            else as_data(draft.address.one_line()),
        }
        for draft in drafts
    ]
    head = {**_show_change(assistant, change), "count": len(drafts), "next": _NEXT}
    return write_rows(head, "stops", rows)


def _contact_of(draft: StopDraft) -> str:
    contact = draft.contact
    if isinstance(contact, UnsetType):
        return ""
    return f"{contact.first_name} {contact.last_name} {contact.company}"


def show_proposal(assistant: Assistant, wanted: OfProposal) -> str:
    """Return what a proposal would change; waits a little for a plan that is not found yet."""
    tools, request = assistant.tools, assistant.request
    change = proposed_changes.load_proposed_change(tools, request, wanted.proposal)
    head = _show_change(assistant, change)
    if change.kind is not ProposedKind.PLAN:
        return write_answer(
            {
                **head,
                "moves": len(change.moves) or None,
                "imports": len(change.drafts) or None,
                "routes": list(change.versions)[:20],
            }
        )
    _await_plan(assistant, change.plan_id)
    plan = proposed_changes.show_proposed_plan(tools, request, change)
    return _show_plan(assistant, head, plan, wanted.start)


def _await_plan(assistant: Assistant, plan_id: str) -> None:
    tools, organization_id = assistant.tools, assistant.organization_id
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if find_plan_status(tools, organization_id, plan_id) not in {"QUEUED", "RUNNING"}:
            return
        time.sleep(_LOOK_EVERY_SECONDS)


def _show_plan(assistant: Assistant, head: dict[str, Any], plan: ProposedPlan, start: int) -> str:
    names = _vehicle_names(assistant)
    head |= {"plan": plan.id, "status": str(plan.status)}
    if not plan.is_ended():
        head |= {
            "found": f"{plan.progress.share:.0%}",
            "next": "the search goes on; call show_proposal again",
        }
    elif not isinstance(plan.error, UnsetType):
        head |= {"error": plan.error.message}
    if not isinstance(plan.statistics, UnsetType):
        head |= {
            "cost": round(plan.statistics.cost, 2),
            "vehiclesUsed": plan.statistics.vehicles_used,
            "kilometers": round(plan.statistics.total_distance_meters / 1_000, 1),
            "travelTimesEstimated": plan.statistics.estimated or None,
            "unassigned": len(plan.unassigned),
            "unassignedFirst": [_show_unassigned(one) for one in plan.unassigned[:5]],
            "next": _NEXT,
        }
    rows = [
        {
            "vehicle": as_data(names.get(one.vehicle_id, one.vehicle)),
            "stops": sum(step.type == "STOP" for step in one.steps),
            "leaves": as_local(one.departure, assistant.zone),
            "ends": as_local(one.end, assistant.zone),
            "kilometers": round(one.total_distance_meters / 1_000, 1),
        }
        for one in plan.routes
    ]
    return write_rows(head, "routes", rows, start)


def _show_unassigned(stop: UnassignedStop) -> dict[str, Any]:
    return {
        "stop": stop.client_stop_id or stop.imported_stop_id or stop.store_order_id,
        "why": [as_data(reason.description) for reason in stop.reasons[:1]],
        "fixes": [f"{fix.type} {fix.subject}".strip() for fix in stop.fixes[:2]],
    }


def _vehicle_names(assistant: Assistant) -> dict[str, str]:
    fleet = list_all(
        lambda query: list_vehicles(assistant.tools, assistant.organization_id, query),
        ListVehicles(limit=200),
    )
    return {one.id: one.name for one in fleet}


def apply(assistant: Assistant, wanted: OfProposal) -> str:
    """Make the change of a proposal, exactly as it was shown."""
    made = proposed_changes.make_proposed_change(
        assistant.tools, assistant.request, wanted.proposal
    )
    head = {"applied": made.change.id, "kind": str(made.change.kind)}
    if made.stops:
        rows = [{"id": stop.id, "name": as_data(name_of_stop(stop))} for stop in made.stops]
        return write_rows({**head, "count": len(rows)}, "stops", rows)
    return write_rows(head, "routes", [_show_made(one) for one in made.routes])


def _show_made(one: AssignedRoute) -> dict[str, Any]:
    return {
        "id": one.route.id,
        "route": as_data(one.route.name),
        "stops": len(one.route.stops),
    }


def _show_change(assistant: Assistant, change: ProposedChange, date: str = "") -> dict[str, Any]:
    date = date or assistant.day_named("today")
    shown = {
        "proposal": change.id,
        "kind": str(change.kind),
        "expires": as_local(change.expires_at, assistant.zone, assistant.day_named("today")),
    }
    if not isinstance(change.made_at, UnsetType):
        shown["applied"] = as_local(change.made_at, assistant.zone, date)
    return shown
