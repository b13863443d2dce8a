"""Reads addresses, streets, places and boundaries from an OpenStreetMap extract.

Everything is kept as it is tagged; `extract_index` makes sense of it. Points are longitude and
latitude columns of numpy arrays, in the order of the file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import osmium
from numpy.typing import NDArray

type Points = NDArray[np.float64]
"""One row a point: longitude, latitude."""

_WANTED = ("addr:housenumber", "addr:interpolation", "boundary", "highway", "place")
_ONCE_MORE = ("alt_name", "loc_name", "official_name", "old_name", "short_name")
_LANGUAGE = "name:"
_PLACES = frozenset(
    {
        "city",
        "town",
        "village",
        "hamlet",
        "suburb",
        "neighbourhood",
        "quarter",
        "borough",
        "municipality",
        "locality",
        "isolated_dwelling",
        "island",
    }
)  # fmt: skip -- one table, one glance
_NO_STREETS = frozenset(
    {"bus_stop", "platform", "proposed", "construction", "rest_area", "services"}
)
_BYTES_A_MATCH = 1_000
"""Bytes of a file per object that is kept, about; used only for the progress bar."""

_TOLD_EVERY = 2_000
_MOST_UNLOCATED = 0.5
_UNSORTED = "out of order"
_SORT = "its objects are in no order; sort it, as `osmium sort` does"


class UnreadableExtract(ValueError):
    """The file cannot be used; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class TaggedAddress:
    """One object with a house number; `street` is the street or, without one, the place."""

    number: str
    street: str
    city: str
    postcode: str
    state: str
    country: str
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class TaggedStreet:
    """One way of a street, under each of its names."""

    names: tuple[str, ...]
    points: Points


@dataclass(frozen=True, slots=True)
class TaggedPlace:
    """A town, village or quarter."""

    names: tuple[str, ...]
    kind: str
    population: int
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class TaggedBoundary:
    """An area with a name; `level` is that of an administration, 0 for a postal code."""

    names: tuple[str, ...]
    level: int
    rings: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class TaggedInterpolation:
    """A row of doors of which only some are mapped: addresses by their place along `points`."""

    kind: str
    points: Points
    doors: tuple[tuple[int, TaggedAddress], ...]


@dataclass(kw_only=True, slots=True)
class ExtractContents:
    """All that was found."""

    addresses: list[TaggedAddress] = field(default_factory=list)
    streets: list[TaggedStreet] = field(default_factory=list)
    places: list[TaggedPlace] = field(default_factory=list)
    boundaries: list[TaggedBoundary] = field(default_factory=list)
    interpolations: list[TaggedInterpolation] = field(default_factory=list)


