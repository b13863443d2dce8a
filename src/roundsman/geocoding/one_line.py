"""An address on one line, taken apart: `Main St 5, Baltimore, MD 21201, US`.

Read from the right, because that is where the parts have a form: a country, then a province with
or without a postal code, then a city, which may carry its postal code in front as in most of
Europe. What is left is the street. Nothing is looked up here, save the names of countries and
provinces; two letters that may be either (`Berlin, DE`) stay a province, and the gazetteer, which
knows the cities, decides. Where nothing but a street stands before a province, a city is called
like it (`350 5th Ave, New York`), or it was left out.
"""

import re
from dataclasses import dataclass

from roundsman.domain.address import Address
from roundsman.geocoding.countries import country_code, is_english, is_its_own_city, is_town_too
from roundsman.geocoding.local_provinces import (
    countries_of_letters,
    has_letters,
    is_british_county,
)
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.postal_countries import postal_area
from roundsman.geocoding.provinces import (
    TERRITORIES,
    is_rather_city,
    provinces_named,
    us_state_codes,
)

_CODE = (
    r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"  # Britain: SW1A 2AA
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d"  # Canada: M5V 2T6
    r"|\d{4} ?[A-Z]{2}"  # Netherlands: 1012 LG
    r"|\d{3} \d{2}"  # Sweden, Czechia: 111 20
    r"|\d{2}-\d{3}(?!.* \d)"  # Poland: 00-950, and not a house number of Queens: 37-118 Main St
    r"|(?:[A-Z]{1,3}-)?\d{4,6}(?:-\d{3,4})?"  # 21201-1234, 9490, FL-9490
)
_CODE_ALONE = re.compile(_CODE)
_CODE_FIRST = re.compile(rf"({_CODE}) +(\D.*)")
_CODE_LAST = re.compile(rf"(.*?\D) +({_CODE})")
_CODE_FORMS = (_CODE_ALONE, _CODE_FIRST, _CODE_LAST)
_CODE_AND_TOWN = re.compile(rf".*\d.* (?=[^ ]*\d{{4}}|[A-Z]{{1,2}}\d)({_CODE})(?: \D+)")
"""A line that ends with a postal code of four digits or more, or a British one, and a town."""

_LONGEST_COUNTRY, _LONGEST_CODE = 4, 3
"""Words of a country at the end of a line; what is shorter may be a state or a word."""

_CODE_OF_TOWN = re.compile(rf"({_CODE}) +\D+|\D+ ({_CODE})")
_HOUSE_NUMBER_FIRST = re.compile(r"\d{1,4}[A-Z]? .*")
_LONGEST_ABBREVIATION = 3
_UNKNOWN_PROVINCE = re.compile("[A-Z]{2}")

_PROVINCE_LAST = re.compile(r"(.+) (?:([A-Z]{2,3})|\((.+)\))")
_SEPARATORS = re.compile(r"[,\n;]| [-\u2013] (?=\d{5} )")
"""Commas and lines; in Italy a dash before the postal code, too."""

_LONG_CODE = re.compile(r"\d{5}|\d{2}-\d{3}|\d{4}-\d{3}")
_NUMBERS_COME_FIRST = frozenset({"AU", "CA", "NZ", "US"})
"""Where `12345 Main St` is no postal code with its town."""

_HOUSE_NUMBER = re.compile(r"\d{4}")
_FOUR_DIGITS = frozenset({"AT", "BE", "BG", "CH", "DK", "HU", "LI", "LU", "NO", "SI"})
"""Where a postal code has as many as `1200 route de Nice`, which is not written so there."""


def parse_one_line(text: str, country: str = "") -> Address:
    """Return the address written as `text`, in `country` if that is known.

    Every part of it ends up somewhere.
    """
    parts = [" ".join(part.split()) for part in _SEPARATORS.split(text)]
    reader = _FromTheRight(_with_country_apart([part for part in parts if part]), country)
    if not country:
        reader.take_country()
    reader.take_region()
    reader.take_city()
    street = reader.parts
    return Address(
        address1=street[0] if street else "",
        address2=", ".join(street[1:]),
        city=reader.city,
        province_code=reader.province,
        country_code=reader.country,
        zip=reader.code,
    )


