"""A city that is called like a province, or that lies in a country given in words, on one line.

Over the whole gazetteer: a line means what its parts mean in fields of their own.
"""

import os
from functools import cache

import pytest
from msgspec.structs import replace

from roundsman.domain.address import Address
from roundsman.geocoding import countries, provinces
from roundsman.geocoding.bundled_data import cache_file, index_bundled_data
from roundsman.geocoding.countries import is_its_own_city
from roundsman.geocoding.default_country import geocode_in_country
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.localities import Localities, Locality
from roundsman.geocoding.localities_file import load_or_build, user_cache_folder
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.one_line import parse_one_line
from roundsman.geocoding.postal_regions import MAIN_TOWNS, places_of_code, towns_of
from roundsman.geocoding.provinces import TERRITORIES, is_rather_city, provinces_named

LANGUAGES = {
    "en": ("Germany", "Netherlands", "Poland", "Italy", "France"),
    "de": ("Deutschland", "Niederlande", "Polen", "Italien", "Frankreich"),
    "es": ("Alemania", "Países Bajos", "Polonia", "Italia", "Francia"),
    "fr": ("Allemagne", "Pays-Bas", "Pologne", "Italie", "France"),
    "it": ("Germania", "Paesi Bassi", "Polonia", "Italia", "Francia"),
    "nl": ("Duitsland", "Nederland", "Polen", "Italië", "Frankrijk"),
    "pl": ("Niemcy", "Holandia", "Polska", "Włochy", "Francja"),
    "pt": ("Alemanha", "Holanda", "Polónia", "Itália", "França"),
}
LINES = (
    ("Hauptstr. 5, 10115 Berlin", "DE"),
    ("Herengracht 1, 3511 LM Utrecht", "NL"),
    ("Ulica Złota 3, 00-120 Warszawa", "PL"),
    ("Via Roma 1, 20121 Milano", "IT"),
    ("10 rue Cler, 75007 Paris", "FR"),
)


@cache
def localities() -> Localities:
    folder = user_cache_folder(os.environ)
    assert folder is not None
    return Localities(load_or_build(cache_file(folder), index_bundled_data))


@cache
def world() -> Gazetteer:
    return Gazetteer(localities)


def answers(lines: list[str]) -> list[Match | Miss]:
    return world().geocode([parse_one_line(line) for line in lines])


def labels(found: list[Match | Miss]) -> list[str]:
    return [one.label if isinstance(one, Match) else f"refused: {one.reason}" for one in found]


def cities_called_like_provinces() -> list[Locality]:
    """Return them all, as they are called in the gazetteer."""
    named = localities()
    places = {place for name in _province_names() for place in named.named(name)}
    called = [place for place in places if provinces_named(place.name)]
    return sorted(called, key=lambda place: (place.country, place.admin1, place.name))


def _province_names() -> list[str]:
    return [name for name in provinces._by_name() if len(name) > 3]


def codes_of(place: Locality) -> list[str]:
    """Return postal codes that are known to be of a place, at most two."""
    if place.country == "US" or place.country in TERRITORIES:
        return _zip_codes().get((place.name.casefold(), place.admin1), [])[:2]
    if place.country not in MAIN_TOWNS:
        return []
    long = {"AT": 4, "BE": 4, "CH": 4, "NL": 4}.get(place.country, 5)
    codes = [start.ljust(long, "1") for start in towns_of(place.country)]
    return [code for code in codes if places_of_code(localities(), [place], code)][:2]


@cache
def _zip_codes() -> dict[tuple[str, str], list[str]]:
    codes: dict[tuple[str, str], list[str]] = {}
    for code in range(501, 99_951):
        area = localities().zip_area(f"{code:05}")
        for city in area.cities if area else ():
            codes.setdefault((city.casefold(), area.state if area else ""), []).append(area.code)  # type: ignore[union-attr]
    return codes


def test_every_city_called_like_a_province_is_read_with_its_country() -> None:
    cities = cities_called_like_provinces()
    assert {"Berlin", "Hamburg", "Bremen", "Utrecht", "Québec", "Ontario"} <= {
        city.name for city in cities
    }
    lines, parts = [], []
    for city in cities:
        street = Address(address1="Main St 5", city=city.name, country_code=city.country)
        for code in ("", *codes_of(city)):
            apart = replace(street, zip=code)
            own = {province.country for province in provinces_named(city.name)}
            if city.country in own and not (code or is_rather_city(city.name)):
                continue  # `Main St 5, Virginia, US` leaves the city out
            forms = [f"{code} {city.name}".strip(), f"{city.name} {code}".strip()]
            written = [f"Main St 5, {form}, {city.country}" for form in forms]
            lines += [line for line in written if parse_one_line(line).country_code]
            parts += [apart for line in written if parse_one_line(line).country_code]
    read, meant = labels(answers(lines)), labels(world().geocode(parts))
    assert len(lines) > 100
    assert [
        (line, got, wanted)
        for line, got, wanted in zip(lines, read, meant, strict=True)
        if got != wanted and not wanted.startswith("refused")
    ] == []


