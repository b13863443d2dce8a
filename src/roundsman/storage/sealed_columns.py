"""Every column of sealed secrets, and what a rotation of the key asks of all of them alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, select, update

from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import push_subscriptions
from roundsman.storage.evidence_tables import erasures, evidence_keys
from roundsman.storage.member_tables import totp_secrets
from roundsman.storage.storefront_tables import storefronts
from roundsman.storage.tables import organizations, webhook_subscriptions


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedColumn:
    """A column of texts that are sealed for a purpose and the row that they stand in."""

    purpose: str
    key: Column[str]
    column: Column[Any]

    def purpose_of(self, row_id: str) -> str:
        """Return what a row's text is sealed for."""
        return sealing_purpose(self.purpose, row_id)


def sealing_purpose(purpose: str, row_id: str) -> str:
    """Return what a text is sealed for: nothing opens in another row or for something else."""
    return f"{purpose} {row_id}"


WEBHOOK_SECRET = "webhook secret"  # noqa: S105 -- what a secret is for, not one
EVIDENCE_KEY = "evidence key"
ERASURE_TRACES = "erasure"
GATEWAY_HEADERS = "gateway headers"
STOREFRONT_CREDENTIALS = "storefront credentials"
PUSH_ENDPOINT = "push endpoint"
TOTP_SECRET = "one-time codes"  # noqa: S105 -- what a secret is for, not one

SEALED_COLUMNS = (
    SealedColumn(
        purpose=WEBHOOK_SECRET, key=organizations.c.id, column=organizations.c.webhook_secret
    ),
    SealedColumn(
        purpose=WEBHOOK_SECRET, key=organizations.c.id, column=organizations.c.next_webhook_secret
    ),
    SealedColumn(
        purpose=WEBHOOK_SECRET,
        key=webhook_subscriptions.c.id,
        column=webhook_subscriptions.c.secret,
    ),
    SealedColumn(
        purpose=WEBHOOK_SECRET,
        key=webhook_subscriptions.c.id,
        column=webhook_subscriptions.c.next_secret,
    ),
    SealedColumn(
        purpose=EVIDENCE_KEY,
        key=evidence_keys.c.organization_id,
        column=evidence_keys.c.private_key,
    ),
    SealedColumn(
        purpose=GATEWAY_HEADERS, key=organizations.c.id, column=organizations.c.message_secrets
    ),
    SealedColumn(
        purpose=STOREFRONT_CREDENTIALS, key=storefronts.c.id, column=storefronts.c.credentials
    ),
    SealedColumn(purpose=TOTP_SECRET, key=totp_secrets.c.email_key, column=totp_secrets.c.secret),
    SealedColumn(
        purpose=PUSH_ENDPOINT,
        key=push_subscriptions.c.session_id,
        column=push_subscriptions.c.endpoint,
    ),
    SealedColumn(purpose=ERASURE_TRACES, key=erasures.c.id, column=erasures.c.traces),
)
"""Whoever seals another column names it here, so that `secrets rotate` keeps it readable."""


def list_sealed(tx: Transaction, column: SealedColumn) -> Sequence[tuple[str, str]]:
    """Return a column's texts with their rows' ids, whether they are sealed already or not."""
    rows = tx.execute(
        select(column.key, column.column).where(column.column.is_not(None)).order_by(column.key)
    )
    return [(row_id, text) for row_id, text in rows]


def update_sealed(tx: Transaction, column: SealedColumn, row_id: str, text: str) -> None:
    """Replace the text of one row."""
    tx.execute(
        update(column.column.table).where(column.key == row_id).values({column.column: text})
    )


def overwrite_what_is_replaced(tx: Transaction) -> None:
    """Have SQLite overwrite what this connection replaces, so that no page keeps a plain secret."""
    if tx.dialect.name == "sqlite":
        tx.exec_driver_sql("PRAGMA secure_delete=ON")


def has_sealed(tx: Transaction, prefix: str = "sealed:") -> bool:
    """Say whether anything is sealed, so that another key than the one that sealed it is wrong."""
    return any(
        tx.execute(
            select(column.key).where(column.column.startswith(prefix, autoescape=True)).limit(1)
        ).first()
        is not None
        for column in SEALED_COLUMNS
    )
