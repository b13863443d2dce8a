"""Nominatim and Photon: what they are asked, what their answers count for, and being away."""

import threading

import pytest
from tests.geocoding.answering import (
    NOMINATIM_VADUZ,
    Answer,
    Query,
    answering,
    nominatim_place,
    photon_feature,
)

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.errors import Unavailable
from roundsman.domain.issue import IssueType
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.nominatim import Nominatim
from roundsman.geocoding.photon import Photon
from roundsman.geocoding.remote_queries import AT_ONCE
from roundsman.kit.http import HttpClient, HttpLimits

DOOR = Address(address1="Städtle 38", city="Vaduz", country_code="LI", zip="9490")
HOUSE = {"house_number": "38", "road": "Städtle", "town": "Vaduz", "postcode": "9490"}


def by_nominatim(address: Address, *places: object) -> Match | Miss:
    with answering(lambda _path, _query: (200, list(places))) as server:
        (answer,) = Nominatim(HttpClient("test"), server.url).geocode([address])
    return answer


def by_photon(address: Address, *features: object) -> Match | Miss:
    collection = {"type": "FeatureCollection", "features": list(features)}
    with answering(lambda _path, _query: (200, collection)) as server:
        (answer,) = Photon(HttpClient("test"), server.url).geocode([address])
    return answer


def test_nominatim_is_asked_by_parts_then_by_fewer_and_told_who_asks() -> None:
    with answering(lambda _path, _query: (200, [])) as server:
        Nominatim(HttpClient("Roundsman/1.0"), f"{server.url}/").geocode(
            [Address(address1="1 Main St", city="Towson", province_code="MD", zip="21204")]
        )
    always = {"format": "jsonv2", "addressdetails": "1", "limit": "5"}
    street, town = {"street": "1 Main St"}, {"city": "Towson", "state": "MD"}
    code = {"postalcode": "21204"}
    assert server.asked == [
        ("/search", street | town | code | always),
        ("/search", street | code | always),
        ("/search", town | code | always),
    ]
    assert server.agents == {"Roundsman/1.0"}


def test_a_line_is_taken_apart_before_nominatim_is_asked() -> None:
    with answering(lambda _path, _query: (200, [])) as server:
        Nominatim(HttpClient("test"), server.url).geocode(
            [Address(address1="Städtle 38, 9490 Vaduz")]
        )
    (_, query) = server.asked[0]
    assert (query["street"], query["city"], query["postalcode"]) == ("Städtle 38", "Vaduz", "9490")


def test_photon_is_asked_on_one_line_then_on_a_shorter_one_with_states_written_out() -> None:
    address = Address(address1="1 Main St", city="Towson", province_code="MD", zip="21204")
    with answering(lambda _path, _query: (200, {"features": []})) as server:
        Photon(HttpClient("test"), server.url).geocode([address])
    assert [path for path, _ in server.asked] == ["/api"] * 3
    assert [query["q"] for _, query in server.asked] == [
        "1 Main St, Towson, Maryland 21204",
        "1 Main St, 21204",
        "Towson, Maryland 21204",
    ]
    assert {query["limit"] for _, query in server.asked} == {"5"}


def test_what_is_found_needs_no_second_question() -> None:
    with answering(lambda _path, _query: (200, [nominatim_place(address=HOUSE)])) as server:
        (found,) = Nominatim(HttpClient("test"), server.url).geocode([DOOR])
    assert isinstance(found, Match)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("said", "match_type"),
    [
        (HOUSE, MatchType.EXACT),
        (HOUSE | {"house_number": "36"}, MatchType.NEAREST_NUMBER),
        ({"road": "Staedtle", "town": "Vaduz"}, MatchType.STREET),
        ({"road": "Landstrasse", "town": "Vaduz"}, MatchType.LOCALITY),
        ({"town": "Vaduz"}, MatchType.LOCALITY),
    ],
)
def test_a_result_counts_for_what_it_has_in_common_with_the_address(
    said: dict[str, str], match_type: MatchType
) -> None:
    found = by_nominatim(DOOR, nominatim_place(address=said))
    assert isinstance(found, Match)
    assert found.match_type is match_type
    assert found.coordinates == Coordinates(latitude=47.1392862, longitude=9.5227962)
    names = {"house_number": "housenumber", "road": "street", "town": "city"}
    feature = photon_feature(
        type="house", **{names.get(key, key): value for key, value in said.items()}
    )
    same = by_photon(DOOR, feature)
    assert isinstance(same, Match)
    assert same.match_type is match_type
    assert "OpenStreetMap" in same.attribution


def test_a_postal_code_is_told_from_a_town() -> None:
    place = nominatim_place(addresstype="postcode", address={"postcode": "9490"})
    found = by_nominatim(Address(zip="9490", country_code="LI"), place)
    assert isinstance(found, Match)
    assert found.match_type is MatchType.POSTCODE


def test_the_door_is_taken_before_the_street_whatever_comes_first() -> None:
    street = nominatim_place(address={"road": "Städtle", "town": "Vaduz"})
    found = by_nominatim(DOOR, street, nominatim_place(lat="47.2", address=HOUSE))
    assert isinstance(found, Match)
    assert found.match_type is MatchType.EXACT
    assert found.coordinates.latitude == 47.2


