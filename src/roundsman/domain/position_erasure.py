"""Where drivers were last, in JSON documents: of a route, of an event that shows it, of a plan.

A driver's last position is often a customer's door, so it goes with the positions that are too old
and with that customer.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

LAST_POSITIONS = ("lastFix", "lastPosition")
_DOOR = ("deliveredCoordinates", "plannedCoordinates")
_DONE = ("ATTEMPTED_DELIVERY", "DELIVERED")
_ROUGHLY = 2
"""Decimals of a degree that are left: about a kilometre, which says the town."""

_NEAR_DEGREES = 10.0**-_ROUGHLY


def objects_in(document: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object of a document, the outer before the inner."""
    if isinstance(document, dict):
        yield document
        for value in document.values():
            yield from objects_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from objects_in(value)


def roughly(point: Any) -> Any:
    """Return coordinates that say the town."""
    return {
        name: round(value, _ROUGHLY) if isinstance(value, float) else value
        for name, value in point.items()
    }


def without_last_position(document: Any) -> Any:
    """Return a route, or what shows one, without where its driver was last."""
    if isinstance(document, list):
        return [without_last_position(one) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        name: without_last_position(value)
        for name, value in document.items()
        if name not in LAST_POSITIONS
    }


def without_departures(given: Any) -> Any:
    """Return what a plan began with, with no more than the town of drivers who were on the road."""
    if "vehicles" not in given:
        return given
    vehicles = [leaving_from_town(one) if is_on_road(one) else one for one in given["vehicles"]]
    return {**given, "vehicles": vehicles}


def without_lines(proposal: Any) -> Any:
    """Return what a plan proposes without its lines, which begin where drivers were.

    They lead to every door, too.
    """
    return {**proposal, "routes": [without_line(one) for one in proposal.get("routes", ())]}


def without_line(route: Mapping[str, Any]) -> dict[str, Any]:
    """Return the route of one vehicle without its line along the roads."""
    return {name: value for name, value in route.items() if name != "polyline"}


def is_on_road(vehicle: Mapping[str, Any]) -> bool:
    """Say whether a plan's vehicle is a route whose driver had left: it starts where that was."""
    present = vehicle.get("presentRoute")
    return isinstance(present, dict) and "underWay" in present


def leaving_from_town(vehicle: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan's vehicle that says no more than the town from which it goes on."""
    start = vehicle.get("start")
    if not isinstance(start, dict) or "coordinates" not in start:
        return dict(vehicle)
    return {**vehicle, "start": {**start, "coordinates": roughly(start["coordinates"])}}


def list_last_positions(document: Any) -> list[Mapping[str, Any]]:
    """Return the last positions that a document shows."""
    found = (one.get(name) for one in objects_in(document) for name in LAST_POSITIONS)
    return [fix for fix in found if isinstance(fix, dict)]


def list_visits(document: Any) -> list[Mapping[str, Any]]:
    """Return the stops of routes that a document shows."""
    return [one for one in objects_in(document) if "deliveryStatus" in one]


def is_at_door(
    fix: Mapping[str, Any],
    theirs: Sequence[Mapping[str, Any]],
    visits: Sequence[Mapping[str, Any]],
) -> bool:
    """Say whether a position is where one of a customer's stops is.

    It is about a kilometre from there at most, or the driver has come to no other stop since: the
    device may know the door better than the map does.
    """
    if any(_is_near(fix.get("coordinates"), one.get(name)) for one in theirs for name in _DOOR):
        return True
    reached = [(at, one) for one in visits if (at := _reached_at(one))]
    if not reached:
        return False
    at, last = max(reached, key=itemgetter(0))
    return last in theirs and datetime.fromisoformat(fix["at"]) >= at


def _is_near(here: Any, there: Any) -> bool:
    if not (isinstance(here, dict) and isinstance(there, dict)):
        return False
    north = abs(float(here["latitude"]) - float(there["latitude"]))
    east = abs(float(here["longitude"]) - float(there["longitude"]))
    east = min(east, 360 - east)  # the two sides of the date line are neighbours
    shrunk = math.cos(math.radians(there["latitude"]))  # a degree to the east, of one to the north
    return north < _NEAR_DEGREES and east * shrunk < _NEAR_DEGREES


def _reached_at(stop: Mapping[str, Any]) -> datetime | None:
    """Return when the driver came to a stop; None where that is still ahead."""
    if "arrivedAt" in stop:
        return datetime.fromisoformat(stop["arrivedAt"])
    is_done = stop["deliveryStatus"] in _DONE and "updatedArrival" in stop
    return datetime.fromisoformat(stop["updatedArrival"]) if is_done else None
