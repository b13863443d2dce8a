"""The customers' door put together: one delivery's page, its JSON, and what may be sent to it."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from roundsman.domain.customer_note import CustomerNoteDraft
from roundsman.domain.errors import FailedPrecondition, InvalidArgument, RoundsmanError
from roundsman.domain.rating import RatingDraft
from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.bodies import require_json
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import prefers_json, read_page_form
from roundsman.endpoints.responses import CONFINED, JsonResponse
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations import customer_changes, message_refusals, organizations, tracking
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import TRACKING_PATH
from roundsman.tracking.pages import Sent, render_error, render_tracking, render_unsubscribing
from roundsman.wire.reading import read_body, read_value

CUSTOMER = Anybody("customer", Rate(capacity=240, interval_micros=50_000))
"""20 requests a second for each address, bursts of 240: a page of photos is many at once."""

OPERATIONS = Operations("Customers", CUSTOMER)

_JSON_ENDING = ".json"
_VARIES = "Accept, Accept-Language"
_LOGO_LASTS = "public, max-age=31536000, immutable"


def show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say what is wrong: to a browser on a page in its language, to a script in JSON."""
    plain = error_response(error)
    if _wants_json(http):
        plain.headers["Vary"] = _VARIES
        return plain
    page = _vary(render_error(http, error, plain.status_code))
    if "retry-after" in plain.headers:
        page.headers["Retry-After"] = plain.headers["retry-after"]
    return page


def _wants_json(http: HttpRequest) -> bool:
    """Say whether a script asks: by the path, by what it accepts, or by what it sends."""
    if http.path.endswith(_JSON_ENDING) or prefers_json(http.headers.get("accept", "")):
        return True
    return http.method == "POST" and read_page_form(http) is None


@OPERATIONS.add("GET", "/track.js", most_body_bytes=0)
def show_script(http: HttpRequest) -> Response:
    return answer_file(http, _read_script(), "text/javascript", {})


@cache
def _read_script() -> bytes:
    return files("roundsman.tracking").joinpath("track.js").read_bytes()


@OPERATIONS.add("GET", "/logo/{logoId}", show_error=show_error)
def show_logo(tools: Tools, logo_id: str) -> Response:
    logo = organizations.read_logo(tools, logo_id)
    return _show_picture(logo.data, logo.media_type, _LOGO_LASTS)


@OPERATIONS.add("GET", "/{token}", show_error=show_error)
def show_tracking(tools: Tools, http: HttpRequest, token: str) -> Response:
    view = tracking.view_delivery(tools, token.removesuffix(_JSON_ENDING))
    return _answer(view.shown) if _wants_json(http) else _vary(render_tracking(http, view))


@OPERATIONS.add("POST", "/{token}/note", show_error=show_error)
def leave_customer_note(tools: Tools, http: HttpRequest, token: str) -> Response:
    form = read_page_form(http)
    if form is None:
        kept = customer_changes.leave_note(tools, token, _read_json(http, CustomerNoteDraft))
        return _answer({"customerNote": kept})
    note = _tidy(form.get("note", ""))

    def leave() -> object:
        draft = read_value({"note": note}, CustomerNoteDraft)
        return customer_changes.leave_note(tools, token, draft)

    return _take_form(tools, http, token, Sent(form="note", note=note), leave)


@OPERATIONS.add("GET", "/{token}/rating", show_error=show_error)
def show_rating_form(token: str) -> Response:
    """Lead to the page, where the form is; a rating may be sent to this address by itself."""
    return _lead_to_page(token)


@OPERATIONS.add("POST", "/{token}/rating", show_error=show_error)
def rate_customer_delivery(tools: Tools, http: HttpRequest, token: str) -> Response:
    form = read_page_form(http)
    if form is None:
        kept = customer_changes.rate_delivery(tools, token, _read_json(http, RatingDraft))
        return _answer({"customerRating": kept})
    rating, comment = form.get("rating", ""), _tidy(form.get("comment", ""))
    chosen = int(rating) if rating in {"1", "2", "3", "4", "5"} else 0

    def rate() -> object:
        draft = read_value({"rating": chosen, "comment": comment}, RatingDraft)
        return customer_changes.rate_delivery(tools, token, draft)

    return _take_form(tools, http, token, Sent(form="rating", rating=chosen, comment=comment), rate)


@OPERATIONS.add("GET", "/{token}/unsubscribe", show_error=show_error)
def show_unsubscribing(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Ask on a page: programs that look into letters follow their links, too."""
    view = tracking.view_delivery(tools, token)
    return _vary(render_unsubscribing(http, view, is_done=False))


@OPERATIONS.add("POST", "/{token}/unsubscribe", show_error=show_error)
def unsubscribe_customer(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Send a customer no more e-mail: by the page's button, or by a mail program (RFC 8058)."""
    message_refusals.refuse_email(tools, token)
    view = tracking.view_delivery(tools, token)
    return _vary(render_unsubscribing(http, view, is_done=True))


@OPERATIONS.add("GET", "/{token}/photos/{number}", show_error=show_error)
def show_proof_photo(tools: Tools, token: str, number: str) -> Response:
    picture = tracking.read_proof_photo(tools, token, number)
    return _show_picture(picture.data, picture.media_type, "private, max-age=60")


def _read_json[T](http: HttpRequest, shape: type[T]) -> T:
    require_json(http.headers)
    if not http.body.strip():
        raise InvalidArgument("body is missing; send JSON")
    return read_body(http.body, shape)


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _take_form(
    tools: Tools, http: HttpRequest, token: str, sent: Sent, take: Callable[[], object]
) -> Response:
    """Keep what a form holds, and lead back to the page; or show it again, saying what is wrong."""
    try:
        take()
    except (InvalidArgument, FailedPrecondition) as error:
        if _wants_json(http):
            raise
        view = tracking.view_delivery(tools, token)
        return _vary(render_tracking(http, view, sent, error))
    # What follows is a page of its own: loading it again sends nothing again.
    return _lead_to_page(token)


def _lead_to_page(token: str) -> Response:
    page = f"{TRACKING_PATH}/{quote(token)}"
    return Response(b"", 303, headers={"Location": page, "Vary": _VARIES})


def _show_picture(data: bytes, media_type: str, kept: str) -> Response:
    headers = {
        "Cache-Control": kept,
        "Content-Security-Policy": CONFINED,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex",
    }
    return Response(data, media_type=media_type, headers=headers)


def _answer(body: object) -> Response:
    headers = {"Vary": _VARIES, "X-Robots-Tag": "noindex"}
    return JsonResponse(msgspec.json.encode(body), headers=headers)


def _vary(page: Response) -> Response:
    page.headers["Vary"] = _VARIES
    return page


def open_tracking_door() -> Door:
    """Return the customers' door."""
    return Door(prefix=TRACKING_PATH, operations=OPERATIONS.listed)
