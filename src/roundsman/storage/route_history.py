"""The changes of a route: events that share a payload, newest first."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import and_, func, or_, select

from roundsman.domain.event import Actor
from roundsman.domain.route_history import RecordedChange, RecordedRoute
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import event_payloads, events

_OF_ONE_CHANGE = timedelta(milliseconds=1)
"""How far the events of one change are apart: a microsecond for each of an object."""

_read_route = msgspec.json.Decoder(RecordedRoute).decode
_read_actor = msgspec.json.Decoder(Actor).decode


def select_changes(  # noqa: PLR0913 -- what is asked for, and which page of it
    tx: Transaction,
    organization_id: str,
    route_id: str,
    object_ids: Sequence[str],
    starting: datetime,
    after: Position | None,
    count: int,
) -> list[tuple[Position, RecordedChange]]:
    """Return a page of what happened to a route, or to stops while they were on it."""
    is_of_route = or_(
        events.c.object_id == route_id, events.c.summary.contains(f'"{route_id}"', autoescape=True)
    )
    wanted = and_(
        events.c.object_id.in_(object_ids),
        without_index(events.c.organization_id) == organization_id,
        events.c.timestamp >= starting,
        events.c.payload_id.is_not(None),
        is_of_route,
    )
    latest = func.max(events.c.timestamp).label("timestamp")
    changes = (
        select(events.c.payload_id, latest).where(wanted).group_by(events.c.payload_id).subquery()
    )
    sort = (changes.c.timestamp, changes.c.payload_id)
    page = fetch_page(tx, select(changes), sort, after, newest_first=True, count=count)
    found = _read_changes(tx, wanted, [row.payload_id for _, row in page])
    return [(position, found[row.payload_id]) for position, row in page]


def _read_changes(tx: Transaction, wanted: object, ids: Sequence[str]) -> dict[str, RecordedChange]:
    rows = tx.execute(
        select(events.c.payload_id, events.c.topic, events.c.object_id, events.c.actor)
        .add_columns(events.c.timestamp)
        .where(wanted, events.c.payload_id.in_(ids))  # type: ignore[arg-type] # made above
        .order_by(events.c.timestamp, events.c.id)
    ).all()
    bodies = tx.execute(select(event_payloads).where(event_payloads.c.id.in_(ids))).all()
    routes = {row.id: _read_route(row.body) for row in bodies}
    changes: dict[str, RecordedChange] = {}
    for row in rows:
        change = changes.setdefault(
            row.payload_id,
            RecordedChange(
                id=row.payload_id,
                at=row.timestamp,
                actor=_read_actor(row.actor),
                topics={},
                route=routes[row.payload_id],
            ),
        )
        topics: dict[Topic, list[str]] = change.topics  # type: ignore[assignment] # filled here
        topics.setdefault(Topic(row.topic), []).append(row.object_id)
    return changes


def find_others_changed(
    tx: Transaction, organization_id: str, route_id: str, at: datetime
) -> list[tuple[RecordedRoute | None, RecordedRoute]]:
    """Return the other routes of the same change, each as it was before and after."""
    rows = tx.execute(
        select(events.c.object_id, events.c.timestamp, event_payloads.c.body)
        .join(event_payloads, event_payloads.c.id == events.c.payload_id)
        .where(
            events.c.organization_id == organization_id,
            events.c.timestamp.between(at - _OF_ONE_CHANGE, at + _OF_ONE_CHANGE),
            events.c.topic == Topic.ROUTE_UPDATED.value,
            events.c.object_id != route_id,
        )
    ).all()
    return [
        (_find_before(tx, organization_id, row.object_id, row.timestamp), _read_route(row.body))
        for row in rows
    ]


def _find_before(
    tx: Transaction, organization_id: str, route_id: str, at: datetime
) -> RecordedRoute | None:
    body = tx.execute(
        select(event_payloads.c.body)
        .join(events, event_payloads.c.id == events.c.payload_id)
        .where(
            events.c.object_id == route_id,
            without_index(events.c.organization_id) == organization_id,
            events.c.timestamp < at,
        )
        .order_by(events.c.timestamp.desc())
        .limit(1)
    ).scalar()
    return None if body is None else _read_route(body)
