"""The square that web maps are drawn on: longitude and latitude onto 0..1, y growing southward.

Web Mercator as tile schemes use it (EPSG:3857, scaled to the unit square).
"""

import math

import numpy as np
from numpy.typing import NDArray

NORTHMOST = math.degrees(math.atan(math.sinh(math.pi)))
"""Where the square ends, 85.05 degrees."""


def to_square(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places as x and y, given as longitude and latitude in degrees."""
    latitude = np.radians(np.clip(places[:, 1], -NORTHMOST, NORTHMOST))
    y = 0.5 - np.arcsinh(np.tan(latitude)) / (2 * math.pi)
    return np.column_stack([places[:, 0] / 360 + 0.5, y])


def from_square(x: float, y: float) -> tuple[float, float]:
    """Return longitude and latitude of a point of the square, in degrees."""
    return (x - 0.5) * 360, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def tile_of(longitude: float, latitude: float, zoom: int) -> tuple[int, int]:
    """Return column and row of the tile that holds a place."""
    ((x, y),) = to_square(np.array([[longitude, latitude]]))
    most = 2**zoom - 1
    return min(most, max(0, int(x * 2**zoom))), min(most, max(0, int(y * 2**zoom)))
