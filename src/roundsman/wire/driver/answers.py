"""What the driver's door answers, where it is not a noun of the domain by itself."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from roundsman.domain.actions import UuidText
from roundsman.domain.driver import Driver
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.organization import Organization, PositionSharing
from roundsman.domain.proof import ProofRules
from roundsman.domain.route import Route


class OrganizationShown(Model):
    """For whom the driver drives."""

    id: str
    name: str


class EmployerShown(OrganizationShown):
    """For whom the driver drives, with what the app follows."""

    timezone: str
    phone: str = ""
    failure_reasons: tuple[str, ...] = ()
    proof_rules: ProofRules = ProofRules()
    share_driver_position: PositionSharing = PositionSharing.NEVER
    """When customers may see where the driver is: never, or the one whose stop is next, within two
    kilometres, a minute late and rounded to some 200 metres.
    """


def show_employer(organization: Organization) -> EmployerShown:
    """Return an organization as its drivers see it."""
    return EmployerShown(
        id=organization.id,
        name=organization.name,
        timezone=organization.timezone,
        phone=organization.phone,
        failure_reasons=organization.failure_reasons,
        proof_rules=organization.proof_rules,
        share_driver_position=organization.share_driver_position,
    )


class InvitedShown(Model):
    """Who is invited. Two drivers may have one name, so a device compares the id."""

    id: str
    first_name: str = ""
    last_name: str = ""


class InviteAnswer(Model):
    """What an invite invites to."""

    driver: InvitedShown
    organization: OrganizationShown
    expires_at: datetime


class AcceptBody(Model):
    """What a device that accepts an invite calls itself."""

    device: Line = ""


class SignedInAnswer(Model):
    """A device signed in; `token` is shown this once."""

    driver: Driver
    organization: EmployerShown
    session: DriverSession
    token: str


class SessionAnswer(Model):
    """Who is signed in, on which device."""

    driver: Driver
    organization: EmployerShown
    session_id: str


class RouteSummary(Model):
    """A route as a list shows it."""

    id: str
    name: str = ""
    stop_count: int = 0
    scheduled_for: datetime | UnsetType = UNSET
    dispatched_until: datetime | UnsetType = UNSET
    updated_at: datetime
    claimable: bool = False
    started: bool = False
    completed: bool = False


class DriverRoutesAnswer(Model):
    """The routes that a driver may open or claim."""

    routes: tuple[RouteSummary, ...] = ()


class RouteAreaAnswer(Model):
    """The streets around a route."""

    tiles: tuple[str, ...] = ()
    """Addresses of vector tiles on this server, up to 160; they need no token, and stay as they are
    until the map is another one.
    """


class UploadAnswer(Model):
    """How far an upload has come."""

    id: str
    size: int
    received: int
    complete: bool
    attachment_id: str = ""


def encode_driver_routes(routes: Iterable[Route]) -> bytes:
    """Return routes as a list shows them."""
    return msgspec.json.encode(
        DriverRoutesAnswer(routes=tuple(_summary(route) for route in routes))
    )


def _summary(route: Route) -> RouteSummary:
    return RouteSummary(
        id=route.id,
        name=route.name,
        stop_count=len(route.stops),
        scheduled_for=route.scheduled_for,
        dispatched_until=route.dispatched_until,
        updated_at=route.updated_at,
        claimable=not route.driver_id,
        started=route.is_started(),
        completed=isinstance(route.completed_at, datetime),
    )


class KnownActionsBody(Model):
    """Ids of actions that a device has."""

    ids: Annotated[tuple[UuidText, ...], Meta(min_length=1, max_length=1_000)]


class KnownActionsAnswer(Model):
    """Those of them that have arrived."""

    known: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    """Those about which a later action of another device has said otherwise since."""


class TrackerAnswer(Model):
    """How a program beside the app tells where the driver is; the token is shown this once."""

    token: str
    url: str


class PushAnswer(Model):
    """Whether this device is told by push, and the key with which its browser subscribes."""

    public_key: str
    """Of this server, for `applicationServerKey`: a point of P-256, base64url."""

    is_subscribed: bool


class PushBody(Model):
    """A browser's subscription; its keys are not asked for, because pushes have no content."""

    endpoint: str
    """Where the browser's push service takes signals for it."""
