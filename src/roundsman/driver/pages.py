"""The page that an invite link opens in a browser: one button, no assets, no script."""

import html

from starlette.responses import Response

from roundsman.domain.errors import RoundsmanError
from roundsman.doors.door import Arrival
from roundsman.doors.errors import error_response
from roundsman.driver.signing_in import accept
from roundsman.operations.sign_up import look_at_invite
from roundsman.operations.work import Tools

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem }}
button {{ font: inherit; padding: .7rem 1.4rem; width: 100% }}
code {{ overflow-wrap: anywhere }}
</style>
</head>
<body>
<h1>{title}</h1>
{content}
</body>
</html>
"""  # noqa: E501 -- a style rule a line
_SAFE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def show_invite_page(tools: Tools, arrival: Arrival) -> Response:
    """Ask the invited driver to accept."""
    invite = look_at_invite(tools, arrival.parameters["token"])
    name = html.escape(invite.driver.first_name)
    organization = html.escape(invite.organization_name)
    return _page(
        f"Drive for {organization}",
        f"<p>Hello {name}, {organization} invites you to drive their routes.</p>"
        '<form method="post"><button>Accept</button></form>',
    )


def accept_on_page(tools: Tools, arrival: Arrival) -> Response:
    """Sign the driver up and show what the driver app asks for."""
    signed_in = accept(tools, arrival, "browser")
    return _page(
        "You are signed up",
        f"<p>Welcome, {html.escape(signed_in.driver.first_name)}. This key signs a device in; "
        "it is shown this once. Give it to nobody.</p>"
        f"<p><code>{html.escape(signed_in.token)}</code></p>",
    )


def show_error_page(error: RoundsmanError) -> Response:
    """Say in words what is wrong with an invite."""
    status = error_response(error).status_code
    told = error.message[:1].upper() + error.message[1:]
    return _page("This link does not work", f"<p>{html.escape(told)}.</p>", status)


def _page(title: str, content: str, status: int = 200) -> Response:
    page = _PAGE.format(title=title, content=content)
    return Response(page, status, media_type="text/html", headers=_SAFE)
