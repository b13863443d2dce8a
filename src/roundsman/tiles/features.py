"""What of OpenStreetMap is drawn, on which layer, from which zoom on.

Layers and attributes are those that styles of the Protomaps basemap read (its schema, version 4):
`earth`, `landuse`, `water`, `roads`, `buildings`, `boundaries`, `places`. Tags as the
OpenStreetMap wiki's "Map features" defines them.
"""

from collections.abc import Mapping
from typing import NamedTuple

type Attributes = dict[str, str | int | bool]


type Tags = Mapping[str, str]


class Drawn(NamedTuple):
    """How an object is drawn."""

    layer: str
    min_zoom: int
    attributes: Attributes
    rank: int = 0
    """Later ones are drawn over earlier ones of their layer."""


EARTH, LANDUSE, WATER, ROADS = "earth", "landuse", "water", "roads"
BUILDINGS, BOUNDARIES, PLACES = "buildings", "boundaries", "places"
LAYERS = (EARTH, LANDUSE, WATER, ROADS, BUILDINGS, BOUNDARIES, PLACES)

KEYS = (
    "highway",
    "railway",
    "waterway",
    "natural",
    "landuse",
    "leisure",
    "amenity",
    "aeroway",
    "man_made",
    "building",
    "place",
    "boundary",
    "addr:housenumber",
    "tourism",
)
"""An object without any of these is not drawn."""

# kind, from which zoom on, rank
_ROADS: Mapping[str, tuple[str, int, int]] = {
    "motorway": ("highway", 5, 90),
    "trunk": ("major_road", 6, 80),
    "primary": ("major_road", 8, 70),
    "secondary": ("major_road", 9, 60),
    "tertiary": ("major_road", 10, 50),
    "unclassified": ("minor_road", 12, 40),
    "residential": ("minor_road", 12, 40),
    "living_street": ("minor_road", 12, 40),
    "road": ("minor_road", 12, 40),
    "service": ("minor_road", 13, 30),
    "busway": ("minor_road", 13, 30),
    "pedestrian": ("path", 13, 20),
    "track": ("path", 13, 20),
    "footway": ("path", 14, 10),
    "cycleway": ("path", 13, 10),
    "bridleway": ("path", 14, 10),
    "path": ("path", 13, 10),
    "steps": ("path", 14, 10),
    "corridor": ("path", 14, 10),
}
_RAILS = frozenset({"rail", "light_rail", "tram", "narrow_gauge", "subway", "funicular"})
_LANDUSE: Mapping[str, Mapping[str, tuple[str, int]]] = {
    "landuse": {
        "forest": ("forest", 8),
        "grass": ("grass", 12),
        "meadow": ("grassland", 11),
        "recreation_ground": ("park", 11),
        "village_green": ("village_green", 12),
        "allotments": ("allotments", 12),
        "cemetery": ("cemetery", 11),
        "industrial": ("industrial", 10),
        "railway": ("industrial", 12),
        "military": ("military", 10),
    },
    "leisure": {
        "park": ("park", 10),
        "garden": ("park", 13),
        "nature_reserve": ("nature_reserve", 9),
        "golf_course": ("golf_course", 11),
        "playground": ("playground", 13),
        "pitch": ("grass", 13),
    },
    "natural": {
        "wood": ("wood", 8),
        "scrub": ("scrub", 10),
        "heath": ("scrub", 10),
        "grassland": ("grassland", 10),
        "beach": ("beach", 11),
        "sand": ("sand", 11),
        "glacier": ("glacier", 8),
    },
    "amenity": {
        "hospital": ("hospital", 12),
        "school": ("school", 12),
        "university": ("university", 11),
        "college": ("college", 12),
    },
    "tourism": {"zoo": ("zoo", 11)},
    "aeroway": {
        "aerodrome": ("aerodrome", 9),
        "runway": ("runway", 11),
        "taxiway": ("taxiway", 13),
    },
    "man_made": {"pier": ("pier", 13), "breakwater": ("pier", 13)},
}
_PLACES: Mapping[str, tuple[str, int, int]] = {
    "city": ("locality", 5, 11),
    "town": ("locality", 8, 8),
    "village": ("locality", 10, 5),
    "hamlet": ("locality", 13, 2),
    "borough": ("macrohood", 11, 4),
    "suburb": ("neighbourhood", 11, 3),
    "quarter": ("neighbourhood", 12, 2),
    "neighbourhood": ("neighbourhood", 13, 1),
}
_LARGEST_STATE = 4


def of_node(tags: Tags) -> list[Drawn]:
    """Return what is drawn of a point."""
    return [drawn for drawn in (of_place(tags), of_address(tags)) if drawn is not None]


