"""Invites and sessions at the driver's door."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from roundsman.domain.driver_session import LIFETIME
from roundsman.domain.event import Actor
from roundsman.endpoints.access import Anybody, DriverDevice, HttpRequest, cookie_of
from roundsman.endpoints.operation import Answer, Operations
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
    show_employer,
)

_RESTORE_COOKIE = "roundsman-driver-restore"
_RESTORE_PATH = "/driver/api/session/restore"
_RESTORE_SECONDS = int(LIFETIME.total_seconds())

INVITED = Anybody("invite", Rate(capacity=120, interval_micros=500_000))
"""Two requests a second for each address without a session, bursts of 120: a depot's at once."""

OPERATIONS = Operations("Sessions", DriverDevice())


@dataclass(frozen=True, slots=True)
class SignedInDevice:
    """A device signed in, and the request by which it happened, which the cookie depends on."""

    signed_in: SignedIn
    http: HttpRequest


def _encode(device: SignedInDevice) -> bytes:
    signed_in = device.signed_in
    return msgspec.json.encode(
        SignedInAnswer(
            driver=signed_in.driver,
            organization=show_employer(signed_in.organization),
            session=signed_in.session,
            token=signed_in.token,
        )
    )


def keep_restore_token(http: HttpRequest, token: str) -> Mapping[str, str]:
    """Return the header of a cookie that goes to one operation alone, and to no script.

    A phone that clears an app's storage keeps it more often than not (doors.md 4.3).
    """
    parts = [
        f"{_restore_cookie(http)}={token}",
        f"Path={_RESTORE_PATH}",
        f"Max-Age={_RESTORE_SECONDS}",
        "HttpOnly",
        "SameSite=Strict",
    ]
    return {"Set-Cookie": "; ".join([*parts, "Secure"] if http.is_https else parts)}


def _restore_cookie(http: HttpRequest) -> str:
    """Return a name that no page without HTTPS can set; `__Host-` would send it to every path."""
    return f"__Secure-{_RESTORE_COOKIE}" if http.is_https else _RESTORE_COOKIE


_SIGNED_IN: Answer[SignedInDevice] = Answer(
    SignedInAnswer,
    _encode,
    lambda device: keep_restore_token(device.http, device.signed_in.restore_token),
    {"Set-Cookie": "What signs this browser in again when it has lost its storage."},
)


@OPERATIONS.add("GET", "/invites/{token}", summary="See who invites whom", access=INVITED)
def show_invite(tools: Tools, token: str) -> InviteAnswer:
    """See for whom an invitation is before it is taken up. A used or old one is not found."""
    invite = driver_sessions.look_at_invite(tools, token)
    driver = invite.driver
    return InviteAnswer(
        driver=InvitedShown(id=driver.id, first_name=driver.first_name, last_name=driver.last_name),
        organization=OrganizationShown(id=invite.organization.id, name=invite.organization.name),
        expires_at=invite.expires_at,
    )


@OPERATIONS.add(
    "POST",
    "/invites/{token}",
    summary="Sign up, or sign in on one more device",
    access=INVITED,
    answer=_SIGNED_IN,
    body_may_be_absent=True,
)
def accept_invite(tools: Tools, http: HttpRequest, token: str, body: AcceptBody) -> SignedInDevice:
    """Take up an invitation on this device, once; answers the session's token. A driver who has
    signed up signs in on one more device so.
    """
    return SignedInDevice(accept(tools, http, token, body.device), http)


def accept(tools: Tools, http: HttpRequest, token: str, device: str) -> SignedIn:
    """Use an invite up."""
    return driver_sessions.accept_invite(tools, token, device, _actor_of(http))


def _actor_of(http: HttpRequest) -> Actor:
    return Actor(
        ip_address=http.address or msgspec.UNSET,
        user_agent=http.headers.get("user-agent", "")[:500] or msgspec.UNSET,
    )


@OPERATIONS.add(
    "POST",
    "/session/restore",
    summary="Sign this browser in again after it has lost its storage, by its cookie",
    access=INVITED,
    answer=_SIGNED_IN,
    keeps_answers=False,
)
def restore_session(tools: Tools, http: HttpRequest) -> SignedInDevice:
    """Sign in again by the cookie after the browser has lost its storage; the token before works no
    more.
    """
    # Phones that signed in before the name had a prefix still send the bare one.
    token = cookie_of(http, _restore_cookie(http)) or cookie_of(http, _RESTORE_COOKIE)
    return SignedInDevice(driver_sessions.restore_session(tools, token, _actor_of(http)), http)


@OPERATIONS.add("GET", "/session", summary="See who is signed in")
def show_session(tools: Tools, request: Request) -> SessionAnswer:
    """See who is signed in on this device."""
    driver, organization = driver_sessions.get_driver_of(tools, request.principal)
    employer = show_employer(organization)
    return SessionAnswer(driver=driver, organization=employer, session_id=request.principal.id)


@OPERATIONS.add("DELETE", "/session", summary="Sign this device out")
def end_session(tools: Tools, request: Request) -> None:
    """Sign this device out. What its journal still holds cannot be sent any more."""
    _sign_out(tools, request, request.principal.id)


@OPERATIONS.add("GET", "/sessions", summary="List the devices on which the driver is signed in")
def list_sessions(tools: Tools, request: Request) -> DriverSessionsAnswer:
    """See on which devices the driver is signed in."""
    devices = driver_sessions.list_devices(
        tools, request.organization_id, request.principal.driver_id
    )
    return DriverSessionsAnswer(sessions=devices)


@OPERATIONS.add("DELETE", "/sessions/{sessionId}", summary="Sign another device out")
def end_other_session(tools: Tools, request: Request, session_id: str) -> None:
    """Sign another of the driver's devices out, such as a lost phone."""
    _sign_out(tools, request, session_id)


def _sign_out(tools: Tools, request: Request, session_id: str) -> None:
    driver_sessions.sign_out_device(tools, request, request.principal.driver_id, session_id)
