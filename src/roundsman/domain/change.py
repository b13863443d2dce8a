"""What followers are told of a committed change: which object, not what it is now (§14)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import Happening
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.topics import Topic


class ObjectKind(StrEnum):
    """What kind of object has changed."""

    ROUTE = "ROUTE"
    STOP = "STOP"
    IMPORTED_STOP = "IMPORTED_STOP"
    DRIVER = "DRIVER"
    VEHICLE = "VEHICLE"
    PLAN = "PLAN"
    IMPORT = "IMPORT"
    CONNECTION = "CONNECTION"


class Change(Model):
    """A change of one object."""

    kind: ObjectKind
    id: str
    route_id: str | UnsetType = UNSET
    """The route of a stop."""

    version: int | UnsetType = UNSET
    """The version that the route has since."""

    topic: Topic | UnsetType = UNSET
    """Of the event that tells the same, where there is one."""


class DriverPosition(Model):
    """Where a driver was last, who is on a route."""

    driver_id: str
    route_id: str
    coordinates: Coordinates
    at: datetime


_KIND_OF_TOPIC = {
    **dict.fromkeys((topic for topic in Topic if topic.startswith("ROUTE_")), ObjectKind.ROUTE),
    **dict.fromkeys((topic for topic in Topic if topic.startswith("STOP_")), ObjectKind.STOP),
    **dict.fromkeys((topic for topic in Topic if topic.startswith("DRIVER_")), ObjectKind.DRIVER),
    **dict.fromkeys(
        (topic for topic in Topic if topic.startswith("IMPORTED_STOP_")), ObjectKind.IMPORTED_STOP
    ),
    **dict.fromkeys((topic for topic in Topic if topic.startswith("PLAN_")), ObjectKind.PLAN),
}


def list_changes(noted: Iterable[Change], happenings: Iterable[Happening]) -> Sequence[Change]:
    """Return what one unit of work has changed: everything that happened, one change each.

    What was noted beside it comes first, where nothing that happened tells of the same object.
    """
    happened = [change for change in map(_change_of, happenings) if change is not None]
    known = {(change.kind, change.id) for change in happened}
    first = {(change.kind, change.id): change for change in noted}
    return [*(change for key, change in first.items() if key not in known), *happened]


def _change_of(happening: Happening) -> Change | None:
    kind = _KIND_OF_TOPIC.get(happening.topic)
    if kind is None:
        return None  # a test changes nothing
    route: str | UnsetType = UNSET
    if kind is ObjectKind.STOP and isinstance(happening.subject, AssignedRoute):
        route = happening.subject.route.id
    return Change(
        kind=kind,
        id=happening.object_id,
        route_id=route,
        version=happening.version or UNSET,
        topic=happening.topic,
    )
