"""A sample organization to look at: a route planned for today, and one that is under way."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListRoutes, Query
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.vehicle import VehicleDraft, VehicleType
from roundsman.kit.ids import new_id
from roundsman.operations.demo_under_way import UnderWay, create_route_under_way
from roundsman.operations.identity import (
    Credentials,
    Registrar,
    create_credentials,
    create_organization,
)
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route, list_routes, reoptimize_route
from roundsman.operations.vehicles import add_vehicle
from roundsman.operations.work import Request, Tools
from roundsman.storage.access import has_client
from roundsman.storage.fleet import insert_driver
from roundsman.storage.organizations import select_organizations

NAME = "Roundsman Demo"
_SLUG = "roundsman-demo-"
_EMAIL = "demo@example.com"
_ZONE = "America/New_York"
_LEAVES = time(8)
_SECOND_VAN = VehicleDraft(name="Van 2", type=VehicleType.CARGO_VAN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo:
    """What was made, and how to sign in; credentials are shown this once."""

    organization_id: str
    credentials: Credentials
    route_id: str


def find_demo(tools: Tools) -> str | None:
    """Return the demo organization, if it was made before, to the end."""
    with tools.database.reading() as tx:
        made = [one.id for one in select_organizations(tx) if one.id.startswith(_SLUG)]
        return next((slug for slug in made if has_client(tx, slug)), None)


def describe_demo(tools: Tools, organization_id: str) -> tuple[str, ...]:
    """Return a line for each route of the demo: its name, and how many of its stops are done."""
    page = list_routes(tools, organization_id, Query(ListRoutes(), ""))
    routes = sorted((assigned.route for assigned in page.rows), key=lambda route: route.created_at)
    return tuple(
        f"{route.name}: {sum(stop.is_done() for stop in route.stops)} of {len(route.stops)}"
        " stops done"
        for route in routes
    )


def create_demo(
    tools: Tools,
    registrar: Registrar,
    start: RouteEndDraft,
    planned: Sequence[StopDraft],
    under_way: Sequence[StopDraft],
) -> Demo:
    """Make the demo organization and its round trips from a start: one planned, one under way.

    Credentials come last: without any, the organization was left half made and does not count.
    """
    organization = create_organization(registrar, NAME, _ZONE)
    request = Request(principal=operator(organization.id, _EMAIL))
    midnight = _midnight(tools.clock.now())
    van = add_vehicle(tools, request, VehicleDraft(name="Van 1", type=VehicleType.CARGO_VAN))
    parts = UnderWay(drafts=under_way, start=start, vehicle_id=van.id)
    create_route_under_way(tools, request, parts, midnight)
    stops = import_stops(tools, request, planned)
    draft = RouteDraft(
        name="Morning round",
        start=start,
        end=start,
        scheduled_for=datetime.combine(midnight, _LEAVES, midnight.tzinfo).astimezone(UTC),
        vehicle_id=add_vehicle(tools, request, _SECOND_VAN).id,
        driver_id=_add_second_driver(tools, organization.id),
    )
    route_id = create_route(tools, request, draft).route.id
    add_stops(tools, request, route_id, [("importedStopId", stop.id) for stop in stops])
    reoptimize_route(tools, request, route_id)
    credentials = create_credentials(registrar, organization.id, _EMAIL)
    return Demo(organization_id=organization.id, credentials=credentials, route_id=route_id)


def _midnight(now: datetime) -> datetime:
    """Return when the day began that the demo's board opens with, in the demo's time zone."""
    zone = ZoneInfo(_ZONE)
    return datetime.combine(now.astimezone(zone).date(), time(), zone)


def _add_second_driver(tools: Tools, organization_id: str) -> str:
    """Add a driver who needs no invite to be assigned a route; return the id."""
    driver = Driver(
        id=new_id(tools.ids, "drv"),
        first_name="Robin",
        last_name="Rider",
        status=DriverStatus.ACTIVE,
    )
    with tools.database.writing() as tx:
        insert_driver(tx, organization_id, driver, tools.clock.now())
    return driver.id
