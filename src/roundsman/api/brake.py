"""The brake on `/authenticate`: whoever guesses is slowed down (decisions §3).

Failures are counted for each pair of source address and client ID, and for each address. A limited
call is refused before the secret is looked at, even when it is right.
"""

from dataclasses import dataclass

from roundsman.domain.errors import ResourceExhausted
from roundsman.kit.leaky_bucket import Buckets, Rate
from roundsman.kit.secrets import hash_secret

_MINUTE_MICROS = 60_000_000
PER_PAIR = Rate(capacity=10, interval_micros=_MINUTE_MICROS // 10)
PER_ADDRESS = Rate(capacity=60, interval_micros=_MINUTE_MICROS // 60)


@dataclass(frozen=True, slots=True)
class Brake:
    """Counts failures in the buckets that all processes share."""

    buckets: Buckets

    def check(self, address: str, client_id: str, now: int) -> None:
        """Refuse when this pair or this address has failed too often."""
        for key, rate in _buckets_of(address, client_id):
            verdict = self.buckets.look(key, now, rate)
            if not verdict.is_allowed:
                raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)

    def count_failure(self, address: str, client_id: str, now: int) -> None:
        """Remember a failure."""
        for key, rate in _buckets_of(address, client_id):
            self.buckets.take(key, now, rate)


def _buckets_of(address: str, client_id: str) -> tuple[tuple[str, Rate], tuple[str, Rate]]:
    # The client ID is whatever was sent, of any length and with any character in it.
    pair = f"authenticate:{address}:{hash_secret(client_id).hex()[:32]}"
    return (pair, PER_PAIR), (f"authenticate:{address}", PER_ADDRESS)
