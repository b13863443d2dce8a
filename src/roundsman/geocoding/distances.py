"""Distances on the ground between points that are near each other, in metres."""

from itertools import pairwise
from math import cos, hypot, radians

import numpy as np
from numpy.typing import NDArray

METERS_PER_DEGREE = 111_200.0


def meters_between(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return how far apart two points are; each is longitude, latitude."""
    east = (one[0] - other[0] + 180) % 360 - 180
    east *= cos(radians((one[1] + other[1]) / 2))
    return METERS_PER_DEGREE * hypot(one[1] - other[1], east)


def meters_from(point: tuple[float, float], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each of `points`, rows of longitude and latitude, is from one point."""
    east = ((points[:, 0] - point[0] + 180) % 360 - 180) * cos(radians(point[1]))
    distances: NDArray[np.float64] = METERS_PER_DEGREE * np.hypot(points[:, 1] - point[1], east)
    return distances


def along(points: NDArray[np.float64], fraction: float) -> tuple[float, float]:
    """Return the point at a fraction of a line's length."""
    if len(points) == 1:
        return float(points[0, 0]), float(points[0, 1])
    scale = np.array([cos(radians(float(points[0, 1]))), 1.0])
    steps = np.hypot(*((points[1:] - points[:-1]) * scale).T)
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = fraction * reached[-1]
    return (
        float(np.interp(wanted, reached, points[:, 0])),
        float(np.interp(wanted, reached, points[:, 1])),
    )


def are_inside(ring: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Say which points lie within a closed ring, by counting crossings (Shimrat 1962)."""
    inside = np.zeros(len(points), dtype=np.bool_)
    x, y = points[:, 0], points[:, 1]
    for (x1, y1), (x2, y2) in pairwise(ring):
        if y1 != y2:
            crossed = (y1 > y) != (y2 > y)
            inside ^= crossed & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside
