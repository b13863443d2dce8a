"""Organizations."""

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update

from roundsman.domain.organization import Logo, Organization, OrganizationSettings
from roundsman.storage.database import Transaction
from roundsman.storage.tables import organization_logos, organizations

_SETTINGS = OrganizationSettings.__struct_fields__
_read_settings = msgspec.json.Decoder(OrganizationSettings).decode


def add_organization(tx: Transaction, organization: Organization, now: datetime) -> None:
    """Store a new organization; what it says of itself is set later."""
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


def update_organization(tx: Transaction, organization: Organization) -> None:
    """Replace an organization's name and settings."""
    tx.execute(
        update(organizations)
        .where(organizations.c.id == organization.id)
        .values(name=organization.name, settings=_written_settings(organization))
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
    settings = OrganizationSettings() if row.settings is None else _read_settings(row.settings)
    return Organization(
        id=row.id,
        name=row.name,
        timezone=row.timezone,
        webhook_secret=row.webhook_secret,
        logo_id=row.logo_id or "",
        **{name: getattr(settings, name) for name in _SETTINGS},
    )


def _written_settings(organization: Organization) -> str:
    settings = OrganizationSettings(**{name: getattr(organization, name) for name in _SETTINGS})
    return msgspec.json.encode(settings).decode()


def replace_logo(tx: Transaction, organization_id: str, logo: Logo) -> None:
    """Keep an organization's logo in place of the one before."""
    remove_logo(tx, organization_id)
    tx.execute(
        insert(organization_logos).values(
            id=logo.id,
            organization_id=organization_id,
            media_type=logo.media_type,
            data=logo.data,
        )
    )
    _name_logo(tx, organization_id, logo.id)


def remove_logo(tx: Transaction, organization_id: str) -> None:
    """Remove an organization's logo, if it has one."""
    is_theirs = organization_logos.c.organization_id == organization_id
    tx.execute(delete(organization_logos).where(is_theirs))
    _name_logo(tx, organization_id, None)


def _name_logo(tx: Transaction, organization_id: str, logo_id: str | None) -> None:
    is_theirs = organizations.c.id == organization_id
    tx.execute(update(organizations).where(is_theirs).values(logo_id=logo_id))


def find_logo(tx: Transaction, logo_id: str) -> Logo | None:
    """Return the logo with an id, whosever it is: it is shown to everybody."""
    row = tx.execute(select(organization_logos).where(organization_logos.c.id == logo_id)).first()
    return None if row is None else Logo(id=row.id, media_type=row.media_type, data=row.data)


def lock_organization(tx: Transaction, organization_id: str) -> bool:
    """Let the organization's other locked transactions wait; SQLite's writers wait anyway.

    Rows that only name the organization may be added meanwhile. Says whether anything was ever set
    about messages to customers: most changes need not ask for more.
    """
    messages = tx.execute(
        select(organizations.c.messages)
        .where(organizations.c.id == organization_id)
        .with_for_update(key_share=True)
    ).scalar()
    return messages is not None


def save_simulated_until(tx: Transaction, organization_id: str, until: datetime | None) -> None:
    """Keep until when a simulated day goes on at least; None when there is none any more."""
    tx.execute(
        update(organizations)
        .where(organizations.c.id == organization_id)
        .values(simulated_until=until)
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


def read_routes_counted(tx: Transaction, organization_id: str) -> int:
    """Return the number of the organization's last route."""
    counted = select(organizations.c.routes_counted).where(organizations.c.id == organization_id)
    return int(tx.execute(counted).scalar_one())


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
