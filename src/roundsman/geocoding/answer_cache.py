"""Keeps answers of geocoders that are reached over a network, so that none is asked for twice.

How long an answer is kept depends on the provider and on the answer. A known address rarely moves,
but an address that a map lacked yesterday may have been mapped since.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from roundsman.domain.address import Address
from roundsman.geocoding.geocoder import Geocoder, Match, Miss
from roundsman.kit.clock import Clock


class AnswerCache(Protocol):
    """Stores answers by hashes of their addresses, one set for each provider."""

    def recall(self, provider: str, hashes: Sequence[bytes], now: datetime) -> dict[bytes, str]:
        """Return the stored answers that have not expired."""
        ...

    def remember(self, provider: str, answers: Mapping[bytes, tuple[str, datetime]]) -> None:
        """Store answers, each with the time at which it expires."""
        ...


class AnswersInMemory:
    """Stores answers in memory, for commands, which have no database."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, bytes], tuple[str, datetime]] = {}

    def recall(self, provider: str, hashes: Sequence[bytes], now: datetime) -> dict[bytes, str]:
        """Return the stored answers that have not expired."""
        known = {key: self._answers.get((provider, key)) for key in hashes}
        return {key: kept[0] for key, kept in known.items() if kept and kept[1] > now}

    def remember(self, provider: str, answers: Mapping[bytes, tuple[str, datetime]]) -> None:
        """Store answers, each with the time at which it expires."""
        self._answers |= {(provider, key): kept for key, kept in answers.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifetimes:
    """How long answers of a provider are kept."""

    match: timedelta
    miss: timedelta


ANSWERS_KEPT = Lifetimes(match=timedelta(days=30), miss=timedelta(days=1))
"""For servers of the operator's own choice, whose maps are renewed every few weeks."""


class _CachedAnswer(msgspec.Struct):
    match: Match | None = None
    miss: Miss | None = None


class CachingGeocoder:
    """Passes to `inner` only the addresses that `memory` lacks; `provider` names the source."""

    is_local = False

    def __init__(
        self,
        inner: Geocoder,
        provider: str,
        lifetimes: Lifetimes,
        memory: AnswerCache,
        clock: Clock,
    ) -> None:
        self._inner = inner
        self._provider = provider
        self._lifetimes = lifetimes
        self._memory = memory
        self._clock = clock

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        if not addresses:
            return []
        now = self._clock.now()
        hashes = [_hash(address) for address in addresses]
        recalled = self._memory.recall(self._provider, list(dict.fromkeys(hashes)), now)
        known = {key: _read(answer) for key, answer in recalled.items()}
        unknown = {
            key: address for key, address in zip(hashes, addresses, strict=True) if key not in known
        }
        if unknown:
            answers = self._inner.geocode(list(unknown.values()))
            fresh = dict(zip(unknown, answers, strict=True))
            self._memory.remember(self._provider, self._kept(fresh, now))
            known |= fresh
        return [known[key] for key in hashes]

    def close(self) -> None:
        """Close the inner geocoder; the cache belongs to the caller."""
        self._inner.close()

    def _kept(
        self, answers: Mapping[bytes, Match | Miss], now: datetime
    ) -> dict[bytes, tuple[str, datetime]]:
        return {
            key: (_write(answer), now + self._lifetime(answer)) for key, answer in answers.items()
        }

    def _lifetime(self, answer: Match | Miss) -> timedelta:
        return self._lifetimes.match if isinstance(answer, Match) else self._lifetimes.miss


def _hash(address: Address) -> bytes:
    """Return equal hashes for addresses that differ only in case and spaces."""
    parts = (
        address.address1,
        address.address2,
        address.city,
        address.province_code,
        address.country_code,
        address.zip,
    )
    return hashlib.sha256(
        "\n".join(" ".join(part.casefold().split()) for part in parts).encode()
    ).digest()


def _write(answer: Match | Miss) -> str:
    kept = _CachedAnswer(match=answer) if isinstance(answer, Match) else _CachedAnswer(miss=answer)
    return msgspec.json.encode(kept).decode()


def _read(answer: str) -> Match | Miss:
    kept = msgspec.json.decode(answer, type=_CachedAnswer)
    return kept.match or kept.miss or Miss(reason="could not be located")
