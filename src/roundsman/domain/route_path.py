"""What a map draws of a route."""

from roundsman.domain.address import Coordinates
from roundsman.domain.noun import Noun


class RouteLine(Noun):
    """A line to draw: along roads, or straight from place to place where it is `estimated`."""

    points: tuple[Coordinates, ...]
    estimated: bool = False


class RoutePath(Noun):
    """All lines from the start over every stop to the end, and who must be named beside them."""

    lines: tuple[RouteLine, ...] = ()
    attribution: str = ""
