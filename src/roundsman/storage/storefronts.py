"""Storefront connections as rows, each visited by one worker at a time (`storage/leases.py`).

A visit is claimed like a job. What a hook or a change of a stop asks for while it goes on makes the
next one follow at once, but never before the time that the shop itself has named.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    bindparam,
    case,
    delete,
    false,
    func,
    insert,
    literal,
    select,
    true,
    update,
)

from roundsman.domain.model import UNSET
from roundsman.domain.storefront import (
    ConnectionFailure,
    StorefrontConnection,
    StorefrontPlatform,
    StorefrontState,
)
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing
from roundsman.storage.fair_claims import Room
from roundsman.storage.leases import Leases
from roundsman.storage.storefront_tables import (
    storefront_hints,
    storefront_orders,
    storefront_reports,
    storefronts,
)
from roundsman.storage.tables import Instant

_IS_ACTIVE = storefronts.c.state == StorefrontState.ACTIVE.value
_LEASES = Leases(storefronts, _IS_ACTIVE)
_IS_NAMED = storefronts.c.id == bindparam("of_storefront")
_read_connection = msgspec.json.Decoder(StorefrontConnection).decode
_read_failure = msgspec.json.Decoder(ConnectionFailure).decode


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredStorefront:
    """A connection without its secrets, which are sealed, and how far its orders are read."""

    organization_id: str
    connection: StorefrontConnection
    sealed_credentials: str
    cursor: str
    read_since: datetime
    reread_at: datetime
    hooks_at: datetime
    failures: int


@dataclass(frozen=True, kw_only=True, slots=True)
class VisitClaim:
    """One visit of one shop, by one worker."""

    storefront_id: str
    organization_id: str
    worker_id: str
    attempt: int


@dataclass(frozen=True, kw_only=True, slots=True)
class VisitResult:
    """How a visit ended, and when the next one is due."""

    due_at: datetime
    not_before: datetime
    state: StorefrontState
    failures: int = 0
    failure: ConnectionFailure | None = None


def insert_storefront(
    tx: Transaction,
    organization_id: str,
    connection: StorefrontConnection,
    sealed_credentials: str,
    *,
    now: datetime,
    read_since: datetime,
) -> None:
    """Store a new connection, whose first visit is due."""
    tx.execute(
        insert(storefronts).values(
            id=connection.id,
            organization_id=organization_id,
            created_at=now,
            prefix=connection.prefix,
            body=_body(connection),
            credentials=sealed_credentials,
            state=connection.state.value,
            last_failure=_failure_text(connection.last_failure or None),
            failures=0,
            cursor="",
            read_since=read_since,
            reread_at=now,
            hooks_at=now,
            attempts=0,
            due_at=now,
            not_before=now,
            is_wanted_again=False,
        )
    )


def _body(connection: StorefrontConnection) -> str:
    bare = replace(
        connection,
        credentials={},
        state=StorefrontState.ACTIVE,
        last_success_at=UNSET,
        last_failure=UNSET,
    )
    return msgspec.json.encode(bare).decode()


def _failure_text(failure: ConnectionFailure | None) -> str | None:
    return None if failure is None else msgspec.json.encode(failure).decode()


def _read(row: Row[Any]) -> StoredStorefront:
    connection = replace(
        _read_connection(row.body),
        state=StorefrontState(row.state),
        last_success_at=row.last_success_at or UNSET,
        last_failure=_read_failure(row.last_failure) if row.last_failure else UNSET,
    )
    return StoredStorefront(
        organization_id=row.organization_id,
        connection=connection,
        sealed_credentials=row.credentials,
        cursor=row.cursor,
        read_since=row.read_since,
        reread_at=row.reread_at,
        hooks_at=row.hooks_at,
        failures=row.failures,
    )


def select_storefronts(tx: Transaction, organization_id: str) -> list[StoredStorefront]:
    """Return an organization's connections, oldest first."""
    rows = tx.execute(
        select(storefronts)
        .where(storefronts.c.organization_id == organization_id)
        .order_by(storefronts.c.created_at, storefronts.c.id)
    )
    return [_read(row) for row in rows]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShopState:
    """What an operator counts of a connection, whosever it is."""

    id: str
    platform: StorefrontPlatform
    state: StorefrontState
    seen_at: datetime
    """When a visit went well the last time; when it was connected where none did."""


