"""The log of security events, organization by organization."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Row, case, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from roundsman.domain.model import UNSET
from roundsman.domain.principal import PrincipalKind
from roundsman.domain.security_event import (
    NO_DETAILS,
    SecurityEvent,
    SecurityEventDetails,
    SecurityEventKind,
    SecurityPrincipal,
)
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import security_events

_INSERT: Mapping[str, Callable[..., Any]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}
_read_details = msgspec.json.Decoder(SecurityEventDetails).decode


@dataclass(frozen=True, kw_only=True, slots=True)
class SecurityEventFilter:
    """Which security events to list; `since` is inclusive."""

    kind: SecurityEventKind | None = None
    since: datetime | None = None


def add_security_event(
    tx: Transaction, organization_id: str, event: SecurityEvent, times: int = 1
) -> None:
    """Store an event; where its id is known already, count that it happened so often more."""
    statement = _INSERT[tx.dialect.name](security_events).values(
        id=event.id,
        organization_id=organization_id,
        kind=event.kind.value,
        at=event.at,
        principal_kind=event.principal.kind.value,
        principal_id=event.principal.id or "",
        principal_email=event.principal.email or "",
        address=event.address or "",
        user_agent=event.user_agent or "",
        details=msgspec.json.encode(event.details or NO_DETAILS).decode(),
        times=times,
        last_at=event.at,
    )
    kept, added = security_events.c, statement.excluded
    latest = case((added.last_at > kept.last_at, added.last_at), else_=kept.last_at)
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=[kept.id],
            set_={"times": kept.times + added.times, "last_at": latest},
        )
    )


def has_security_event(tx: Transaction, event_id: str) -> bool:
    """Say whether an event is stored."""
    found = select(security_events.c.id).where(security_events.c.id == event_id)
    return tx.execute(found).first() is not None


def count_security_events(
    tx: Transaction, organization_id: str, kind: SecurityEventKind, since: datetime
) -> int:
    """Return how many events of a kind an organization has, from a moment on."""
    return tx.execute(
        select(func.count())
        .select_from(security_events)
        .where(
            security_events.c.organization_id == organization_id,
            security_events.c.kind == kind.value,
            security_events.c.at >= since,
        )
    ).scalar_one()


def select_security_events(
    tx: Transaction,
    organization_id: str,
    wanted: SecurityEventFilter,
    after: Position | None,
    count: int,
) -> list[tuple[Position, SecurityEvent]]:
    """Return a page of events, newest first."""
    statement = select(security_events).where(security_events.c.organization_id == organization_id)
    if wanted.kind is not None:
        statement = statement.where(security_events.c.kind == wanted.kind.value)
    if wanted.since is not None:
        statement = statement.where(security_events.c.at >= wanted.since)
    sort = (security_events.c.at, security_events.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read_event(row)) for position, row in rows]


def _read_event(row: Row[Any]) -> SecurityEvent:
    details = _read_details(row.details)
    if row.times > 1:
        details = replace(details, times=row.times, last_at=row.last_at)
    return SecurityEvent(
        id=row.id,
        kind=SecurityEventKind(row.kind),
        at=row.at,
        principal=SecurityPrincipal(
            kind=PrincipalKind(row.principal_kind),
            id=row.principal_id or UNSET,
            email=row.principal_email or UNSET,
        ),
        address=row.address or UNSET,
        user_agent=row.user_agent or UNSET,
        details=UNSET if details == NO_DETAILS else details,
    )


def remove_old_security_events(
    tx: Transaction, organization_id: str, before: datetime, most: int
) -> int:
    """Remove the oldest events; return how many."""
    oldest = (
        select(security_events.c.id)
        .where(security_events.c.organization_id == organization_id, security_events.c.at < before)
        .order_by(security_events.c.at)
        .limit(most)
    )
    return tx.execute(delete(security_events).where(security_events.c.id.in_(oldest))).rowcount
