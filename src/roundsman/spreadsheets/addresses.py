"""Corrects address cells that hold something else than their column says.

`69115 Heidelberg` in one cell is a postal code and a city. Two streets with two numbers in one cell
are two addresses, and only a person knows the right one.
"""

import re
from dataclasses import dataclass

_CODE = r"(?:[A-Z]{1,3}-)?\d{4,5}(?: ?[A-Z]{2}\b)?"
_CODE_FIRST = re.compile(rf"({_CODE})[ ,/]+(\D.*)")
_CODE_LAST = re.compile(rf"(\D*[^\d\s,/-])[ ,/-]+({_CODE}|\d{{5}}-\d{{4}})")
_CEDEX = re.compile(r" cedex(?: \d+)?$", re.IGNORECASE)  # a post office in France, no place
_STATE_LAST = re.compile(r"(.+?),? ([A-Z]{2,3})")

# Not `and`: between two streets with numbers it is a crossing as often.
_EITHER = re.compile(r"\s*(?:/|\b(?:or|oder|ou|o|of|und|et)\b)\s*", re.IGNORECASE)
_NUMBER_FIRST = re.compile(r"\d+\s?[a-z]?,?\s+(?!\s)(?:.*[^\W\d_]{3})", re.IGNORECASE)
_NUMBER_LAST = re.compile(r".*?[^\W\d_]{3}.*\s\d+\s?[a-z]?(?:,.*)?", re.IGNORECASE)
_PARTS_OF_HOUSES = (
    "unit flat apt apartment suite ste floor fl room rm building bldg block gate dock bay lot"
    " level po hwy highway route rt km exit etage eg og dg hinterhaus hh vorderhaus haus"
    " wohnung whg top stiege tor halle aufgang bis ter gebäude bât bâtiment appt esc escalier"
    " étage porte entrée piso planta puerta bloque local nave portal km verdieping hal poort"
    " gebouw unidad"
)
_NO_ADDRESS = frozenset(_PARTS_OF_HOUSES.split(" "))
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class ZipAndCity:
    """A postal code, a city and a state as they stand in one cell; any but the city may lack."""

    city: str
    zip: str = ""
    province: str = ""


def split_zip_and_city(text: str) -> ZipAndCity:
    """Split a cell that holds a city with its postal code or state."""
    text = _CEDEX.sub("", " ".join(text.split()))
    if match := _CODE_FIRST.fullmatch(text):
        return ZipAndCity(zip=match[1], city=match[2])
    if match := _CODE_LAST.fullmatch(text):
        state = _STATE_LAST.fullmatch(match[1])
        if state:
            return ZipAndCity(zip=match[2], city=state[1], province=state[2])
        return ZipAndCity(zip=match[2], city=match[1])
    return ZipAndCity(city=text)


def find_two_addresses(text: str) -> tuple[str, str] | None:
    """Return the first two addresses of a cell that holds more than one."""
    parts = [part.strip(" ,.") for part in _EITHER.split(" ".join(text.split()))]
    addresses = [part for part in parts if _is_street(part)]
    return (addresses[0], addresses[1]) if len(addresses) > 1 else None


def _is_street(text: str) -> bool:
    """Return whether a text is a street with a house number, not a floor, unit or crossing."""
    if not (_NUMBER_FIRST.match(text) or _NUMBER_LAST.fullmatch(text)):
        return False
    words = _WORD.findall(text.casefold())
    return bool(words) and words[0] not in _NO_ADDRESS
