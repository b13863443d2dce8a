"""The pages that links open: take up an invitation, choose a new password, sign in to the demo."""

from collections.abc import Mapping

from starlette.responses import Response

from roundsman.domain.errors import (
    InvalidArgument,
    NotAllowed,
    NotFound,
    PermissionDenied,
    RoundsmanError,
)
from roundsman.domain.password import LONGEST_PASSWORD, SHORTEST_PASSWORD, WeakPassword
from roundsman.domain.second_factor import SecondFactorNeeded
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import CONSOLE_PATH, Templates, page_words, read_page_form
from roundsman.kit.languages import Words
from roundsman.kit.peers import is_loopback
from roundsman.members.cookies import keep_session
from roundsman.members.sessions import STRANGER
from roundsman.operations import member_sign_in, password_resets
from roundsman.operations.member_sign_in import OpenInvitation
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Pages", STRANGER)

ROOM = "roundsman.members"

_TEMPLATES = Templates(ROOM)
_LONGEST_NAME = 1_500


def show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say in words what is wrong with a link."""
    return _TEMPLATES.show_dead_link(
        page_words(ROOM, http),
        error,
        error_response(error).status_code,
        is_dead=isinstance(error, NotFound),
    )


def refuse_other_sites(http: HttpRequest) -> None:
    """Refuse what a page of another site has a browser ask for; who clicks or types has none."""
    if http.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
        raise NotAllowed("another site has sent you here; begin on the sign-in page")


@OPERATIONS.add("GET", "/invite/{token}", show_error=show_error)
def show_invitation_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    return _show_invitation_form(http, member_sign_in.find_invitation(tools, token))


@OPERATIONS.add("POST", "/invite/{token}", show_error=show_error)
def accept_on_page(tools: Tools, request: Request, http: HttpRequest, token: str) -> Response:
    sent = read_page_form(http) or {}
    name = sent.get("name", "")
    given = member_sign_in.Acceptance(
        name=name[:_LONGEST_NAME], password=sent.get("password", ""), code=sent.get("code", "")
    )
    try:
        signed_in = member_sign_in.accept_invitation(tools, request, token, given)
    except (InvalidArgument, PermissionDenied, SecondFactorNeeded) as error:
        invitation = member_sign_in.find_invitation(tools, token)
        return _show_invitation_form(http, invitation, name, error)
    return enter(http, signed_in.token)


@OPERATIONS.add("GET", "/reset/{token}", show_error=show_error)
def show_reset_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    password_resets.find_reset(tools, token)
    return _show_password_form(http)


@OPERATIONS.add("POST", "/reset/{token}", show_error=show_error)
def reset_on_page(tools: Tools, request: Request, http: HttpRequest, token: str) -> Response:
    password = (read_page_form(http) or {}).get("password", "")
    try:
        password_resets.reset_password(tools, request, token, password)
    except InvalidArgument as error:
        return _show_password_form(http, error)
    return _TEMPLATES.show_in(page_words(ROOM, http), "password_saved.html", console=CONSOLE_PATH)


@OPERATIONS.add("GET", "/sign-in/{token}", show_error=show_error)
def sign_in_by_link(tools: Tools, request: Request, http: HttpRequest, token: str) -> Response:
    """Sign in whoever sits at the machine that printed the link."""
    refuse_other_sites(http)
    if not is_loopback(http.address):
        raise NotAllowed("this link works on the machine that printed it alone")
    # A terminal or a chat looks where a link leads, and takes nothing up (RFC 9110, 9.2.1).
    if http.method == "HEAD":
        member_sign_in.find_sign_in_link(tools, token)
        return Response(b"", 303, headers={"Location": CONSOLE_PATH, "Cache-Control": "no-store"})
    return enter(http, member_sign_in.sign_in_by_link(tools, request, token).token)


def _show_invitation_form(
    http: HttpRequest,
    invitation: OpenInvitation,
    name: str = "",
    error: RoundsmanError | None = None,
) -> Response:
    words = page_words(ROOM, http, invitation.organization.language)
    return _TEMPLATES.show_in(
        words,
        "invitation.html",
        200 if error is None else error_response(error).status_code,
        organization=invitation.organization.name,
        email=invitation.member.email,
        name=name or invitation.member.name,
        has_password=invitation.has_password,
        wrong=_say(words, error),
        **_bounds(),
    )


def _show_password_form(http: HttpRequest, error: RoundsmanError | None = None) -> Response:
    words = page_words(ROOM, http)
    status = 200 if error is None else 400
    return _TEMPLATES.show_in(
        words, "new_password.html", status, wrong=_say(words, error), **_bounds()
    )


def _bounds() -> Mapping[str, int]:
    return {"shortest": SHORTEST_PASSWORD, "longest": LONGEST_PASSWORD}


def _say(words: Words, error: RoundsmanError | None) -> str:
    """Return what is wrong with a form; what has no words is said as programs are told it."""
    match error:
        case None:
            return ""
        case WeakPassword(weakness=weakness):
            return words.say(f"wrong.{weakness}", **_bounds())
        case PermissionDenied():
            return words.say("wrong.password")
        case SecondFactorNeeded():
            return words.say("wrong.code")
        case _:
            return f"{error.message[:1].upper()}{error.message[1:]}."


def enter(http: HttpRequest, token: str) -> Response:
    """Lead a browser that is signed in now to the console."""
    headers = {"Location": CONSOLE_PATH, "Cache-Control": "no-store", **keep_session(http, token)}
    return Response(b"", 303, headers=headers)
