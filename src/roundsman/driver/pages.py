"""The page that an invite link opens: the driver's app, around a form that needs no script."""

from starlette.responses import Response

from roundsman.domain.errors import RoundsmanError
from roundsman.driver.app_files import APP_HEADERS, put_into_app
from roundsman.driver.sessions import INVITED, accept
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import Templates
from roundsman.operations.driver_sessions import look_at_invite
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Pages", INVITED)

_TEMPLATES = Templates("roundsman.driver")


def _show_error(_http: HttpRequest, error: RoundsmanError) -> Response:
    """Say in words what is wrong with an invite."""
    status = error_response(error).status_code
    message = error.message[:1].upper() + error.message[1:]
    return _TEMPLATES.show("invite_error.html", status, message=message)


@OPERATIONS.add("GET", "/invite/{token}", show_error=_show_error)
def show_invite_page(tools: Tools, token: str) -> Response:
    invite = look_at_invite(tools, token)
    form = _TEMPLATES.render(
        "invite.html",
        first_name=invite.driver.first_name,
        organization=invite.organization_name,
    )
    return Response(put_into_app(form), media_type="text/html", headers=dict(APP_HEADERS))


@OPERATIONS.add("POST", "/invite/{token}", show_error=_show_error)
def accept_on_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Sign the driver up and show what the driver app asks for."""
    signed_in = accept(tools, http, token, "browser")
    return _TEMPLATES.show(
        "signed_up.html", first_name=signed_in.driver.first_name, token=signed_in.token
    )
