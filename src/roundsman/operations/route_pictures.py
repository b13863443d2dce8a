"""A route on its streets as a picture that stands still: what a printed sheet shows of it.

All is placed here, because a sheet runs no script: the streets of the installation's own tiles,
their names where there is room, the way, and the numbers of stops. Streets are paths with an id, so
that routes of one day that drive through one town share them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_views import RouteLine
from roundsman.operations.route_reading import path_of
from roundsman.roads.network import RoadNetwork
from roundsman.tiles.mercator import from_square, to_square
from roundsman.tiles.street_drawing import UNITS_A_TILE, DrawnName, StreetDrawing, draw_streets
from roundsman.tiles.street_map import StreetMap

WIDTH, HEIGHT = 720, 400
"""Of the picture, in pixels of which 96 are an inch on paper."""

_MARGIN = 28
"""Pixels around the route."""

_CLOSEST = 1.5e7
"""Pixels that the square of web maps is wide for a stop alone: at the equator 1.9 km are seen."""

_MOST_NAMES = 60

_BEHIND = (("green", 0.0), ("water", 0.0), ("stream", 1.2), ("rail", 1.0))
_ROADS = {"minor_road": (7, 0.7), "major_road": (11, 1.4), "highway": (15, 2.2)}
"""Metres that a road is wide, and pixels that it has at least."""

_EDGE = 1.0
"""Pixels by which the edges of a road stand out."""

type _Box = tuple[float, float, float, float]
"""Middle, then half of the width and of the height."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StreetPiece:
    """A path of one tile, and where it begins."""

    id: str
    x: int
    y: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StreetLayer:
    """All paths of one kind; those of the next layer are drawn over them."""

    kind: str
    width: float
    """Of its lines, in units of the paths."""
    pieces: Sequence[StreetPiece]


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureName:
    """The name of a street or of a place."""

    text: str
    kind: str
    x: float
    y: float
    degrees: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureMarker:
    """A stop; without a number where another one's stands there."""

    text: str
    kind: str
    x: float
    y: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureLine:
    """A part of the way, along roads or straight."""

    points: str
    estimated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RoutePicture:
    """A route on its streets, as SVG draws it."""

    paths: Mapping[str, str]
    """By the id that pieces name."""
    x: float
    y: float
    scale: float
    """Where the corner of the paths is on the picture, and how many pixels a unit has."""
    layers: Sequence[StreetLayer]
    names: Sequence[PictureName]
    lines: Sequence[PictureLine]
    markers: Sequence[PictureMarker]
    attribution: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _View:
    """Which part of the square the picture shows: its corner, and the pixels of the whole."""

    left: float
    top: float
    zoom: float

    def corners(self) -> list[Coordinates]:
        """Return the northwestern and the southeastern corner, within the square."""
        ends = (
            (self.left, self.top),
            (self.left + WIDTH / self.zoom, self.top + HEIGHT / self.zoom),
        )
        found = []
        for x, y in ends:
            longitude, latitude = from_square(min(1.0, max(0.0, x)), min(1.0, max(0.0, y)))
            found.append(Coordinates(longitude=longitude, latitude=latitude))
        return found

    def locate(self, points: Sequence[Coordinates]) -> list[tuple[float, float]]:
        """Return where places are on the picture."""
        shown = (_on_square(points) - (self.left, self.top)) * self.zoom
        return [(round(float(x), 1), round(float(y), 1)) for x, y in shown]

    def pixels_a_meter(self) -> float:
        """Return the scale in the middle of the picture."""
        _, latitude = from_square(0.5, self.top + HEIGHT / self.zoom / 2)
        return self.zoom / (40_075_017 * math.cos(math.radians(latitude)))


def draw_route_picture(
    street_map: StreetMap, roads: RoadNetwork, route: Route
) -> RoutePicture | None:
    """Return the picture of a route, None without streets; may wait for a road engine.

    What is at 0,0 is left out: nobody sees a town on a picture of half the world.
    """
    stops = {
        number: stop.planned_coordinates
        for number, stop in enumerate(route.stops, start=1)
        if not stop.planned_coordinates.is_nowhere()
    }
    if street_map.describe() is None or not stops:
        return None
    way = path_of(roads, route)
    lines = [line for line in way.lines if not any(one.is_nowhere() for one in line.points)]
    both = [end.coordinates for end in (route.start, route.end) if not isinstance(end, UnsetType)]
    ends = [one for one in both if not one.is_nowhere()]
    driven = (point for line in lines for point in line.points)
    view = _view_of([*ends, *stops.values(), *driven])
    streets = draw_streets(street_map, view.corners(), margin=0)
    if streets is None:
        return None
    scale = streets.unit * view.zoom
    x, y = (streets.x - view.left) * view.zoom, (streets.y - view.top) * view.zoom
    placed = dict(zip(stops, view.locate(list(stops.values())), strict=True))
    sources = dict.fromkeys(one for one in (streets.attribution, way.attribution) if one)
    return RoutePicture(
        paths=dict(_paths_of(streets)),
        x=round(x, 2),
        y=round(y, 2),
        scale=scale,
        layers=list(_layers_of(streets, scale, view.pixels_a_meter())),
        names=list(
            _lay_out_names(streets.names, x, y, scale, [(*at, 12, 12) for at in placed.values()])
        ),
        lines=[_line_of(line, view) for line in lines],
        markers=[
            *(PictureMarker(text="", kind="end", x=a, y=b) for a, b in view.locate(ends)),
            *_number(placed),
        ],
        attribution=", ".join(sources),
    )


