"""A stop of a day without windows may be served on all of that day, however long it is."""

from datetime import UTC, date, datetime, timedelta

import pytest

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleLocation, VehicleToPlan
from roundsman.domain.plan_draft import PlanShift
from roundsman.domain.time_window import Date
from roundsman.domain.vehicle import VehicleCosts
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.fleet_problem import pose_fleet_problem

BALTIMORE = Coordinates(latitude=39.3, longitude=-76.6)


@pytest.mark.parametrize(
    ("day", "begins", "hours"),
    [
        (date(2026, 7, 1), datetime(2026, 7, 1, 4, tzinfo=UTC), 24),
        (date(2026, 11, 1), datetime(2026, 11, 1, 4, tzinfo=UTC), 25),
        (date(2026, 3, 8), datetime(2026, 3, 8, 5, tzinfo=UTC), 23),
    ],
)
def test_a_day_is_as_long_as_its_clocks_say(day: date, begins: datetime, hours: int) -> None:
    stop = StopToPlan(
        imported_stop_id="one",
        updated_at=begins,
        coordinates=BALTIMORE,
        loads={},
        unassigned_cost=1.0,
        delivery_date=Date(year=day.year, month=day.month, day=day.day),
    )
    van = VehicleToPlan(
        id="van",
        start=VehicleLocation(coordinates=BALTIMORE),
        shift=PlanShift(start=begins, end=begins + timedelta(hours=30)),
        capacities={},
        costs=VehicleCosts(),
    )
    given = DayToPlan(
        stops=(stop,),
        vehicles=(van,),
        moves=1,
        max_seconds=1,
        seed=0,
        priority_inversion_cost=0.0,
    )
    posed = pose_fleet_problem(given, EstimatedRoads())
    assert posed.begins == begins
    assert posed.problem.stops[0].windows == ((0, hours * 3600 - 1),)
