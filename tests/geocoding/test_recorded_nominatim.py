"""The adapter against what a real Nominatim answered; `recorded/README.md` says how to record."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.exchanges import Replay, replaying

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import IssueType
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.nominatim import Nominatim
from roundsman.kit.http import HttpClient

RECORDED = Path(__file__).parent / "recorded" / "nominatim.jsonl"
REAL = os.environ.get("ROUNDSMAN_RECORD_NOMINATIM", "")
"""Where a real server with Liechtenstein and Baltimore harbour is."""


@pytest.fixture(scope="module")
def shared_server() -> Iterator[Replay]:
    data = "© OpenStreetMap contributors, Liechtenstein, 2015-07, and Baltimore harbour, 2015-02"
    about = {"engine": "Nominatim 5.3.3", "data": data, "licence": "ODbL 1.0"}
    with replaying(RECORDED, REAL, **about) as running:
        yield running


@pytest.fixture
def server(shared_server: Replay) -> Replay:
    shared_server.forget_asked()
    return shared_server


def locate(server: Replay, address: Address) -> Match | Miss:
    (answer,) = Nominatim(HttpClient("test"), f"{server.url}/").geocode([address])
    return answer


def reverse(server: Replay, latitude: float, longitude: float) -> Match | Miss:
    place = Coordinates(latitude=latitude, longitude=longitude)
    return Nominatim(HttpClient("test"), server.url).reverse(place)


def in_schaan(street: str, **parts: str) -> Address:
    return Address(address1=street, city="Schaan", country_code="LI", **parts)


def in_baltimore(street: str, code: str) -> Address:
    return Address(
        address1=street, city="Baltimore", province_code="MD", zip=code, country_code="US"
    )


@pytest.mark.parametrize(
    ("address", "match_type", "confidence", "label"),
    [
        (in_schaan("Landstrasse 48", zip="9494"), MatchType.EXACT, 0.95, "48, Landstrasse, Schaan"),
        (Address(address1="Landstrasse 48, 9494 Schaan"), MatchType.EXACT, 0.95, "48, Landstrasse"),
        (Address(address1="Zollstrasse 84", country_code="LI"), MatchType.EXACT, 0.95, "84, Zoll"),
        # The door is mapped as 71-75.
        (in_schaan("Landstrasse 71"), MatchType.EXACT, 0.95, "71-75, Landstrasse"),
        (in_schaan("Landstrasse 20"), MatchType.STREET, 0.6, "Landstrasse, Schaan"),
        (Address(address1="Staedtle 38", city="Vaduz"), MatchType.STREET, 0.6, "Städtle, Vaduz"),
        (in_schaan("Landstrase 48"), MatchType.LOCALITY, 0.5, "Schaan"),
        (in_schaan("Nowhere Lane 1"), MatchType.LOCALITY, 0.5, "Schaan"),
        (Address(city="Vaduz", country_code="LI"), MatchType.LOCALITY, 0.7, "Vaduz"),
        (Address(city="Vaduz", country_code="Liechtenstein"), MatchType.LOCALITY, 0.7, "Vaduz"),
        (Address(address1="Vaduz"), MatchType.LOCALITY, 0.7, "Vaduz"),
        (Address(zip="9490", country_code="LI"), MatchType.POSTCODE, 0.75, "9490, Vaduz"),
        # The extract has no boundary of the city; the postal code stands in for it.
        (in_baltimore("2050 Fleet St", "21231"), MatchType.EXACT, 0.95, "2050, Fleet Street"),
        (in_baltimore("6807 Rolling Mill Rd", "21224"), MatchType.EXACT, 0.95, "6807, Rolling"),
    ],
)
def test_an_address_is_placed_as_close_to_its_door_as_the_server_knows(
    server: Replay, address: Address, match_type: MatchType, confidence: float, label: str
) -> None:
    found = locate(server, address)
    assert isinstance(found, Match)
    assert (found.match_type, found.confidence) == (match_type, confidence)
    assert found.label.startswith(label)
    assert found.attribution == "© OpenStreetMap contributors"
    south, west = (39.2, -76.7) if address.country_code == "US" else (47.0, 9.4)
    assert south < found.coordinates.latitude < south + 0.3
    assert west < found.coordinates.longitude < west + 0.3


@pytest.mark.parametrize(
    "address",
    [
        Address(city="Nowhere at all", country_code="LI"),
        Address(address1="Hauptstrasse 5", city="Zürich", country_code="CH"),
        Address(city="Vaduz", country_code="CH"),
        Address(city="Vaduz", province_code="MD", country_code="LI"),
        Address(zip="99999", country_code="LI"),
        Address(country_code="LI"),
        in_baltimore("100 Light St", "21202"),
    ],
)
def test_what_the_server_does_not_know_is_a_miss(server: Replay, address: Address) -> None:
    missed = locate(server, address)
    assert isinstance(missed, Miss)
    assert missed.reason == f'nothing was found for "{address.one_line()}"'
    assert missed.issue.type is IssueType.ADDRESS_NOT_FOUND


def test_a_street_of_several_towns_is_refused_with_their_names(server: Replay) -> None:
    missed = locate(server, Address(address1="Landstrasse 20", country_code="LI"))
    assert isinstance(missed, Miss)
    assert missed.settled
    assert "Triesenberg" in missed.reason
    assert "Balzers" in missed.reason
    assert missed.reason.endswith("add a province or zip")


@pytest.mark.parametrize("street", ["!!!", "???", "-", "\u0000", "東京", "x" * 300])
def test_a_street_of_nonsense_leaves_the_town_and_fails_nobody_elses_address(
    server: Replay, street: str
) -> None:
    found = locate(server, Address(address1=street, city="Vaduz", country_code="LI"))
    assert isinstance(found, Match)
    assert found.match_type is MatchType.LOCALITY
    assert isinstance(locate(server, Address(address1=street)), Miss)


def test_nothing_to_search_for_is_a_miss_not_being_away(server: Replay) -> None:
    assert isinstance(locate(server, Address()), Miss)
    assert [one.status for one in server.asked] == [400]


def test_a_batch_is_answered_in_order(server: Replay) -> None:
    batch = [
        in_schaan("Landstrasse 48", zip="9494"),
        Address(city="Nowhere at all", country_code="LI"),
        in_baltimore("2050 Fleet St", "21231"),
    ]
    answers = Nominatim(HttpClient("test"), server.url).geocode(batch * 10)
    assert answers == [locate(server, address) for address in batch] * 10


def test_a_place_is_named_by_its_door_its_street_or_its_field(server: Replay) -> None:
    door = reverse(server, 47.1396, 9.5226)
    assert isinstance(door, Match)
    assert (door.match_type, door.label.split(", ")[:2]) == (MatchType.EXACT, ["32", "Städtle"])
    street = reverse(server, 47.1410, 9.5209)
    assert isinstance(street, Match)
    assert street.match_type is MatchType.STREET
    assert street.label.startswith("Adlerkreisel")
    field = reverse(server, 47.06, 9.60)
    assert isinstance(field, Match)
    assert field.match_type is MatchType.LOCALITY


def test_a_place_in_the_sea_has_no_address(server: Replay) -> None:
    missed = reverse(server, 0, 0)
    assert isinstance(missed, Miss)
    assert missed.reason == "nothing on the map is near these coordinates"
    assert missed.issue.type is IssueType.NOT_ON_MAP
