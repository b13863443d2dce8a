"""The morning of a simulated day: customers, vans, drivers, a plan, and routes that are dispatched.

All by the operations that a planner's programs call. The search for the plan runs as a job, by the
real clock, wherever the installation's jobs run; everything else happens at the day's own time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from roundsman.domain.address import Address, Coordinates, Location
from roundsman.domain.driver import Driver, DriverDraft, DriverStatus
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.event import Actor
from roundsman.domain.model import UNSET
from roundsman.domain.plan import PlanStatus
from roundsman.domain.plan_draft import (
    PlanDraft,
    PlanOptions,
    PlanRouteDetails,
    PlanShift,
    PlanStop,
    PlanVehicle,
)
from roundsman.domain.queries import ListDrivers, ListVehicles
from roundsman.domain.route import Route
from roundsman.domain.vehicle import Vehicle, VehicleDraft, VehicleType
from roundsman.operations.driver_sessions import accept_invite, list_devices
from roundsman.operations.drivers import add_driver, invite_driver, list_drivers
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.job_runs import carry_out_job
from roundsman.operations.jobs import JobKinds
from roundsman.operations.organizations import keep_simulated
from roundsman.operations.paging import list_all
from roundsman.operations.plan_application import apply_plan
from roundsman.operations.plans import find_plan_job, get_plan, request_plan
from roundsman.operations.request import Request
from roundsman.operations.routes import assign_driver, dispatch_route
from roundsman.operations.tools import Tools
from roundsman.operations.vehicles import add_vehicle, list_vehicles
from roundsman.simulation.customers import SIMULATED, draw_customers
from roundsman.simulation.promises import KEPT_FOR
from roundsman.simulation.seeds import seeded

DEVICE = "Simulated phone"
_MADE_UP_DEVICES = frozenset({DEVICE, "Demo phone"})

SHIFT = timedelta(hours=10)
_LATEST_START = timedelta(minutes=45)
"""After the vans may leave: nobody sleeps until the first window opens."""

BEFORE_LEAVING = timedelta(hours=1)
_LEASE = timedelta(minutes=10)
"""Of the job that searches for the plan; nobody extends it here."""

_MOVES_A_STOP = 40
"""Of the plan's search: a moved budget, unlike seconds, finds the same plan again."""

_MORE_THAN_EVEN = 1.15
"""How many stops a van may have beside an even share, so that no van stays at home."""

_NAMES = ("Ama", "Bela", "Chidi", "Dora", "Emil", "Fatou", "Gita", "Hana", "Ivo", "Jana")


@dataclass(frozen=True, kw_only=True, slots=True)
class DayToSimulate:
    """What kind of day it is."""

    stops: int
    vans: int
    seed: int
    leaves: datetime
    """When the vans may leave, by the clocks that hang at the start."""

    start: Coordinates
    town: Address

    def begins_at(self) -> datetime:
        """Return when the day's stops come in."""
        return self.leaves.astimezone(UTC) - BEFORE_LEAVING


