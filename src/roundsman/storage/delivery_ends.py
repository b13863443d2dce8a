"""When the deliveries of old rows are over, by their own days and by the routes that they are on.

A row may be old because nobody has changed it since a customer ordered far ahead.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import and_, select, update

from roundsman.domain.delivery_end import end_of_order, end_of_route, end_of_stop
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.store_order import StoreOrder
from roundsman.storage.database import Transaction
from roundsman.storage.evidence_tables import retention_holds
from roundsman.storage.tables import route_stop_origins, routes

_read_route = msgspec.json.Decoder(Route).decode
_read_stop = msgspec.json.Decoder(ImportedStop).decode
_read_order = msgspec.json.Decoder(StoreOrder).decode


class ChangedDocument(NamedTuple):
    """A route, an imported stop or an order, and when it was changed last."""

    id: str
    changed_at: datetime
    body: str


def find_delivery_ends(
    tx: Transaction, organization_id: str, table: str, documents: Sequence[ChangedDocument]
) -> Mapping[str, datetime]:
    """Return when the delivery of each is over, or will be: never before its latest change."""
    if table == "routes":
        return {one.id: end_of_route(_read_route(one.body)) for one in documents}
    on_routes = _find_route_ends(tx, organization_id, [one.id for one in documents])
    if table == "imported_stops":
        return {
            one.id: end_of_stop(_read_stop(one.body), one.changed_at, on_routes[one.id])
            for one in documents
        }
    return {
        one.id: end_of_order(_read_order(one.body), one.changed_at, on_routes[one.id])
        for one in documents
    }


def bring_forward_holds(
    tx: Transaction, organization_id: str, row_ids: Collection[str], moment: datetime
) -> None:
    """Have held rows be held until then, where that is sooner: what they waited for has changed."""
    holds = retention_holds.c
    is_later = (holds.organization_id == organization_id, holds.until > moment)
    waiting = update(retention_holds).where(*is_later, holds.row_id.in_(row_ids))
    tx.execute(waiting.values(until=moment))


def bring_forward_stops(
    tx: Transaction, organization_id: str, route_ids: Collection[str], moment: datetime
) -> None:
    """Do the same for routes and for the stops and orders that are on them."""
    origins = route_stop_origins.c
    of_routes = select(origins.origin_id).where(
        origins.organization_id == organization_id, origins.route_id.in_(route_ids)
    )
    origin_ids = tx.execute(of_routes).scalars()
    bring_forward_holds(tx, organization_id, {*route_ids, *origin_ids}, moment)


def _find_route_ends(
    tx: Transaction, organization_id: str, origin_ids: Sequence[str]
) -> Mapping[str, tuple[datetime, ...]]:
    """Return when the routes of stops and orders are over, as far as their rows say.

    A route that is longer on the road than until the day it leaves is held itself: its stops in
    the pool wait with it.
    """
    origins, holds = route_stop_origins.c, retention_holds.c
    held = and_(holds.organization_id == organization_id, holds.row_id == origins.route_id)
    found = tx.execute(
        select(origins.origin_id, routes.c.updated_at, routes.c.scheduled_for, holds.until)
        .select_from(route_stop_origins)
        .join(routes, routes.c.id == origins.route_id)
        .outerjoin(retention_holds, held)
        .where(origins.organization_id == organization_id, origins.origin_id.in_(origin_ids))
    )
    ends: dict[str, tuple[datetime, ...]] = defaultdict(tuple)
    for origin_id, changed_at, scheduled_for, until in found:
        ends[origin_id] += (max(changed_at, scheduled_for, until or changed_at),)
    return ends
