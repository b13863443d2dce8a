"""Organizations."""

from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from roundsman.domain.organization import Organization
from roundsman.storage.database import Transaction
from roundsman.storage.tables import organizations


def add_organization(tx: Transaction, organization: Organization, now: datetime) -> None:
    """Store a new organization."""
    tx.execute(
        insert(organizations).values(
            id=organization.id,
            name=organization.name,
            timezone=organization.timezone,
            webhook_secret=organization.webhook_secret,
            routes_counted=0,
            created_at=now,
        )
    )


def find_organization(tx: Transaction, organization_id: str) -> Organization | None:
    """Return an organization by its slug."""
    row = tx.execute(select(organizations).where(organizations.c.id == organization_id)).first()
    return None if row is None else _organization(row)


def select_organizations(tx: Transaction) -> list[Organization]:
    """Return all of them, oldest first."""
    return [
        _organization(row)
        for row in tx.execute(
            select(organizations).order_by(organizations.c.created_at, organizations.c.id)
        )
    ]


def _organization(row: Any) -> Organization:
    return Organization(
        id=row.id, name=row.name, timezone=row.timezone, webhook_secret=row.webhook_secret
    )


def lock_organization(tx: Transaction, organization_id: str) -> None:
    """Let the organization's other locked transactions wait; SQLite's writers wait anyway.

    Rows that only name the organization may be added meanwhile.
    """
    tx.execute(
        select(organizations.c.id)
        .where(organizations.c.id == organization_id)
        .with_for_update(key_share=True)
    )


def count_route(tx: Transaction, organization_id: str) -> int:
    """Take the organization's next route number."""
    number = tx.execute(
        update(organizations)
        .where(organizations.c.id == organization_id)
        .values(routes_counted=organizations.c.routes_counted + 1)
        .returning(organizations.c.routes_counted)
    ).scalar_one()
    return int(number)


def find_signing_secrets(tx: Transaction, organization_id: str) -> tuple[str, str | None] | None:
    """Return the secret that events are signed with, and the next one while it is rotated."""
    row = tx.execute(
        select(organizations.c.webhook_secret, organizations.c.next_webhook_secret)
        .where(organizations.c.id == organization_id)
        .with_for_update()
    ).first()
    return None if row is None else (row.webhook_secret, row.next_webhook_secret)


def update_signing_secrets(
    tx: Transaction, organization_id: str, current: str, following: str | None
) -> None:
    """Replace the secrets that events are signed with."""
    tx.execute(
        update(organizations)
        .where(organizations.c.id == organization_id)
        .values(webhook_secret=current, next_webhook_secret=following)
    )
