"""Rate buckets shared by all processes of one installation, a row each."""

from sqlalchemy import case, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from roundsman.kit.leaky_bucket import Rate, Verdict, look
from roundsman.storage.database import Database, Transaction
from roundsman.storage.tables import rate_buckets


class StoredBuckets:
    """Takes from a bucket in one statement, so that processes need no other lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def look(self, key: str, now: int, rate: Rate) -> Verdict:
        """Say whether a request would be let in, and take nothing."""
        with self._database.reading() as tx:
            full_at = tx.execute(
                select(rate_buckets.c.full_at).where(rate_buckets.c.key == key)
            ).scalar_one_or_none()
        return look(full_at or 0, now, rate)

    def take(self, key: str, now: int, rate: Rate) -> Verdict:
        """Take one request out of the bucket of `key`."""
        with self._database.writing() as tx:
            forget_durability(tx)
            full_at = _take(tx, key, now, rate)
            is_allowed = full_at is not None
            if full_at is None:
                full_at = tx.execute(
                    select(rate_buckets.c.full_at).where(rate_buckets.c.key == key)
                ).scalar_one()
        return Verdict(is_allowed=is_allowed, full_at=full_at, now=now, rate=rate)


def remove_full_buckets(tx: Transaction, now: int) -> int:
    """Forget buckets that are full again, which are as good as none; return how many."""
    return tx.execute(delete(rate_buckets).where(rate_buckets.c.full_at <= now)).rowcount


def forget_durability(tx: Transaction) -> None:
    """Let this commit not wait for the disk: a bucket lost in a crash is a full one."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")


def _take(tx: Transaction, key: str, now: int, rate: Rate) -> int | None:
    build = postgresql.insert if tx.dialect.name == "postgresql" else sqlite.insert
    kept = rate_buckets.c.full_at
    after = case((kept > now, kept), else_=now) + rate.interval_micros
    statement = (
        build(rate_buckets)
        .values(key=key, full_at=now + rate.interval_micros)
        .on_conflict_do_update(
            index_elements=[rate_buckets.c.key],
            set_={"full_at": after},
            where=after - now <= rate.span_micros,
        )
        .returning(kept)
    )
    return tx.execute(statement).scalar_one_or_none()
