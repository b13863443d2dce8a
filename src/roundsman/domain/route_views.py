"""The timetable of a route, its lines on a map, and the track of its drivers."""

from datetime import datetime

from roundsman.domain.address import Coordinates
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.kit.durations import Duration


class LocationTimes(Model):
    """What is planned at one place; only a stop has an id, and only stops are waited at."""

    stop_id: str = ""
    timezone: str
    """Whose clocks hang there, such as Europe/Berlin."""

    arrival: datetime | UnsetType = UNSET
    waiting: Duration | UnsetType = UNSET
    """From the arrival until a time window opens; unset when service starts at once."""

    departure: datetime | UnsetType = UNSET
    lateness: Duration | UnsetType = UNSET
    """How long after its last time window closed a stop was served, or is now expected to be.

    By its updated arrival, or as planned where nothing is newer; unset when in time.
    """


class Timetable(Model):
    """The places of a route; without a departure it has zones but no times."""

    places: tuple[LocationTimes, ...]


class RouteLine(Model):
    """A line to draw: along roads, or straight from place to place where it is `estimated`."""

    points: tuple[Coordinates, ...]
    estimated: bool = False


class RoutePath(Model):
    """All lines from the start over every stop to the end, and who must be named beside them."""

    lines: tuple[RouteLine, ...] = ()
    attribution: str = ""


class TrackPoint(Model):
    """Where a driver was, and when."""

    coordinates: Coordinates
    at: datetime


class RouteTrack(Model):
    """Where the drivers of a route were, oldest first."""

    points: tuple[TrackPoint, ...] = ()
