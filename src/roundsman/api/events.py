"""The event log at the door."""

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.events import RenderedEvent
from roundsman.operations import event_log
from roundsman.operations.paging import Page
from roundsman.wire.v2024_07.events import EventsAnswer, show_event
from roundsman.wire.v2024_07.queries import ListEvents


def _list_events(call: Call) -> Page[RenderedEvent]:
    return event_log.list_events(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[RenderedEvent]) -> bytes:
    shown = tuple(show_event(told.event, told.payload) for told in page.rows)
    return msgspec.json.encode(EventsAnswer(events=shown, next_cursor=page.next_cursor))


OPERATIONS = (
    Operation(
        id="listEvents",
        method="GET",
        path="/events",
        summary="List events as they were sent, page by page, oldest first",
        tag="Events",
        handle=_list_events,
        query=ListEvents,
        answer=EventsAnswer,
        render=_encode_page,
    ),
)
