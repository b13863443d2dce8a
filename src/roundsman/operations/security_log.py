"""Reading the log of security events, newest first."""

from roundsman.domain.queries import ListSecurityEvents, Query
from roundsman.domain.security_event import SECURITY_EVENTS_KEPT_FOR, SecurityEvent
from roundsman.operations.paging import Page, list_page
from roundsman.operations.tools import Tools
from roundsman.storage import security_events as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.security_events import SecurityEventFilter

_LONGEST_WAIT_SECONDS = 1


def list_security_events(
    tools: Tools, organization_id: str, query: Query[ListSecurityEvents]
) -> Page[SecurityEvent]:
    """Return a page of security events, failures that this process has just answered among them."""
    tools.failures.wait(_LONGEST_WAIT_SECONDS)

    def fetch(
        tx: Transaction, asked: ListSecurityEvents, after: Position | None, count: int
    ) -> list[tuple[Position, SecurityEvent]]:
        oldest = tools.clock.now() - SECURITY_EVENTS_KEPT_FOR
        wanted = SecurityEventFilter(
            kind=asked.kind or None, since=max(asked.since or oldest, oldest)
        )
        return stored.select_security_events(tx, organization_id, wanted, after, count)

    return list_page(tools, organization_id, "security events", query, fetch)
