"""A plan is estimated where its vehicles drive what is estimated, and nowhere else."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
from tests.routing.short_days import BEGINS, draw_short_day

from roundsman.domain.address import Coordinates
from roundsman.planning.fleet import FleetBudget, plan_fleet
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelMatrix, TravelProfile
from roundsman.routing.fleet_estimates import find_estimated_legs
from roundsman.routing.fleet_problem import pose_fleet_problem

FAR = Coordinates(latitude=39.9, longitude=-76.61)
"""The one place that no road leads to."""


class RoadsButTo(EstimatedRoads):
    """Roads everywhere but to FAR."""

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return times, estimated to FAR and from it."""
        guessed = super().matrix(sources, targets, profile)
        of_row = np.array([place == FAR for place in sources])
        of_column = np.array([place == FAR for place in targets])
        return replace(guessed, estimated=of_row[:, None] | of_column[None, :])


def legs_of(capacity: float) -> list[bool]:
    """Return which legs are estimated where a van of so many crates has a stop at FAR, too."""
    day = draw_short_day(4)  # of wide limits but for kilometres
    van = msgspec.structs.replace(
        day.vehicles[0], max_distance_meters=0, capacities={"crates": capacity}
    )
    near = [msgspec.structs.replace(stop, loads={"crates": 1.0}) for stop in day.stops[:3]]
    far = msgspec.structs.replace(
        day.stops[3], imported_stop_id="far", coordinates=FAR, loads={"crates": 50.0}
    )
    asked = msgspec.structs.replace(day, stops=(*near, far), vehicles=(van,))
    posed = pose_fleet_problem(asked, RoadsButTo())
    assert posed.begins == BEGINS
    return find_estimated_legs(posed, plan_fleet(posed.problem, FleetBudget(seconds=60, moves=500)))


def test_a_place_that_stays_out_does_not_make_a_plan_an_estimate() -> None:
    legs = legs_of(10)
    assert len(legs) == 4
    assert not any(legs)


def test_a_leg_to_a_place_without_roads_is_an_estimate_and_others_are_not() -> None:
    legs = legs_of(99)
    assert len(legs) == 5
    assert sum(legs) == 2
