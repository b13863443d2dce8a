"""Errors as pages for whoever opens an address by hand; programs keep getting JSON.

One place in front of all doors, so that no door needs to know about it. Only a request that a
browser makes to show a page is concerned: GET or HEAD, no credentials, and an `Accept` that prefers
HTML to JSON.
"""

import json
from collections.abc import Iterable
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from roundsman.domain.organization import Language
from roundsman.endpoints.pages import Templates, prefers_page
from roundsman.kit.languages import choose_language, words_of

_LOWEST_ERROR = 400
_UNAUTHENTICATED = 401
_NOT_FOUND = 404
_WRONG_METHOD = 405
_TOO_MANY = 429
_SERVER_ERROR = 500
_KEPT = (
    b"x-request-id",
    b"retry-after",
    b"allow",
    b"www-authenticate",
    b"strict-transport-security",
)
"""Headers of the JSON answer that mean the same on the page."""

_TEMPLATES = Templates("roundsman.endpoints")


def wants_error_page(scope: Scope) -> bool:
    """Say whether a browser asks, in order to show what it gets to a person."""
    if scope["method"] not in {"GET", "HEAD"}:
        return False
    accept = _find(scope["headers"], b"accept")
    if b"text/html" not in accept or _find(scope["headers"], b"authorization"):
        return False
    return prefers_page(accept.decode("latin-1"))


def as_page(scope: Scope, receive: Receive, send: Send) -> Send:
    """Return what a door sends its answer to: an error in JSON goes on as a page."""
    started: list[Message] = []
    body: list[bytes] = []

    async def pass_on(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_error(message):
            started.append(message)
        elif not started:
            await send(message)
        else:
            body.append(message.get("body", b""))
            if not message.get("more_body", False):
                await _page_of(scope, started[0], b"".join(body))(scope, receive, send)

    return pass_on


def _is_error(start: Message) -> bool:
    kind = _find(start["headers"], b"content-type")
    return bool(start["status"] >= _LOWEST_ERROR and kind.startswith(b"application/json"))


def _page_of(asked: Scope, start: Message, body: bytes) -> Any:
    status: int = start["status"]
    accepted = _find(asked["headers"], b"accept-language").decode("latin-1")
    words = words_of("roundsman.endpoints", choose_language(accepted, Language.ENGLISH))
    name, text, english = _choose_text(status, _read_message(body))
    page = _TEMPLATES.show_in(
        words,
        "error.html",
        status,
        title=words.say(f"{name}.title"),
        text=words.say(f"{name}.{text}") if text else "",
        english=english,
    )
    page.raw_headers += [(name, value) for name, value in start["headers"] if name in _KEPT]
    page.headers["Cache-Control"] = "no-store"
    page.headers["Vary"] = "Accept, Accept-Language"
    return page


def _choose_text(status: int, message: str) -> tuple[str, str, str]:
    """Return which words a status has, which text of them, and what is there in English alone.

    `message` is what a program would read; none is written for every reader.
    """
    told = f"{message[:1].upper()}{message[1:]}."
    if status in {_UNAUTHENTICATED, _WRONG_METHOD}:
        return "programs", "text", ""
    if status == _NOT_FOUND and message in {"", "no such path"}:
        return "missing", "text", ""
    if status == _NOT_FOUND:
        return "missing", "", told
    if status == _TOO_MANY:
        return "busy", "text", ""
    if status >= _SERVER_ERROR:
        return "failed", "ours", ""
    return ("failed", "", told) if message else ("failed", "unread", "")


def _read_message(body: bytes) -> str:
    try:
        told = json.loads(body)
    except ValueError:
        return ""
    return str(told.get("message", "")) if isinstance(told, dict) else ""


def _find(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    return next((value for name, value in headers if name == wanted), b"")
