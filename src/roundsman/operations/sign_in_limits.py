"""Limits on signing in: clients that guess are slowed down (decisions §3).

Failures are counted for each pair of source address and client ID, and for each address. A limited
call is refused before the secret is looked at, even when it is right. Failures are also counted for
each client ID, from wherever they come; past that limit only those are refused from whose address
the client has not signed in for a week, so that nobody can lock a client out by guessing.

Each sign-in stores a token for an hour, so successes have a limit too.
"""

from dataclasses import dataclass

from roundsman.domain.errors import ResourceExhausted
from roundsman.kit.leaky_bucket import Buckets, Rate
from roundsman.kit.peers import counted_as
from roundsman.kit.secrets import hash_secret

_MINUTE_MICROS = 60_000_000
_WEEK_MICROS = 7 * 24 * 60 * _MINUTE_MICROS
PER_PAIR = Rate(capacity=10, interval_micros=_MINUTE_MICROS // 10)
PER_ADDRESS = Rate(capacity=60, interval_micros=_MINUTE_MICROS // 60)
PER_CLIENT = Rate(capacity=120, interval_micros=_MINUTE_MICROS // 120)
SIGN_INS = Rate(capacity=120, interval_micros=_MINUTE_MICROS // 120)
_KNOWN = Rate(capacity=1, interval_micros=_WEEK_MICROS)
"""A bucket that one success empties: while it is, the address is known to the client."""


@dataclass(frozen=True, slots=True)
class SignInLimits:
    """Counts in the buckets that all processes share."""

    buckets: Buckets
    name: str = "authenticate"
    """What is counted together: API clients, or members."""

    def check(self, address: str, client_id: str, now: int) -> None:
        """Refuse when this pair or address has failed too often, or the client signs in too often.

        So too when the client was guessed at too often and does not know the address.
        """
        keys = _Keys.of(self.name, address, client_id)
        self._require_room(keys.pair, now, PER_PAIR)
        self._require_room(keys.address, now, PER_ADDRESS)
        self._require_room(keys.sign_ins, now, SIGN_INS)
        if self.buckets.look(keys.known, now, _KNOWN).is_allowed:
            self._require_room(keys.client, now, PER_CLIENT)

    def count_failure(self, address: str, client_id: str, now: int) -> None:
        """Remember a failure."""
        keys = _Keys.of(self.name, address, client_id)
        self.buckets.take(keys.pair, now, PER_PAIR)
        self.buckets.take(keys.address, now, PER_ADDRESS)
        self.buckets.take(keys.client, now, PER_CLIENT)

    def count_success(self, address: str, client_id: str, now: int) -> None:
        """Remember a sign-in, and from where."""
        keys = _Keys.of(self.name, address, client_id)
        self.buckets.take(keys.sign_ins, now, SIGN_INS)
        self.buckets.take(keys.known, now, _KNOWN)

    def _require_room(self, key: str, now: int, rate: Rate) -> None:
        verdict = self.buckets.look(key, now, rate)
        if not verdict.is_allowed:
            raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Keys:
    """The buckets of one attempt."""

    pair: str
    address: str
    client: str
    sign_ins: str
    known: str

    @classmethod
    def of(cls, name: str, address: str, client_id: str) -> "_Keys":
        # The client ID is whatever was sent, of any length and with any character in it.
        client = hash_secret(client_id).hex()[:32]
        source = counted_as(address)
        return cls(
            pair=f"{name}:{source}:{client}",
            address=f"{name}:{source}",
            client=f"{name}::{client}",
            sign_ins=f"{name}:done:{client}",
            known=f"{name}:done:{source}:{client}",
        )
