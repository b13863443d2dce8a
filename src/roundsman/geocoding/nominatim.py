"""A Nominatim server, asked by the parts of an address (its structured query)."""

from collections.abc import Sequence

import msgspec

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.asking import ask_each, away
from roundsman.geocoding.foreign_answers import Found, choose, describe
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.index_file import ATTRIBUTION
from roundsman.geocoding.one_line import in_parts
from roundsman.kit.http import HttpClient, HttpFailure, HttpRequest

_RESULTS = "5"
_TOWNS = ("city", "town", "village", "municipality", "suburb", "hamlet", "city_district", "county")


class _Place(msgspec.Struct):
    lat: str = ""
    lon: str = ""
    display_name: str = ""
    name: str = ""
    addresstype: str = ""
    address: dict[str, str] = {}


class Nominatim:
    """Any thread may ask; `url` is the server's base address."""

    def __init__(self, client: HttpClient, url: str) -> None:
        self._client = client
        self._url = url.rstrip("/")

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        return ask_each(addresses, self._locate)

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Say which address is nearest to a point."""
        query = {"lat": str(place.latitude), "lon": str(place.longitude), "format": "jsonv2"}
        request = HttpRequest(url=f"{self._url}/reverse", query=query)
        try:
            found = self._client.ask_json(request, _Place)
        except HttpFailure as error:
            raise away(error) from error
        return describe(_found(found) if found.lat else None, ATTRIBUTION)

    def _locate(self, address: Address) -> Match | Miss:
        address = in_parts(address)
        places = self._client.ask_json(
            HttpRequest(url=f"{self._url}/search", query=_query(address)), list[_Place]
        )
        return choose([_found(place) for place in places], address, ATTRIBUTION)


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


def _found(place: _Place) -> Found:
    said = place.address
    return Found(
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
