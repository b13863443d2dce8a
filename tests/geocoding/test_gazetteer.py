import pytest

from roundsman.domain.address import Address
from roundsman.geocoding.bundled_data import GeoNamesPlace, PostalZip, index_localities
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.localities import Localities

PLACES = [
    ("Baltimore", "US", "MD", 585_708, 39.29, -76.61, ()),
    ("Baltimore", "US", "OH", 2_970, 39.85, -82.6, ()),
    ("Frederick", "US", "MD", 79_588, 39.41, -77.41, ()),
    ("Springfield", "US", "MO", 166_810, 37.22, -93.3, ()),
    ("Springfield", "US", "MA", 154_341, 42.1, -72.59, ()),
    ("Springfield", "US", "IL", 114_394, 39.8, -89.64, ()),
    ("Berlin", "DE", "16", 3_426_354, 52.52, 13.41, ()),
    ("Berlin", "US", "MD", 4_485, 38.32, -75.22, ()),
    ("Munich", "DE", "02", 1_505_005, 48.14, 11.58, ("München", "Muenchen")),
    ("München", "DE", "11", 900, 52.0, 13.0, ()),
    ("Zürich", "CH", "ZH", 341_730, 47.37, 8.55, ("Zurigo",)),
    ("Perth", "AU", "08", 2_309_338, -31.95, 115.86, ()),
    ("Seattle", "US", "WA", 737_015, 47.61, -122.33, ()),
    ("Delft", "NL", "11", 103_659, 52.01, 4.36, ()),
    ("Delft", "NL", "11", 95_060, 52.0, 4.37, ("Gemeente Delft",)),
]
ZIPS = [
    ("21201", "MD", ("Baltimore",), 39.2946, -76.6252),
    ("21221", "MD", ("Essex", "Middle River"), 39.31, -76.44),
    ("01201", "MA", ("Pittsfield",), 42.45, -73.26),
    ("10115", "NY", ("New York",), 40.81, -73.96),
    ("00901", "PR", ("San Juan",), 18.46, -66.1),
]
SPRINGFIELDS = (
    'several places are called "Springfield": Springfield, MO, US; '
    "Springfield, MA, US; Springfield, IL, US; add a province or zip"
)


def small_world() -> Gazetteer:
    places = [
        GeoNamesPlace(name, latitude, longitude, country, people, admin1, list(others))
        for name, country, admin1, people, latitude, longitude, others in PLACES
    ]
    zips = [PostalZip(*fields) for fields in ZIPS]
    return Gazetteer(lambda: Localities(index_localities(places, zips)))


def find(**parts: str) -> Match:
    (found,) = small_world().geocode([Address(**parts)])
    assert isinstance(found, Match), found
    return found


def refusal(**parts: str) -> str:
    (found,) = small_world().geocode([Address(**parts)])
    assert isinstance(found, Miss), found
    return found.reason


@pytest.mark.spec("decisions §12")
def test_a_known_city_with_an_unknown_street_gives_its_centre() -> None:
    found = find(address1="1 Nowhere St", city="Baltimore", province_code="MD", country_code="US")
    assert found.match_type is MatchType.LOCALITY
    assert (found.coordinates.latitude, found.coordinates.longitude) == (39.29, -76.61)
    assert found.label == "Baltimore, MD, US"


@pytest.mark.spec("decisions §12")
def test_a_zip_code_gives_the_middle_of_its_area() -> None:
    found = find(address1="1 Nowhere St", city="Baltimore", province_code="MD", zip="21201-1234")
    assert found.match_type is MatchType.POSTCODE
    assert (found.coordinates.latitude, found.coordinates.longitude) == (39.2946, -76.6252)


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"city": "Nowhereville", "country_code": "US"}, 'unknown city "Nowhereville" in US'),
        ({"city": "Nowhereville"}, 'unknown city "Nowhereville"'),
        ({"city": "Seattle", "province_code": "MD"}, 'unknown city "Seattle" in MD'),
        (
            {"city": "Nowhereville", "province_code": "MD", "zip": "21201"},
            'unknown city "Nowhereville" in MD; zip code 21201 is Baltimore',
        ),
        (
            {"city": "Nowhereville", "country_code": "US", "zip": "99999"},
            'unknown city "Nowhereville" in US',
        ),
        (
            {"city": "Baltimroe", "province_code": "MD"},
            'unknown city "Baltimroe" in MD, did you mean Baltimore, MD, US?',
        ),
        (
            {"city": "Berlin", "country_code": "XX"},
            'unknown country "XX"; use its two-letter ISO code',
        ),
        ({"city": "Berlin", "province_code": "QQ"}, 'unknown province "QQ"; add the country'),
        (
            {"city": "Berlin", "province_code": "QQ", "country_code": "US"},
            'unknown province "QQ" of US',
        ),
        ({"zip": "99999"}, "unknown zip code 99999"),
        ({"zip": "1012 LG", "country_code": "NL"}, 'cannot locate "1012 LG" without a city'),
        (
            {"city": "Seattle", "province_code": "WA", "zip": "21201"},
            "zip code 21201 is in MD, not in WA",
        ),
        (
            {"city": "Frederick", "province_code": "MD", "zip": "21201"},
            "zip code 21201 is Baltimore, far from Frederick",
        ),
        ({}, "an address needs a city, or a zip code of the United States"),
        (
            {"city": "Springfield", "country_code": "US"},
            SPRINGFIELDS,
        ),
    ],
)
def test_what_cannot_be_located_is_refused_in_words(parts: dict[str, str], reason: str) -> None:
    assert refusal(**parts) == reason


