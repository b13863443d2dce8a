"""What was corrected of a stop while it was on a route, and goes with it into the pool.

A stop of a route is a copy, and changing it leaves the stop of the pool as it is (specification,
What the service does). Once it is on no route any more, what was corrected of the stop itself would
be lost with the copy, as would what its customer asks of a driver who has not come yet. What
belongs to the route (order, lock, times, proof) stays behind.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplate

_SAME_IN_POOL = {
    "timeWindows": "time_windows",
    "attributes": "attributes",
    "priority": "priority",
    "duration": "duration",
    "orderName": "order_name",
    "deliveryDate": "delivery_date",
    "type": "type",
    "customSignatureDisclosure": "custom_signature_disclosure",
    "orderReferenceUrl": "order_reference_url",
    "note": "note",
    "contact": "contact",
    "tags": "tags",
    "items": "items",
}
"""What a stop of a route and one of the pool have alike, by the names that masks have for it."""


def note_corrections(
    before: RouteStop, after: RouteStop, route: Route, origin: ImportedStop
) -> RouteStop:
    """Return the edited stop with the names of what is otherwise than in the pool by this edit.

    What an edit puts back to what the pool says is corrected no more.
    """
    was, is_ = _values_for_pool(before, route), _values_for_pool(after, route)
    names = set(before.corrected or ())
    for name, values in is_.items():
        if values != was[name]:
            is_same = values == {field: getattr(origin, field) for field in values}
            names = names - {name} if is_same else names | {name}
    return replace(after, corrected=tuple(sorted(names)) or UNSET)


def carry_corrections(stop: RouteStop, route: Route, origin: ImportedStop) -> ImportedStop:
    """Return the stop of the pool with what was corrected of its copy, and the customer's note."""
    values = _values_for_pool(stop, route)
    carried: dict[str, Any] = {}
    for name in stop.corrected or ():
        carried |= values.get(name, {})
    if stop.customer_note and not stop.is_done():
        carried["customer_note"] = stop.customer_note
    return replace(origin, **carried)


def own_tasks(stop: RouteStop, of_route: Iterable[TaskTemplate]) -> tuple[TaskTemplate, ...]:
    """Return the stop's tasks without those that its route gives every stop."""
    own = [task.as_template() for task in stop.tasks]
    for template in of_route:
        if template in own:
            own.remove(template)
    return tuple(own)


def _values_for_pool(stop: RouteStop, route: Route) -> dict[str, dict[str, Any]]:
    """Return what can be corrected, by name, with the values for the fields of a pool stop."""
    same = {name: {field: getattr(stop, field)} for name, field in _SAME_IN_POOL.items()}
    location = {
        "address": stop.address,
        "coordinates": stop.planned_coordinates,
        "geocoding": stop.geocoding,
    }
    return {**same, "location": location, "tasks": {"tasks": own_tasks(stop, route.stop_tasks)}}