def in_parts(address: Address) -> Address:
    """Take an address apart that was given on one line, all of it as its street."""
    if address.city.strip() or address.zip.strip() or not address.address1.strip():
        return address
    parsed = parse_one_line(address.one_line())
    return parsed if parsed.city or parsed.zip else address


def has_city_like_province(address: Address) -> bool:
    """Tell of a line that was read as `1 Fort St` in the province of `Victoria`."""
    return _is_street(address.city) or fold(address.city) == fold(address.province_code)


def _with_country_apart(parts: list[str]) -> list[str]:
    """Cut the country off a line without commas: `Hagstr. 5 9494 Schaan Liechtenstein`.

    Only where a house number, a postal code and a town stand before it, for other words may be a
    street's: `12 Rue de France`. What may be a province is left: `5 Main St 30303 Atlanta Georgia`.
    """
    words = parts[0].split() if len(parts) == 1 else []
    tails = {count: " ".join(words[-count:]) for count in range(_LONGEST_COUNTRY, 0, -1)}
    if any(provinces_named(tail) for tail in tails.values()):
        return parts
    for count, country in tails.items():
        rest = " ".join(words[:-count])
        if (
            len(country) > _LONGEST_CODE
            and country_code(country)
            and not is_town_too(country)
            and _CODE_AND_TOWN.fullmatch(rest)
        ):
            return [rest, country]
    return parts