@dataclass(frozen=True, kw_only=True, slots=True)
class DayTools:
    """What the morning is prepared with."""

    real: Tools
    then: Tools
    """The same, with the day's own clock."""

    kinds: JobKinds
    """Of jobs that this installation runs, plans among them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedDay:
    """Routes that wait for their drivers, and how many stops are on none."""

    routes: Sequence[Route]
    unplanned: int


def require_test_organization(tools: Tools, organization_id: str) -> None:
    """Refuse an organization for which people drive: their customers would hear of it."""
    for driver in _drivers(tools, organization_id):
        devices = list_devices(tools, organization_id, driver.id)
        if any(one.device not in _MADE_UP_DEVICES for one in devices):
            raise FailedPrecondition(
                f"drivers of {organization_id} are signed in on devices of their own; simulate in"
                " a test organization, or add --force to do it here all the same"
            )


def prepare_day(tools: DayTools, request: Request, day: DayToSimulate) -> PreparedDay:
    """Import stops, plan them and dispatch the routes."""
    draw = seeded(str(day.seed))
    drafts = list(draw_customers(draw, day.stops, day.start, day.town, day.leaves))
    stops = import_stops(tools.then, request, drafts)
    plan_id = _plan(tools, request, day, [stop.id for stop in stops])
    return prepare_plan(tools, request, plan_id, PlanRouteDetails(tags=(SIMULATED,)))


def prepare_plan(
    tools: DayTools, request: Request, plan_id: str, details: PlanRouteDetails
) -> PreparedDay:
    """Make routes of a plan, if that was not done, and dispatch them."""
    then, real = tools.then, tools.real
    # Customers are promised something by the dispatch.
    keep_simulated(real.database, request.organization_id, real.clock.now() + KEPT_FOR)
    applied = apply_plan(then, request, plan_id, UNSET, details)
    routes = []
    for number, assigned in enumerate(applied.routes, start=1):
        route_id = assigned.route.id
        if not assigned.route.driver_id:
            driver = _find_or_add_driver(then, request, number)
            assign_driver(then, request, route_id, driver.id)
        routes.append(dispatch_route(then, request, route_id, UNSET).route)
    return PreparedDay(routes=routes, unplanned=len(applied.plan.unassigned))


def name_of_van(number: int) -> str:
    """Return what a made-up van is called."""
    return f"Simulated van {number}"


def sign_device_in(then: Tools, request: Request, driver_id: str) -> str:
    """Sign the driver in on a device by an invitation; return the session's token."""
    invitation = invite_driver(then, request, driver_id)
    return accept_invite(then, invitation.url.rpartition("/")[2], DEVICE, Actor()).token


def _plan(tools: DayTools, request: Request, day: DayToSimulate, stops: Sequence[str]) -> str:
    leaves = day.leaves.astimezone(UTC)
    depot = Location(address=day.town, coordinates=day.start)
    shift = PlanShift(start=leaves, end=leaves + SHIFT, latest_start=leaves + _LATEST_START)
    most_stops = math.ceil(_MORE_THAN_EVEN * len(stops) / day.vans)
    vehicles = [
        PlanVehicle(
            vehicle_id=_find_or_add_van(tools.then, request, number).id,
            driver_id=_find_or_add_driver(tools.then, request, number).id,
            start=depot,
            end=depot,
            shift=shift,
            max_stops=most_stops,
        )
        for number in range(1, day.vans + 1)
    ]
    draft = PlanDraft(
        name=f"Simulated day {day.leaves.date().isoformat()}",
        stops=tuple(PlanStop(imported_stop_id=one) for one in stops),
        vehicles=tuple(vehicles),
        options=PlanOptions(moves=_MOVES_A_STOP * len(stops), seed=day.seed, explain=False),
    )
    plan_id = request_plan(tools.real, request, draft).id
    job_id = find_plan_job(tools.real, request.organization_id, plan_id)
    carry_out_job(tools.real, tools.kinds, request.organization_id, job_id, _LEASE)
    found = get_plan(tools.real, request.organization_id, plan_id)
    if found.status is not PlanStatus.COMPLETED:
        why = found.error.message if found.error else found.status.value
        raise FailedPrecondition(f"the search for a plan of the day ended without one: {why}")
    return plan_id


def _find_or_add_van(then: Tools, request: Request, number: int) -> Vehicle:
    name = name_of_van(number)
    vehicles = list_all(
        lambda query: list_vehicles(then, request.organization_id, query), ListVehicles()
    )
    found = next((one for one in vehicles if one.name == name), None)
    return found or add_vehicle(then, request, VehicleDraft(name=name, type=VehicleType.CARGO_VAN))


def _find_or_add_driver(then: Tools, request: Request, number: int) -> Driver:
    """Return an active simulated driver."""
    first_name = _NAMES[(number - 1) % len(_NAMES)]
    last_name = f"Simulated {number}"
    drivers = _drivers(then, request.organization_id)
    found = next(
        (one for one in drivers if (one.first_name, one.last_name) == (first_name, last_name)), None
    )
    if found is not None and found.status is DriverStatus.ACTIVE:
        return found
    if found is None:
        draft = DriverDraft(first_name=first_name, last_name=last_name)
        found = add_driver(then, request, draft).driver
    sign_device_in(then, request, found.id)
    return found


def _drivers(tools: Tools, organization_id: str) -> list[Driver]:
    return list_all(lambda query: list_drivers(tools, organization_id, query), ListDrivers())