@pytest.mark.parametrize(
    "elsewhere",
    [
        HOUSE | {"town": "Schaan", "postcode": "9494"},
        HOUSE | {"country_code": "ch"},
    ],
)
def test_another_town_or_country_is_no_answer(elsewhere: dict[str, str]) -> None:
    missed = by_nominatim(DOOR, nominatim_place(address=elsewhere))
    assert isinstance(missed, Miss)
    assert missed.reason == 'nothing was found for "Städtle 38, Vaduz, 9490, LI"'
    assert missed.issue.type is IssueType.ADDRESS_NOT_FOUND


def test_two_towns_of_one_name_are_refused() -> None:
    here = nominatim_place(display_name="Springfield, MO", address={"city": "Springfield"})
    there = nominatim_place(
        lat="42.1", display_name="Springfield, MA", address={"city": "Springfield"}
    )
    missed = by_nominatim(Address(city="Springfield"), here, there)
    assert isinstance(missed, Miss)
    assert "Springfield, MO; Springfield, MA" in missed.reason


def test_a_batch_asks_a_few_at_a_time_and_answers_in_order() -> None:
    full = threading.Barrier(AT_ONCE)

    def answer(_path: str, query: Query) -> Answer:
        # Each answer waits for so many others to be under way: fewer at once would never end.
        full.wait(timeout=20)
        house = HOUSE | {"house_number": query["street"].split()[1]}
        return 200, [nominatim_place(display_name=query["street"], address=house)]

    numbers = range(1, 5 * AT_ONCE + 1)
    addresses = [Address(address1=f"Städtle {number}", city="Vaduz") for number in numbers]
    with answering(answer) as server:
        found = Nominatim(HttpClient("test"), server.url).geocode(addresses)
    assert [match.label for match in found if isinstance(match, Match)] == [
        f"Städtle {number}" for number in numbers
    ]
    assert server.most_at_once == AT_ONCE


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_answer_that_is_no_success_is_being_away(status: int) -> None:
    with (
        answering(lambda _path, _query: (status, {"error": "busy"})) as server,
        pytest.raises(Unavailable, match="nothing was changed"),
    ):
        Nominatim(HttpClient("test"), server.url).geocode([DOOR, DOOR])


def test_an_answer_of_another_shape_is_being_away() -> None:
    with answering(lambda _path, _query: (200, {"features": "many"})) as server:
        with pytest.raises(Unavailable):
            Photon(HttpClient("test"), server.url).geocode([DOOR])
        with pytest.raises(Unavailable):
            Nominatim(HttpClient("test"), server.url).geocode([DOOR])


def test_nobody_listening_is_being_away_and_tells_no_address() -> None:
    with answering(lambda _path, _query: (200, [])) as server:
        gone = server.url
    client = HttpClient("test", HttpLimits(connect_seconds=1, deadline_seconds=2))
    for geocoder in (Nominatim(client, gone), Photon(client, gone)):
        with pytest.raises(Unavailable) as told:
            geocoder.geocode([DOOR])
        assert "Städtle" not in str(told.value)
        assert "Vaduz" not in str(told.value)
        with pytest.raises(Unavailable):
            geocoder.reverse(Coordinates(latitude=47, longitude=9))


def test_a_place_is_described() -> None:
    here = Coordinates(latitude=47.1392862, longitude=9.5227962)
    with answering(lambda _path, _query: (200, NOMINATIM_VADUZ)) as server:
        found = Nominatim(HttpClient("test"), server.url).reverse(here)
    assert isinstance(found, Match)
    assert found.match_type is MatchType.LOCALITY
    assert server.asked[0][1] == {"lat": "47.1392862", "lon": "9.5227962", "format": "jsonv2"}
    house = photon_feature(type="house", housenumber="38", street="Städtle", city="Vaduz")
    with answering(lambda _path, _query: (200, {"features": [house]})) as server:
        found = Photon(HttpClient("test"), server.url).reverse(here)
    assert isinstance(found, Match)
    assert (found.match_type, found.label) == (MatchType.EXACT, "Städtle 38, Vaduz, LI")


def test_a_place_in_the_sea_has_no_address() -> None:
    sea = Coordinates(latitude=0, longitude=0)
    with answering(lambda _path, _query: (200, {"error": "Unable to geocode"})) as server:
        assert isinstance(Nominatim(HttpClient("test"), server.url).reverse(sea), Miss)
    with answering(lambda _path, _query: (200, {"features": []})) as server:
        assert isinstance(Photon(HttpClient("test"), server.url).reverse(sea), Miss)


def test_closing_lets_go_of_the_connections() -> None:
    with answering(lambda _path, _query: (200, {"features": []})) as server:
        client = HttpClient("test")
        photon = Photon(client, server.url)
        photon.geocode([DOOR])
        assert len(client._pools.pools) == 1
        photon.close()
        assert len(client._pools.pools) == 0
