"""Drivers at the door."""

from roundsman.domain.driver import Driver, DriverDetails, DriverDraft
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListDriverActions, ListDrivers, Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import driver_positions, driver_sessions, drivers
from roundsman.operations.drivers import Invitation
from roundsman.operations.journal import Line, list_journal, resolve_action
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    DriverPositionsAnswer,
    DriversAnswer,
    DriverSessionsAnswer,
    InvitedDriver,
    JournalAnswer,
    JournalLine,
    NewDriver,
    encode_drivers,
    encode_invited_driver,
    encode_journal,
    encode_journal_line,
    encode_new_driver,
)
from roundsman.wire.field_mask import Changes, UpdateShape

OPERATIONS = Operations("Drivers", ApiClient(), Scope.SETTINGS)

_UPDATE = UpdateShape(
    "driver",
    DriverDetails,
    ("firstName", "lastName", "phone", "email"),
    never_blank=("firstName",),
)


def _encode_page(page: Page[Driver]) -> bytes:
    return encode_drivers(page.rows, page.next_cursor)


def _encode_new(invitation: Invitation) -> bytes:
    return encode_new_driver(invitation.driver, invitation.url)


def _encode_invited(invitation: Invitation) -> bytes:
    return encode_invited_driver(invitation.driver, invitation.url)


@OPERATIONS.add(
    "GET",
    "/drivers",
    summary="List drivers, page by page, oldest first",
    answer=Answer(DriversAnswer, _encode_page),
)
def list_drivers(tools: Tools, request: Request, query: Query[ListDrivers]) -> Page[Driver]:
    """Walk the drivers, oldest first; archived ones only when asked for by status."""
    return drivers.list_drivers(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET",
    "/drivers/positions",
    summary="See where the drivers of routes under way are, as far as they say so",
)
def list_driver_positions(tools: Tools, request: Request) -> DriverPositionsAnswer:
    """See where drivers are now: the last position of each who is on duty."""
    positions = driver_positions.list_present_positions(tools, request.organization_id)
    return DriverPositionsAnswer(positions=tuple(positions))


@OPERATIONS.add("GET", "/drivers/{driverId}", summary="Get a driver")
def get_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Read a driver."""
    return drivers.get_driver(tools, request.organization_id, driver_id)


@OPERATIONS.add(
    "POST",
    "/drivers",
    summary="Add a driver, and get the link to sign up with",
    answer=Answer(NewDriver, _encode_new),
)
def add_driver(tools: Tools, request: Request, body: DriverDraft) -> Invitation:
    """Add a driver and make the link by which they sign in on a phone. DRIVER_ADDED is recorded
    when they sign up.
    """
    return drivers.add_driver(tools, request, body)


@OPERATIONS.add("PATCH", "/drivers/{driverId}", summary="Change a driver's profile", update=_UPDATE)
def update_driver(tools: Tools, request: Request, driver_id: str, body: Changes) -> Driver:
    """Change a driver; the mask says which fields. Records DRIVER_UPDATED."""
    return drivers.update_driver(tools, request, driver_id, body.values)


@OPERATIONS.add(
    "POST",
    "/drivers/{driverId}/invite",
    summary="Get a new link for a driver to sign up, or in on one more device",
    answer=Answer(InvitedDriver, _encode_invited),
)
def invite_driver(tools: Tools, request: Request, driver_id: str) -> Invitation:
    """Make another link by which the driver signs in on a phone; the one before works no more."""
    return drivers.invite_driver(tools, request, driver_id)


@OPERATIONS.add("POST", "/drivers/{driverId}/activate", summary="Let a driver drive")
def activate_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Let a driver in who was kept out. Records DRIVER_ACTIVATED."""
    return drivers.activate_driver(tools, request, driver_id)


@OPERATIONS.add(
    "POST", "/drivers/{driverId}/deactivate", summary="Keep a driver from driving for now"
)
def deactivate_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Keep a driver out: their devices are signed out at once. Records DRIVER_DEACTIVATED."""
    return drivers.deactivate_driver(tools, request, driver_id)


@OPERATIONS.add(
    "POST", "/drivers/{driverId}/archive", summary="Take a driver off the fleet for good"
)
def archive_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Put a driver away who has left. Their devices are signed out. Records DRIVER_ARCHIVED."""
    return drivers.archive_driver(tools, request, driver_id)


def _encode_actions(page: Page[Line]) -> bytes:
    return encode_journal(page.rows, page.next_cursor)


@OPERATIONS.add(
    "GET",
    "/driver-actions",
    summary="List what drivers told, and what of it was kept for the planner, oldest first",
    answer=Answer(JournalAnswer, _encode_actions),
)
def list_driver_actions(
    tools: Tools, request: Request, query: Query[ListDriverActions]
) -> Page[Line]:
    """Walk what drivers' devices have submitted, and what became of each action. KEPT ones need
    somebody to look at them.
    """
    return list_journal(tools, request.organization_id, query)


def _encode_line(line: Line) -> bytes:
    return encode_journal_line(*line)


@OPERATIONS.add(
    "POST",
    "/drivers/{driverId}/actions/{actionId}/resolve",
    summary="Tick off an action that was kept for the planner",
    scope=Scope.WRITE,
    answer=Answer(JournalLine, _encode_line),
)
def resolve_driver_action(tools: Tools, request: Request, driver_id: str, action_id: str) -> Line:
    """Say that somebody has looked after a KEPT action; again changes nothing. It is listed with
    `query.resolved=true` from then on. What becomes of it later asks for a look anew.
    """
    return resolve_action(tools, request, driver_id, action_id)


@OPERATIONS.add(
    "GET", "/drivers/{driverId}/sessions", summary="List the devices on which a driver is signed in"
)
def list_driver_sessions(tools: Tools, request: Request, driver_id: str) -> DriverSessionsAnswer:
    """See on which devices a driver is signed in, and when each was last heard of."""
    listed: tuple[DriverSession, ...] = driver_sessions.list_devices(
        tools, request.organization_id, driver_id
    )
    return DriverSessionsAnswer(sessions=listed)


@OPERATIONS.add(
    "DELETE", "/drivers/{driverId}/sessions/{sessionId}", summary="Sign a driver's device out"
)
def end_driver_session(tools: Tools, request: Request, driver_id: str, session_id: str) -> None:
    """Sign a device of a driver out, such as a lost phone, at once."""
    driver_sessions.sign_out_device(tools, request, driver_id, session_id)
