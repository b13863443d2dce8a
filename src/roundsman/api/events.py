"""The event log at the door."""

import msgspec

from roundsman.domain.event import RenderedEvent
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListEvents, Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import event_log
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import EventsAnswer, show_event

OPERATIONS = Operations("Events", ApiClient(), Scope.WRITE)


def _encode_page(page: Page[RenderedEvent]) -> bytes:
    shown = tuple(show_event(one.event, one.payload) for one in page.rows)
    return msgspec.json.encode(EventsAnswer(events=shown, next_cursor=page.next_cursor))


@OPERATIONS.add(
    "GET",
    "/events",
    summary="List events as they were sent, page by page, oldest first",
    answer=Answer(EventsAnswer, _encode_page),
)
def list_events(tools: Tools, request: Request, query: Query[ListEvents]) -> Page[RenderedEvent]:
    """Walk what happened, oldest first. An integration that was away catches up from the timestamp
    it has seen last.
    """
    return event_log.list_events(tools, request.organization_id, query)
