"""Who should rather serve a stop: its preferred vehicles, and those of its territories."""

from collections.abc import Mapping, Sequence

import numpy as np
import shapely

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, TerritoryToPlan


def price_vehicles(day: DayToPlan) -> list[Mapping[int, float]]:
    """Return for each stop what being served by a vehicle costs, where that is not nothing.

    Territories that overlap each have their say.
    """
    inside = [_find_inside(day, territory) for territory in day.territories]
    known: dict[object, Mapping[int, float]] = {}
    prices = []
    for number, stop in enumerate(day.stops):
        own = tuple(place for place, within in enumerate(inside) if within[number])
        key = (own, stop.preferred_vehicles)
        if key not in known:
            around = [day.territories[one] for one in own]
            rights = [(set(territory.vehicles), territory.cost) for territory in around]
            if stop.preferred_vehicles:
                rights.append((set(stop.preferred_vehicles), day.other_vehicle_cost))
            known[key] = _add_up(rights, len(day.vehicles))
        prices.append(known[key])
    return prices


def encloses_an_area(polygon: Sequence[Coordinates]) -> bool:
    """Say whether corners are those of a polygon whose sides do not cross."""
    return bool(shapely.is_valid(_shape(polygon)))


def _add_up(rights: Sequence[tuple[set[int], float]], vehicles: int) -> Mapping[int, float]:
    costs = {
        vehicle: sum(cost for wanted, cost in rights if vehicle not in wanted)
        for vehicle in range(vehicles)
    }
    return {vehicle: cost for vehicle, cost in costs.items() if cost}


def _find_inside(day: DayToPlan, territory: TerritoryToPlan) -> Sequence[bool]:
    """Say of each stop whether it is within a territory, or on its border."""
    points = np.array(
        [(stop.coordinates.longitude, stop.coordinates.latitude) for stop in day.stops], float
    ).reshape(-1, 2)
    within: Sequence[bool] = shapely.intersects_xy(_shape(territory.polygon), points).tolist()
    return within


def _shape(polygon: Sequence[Coordinates]) -> shapely.Polygon:
    return shapely.Polygon([(corner.longitude, corner.latitude) for corner in polygon])
