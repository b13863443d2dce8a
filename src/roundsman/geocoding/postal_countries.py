"""What the form of a postal code tells of its country, where nobody else writes codes so.

A Perth with PH1 5AA is in Scotland, however much larger the one in Australia is.
"""

import re
from dataclasses import dataclass

from roundsman.geocoding.local_provinces import has_letters

_BRITISH = re.compile(r"([A-Z]{1,2})\d[A-Z\d]? ?\d[A-Z]{2}", re.IGNORECASE | re.ASCII)
_CANADIAN = re.compile(r"([A-Z])\d[A-Z] ?\d[A-Z]\d", re.IGNORECASE | re.ASCII)
_OTHERS = {
    "NL": re.compile(r"[1-9]\d{3} ?(?!SA|SD|SS)[A-Z]{2}", re.ASCII),
    "PL": re.compile(r"\d{2}-\d{3}", re.ASCII),
    "PT": re.compile(r"\d{4}-\d{3}", re.ASCII),
}
_OWN_COUNTRIES = {"GX": "GI", "GY": "GG", "IM": "IM", "JE": "JE"}
"""Areas of the British form that are countries of their own, in ISO 3166."""

_AUSTRALIAN = frozenset({"NT", "SA", "WA"})
"""States behind a code, which is of four digits there: `6000 WA`."""

_CANADIAN_PROVINCES = {
    "A": "05",
    "B": "07",
    "C": "09",
    "E": "04",
    "G": "10",
    "H": "10",
    "J": "10",
    "K": "08",
    "L": "08",
    "M": "08",
    "N": "08",
    "P": "08",
    "R": "03",
    "S": "11",
    "T": "01",
    "V": "02",
    "Y": "12",
}
"""The gazetteer's province of a code's first letter; of X, two territories."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PostalArea:
    """The country of a postal code, and the gazetteer's code of its province where it tells."""

    country: str
    admin1: str = ""


def postal_area(written: str) -> PostalArea | None:
    """Return what the form of a postal code tells; None where several countries write it so."""
    code = written.strip()
    if match := _BRITISH.fullmatch(code):
        return PostalArea(country=_OWN_COUNTRIES.get(match[1].upper(), "GB"))
    if match := _CANADIAN.fullmatch(code):
        letter = match[1].upper()
        return PostalArea(country="CA", admin1=_CANADIAN_PROVINCES.get(letter, ""))
    for country, form in _OTHERS.items():
        if form.fullmatch(code):
            return None if _may_name_province(code[-2:]) else PostalArea(country=country)
    return None


def _may_name_province(letters: str) -> bool:
    """Tell of `6000 WA` in Perth and `3011 BE` in Bern, written like `1012 LG` in Amsterdam."""
    return letters in _AUSTRALIAN or has_letters("CH", letters)
