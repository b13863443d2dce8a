"""A Photon server, queried by the address on one line.

Photon knows states by their names, not by codes, so codes are written out.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.index_file import ATTRIBUTION
from roundsman.geocoding.provinces import province_name
from roundsman.geocoding.remote_queries import find_best_match, locate_each, unavailable
from roundsman.geocoding.remote_results import RemoteResult, describe_result
from roundsman.kit.http import HttpClient, HttpFailure, OutgoingRequest

_RESULTS = "5"
_TOWNS = frozenset({"city", "district", "locality"})
"""The kinds of object that count as a city; a county or state of that name is something else."""


class _Properties(msgspec.Struct):
    type: str = ""
    name: str = ""
    housenumber: str = ""
    street: str = ""
    locality: str = ""
    district: str = ""
    city: str = ""
    county: str = ""
    state: str = ""
    postcode: str = ""
    country: str = ""
    countrycode: str = ""


class _Geometry(msgspec.Struct):
    coordinates: tuple[float, float]


class _Feature(msgspec.Struct):
    geometry: _Geometry
    properties: _Properties


class _Features(msgspec.Struct):
    features: list[_Feature]


class Photon:
    """May be called by any thread; `url` is the server's base address."""

    is_local = False

    def __init__(self, client: HttpClient, url: str) -> None:
        self._client = client
        self._url = url.rstrip("/")

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        return locate_each(addresses, self._locate)

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Return the address nearest to a point."""
        query = {"lat": str(place.latitude), "lon": str(place.longitude)}
        request = OutgoingRequest(url=f"{self._url}/reverse", query=query)
        try:
            answer = self._client.fetch_json(request, _Features)
        except HttpFailure as error:
            raise unavailable(error) from error
        return describe_result(next(map(_found, answer.features), None), ATTRIBUTION)

    def close(self) -> None:
        self._client.close()

    def _locate(self, address: Address) -> Match | Miss:
        return find_best_match(address, self._search, ATTRIBUTION)

    def _search(self, address: Address) -> list[RemoteResult]:
        province = province_name(address.province_code, address.country_code)
        wanted = replace(address, province_code=province).one_line()
        request = OutgoingRequest(url=f"{self._url}/api", query={"q": wanted, "limit": _RESULTS})
        return [_found(feature) for feature in self._client.fetch_json(request, _Features).features]


def _found(feature: _Feature) -> RemoteResult:
    said = feature.properties
    longitude, latitude = feature.geometry.coordinates
    is_town = said.type in _TOWNS or (not said.type and not said.street)
    towns = (said.city, said.district, said.locality, said.county, said.name if is_town else "")
    return RemoteResult(
        longitude=longitude,
        latitude=latitude,
        label=_label(said),
        street=said.street or (said.name if said.type == "street" else ""),
        number=said.housenumber,
        towns=tuple(town for town in towns if town),
        postcode=said.postcode,
        country=said.countrycode,
    )


def _label(said: _Properties) -> str:
    street = said.street or said.name
    return Address(
        address1=f"{street} {said.housenumber}".strip(),
        city=said.city if said.city != street else "",
        province_code=said.state,
        zip=said.postcode,
        country_code=said.countrycode,
    ).one_line()
