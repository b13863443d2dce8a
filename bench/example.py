"""Compare what `roundsman plan` answers on a spreadsheet with a long run of PyVRP, same matrix.

python -m bench.example examples/baltimore-200.csv --start 39.29,-76.61 --seconds 60
"""

import argparse
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.engines import solve_pyvrp
from roundsman.cli.plan_ends import locate_route_end
from roundsman.cli.plan_input import locate_stops
from roundsman.cli.plan_run import PlanRequest, budget_of, route_of
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.gazetteer import builtin_gazetteer
from roundsman.kit.ids import RandomIds
from roundsman.planning import schedule, warm
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.ordering import plan_route
from roundsman.routing.route_problem import pose_problem, trip_of
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

PLAN_SECONDS = 0.5  # the default of `roundsman plan --seconds`


def main() -> None:
    """Print both travel times and how far ours is from the other."""
    parser = argparse.ArgumentParser(prog="python -m bench.example", description=__doc__)
    parser.add_argument("stops", type=Path)
    parser.add_argument("--start", default="39.29,-76.61")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    warm()
    request = _request(arguments.stops, arguments.start)
    roads = EstimatedRoads()
    begun = time.perf_counter()
    planned = plan_route(
        route_of(request, RandomIds(), request.departure),
        roads=roads,
        departure=request.departure,
        budget=budget_of(PLAN_SECONDS, None),
        now=request.departure,
    )
    took = time.perf_counter() - begun
    trip = trip_of(planned.route, request.departure)
    positions = trip.waypoints()
    problem = pose_problem(trip, roads.matrix(positions, positions, trip.profile))
    ours = schedule(problem, range(1, len(trip.stops) + 1))
    order = solve_pyvrp(problem, arguments.seconds)
    print(
        f"roundsman  {ours.travel_seconds} s travel, {ours.lateness_seconds} s late, {took:.2f} s"
    )
    if order is None:
        print(f"pyvrp      no feasible order in {arguments.seconds:g} s")
        return
    theirs = schedule(problem, order)
    gap = 100 * (ours.travel_seconds / theirs.travel_seconds - 1)
    print(
        f"pyvrp      {theirs.travel_seconds} s travel, {theirs.lateness_seconds} s late, "
        f"{arguments.seconds:g} s"
    )
    print(f"ours is {gap:+.2f} % from PyVRP's")


def _request(path: Path, start: str) -> PlanRequest:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # noqa: TID251 -- a bench has today
    departure = datetime(tomorrow.year, tomorrow.month, tomorrow.day, 12, tzinfo=UTC)
    geocoder = builtin_gazetteer(None)
    options = RouteOptions()
    given = locate_stops(
        read_stop_sheet(path.read_bytes()),
        geocoder,
        options=options,
        ids=RandomIds(),
        now=departure,
    )
    return PlanRequest(
        name=path.stem,
        start=locate_route_end(start, geocoder),
        end=None,
        given=given,
        options=options,
        departure=departure,
        seconds=PLAN_SECONDS,
    )


if __name__ == "__main__":
    main()
