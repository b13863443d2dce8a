"""A sample organization to look at: a route planned for today, and one that is under way.

The route under way is made by the operations that a planner's program and a driver's device use,
with a clock that is put back.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from roundsman.domain.actions import ActionKind, Fix
from roundsman.domain.driver import Driver, DriverDraft, DriverStatus
from roundsman.domain.event import Actor
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.member import Member, MemberStatus
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Role, operator
from roundsman.domain.proof import AttemptedReason
from roundsman.domain.queries import ListRoutes, Query
from roundsman.domain.reoptimization import ReoptimizeOptions
from roundsman.domain.route import Route
from roundsman.domain.route_actions import ACTIONS
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.vehicle import VehicleDraft, VehicleType
from roundsman.images.sample import draw_parcel
from roundsman.kit.ids import new_id
from roundsman.operations.api_clients import Credentials, create_credentials
from roundsman.operations.attachments import UploadPart, take_part
from roundsman.operations.driver_sessions import accept_invite, identify_device
from roundsman.operations.drivers import add_driver
from roundsman.operations.execution import SubmittedAction, record_actions
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.member_sign_in import make_sign_in_link
from roundsman.operations.organizations import Registrar, create_organization
from roundsman.operations.request import Request
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route, dispatch_route, list_routes, reoptimize_route
from roundsman.operations.tools import Tools
from roundsman.operations.vehicles import add_vehicle
from roundsman.storage.api_clients import has_client
from roundsman.storage.drivers import insert_driver
from roundsman.storage.members import insert_member, list_memberships, note_accepted
from roundsman.storage.organizations import select_organizations

NAME = "Roundsman Demo"
_SLUG = "roundsman-demo-"
DEMO_EMAIL = "demo@example.com"
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
    request = Request(principal=operator(organization.id, DEMO_EMAIL))
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
    reoptimize_route(tools, request, route_id, ReoptimizeOptions())
    credentials = create_credentials(registrar, organization.id, DEMO_EMAIL)
    return Demo(organization_id=organization.id, credentials=credentials, route_id=route_id)


def make_owner_link(tools: Tools, organization_id: str) -> str:
    """Return a link that signs a browser on this machine in as the demo's owner, once.

    The owner has no password, and is made where there is none. A link that was made before is void.
    """
    owner = Member(
        id=new_id(tools.ids, "mem"),
        email=DEMO_EMAIL,
        name="Demo Owner",
        role=Role.OWNER,
        status=MemberStatus.ACTIVE,
        created_at=tools.clock.now(),
    )
    with tools.database.writing() as tx:
        if insert_member(tx, organization_id, owner):
            note_accepted(tx, owner.id, owner.created_at)
        known = list_memberships(tx, DEMO_EMAIL)
    member = next(one.member for one in known if one.organization_id == organization_id)
    return make_sign_in_link(tools, organization_id, member.id)


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


_ROUTE_UNDER_WAY = "Downtown tour"
_DRIVER = DriverDraft(first_name="Dana", last_name="Driver", phone="+14105550142")
_LASTED = timedelta(minutes=75)
_BETWEEN_ROUTE_AND_DEPARTURE = timedelta(minutes=30)
_SHORTEST_WINDOW = timedelta(minutes=1)
_WINDOW_SHARE = 0.8
"""How much of the time since the departure had gone by when the late stop's window closed."""

_NOTES = ("Left at the side door", "", "Nobody answered the bell", "Handed to the neighbour")
"""What is noted at each stop that is done."""

_ATTEMPTED = 2
"""The one of them that was attempted in vain."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """What the route is made of."""

    drafts: Sequence[StopDraft]
    """The last of them becomes late."""

    start: RouteEndDraft
    vehicle_id: str


@dataclass(slots=True)
class _DemoClock:
    """Says what time it is in the demo's day, which has passed."""

    at: datetime

    def now(self) -> datetime:
        return self.at