def of_place(tags: Tags) -> Drawn | None:
    """Return the name of a town, or of a part of one."""
    known = _PLACES.get(tags.get("place", ""))
    if known is None or "name" not in tags:
        return None
    kind, min_zoom, rank = known
    shown: Attributes = {"kind": kind, "kind_detail": tags.get("place", ""), **names_of(tags)}
    return Drawn(PLACES, min_zoom, {**shown, "min_zoom": min_zoom, "population_rank": rank}, rank)


def of_address(tags: Tags) -> Drawn | None:
    """Return a house number."""
    if "addr:housenumber" not in tags:
        return None
    number = tags.get("addr:housenumber", "")
    return Drawn(BUILDINGS, 14, {"kind": "address", "addr_housenumber": number})


def of_line(tags: Tags) -> Drawn | None:
    """Return how a way is drawn that is no area: a road, a railway, a river, a border."""
    return _road(tags) or _rail(tags) or _river(tags) or _border(tags)


def _road(tags: Tags) -> Drawn | None:
    highway = tags.get("highway", "")
    base = highway.removesuffix("_link")
    known = _ROADS.get(base)
    if known is None:
        return None
    kind, min_zoom, rank = known
    shown: Attributes = {"kind": kind, "kind_detail": base, "min_zoom": min_zoom}
    shown |= {**names_of(tags), **_structure(tags)}
    if highway != base:
        shown["is_link"] = True
        min_zoom, rank = max(11, min_zoom), rank - 5
    reference = tags.get("ref", "").partition(";")[0]
    if reference and kind in {"highway", "major_road"}:
        shown["ref"] = shown["shield_text"] = reference
        shown["shield_text_length"] = len(reference)
    if tags.get("oneway", "") in {"yes", "1", "true"}:
        shown["oneway"] = "yes"
    return Drawn(ROADS, min_zoom, shown, rank)


def _rail(tags: Tags) -> Drawn | None:
    railway = tags.get("railway", "")
    if railway not in _RAILS or "service" in tags:
        return None
    shown: Attributes = {"kind": "rail", "kind_detail": railway, **_structure(tags)}
    return Drawn(ROADS, 11 if railway == "rail" else 13, shown, 25)


def _structure(tags: Tags) -> Attributes:
    shown: Attributes = {}
    if tags.get("bridge", "no") != "no":
        shown["is_bridge"] = True
    if tags.get("tunnel", "no") not in {"no", "building_passage"}:
        shown["is_tunnel"] = True
    return shown


def _river(tags: Tags) -> Drawn | None:
    waterway = tags.get("waterway", "")
    if tags.get("tunnel", "no") != "no":
        return None
    if waterway in {"river", "canal"}:
        return Drawn(WATER, 9, {"kind": "river", **names_of(tags)})
    if waterway in {"stream", "ditch", "drain"}:
        return Drawn(WATER, 13, {"kind": "stream", **names_of(tags)})
    return None


def _border(tags: Tags) -> Drawn | None:
    level = tags.get("admin_level", "")
    if tags.get("boundary", "") != "administrative" or not level.isdecimal():
        return None
    if int(level) > _LARGEST_STATE:
        return None
    kind = "country" if int(level) <= 2 else "region"
    return Drawn(BOUNDARIES, 0, {"kind": kind, "kind_detail": int(level)})


def of_area(tags: Tags) -> Drawn | None:
    """Return how an area is drawn."""
    water = _water(tags)
    if water is not None:
        return water
    if tags.get("building", "no") != "no":
        return Drawn(BUILDINGS, 13, {"kind": "building"})
    for key, kinds in _LANDUSE.items():
        known = kinds.get(tags.get(key, ""))
        if known is not None:
            kind, min_zoom = known
            return Drawn(LANDUSE, min_zoom, {"kind": kind}, min_zoom)
    if tags.get("highway", "") == "pedestrian":
        return Drawn(LANDUSE, 13, {"kind": "pedestrian"}, 20)
    return None


def _water(tags: Tags) -> Drawn | None:
    is_water = (
        tags.get("natural", "") in {"water", "bay"}
        or tags.get("waterway", "") in {"riverbank", "dock"}
        or tags.get("landuse", "") in {"reservoir", "basin"}
    )
    if not is_water or tags.get("natural", "") == "bay":
        return None
    kind = "lake" if tags.get("water", "") in {"lake", "reservoir", "pond", ""} else "water"
    return Drawn(WATER, 6, {"kind": kind, **names_of(tags)})


def names_of(tags: Tags) -> Attributes:
    """Return the name, where there is one."""
    return {"name": tags.get("name", "")} if "name" in tags else {}
