"""The page of one delivery: what its JSON says, in the customer's language and local time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from starlette.responses import Response

from roundsman.domain.brand_color import readable_color
from roundsman.domain.customer_note import MOST_NOTE_CHARACTERS, CustomerNote
from roundsman.domain.errors import NotFound, ResourceExhausted, RoundsmanError
from roundsman.domain.model import UnsetType
from roundsman.domain.organization import Language
from roundsman.domain.rating import CustomerRating
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.route_views import TrackPoint
from roundsman.domain.tracking import (
    ExpiredTracking,
    TrackedAttempt,
    TrackedDelivery,
    Tracking,
    TrackingStatus,
    great_circle_meters,
)
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.pages import reader_language, safe_headers
from roundsman.kit.languages import Words, words_of
from roundsman.kit.template_files import TemplateFiles
from roundsman.kit.time_zones import say_clock_times
from roundsman.notifications.texts import read_words
from roundsman.operations.tracking import LIGHT_BACKGROUND, TrackingView
from roundsman.operations.tracking_links import TRACKING_PATH, UNSUBSCRIBE

_TEMPLATES = TemplateFiles("roundsman.tracking")
_LONGEST_COMMENT = 1_500
_LONGEST_SHOWN = 4 * _LONGEST_COMMENT
"""How much of a text that is too long is shown again, to be shortened."""

DARK_BACKGROUND = "#1b1f27"
_USUAL_COLOR = "#1d4ed8"
_ALLOWED = ("script-src 'self'", "connect-src 'self'", "img-src 'self'")
_SOON = timedelta(minutes=90)

_STEPS: Mapping[TrackingStatus, int] = {
    TrackingStatus.PLANNED: 1,
    TrackingStatus.ON_THE_WAY: 2,
    TrackingStatus.NEXT: 3,
    TrackingStatus.DELIVERED: 4,
}
"""How many of four steps are behind a delivery; one that went wrong shows none."""

_ASKED_EVERY_SECONDS: Mapping[TrackingStatus, int] = {
    TrackingStatus.PLANNED: 60,
    TrackingStatus.ON_THE_WAY: 60,
    TrackingStatus.NEXT: 20,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What a form was filled in with, to be shown again when something is wrong with it."""

    form: str = ""
    note: str = ""
    rating: int = 0
    comment: str = ""


_NOTHING_SENT = Sent()


def render_tracking(
    http: HttpRequest,
    view: TrackingView,
    sent: Sent = _NOTHING_SENT,
    error: RoundsmanError | None = None,
) -> Response:
    """Return the page of a delivery; after an error with the form as it was filled in."""
    words = _words_for(http, view.organization.language)
    if isinstance(view.shown, ExpiredTracking):
        lines = _say_expired(view.shown, words, view.now)
        values = {"status": view.shown.status, "lines": lines, "can_rate": False, "can_note": False}
        return _render(http, words, view, _all(values), 200 if error is None else 400)
    values = _say_tracking(view.shown, view, words)
    values |= _fill_forms(view, view.shown, sent, words)
    if error is not None:
        values["wrong"] = _say_wrong(sent, view.shown, words)
    return _render(http, words, view, _all(values), 200 if error is None else 400)


def render_error(http: HttpRequest, error: RoundsmanError, status: int) -> Response:
    """Return a page that says why there is nothing to show; it is the same for every such link."""
    words = _words_for(http, Language.ENGLISH)
    match error:
        case NotFound():
            title, text = words.say("broken.title"), words.say("broken.text")
        case ResourceExhausted():
            title, text = words.say("busy.title"), words.say("busy.text")
        case _:
            title, text = words.say("wrong"), f"{error.message[:1].upper()}{error.message[1:]}."
    return _respond("error.html", status, "", {"words": words, "title": title, "text": text})


def render_unsubscribing(http: HttpRequest, view: TrackingView, *, is_done: bool) -> Response:
    """Return the page on which a customer asks for no more e-mail, or that says that so it is."""
    words = _words_for(http, view.organization.language)
    values = {
        "words": words,
        "name": view.organization.name,
        "texts": read_words(Language(words.language))["unsubscribe"],
        "path": f"{TRACKING_PATH}/{http.parameters['token']}/{UNSUBSCRIBE}",
        "is_done": is_done,
    }
    return _respond("unsubscribe.html", 200, view.organization.color, values)


