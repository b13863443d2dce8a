"""Reading the event log: what happened, in order, for those who missed it."""

from roundsman.domain.event import RenderedEvent
from roundsman.domain.queries import ListEvents, Query
from roundsman.operations.paging import Page, list_page
from roundsman.operations.retention import find_events_start
from roundsman.operations.tools import Tools
from roundsman.storage import events as stored
from roundsman.storage.database import Transaction
from roundsman.storage.events import EventFilter
from roundsman.storage.keyset import Position


def list_events(
    tools: Tools, organization_id: str, query: Query[ListEvents]
) -> Page[RenderedEvent]:
    """Return a page of events with their payloads, oldest first."""

    def fetch(
        tx: Transaction, arguments: ListEvents, after: Position | None, count: int
    ) -> list[tuple[Position, RenderedEvent]]:
        oldest = find_events_start(tools, tx, organization_id)
        wanted = EventFilter(
            topic=arguments.topic or None,
            object_id=arguments.object_id,
            starting=max(arguments.timestamp_start or oldest, oldest),
            ending=arguments.timestamp_end or None,
        )
        return stored.select_events(tx, organization_id, wanted, after, count)

    return list_page(tools, organization_id, "events", query, fetch)
