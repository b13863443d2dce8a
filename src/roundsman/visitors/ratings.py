"""Links to rate a delivery that were sent before there was a page to follow it; they lead there."""

from starlette.responses import Response

from roundsman.domain.errors import RoundsmanError
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.pages import Templates, prefers_page
from roundsman.operations import ratings
from roundsman.operations.tools import Tools

_TEMPLATES = Templates("roundsman.visitors")
_HEADERS = {"Referrer-Policy": "no-referrer", "Vary": "Accept"}


def show_rating(tools: Tools, token: str) -> Response:
    """Lead to the page of the delivery."""
    page = ratings.find_page_of_rating(tools, token)
    return Response(b"", 303, headers={"Location": page, **_HEADERS})


def rate_stop(tools: Tools, token: str) -> Response:
    """Have whoever sends a rating send it again to the page of the delivery, as it is."""
    page = ratings.find_page_of_rating(tools, token)
    return Response(b"", 308, headers={"Location": f"{page}/rating", **_HEADERS})


def show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say to a browser in words what is wrong with a link, or with what was sent to it."""
    plain = error_response(error)
    if not prefers_page(http.headers.get("accept", "")):
        plain.headers["Vary"] = "Accept"
        return plain
    message = error.message[:1].upper() + error.message[1:]
    page = _TEMPLATES.show("rating_error.html", plain.status_code, message=message)
    page.headers["Vary"] = "Accept"
    if "retry-after" in plain.headers:
        page.headers["Retry-After"] = plain.headers["retry-after"]
    return page
