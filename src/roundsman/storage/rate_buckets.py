"""Rate buckets shared by all processes of one installation, a row each."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, String, bindparam, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from roundsman.kit.leaky_bucket import Rate, Verdict, look
from roundsman.storage.database import Database, Transaction
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import rate_buckets

_NOW = bindparam("now", type_=BigInteger)
_INTERVAL = bindparam("interval", type_=BigInteger)
_SPAN = bindparam("span", type_=BigInteger)
_KEY = bindparam("wanted", type_=String)


def _taking(insert: Callable[..., Any]) -> Lookup:
    """Return what takes one request where a bucket has room for it, and else returns no row."""
    taking = insert(rate_buckets).values(key=_KEY, full_at=_NOW + _INTERVAL)
    kept = rate_buckets.c.full_at
    since: ColumnElement[int] = case((kept > _NOW, kept), else_=_NOW)
    after = since + _INTERVAL
    taking = taking.on_conflict_do_update(
        index_elements=[rate_buckets.c.key], set_={"full_at": after}, where=after - _NOW <= _SPAN
    )
    return Lookup(taking.returning(rate_buckets.c.full_at))


_FULL_AT = Lookup(select(rate_buckets.c.full_at).where(rate_buckets.c.key == _KEY))
_TAKE = {"postgresql": _taking(postgresql.insert), "sqlite": _taking(sqlite.insert)}


class StoredBuckets:
    """Takes from a bucket in one statement, so that processes need no other lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def look(self, key: str, now: int, rate: Rate) -> Verdict:
        """Say whether a request would be let in, and take nothing."""
        return look(self._full_at(key), now, rate)

    def take(self, key: str, now: int, rate: Rate) -> Verdict:
        """Take one request out of the bucket of `key`."""
        row = self._database.look_up(
            _TAKE[self._database.dialect_name],
            wanted=key,
            now=now,
            interval=rate.interval_micros,
            span=rate.span_micros,
        )
        if row is None:
            return self.look(key, now, rate)
        return Verdict(is_allowed=True, full_at=row[0], now=now, rate=rate)

    def _full_at(self, key: str) -> int:
        found = self._database.look_up(_FULL_AT, wanted=key)
        return 0 if found is None else found[0]


def remove_full_buckets(tx: Transaction, now: int) -> int:
    """Forget buckets that are full again, which are as good as none; return how many."""
    return tx.execute(delete(rate_buckets).where(rate_buckets.c.full_at <= now)).rowcount


def forget_durability(tx: Transaction) -> None:
    """Let this commit not wait for the disk: what it writes may be lost in a crash."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")
