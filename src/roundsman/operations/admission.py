"""Letting a request in: who holds its token, and whether their bucket has room for it.

Nothing of the answer is kept: a token that was revoked ends at once, whoever revoked it.
"""

from dataclasses import dataclass

from roundsman.domain.caller import Caller
from roundsman.kit.clock import Clock
from roundsman.kit.leaky_bucket import Buckets, Rate, Verdict
from roundsman.kit.secrets import hash_secret
from roundsman.storage.access import find_caller
from roundsman.storage.database import Database
from roundsman.storage.tables import as_micros

CLIENT_BUCKET = "client:"
"""What the keys of clients' buckets begin with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """Where every request with a token passes."""

    database: Database
    buckets: Buckets
    clock: Clock
    rate: Rate

    def admit(self, token: str) -> tuple[Caller, Verdict] | None:
        """Take a request out of the bucket of a live token's holder; None when nobody holds it."""
        now = self.clock.now()
        caller = find_caller(self.database, hash_secret(token), now)
        if caller is None:
            return None
        key = CLIENT_BUCKET + caller.client_id
        return caller, self.buckets.take(key, as_micros(now), self.rate)
