"""Where a driver is, told at the door by the app, or by a tracker that runs beside it."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

import msgspec
from msgspec.structs import replace

from roundsman.endpoints.access import Admitted, DriverDevice, HttpRequest, admit_device
from roundsman.endpoints.operation import Answer, Operations
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.operations import driver_positions, driver_sessions
from roundsman.operations.driver_positions import TakenPositions
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.driver.answers import TrackerAnswer
from roundsman.wire.driver.positions import PositionBatch, find_token, read_positions

PATH = "/driver/api/positions"


@dataclass(frozen=True, slots=True)
class DeviceOrTracker:
    """A device, or a tracker, that names its token in whichever way it can.

    As a bearer (the app), as the password of Basic (OwnTracks), or as the device's name in the
    query or the body (Traccar Client).
    """

    has_credentials = True

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Let in who has a session."""
        return admit_device(tools, _token_of(http), may_be_tracker=True)


def _token_of(http: HttpRequest) -> str:
    scheme, _, value = http.headers.get("authorization", "").partition(" ")
    match scheme.lower():
        case "bearer":
            return value.strip()
        case "basic":
            return _password(value.strip())
        case _:
            return find_token(http.query, http.body)


def _password(encoded: str) -> str:
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


OPERATIONS = Operations("Positions", DriverDevice())


@dataclass(frozen=True, slots=True)
class _Taken:
    positions: TakenPositions
    is_own_tracks: bool


def _encode(taken: _Taken) -> bytes:
    # OwnTracks reads what it is answered as a list of messages.
    return b"[]" if taken.is_own_tracks else msgspec.json.encode(taken.positions)


def _describe_positions(schemas: Schemas) -> Schema:
    forms = [schemas.of(PositionBatch), {"type": "object"}]
    return {"application/json": {"schema": {"anyOf": forms}}}


# One position is kept once: those of ten seconds count as one.
@OPERATIONS.add(
    "POST",
    "/positions",
    summary="Tell where the driver is, in our form, Traccar Client's or OwnTracks'",
    access=DeviceOrTracker(),
    answer=Answer(TakenPositions, _encode),
    keeps_answers=False,
    describe_body=_describe_positions,
    body_may_be_absent=True,
    ignores_query=True,
)
def take_positions(tools: Tools, http: HttpRequest, request: Request) -> _Taken:
    """Tell where the driver is, one position or a batch; kept on duty only, one in ten seconds."""
    told = read_positions(http.query, http.body)
    fixes = told.fixes
    if isinstance(told.sent_at, datetime):
        ahead = tools.clock.now() - told.sent_at
        fixes = [replace(fix, at=fix.at + ahead) for fix in fixes]
    taken = driver_positions.take_positions(tools, request, fixes)
    return _Taken(taken, told.is_own_tracks)


@OPERATIONS.add(
    "POST",
    "/tracker",
    summary="Get the token of a tracker, in place of an earlier one",
)
def connect_tracker(tools: Tools, request: Request) -> TrackerAnswer:
    """Get a token for a tracking app beside this one, which may do nothing else; the one before
    works no more.
    """
    token = driver_sessions.connect_tracker(tools, request)
    return TrackerAnswer(token=token, url=f"{tools.address.url}{PATH}")