@dataclass(slots=True)
class _FromTheRight:
    parts: list[str]
    country: str = ""
    province: str = ""
    code: str = ""
    city: str = ""

    def take_country(self) -> None:
        if len(self.parts) < 2 or country_code(self.parts[-1]) is None:
            return
        if _is_state_code(self.parts[-1]) and not self._region_stands_before():
            return
        if self._is_province_rather() or self._is_town_rather():
            return
        self.country = country_code(self.parts[-1]) or ""
        if not self._is_city_too():
            self.parts.pop()

    def _is_province_rather(self) -> bool:
        """Tell of `Georgia`, a state of the United States; the gazetteer looks in both."""
        provinces = provinces_named(self.parts[-1])
        countries = {province.country for province in provinces}
        is_name = len(self.parts[-1]) > _LONGEST_ABBREVIATION
        return is_name and bool(provinces) and country_code(self.parts[-1]) not in countries

    def _is_town_rather(self) -> bool:
        """Tell of `Calle 1, Francia`, and of `Rua 1, Centro, Franca`: no line to France."""
        before, name = self.parts[-2:]
        if is_english(name) or is_its_own_city(name):
            return False
        if is_town_too(name):
            return not _CODE_OF_TOWN.fullmatch(before)
        return _is_street(before)

    def _is_city_too(self) -> bool:
        """Tell of `36 Pool Road, Monaco`, where nothing but the country can be the city."""
        street, country = self.parts[-2:]
        return len(self.parts) == 2 and _is_street(street) and is_its_own_city(country)

    def take_region(self) -> None:
        """Take `MD 21201`, `MD`, `Maryland` or a postal code that stands alone."""
        if len(self.parts) > 1 and (
            self._is_province(self.parts[-1])
            or self._is_code_behind_city()
            or self._is_county()
            or self._is_behind_code_and_town()
        ):
            self.province = self.parts.pop()
            return
        self._take_code()
        if (
            self.code
            and len(self.parts) > 1
            and (self._is_province(self.parts[-1]) or self._is_county())
        ):
            self.province = self.parts.pop()

    def _is_county(self) -> bool:
        """Tell of `Guildford, Surrey GU1 3AA`, which is in no other Surrey."""
        area = postal_area(self.code)
        is_british = "GB" in {self.country, area.country if area else ""}
        before, county = self.parts[-2:]
        return is_british and is_british_county(county) and not _is_street(before)

    def _is_behind_code_and_town(self) -> bool:
        """Tell of `48001 Bilbao, Vizcaya` where a postal code stands before its town."""
        before, province = self.parts[-2:]
        match = _CODE_FIRST.fullmatch(before)
        if match is None or any(letter.isdigit() for letter in match[2] + province):
            return False
        area, has_street = postal_area(match[1]), len(self.parts) > 2
        country = self.country or (area.country if area and has_street else "")
        if _HOUSE_NUMBER.fullmatch(match[1]):
            return has_street and country in _FOUR_DIGITS
        return bool(country) and country not in _NUMBERS_COME_FIRST

    def _is_code_behind_city(self) -> bool:
        """Tell of `Nowhereville, ZZ`: it is the province that nobody knows."""
        before, code = self.parts[-2:]
        return bool(_UNKNOWN_PROVINCE.fullmatch(code)) and not _is_street(before)

    def take_city(self) -> None:
        if not self.parts:
            return
        if self._city_is_called_like_province():
            self.city = self.province
            if is_rather_city(self.province):
                self.province = ""
            return
        self._take_code()
        if not self.parts:
            return
        city = self.parts.pop()
        match = None if self.province else _PROVINCE_LAST.fullmatch(city)
        province = (match[2] or match[3]) if match else ""
        if match and (self._is_known_province(province) or self._is_of_letters(province)):
            city, self.province = match[1], province
        self.city = city
        if not self.code and len(self.parts) > 1 and _LONG_CODE.fullmatch(self.parts[-1]):
            self.code = self.parts.pop()

    def _is_of_letters(self, province: str) -> bool:
        """Tell of `00184 Roma RM` and `Roma (RM)`."""
        if self.country:
            return has_letters(self.country, province)
        return bool(countries_of_letters(province, self.code))

    def _city_is_called_like_province(self) -> bool:
        """Tell of `10 Main St, 43015 Delaware`, which names no other city."""
        if len(self.province) <= _LONGEST_ABBREVIATION:
            return False
        if not self.code and not is_rather_city(self.province):
            return False
        before = self.parts[-1]
        if self.code:
            return any(letter.isdigit() for letter in before)
        has_number_first = _HOUSE_NUMBER_FIRST.fullmatch(before)
        return _is_street(before) or bool(has_number_first and self._is_where_numbers_come_first())

    def _is_where_numbers_come_first(self) -> bool:
        countries = {province.country for province in provinces_named(self.province)}
        return countries <= {"CA", "US"}

    def _take_code(self) -> None:
        """Take a postal code that is, begins or ends the last part."""
        last = self.parts[-1] if self.parts else ""
        if self.code:
            return
        if _CODE_ALONE.fullmatch(last):
            self.code = self.parts.pop()
        elif match := _CODE_FIRST.fullmatch(last):
            self.code, self.parts[-1] = match[1], match[2]
        elif match := _CODE_LAST.fullmatch(last):
            self.parts[-1], self.code = match[1], match[2]

    def _region_stands_before(self) -> bool:
        before = self.parts[-2]
        if any(form.fullmatch(before) for form in _CODE_FORMS):
            return True
        return len(self.parts) > 2 and self._is_province(before)

    def _is_province(self, text: str) -> bool:
        looks_like_code = len(text) <= 3 and text.isascii() and text.isupper()
        return self._is_known_province(text) or (bool(self.country) and looks_like_code)

    def _is_known_province(self, text: str) -> bool:
        if text in TERRITORIES:
            return self.country in {"", "US"}
        return any(self.country in {"", named.country} for named in provinces_named(text))


def _is_street(text: str) -> bool:
    """Tell by its number, which is no postal code."""
    has_number = any(letter.isdigit() for letter in text)
    return has_number and not any(form.fullmatch(text) for form in _CODE_FORMS)


def _is_state_code(text: str) -> bool:
    return text.upper() in us_state_codes()