def list_shop_states(tx: Transaction) -> list[ShopState]:
    """Return how every connection of the installation is."""
    columns = storefronts.c
    seen_at = func.coalesce(columns.last_success_at, columns.created_at, type_=Instant())
    rows = tx.execute(select(columns.id, columns.body, columns.state, seen_at.label("seen_at")))
    return [
        ShopState(
            id=row.id,
            platform=_read_connection(row.body).platform,
            state=StorefrontState(row.state),
            seen_at=row.seen_at,
        )
        for row in rows
    ]


def find_storefront(
    tx: Transaction, organization_id: str, storefront_id: str
) -> StoredStorefront | None:
    """Return one of the organization's connections."""
    row = tx.execute(
        select(storefronts).where(
            storefronts.c.organization_id == organization_id, storefronts.c.id == storefront_id
        )
    ).one_or_none()
    return None if row is None else _read(row)


def find_named_storefront(tx: Transaction, storefront_id: str) -> StoredStorefront | None:
    """Return a connection, whosever it is: a hook is let in by its signature alone."""
    row = tx.execute(select(storefronts).where(storefronts.c.id == storefront_id)).one_or_none()
    return None if row is None else _read(row)


def update_storefront(
    tx: Transaction,
    organization_id: str,
    connection: StorefrontConnection,
    sealed_credentials: str,
) -> None:
    """Replace what is said of a connection."""
    tx.execute(
        update(storefronts)
        .where(storefronts.c.organization_id == organization_id, storefronts.c.id == connection.id)
        .values(
            body=_body(connection),
            credentials=sealed_credentials,
            state=connection.state.value,
            last_failure=_failure_text(connection.last_failure or None),
        )
    )


def restart_reading(
    tx: Transaction, organization_id: str, storefront_id: str, since: datetime, now: datetime
) -> None:
    """Read a shop's orders from a moment on again, and those on routes too."""
    tx.execute(
        update(storefronts)
        .where(storefronts.c.organization_id == organization_id, storefronts.c.id == storefront_id)
        .values(cursor="", read_since=since, reread_at=now)
    )


def wake_storefronts(tx: Transaction, storefront_ids: Collection[str], now: datetime) -> None:
    """Have shops visited now, or right after the visit that goes on."""
    not_before = storefronts.c.not_before
    earliest = case((not_before > now, not_before), else_=_instant(now))
    tx.execute(
        update(storefronts)
        .where(storefronts.c.id.in_(sorted(storefront_ids)))
        .values(
            is_wanted_again=true(),
            due_at=case((storefronts.c.claimed_by.is_(None), earliest), else_=storefronts.c.due_at),
        )
    )


def _instant(at: datetime) -> ColumnElement[datetime]:
    return literal(at, Instant())


def delete_storefront(tx: Transaction, organization_id: str, storefront_id: str) -> bool:
    """Remove a connection with its hints and reports; say whether it was there."""
    found = find_storefront(tx, organization_id, storefront_id)
    if found is None:
        return False
    for table in (storefront_hints, storefront_reports):
        tx.execute(delete(table).where(table.c.storefront_id == storefront_id))
    tx.execute(
        update(storefront_orders)
        .where(storefront_orders.c.storefront_id == storefront_id)
        .values(storefront_id=None)
    )
    tx.execute(delete(storefronts).where(storefronts.c.id == storefront_id))
    return True


def is_any_visit_due(tx: Transaction, now: datetime) -> bool:
    """Say whether a shop waits for a visit."""
    due = select(storefronts.c.id).where(_IS_ACTIVE, storefronts.c.due_at <= now).limit(1)
    return tx.execute(due).first() is not None


def claim_due_visits(
    tx: Transaction,
    worker_id: str,
    now: datetime,
    until: datetime,
    room: Room,
    among: Collection[str] | None = None,
) -> list[VisitClaim]:
    """Claim the visits that have been due longest, of all shops or of some.

    Of each organization as the room says.
    """
    is_due = and_(_IS_ACTIVE, storefronts.c.due_at <= now)
    if among is not None:
        is_due = and_(is_due, storefronts.c.id.in_(among))
    statement = select(
        storefronts.c.id, storefronts.c.organization_id, storefronts.c.attempts
    ).where(room.choose(storefronts, is_due))
    rows = tx.execute(
        statement.order_by(storefronts.c.due_at, storefronts.c.id)
        .limit(room.count)
        .with_for_update(skip_locked=True)
    ).all()
    if rows:
        claimed = storefronts.c.id.in_([row.id for row in rows])
        _LEASES.claim(tx, claimed, worker_id, until)
        tx.execute(update(storefronts).where(claimed).values(is_wanted_again=false()))
    return [
        VisitClaim(
            storefront_id=row.id,
            organization_id=row.organization_id,
            worker_id=worker_id,
            attempt=row.attempts + 1,
        )
        for row in rows
    ]


