"""Letting a request in: who holds its token, and whether their bucket has room for it.

Where processes share a database they share the buckets too, and both questions go there. They are
asked in one, together with those of all requests that came at the same time. Nothing of the answer
is kept: a token that was revoked ends at once, whoever revoked it.
"""

from collections.abc import Sequence
from typing import Protocol

from roundsman.kit.asking import Inquiry, Together, ask
from roundsman.kit.clock import Clock
from roundsman.kit.leaky_bucket import Buckets, Rate
from roundsman.kit.secrets import hash_secret
from roundsman.storage.access import find_caller
from roundsman.storage.admission import Admitted, JointAdmission
from roundsman.storage.database import Database
from roundsman.storage.tables import as_micros

CLIENT_BUCKET = "client:"
"""What the keys of clients' buckets begin with."""


class Gate(Protocol):
    """Where every request with a token passes."""

    def admit(self, token: str) -> Inquiry[Admitted | None]:
        """Take a request out of the bucket of a live token's holder; None when nobody holds it."""
        ...


class GateForEach:
    """Admits requests one by one: the database is at hand, or the buckets lie elsewhere."""

    def __init__(self, database: Database, buckets: Buckets, clock: Clock, rate: Rate) -> None:
        self._database = database
        self._buckets = buckets
        self._clock = clock
        self._rate = rate

    def admit(self, token: str) -> Inquiry[Admitted | None]:
        """Take a request out of the bucket of a live token's holder; None when nobody holds it."""
        yield from ()
        now = self._clock.now()
        caller = find_caller(self._database, hash_secret(token), now)
        if caller is None:
            return None
        key = CLIENT_BUCKET + caller.client_id
        return caller, self._buckets.take(key, as_micros(now), self._rate)


class GateForMany:
    """Admits requests together, with their buckets in the database that knows the tokens."""

    def __init__(self, database: Database, clock: Clock, rate: Rate) -> None:
        self._joint = JointAdmission(database=database, rate=rate, prefix=CLIENT_BUCKET)
        self._clock = clock
        self._together = Together(self._admit_all)

    def admit(self, token: str) -> Inquiry[Admitted | None]:
        """Take a request out of the bucket of a live token's holder; None when nobody holds it."""
        return ask(self._together, hash_secret(token))

    def _admit_all(self, token_hashes: Sequence[bytes]) -> Sequence[Admitted | None]:
        return self._joint.admit_all(token_hashes, as_micros(self._clock.now()))
