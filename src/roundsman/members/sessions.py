"""Signing in and out, and the browsers in which a member is signed in."""

from dataclasses import dataclass

import msgspec

from roundsman.endpoints.access import Anybody, HttpRequest, MemberAccess, session_token_of
from roundsman.endpoints.operation import NOTHING, Answer, Operations
from roundsman.kit.leaky_bucket import Rate
from roundsman.members.cookies import forget_session, keep_session
from roundsman.operations import member_sign_in, password_resets
from roundsman.operations.member_sign_in import SignedInMember
from roundsman.operations.password_resets import PasswordChange
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.members.sessions import (
    ChangePasswordBody,
    MemberSessionAnswer,
    MemberSessionsAnswer,
    SignInBody,
    SignInWays,
    show_browsers,
    show_organization,
)

STRANGER = Anybody("member", Rate(capacity=240, interval_micros=250_000))
"""Four requests a second for each address without a session, bursts of 240: an office's at once.

Guesses at passwords are counted apart.
"""

OPERATIONS = Operations("Sessions", MemberAccess())


@dataclass(frozen=True, slots=True)
class SignedInBrowser:
    """A member signed in, and the request by which it happened, which the cookie depends on."""

    signed_in: SignedInMember
    http: HttpRequest


def _encode(browser: SignedInBrowser) -> bytes:
    return msgspec.json.encode(show_session_of(browser.signed_in))


SIGNED_IN: Answer[SignedInBrowser] = Answer(
    MemberSessionAnswer,
    _encode,
    lambda browser: keep_session(browser.http, browser.signed_in.token),
    {"Set-Cookie": "The session, for the browser alone."},
)


def show_session_of(signed_in: SignedInMember) -> MemberSessionAnswer:
    """Return who is signed in, as pages see it."""
    return MemberSessionAnswer(
        member=signed_in.member,
        organization=show_organization(signed_in.organization),
        csrf_token=signed_in.csrf_token,
    )


@OPERATIONS.add(
    "POST",
    "/session",
    summary="Sign in with an e-mail address, a password and, where one is wanted, a code",
    access=STRANGER,
    answer=SIGNED_IN,
)
def sign_in(tools: Tools, request: Request, http: HttpRequest, body: SignInBody) -> SignedInBrowser:
    """Open a session in this browser: the answer sets its cookie. Where the person uses an app for
    codes, a right password without `code` answers 400 with a violation of the type `secondFactor`.
    """
    given = member_sign_in.PasswordSignIn(
        email=body.email,
        password=body.password,
        code=body.code,
        organization_id=body.organization,
    )
    signed_in = member_sign_in.sign_in(tools, request, given)
    return SignedInBrowser(signed_in, http)


@OPERATIONS.add("GET", "/sign-in", summary="See in which ways members may sign in", access=STRANGER)
def show_ways_to_sign_in(tools: Tools) -> SignInWays:
    """See whether members may also sign in by OpenID Connect, and whether who has forgotten a
    password can have a link mailed.
    """
    return SignInWays(
        open_id_connect=tools.openid is not None, password_reset_mail=tools.mail is not None
    )


@OPERATIONS.add("GET", "/session", summary="See who is signed in")
def show_session(tools: Tools, request: Request, http: HttpRequest) -> MemberSessionAnswer:
    """See who is signed in, and the token that changes must send as `X-CSRF-Token`."""
    token = session_token_of(http)
    return show_session_of(member_sign_in.show_session(tools, request.principal, token))


@OPERATIONS.add(
    "DELETE",
    "/session",
    summary="Sign out",
    answer=Answer(NOTHING.shape, NOTHING.encode, forget_session),
    keeps_answers=False,
)
def sign_out(tools: Tools, request: Request, http: HttpRequest) -> HttpRequest:
    """End this browser's session."""
    member_sign_in.end_session(tools, request, request.principal.session_id)
    return http


@OPERATIONS.add("GET", "/sessions", summary="List the browsers in which the member is signed in")
def list_member_sessions(tools: Tools, request: Request) -> MemberSessionsAnswer:
    """See in which browsers the member is signed in."""
    found = member_sign_in.list_browsers(tools, request.principal)
    return show_browsers(found, request.principal.session_id)


@OPERATIONS.add("DELETE", "/sessions/{sessionId}", summary="Sign another browser out")
def end_member_session(tools: Tools, request: Request, session_id: str) -> None:
    """End another browser's session, at once."""
    member_sign_in.end_session(tools, request, session_id)


@OPERATIONS.add(
    "POST",
    "/password",
    summary="Choose another password, with the one that there is",
    keeps_answers=False,
)
def change_password(tools: Tools, request: Request, body: ChangePasswordBody) -> None:
    """Choose another password; the one before is asked for again, and a code where one is wanted.
    The member's other browsers are signed out.
    """
    given = PasswordChange(password=body.password, new_password=body.new_password, code=body.code)
    password_resets.change_password(tools, request, given)