def _words_for(http: HttpRequest, usual: Language) -> Words:
    return words_of("roundsman.tracking", reader_language(http, usual))


_DEFAULTS: Mapping[str, Any] = {
    "order_name": "",
    "window": "",
    "is_expected": False,
    "lines": (),
    "photos": (),
    "steps": 0,
    "every_seconds": 0,
    "note": "",
    "kept_note": "",
    "rating": 0,
    "comment": "",
    "kept_rating": 0,
    "wrong": "",
    "most_note": MOST_NOTE_CHARACTERS,
    "most_comment": _LONGEST_COMMENT,
}


def _all(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**_DEFAULTS, **values}


def _render(
    http: HttpRequest, words: Words, view: TrackingView, values: Mapping[str, Any], status: int
) -> Response:
    shown = view.shown.organization
    known = {
        "words": words,
        "name": shown.name,
        "path": f"{TRACKING_PATH}/{http.parameters['token']}",
        "phone": shown.phone or "",
        "logo_url": _path_of(shown.logo_url or ""),
        "can_call": isinstance(shown.phone, str),
    }
    return _respond("tracking.html", status, view.organization.color, {**known, **values})


def _respond(template: str, status: int, color: str, values: Mapping[str, Any]) -> Response:
    brand = color or _USUAL_COLOR
    style = _TEMPLATES.render(
        "style.css",
        light=readable_color(brand, LIGHT_BACKGROUND),
        dark=readable_color(brand, DARK_BACKGROUND),
        light_background=LIGHT_BACKGROUND,
        dark_background=DARK_BACKGROUND,
    )
    page = _TEMPLATES.render(template, style=style, **values)
    return Response(
        page,
        status,
        media_type="text/html",
        headers={**safe_headers(style, *_ALLOWED), "X-Robots-Tag": "noindex"},
    )


def _say_expired(shown: ExpiredTracking, words: Words, now: datetime) -> list[str]:
    if isinstance(shown.delivered_on, UnsetType):
        return [words.say("over")]
    return [words.name_day(date.fromisoformat(shown.delivered_on), now.date())]


def _say_tracking(shown: Tracking, view: TrackingView, words: Words) -> dict[str, Any]:
    zone = ZoneInfo(shown.timezone)
    delivered = shown.delivered
    photos = () if isinstance(delivered, UnsetType) else delivered.photos or ()
    return {
        "status": shown.status,
        "order_name": shown.order_name,
        "steps": _STEPS.get(shown.status, 0),
        "every_seconds": _ASKED_EVERY_SECONDS.get(shown.status, 0),
        "window": _say_window(shown, view.now, zone, words),
        "is_expected": not isinstance(shown.window, UnsetType),
        "lines": [line for line in _say_details(shown, view, words) if line],
        "photos": [_path_of(photo) for photo in photos],
        "can_note": shown.can_note,
        "can_rate": view.stop is not None and view.stop.is_done(),
    }


def _path_of(url: str) -> str:
    """Return an address of ours as the page may load it, by whatever name it was reached."""
    return urlsplit(url).path


def _say_window(shown: Tracking, now: datetime, zone: ZoneInfo, words: Words) -> str:
    """Return when the driver comes, or when they came."""
    if isinstance(shown.window, UnsetType):
        done = shown.delivered or shown.attempted
        return "" if isinstance(done, UnsetType) else _say_instant(done.at, now, zone, words)
    first_day = shown.window.start.astimezone(zone).date()
    day = words.name_day(first_day, now.astimezone(zone).date())
    start, end = say_clock_times(shown.window.start, shown.window.end, zone)
    return f"{day}, {start} \N{EN DASH} {end}"


def _say_instant(instant: datetime, now: datetime, zone: ZoneInfo, words: Words) -> str:
    local = instant.astimezone(zone)
    return f"{words.name_day(local.date(), now.astimezone(zone).date())}, {local:%H:%M}"


