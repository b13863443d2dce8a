"""Which tiles are to be kept of an area: those around places, and along the ways between them."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.tiles.mercator import to_square

type Location = tuple[float, float]
"""Longitude and latitude."""


class TileName(NamedTuple):
    """Which tile; its row is counted from the north."""

    zoom: int
    column: int
    row: int


def tiles_of_area(
    places: Sequence[Location], ways: Sequence[Sequence[Location]], zooms: range, most: int
) -> list[TileName]:
    """Return so many tiles at most, the coarse ones first.

    Each place has its tile and the eight around it. Where not all fit, places come before ways, and
    the finest zoom is left out first.
    """
    stands = _to_square(places)
    lines = [_to_square(way) for way in ways if len(way) > 1]
    around = chain.from_iterable(_around(stands, zoom) for zoom in zooms)
    along = chain.from_iterable(_along(line, zoom) for zoom in zooms for line in lines)
    found: dict[TileName, None] = {}
    for tile in chain(around, along):
        if len(found) == most:
            break
        found[tile] = None
    return sorted(found, key=lambda tile: tile.zoom)


def _to_square(places: Sequence[Location]) -> NDArray[np.float64]:
    return to_square(np.array(places, dtype=float).reshape(-1, 2))


def _around(stands: NDArray[np.float64], zoom: int) -> Iterator[TileName]:
    for column, row in np.floor(stands * 2**zoom).astype(int).tolist():
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                yield from _existing(zoom, column + right, row + down)


def _along(line: NDArray[np.float64], zoom: int) -> Iterator[TileName]:
    """Walk a line in steps of half a tile; what it only touches is beside another tile of it."""
    starts, moves = line[:-1] * 2**zoom, np.diff(line, axis=0) * 2**zoom
    steps = 1 + (2 * np.abs(moves).max(axis=1)).astype(int)
    walked = np.arange(steps.sum()) - np.repeat(steps.cumsum() - steps, steps)
    shares = (walked / np.repeat(steps, steps))[:, None]
    met = np.repeat(starts, steps, axis=0) + shares * np.repeat(moves, steps, axis=0)
    tiles = np.floor(met).astype(int)
    is_new = np.append(True, np.diff(tiles, axis=0).any(axis=1))
    for column, row in tiles[is_new].tolist():
        yield from _existing(zoom, column, row)


def _existing(zoom: int, column: int, row: int) -> Iterator[TileName]:
    """Return the tile, east and west of the date line alike; none is beyond the poles."""
    if 0 <= row < 2**zoom:
        yield TileName(zoom, column % 2**zoom, row)