def _on_square(points: Sequence[Coordinates]) -> np.ndarray[Any, Any]:
    pairs = [[one.longitude, one.latitude] for one in points]
    return to_square(np.array(pairs, dtype=float).reshape(-1, 2))


def _view_of(points: Sequence[Coordinates]) -> _View:
    square = _on_square(points)
    low, high = square.min(axis=0), square.max(axis=0)
    wide, tall = (max(1e-12, float(side)) for side in high - low)
    zoom = min((WIDTH - 2 * _MARGIN) / wide, (HEIGHT - 2 * _MARGIN) / tall, _CLOSEST)
    x, y = (float(side) for side in (low + high) / 2)
    return _View(left=x - WIDTH / zoom / 2, top=y - HEIGHT / zoom / 2, zoom=zoom)


def _paths_of(streets: StreetDrawing) -> Iterator[tuple[str, str]]:
    for tile in streets.tiles:
        for kind, path in tile.paths.items():
            yield _id_of(streets, tile.x, tile.y, kind), path


def _id_of(streets: StreetDrawing, x: int, y: int, kind: str) -> str:
    """Return the same id for the same path, whichever route it is drawn for."""
    side = UNITS_A_TILE * streets.unit
    column, row = (
        round(streets.x / side) + x // UNITS_A_TILE,
        round(streets.y / side) + y // UNITS_A_TILE,
    )
    return f"{round(math.log2(1 / side))}-{column}-{row}-{kind}"


def _layers_of(streets: StreetDrawing, scale: float, meter: float) -> Iterator[StreetLayer]:
    """Return the ground, then the edges of roads, then the roads: over all tiles, one by one."""

    def layer(kind: str, pixels: float, shown: str) -> StreetLayer:
        pieces = [
            StreetPiece(id=_id_of(streets, tile.x, tile.y, kind), x=tile.x, y=tile.y)
            for tile in streets.tiles
            if kind in tile.paths
        ]
        return StreetLayer(kind=shown, width=round(pixels / scale, 2), pieces=pieces)

    widths = {kind: max(least, wide * meter) for kind, (wide, least) in _ROADS.items()}
    for kind, pixels in _BEHIND:
        yield layer(kind, pixels, kind)
    for kind, pixels in widths.items():
        yield layer(kind, pixels + _EDGE, "edge")
    for kind, pixels in widths.items():
        yield layer(kind, pixels, kind)


def _lay_out_names(
    names: Sequence[DrawnName], left: float, top: float, scale: float, taken: Sequence[_Box]
) -> Iterator[PictureName]:
    """Yield the most important names that cover no stop and no other name."""
    boxes, shown = list(taken), 0
    for name in names:
        wide = len(name.text) * (7.5 if name.rank == 0 else 5.5)
        turn = math.radians(name.degrees)
        half_width = (wide * math.cos(turn) + 12 * abs(math.sin(turn))) / 2 + 3
        half_height = (wide * abs(math.sin(turn)) + 12 * math.cos(turn)) / 2 + 3
        x, y = left + name.x * scale, top + name.y * scale
        if name.length:
            visible = _visible_part(x, y, turn, name.length * scale / 2)
            if visible[1] - visible[0] < wide:
                continue
            x += sum(visible) / 2 * math.cos(turn)
            y += sum(visible) / 2 * math.sin(turn)
        if not (half_width < x < WIDTH - half_width and half_height < y < HEIGHT - half_height):
            continue
        if any(
            abs(a - x) < c + half_width and abs(b - y) < d + half_height for a, b, c, d in boxes
        ):
            continue
        boxes.append((x, y, half_width, half_height))
        kind = "road" if name.length else "part" if name.rank else "town"
        yield PictureName(
            text=name.text, kind=kind, x=round(x, 1), y=round(y, 1), degrees=name.degrees
        )
        shown += 1
        if shown == _MOST_NAMES:
            return


def _visible_part(x: float, y: float, turn: float, half: float) -> tuple[float, float]:
    """Return from where to where a straight road is on the picture, counted from its middle."""
    low, high = -half, half
    for at, step, most in ((x, math.cos(turn), WIDTH), (y, math.sin(turn), HEIGHT)):
        if abs(step) < 1e-9:
            if not 0 <= at <= most:
                return 0, 0
            continue
        ends = sorted((-at / step, (most - at) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _line_of(line: RouteLine, view: _View) -> PictureLine:
    points = [f"{x},{y}" for (x, y), _ in groupby(view.locate(line.points))]
    return PictureLine(points=" ".join(points), estimated=line.estimated)


def _number(stops: Mapping[int, tuple[float, float]]) -> list[PictureMarker]:
    """Mark stops with their numbers; where there is no room for a number, a stop is a point."""
    numbered: list[PictureMarker] = []
    points: list[PictureMarker] = []
    for number, (x, y) in stops.items():
        is_free = all(math.hypot(one.x - x, one.y - y) > 17 for one in numbered)
        marker = PictureMarker(text=str(number) if is_free else "", kind="stop", x=x, y=y)
        (numbered if is_free else points).append(marker)
    return [*points, *numbered]
