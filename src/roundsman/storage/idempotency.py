"""Idempotency records: a claim while a request runs, its answer once it has succeeded.

The answer is written in the transaction of the effect. A claim that was lost (its process died, and
somebody else took it over) can no longer be answered, so the effect cannot happen twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import delete, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from roundsman.domain.errors import Aborted
from roundsman.storage.database import Transaction
from roundsman.storage.tables import idempotency_records as records

_OF = ":"


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A client's key for one request; `token` tells this run of it from any other.

    `holder` is the process that runs it, as it shows its presence.
    """

    client_id: str
    key: str
    fingerprint: bytes
    token: str
    holder: int

    @property
    def mark(self) -> str:
        """What stands in the record while the request runs."""
        return f"{self.holder}{_OF}{self.token}"


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredAnswer:
    """What a request was answered: its body, and what was said of it in headers."""

    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What is known of a key."""

    fingerprint: bytes
    claim: str
    answer: StoredAnswer | None
    claimed_at: datetime

    @property
    def holder(self) -> int | None:
        """The process that claimed it; None where a version before this one did."""
        holder, of, _ = self.claim.partition(_OF)
        return int(holder) if of else None


def find_record(tx: Transaction, client_id: str, key: str) -> Record | None:
    """Return what is known of a client's key."""
    row = tx.execute(
        select(records).where(records.c.client_id == client_id, records.c.key == key)
    ).first()
    if row is None:
        return None
    return Record(
        fingerprint=row.fingerprint,
        claim=row.claim,
        answer=_answer(row.answer, row.headers),
        claimed_at=row.claimed_at,
    )


def _answer(body: str | None, headers: str | None) -> StoredAnswer | None:
    if body is None:
        return None
    said = msgspec.json.decode(headers, type=dict[str, str]) if headers else {}
    return StoredAnswer(body=body.encode(), headers=said)


def add_claim(tx: Transaction, claim: Claim, now: datetime) -> bool:
    """Claim a key that nobody holds; say whether we were the first."""
    try:
        with tx.begin_nested():
            tx.execute(
                insert(records).values(
                    client_id=claim.client_id,
                    key=claim.key,
                    fingerprint=claim.fingerprint,
                    claim=claim.mark,
                    claimed_at=now,
                )
            )
    except IntegrityError:
        return False
    return True


def take_over(tx: Transaction, claim: Claim, held: Record, now: datetime) -> bool:
    """Replace a record that is no longer good; say whether nobody was faster."""
    taken = tx.execute(
        update(records)
        .where(
            records.c.client_id == claim.client_id,
            records.c.key == claim.key,
            records.c.claim == held.claim,
        )
        .values(
            fingerprint=claim.fingerprint,
            claim=claim.mark,
            answer=None,
            headers=None,
            claimed_at=now,
        )
    )
    return taken.rowcount == 1


def keep_answer(tx: Transaction, claim: Claim, answer: StoredAnswer, now: datetime) -> None:
    """Store the answer of a claimed request; raise Aborted when the claim was lost."""
    kept = tx.execute(
        update(records)
        .where(
            records.c.client_id == claim.client_id,
            records.c.key == claim.key,
            records.c.claim == claim.mark,
        )
        .values(
            answer=answer.body.decode(),
            headers=msgspec.json.encode(answer.headers).decode() if answer.headers else None,
            claimed_at=now,
        )
    )
    if kept.rowcount != 1:
        raise Aborted("the same idempotency key is being worked on elsewhere")


def release(tx: Transaction, claim: Claim) -> None:
    """Forget a claim whose request failed."""
    tx.execute(
        delete(records).where(
            records.c.client_id == claim.client_id,
            records.c.key == claim.key,
            records.c.claim == claim.mark,
            records.c.answer.is_(None),
        )
    )


def remove_old_records(tx: Transaction, before: datetime, most: int) -> int:
    """Forget the oldest records that are past their time; return how many."""
    key = (records.c.client_id, records.c.key)
    oldest = (
        select(*key).where(records.c.claimed_at < before).order_by(records.c.claimed_at).limit(most)
    )
    return tx.execute(delete(records).where(tuple_(*key).in_(oldest))).rowcount
