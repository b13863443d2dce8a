"""Reading the drivers' journals: what devices submitted, and what was kept for the planner."""

from roundsman.domain.actions import JournalEntry
from roundsman.domain.queries import ListDriverActions, Query
from roundsman.operations.paging import Page, list_page
from roundsman.operations.tools import Tools
from roundsman.storage import journal as stored
from roundsman.storage.database import Transaction
from roundsman.storage.journal import JournalFilter
from roundsman.storage.keyset import Position

type Line = tuple[JournalEntry, bytes]


def list_journal(tools: Tools, organization_id: str, query: Query[ListDriverActions]) -> Page[Line]:
    """Return a page of submitted actions, oldest first."""

    def fetch(
        tx: Transaction, arguments: ListDriverActions, after: Position | None, count: int
    ) -> list[tuple[Position, Line]]:
        wanted = JournalFilter(
            route_id=arguments.route_id,
            driver_id=arguments.driver_id,
            outcome=arguments.outcome or None,
        )
        return stored.list_entries(tx, organization_id, wanted, after, count)

    return list_page(tools, organization_id, "driver actions", query, fetch)
