"""Answers of geocoders over HTTP, shared by all processes of one installation.

Addresses are kept as hashes: what is needed is to recognize one, not to read it. Several processes
may write the same answer; the last one stays.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, select, tuple_

from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.rate_buckets import forget_durability
from roundsman.storage.tables import geocoder_answers

_ASKED_AT_ONCE = 500


class StoredAnswers:
    """Remembers in the installation's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recall(self, provider: str, hashes: Sequence[bytes], now: datetime) -> dict[bytes, str]:
        """Return what is known and not too old."""
        table = geocoder_answers.c
        found: dict[bytes, str] = {}
        with self._database.reading() as tx:
            for start in range(0, len(hashes), _ASKED_AT_ONCE):
                some = hashes[start : start + _ASKED_AT_ONCE]
                statement = select(table.address_hash, table.answer).where(
                    table.provider == provider,
                    table.address_hash.in_(some),
                    table.expires_at > now,
                )
                found |= {bytes(row.address_hash): row.answer for row in tx.execute(statement)}
        return found

    def remember(self, provider: str, answers: Mapping[bytes, tuple[str, datetime]]) -> None:
        """Keep answers, each until its own time."""
        rows = [
            {
                "provider": provider,
                "address_hash": address_hash,
                "answer": answer,
                "expires_at": expires_at,
            }
            # In one order for all, so that two processes never wait for each other in a circle.
            for address_hash, (answer, expires_at) in sorted(answers.items())
        ]
        with self._database.writing() as tx:
            forget_durability(tx)
            if rows:
                upsert(tx, geocoder_answers, rows, ["provider", "address_hash"])


def remove_expired_answers(tx: Transaction, now: datetime, most: int) -> int:
    """Forget the answers that are past their time longest; return how many."""
    forget_durability(tx)
    table = geocoder_answers.c
    expired = (
        select(table.provider, table.address_hash)
        .where(table.expires_at <= now)
        .order_by(table.expires_at)
        .limit(most)
        .with_for_update(skip_locked=True)  # one that is renewed now is neither waited for nor lost
    )
    found = [(row.provider, row.address_hash) for row in tx.execute(expired)]
    if found:
        key = tuple_(table.provider, table.address_hash)
        tx.execute(delete(geocoder_answers).where(key.in_(found)))
    return len(found)


def remove_answers_with(tx: Transaction, is_theirs: Callable[[str], bool]) -> int:
    """Forget the answers whose text is somebody's; return how many."""
    forget_durability(tx)
    table = geocoder_answers.c
    rows = tx.execute(select(table.provider, table.address_hash, table.answer))
    found = [(row.provider, row.address_hash) for row in rows if is_theirs(row.answer)]
    for provider, address_hash in found:
        matches = (table.provider == provider) & (table.address_hash == address_hash)
        tx.execute(delete(geocoder_answers).where(matches))
    return len(found)
