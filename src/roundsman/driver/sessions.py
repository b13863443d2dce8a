"""Invites and sessions at the driver's door."""

import msgspec

from roundsman.domain.event import Actor
from roundsman.endpoints.access import Anybody, DriverDevice, HttpRequest
from roundsman.endpoints.operation import Operations
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations import driver_sessions
from roundsman.operations.driver_sessions import SignedIn
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import DriverSessionsAnswer
from roundsman.wire.driver.answers import (
    AcceptBody,
    InviteAnswer,
    InvitedShown,
    OrganizationShown,
    SessionAnswer,
    SignedInAnswer,
)

INVITED = Anybody("invite", Rate(capacity=30, interval_micros=2_000_000))
"""A request every two seconds for each address that has no session, bursts of 30."""

OPERATIONS = Operations("Sessions", DriverDevice())


@OPERATIONS.add("GET", "/invites/{token}", summary="See who invites whom", access=INVITED)
def show_invite(tools: Tools, token: str) -> InviteAnswer:
    invite = driver_sessions.look_at_invite(tools, token)
    return InviteAnswer(
        driver=InvitedShown(first_name=invite.driver.first_name, last_name=invite.driver.last_name),
        organization=OrganizationShown(id=invite.organization_id, name=invite.organization_name),
        expires_at=invite.expires_at,
    )


@OPERATIONS.add(
    "POST",
    "/invites/{token}",
    summary="Sign up, or sign in on one more device",
    access=INVITED,
    body_may_be_absent=True,
)
def accept_invite(tools: Tools, http: HttpRequest, token: str, body: AcceptBody) -> SignedInAnswer:
    signed_in = accept(tools, http, token, body.device)
    return SignedInAnswer(
        driver=signed_in.driver,
        organization=OrganizationShown(
            id=signed_in.organization_id, name=signed_in.organization_name
        ),
        session=signed_in.session,
        token=signed_in.token,
    )


def accept(tools: Tools, http: HttpRequest, token: str, device: str) -> SignedIn:
    """Use an invite up."""
    actor = Actor(
        ip_address=http.address or msgspec.UNSET,
        user_agent=http.headers.get("user-agent", "")[:500] or msgspec.UNSET,
    )
    return driver_sessions.accept_invite(tools, token, device, actor)


@OPERATIONS.add("GET", "/session", summary="See who is signed in")
def show_session(tools: Tools, request: Request) -> SessionAnswer:
    driver = driver_sessions.get_driver_of(tools, request.principal)
    return SessionAnswer(driver=driver, session_id=request.principal.id)


@OPERATIONS.add("DELETE", "/session", summary="Sign this device out")
def end_session(tools: Tools, request: Request) -> None:
    _sign_out(tools, request, request.principal.id)


@OPERATIONS.add("GET", "/sessions", summary="List the devices on which the driver is signed in")
def list_sessions(tools: Tools, request: Request) -> DriverSessionsAnswer:
    devices = driver_sessions.list_devices(
        tools, request.organization_id, request.principal.driver_id
    )
    return DriverSessionsAnswer(sessions=devices)


@OPERATIONS.add("DELETE", "/sessions/{sessionId}", summary="Sign another device out")
def end_other_session(tools: Tools, request: Request, session_id: str) -> None:
    _sign_out(tools, request, session_id)


def _sign_out(tools: Tools, request: Request, session_id: str) -> None:
    driver_sessions.sign_out_device(tools, request, request.principal.driver_id, session_id)
