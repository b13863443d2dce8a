"""A Photon server, asked by the address on one line."""

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
    """Any thread may ask; `url` is the server's base address."""

    def __init__(self, client: HttpClient, url: str) -> None:
        self._client = client
        self._url = url.rstrip("/")

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        return ask_each(addresses, self._locate)

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Say which address is nearest to a point."""
        query = {"lat": str(place.latitude), "lon": str(place.longitude)}
        request = HttpRequest(url=f"{self._url}/reverse", query=query)
        try:
            answer = self._client.ask_json(request, _Features)
        except HttpFailure as error:
            raise away(error) from error
        return describe(next(map(_found, answer.features), None), ATTRIBUTION)

    def _locate(self, address: Address) -> Match | Miss:
        address = in_parts(address)
        query = {"q": address.one_line(), "limit": _RESULTS}
        request = HttpRequest(url=f"{self._url}/api", query=query)
        answer = self._client.ask_json(request, _Features)
        return choose([_found(feature) for feature in answer.features], address, ATTRIBUTION)


def _found(feature: _Feature) -> Found:
    said = feature.properties
    longitude, latitude = feature.geometry.coordinates
    is_town = said.type not in {"house", "street"}
    towns = (said.city, said.district, said.locality, said.county, said.name if is_town else "")
    return Found(
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