@pytest.mark.parametrize(
    ("parts", "label"),
    [
        ({"city": "Baltimore"}, "Baltimore, MD, US"),
        ({"city": "Baltimore", "province_code": "Ohio"}, "Baltimore, OH, US"),
        ({"city": "Berlin"}, "Berlin, BE, DE"),
        ({"city": "Berlin", "country_code": "Deutschland"}, "Berlin, BE, DE"),
        ({"city": "Berlin", "country_code": "USA"}, "Berlin, MD, US"),
        ({"city": "Berlin", "province_code": "DE"}, "Berlin, BE, DE"),
        ({"city": "Springfield", "province_code": "il"}, "Springfield, IL, US"),
        ({"city": "MUENCHEN", "country_code": "deu"}, "Munich, BY, DE"),
        ({"city": "münchen"}, "Munich, BY, DE"),
        ({"city": "zurigo", "province_code": "ZH", "country_code": "CH"}, "Zürich, ZH, CH"),
        ({"city": "Zurich", "province_code": "Kanton", "country_code": "CH"}, "Zürich, ZH, CH"),
        ({"city": "Perth", "province_code": "WA"}, "Perth, WA, AU"),
        ({"city": "Seattle", "province_code": "WA"}, "Seattle, WA, US"),
        ({"city": "Delft", "country_code": "NL"}, "Delft, ZH, NL"),
        ({"city": "Berlin", "zip": "10115", "country_code": "DE"}, "Berlin, BE, DE"),
        ({"city": "Berlin", "zip": "10115"}, "Berlin, BE, DE"),
        ({"city": "Middle River", "zip": "21221", "country_code": "US"}, "Essex, MD 21221, US"),
        ({"city": "Baltimroe", "zip": "21201", "country_code": "US"}, "Baltimore, MD 21201, US"),
        ({"zip": "00901", "province_code": "PR", "country_code": "US"}, "San Juan, PR 00901, US"),
        ({"zip": "1201", "country_code": "US"}, "Pittsfield, MA 01201, US"),
        ({"zip": "1201", "city": "Berlin"}, "Berlin, BE, DE"),
        ({"address1": "1 Main St, Baltimore, MD 21201, US"}, "Baltimore, MD 21201, US"),
        ({"address1": "Berlin", "country_code": "DE"}, "Berlin, BE, DE"),
    ],
)
def test_an_address_is_understood_as_people_write_it(parts: dict[str, str], label: str) -> None:
    assert find(**parts).label == label


def test_a_street_that_cannot_be_found_lowers_the_confidence() -> None:
    centre = find(city="Baltimore")
    instead_of_street = find(city="Baltimore", address1="1 Main St")
    assert instead_of_street.confidence < centre.confidence


def test_nothing_is_loaded_before_the_first_address() -> None:
    def load() -> Localities:
        raise AssertionError("loaded without need")

    assert Gazetteer(load).geocode([]) == []


def test_places_are_loaded_once() -> None:
    loads: list[int] = []

    def load() -> Localities:
        loads.append(1)
        return Localities(index_localities([], []))

    gazetteer = Gazetteer(load)
    gazetteer.geocode([Address(city="A")])
    gazetteer.geocode([Address(city="B")])
    assert loads == [1]


@pytest.mark.parametrize("street", ["5 Main St", "Hauptstr. 5", "12b Quay Rd, MD"])
def test_a_street_alone_misses_its_city(street: str) -> None:
    assert "city is missing" in refusal(address1=street)
