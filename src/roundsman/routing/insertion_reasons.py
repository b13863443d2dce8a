"""Why a stop has no place on any of some routes, in the form of a plan's unassigned stops."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from msgspec.structs import replace as replace_struct

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.insertion import Insertion
from roundsman.domain.issue import ExcessValues
from roundsman.domain.loads import ITEMS, KILOGRAMS
from roundsman.domain.model import UnsetType
from roundsman.domain.unassigned_stop import BindingLimit, UnassignedReason, UnassignedReasonType
from roundsman.kit.durations import whole_seconds
from roundsman.roads.network import RoadNetwork
from roundsman.routing.insertion import Candidate, find_places

_LOADS = {"maxItemCount": ITEMS, "maxKilograms": KILOGRAMS}
_TYPES = {
    "capacities": UnassignedReasonType.CAPACITIES,
    "maxItemCount": UnassignedReasonType.CAPACITIES,
    "maxKilograms": UnassignedReasonType.CAPACITIES,
    "requiredSkills": UnassignedReasonType.REQUIRED_SKILLS,
    "allowedVehicles": UnassignedReasonType.ALLOWED_VEHICLES,
    "timeWindows": UnassignedReasonType.TIME_WINDOWS,
    "maxStops": UnassignedReasonType.MAX_STOPS,
    "maxDuration": UnassignedReasonType.MAX_DURATION,
}


def find_reasons(
    candidates: Sequence[Candidate],
    places: Sequence[Insertion],
    roads: RoadNetwork,
    now: datetime,
) -> tuple[UnassignedReason, ...]:
    """Return a reason for each route, best route first; none where a place breaks no hard rule.

    What the stop breaks on a vehicle that has nothing else to do is the reason. Where that is
    nothing, it fits alone and not beside what the route has (CONTENTION).
    """
    of_route = {one.route.id: one for one in candidates}
    broken = {place.route_id: _list_hard(place, of_route[place.route_id]) for place in places}
    if not all(broken.values()):
        return ()
    alone = {
        place.route_id: _list_hard(place, of_route[place.route_id])
        for place in find_places([_with_nothing_else(one) for one in candidates], roads, now)
    }
    reasons = (_reason(id_, alone[id_], beside) for id_, beside in broken.items())
    return tuple(reason for reason in reasons if reason is not None)


def _with_nothing_else(candidate: Candidate) -> Candidate:
    route = candidate.route
    return replace(candidate, route=replace_struct(route, stops=tuple(route.done_stops())))


def _list_hard(place: Insertion, candidate: Candidate) -> list[PreconditionViolation]:
    """Return what a route breaks with the stop that no money makes good.

    Lateness at the stop itself may have a price; at other stops it has none here.
    """
    most = candidate.wishes.max_lateness
    if isinstance(most, UnsetType):
        return list(place.new_violations)
    lessened = (
        _lessen(one, whole_seconds(most)) if one.subject == candidate.stop.id else one
        for one in place.new_violations
    )
    return [one for one in lessened if one is not None]


def _lessen(violation: PreconditionViolation, tolerated: int) -> PreconditionViolation | None:
    """Return what is left of a window that is missed, where so many seconds have a price."""
    values = violation.values
    if violation.type != "timeWindows" or isinstance(values, UnsetType):
        return violation
    beyond = (values.excess or 0.0) - tolerated
    if beyond <= 0:
        return None
    return replace_struct(violation, values=replace_struct(values, excess=beyond))


def _reason(
    route_id: str, alone: Sequence[PreconditionViolation], beside: Sequence[PreconditionViolation]
) -> UnassignedReason | None:
    """Return the first reason of a route; none of one that has the stop already."""
    first = next((one for one in alone if one.type in _TYPES), None)
    if first is not None:
        return UnassignedReason(
            vehicle=route_id,
            type=_TYPES[first.type],
            subject=_name(first),
            amount=_amount(first),
            description=first.description,
        )
    binding = [one for one in beside if one.type in _TYPES]
    if not binding:
        return None
    limits = [
        BindingLimit(
            vehicle=route_id,
            type=_TYPES[one.type],
            subject=one.subject if one.type == "timeWindows" else _name(one),
            amount=_amount(one),
        )
        for one in binding
    ]
    return UnassignedReason(
        vehicle=route_id,
        type=UnassignedReasonType.CONTENTION,
        limits=tuple(limits),
        description=binding[0].description,
    )


def _name(violation: PreconditionViolation) -> str:
    """Return which load or skill is meant, or nothing."""
    if violation.type in {"capacities", "requiredSkills"} and violation.values:
        return violation.values.name or ""
    return _LOADS.get(violation.type, "")


def _amount(violation: PreconditionViolation) -> float:
    values = violation.values or ExcessValues()
    return values.excess or 0.0