def extend_visits(tx: Transaction, claims: Sequence[VisitClaim], until: datetime) -> None:
    """Keep claims that are still held."""
    if claims:
        _LEASES.extend(tx, _IS_NAMED, [_named(claim) for claim in claims], until)


def hold_visit(tx: Transaction, claim: VisitClaim) -> StoredStorefront | None:
    """Return the shop of a visit, locked; None where the claim is held no more."""
    row = tx.execute(
        select(storefronts).where(_IS_NAMED, _LEASES.is_held()).with_for_update(), _named(claim)
    ).one_or_none()
    return None if row is None else _read(row)


def settle_visit(tx: Transaction, claim: VisitClaim, result: VisitResult, now: datetime) -> bool:
    """Record how a visit went; say whether the claim was still held."""
    if hold_visit(tx, claim) is None:
        return False
    wanted_at = case((storefronts.c.is_wanted_again, _instant(now)), else_=_instant(result.due_at))
    not_before = _instant(result.not_before)
    values: dict[str, Any] = {
        "due_at": case((wanted_at < not_before, not_before), else_=wanted_at),
        "not_before": result.not_before,
        "state": result.state.value,
        "failures": result.failures,
        "last_failure": _failure_text(result.failure),
        "claimed_by": None,
    }
    if result.failure is None:
        values["last_success_at"] = now
    tx.execute(update(storefronts).where(storefronts.c.id == claim.storefront_id).values(values))
    return True


def release_visit(tx: Transaction, organization_id: str, storefront_id: str) -> None:
    """Take the claim of a visit away: whatever it finds from now on is not recorded."""
    tx.execute(
        update(storefronts)
        .where(storefronts.c.organization_id == organization_id, storefronts.c.id == storefront_id)
        .values(claimed_by=None)
    )


def bring_visits_forward(tx: Transaction, latest: datetime, now: datetime) -> int:
    """Make due now what is due later than it can be."""
    return _LEASES.bring_forward(tx, latest, now)


def keep_cursor(tx: Transaction, storefront_id: str, cursor: str) -> None:
    """Remember how far the orders of a shop are read."""
    _set(tx, storefront_id, cursor=cursor)


def note_reread(tx: Transaction, storefront_id: str, next_at: datetime) -> None:
    """Remember when the orders on routes are read again."""
    _set(tx, storefront_id, reread_at=next_at)


def note_hooks(tx: Transaction, storefront_id: str, next_at: datetime) -> None:
    """Remember when the hooks of a shop are renewed."""
    _set(tx, storefront_id, hooks_at=next_at)


def _set(tx: Transaction, storefront_id: str, **values: object) -> None:
    tx.execute(update(storefronts).where(storefronts.c.id == storefront_id).values(values))


def add_hint(tx: Transaction, storefront_id: str, external_id: str, now: datetime) -> None:
    """Remember which order a shop says has changed."""
    row = {"storefront_id": storefront_id, "external_id": external_id, "hinted_at": now}
    insert_missing(tx, storefront_hints, row, keys=["storefront_id", "external_id"])


def list_hints(tx: Transaction, storefront_id: str, most: int) -> list[str]:
    """Return the orders that a shop says have changed, the longest ago first."""
    rows = tx.execute(
        select(storefront_hints.c.external_id)
        .where(storefront_hints.c.storefront_id == storefront_id)
        .order_by(storefront_hints.c.hinted_at, storefront_hints.c.external_id)
        .limit(most)
    )
    return list(rows.scalars())


def remove_hints(tx: Transaction, storefront_id: str, external_ids: Collection[str]) -> None:
    """Forget hints that were followed."""
    tx.execute(
        delete(storefront_hints).where(
            storefront_hints.c.storefront_id == storefront_id,
            storefront_hints.c.external_id.in_(external_ids),
        )
    )


def _named(claim: VisitClaim) -> dict[str, Any]:
    return {
        "of_storefront": claim.storefront_id,
        "of_worker": claim.worker_id,
        "of_number": claim.attempt,
    }
