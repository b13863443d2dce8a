"""Rating a delivery: a page for customers in a browser, JSON for scripts, on the same address."""

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from roundsman.domain.errors import InvalidArgument, RoundsmanError
from roundsman.domain.rating import CustomerRating, RatingDraft
from roundsman.domain.route_stop import RouteStop
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.bodies import require_json
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.pages import Templates, prefers_page, read_page_form
from roundsman.endpoints.responses import JsonResponse
from roundsman.operations import ratings
from roundsman.operations.tools import Tools
from roundsman.wire.reading import read_body, read_value

_TEMPLATES = Templates("roundsman.visitors")
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
    filled = _read_rating(http)
    try:
        draft = _draft(http) if filled is None else read_value(filled, RatingDraft)
    except InvalidArgument:
        if filled is None or not wants_page:
            raise
        return _show_form_again(tools, token, filled)
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
    message = error.message[:1].upper() + error.message[1:]
    page = _show("rating_error.html", plain.status_code, message=message)
    if "retry-after" in plain.headers:
        page.headers["Retry-After"] = plain.headers["retry-after"]
    return page


def _draft(http: HttpRequest) -> RatingDraft:
    require_json(http.headers)
    if not http.body.strip():
        raise InvalidArgument("body is missing; send JSON")
    return read_body(http.body, RatingDraft)


def _read_rating(http: HttpRequest) -> dict[str, object] | None:
    """Return what a form holds; None for any other body."""
    sent = read_page_form(http)
    if sent is None:
        return None
    rating = sent.get("rating", "")
    comment = sent.get("comment", "").replace("\r\n", "\n").strip()
    chosen = {"rating": int(rating)} if rating in {"1", "2", "3", "4", "5"} else {}
    return {**chosen, "comment": comment}


def _show_form_again(tools: Tools, token: str, filled: Mapping[str, object]) -> Response:
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
    delivery: dict[str, Any] = {"order_name": stop.order_name, "organization": organization}
    if not stop.is_done():
        return _show("rating_too_early.html", **delivery)
    known = stop.customer_rating
    if wrong or not isinstance(known, CustomerRating):
        given = filled or {}
        comment = str(given.get("comment", ""))[:_LONGEST_SHOWN]
        return _show(
            "rating_wanted.html",
            400 if wrong else 200,
            **delivery,
            wrong=wrong,
            rating=given.get("rating"),
            comment=comment,
            longest_comment=_LONGEST_COMMENT,
        )
    return _show(
        "rating_given.html",
        **delivery,
        rating=known.rating,
        comment=known.comment,
        longest_comment=_LONGEST_COMMENT,
    )


def _show(template: str, status: int = 200, **values: object) -> Response:
    page = _TEMPLATES.show(template, status, **values)
    page.headers["Vary"] = "Accept"
    return page


def _answer(body: object) -> Response:
    return JsonResponse(msgspec.json.encode(body), headers={"Vary": "Accept"})
