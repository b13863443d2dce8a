"""The page that an invite link opens: the driver's app, around a form that needs no script."""

from starlette.responses import Response

from roundsman.domain.errors import FailedPrecondition, NotFound, RoundsmanError
from roundsman.driver.app_files import APP_HEADERS, PREFIX, put_into_app
from roundsman.driver.sessions import INVITED, accept
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import Templates, page_words
from roundsman.operations.driver_sessions import look_at_invite
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Pages", INVITED)

_ROOM = "roundsman.driver"
_TEMPLATES = Templates(_ROOM)


def _show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say in words what is wrong with an invite; who is signed in already may go on."""
    words = page_words(_ROOM, http)
    return _TEMPLATES.show_dead_link(
        words,
        error,
        error_response(error).status_code,
        is_dead=isinstance(error, NotFound | FailedPrecondition),
        ways={PREFIX: words.say("open")},
    )


@OPERATIONS.add("GET", "/invite/{token}", show_error=_show_error)
def show_invite_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    invite = look_at_invite(tools, token)
    form = _TEMPLATES.render(
        "invite.html",
        words=page_words(_ROOM, http, invite.organization.language),
        first_name=invite.driver.first_name,
        organization=invite.organization.name,
    )
    headers = {**APP_HEADERS, "Vary": "Accept-Language"}
    return Response(put_into_app(form), media_type="text/html", headers=headers)


@OPERATIONS.add("POST", "/invite/{token}", show_error=_show_error)
def accept_on_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Sign the driver up and show what the driver app asks for."""
    signed_in = accept(tools, http, token, "browser")
    return _TEMPLATES.show_in(
        page_words(_ROOM, http, signed_in.organization.language),
        "signed_up.html",
        first_name=signed_in.driver.first_name,
        token=signed_in.token,
    )
