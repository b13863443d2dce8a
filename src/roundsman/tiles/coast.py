"""The sea, closed from coastlines alone.

OpenStreetMap draws the coast as lines with the land on their left and the water on their right
(its wiki, "Tag:natural=coastline"), and an extract cuts them anywhere. The lines and the frame of
the data are noded and made into faces; a face is water when more of the coast that bounds it has
it on its right. Ends that lie loose inside the frame are led to it.
"""

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

_ASIDE = 1e-7
"""How far beside the middle of a segment is looked, in degrees: about a centimetre."""

_MOST_SEGMENTS = 200
"""Of each line that are asked; a face needs a majority, not every metre of its coast."""


def close_sea(
    coastlines: Sequence[shapely.LineString], frame: shapely.Polygon
) -> list[shapely.Polygon]:
    """Return the water within the frame; none where there is no coast.

    Lines and frame are in degrees, north up.
    """
    inside = [
        line
        for line in shapely.get_parts(shapely.intersection(_joined(coastlines), frame))
        if isinstance(line, shapely.LineString) and not line.is_empty
    ]
    if not inside:
        return []
    edges = [*inside, *_led_to_frame(inside, frame), frame.exterior]
    faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(edges)]))
    water = _is_water(faces, inside)
    return [face for face, is_water in zip(faces.tolist(), water, strict=True) if is_water]


def _joined(coastlines: Sequence[shapely.LineString]) -> shapely.Geometry:
    # Merged where one ends as another begins, in the direction of both.
    return shapely.line_merge(shapely.MultiLineString(list(coastlines)), directed=True)


def _led_to_frame(
    lines: Sequence[shapely.LineString], frame: shapely.Polygon
) -> list[shapely.LineString]:
    """Return a straight way to the frame from each end that meets nothing."""
    loose = [line.coords for line in lines if not line.is_closed]
    ends = [end for coords in loose for end in (coords[0], coords[-1])]
    edge = frame.exterior
    led = []
    for end in ends:
        point = shapely.Point(end)
        if ends.count(end) > 1 or edge.distance(point) < _ASIDE:
            continue
        nearest = edge.interpolate(edge.project(point))
        led.append(shapely.LineString([point, nearest]))
    return led


def _is_water(faces: NDArray[np.object_], lines: Sequence[shapely.LineString]) -> NDArray[np.bool_]:
    """Return for each face whether the coast has it on its right."""
    votes = np.zeros(len(faces), dtype=np.int64)
    tree = shapely.STRtree(faces)
    for line in lines:
        points = shapely.get_coordinates(line)
        start, end = points[:-1], points[1:]
        step = max(1, len(start) // _MOST_SEGMENTS)
        start, end = start[::step], end[::step]
        along = end - start
        length = np.hypot(along[:, 0], along[:, 1])
        start, along, length = start[length > 0], along[length > 0], length[length > 0]
        right = np.column_stack([along[:, 1], -along[:, 0]]) / length[:, None] * _ASIDE
        middle = start + along / 2
        for side, vote in ((middle + right, 1), (middle - right, -1)):
            _, found = tree.query(shapely.points(side), predicate="within")
            np.add.at(votes, found, vote)
    return votes > 0
