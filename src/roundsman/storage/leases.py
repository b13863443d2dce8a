"""Leases: how workers claim the rows of a table, one attempt after the other.

Event deliveries and jobs are claimed by the same statements. A row is due at `due_at`. A claim
moves that past the end of its lease, so a worker that dies gives its rows back by itself. A claim
is known by its worker and by the number of the attempt: who lost it changes nothing any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, update

from roundsman.storage.database import Transaction

LEASE = timedelta(seconds=6)
"""How long a claim lasts unless its worker extends it."""


@dataclass(frozen=True, slots=True)
class Leases:
    """The claims of a table that has `attempts`, `due_at` and `claimed_by`.

    `is_pending` says which rows are still to be done.
    """

    table: Table
    is_pending: ColumnElement[bool]

    def is_running(self, now: datetime, lease: timedelta) -> ColumnElement[bool]:
        """Return what holds of a row whose claim has not ended."""
        columns = self.table.c
        return (
            self.is_pending
            & (columns.due_at > now)
            & (columns.due_at <= now + lease)
            & columns.claimed_by.is_not(None)
        )

    def is_held(self) -> ColumnElement[bool]:
        """Return what holds of a row whose claim is `of_worker`'s, of attempt `of_number`."""
        columns = self.table.c
        return (
            (columns.attempts == bindparam("of_number"))
            # A released row is nobody's until its next attempt, which may have the same number.
            & (columns.claimed_by == bindparam("of_worker"))
            & self.is_pending
        )

    def claim(
        self, tx: Transaction, rows: ColumnElement[bool], worker_id: str, until: datetime
    ) -> None:
        """Begin an attempt of each of these rows; the attempt counts from now on."""
        attempts = self.table.c.attempts + 1
        tx.execute(
            update(self.table)
            .where(rows)
            .values(attempts=attempts, claimed_by=worker_id, due_at=until)
        )

    def extend(
        self,
        tx: Transaction,
        row: ColumnElement[bool],
        claims: Sequence[dict[str, Any]],
        until: datetime,
    ) -> None:
        """Keep claims that are still held; a row whose attempt has ended stays as it is."""
        tx.execute(update(self.table).where(row, self.is_held()).values(due_at=until), claims)

    def release(
        self,
        tx: Transaction,
        row: ColumnElement[bool],
        claims: Sequence[dict[str, Any]],
        now: datetime,
    ) -> None:
        """End claims as if their attempts had not been made."""
        attempts = self.table.c.attempts - 1
        tx.execute(
            update(self.table)
            .where(row, self.is_held())
            .values(attempts=attempts, claimed_by=None, due_at=now),
            claims,
        )

    def bring_forward(self, tx: Transaction, latest: datetime, now: datetime) -> int:
        """Make due now what is due later than it can be: a clock was ahead when that was said."""
        return tx.execute(
            update(self.table)
            .where(self.is_pending, self.table.c.due_at > latest)
            .values(due_at=now)
        ).rowcount
