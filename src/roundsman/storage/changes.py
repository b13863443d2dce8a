"""The log of changes, numbered by organization in the order of commits.

Whoever adds to it holds the organization's row until the transaction ends, so a number that is seen
has no lower one that is still to come (`operations/unit_of_work.py`).
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, insert, select

from roundsman.domain.change import Change, ObjectKind
from roundsman.domain.model import UNSET
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.tables import changes


def add_changes(
    tx: Transaction, organization_id: str, made: Sequence[Change], now: datetime
) -> None:
    """Append changes in their order."""
    first = latest_number(tx, organization_id) + 1
    rows = [
        {
            "organization_id": organization_id,
            "number": first + offset,
            "at": now,
            "kind": change.kind.value,
            "object_id": change.id,
            "route_id": change.route_id or "",
            "version": change.version or 0,
            "topic": change.topic.value if isinstance(change.topic, Topic) else "",
        }
        for offset, change in enumerate(made)
    ]
    tx.execute(insert(changes), rows)


def latest_number(tx: Transaction, organization_id: str) -> int:
    """Return the number of the last change; 0 before the first."""
    return _one_number(tx, organization_id, func.max(changes.c.number))


def oldest_number(tx: Transaction, organization_id: str) -> int:
    """Return the number of the first change that is still kept; 0 where none ever was."""
    return _one_number(tx, organization_id, func.min(changes.c.number))


def _one_number(tx: Transaction, organization_id: str, wanted: ColumnElement[int]) -> int:
    found = tx.execute(select(wanted).where(changes.c.organization_id == organization_id))
    return int(found.scalar_one() or 0)


def list_changes_after(
    tx: Transaction, organization_id: str, number: int, most: int
) -> list[tuple[int, Change]]:
    """Return the changes after a number, in order, so many at most."""
    rows = tx.execute(
        select(changes)
        .where(changes.c.organization_id == organization_id, changes.c.number > number)
        .order_by(changes.c.number)
        .limit(most)
    )
    return [
        (
            row.number,
            Change(
                kind=ObjectKind(row.kind),
                id=row.object_id,
                route_id=row.route_id or UNSET,
                version=row.version or UNSET,
                topic=Topic(row.topic) if row.topic else UNSET,
            ),
        )
        for row in rows
    ]


def remove_old_changes(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest changes, but never the last, which the next is numbered after."""
    oldest = (
        select(changes.c.number)
        .where(
            changes.c.organization_id == organization_id,
            changes.c.at < before,
            changes.c.number < latest_number(tx, organization_id),
        )
        .order_by(changes.c.number)
        .limit(most)
    )
    return tx.execute(
        delete(changes).where(
            changes.c.organization_id == organization_id, changes.c.number.in_(oldest)
        )
    ).rowcount
