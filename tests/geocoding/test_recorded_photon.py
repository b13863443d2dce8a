"""The adapter against what a real Photon answered; `recorded/README.md` says where it is from."""

import json
from pathlib import Path

import pytest
from tests.geocoding.answering import answering

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.photon import Photon
from roundsman.kit.http import HttpClient

RECORDED = json.loads((Path(__file__).parent / "recorded" / "photon.json").read_bytes())


def locate(recorded: str, address: Address) -> Match | Miss:
    answer = RECORDED[recorded]["answer"]
    with answering(lambda _path, _query: (200, answer)) as server:
        (found,) = Photon(HttpClient("test"), server.url).geocode([address])
    return found


def test_a_city_goes_by_its_name() -> None:
    paris = Address(city="Paris", province_code="TX", country_code="US")
    found = locate("a city", paris)
    assert isinstance(found, Match)
    assert found.match_type is MatchType.LOCALITY
    assert found.coordinates == Coordinates(latitude=33.6617962, longitude=-95.555513)
    assert found.label == "Paris, Texas, US"
    assert isinstance(locate("a city", Address(city="Paris", country_code="FR")), Miss)
    assert isinstance(locate("a city", Address(city="Lubbock", country_code="US")), Miss)


def test_a_city_that_is_a_state_is_a_city() -> None:
    found = locate("a city that is a state", Address(city="Berlin", country_code="DE"))
    assert isinstance(found, Match)
    assert (found.match_type, found.label) == (MatchType.LOCALITY, "Berlin, DE")


@pytest.mark.parametrize(
    ("street", "match_type", "longitude"),
    [
        ("800 Black Lives Matter Plaza NW", MatchType.EXACT, -77.03689992471391),
        ("801 Black Lives Matter Plaza NW", MatchType.NEAREST_NUMBER, -77.03689992471391),
        ("1615 H St NW", MatchType.STREET, -77.0372192),
        ("Nowhere Lane 5", MatchType.LOCALITY, -77.0372192),
    ],
)
def test_a_door_is_told_from_its_street_and_a_street_from_its_town(
    street: str, match_type: MatchType, longitude: float
) -> None:
    address = Address(
        address1=street, city="Washington", province_code="DC", zip="20006", country_code="US"
    )
    found = locate("streets and what stands on them", address)
    assert isinstance(found, Match)
    assert found.match_type is match_type
    assert found.coordinates.longitude == longitude
    assert found.attribution == "© OpenStreetMap contributors"


def test_a_place_is_described_by_its_nearest_door() -> None:
    answer = RECORDED["streets and what stands on them"]["answer"]
    door = {"features": answer["features"][1:]}
    with answering(lambda _path, _query: (200, door)) as server:
        found = Photon(HttpClient("test"), server.url).reverse(
            Coordinates(latitude=38.9005, longitude=-77.0369)
        )
    assert isinstance(found, Match)
    assert found.match_type is MatchType.EXACT
    assert found.label.startswith("Black Lives Matter Plaza Northwest 800, Washington")
