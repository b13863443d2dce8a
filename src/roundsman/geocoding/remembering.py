"""A geocoder that does not ask the same twice: for those that are asked over a network.

How long an answer is kept depends on who gave it and on what it says: a place moves rarely, but
what a map did not know yesterday somebody may have drawn today.
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


class AnswerMemory(Protocol):
    """Keeps answers, under hashes of the addresses, for all who ask the same provider."""

    def recall(self, provider: str, hashes: Sequence[bytes], now: datetime) -> dict[bytes, str]:
        """Return what is known and not too old."""
        ...

    def remember(self, provider: str, answers: Mapping[bytes, tuple[str, datetime]]) -> None:
        """Keep answers, each until its own time."""
        ...


class MemoryAnswers:
    """Remembers for as long as the process lives: a command has no database."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, bytes], tuple[str, datetime]] = {}

    def recall(self, provider: str, hashes: Sequence[bytes], now: datetime) -> dict[bytes, str]:
        """Return what is known and not too old."""
        known = {key: self._answers.get((provider, key)) for key in hashes}
        return {key: kept[0] for key, kept in known.items() if kept and kept[1] > now}

    def remember(self, provider: str, answers: Mapping[bytes, tuple[str, datetime]]) -> None:
        """Keep answers, each until its own time."""
        self._answers |= {(provider, key): kept for key, kept in answers.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Lifetimes:
    """How long answers of a provider are kept."""

    match: timedelta
    miss: timedelta


ANSWERS_KEPT = Lifetimes(match=timedelta(days=30), miss=timedelta(days=1))
"""For servers of the operator's own choice, whose maps are renewed every few weeks."""


class _Kept(msgspec.Struct):
    match: Match | None = None
    miss: Miss | None = None


class RememberingGeocoder:
    """Asks `inner` only for what `memory` does not hold; `provider` names what was asked."""

    is_local = False

    def __init__(
        self,
        inner: Geocoder,
        provider: str,
        lifetimes: Lifetimes,
        memory: AnswerMemory,
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
        """Close what is asked; what is remembered belongs to another."""
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
    """Equal for addresses that differ in case and spaces alone."""
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
    kept = _Kept(match=answer) if isinstance(answer, Match) else _Kept(miss=answer)
    return msgspec.json.encode(kept).decode()


def _read(answer: str) -> Match | Miss:
    kept = msgspec.json.decode(answer, type=_Kept)
    return kept.match or kept.miss or Miss(reason="could not be located")