def create_route_under_way(
    tools: Tools, request: Request, parts: UnderWay, midnight: datetime
) -> None:
    """Make the route and let its driver go about it until now.

    It left on the day that began at `midnight`, in the time zone of its stops, so that it is on
    today's board also when today has just begun.
    """
    now = tools.clock.now()
    lasted = min(_LASTED, now - midnight)
    left = (now - lasted).replace(second=0, microsecond=0)
    clock = _DemoClock(left - _BETWEEN_ROUTE_AND_DEPARTURE)
    tools_then = replace(tools, clock=clock)
    invitation = add_driver(tools_then, request, _DRIVER)
    signed_in = accept_invite(tools_then, invitation.url.rpartition("/")[2], "Demo phone", Actor())
    closes = (left + max(lasted * _WINDOW_SHARE, _SHORTEST_WINDOW)).astimezone(midnight.tzinfo)
    draft = RouteDraft(
        name=_ROUTE_UNDER_WAY,
        start=parts.start,
        end=parts.start,
        scheduled_for=left,
        vehicle_id=parts.vehicle_id,
        driver_id=invitation.driver.id,
    )
    route = _plan(tools_then, request, draft, _closing(parts.drafts, closes))
    device = _Device(
        tools=tools_then,
        clock=clock,
        request=Request(principal=identify_device(tools_then, signed_in.token)),
        route=route,
    )
    late = parts.drafts[-1].order_name
    device.drive([stop for stop in route.stops if stop.order_name != late], left, lasted)


def _closing(drafts: Sequence[StopDraft], at: datetime) -> Sequence[StopDraft]:
    """Have the last stop close at a time of day."""
    *others, last = drafts
    window = TimeWindow(end=TimeOfDay(hours=at.hour, minutes=at.minute))
    return [*others, msgspec.structs.replace(last, time_windows=(window,))]


def _plan(
    tools_then: Tools, request: Request, draft: RouteDraft, drafts: Sequence[StopDraft]
) -> Route:
    """Make, order and dispatch the route."""
    stops = import_stops(tools_then, request, drafts)
    route_id = create_route(tools_then, request, draft).route.id
    add_stops(tools_then, request, route_id, [("importedStopId", stop.id) for stop in stops])
    # Shortly after midnight no order meets the window: then the best one is taken all the same.
    reoptimize_route(
        tools_then, request, route_id, ReoptimizeOptions(ignore_routing_constraints=True)
    )
    return dispatch_route(tools_then, request, route_id, UNSET).route


@dataclass(kw_only=True, slots=True)
class _Device:
    """The driver's device: it sends each action when it happens."""

    tools: Tools
    clock: _DemoClock
    request: Request
    route: Route
    _sent: int = field(default=0)

    def drive(self, stops: Sequence[RouteStop], left: datetime, lasted: timedelta) -> None:
        """Leave, and visit as many stops as there are notes, evenly spread over the time."""
        self.clock.at = left
        self._send(ActionKind.ROUTE_STARTED)
        for number, (stop, note) in enumerate(zip(stops, _NOTES, strict=False)):
            self.clock.at = left + lasted * (number + 1) / (len(_NOTES) + 1)
            if number == _ATTEMPTED:
                self._attempt(stop, note)
            else:
                self._deliver(stop, note, number + 1)

    def _deliver(self, stop: RouteStop, note: str, number: int) -> None:
        upload_id = self._upload(draw_parcel(number))
        self._send(ActionKind.PHOTO, stop_id=stop.id, upload_id=upload_id)
        self._send(ActionKind.STOP_DELIVERED, stop_id=stop.id, note=note, position=_fix_at(stop))

    def _attempt(self, stop: RouteStop, note: str) -> None:
        self._send(
            ActionKind.STOP_ATTEMPTED,
            stop_id=stop.id,
            reason=AttemptedReason.NOT_AVAILABLE,
            note=note,
            position=_fix_at(stop),
        )

    def _upload(self, picture: bytes) -> str:
        upload_id = self.tools.ids.new_uuid()
        digest = hashlib.sha256(picture).digest()
        part = UploadPart(
            upload_id=upload_id, sha256=digest, size=len(picture), offset=0, data=picture
        )
        take_part(self.tools, self.request, part)
        return upload_id

    def _send(self, kind: ActionKind, **fields: Any) -> None:
        self._sent += 1
        action = ACTIONS[kind](
            id=self.tools.ids.new_uuid(),
            kind=kind,
            sequence=self._sent,
            at=self.clock.at,
            route_id=self.route.id,
            **fields,
        )
        fingerprint = hashlib.sha256(msgspec.json.encode(action)).digest()
        record_actions(
            self.tools, self.request, [SubmittedAction(action=action, fingerprint=fingerprint)]
        )


def _fix_at(stop: RouteStop) -> Fix:
    where = stop.planned_coordinates
    return Fix(latitude=where.latitude, longitude=where.longitude)
