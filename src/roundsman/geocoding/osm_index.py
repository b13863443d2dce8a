"""A geocoder on the address index of one OpenStreetMap extract.

The file is opened at the first call and read by one thread at a time: a look-up is short, and most
of it holds Python's global lock anyway.
"""

import sqlite3
import weakref
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.index_file import WrongIndex, open_index
from roundsman.geocoding.osm_reverse import a_door_of, describe_place
from roundsman.geocoding.osm_search import AddressSearch
from roundsman.geocoding.region import Region, region_of


class OsmIndex:
    """May be called by any thread; raises WrongIndex when the file is not an address index."""

    is_local = True

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        self._connection: sqlite3.Connection = open_index(path)
        # A replaced index is closed when its last call has returned.
        self._closing = weakref.finalize(self, self._connection.close)
        self._search = AddressSearch(self._connection)
        self._about = dict(self._connection.execute("SELECT key, value FROM about").fetchall())
        self._countries = frozenset(self._about["countries"].split())

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        found = []
        for address in addresses:
            with self._lock:
                found.append(self._locate(address))
        return found

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Return the address nearest to a point."""
        with self._lock:
            return describe_place(self._connection, place)

    def count(self, noun: str) -> int:
        """Return how many `addresses`, `streets` or `places` there are."""
        return int(self._about[noun])

    def try_one(self) -> None:
        """Look up one of the index's own addresses; raise WrongIndex when it is not found."""
        with self._lock:
            door = a_door_of(self._connection)
            found = describe_place(self._connection, door) if door else None
        if isinstance(found, Miss):
            raise WrongIndex("the index does not find its own addresses")

    def close(self) -> None:
        """Close the file; no call may follow."""
        with self._lock:
            self._closing()

    def _locate(self, address: Address) -> Match | Miss:
        region = region_of(address)
        if isinstance(region, Miss):
            return region
        if not self._may_hold(region):
            return Miss(reason=f"the map has no addresses in {region.label}")
        return self._search.locate(address, region)

    def _may_hold(self, region: Region) -> bool:
        if region.is_everywhere() or not self._countries:
            return True
        countries = region.countries | {province.country for province in region.provinces}
        return not self._countries.isdisjoint(countries)
