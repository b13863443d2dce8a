"""Rate buckets shared by all processes of one installation, a row each."""

from typing import Any

from sqlalchemy import BigInteger, String, bindparam, case, select
from sqlalchemy.dialects import postgresql, sqlite

from roundsman.kit.leaky_bucket import Rate, Verdict, look
from roundsman.storage.database import Database, Transaction
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import rate_buckets

_KEY = bindparam("wanted", type_=String)
_NOW = bindparam("now", type_=BigInteger)
_INTERVAL = bindparam("interval", type_=BigInteger)
_SPAN = bindparam("span", type_=BigInteger)


def _taking(insert: Any) -> Lookup:
    """Return the statement that takes one request, or returns no row when there is none to take."""
    kept = rate_buckets.c.full_at
    after = case((kept > _NOW, kept), else_=_NOW) + _INTERVAL
    return Lookup(
        insert(rate_buckets)
        .values(key=_KEY, full_at=_NOW + _INTERVAL)
        .on_conflict_do_update(
            index_elements=[rate_buckets.c.key],
            set_={"full_at": after},
            where=after - _NOW <= _SPAN,
        )
        .returning(kept)
    )


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
        taken = self._database.look_up(
            _TAKE[self._database.dialect_name],
            wanted=key,
            now=now,
            interval=rate.interval_micros,
            span=rate.span_micros,
        )
        full_at = self._full_at(key) if taken is None else taken[0]
        return Verdict(is_allowed=taken is not None, full_at=full_at, now=now, rate=rate)

    def _full_at(self, key: str) -> int:
        found = self._database.look_up(_FULL_AT, wanted=key)
        return 0 if found is None else found[0]


def forget_durability(tx: Transaction) -> None:
    """Let this commit not wait for the disk: what it writes may be lost in a crash."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")
