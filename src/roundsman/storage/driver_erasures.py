"""A driver's own rows, removed when the driver is erased; some at a time where there are many."""

import json
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from itertools import batched
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, delete, func, or_, select, tuple_, update

from roundsman.domain.evidence import EvidenceKind
from roundsman.domain.route_status import RouteStatus
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import holds
from roundsman.storage.driver_tables import (
    driver_actions,
    driver_positions,
    driver_sessions,
    live_routes,
    upload_parts,
    uploads,
)
from roundsman.storage.evidence_tables import evidence_records
from roundsman.storage.tables import idempotency_records, routes

_IN_ONE_QUERY = 500
_MOST_NAMED = 20
_POSITION = "position"


def list_routes_under_way(
    tx: Transaction, organization_id: str, now: datetime, driver_id: str = ""
) -> list[str]:
    """Return routes, the first few, that a driver has before them: dispatched or begun, not done.

    Those of one driver, or of all.
    """
    status = func.coalesce(routes.c.status, "")
    statement = select(routes.c.id).where(
        routes.c.organization_id == organization_id,
        routes.c.archived_at.is_(None),
        status != RouteStatus.COMPLETED.value,
        or_(status == RouteStatus.STARTED.value, routes.c.dispatched_until > now),
    )
    if driver_id:
        statement = statement.where(routes.c.driver_id == driver_id)
    return list(tx.execute(statement.order_by(routes.c.id).limit(_MOST_NAMED)).scalars())


def remove_kept_answers(tx: Transaction, driver_id: str) -> None:
    """Forget what a driver's devices were answered."""
    of_devices = select(driver_sessions.c.id).where(driver_sessions.c.driver_id == driver_id)
    tx.execute(
        delete(idempotency_records).where(
            or_(
                idempotency_records.c.client_id == driver_id,
                idempotency_records.c.client_id.in_(of_devices),
            )
        )
    )


def count_sessions(tx: Transaction, driver_id: str) -> int:
    """Return on how many devices a driver is signed in."""
    return tx.execute(
        select(func.count())
        .select_from(driver_sessions)
        .where(driver_sessions.c.driver_id == driver_id)
    ).scalar_one()


def has_more_driver_rows(tx: Transaction, organization_id: str, driver_id: str, than: int) -> bool:
    """Say whether a driver has more positions, or more entries in journals, than so many."""
    return any(
        len(tx.execute(_some_rows(table, organization_id, driver_id, than + 1)).all()) > than
        for table in (driver_positions, driver_actions)
    )


def remove_driver_positions(
    tx: Transaction, organization_id: str, driver_id: str, most: int
) -> int:
    """Remove so many of a driver's positions; return how many there were."""
    return _remove_some(tx, driver_positions, organization_id, driver_id, most)


def remove_driver_actions(tx: Transaction, organization_id: str, driver_id: str, most: int) -> int:
    """Remove so many entries of a driver's journals; return how many there were."""
    return _remove_some(tx, driver_actions, organization_id, driver_id, most)


def _remove_some(
    tx: Transaction, table: Table, organization_id: str, driver_id: str, most: int
) -> int:
    key = tuple_(*table.primary_key.columns)
    some = _some_rows(table, organization_id, driver_id, most)
    return tx.execute(delete(table).where(key.in_(some))).rowcount


def _some_rows(table: Table, organization_id: str, driver_id: str, most: int) -> Select[Any]:
    return (
        select(*table.primary_key.columns)
        .where(table.c.driver_id == driver_id, table.c.organization_id == organization_id)
        .limit(most)
    )


def remove_driver_rest(tx: Transaction, organization_id: str, driver_id: str) -> None:
    """Remove what was being uploaded, and where the driver was last; pictures are the stops'."""
    is_theirs = (uploads.c.driver_id == driver_id) & (uploads.c.organization_id == organization_id)
    ids = select(uploads.c.id).where(is_theirs)
    tx.execute(
        delete(upload_parts).where(
            upload_parts.c.driver_id == driver_id, upload_parts.c.upload_id.in_(ids)
        )
    )
    tx.execute(delete(uploads).where(is_theirs))
    tx.execute(
        delete(live_routes).where(
            live_routes.c.organization_id == organization_id, live_routes.c.driver_id == driver_id
        )
    )


def find_stops_at_door(
    tx: Transaction, organization_id: str, driver_id: str, stop_ids: Collection[str]
) -> set[str]:
    """Return at which of these stops the driver was the one who stood at the door."""
    found: set[str] = set()
    for some in batched(sorted(stop_ids), _IN_ONE_QUERY):
        found |= set(
            tx.execute(
                select(evidence_records.c.stop_id).where(
                    evidence_records.c.organization_id == organization_id,
                    evidence_records.c.stop_id.in_(some),
                    _is_by(driver_id),
                    or_(
                        *(
                            holds(evidence_records.c.record, f'"kind":"{kind.value}"')
                            for kind in (EvidenceKind.DELIVERED, EvidenceKind.ATTEMPTED)
                        )
                    ),
                )
            ).scalars()
        )
    return found


def find_end_of_disclosed(
    tx: Transaction, organization_id: str, after: int, most: int
) -> int | None:
    """Return the last of the next so many records with personal fields; none if there are fewer."""
    found = tx.execute(
        select(evidence_records.c.sequence)
        .where(*_has_disclosed(organization_id, after))
        .order_by(evidence_records.c.sequence)
        .limit(most)
    ).scalars()
    sequences = list(found)
    return sequences[-1] if len(sequences) == most else None


def _has_disclosed(organization_id: str, after: int) -> tuple[ColumnElement[bool], ...]:
    return (
        evidence_records.c.organization_id == organization_id,
        evidence_records.c.disclosed.is_not(None),
        evidence_records.c.sequence > after,
    )


def erase_driver_disclosed(
    tx: Transaction,
    organization_id: str,
    driver_id: str,
    repeats_words: Callable[[str], bool],
    after: int,
    most: int,
) -> tuple[int, dict[str, str]]:
    """Forget the driver's personal fields in the next records of evidence.

    Those are where the driver stood, and texts that repeat who the driver is; the hashes stay in
    the chain. Return of how many records something was forgotten, and the routes of their stops.
    """
    records = evidence_records.c
    rows = tx.execute(
        select(
            records.sequence,
            records.stop_id,
            records.route_id,
            records.disclosed,
            _is_by(driver_id).label("is_by_driver"),
        )
        .where(*_has_disclosed(organization_id, after))
        .order_by(records.sequence)
        .limit(most)
    ).all()
    stops: dict[str, str] = {}
    count = 0
    for row in rows:
        fields = json.loads(row.disclosed)
        gone = set(_fields_to_forget(fields, repeats_words, is_by_driver=bool(row.is_by_driver)))
        if not gone:
            continue
        kept = {name: value for name, value in fields.items() if name not in gone}
        tx.execute(
            update(evidence_records)
            .where(records.organization_id == organization_id, records.sequence == row.sequence)
            .values(disclosed=json.dumps(kept, ensure_ascii=False) if kept else None)
        )
        stops[row.stop_id] = row.route_id
        count += 1
    return count, stops


def _fields_to_forget(
    fields: dict[str, list[str]], repeats_words: Callable[[str], bool], *, is_by_driver: bool
) -> Iterator[str]:
    for name, (_, value) in fields.items():
        if (is_by_driver and name == _POSITION) or repeats_words(value):
            yield name


def _is_by(driver_id: str) -> ColumnElement[bool]:
    return holds(func.coalesce(evidence_records.c.record, ""), f'"driverId":"{driver_id}"')
