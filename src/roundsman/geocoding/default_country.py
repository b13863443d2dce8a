"""Addresses of a list, most of which leave out the country that all of them are in."""

from collections.abc import Sequence

from msgspec.structs import replace

from roundsman.domain.address import Address
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.geocoder import Geocoder, Match, Miss
from roundsman.geocoding.local_provinces import has_letters
from roundsman.geocoding.one_line import has_city_like_province, in_parts, parse_one_line
from roundsman.geocoding.postal_countries import postal_area
from roundsman.geocoding.provinces import provinces_named


def geocode_in_country(
    addresses: Sequence[Address], geocoder: Geocoder, country: str
) -> list[Match | Miss]:
    """Locate each address, in order; one that is not known where most are may be abroad."""
    there = [within_country(address, country) for address in addresses]
    answers = geocoder.geocode(there)
    abroad = [
        index
        for index, answer in enumerate(answers)
        if isinstance(answer, Miss) and not answer.settled and there[index] != addresses[index]
    ]
    again = geocoder.geocode([addresses[index] for index in abroad])
    for index, answer in zip(abroad, again, strict=True):
        if isinstance(answer, Match):
            answers[index] = answer
    return answers


def within_country(address: Address, country: str) -> Address:
    """Return an address in a country that it does not name.

    Not where its province or the form of its postal code is another's.
    """
    parts = in_parts(address)
    province = parts.province_code.strip()
    if not country or parts.country_code.strip():
        return address
    area = postal_area(parts.zip)
    if area and area.country != country:
        return address
    if parts is not address and not province:
        parts = parse_one_line(address.one_line(), country)  # its own provinces are known now
        province = parts.province_code.strip()
    if has_letters(country, province):  # `20121 Milano MI` from Italy is not in Michigan
        return replace(parts, country_code=country)
    countries = {named.country for named in provinces_named(province)} if province else set()
    if countries and country not in countries and has_city_like_province(parts):
        return parse_one_line(address.one_line(), country)  # `1 Fort St, Victoria` from Canada
    if not countries or country in countries:
        return replace(parts, country_code=country)
    if country_code(province) == country:  # `Berlin, DE` from Germany is not in Delaware
        return replace(parts, country_code=country, province_code="")
    return address
