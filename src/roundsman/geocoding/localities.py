"""The gazetteer's places and zip codes as flat arrays, found by folded name or by code.

All of it is one dictionary of numpy arrays, so that it can be written to a file once and mapped
into memory afterwards without reading it. A name is found by binary search over the folded names. A
place becomes an object only when it is looked up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundsman.geocoding.normalization import fold

type Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Locality:
    """A city, town or village of the gazetteer."""

    name: str
    country: str
    admin1: str
    latitude: float
    longitude: float
    population: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ZipArea:
    """A zip code of the United States, and the names of cities that are written with it."""

    code: str
    state: str
    cities: tuple[str, ...]
    latitude: float
    longitude: float


class Localities:
    """Immutable, so that threads may share it."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self._places = arrays["latitude"].size
        self._keys = arrays["keys_starts"].size - 1

    def __len__(self) -> int:
        return self._places

    def named(self, name: str) -> list[Locality]:
        """Return every place with this name, as its main or a further name, in any spelling."""
        wanted = fold(name).encode()
        key = self._first_key_from(wanted)
        if not wanted or key == self._keys or self._bytes("keys", key) != wanted:
            return []
        first, after = self._arrays["posting_starts"][key : key + 2]
        places = dict.fromkeys(self._arrays["postings"][first:after].tolist())
        return [self._locality(place) for place in places]

    def zip_area(self, code: str) -> ZipArea | None:
        """Return the area of a zip code of five digits, or None when there is no such code."""
        codes = self._arrays["zip_codes"]
        found = int(np.searchsorted(codes, int(code)))
        if found == codes.size or codes[found] != int(code):
            return None
        return ZipArea(
            code=code,
            state=self._arrays["zip_states"][found].decode(),
            cities=tuple(self._bytes("zip_cities", found).decode().split("|")),
            latitude=float(self._arrays["zip_latitudes"][found]),
            longitude=float(self._arrays["zip_longitudes"][found]),
        )

    def names_near(self, name: str, count: int) -> list[str]:
        """Return folded names that are near `name` in the alphabet."""
        middle = self._first_key_from(fold(name).encode())
        around = range(max(0, middle - count), min(self._keys, middle + count))
        return [self._bytes("keys", key).decode() for key in around]

    def _first_key_from(self, wanted: bytes) -> int:
        low, high = 0, self._keys
        while low < high:
            middle = (low + high) // 2
            if self._bytes("keys", middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _bytes(self, column: str, row: int) -> bytes:
        first, after = self._arrays[f"{column}_starts"][row : row + 2]
        return self._arrays[column][first:after].tobytes()

    def _locality(self, place: int) -> Locality:
        return Locality(
            name=self._bytes("names", place).decode(),
            country=self._arrays["country"][place].decode(),
            admin1=self._arrays["admin1"][place].decode(),
            latitude=float(self._arrays["latitude"][place]),
            longitude=float(self._arrays["longitude"][place]),
            population=int(self._arrays["population"][place]),
        )
