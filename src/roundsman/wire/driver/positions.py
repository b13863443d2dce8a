"""Positions as devices and trackers tell them: our own batches, Traccar Client's, OwnTracks'.

Traccar Client sends JSON since version 9 and a query (the OsmAnd protocol) before; OwnTracks sends
JSON of several kinds, of which one is a position. Each names its token where it can.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import parse_qs

from msgspec import Meta

from roundsman.domain.address import Coordinates
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import DriverFix
from roundsman.wire.json_text import parse_json_of_any_depth
from roundsman.wire.reading import read_value
from roundsman.wire.scalars import kind_of

MOST_POSITIONS = 500
_MILLISECONDS = 10_000_000_000
"""Seconds since 1970 are below, milliseconds above."""


class SentPosition(Model):
    """One of our own batch."""

    coordinates: Coordinates
    accuracy_meters: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0
    at: datetime


class PositionBatch(Model):
    """Our own form: what a device has kept while it had no network."""

    positions: Annotated[tuple[SentPosition, ...], Meta(min_length=1, max_length=MOST_POSITIONS)]
    sent_at: datetime | UnsetType = UNSET


@dataclass(frozen=True, kw_only=True, slots=True)
class SentPositions:
    """What was told, and how the program that told it wants to be answered."""

    fixes: Sequence[DriverFix]
    sent_at: datetime | UnsetType = UNSET
    is_own_tracks: bool = False


def find_token(query: str, body: bytes) -> str:
    """Return the token that Traccar Client sends as its device's name; empty without one."""
    named = parse_qs(query)
    for name in ("id", "deviceid"):
        if named.get(name):
            return named[name][0]
    if not body:
        return ""
    try:
        said = parse_json_of_any_depth(body)
    except InvalidArgument:
        return ""
    found = said.get("device_id") if isinstance(said, dict) else None
    return found if isinstance(found, str) else ""


def read_positions(query: str, body: bytes) -> SentPositions:
    """Return what was told; raise InvalidArgument naming what cannot be read."""
    named = parse_qs(query)
    if "lat" in named or "location" in named:
        return SentPositions(fixes=(_of_query({name: one[0] for name, one in named.items()}),))
    said = parse_json_of_any_depth(body)
    if not isinstance(said, dict):
        raise InvalidArgument(f"body must be an object, not {kind_of(said)}")
    if "_type" in said:
        fixes = (_of_own_tracks(said),) if said["_type"] == "location" else ()
        return SentPositions(fixes=fixes, is_own_tracks=True)
    if "location" in said:
        return SentPositions(fixes=(_of_traccar(said["location"]),))
    batch = read_value(said, PositionBatch)
    batched = tuple(
        DriverFix(coordinates=one.coordinates, accuracy_meters=one.accuracy_meters, at=one.at)
        for one in batch.positions
    )
    return SentPositions(fixes=batched, sent_at=batch.sent_at)


def _of_query(said: Mapping[str, str]) -> DriverFix:
    if "location" in said:
        latitude, _, longitude = said["location"].partition(",")
    else:
        latitude, longitude = said["lat"], said.get("lon", "")
    return _fix(
        {"lat": latitude, "lon": longitude},
        at=_instant(said.get("timestamp", ""), "timestamp"),
        accuracy=said.get("accuracy", 0),
    )


def _of_own_tracks(said: Mapping[str, Any]) -> DriverFix:
    return _fix(said, at=_instant(said.get("tst"), "tst"), accuracy=said.get("acc", 0))


def _of_traccar(said: Any) -> DriverFix:
    place = said.get("coords") if isinstance(said, dict) else None
    if not isinstance(place, dict):
        raise _wrong("location.coords", "is required")
    return _fix(
        {"lat": place.get("latitude"), "lon": place.get("longitude")},
        at=_instant(said.get("timestamp"), "location.timestamp"),
        accuracy=place.get("accuracy", 0),
    )


def _fix(place: Mapping[str, Any], *, at: datetime, accuracy: Any) -> DriverFix:
    said = {
        "latitude": _number(place.get("lat"), "latitude"),
        "longitude": _number(place.get("lon"), "longitude"),
    }
    return DriverFix(
        coordinates=read_value(said, Coordinates),
        # A tracker that cannot say how exact it is says something below zero.
        accuracy_meters=max(0.0, min(_number(accuracy, "accuracy"), 1e6)),
        at=at,
    )


def _number(value: Any, field: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    try:
        return float(str(value))
    except ValueError:
        raise _wrong(field, "must be a number") from None


def _instant(value: Any, field: str) -> datetime:
    """Read seconds or milliseconds since 1970, or a text of ISO 8601."""
    text = str(value)
    try:
        if text.isdecimal():
            seconds = int(text)
            seconds = seconds // 1000 if seconds > _MILLISECONDS else seconds
            return datetime.fromtimestamp(seconds, UTC)
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise _wrong(field, "must be seconds since 1970, or a time of ISO 8601") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _wrong(field: str, description: str) -> InvalidArgument:
    violation = FieldViolation(field=field, description=description)
    return InvalidArgument(f"{field} {description}", [violation])
