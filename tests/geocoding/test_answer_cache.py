from collections.abc import Sequence
from datetime import timedelta

from tests.world import FixedClock

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.answer_cache import AnswersInMemory, CachingGeocoder, Lifetimes
from roundsman.geocoding.geocoder import Match, MatchType, Miss

LIFETIMES = Lifetimes(match=timedelta(days=30), miss=timedelta(days=1))


class Counting:
    """Finds every address with a city, and notes each batch that it is asked for."""

    is_local = True

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.is_closed = False

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        self.batches.append([address.one_line() for address in addresses])
        return [_found(address) if address.city else Miss(reason="no") for address in addresses]

    def close(self) -> None:
        self.is_closed = True


def _found(address: Address) -> Match:
    return Match(
        coordinates=Coordinates(latitude=1.5, longitude=2.5),
        match_type=MatchType.EXACT,
        confidence=1.0,
        label=address.one_line(),
        attribution="ours",
    )


def test_what_was_answered_is_not_asked_again() -> None:
    inner, clock = Counting(), FixedClock()
    geocoder = CachingGeocoder(inner, "p", LIFETIMES, AnswersInMemory(), clock)
    first = geocoder.geocode([Address(city="Vaduz"), Address(zip="1")])
    again = geocoder.geocode([Address(city=" VADUZ "), Address(zip="1"), Address(city="Schaan")])
    assert again[:2] == first
    assert inner.batches == [["Vaduz", "1"], ["Schaan"]]


def test_one_address_twice_in_a_batch_is_asked_once() -> None:
    inner = Counting()
    geocoder = CachingGeocoder(inner, "p", LIFETIMES, AnswersInMemory(), FixedClock())
    answers = geocoder.geocode([Address(city="Vaduz")] * 3)
    assert len(answers) == 3
    assert inner.batches == [["Vaduz"]]


def test_a_miss_is_forgotten_before_a_match() -> None:
    inner, clock = Counting(), FixedClock()
    geocoder = CachingGeocoder(inner, "p", LIFETIMES, AnswersInMemory(), clock)
    both = [Address(city="Vaduz"), Address(zip="1")]
    geocoder.geocode(both)
    clock.advance(days=2)
    geocoder.geocode(both)
    clock.advance(days=40)
    geocoder.geocode(both)
    assert inner.batches == [["Vaduz", "1"], ["1"], ["Vaduz", "1"]]


def test_parts_in_other_fields_are_another_address() -> None:
    inner = Counting()
    geocoder = CachingGeocoder(inner, "p", LIFETIMES, AnswersInMemory(), FixedClock())
    geocoder.geocode([Address(city="Vaduz")])
    geocoder.geocode([Address(address1="Vaduz")])
    assert len(inner.batches) == 2


def test_providers_do_not_share_answers() -> None:
    memory, clock = AnswersInMemory(), FixedClock()
    ours, theirs = Counting(), Counting()
    for inner, provider in ((ours, "a"), (theirs, "b")):
        CachingGeocoder(inner, provider, LIFETIMES, memory, clock).geocode([Address(city="X")])
    assert ours.batches == theirs.batches == [["X"]]


def test_closing_closes_what_is_asked() -> None:
    inner = Counting()
    CachingGeocoder(inner, "test", LIFETIMES, AnswersInMemory(), FixedClock()).close()
    assert inner.is_closed