def read_addresses(path: Path, progress: Callable[[float], None]) -> ExtractContents:
    """Read an extract; raise UnreadableExtract when it is damaged."""
    reader = _Reader()
    expected = path.stat().st_size / _BYTES_A_MATCH if path.is_file() else 1
    try:
        for count, thing in enumerate(_matching(path)):
            reader.take(thing)
            if count % _TOLD_EVERY == 0:
                progress(count / (count + expected))
    except (RuntimeError, OSError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        if _UNSORTED in reason:
            raise UnreadableExtract(f"{path.name} cannot be used: {_SORT}") from error
        raise UnreadableExtract(f"{path.name} is no readable extract: {reason}") from error
    reader.require_located(path)
    return reader.contents


def _matching(path: Path) -> Iterator[object]:
    areas = osmium.filter.KeyFilter("addr:housenumber", "boundary", "place")
    processor = osmium.FileProcessor(str(path)).with_locations().with_areas(areas)
    yield from iter(processor.with_filter(osmium.filter.KeyFilter(*_WANTED)))


class _Reader:
    def __init__(self) -> None:
        self.contents = ExtractContents()
        self._by_node: dict[int, TaggedAddress] = {}
        self._ways = 0
        self._unlocated = 0

    def take(self, thing: object) -> None:
        if isinstance(thing, osmium.osm.Node):
            self._take_node(thing)
        elif isinstance(thing, osmium.osm.Way):
            self._take_way(thing)
        elif isinstance(thing, osmium.osm.Area):
            self._take_area(thing)

    def require_located(self, path: Path) -> None:
        if self._unlocated > _MOST_UNLOCATED * self._ways:
            raise UnreadableExtract(f"{path.name} cannot be used: {_SORT}")

    def _take_node(self, node: osmium.osm.Node) -> None:
        tags = node.tags
        longitude, latitude = node.lon, node.lat
        if "addr:housenumber" in tags:
            address = _address(tags, longitude, latitude)
            self.contents.addresses.append(address)
            self._by_node[node.id] = address
        if tags.get("place") in _PLACES and "name" in tags:
            self._add_place(tags, longitude, latitude)

    def _take_way(self, way: osmium.osm.Way) -> None:
        tags = way.tags
        self._ways += 1
        located = [node for node in way.nodes if node.location.valid()]
        if not located:
            self._unlocated += 1
            return
        points = np.array([(node.lon, node.lat) for node in located])
        if "addr:interpolation" in tags:
            self._add_interpolation(tags["addr:interpolation"], located, points)
        elif "addr:housenumber" in tags:
            middle = _middle(points)
            self.contents.addresses.append(_address(tags, *middle))
        if "name" in tags and tags.get("highway", "platform") not in _NO_STREETS:
            self.contents.streets.append(TaggedStreet(_names(tags), points))

    def _take_area(self, area: osmium.osm.Area) -> None:
        tags = area.tags
        rings = tuple(
            np.array([(node.lon, node.lat) for node in ring]) for ring in area.outer_rings()
        )
        if not rings:
            return
        middle = _middle(np.concatenate(rings))
        if "addr:housenumber" in tags and not area.from_way():
            self.contents.addresses.append(_address(tags, *middle))
        if tags.get("place") in _PLACES and "name" in tags:
            self._add_place(tags, *middle)
        self._add_boundary(tags, rings)

    def _add_place(self, tags: osmium.osm.TagList, longitude: float, latitude: float) -> None:
        people = _tag(tags, "population")
        self.contents.places.append(
            TaggedPlace(
                names=_names(tags),
                kind=tags["place"],
                population=int(people) if people.isascii() and people.isdigit() else 0,
                longitude=longitude,
                latitude=latitude,
            )
        )

    def _add_boundary(self, tags: osmium.osm.TagList, rings: tuple[Points, ...]) -> None:
        level = _tag(tags, "admin_level")
        if tags.get("boundary") == "administrative" and "name" in tags and level.isdecimal():
            self.contents.boundaries.append(TaggedBoundary(_names(tags), int(level), rings))
        elif tags.get("boundary") == "postal_code" and "postal_code" in tags:
            self.contents.boundaries.append(TaggedBoundary((tags["postal_code"],), 0, rings))

    def _add_interpolation(
        self, kind: str, nodes: list[osmium.osm.NodeRef], points: Points
    ) -> None:
        doors = tuple(
            (place, self._by_node[node.ref])
            for place, node in enumerate(nodes)
            if node.ref in self._by_node
        )
        if len(doors) > 1:
            self.contents.interpolations.append(TaggedInterpolation(kind, points, doors))


def _address(tags: osmium.osm.TagList, longitude: float, latitude: float) -> TaggedAddress:
    return TaggedAddress(
        number=tags["addr:housenumber"],
        street=_tag(tags, "addr:street") or _tag(tags, "addr:place") or _tag(tags, "addr:city"),
        city=_tag(tags, "addr:city"),
        postcode=_tag(tags, "addr:postcode"),
        state=_tag(tags, "addr:state"),
        country=_tag(tags, "addr:country"),
        longitude=longitude,
        latitude=latitude,
    )


def _tag(tags: osmium.osm.TagList, key: str) -> str:
    return tags.get(key) or ""


def _names(tags: osmium.osm.TagList) -> tuple[str, ...]:
    """Return the name and what else it goes by, in other languages too."""
    others = [
        name
        for tag in tags
        if tag.k in _ONCE_MORE or tag.k.startswith(_LANGUAGE)
        for name in tag.v.split(";")
    ]
    return tuple(dict.fromkeys(name.strip() for name in (tags["name"], *others) if name.strip()))


def _middle(points: Points) -> tuple[float, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    longitude, latitude = (low + high) / 2
    return float(longitude), float(latitude)
