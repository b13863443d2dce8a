"""What is known of customers' links beside the stops that they lead to.

A link is worked out from a stop and how often its link was revoked, so a stop whose link nobody
ever revoked has no row. A stop that is taken off its route leaves one, so that its link goes on to
say what has become of the delivery.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, delete, insert, or_, select, update

from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing
from roundsman.storage.tables import route_stop_origins as origins
from roundsman.storage.tables import routes
from roundsman.storage.tables import tracking_links as links


class TrackedStop(NamedTuple):
    """Where a stop is, what it was made from, and how often its link was revoked."""

    organization_id: str
    route_id: str
    """Empty for a stop that is on no route any more."""

    origin_id: str
    times_revoked: int
    removed_at: datetime | None = None


def find_tracked_stop(tx: Transaction, stop_id: str) -> TrackedStop | None:
    """Return what is known of a stop, whosever it is: who asks holds a link to it."""
    on_route = tx.execute(
        select(
            origins.c.organization_id,
            origins.c.route_id,
            origins.c.origin_id,
            links.c.times_revoked,
        )
        .outerjoin(links, links.c.stop_id == origins.c.stop_id)
        .where(origins.c.stop_id == stop_id)
    ).first()
    if on_route is not None:
        organization_id, route_id, origin_id, revoked = on_route
        return TrackedStop(organization_id, route_id, origin_id, revoked or 0)
    row = tx.execute(select(links).where(links.c.stop_id == stop_id)).first()
    if row is None:
        return None
    return TrackedStop(row.organization_id, "", row.origin_id, row.times_revoked, row.removed_at)


def find_stop_origins(
    tx: Transaction, organization_id: str, stop_ids: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Return for stops the route that each is on, empty for none, and what it was made from.

    Stops that were never on a route, or were taken off long ago, are left out.
    """
    removed = tx.execute(
        select(links.c.stop_id, links.c.origin_id).where(
            links.c.organization_id == organization_id,
            links.c.stop_id.in_(stop_ids),
            links.c.removed_at.is_not(None),
        )
    )
    found = {stop_id: ("", origin_id) for stop_id, origin_id in removed}
    on_route = tx.execute(
        select(origins.c.stop_id, origins.c.route_id, origins.c.origin_id).where(
            origins.c.organization_id == organization_id, origins.c.stop_id.in_(stop_ids)
        )
    )
    return found | {stop_id: (route_id, origin_id) for stop_id, route_id, origin_id in on_route}


def find_latest_stop(tx: Transaction, organization_id: str, origin_id: str) -> tuple[str, str]:
    """Return the newest route, and the stop on it, made from an origin; empty where none is."""
    row = tx.execute(
        select(origins.c.route_id, origins.c.stop_id)
        .join(routes, routes.c.id == origins.c.route_id)
        .where(origins.c.organization_id == organization_id, origins.c.origin_id == origin_id)
        .order_by(routes.c.archived_at.is_not(None), routes.c.created_at.desc(), origins.c.stop_id)
        .limit(1)
    ).first()
    return ("", "") if row is None else (row.route_id, row.stop_id)


def count_revocation(tx: Transaction, organization_id: str, stop_id: str) -> None:
    """Count that the link to one of the organization's stops was revoked.

    Links of stops that were taken off and were made from the same origin lead to the same delivery:
    they are revoked with it.
    """
    row = {
        "stop_id": stop_id,
        "organization_id": organization_id,
        "times_revoked": 0,
        "origin_id": "",
        "removed_at": None,
    }
    insert_missing(tx, links, row, keys=["stop_id"])
    made_from = [
        select(table.c.origin_id).where(
            table.c.organization_id == organization_id,
            table.c.stop_id == stop_id,
            table.c.origin_id != "",
        )
        for table in (origins, links.alias("own"))
    ]
    earlier = and_(
        links.c.removed_at.is_not(None), or_(*(links.c.origin_id.in_(one) for one in made_from))
    )
    tx.execute(
        update(links)
        .where(links.c.organization_id == organization_id, or_(links.c.stop_id == stop_id, earlier))
        .values(times_revoked=links.c.times_revoked + 1)
    )


class RemovedStop(NamedTuple):
    """A stop that was taken off its route, and what it was made from."""

    stop_id: str
    organization_id: str
    origin_id: str


def note_removed_stops(tx: Transaction, removed: Sequence[RemovedStop], now: datetime) -> None:
    """Keep what links to stops need to know that are on no route any more."""
    if not removed:
        return
    known = set(
        tx.execute(
            select(links.c.stop_id).where(links.c.stop_id.in_([one.stop_id for one in removed]))
        ).scalars()
    )
    for one in removed:
        if one.stop_id in known:
            tx.execute(
                update(links)
                .where(links.c.stop_id == one.stop_id)
                .values(origin_id=one.origin_id, removed_at=now)
            )
    rows = [
        {**one._asdict(), "times_revoked": 0, "removed_at": now}
        for one in removed
        if one.stop_id not in known
    ]
    if rows:
        tx.execute(insert(links), rows)


def remove_old_links(tx: Transaction, organization_id: str, before: datetime, count: int) -> int:
    """Forget so many of an organization's stops that were removed before a moment."""
    old = (
        select(links.c.stop_id)
        .where(links.c.organization_id == organization_id, links.c.removed_at < before)
        .limit(count)
    )
    return tx.execute(delete(links).where(links.c.stop_id.in_(old))).rowcount
