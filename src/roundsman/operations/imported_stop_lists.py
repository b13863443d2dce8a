"""Lists of imported stops, and of the routes that hold one."""

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import AssignedRoute
from roundsman.domain.sort_key import SortKey
from roundsman.operations.imported_stops import find_referred
from roundsman.operations.paging import Page, list_page
from roundsman.operations.route_changes import assign
from roundsman.operations.work import Tools
from roundsman.storage import imported_stops as stored
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import StopFilter
from roundsman.storage.keyset import Position
from roundsman.storage.routes import list_routes_of_origin
from roundsman.wire.query import Query
from roundsman.wire.v2024_07.queries import ListImportedStops


def list_imported_stops(
    tools: Tools, organization_id: str, query: Query[ListImportedStops]
) -> Page[ImportedStop]:
    """Return a page of stops."""

    def fetch(
        tx: Transaction, asked: ListImportedStops, after: Position | None, count: int
    ) -> list[tuple[Position, ImportedStop]]:
        wanted = StopFilter(
            by_update=asked.sort_key is SortKey.UPDATED_AT,
            starting=asked.timestamp_start or None,
            ending=asked.timestamp_end or None,
            unrouted=asked.unrouted,
        )
        return stored.select_imported_stops(tx, organization_id, wanted, after, count)

    return list_page(tools, organization_id, "imports", query, fetch)


def list_routes_with_stop(
    tools: Tools, organization_id: str, reference: str
) -> tuple[AssignedRoute, ...]:
    """Return the routes that have a stop made from this one, archived ones too."""
    with tools.database.reading() as tx:
        stop = find_referred(tx, organization_id, reference)
        found = list_routes_of_origin(tx, organization_id, stop.id)
        return tuple(assign(tx, organization_id, route) for route in found)
