"""Rate buckets shared by all processes of one installation, a row each."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, String, bindparam, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from roundsman.kit.leaky_bucket import Rate, Verdict, divide, look
from roundsman.storage.database import Database, Transaction
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import rate_buckets

NOW = bindparam("now", type_=BigInteger)
INTERVAL = bindparam("interval", type_=BigInteger)
SPAN = bindparam("span", type_=BigInteger)
_KEY = bindparam("wanted", type_=String)
_COST = bindparam("cost", type_=BigInteger)


def unless_too_much(taking: Any) -> Any:
    """Return an insertion of buckets that adds to those that are there, if they have room for it.

    It inserts what a full bucket becomes; a bucket that has too little room returns no row.
    """
    kept = rate_buckets.c.full_at
    since: ColumnElement[int] = case((kept > NOW, kept), else_=NOW)
    after = since + taking.excluded.full_at - NOW
    return taking.on_conflict_do_update(
        index_elements=[rate_buckets.c.key], set_={"full_at": after}, where=after - NOW <= SPAN
    )


def _taking(insert: Callable[..., Any]) -> Lookup:
    taking = insert(rate_buckets).values(key=_KEY, full_at=NOW + _COST)
    return Lookup(unless_too_much(taking).returning(rate_buckets.c.full_at))


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
        return self.take_some(key, now, rate, 1)[0]

    def take_some(self, key: str, now: int, rate: Rate, wanted: int) -> list[Verdict]:
        """Take as many requests as there are, and return what became of each that was wanted."""
        taken = min(wanted, rate.capacity)
        while True:
            full_at = self._take(key, now, rate, taken)
            if full_at is not None:
                return divide(full_at, taken, wanted, now, rate)
            # Others may take in between: each try asks for less, so that there is a last one.
            left = self.look(key, now, rate)
            taken = min(taken - 1, left.remaining)
            if not taken:
                return divide(left.full_at, 0, wanted, now, rate)

    def _take(self, key: str, now: int, rate: Rate, requests: int) -> int | None:
        row = self._database.look_up(
            _TAKE[self._database.dialect_name],
            wanted=key,
            now=now,
            cost=requests * rate.interval_micros,
            span=rate.span_micros,
        )
        return None if row is None else row[0]

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
