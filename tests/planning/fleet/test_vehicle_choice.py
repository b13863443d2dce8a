"""Which vehicles a plan uses, where they differ in price and room."""

import math
import random

import numpy as np
import pytest

from roundsman.planning.fleet import FleetBudget, FleetPlan, plan_fleet
from roundsman.planning.fleet.problem import FleetCosts, FleetProblem, FleetStop, FleetVehicle

pytestmark = pytest.mark.spec("decisions §21")

STOPS = 40
MOVES = 20_000


def vehicle(room: int, fixed: float, per_kilometer: float) -> FleetVehicle:
    costs = FleetCosts(fixed=fixed, per_hour=20, per_kilometer=per_kilometer)
    return FleetVehicle(start=0, end=0, opens=0, closes=36_000, capacities=[room], costs=costs)


SMALL = [vehicle(10, 15, 0.1)] * 4
MIDDLE = [vehicle(20, 50, 0.2)] * 2
LARGE = [vehicle(45, 80, 0.25)]


def plan_town(seed: int, vehicles: list[FleetVehicle]) -> FleetPlan:
    """Plan a town of 40 by 40 km around its depot, with a parcel for each stop."""
    chance = random.Random(seed)  # noqa: S311 -- to be made again
    places = [(0.0, 0.0)]
    places += [(chance.uniform(-20, 20), chance.uniform(-20, 20)) for _ in range(STOPS)]
    kilometres = np.array([[math.dist(one, other) for other in places] for one in places])
    problem = FleetProblem(
        durations=[(90 * kilometres).astype(np.int32)],
        distances=[(1_000 * kilometres).astype(np.int32)],
        stops=[
            FleetStop(node=node, service=180, windows=[(0, 36_000)], loads=[1])
            for node in range(1, STOPS + 1)
        ],
        vehicles=vehicles,
        loads=1,
    )
    return plan_fleet(problem, FleetBudget(seconds=600, moves=MOVES), seed=seed)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_more_kinds_to_choose_from_make_no_day_dearer(seed: int) -> None:
    """One large van serves them all; four small ones cost less, and few stops lead to neither."""
    chosen = plan_town(seed, [*LARGE, *MIDDLE, *SMALL])
    alone = [plan_town(seed, kind) for kind in (SMALL, LARGE)]
    assert not chosen.unassigned
    assert chosen.cost <= min(plan.cost for plan in alone) * 1.005
    assert max(plan.cost for plan in alone) > min(plan.cost for plan in alone) * 1.03
