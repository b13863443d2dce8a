"""To the OpenID Connect provider and back: addresses that a browser is led through."""

from urllib.parse import parse_qs

from starlette.responses import Response

from roundsman.domain.errors import FailedPrecondition, NotAllowed, NotFound, RoundsmanError
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.operation import Operations, Pool
from roundsman.endpoints.pages import CONSOLE_PATH, Templates, page_words
from roundsman.members.cookies import find_attempt, keep_attempt
from roundsman.members.pages import ROOM, enter, refuse_other_sites, show_error
from roundsman.members.sessions import STRANGER
from roundsman.operations.openid_sign_in import (
    ATTEMPT_SECONDS,
    OpenIdSignInRefused,
    ProviderUnavailable,
    SignInOutdated,
    SignInProblem,
    begin_openid_sign_in,
    finish_openid_sign_in,
)
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("OpenID Connect", STRANGER)

_TEMPLATES = Templates(ROOM)
_MOST_ARGUMENTS = 20


def _show_refusal(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say why somebody is not signed in, and lead them back to where they can begin again."""
    problem = _problem_of(error)
    if problem is None:
        return show_error(http, error)
    words = page_words(ROOM, http)
    return _TEMPLATES.show_in(
        words,
        "not_signed_in.html",
        error_response(error).status_code,
        text=words.say(f"not_signed_in.{problem}"),
        console=CONSOLE_PATH,
    )


def _problem_of(error: RoundsmanError) -> SignInProblem | None:
    match error:
        case OpenIdSignInRefused():
            return error.problem
        case SignInOutdated():
            return SignInProblem.OUTDATED
        case ProviderUnavailable():
            return SignInProblem.UNAVAILABLE
        case NotFound():
            return SignInProblem.NO_PROVIDER
        case NotAllowed():
            return SignInProblem.ELSEWHERE
        case _:
            return None


@OPERATIONS.add("GET", "/oidc", show_error=_show_refusal, pool=Pool.OUTBOUND)
def lead_to_provider(tools: Tools, http: HttpRequest) -> Response:
    """Send a browser to the provider; `organization` names one for who plans for several."""
    refuse_other_sites(http)
    url, kept = begin_openid_sign_in(tools, _arguments(http).get("organization", ""))
    return _lead(url, keep_attempt(http, kept, ATTEMPT_SECONDS)["Set-Cookie"])


@OPERATIONS.add("GET", "/oidc/callback", show_error=_show_refusal, pool=Pool.OUTBOUND)
def come_back_from_provider(tools: Tools, request: Request, http: HttpRequest) -> Response:
    """Sign in who comes back from the provider."""
    if http.method == "HEAD":  # the code works once
        return Response(b"", headers={"Cache-Control": "no-store"})
    sent = _arguments(http)
    if "error" in sent:
        raise OpenIdSignInRefused(
            SignInProblem.DECLINED, "the provider did not sign you in; begin again"
        )
    try:
        signed_in = finish_openid_sign_in(
            tools, request, sent.get("code", ""), sent.get("state", ""), find_attempt(http)
        )
    except FailedPrecondition as error:
        if not error.violations:
            raise
        return _TEMPLATES.show_in(
            page_words(ROOM, http),
            "organizations.html",
            400,
            organizations=[one.subject for one in error.violations],
        )
    response = enter(http, signed_in.token)
    response.headers.append("Set-Cookie", keep_attempt(http, "", 0)["Set-Cookie"])
    return response


def _arguments(http: HttpRequest) -> dict[str, str]:
    try:
        sent = parse_qs(http.query, max_num_fields=_MOST_ARGUMENTS)
    except ValueError:
        return {}
    return {name: values[0] for name, values in sent.items()}


def _lead(url: str, cookie: str) -> Response:
    headers = {"Location": url, "Set-Cookie": cookie, "Referrer-Policy": "no-referrer"}
    return Response(b"", 303, headers=headers)
