"""Every topic an event can have, with what it means (specification, Topics)."""

from collections.abc import Mapping
from enum import StrEnum


class Topic(StrEnum):
    """What an event is about."""

    TEST = "TEST"
    ROUTE_CREATED = "ROUTE_CREATED"
    ROUTE_UPDATED = "ROUTE_UPDATED"
    ROUTE_DELETED = "ROUTE_DELETED"
    ROUTE_DISPATCHED = "ROUTE_DISPATCHED"
    ROUTE_STARTED = "ROUTE_STARTED"
    ROUTE_COMPLETED = "ROUTE_COMPLETED"
    ROUTE_START_STOP_UPDATED = "ROUTE_START_STOP_UPDATED"
    ROUTE_END_STOP_UPDATED = "ROUTE_END_STOP_UPDATED"
    STOP_UPDATED = "STOP_UPDATED"
    STOP_STATUS_UPDATED = "STOP_STATUS_UPDATED"
    DRIVER_ADDED = "DRIVER_ADDED"
    DRIVER_UPDATED = "DRIVER_UPDATED"
    DRIVER_ACTIVATED = "DRIVER_ACTIVATED"
    DRIVER_DEACTIVATED = "DRIVER_DEACTIVATED"
    DRIVER_ARCHIVED = "DRIVER_ARCHIVED"
    IMPORTED_STOP_CREATED = "IMPORTED_STOP_CREATED"
    IMPORTED_STOP_UPDATED = "IMPORTED_STOP_UPDATED"
    IMPORTED_STOP_DELETED = "IMPORTED_STOP_DELETED"
    PLAN_COMPLETED = "PLAN_COMPLETED"
    PLAN_FAILED = "PLAN_FAILED"
    PLAN_APPLIED = "PLAN_APPLIED"


_PROOF_AND_TASKS = "A stop's status, proof of delivery or tasks changed; `objectId` is the stop's."
_STATUS = "A stop's status changed; `objectId` is the stop's."

MEANINGS: Mapping[Topic, tuple[str, str]] = {
    Topic.TEST: ("A webhook was tested.", "none"),
    Topic.ROUTE_CREATED: ("A route was created.", "Route"),
    Topic.ROUTE_UPDATED: ("A planner changed a route or its stops.", "Route"),
    Topic.ROUTE_DELETED: ("A route was deleted; it is shown as it last was.", "Route"),
    Topic.ROUTE_DISPATCHED: ("A route went to its driver, or may be claimed.", "Route"),
    Topic.ROUTE_STARTED: ("The driver left.", "Route"),
    Topic.ROUTE_COMPLETED: ("The last stop, or the end, was done.", "Route"),
    Topic.ROUTE_START_STOP_UPDATED: ("Tasks or photos of a route's start changed.", "Route"),
    Topic.ROUTE_END_STOP_UPDATED: ("Tasks or photos of a route's end changed.", "Route"),
    Topic.STOP_UPDATED: (_PROOF_AND_TASKS, "Route"),
    Topic.STOP_STATUS_UPDATED: (_STATUS, "Route"),
    Topic.DRIVER_ADDED: ("An invited driver signed up.", "Driver"),
    Topic.DRIVER_UPDATED: ("A driver's profile changed.", "Driver"),
    Topic.DRIVER_ACTIVATED: ("A driver may drive.", "Driver"),
    Topic.DRIVER_DEACTIVATED: ("A driver may not drive for now.", "Driver"),
    Topic.DRIVER_ARCHIVED: ("A driver left for good.", "Driver"),
    Topic.IMPORTED_STOP_CREATED: ("A stop was imported.", "ImportedStop"),
    Topic.IMPORTED_STOP_UPDATED: ("An imported stop was replaced or updated.", "ImportedStop"),
    Topic.IMPORTED_STOP_DELETED: ("An imported stop was deleted.", "ImportedStop"),
    Topic.PLAN_COMPLETED: ("The search of a plan is over, or was cancelled.", "Plan"),
    Topic.PLAN_FAILED: ("A plan failed.", "Plan"),
    Topic.PLAN_APPLIED: ("Routes were made of a plan.", "Plan"),
}
"""What each topic is sent for, and which object its payload shows."""
