"""Proposed changes: kept until they are made or past, for whichever process is asked next."""

from datetime import datetime

import msgspec
from sqlalchemy import delete, insert, select, update

from roundsman.domain.proposed_change import ProposedChange, ProposedKind
from roundsman.storage.database import Transaction
from roundsman.storage.tables import proposed_changes

_read = msgspec.json.Decoder(ProposedChange).decode


def add_proposed_change(tx: Transaction, organization_id: str, change: ProposedChange) -> int:
    """Store a new proposed change; return how many bytes that takes."""
    written = msgspec.json.encode(change)
    tx.execute(
        insert(proposed_changes).values(
            id=change.id,
            organization_id=organization_id,
            expires_at=change.expires_at,
            is_import=change.kind is ProposedKind.IMPORT,
            is_made=False,
            body=written.decode(),
        )
    )
    return len(written)


def find_proposed_change(
    tx: Transaction, organization_id: str, change_id: str
) -> ProposedChange | None:
    """Return one of the organization's proposed changes."""
    row = tx.execute(
        select(proposed_changes.c.body).where(
            proposed_changes.c.id == change_id,
            proposed_changes.c.organization_id == organization_id,
        )
    ).first()
    return None if row is None else _read(row.body)


def save_proposed_change(tx: Transaction, change: ProposedChange) -> bool:
    """Store a proposed change that was shown or made; say whether nobody has made it before."""
    saved = tx.execute(
        update(proposed_changes)
        .where(proposed_changes.c.id == change.id, proposed_changes.c.is_made.is_(False))
        .values(
            is_made=isinstance(change.made_at, datetime),
            body=msgspec.json.encode(change).decode(),
        )
    )
    return saved.rowcount == 1


def remove_old_proposed_changes(
    tx: Transaction, organization_id: str, before: datetime, most: int
) -> int:
    """Remove up to so many of the organization whose time was over by then; return how many."""
    old = (
        select(proposed_changes.c.id)
        .where(
            proposed_changes.c.organization_id == organization_id,
            proposed_changes.c.expires_at < before,
        )
        .limit(most)
        .scalar_subquery()
    )
    return tx.execute(delete(proposed_changes).where(proposed_changes.c.id.in_(old))).rowcount


def remove_proposed_imports(tx: Transaction, organization_id: str) -> int:
    """Remove every proposed import of the organization, for it holds customers; say how many."""
    theirs = proposed_changes.c.organization_id == organization_id
    return tx.execute(
        delete(proposed_changes).where(theirs, proposed_changes.c.is_import.is_(True))
    ).rowcount
