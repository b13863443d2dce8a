"""The part of the world that the country and province of an address name."""

from dataclasses import dataclass

from roundsman.domain.address import Address
from roundsman.domain.issue import IssueType
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.geocoder import Miss, issue_of
from roundsman.geocoding.postal_countries import PostalArea, postal_area
from roundsman.geocoding.provinces import COMPLETE, TERRITORIES, Province, provinces_named


@dataclass(frozen=True, kw_only=True, slots=True)
class Region:
    """Countries and provinces, any of which is meant; with neither, the whole world.

    `hint` is a province that cannot be checked: it narrows what is found, but never to nothing.
    """

    countries: frozenset[str] = frozenset()
    provinces: frozenset[Province] = frozenset()
    hint: str = ""
    label: str = ""

    def is_everywhere(self) -> bool:
        """Return whether the address named neither country nor province."""
        return not self.countries and not self.provinces

    def holds(self, province: Province) -> bool:
        """Return whether the address may mean something in this province."""
        return (
            self.is_everywhere() or province.country in self.countries or province in self.provinces
        )

    def is_within(self, country: str) -> bool:
        """Return whether the address can only mean something in this country."""
        named = self.countries | {province.country for province in self.provinces}
        return named == {country}


def region_of(address: Address) -> Region | Miss:
    """Return where to search, or a miss that says which name is unknown."""
    country, province = address.country_code.strip(), address.province_code.strip()
    label = ", ".join(part for part in (province, country) if part)
    area = postal_area(address.zip)
    if not country and area and _may_be_in(area.country, province):
        return _in_country(area.country, province, label or area.country, area)
    if not country:
        return _by_province_alone(province, label)
    iso = country_code(country)
    if iso is None:
        return Miss(
            reason=f'unknown country "{country}"; use its two-letter ISO code',
            issue=issue_of(IssueType.UNKNOWN_COUNTRY, country),
        )
    return _in_country(iso, province, label, area)


def _may_be_in(country: str, province: str) -> bool:
    """Tell whether a province says nothing else of its country than the postal code does."""
    countries = {named.country for named in provinces_named(province)} if province else set()
    return country in countries or not (countries or country_code(province))


def _by_province_alone(province: str, label: str) -> Region | Miss:
    if not province:
        return Region()
    iso = country_code(province)
    provinces = provinces_named(province)
    countries = {iso} if iso else set()
    countries |= TERRITORIES & {province.upper()}
    if not provinces and not countries:
        reason = f'unknown province "{province}"; add the country'
        return Miss(reason=reason, issue=issue_of(IssueType.UNKNOWN_PROVINCE, province))
    return Region(countries=frozenset(countries), provinces=provinces, label=label)


def _in_country(iso: str, province: str, label: str, area: PostalArea | None) -> Region | Miss:
    if iso == "US" and province.upper() in TERRITORIES:
        return Region(countries=frozenset({province.upper()}), label=label)
    known = frozenset(named for named in provinces_named(province) if named.country == iso)
    if known:
        return Region(provinces=known, label=label)
    if province and iso in COMPLETE:
        reason = f'unknown province "{province}" of {iso}'
        return Miss(reason=reason, issue=issue_of(IssueType.UNKNOWN_PROVINCE, province))
    by_code = area.admin1 if area and area.country == iso else ""
    return Region(countries=frozenset({iso}), hint=province.upper() or by_code, label=label)
