"""A sample organization to look at: stops, a route in its best order, a driver and a vehicle."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from roundsman.domain.caller import Caller
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.route_draft import RouteDraft, TerminusDraft
from roundsman.domain.vehicle import Vehicle, VehicleType
from roundsman.kit.ids import new_id
from roundsman.operations.identity import (
    Credentials,
    Registrar,
    create_credentials,
    create_organization,
)
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.reoptimization import ReoptimizeOptions, reoptimize_route
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route
from roundsman.operations.work import Request, Tools
from roundsman.storage.access import has_client
from roundsman.storage.fleet import insert_driver, save_vehicle
from roundsman.storage.organizations import list_organizations

NAME = "Roundsman Demo"
_SLUG = "roundsman-demo-"
_EMAIL = "demo@example.com"
_ZONE = "America/New_York"
_LEAVES = time(8)


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo:
    """What was made, and how to sign in; credentials are shown this once."""

    organization_id: str
    credentials: Credentials
    route_id: str


def find_demo(tools: Tools) -> str | None:
    """Return the demo organization, if it was made before, to the end."""
    with tools.database.reading() as tx:
        made = [one.id for one in list_organizations(tx) if one.id.startswith(_SLUG)]
        return next((slug for slug in made if has_client(tx, slug)), None)


def create_demo(
    tools: Tools, registrar: Registrar, drafts: Sequence[StopDraft], start: TerminusDraft
) -> Demo:
    """Make the demo organization and its round trip from a start by these stops.

    Credentials come last: without any, the organization was left half made and does not count.
    """
    organization = create_organization(registrar, NAME, _ZONE)
    request = Request(caller=Caller(organization_id=organization.id, client_id="", email=_EMAIL))
    vehicle_id, driver_id = _add_crew(tools, organization.id)
    stops = import_stops(tools, request, drafts)
    draft = RouteDraft(
        name="Morning round",
        start=start,
        end=start,
        scheduled_for=_this_morning(tools.clock.now()),
        vehicle_id=vehicle_id,
        driver_id=driver_id,
    )
    route_id = create_route(tools, request, draft).route.id
    add_stops(tools, request, route_id, [("importedStopId", stop.id) for stop in stops])
    reoptimize_route(tools, request, route_id, ReoptimizeOptions())
    credentials = create_credentials(registrar, organization.id, _EMAIL)
    return Demo(organization_id=organization.id, credentials=credentials, route_id=route_id)


def _this_morning(now: datetime) -> datetime:
    """Return when the demo's route leaves: on the day that its boards open with."""
    zone = ZoneInfo(_ZONE)
    return datetime.combine(now.astimezone(zone).date(), _LEAVES, zone).astimezone(UTC)


def _add_crew(tools: Tools, organization_id: str) -> tuple[str, str]:
    now = tools.clock.now()
    vehicle = Vehicle(
        id=new_id(tools.ids, "veh"),
        name="Van 1",
        type=VehicleType.CARGO_VAN,
        created_timestamp=now,
    )
    driver = Driver(
        id=new_id(tools.ids, "drv"),
        first_name="Dana",
        last_name="Driver",
        status=DriverStatus.ACTIVE,
    )
    with tools.database.writing() as tx:
        save_vehicle(tx, organization_id, vehicle)
        insert_driver(tx, organization_id, driver, now)
    return vehicle.id, driver.id
