"""Rating a delivery: a page for customers in a browser, JSON for scripts, on the same address."""

import html
from collections.abc import Mapping
from urllib.parse import parse_qs

import msgspec
from starlette.responses import Response

from roundsman.domain.customer_rating import RatingDraft
from roundsman.domain.errors import InvalidArgument, RoundsmanError
from roundsman.domain.proof import CustomerRating
from roundsman.domain.route_stop import RouteStop
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.bodies import require_json
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.pages import prefers_page, show_page
from roundsman.endpoints.responses import JsonResponse
from roundsman.operations import ratings
from roundsman.operations.work import Tools
from roundsman.wire.reading import read_body, read_value

_FORM = "application/x-www-form-urlencoded"
_WORDS = ("very poor", "poor", "fair", "good", "very good")
_LONGEST_COMMENT = 1_500
_LONGEST_SHOWN = 4 * _LONGEST_COMMENT
"""How much of a comment that is too long is shown again, to be shortened."""


def show_rating(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Say what has been rated, if anything, or ask for it."""
    stop, organization = ratings.find_rated_stop(tools, token)
    if prefers_page(http.headers.get("accept", "")):
        return _page_of(stop, organization)
    shown = {"done": stop.is_done(), "customerRating": stop.customer_rating}
    return _answer({name: value for name, value in shown.items() if value is not msgspec.UNSET})


def rate_stop(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Keep a rating, from a form or a script."""
    wants_page = prefers_page(http.headers.get("accept", ""))
    filled = _read_form(http)
    try:
        draft = _draft(http) if filled is None else read_value(filled, RatingDraft)
    except InvalidArgument:
        if filled is None or not wants_page:
            raise
        return _ask_again(tools, token, filled)
    kept = ratings.rate_stop(tools, token, draft)
    if wants_page:
        # What follows is a page of its own: loading it again sends nothing again.
        return Response(b"", 303, headers={"Location": token, "Vary": "Accept"})
    return _answer({"customerRating": kept})


def show_error(http: HttpRequest, error: RoundsmanError) -> Response:
    """Say to a browser in words what is wrong with a link, or with what was sent to it."""
    plain = error_response(error)
    if not prefers_page(http.headers.get("accept", "")):
        plain.headers["Vary"] = "Accept"
        return plain
    told = html.escape(error.message[:1].upper() + error.message[1:])
    page = _page("This did not work", f'<p role="alert">{told}.</p>', plain.status_code)
    if "retry-after" in plain.headers:
        page.headers["Retry-After"] = plain.headers["retry-after"]
    return page


def _draft(http: HttpRequest) -> RatingDraft:
    require_json(http.headers)
    if not http.body.strip():
        raise InvalidArgument("body is missing; send JSON")
    return read_body(http.body, RatingDraft)


def _read_form(http: HttpRequest) -> dict[str, object] | None:
    """Return what a form holds; None for any other body."""
    kind = http.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        return None
    try:
        sent = parse_qs(http.body.decode(), keep_blank_values=True, max_num_fields=10)
    except ValueError:
        return {}
    rating = sent.get("rating", [""])[0]
    comment = sent.get("comment", [""])[0].replace("\r\n", "\n").strip()
    chosen = {"rating": int(rating)} if rating in {"1", "2", "3", "4", "5"} else {}
    return {**chosen, "comment": comment}


def _ask_again(tools: Tools, token: str, filled: Mapping[str, object]) -> Response:
    """Return the form as it was filled in, saying what is missing."""
    wrong = (
        f"Please write at most {_LONGEST_COMMENT:,} characters."
        if "rating" in filled
        else "Please choose a rating from 1 to 5."
    )
    stop, organization = ratings.find_rated_stop(tools, token)
    return _page_of(stop, organization, filled, wrong)


def _page_of(
    stop: RouteStop, organization: str, filled: Mapping[str, object] | None = None, wrong: str = ""
) -> Response:
    name = html.escape(stop.order_name)
    of_order = f" of <strong>{name}</strong>" if name else ""
    what = f"the delivery{of_order} by <strong>{html.escape(organization)}</strong>"
    if not stop.is_done():
        told = f"<p>You can rate {what} here as soon as it has taken place.</p>"
        return _page("Not delivered yet", told)
    known = stop.customer_rating
    if wrong or not isinstance(known, CustomerRating):
        alert = f'<p class="alert" role="alert">{wrong}</p>' if wrong else ""
        content = f"<p>This is about {what}.</p>{alert}{_form(filled or {}, 'Send rating')}"
        return _page("How was your delivery?", content, 400 if wrong else 200)
    given = {"rating": known.rating, "comment": known.comment}
    return _page(
        "Thank you for your rating",
        f'<p role="status">You gave {what} {known.rating} of 5. '
        f"You may still change your mind.</p>{_form(given, 'Change rating')}",
    )


def _page(title: str, content: str, status: int = 200) -> Response:
    page = show_page(title, content, status)
    page.headers["Vary"] = "Accept"
    return page


def _form(filled: Mapping[str, object], button: str) -> str:
    choices = "".join(
        f'<label><input type="radio" name="rating" value="{value}" required'
        f' aria-label="{value}, {words}"{" checked" if filled.get("rating") == value else ""}>'
        f"<b>{value}</b></label>"
        for value, words in enumerate(_WORDS, start=1)
    )
    comment = html.escape(str(filled.get("comment", ""))[:_LONGEST_SHOWN])
    return (
        f'<form method="post"><fieldset><legend>Your rating</legend>'
        f'<div class="choices">{choices}</div>'
        f'<p class="ends" aria-hidden="true"><span>{_WORDS[0]}</span><span>{_WORDS[-1]}</span></p>'
        f'</fieldset><label class="above" for="comment">Anything to add? (optional)</label>'
        f'<textarea id="comment" name="comment" maxlength="{_LONGEST_COMMENT}">\n{comment}'
        f"</textarea><button>{button}</button></form>"
    )


def _answer(body: object) -> Response:
    return JsonResponse(msgspec.json.encode(body), headers={"Vary": "Accept"})
