"""A Nominatim server, queried by the parts of an address (its structured query).

It finds only what has every part, and answers 400 when nothing in the query can be searched.
"""

from collections.abc import Sequence
from http import HTTPStatus

import msgspec

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.index_file import ATTRIBUTION
from roundsman.geocoding.remote_queries import find_best_match, locate_each, unavailable
from roundsman.geocoding.remote_results import RemoteResult, describe_result
from roundsman.kit.http import (
    BadJson,
    BadStatus,
    HttpClient,
    HttpFailure,
    OutgoingRequest,
    read_json,
)

_RESULTS = "5"
_TOWNS = ("city", "town", "village", "municipality", "suburb", "hamlet", "city_district", "county")


class _Place(msgspec.Struct):
    lat: str = ""
    lon: str = ""
    display_name: str = ""
    name: str = ""
    addresstype: str = ""
    address: dict[str, str] = {}


class _Error(msgspec.Struct):
    code: int


class _NominatimRefusal(msgspec.Struct):
    error: _Error


class Nominatim:
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
        query = {"lat": str(place.latitude), "lon": str(place.longitude), "format": "jsonv2"}
        request = OutgoingRequest(url=f"{self._url}/reverse", query=query)
        try:
            found = self._client.fetch_json(request, _Place)
        except HttpFailure as error:
            raise unavailable(error) from error
        return describe_result(_found(found) if found.lat else None, ATTRIBUTION)

    def close(self) -> None:
        self._client.close()

    def _locate(self, address: Address) -> Match | Miss:
        return find_best_match(address, self._search, ATTRIBUTION)

    def _search(self, address: Address) -> list[RemoteResult]:
        request = OutgoingRequest(url=f"{self._url}/search", query=_query(address))
        try:
            places = self._client.fetch_json(request, list[_Place])
        except BadStatus as error:
            if _is_unsearchable(error):
                return []
            raise
        return [_found(place) for place in places]


def _is_unsearchable(error: BadStatus) -> bool:
    """Return whether the server says, by 400, that the address holds nothing to search for."""
    if error.response.status != HTTPStatus.BAD_REQUEST:
        return False
    try:
        refusal = read_json(error.response, _NominatimRefusal, "the geocoder")
    except BadJson:
        return False
    return refusal.error.code == HTTPStatus.BAD_REQUEST


def _query(address: Address) -> dict[str, str]:
    parts = {
        "street": address.address1,
        "city": address.city,
        "state": address.province_code,
        "country": address.country_code,
        "postalcode": address.zip,
    }
    said = {key: part.strip() for key, part in parts.items() if part.strip()}
    return said | {"format": "jsonv2", "addressdetails": "1", "limit": _RESULTS}


def _found(place: _Place) -> RemoteResult:
    said = place.address
    return RemoteResult(
        longitude=float(place.lon),
        latitude=float(place.lat),
        label=place.display_name,
        street=said.get("road") or said.get("pedestrian") or said.get("hamlet", ""),
        number=said.get("house_number", ""),
        towns=tuple(said[key] for key in _TOWNS if key in said),
        postcode=said.get("postcode", ""),
        country=said.get("country_code", ""),
        is_postcode=place.addresstype == "postcode",
    )