def test_every_city_called_like_a_province_is_read_with_its_postal_code_alone() -> None:
    lines, parts = [], []
    for city in cities_called_like_provinces():
        for code in codes_of(city):
            forms = (f"{code} {city.name}", f"{city.name} {code}")
            lines += [f"Main St 5, {form}" for form in forms]
            parts += [Address(address1="Main St 5", city=city.name, zip=code)] * len(forms)
    read, meant = labels(answers(lines)), labels(world().geocode(parts))
    assert len(lines) > 40
    assert [row for row in zip(lines, read, meant, strict=True) if row[1] != row[2]] == []


def test_every_city_called_like_a_province_is_read_alone() -> None:
    names = sorted({city.name for city in cities_called_like_provinces()})
    meant = world().geocode([Address(city=name) for name in names])
    assert labels(answers(names)) == labels(meant)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("350 5th Ave, New York", "New York City, NY, US"),
        ("350 5th Ave, New York 10118", "New York, NY 10118, US"),
        ("1600 Broadway, New York", "New York City, NY, US"),
        ("1 Main St, Washington", "Washington, DC, US"),
        ("1600 Pennsylvania Ave, Washington 20500", "Washington, DC 20500, US"),
        ("Friedrichstr. 10, 10117 Berlin", "Berlin, BE, DE"),
        ("Friedrichstr. 10, 3. Stock, 10117 Berlin", "Berlin, BE, DE"),
        ("Straat 3, Groningen, Netherlands", "Groningen, GR, NL"),
        ("12 rue Saint-Jean, Québec, Canada", "Québec, QC, CA"),
        ("5 Main St, Delaware 43015", "Delaware, OH 43015, US"),
        ("Platz 1, 65549 Limburg", "Limburg an der Lahn, HE, DE"),
        ("Hauptstr. 5, 14770 Brandenburg", "Brandenburg an der Havel, BB, DE"),
        ("12 Peachtree St, Atlanta, Georgia", "Atlanta, GA, US"),
        ("Rustaveli 5, Tbilisi, Georgia", "Tbilisi, GE"),
        ("Ulica 3, Warszawa 00-120", "Warsaw, PL"),
        ("Rue 5, Lussemburgo", "Luxembourg, LU, LU"),
        ("Rua 1, Centro, Franca", "Franca, BR"),
        ("Calle Real 5, 18001 Granada", "Granada, ES"),
        ("Calle 1, Francia", "Francia, HN"),
    ],
)
def test_a_line_is_where_a_reader_would_look(line: str, found: str) -> None:
    assert labels(answers([line])) == [found]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("12 Main St, Virginia", 'city is missing: "12 Main St" looks like a street'),
        (
            "12 Main St, Virginia 23220",
            'unknown city "Virginia" in Virginia; zip code 23220 is Richmond',
        ),
        ("100 King St W, Ontario", 'city is missing: "100 King St W" looks like a street'),
        ("Hauptstr. 5, 99084 Thüringen", 'unknown city "Thüringen" in Thüringen'),
        ("Nowhereville, ZZ", 'unknown province "ZZ"; add the country'),
    ],
)
def test_a_province_without_a_city_is_no_city_elsewhere(line: str, reason: str) -> None:
    assert labels(answers([line])) == [f"refused: {reason}"]


@pytest.mark.parametrize(
    ("line", "country", "found"),
    [
        ("1 Fort St, Victoria", "CA", "Victoria, BC, CA"),
        ("1 Fort St, Victoria V8W 1G9", "CA", "Victoria, BC, CA"),
        ("12 Main St, Ontario", "US", "Ontario, CA, US"),
        ("10 King St W, Toronto, Ontario", "US", "Toronto, ON, CA"),
        ("Platz 1, Limburg", "DE", "Limburg an der Lahn, HE, DE"),
        ("350 5th Ave, New York", "DE", "New York City, NY, US"),
    ],
)
def test_where_most_addresses_are_tells_which_is_meant(line: str, country: str, found: str) -> None:
    assert labels(geocode_in_country([parse_one_line(line)], world(), country)) == [found]


@pytest.mark.parametrize("language", LANGUAGES)
def test_countries_are_read_in_the_languages_of_the_console(language: str) -> None:
    lines = [f"{line}, {name}" for (line, _), name in zip(LINES, LANGUAGES[language], strict=True)]
    read = [parse_one_line(line) for line in lines]
    assert [one.country_code for one in read] == [country for _, country in LINES]
    apart = [parse_one_line(f"{line}, {country}") for line, country in LINES]
    assert read == apart
    assert labels(answers(lines)) == labels(world().geocode(apart))
    assert not any(label.startswith("refused") for label in labels(answers(lines)))


def test_no_translated_country_takes_the_place_of_a_town() -> None:
    towns = [
        place
        for name in countries._translated()
        for place in localities().named(name)
        if fold(place.name) == name and not is_its_own_city(name)
    ]
    lines = {line: town for town in towns for line in (town.name, f"Main St 5, {town.name}")}
    assert len(lines) > 40
    lost = [line for line, town in lines.items() if parse_one_line(line).city != town.name]
    assert lost == []
