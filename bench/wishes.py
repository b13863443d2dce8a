"""Print what wishes do to plans, and what they cost: compact routes, and even ones.

python -m bench.wishes [--stops 200 500] [--towns 3] [--moves-per-stop 900]

Made towns: stops in clusters and between them, one depot, vans with a shift of eight hours. A plan
is searched with so many moves a stop; its costs are those of the vans alone, without the wish.
Routes *overlap* where the hulls of their stops do. The speed is steps a processor second.
"""

import argparse
import itertools
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from roundsman.planning import warm
from roundsman.planning.fleet import (
    FleetBalance,
    FleetBudget,
    FleetCosts,
    FleetPlan,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    plan_fleet,
)

HOUR = 3600
_DETOUR = 1.35
_METRES_A_SECOND = 8.0
_COSTS = FleetCosts(fixed=20, per_hour=25, per_kilometer=0.3)
"""Those of plans that say none."""

WISHES = {
    "none": {},
    "compactness 0.3": {"compactness": 0.3},
    "compactness 1": {"compactness": 1.0},
    "compactness 3": {"compactness": 3.0},
    "balance 25 an hour": {"balance": FleetBalance(per_hour=25)},
    "balance 100 an hour": {"balance": FleetBalance(per_hour=100)},
    "balance 10 a stop": {"balance": FleetBalance(per_stop=10)},
}


@dataclass(frozen=True, slots=True)
class Town:
    """A day in a made town; places in kilometres, the depot last."""

    places: Sequence[tuple[float, float]]
    problem: FleetProblem


def make_town(stops: int, seed: int) -> Town:
    """Return a town with some vans more than it needs."""
    rng = random.Random(seed)  # noqa: S311 -- a made town
    middles = [(rng.uniform(0, 24), rng.uniform(0, 24)) for _ in range(6)]
    places = []
    for _ in range(stops):
        if rng.random() < 0.6:
            east, north = rng.choice(middles)
            places.append((rng.gauss(east, 1.5), rng.gauss(north, 1.5)))
        else:
            places.append((rng.uniform(0, 24), rng.uniform(0, 24)))
    places.append((12.0, 12.0))
    points = np.array(places)
    gaps = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)) * _DETOUR
    metres = (gaps * 1000).astype(np.int32)
    problem = FleetProblem(
        durations=[(metres / _METRES_A_SECOND).astype(np.int32)],
        distances=[metres],
        stops=[
            FleetStop(node=node, service=rng.randrange(120, 420), unassigned_cost=10_000)
            for node in range(stops)
        ],
        vehicles=[
            FleetVehicle(start=stops, end=stops, opens=0, closes=8 * HOUR, costs=_COSTS)
            for _ in range(math.ceil(stops / 40) + 2)
        ],
    )
    return Town(places, problem)


def count_overlaps(town: Town, plan: FleetPlan) -> float:
    """Return the share of pairs of routes whose hulls overlap."""
    hulls = [
        shapely.MultiPoint([town.places[stop] for stop in route.stops]).convex_hull
        for route in plan.routes
    ]
    pairs = list(itertools.combinations(hulls, 2))
    return sum(bool(one.intersection(other).area) for one, other in pairs) / max(1, len(pairs))


def vans_cost(plan: FleetPlan) -> float:
    """Return what the vans cost, without what wishes do."""
    return float(sum(route.cost.total - route.cost.compactness for route in plan.routes))


def run(stops: int, towns: int, moves_per_stop: int) -> None:
    """Print a row for each wish."""
    print(f"\n{stops} stops, {towns} towns\n")
    print("| wish | costs | vans | pairs that overlap | longest route | stops a route | speed |")
    print("|---|---|---|---|---|---|---|")
    usual: list[float] = []
    for name, wish in WISHES.items():
        plans, speeds = [], []
        made = [make_town(stops, seed) for seed in range(towns)]
        for number, town in enumerate(made):
            began = time.process_time()
            problem = replace(town.problem, **wish)  # type: ignore[arg-type]
            budget = FleetBudget(seconds=600, moves=moves_per_stop * stops)
            plans.append(plan_fleet(problem, budget, seed=number))
            speeds.append(budget.spent / (time.process_time() - began))
        costs = [vans_cost(plan) for plan in plans]
        usual = usual or costs
        dearer = statistics.mean(cost / base - 1 for cost, base in zip(costs, usual, strict=True))
        overlaps = statistics.mean(map(count_overlaps, made, plans))
        used = statistics.mean(len(plan.routes) for plan in plans)
        longest = statistics.mean(
            max(route.end - route.departure for route in plan.routes) / HOUR for plan in plans
        )
        least = min(len(route.stops) for plan in plans for route in plan.routes)
        most = max(len(route.stops) for plan in plans for route in plan.routes)
        print(
            f"| {name} | {dearer:+.1%} | {used:.1f} | {overlaps:.0%} | {longest:.2f} h "
            f"| {least} to {most} | {statistics.mean(speeds):,.0f} steps/s |",
            flush=True,
        )


def main() -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stops", type=int, nargs="+", default=[200, 500])
    parser.add_argument("--towns", type=int, default=3)
    parser.add_argument("--moves-per-stop", type=int, default=900)
    asked = parser.parse_args()
    warm()
    for stops in asked.stops:
        run(stops, asked.towns, asked.moves_per_stop)


if __name__ == "__main__":
    main()
