"""The open stops of one route put onto others, whose own stops keep their order.

Each stop goes where it fits best, the one first that would lose most if it had to take its second
best route: insertion by regret (Potvin and Rousseau 1993, A parallel route building algorithm for
the vehicle routing and scheduling problem with time windows).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from roundsman.domain.insertion import Insertion
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import InsertionPoint, put_stop
from roundsman.domain.vehicle import Vehicle
from roundsman.roads.network import RoadNetwork
from roundsman.routing.insertion import Candidate, find_places

_NO_SECOND_SECONDS = 1_000_000
"""What a stop would lose that fits one route alone: more than any way takes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPlace:
    """A stop, and where it goes when those before it have gone to theirs."""

    stop: RouteStop
    at: Insertion


@dataclass(frozen=True, kw_only=True, slots=True)
class Redistribution:
    """Who takes over which stops, in the order in which they are put there, and what nobody can."""

    placed: tuple[NewPlace, ...]
    left: tuple[RouteStop, ...]


def redistribute(
    stops: Sequence[RouteStop],
    routes: Sequence[Route],
    vehicles: Mapping[str, Vehicle],
    roads: RoadNetwork,
    now: datetime,
) -> Redistribution:
    """Put stops onto routes where nothing is broken and nothing gets late that was not before."""
    known = {route.id: route for route in routes}

    def find(stop: RouteStop, targets: Sequence[Route]) -> dict[str, Insertion]:
        candidates = [
            Candidate(route=route, stop=stop, vehicle=vehicles.get(route.vehicle_id))
            for route in targets
        ]
        places = find_places(candidates, roads, now) if candidates else []
        return {place.route_id: place for place in places if _is_good(place)}

    places = {stop.id: find(stop, routes) for stop in stops}
    open_stops = {stop.id: stop for stop in stops}
    placed: list[NewPlace] = []
    while fitting := [id_ for id_ in open_stops if places[id_]]:
        chosen = open_stops.pop(max(fitting, key=lambda id_: _regret(places[id_])))
        at = min(places[chosen.id].values(), key=_cost)
        placed.append(NewPlace(stop=chosen, at=at))
        point = InsertionPoint(at.index, "index")
        changed = known[at.route_id] = put_stop(known[at.route_id], chosen, point, now)
        for id_, stop in open_stops.items():
            places[id_].pop(changed.id, None)
            places[id_].update(find(stop, [changed]))
    return Redistribution(placed=tuple(placed), left=tuple(open_stops.values()))


def _is_good(place: Insertion) -> bool:
    return not place.violations and place.extra_lateness_seconds == 0


def _cost(place: Insertion) -> int:
    return place.extra_travel_seconds


def _regret(places: Mapping[str, Insertion]) -> int:
    best, *others = sorted(map(_cost, places.values()))
    return (others[0] if others else _NO_SECOND_SECONDS) - best
