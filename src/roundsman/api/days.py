"""A day in one answer, and its routes made once more on another day, at the door."""

import msgspec
from starlette.responses import Response

from roundsman.domain.day import Day, DayMatches
from roundsman.domain.day_copy import DayCopy
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query, SearchDay
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.conditional import has_already
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.operations import day_copies, days
from roundsman.operations.request import Request
from roundsman.operations.tools import RenderedAnswer, Tools
from roundsman.wire.current_version import DayCopyBody

OPERATIONS = Operations("Days", ApiClient(), Scope.READ)


_DAY: Answer[RenderedAnswer] = Answer(
    Day,
    lambda rendered: rendered.body,
    lambda rendered: rendered.headers,
    {"ETag": "Changes with what is shown; send it as If-None-Match."},
)


@OPERATIONS.add(
    "GET",
    "/days/{date}",
    summary="Get the routes of a day with their stops in columns, and what is on no route",
    answer=_DAY,
)
def get_day(
    tools: Tools, http: HttpRequest, request: Request, date: str
) -> RenderedAnswer | Response:
    """Read a whole day: its routes with stops in columns, and what is on no route. Made for a map
    or a board; follow `/changes` from its version.
    """
    state = days.find_day(tools, request.organization_id, date)
    return has_already(http, state.tag) or _render_day(tools, request.organization_id, state)


@OPERATIONS.add(
    "GET",
    "/days/{date}/matches",
    summary="Find routes, stops and what is on no route of a day by a text",
)
def search_day(tools: Tools, request: Request, date: str, query: Query[SearchDay]) -> DayMatches:
    """Find what of a day has a text in a name, company, order name, phone number, e-mail address
    or address: routes, which of their stops, and what is on no route. Case does not count, nor how
    a phone number is written.
    """
    return days.search_day(tools, request.organization_id, date, query.arguments.text)


@OPERATIONS.add(
    "POST",
    "/days/{date}/copies",
    scope=Scope.WRITE,
    summary="Make the routes of another day once more on this one; all or none",
    pool=Pool.CHANGE,
)
def copy_day(tools: Tools, request: Request, date: str, body: DayCopyBody) -> DayCopy:
    """Copy what a planner said of routes and their stops, for rounds that are driven every week:
    departures keep their time by local clocks, and nothing that happened comes along. Stops of
    shop orders, and crews that are archived, are left out with a warning. Every request makes a
    further set. Answers 409 while somebody's data are being erased. Records
    IMPORTED_STOP_CREATED for each stop and ROUTE_CREATED for each route.
    """
    return day_copies.copy_day(tools, request, date, body.from_, body.route_ids)


def _render_day(tools: Tools, organization_id: str, state: days.DayState) -> RenderedAnswer:
    """Return a day as it was written last, where nothing of it has changed since.

    Several planners follow a day, and each reads it again after every change. Whoever reads may
    see more than the tag says, never less (`read_day`), and a tag does not come again.
    """
    key = organization_id, state.span.date
    kept = tools.recent_days.find(key)
    if kept and kept.tag == state.tag:
        return kept
    body = msgspec.json.encode(days.read_day(tools, organization_id, state))
    rendered = RenderedAnswer(state.tag, body, {"ETag": f'"{state.tag}"'})
    tools.recent_days.keep(key, rendered, len(body))
    return rendered
