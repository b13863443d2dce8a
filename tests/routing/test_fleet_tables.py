"""The travel times of a day are the same in parts as at once, and estimated when nobody waits."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleLocation, VehicleToPlan
from roundsman.domain.plan_draft import PlanShift
from roundsman.domain.vehicle import VehicleCosts
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelMatrix, TravelProfile
from roundsman.routing.fleet_tables import find_tables

pytestmark = pytest.mark.spec("decisions §21")

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


class QuickRoads(EstimatedRoads):
    """Roads that are driven at twice the speed of estimates."""

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        found = super().matrix(sources, targets, profile)
        known = np.zeros(found.estimated.shape, np.bool_)
        return replace(found, durations=found.durations // 2, estimated=known)


def a_day(stops: int) -> DayToPlan:
    shift = PlanShift(start=NOON, end=NOON + timedelta(hours=8))
    depot = VehicleLocation(coordinates=Coordinates(latitude=39.3, longitude=-76.6))
    return DayToPlan(
        stops=tuple(
            StopToPlan(
                imported_stop_id=f"s{number}",
                updated_at=NOON,
                coordinates=Coordinates(
                    latitude=round(39 + number * 37 % 1_009 / 2_000, 6),
                    longitude=round(-76 - number / 10_000, 6),
                ),
                loads={},
                unassigned_cost=1.0,
            )
            for number in range(stops)
        ),
        vehicles=(
            VehicleToPlan(id="v", start=depot, shift=shift, capacities={}, costs=VehicleCosts()),
        ),
        moves=1,
        max_seconds=1,
        seed=0,
        priority_inversion_cost=0.0,
    )


def test_a_large_table_in_parts_is_what_it_is_at_once() -> None:
    day = a_day(1_500)
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return False

    found = find_tables(day, QuickRoads(), note)
    places = list(found.node_of)
    whole = QuickRoads().matrix(places, places, TravelProfile())
    assert (found.durations[0] == whole.durations).all()
    assert (found.distances[0] == whole.distances).all()
    assert not found.estimated[0].any()
    assert shares == sorted(set(shares))
    assert 0 in shares


def test_what_nobody_waits_for_is_estimated() -> None:
    found = find_tables(a_day(1_500), QuickRoads(), lambda share: share > 0.5)
    places = list(found.node_of)
    known = QuickRoads().matrix(places, places, TravelProfile()).durations
    guessed = EstimatedRoads().matrix(places, places, TravelProfile()).durations
    assert found.estimated[0].any()
    assert (found.durations[0][:600] == known[:600]).all()
    assert (found.durations[0][-300:] == guessed[-300:]).all()
