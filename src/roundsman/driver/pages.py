"""The page that an invite link opens in a browser: one button, no assets, no script."""

import html

from starlette.responses import Response

from roundsman.domain.errors import RoundsmanError
from roundsman.driver.sessions import INVITED, accept
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import show_page
from roundsman.operations.sign_up import look_at_invite
from roundsman.operations.work import Tools

OPERATIONS = Operations("Pages", INVITED)


def _show_error(_http: HttpRequest, error: RoundsmanError) -> Response:
    """Say in words what is wrong with an invite."""
    status = error_response(error).status_code
    message = error.message[:1].upper() + error.message[1:]
    return show_page("This link does not work", f"<p>{html.escape(message)}.</p>", status)


@OPERATIONS.add("GET", "/invite/{token}", show_error=_show_error)
def show_invite_page(tools: Tools, token: str) -> Response:
    invite = look_at_invite(tools, token)
    name = html.escape(invite.driver.first_name)
    organization = html.escape(invite.organization_name)
    return show_page(
        f"Drive for {organization}",
        f"<p>Hello {name}, {organization} invites you to drive their routes.</p>"
        '<form method="post"><button>Accept</button></form>',
    )


@OPERATIONS.add("POST", "/invite/{token}", show_error=_show_error)
def accept_on_page(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Sign the driver up and show what the driver app asks for."""
    signed_in = accept(tools, http, token, "browser")
    return show_page(
        "You are signed up",
        f"<p>Welcome, {html.escape(signed_in.driver.first_name)}. This key signs a device in; "
        "it is shown this once. Give it to nobody.</p>"
        f"<p><code>{html.escape(signed_in.token)}</code></p>",
    )
