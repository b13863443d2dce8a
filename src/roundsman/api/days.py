"""A day in one answer, at the door."""

import msgspec
from starlette.responses import Response

from roundsman.domain.day import Day
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.conditional import has_already
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import days
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Days", ApiClient(), Scope.READ)


class TaggedDay(msgspec.Struct, frozen=True):
    """A day, and the tag under which it is shown."""

    day: Day
    tag: str


_DAY: Answer[TaggedDay] = Answer(
    Day,
    lambda tagged: msgspec.json.encode(tagged.day),
    lambda tagged: {"ETag": f'"{tagged.tag}"'},
    {"ETag": "Changes with what is shown; send it as If-None-Match."},
)


@OPERATIONS.add(
    "GET",
    "/days/{date}",
    summary="Get the routes of a day with their stops in columns, and what is on no route",
    answer=_DAY,
)
def get_day(tools: Tools, http: HttpRequest, request: Request, date: str) -> TaggedDay | Response:
    """Read a whole day: its routes with stops in columns, and what is on no route. Made for a map
    or a board; follow `/changes` from its version.
    """
    state = days.find_day(tools, request.organization_id, date)
    unchanged = has_already(http, state.tag)
    return unchanged or TaggedDay(days.read_day(tools, request.organization_id, state), state.tag)
