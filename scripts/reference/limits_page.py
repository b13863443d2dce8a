"""The limits of the interface: the fixed ones from their constants, bounds from its description."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from scripts.reference.markdown import code, page, table

from roundsman.api.app import describe
from roundsman.domain.errors import MOST_VIOLATIONS
from roundsman.domain.planned_days import FIRST_DAY, LAST_DAY
from roundsman.domain.quota import (
    MOST_ROUTE_BYTES,
    MOST_STOP_BYTES,
    MOST_STOPS,
    RATINGS_TOLD_EVERY,
    USUAL_QUOTA_BYTES,
)
from roundsman.domain.route_actions import POSITIONS_KEPT_EVERY
from roundsman.domain.webhook_subscription import MOST_SUBSCRIPTIONS
from roundsman.endpoints.access import CLIENT_RATE
from roundsman.endpoints.bodies import MOST_BODY_BYTES, MOST_OPEN_BODY_BYTES
from roundsman.endpoints.connections import MOST_HEAD_BYTES
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations.api_clients import TOKEN_LIFETIME
from roundsman.operations.drivers import INVITE_LIFETIME
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.paging import DEFAULT_LIMIT
from roundsman.operations.sign_in_limits import PER_ADDRESS, PER_CLIENT, PER_PAIR, SIGN_INS
from roundsman.wire.field_mask import LONGEST_MASK
from roundsman.wire.json_text import MAX_DEPTH
from roundsman.wire.query import LONGEST_QUERY

_INTRO = """
For the integrator. What is over a limit is refused by name, and nothing of it is stored.
"""
_RATE = """
Every answer to an authenticated request says how full the bucket is: `RateLimit-Limit` (its size),
`RateLimit-Remaining`, `RateLimit-Reset` (seconds until it is full); a refused one also
`Retry-After`. Refused requests cost nothing.
"""
_BOUNDS = {
    "maxLength": "at most {} characters",
    "minItems": "at least {}",
    "maxItems": "at most {} elements",
    "minimum": "at least {}",
    "maximum": "at most {}",
}


def limits_page() -> str:
    """Return the page."""
    description = json.loads(describe())
    shapes = description["components"]["schemas"]
    requests = {
        name.removesuffix("Input"): shape["properties"]
        for name, shape in sorted(shapes.items())
        if shape.get("additionalProperties") is False  # an answer is bounded by the service
    }
    shown = [
        f"### {name}\n\n{told}" for name, fields in requests.items() if (told := _told(fields))
    ]
    return page(
        "Limits",
        _INTRO,
        table(["Limit", "Value"], _fixed()),
        _RATE,
        "## Bodies that are lists",
        table(["Operation", "Elements"], _lists(description["paths"])),
        "## Fields of requests\n\nA field that is not listed has no bound but its type's.",
        *shown,
    )


def _fixed() -> Sequence[tuple[str, str]]:
    return (
        ("Requests of one API client", _rate(CLIENT_RATE)),
        ("Failures to authenticate, of one address and client ID", _rate(PER_PAIR)),
        ("Failures to authenticate, of one address", _rate(PER_ADDRESS)),
        ("Failures to authenticate, of one client ID from unknown addresses", _rate(PER_CLIENT)),
        ("Sign-ins of one client ID", _rate(SIGN_INS)),
        ("Life of an access token", f"{TOKEN_LIFETIME.total_seconds():.0f} s"),
        (
            "Life of a kept answer to an `Idempotency-Key`",
            f"{KEPT_FOR.total_seconds() / 3600:.0f} h",
        ),
        ("Life of an invite link", f"{INVITE_LIFETIME.days} days"),
        ("Webhooks of an organization", str(MOST_SUBSCRIPTIONS)),
        ("Stops of a route", f"{MOST_STOPS:,}"),
        ("Size of a stop as it is stored", f"{MOST_STOP_BYTES // 1024} KiB"),
        ("Size of a route as it is stored", f"{MOST_ROUTE_BYTES // 1024**2} MiB"),
        (
            "What an organization stores",
            f"{USUAL_QUOTA_BYTES // 1024**3} GiB, or `ROUNDSMAN_QUOTA_BYTES`",
        ),
        ("Positions of a driver that are kept", _every(POSITIONS_KEPT_EVERY)),
        ("Events of one customer's link", _every(RATINGS_TOLD_EVERY)),
        ("Page of a list", f"1 to 200, {DEFAULT_LIMIT} when not said"),
        ("Depth of a body", f"{MAX_DEPTH} levels"),
        ("Size of a body", f"{MOST_BODY_BYTES // 1024**2} MiB"),
        ("Size of a body without credentials", f"{MOST_OPEN_BODY_BYTES // 1024} KiB"),
        ("Length of an `updateMask`", f"{LONGEST_MASK:,} characters"),
        ("Length of a query", f"{LONGEST_QUERY:,} characters"),
        ("Violations that an answer lists, before it counts", str(MOST_VIOLATIONS)),
        ("Size of a request line with its headers", f"{MOST_HEAD_BYTES // 1024} KiB"),
        ("`Idempotency-Key`", "1 to 255 printable ASCII characters"),
        ("A duration", "not negative, at most 7 days"),
        ("A day or moment that is planned", f"in the years {FIRST_DAY.year} to {LAST_DAY.year}"),
    )


def _rate(rate: Rate) -> str:
    minute = 60_000_000 / rate.interval_micros
    steady = f"{minute / 60:g} a second" if minute >= 60 else f"{minute:g} a minute"
    return f"{steady}, bursts of {rate.capacity}"


def _lists(paths: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for path, methods in paths.items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            if schema.get("type") == "array":
                yield code(f"{method.upper()} {path}"), ", ".join(_bounds_of(schema))


def _told(fields: dict[str, Any]) -> str:
    rows = [
        (code(name), ", ".join(bounds))
        for name, schema in fields.items()
        if (bounds := list(_bounds_of(schema)))
    ]
    return table(["Field", "Bounds"], rows) if rows else ""


def _bounds_of(schema: dict[str, Any]) -> Iterator[str]:
    for choice in schema.get("anyOf", ()):
        yield from _bounds_of(choice)
    for keyword, words in _BOUNDS.items():
        if keyword in schema:
            yield words.format(f"{schema[keyword]:,}")
    if "pattern" in schema:
        yield schema.get("description", code(schema["pattern"]))
    if "enum" in schema:
        yield f"one of {', '.join(map(code, schema['enum']))}"
    if "items" in schema:
        yield from (f"each {bound}" for bound in _bounds_of(schema["items"]))


def _every(interval: timedelta) -> str:
    return f"one in {interval.total_seconds():.0f} seconds"