def _say_details(shown: Tracking, view: TrackingView, words: Words) -> list[str]:
    match shown.status:
        case TrackingStatus.CANCELLED:
            return [words.say("cancelled")]
        case TrackingStatus.ATTEMPTED:
            return [_say_failure(shown.attempted, words), words.say("attempted")]
        case TrackingStatus.DELIVERED:
            delivered = shown.delivered
            if isinstance(delivered, UnsetType):
                return []
            return [_say_receiver(delivered, words), delivered.note or ""]
        case _:
            return [*_say_progress(shown, view, words), _say_driver(shown, words)]


def _say_failure(attempted: TrackedAttempt | UnsetType, words: Words) -> str:
    """Return why not: in the customer's language, or as the organization has written it."""
    if isinstance(attempted, UnsetType):
        return ""
    return attempted.reason_text or words.say(f"reason.{attempted.reason}")


def _say_receiver(delivered: TrackedDelivery, words: Words) -> str:
    """Return with whom goods were left, by the name that the driver gave: as the JSON has it."""
    name = delivered.recipient_name or ""
    if isinstance(delivered.left_with, UnsetType):
        return words.say("received_by", name=name) if name else ""
    place = words.say(f"left_with.{delivered.left_with}")
    return f"{place} \N{MIDDLE DOT} {name}" if name else place


def _say_progress(shown: Tracking, view: TrackingView, words: Words) -> list[str]:
    lines = []
    stop = view.stop
    expected = None if stop is None else stop.updated_arrival
    if shown.status is TrackingStatus.NEXT and isinstance(expected, datetime):
        left = expected - view.now
        if timedelta() < left < _SOON:
            lines.append(words.say("soon", minutes=ceil(left / timedelta(minutes=1))))
    if not isinstance(shown.stops_before, UnsetType) and shown.stops_before:
        lines.append(words.count("stops_before", shown.stops_before))
    if not isinstance(shown.position, UnsetType) and stop is not None:
        lines.append(_say_distance(shown.position, stop, ZoneInfo(shown.timezone), words))
    if isinstance(shown.window, UnsetType):
        lines.append(words.say("late" if isinstance(expected, datetime) else "no_time"))
    return lines


def _say_distance(driver: TrackPoint, stop: RouteStop, zone: ZoneInfo, words: Words) -> str:
    """Return how far the driver was, and when: a phone without network has not been heard since."""
    meters = great_circle_meters(driver.coordinates, stop.planned_coordinates)
    kilometers = words.write_decimal(f"{max(0.5, round(meters / 500) / 2):g}")
    return words.say("nearby", kilometers=kilometers, time=f"{driver.at.astimezone(zone):%H:%M}")


def _say_driver(shown: Tracking, words: Words) -> str:
    driver = shown.driver
    if isinstance(driver, UnsetType) or isinstance(driver.first_name, UnsetType):
        return ""
    return words.say("driver", name=driver.first_name)


def _fill_forms(view: TrackingView, shown: Tracking, sent: Sent, words: Words) -> dict[str, Any]:
    """Return what stands in the forms: what was sent and was wrong, or what is known."""
    note = None if view.stop is None else view.stop.customer_note
    known_note = note.note if isinstance(note, CustomerNote) else ""
    rating = shown.rating
    known = rating if isinstance(rating, CustomerRating) else None
    is_rated_again = sent.form == "rating"
    return {
        "note": (sent.note if sent.form == "note" else known_note)[:_LONGEST_SHOWN],
        "kept_note": known_note,
        "kept_rating": 0 if known is None else known.rating,
        "rating": sent.rating if is_rated_again else (known.rating if known else 0),
        "comment": (sent.comment if is_rated_again else (known.comment if known else ""))[
            :_LONGEST_SHOWN
        ],
        "stars": [words.count("stars", number) for number in range(1, 6)],
    }


def _say_wrong(sent: Sent, shown: Tracking, words: Words) -> str:
    """Return what keeps a form from being taken."""
    if sent.form == "note":
        if not shown.can_note:
            return words.say("note.late")
        if sent.note:
            return words.say("note.long", most=MOST_NOTE_CHARACTERS)
        return words.say("note.missing")
    if shown.status not in {TrackingStatus.DELIVERED, TrackingStatus.ATTEMPTED}:
        return words.say("rating.early")
    if sent.rating:
        return words.say("rating.long", most=f"{_LONGEST_COMMENT:,}")
    return words.say("rating.missing")
