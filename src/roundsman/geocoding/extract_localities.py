"""The towns of an extract, and the town of each address that does not name one.

A town may be mapped as a place, mapped as a boundary, and named by addresses. Entries of one name
that are near each other are one town. An address without a city gets the municipality around it,
else the city of its neighbours, else the nearest place.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from roundsman.geocoding.distances import are_inside, meters_between, meters_from
from roundsman.geocoding.extract_reader import (
    ExtractContents,
    Points,
    TaggedAddress,
    TaggedBoundary,
)
from roundsman.geocoding.street_names import fold_words

_REACH = {
    "city": 12_000,
    "town": 5_000,
    "municipality": 6_000,
    "borough": 4_000,
    "village": 2_500,
    "suburb": 2_500,
    "quarter": 1_500,
    "neighbourhood": 1_200,
    "island": 3_000,
    "hamlet": 1_200,
}  # fmt: skip -- one table, one glance
_SHORTEST_REACH = 800
"""The extent of a place in metres, where the map has none; also the rank of its kind."""

_SAME_TOWN_METERS = 25_000
_MUNICIPALITIES = (8, 7, 9, 10, 6)
"""Levels of administration that are a town to those who write addresses, the usual one first."""

_FARTHEST_REACHES = 4
"""A street farther from a place than this many of its extents belongs to no known place."""

_ISO_LETTERS = 2
_NEIGHBOUR_METERS = 1_000
_CELL = 0.01


@dataclass(kw_only=True, slots=True)
class Town:
    """A town as it is kept; `reach` is how far from its middle it extends, in metres."""

    id: int
    names: list[str]
    kind: str
    population: int
    longitude: float
    latitude: float
    reach: float
    states: Counter[str] = field(default_factory=Counter)
    countries: Counter[str] = field(default_factory=Counter)
    doors: int = 0


class Towns:
    """All towns of an extract, found by name."""

    def __init__(self) -> None:
        self.all: list[Town] = []
        self._by_name: dict[str, list[Town]] = defaultdict(list)

    def obtain(self, names: Sequence[str], kind: str, point: tuple[float, float]) -> Town:
        """Return the town of the first of these names near a point; make it if none is."""
        for town in self._by_name[fold_words(names[0])]:
            if meters_between((town.longitude, town.latitude), point) < _SAME_TOWN_METERS:
                self._call(town, names)
                return town
        town = Town(
            id=len(self.all) + 1,
            names=[],
            kind=kind,
            population=0,
            longitude=point[0],
            latitude=point[1],
            reach=_REACH.get(kind, _SHORTEST_REACH),
        )
        self.all.append(town)
        self._call(town, names)
        return town

    def _call(self, town: Town, names: Sequence[str]) -> None:
        for name in names:
            if name not in town.names:
                town.names.append(name)
            if town not in self._by_name[fold_words(name)]:
                self._by_name[fold_words(name)].append(town)


def collect_towns(contents: ExtractContents) -> Towns:
    """Return the towns that places, boundaries and addresses name."""
    towns = Towns()
    by_size = sorted(contents.places, key=lambda place: -_REACH.get(place.kind, 0))
    for place in by_size:
        town = towns.obtain(place.names, place.kind, (place.longitude, place.latitude))
        town.population = max(town.population, place.population)
    for boundary in contents.boundaries:
        if boundary.level in _MUNICIPALITIES:
            _take_boundary(towns, boundary)
    for address in contents.addresses:
        if is_city(address.city):
            _take_address(towns, address)
    return towns


def is_city(text: str) -> bool:
    """Say whether a tag can name a town: some hold a postal code or a dash by mistake."""
    return any(letter.isalpha() for letter in text)


def _take_boundary(towns: Towns, boundary: TaggedBoundary) -> None:
    around = np.concatenate(boundary.rings)
    low, high = around.min(axis=0), around.max(axis=0)
    middle = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2)
    town = towns.obtain(boundary.names, "boundary", middle)
    # The median leaves exclaves out, of which a mountain village may have several.
    usual = float(np.median(meters_from((town.longitude, town.latitude), around)))
    town.reach = max(town.reach, usual)


def _take_address(towns: Towns, address: TaggedAddress) -> None:
    point = (address.longitude, address.latitude)
    town = towns.obtain([address.city], "addresses", point)
    town.doors += 1
    distance = meters_between((town.longitude, town.latitude), point)
    town.reach = max(town.reach, distance)
    if address.state:
        town.states[address.state] += 1
    if len(address.country) == _ISO_LETTERS:
        town.countries[address.country.upper()] += 1


class Surroundings:
    """Answers which town and which postal code a point belongs to."""

    def __init__(self, contents: ExtractContents, towns: Towns) -> None:
        self._towns = towns
        self._contents = contents
        self._codes = [boundary for boundary in contents.boundaries if boundary.level == 0]
        self._with_city = _Neighbours([a for a in contents.addresses if is_city(a.city)])
        self._with_code = _Neighbours([a for a in contents.addresses if a.postcode])
        self._settled = [town for town in towns.all if town.kind != "locality"]
        self._middles = np.array([(town.longitude, town.latitude) for town in self._settled])
        self._reaches = np.array([town.reach for town in self._settled])

    def towns_of(self, points: Points) -> list[Town | None]:
        """Return the town around each point, None where the map knows none."""
        around = enclosing_municipalities(self._contents, points)
        return [
            self._town(name, (float(point[0]), float(point[1])))
            for name, point in zip(around, points, strict=True)
        ]

    def codes_of(self, points: Points) -> list[str]:
        """Return the postal code of each point, empty where nothing near has one."""
        around = _enclosing(self._codes, points)
        return [
            name or self._with_code.nearest((float(point[0]), float(point[1]))).postcode
            for name, point in zip(around, points, strict=True)
        ]

    def _town(self, around: str, point: tuple[float, float]) -> Town | None:
        name = around or self._with_city.nearest(point).city
        if name:
            return self._towns.obtain([name], "addresses", point)
        return self._nearest_town(point)

    def _nearest_town(self, point: tuple[float, float]) -> Town | None:
        """Return the town inside whose extent a point is deepest, else the nearest extent."""
        if not self._settled:
            return None
        depths = meters_from(point, self._middles) / self._reaches
        nearest = int(depths.argmin())
        return self._settled[nearest] if depths[nearest] < _FARTHEST_REACHES else None


def enclosing_municipalities(contents: ExtractContents, points: Points) -> list[str]:
    """Return the municipality around each point, empty where the map has no boundary of it."""
    municipalities = [
        boundary
        for level in _MUNICIPALITIES
        for boundary in contents.boundaries
        if boundary.level == level
    ]
    return _enclosing(municipalities, points)


class _Neighbours:
    """Addresses by squares of about a kilometre."""

    def __init__(self, addresses: Sequence[TaggedAddress]) -> None:
        self._cells: dict[tuple[int, int], list[TaggedAddress]] = defaultdict(list)
        for address in addresses:
            self._cells[_cell(address.longitude, address.latitude)].append(address)

    def nearest(self, point: tuple[float, float]) -> TaggedAddress:
        """Return the nearest address within a kilometre, else one without a town."""
        x, y = _cell(*point)
        near = [
            (meters_between((address.longitude, address.latitude), point), place, address)
            for place, cell in enumerate((x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
            for address in self._cells.get(cell, ())
        ]
        distance, _, address = min(near, key=lambda entry: entry[:2], default=(0.0, 0, _NOBODY))
        return address if distance <= _NEIGHBOUR_METERS else _NOBODY


_NOBODY = TaggedAddress("", "", "", "", "", "", 0.0, 0.0)


def _cell(longitude: float, latitude: float) -> tuple[int, int]:
    return int(longitude // _CELL), int(latitude // _CELL)


def _enclosing(boundaries: Sequence[TaggedBoundary], points: Points) -> list[str]:
    """Return the name of the first boundary around each point, empty where there is none."""
    found = np.full(len(points), -1)
    for place, boundary in enumerate(boundaries):
        inside = _is_within(boundary, points, found < 0)
        found[inside] = place
    return ["" if place < 0 else boundaries[place].names[0] for place in found.tolist()]


def _is_within(
    boundary: TaggedBoundary, points: Points, wanted: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    within = np.zeros(len(points), dtype=np.bool_)
    for ring in boundary.rings:
        low, high = ring.min(axis=0), ring.max(axis=0)
        near = np.flatnonzero(wanted & ((points >= low) & (points <= high)).all(axis=1))
        if near.size:
            within[near] |= are_inside(ring, points[near])
    return within
