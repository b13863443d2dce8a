"""The times of one vehicle's route, each by the clocks where it is, as a table or a map says it."""

from datetime import datetime
from functools import cached_property

from roundsman.cli.fleet_plan import FleetReport
from roundsman.cli.plan_report import format_time
from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import VehicleLocation, VehicleToPlan
from roundsman.domain.plan import PlanRoute, PlanStep
from roundsman.routing.route_problem import zone_of


class RouteClocks:
    """Says times of a route; the zone stands with each where clocks on the way differ."""

    def __init__(self, report: FleetReport, route: PlanRoute, vehicle: VehicleToPlan) -> None:
        self._route = route
        places: dict[int, Coordinates] = {}
        here: Coordinates | None = None
        for number, step in reversed(list(enumerate(route.steps))):
            if step.imported_stop_id:
                here = report.stops[step.imported_stop_id].planned_coordinates
            if here is not None:
                places[number] = here
        stops = [step.imported_stop_id for step in route.steps if step.imported_stop_id]
        first, last = (report.stops[one].planned_coordinates for one in (stops[0], stops[-1]))
        self._begins = _where(vehicle.start, first)
        self._ends = _where(vehicle.end, last)
        # A break is by the clocks of the stop after it; behind the last stop by those there.
        self._places = [places.get(number, last) for number in range(len(route.steps))]

    @property
    def departure(self) -> str:
        """Say when the vehicle leaves."""
        return self._say(self._leaves)

    @property
    def end(self) -> str:
        """Say when the route is over."""
        return self._say(self.local_end)

    @property
    def local_end(self) -> datetime:
        """Return when the route is over, by the clocks where it ends."""
        return self._route.end.astimezone(zone_of(self._ends))

    def at(self, step: PlanStep, instant: datetime) -> str:
        """Say a time at a step."""
        number = next(index for index, one in enumerate(self._route.steps) if one is step)
        return self._say(instant.astimezone(zone_of(self._places[number])))

    def _say(self, local: datetime) -> str:
        return format_time(local, since=self._leaves, with_zone=self._crosses_zones)

    @cached_property
    def _leaves(self) -> datetime:
        return self._route.departure.astimezone(zone_of(self._begins))

    @cached_property
    def _crosses_zones(self) -> bool:
        steps = zip(self._route.steps, self._places, strict=True)
        arrivals = (step.planned_arrival.astimezone(zone_of(place)) for step, place in steps)
        seen = [self._leaves, *arrivals, self.local_end]
        return len({instant.utcoffset() for instant in seen}) > 1


def _where(side: VehicleLocation | object, otherwise: Coordinates) -> Coordinates:
    return side.coordinates if isinstance(side, VehicleLocation) else otherwise
