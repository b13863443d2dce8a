"""Every engine behind one call: a problem and seconds in, an order out, or none if it found none.

Each runs on one core. What an engine cannot express is left out, not approximated: fast-tsp knows
no windows.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import fast_tsp
import numpy as np
import pyvrp
import pyvrp.stop
import vroom
from numpy.typing import NDArray
from ortools.constraint_solver import pywrapcp, routing_enums_pb2

from roundsman.planning import Problem, optimize

type Engine = Callable[[Problem, float], tuple[int, ...] | None]

HORIZON = 2**40
SIXTEEN_BITS = 65_535


def solve_ours(problem: Problem, seconds: float) -> tuple[int, ...] | None:
    """Order with our own kernels."""
    return optimize(problem, seconds=seconds).order


def path_matrix(problem: Problem) -> NDArray[np.int64]:
    """Return travel times with the end as a node of its own behind all others; free when open."""
    size = problem.size
    matrix = np.zeros((size + 1, size + 1), dtype=np.int64)
    matrix[:size, :size] = problem.durations
    if problem.end is not None:
        matrix[:size, size] = problem.durations[:, problem.end]
    return matrix


def _end_window(problem: Problem) -> tuple[int, int]:
    own = () if problem.end is None else problem.windows[problem.end]
    return (-HORIZON, HORIZON) if not own else own[-1]


def solve_pyvrp(problem: Problem, seconds: float) -> tuple[int, ...] | None:
    """Order with PyVRP, one vehicle, all clients required."""
    matrix: Any = path_matrix(problem)
    locations = [pyvrp.Location(0, 0) for _ in range(len(matrix))]
    early = min([problem.departure, *(own[0][0] for own in problem.windows if own)])
    clients = [
        pyvrp.Client(
            location=node,
            service_duration=int(problem.service[node]),
            tw_early=own[0][0] - early if (own := problem.windows[node]) else 0,
            tw_late=own[-1][1] - early if own else HORIZON,
        )
        for node in problem.visits
    ]
    leave = problem.departure + int(problem.service[problem.start]) - early
    vehicle = pyvrp.VehicleType(
        start_depot=0,
        end_depot=1,
        tw_early=leave,
        start_late=leave,
        tw_late=_end_window(problem)[1] - early,
    )
    depots = [pyvrp.Depot(location=problem.start), pyvrp.Depot(location=problem.size)]
    data = pyvrp.ProblemData(locations, clients, depots, [vehicle], [matrix], [matrix])
    result = pyvrp.solve(data, pyvrp.stop.MaxRuntime(seconds), seed=1, collect_stats=False)
    if not result.is_feasible() or len(result.best.routes()) != 1:
        return None
    return tuple(problem.visits[int(visit)] for visit in _pyvrp_clients(result.best.routes()[0]))


def _pyvrp_clients(route: pyvrp.Route) -> Iterator[int]:
    for activity in route:
        if activity.is_client():
            yield int(activity.idx)


def solve_vroom(problem: Problem, seconds: float) -> tuple[int, ...] | None:
    """Order with VROOM at its deepest exploration."""
    request = vroom.Input()
    request.set_durations_matrix("car", problem.durations.astype(np.uint32))
    shift = -min([0, problem.departure, *(own[0][0] for own in problem.windows if own)])
    leave = problem.departure + int(problem.service[problem.start]) + shift
    close = min(_end_window(problem)[1] + shift, 2**31)
    request.add_vehicle(
        vroom.Vehicle(
            1, start=problem.start, end=problem.end, time_window=vroom.TimeWindow(leave, close)
        )
    )
    for node in problem.visits:
        spans = [
            vroom.TimeWindow(max(0, opens + shift), closes + shift)
            for opens, closes in problem.windows[node]
        ]
        request.add_job(
            vroom.Job(
                node, location=node, default_service=int(problem.service[node]), time_windows=spans
            )
        )
    found = request.solve(exploration_level=5, nb_threads=1, timeout=timedelta(seconds=seconds))
    if len(found.unassigned):
        return None
    steps = found.routes
    return tuple(int(node) for node in steps[steps["type"] == "job"]["id"])


def solve_ortools(problem: Problem, seconds: float) -> tuple[int, ...] | None:
    """Order with OR-Tools: cheapest arc first, then guided local search."""
    matrix = path_matrix(problem)
    manager = pywrapcp.RoutingIndexManager(len(matrix), 1, [problem.start], [problem.size])
    routing = pywrapcp.RoutingModel(manager)
    travel = routing.RegisterTransitMatrix(matrix.tolist())
    routing.SetArcCostEvaluatorOfAllVehicles(travel)
    if problem.has_windows:
        _ortools_windows(problem, routing, manager, matrix)
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
    parameters.local_search_metaheuristic = (
        routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    )
    parameters.time_limit.FromMilliseconds(max(1, round(seconds * 1000)))
    found = routing.SolveWithParameters(parameters)
    if found is None:
        return None
    order, index = [], found.Value(routing.NextVar(routing.Start(0)))
    while not routing.IsEnd(index):
        order.append(manager.IndexToNode(index))
        index = found.Value(routing.NextVar(index))
    if problem.end is not None and problem.end != problem.start:
        order.remove(problem.end)
    return tuple(order)


def _ortools_windows(
    problem: Problem,
    routing: pywrapcp.RoutingModel,
    manager: pywrapcp.RoutingIndexManager,
    matrix: NDArray[np.int64],
) -> None:
    """Windows are soft at a high price, as ours are, so that there is always an answer."""
    service = np.concatenate((problem.service, [0]))
    timed = routing.RegisterTransitMatrix((matrix + service[:, None]).tolist())
    span = int(matrix.max()) * len(matrix) + int(service.sum()) + 10**7
    early = min([problem.departure, *(own[0][0] for own in problem.windows if own)])
    routing.AddDimension(timed, span, span, False, "time")  # noqa: FBT003 -- the library's order of arguments
    clock = routing.GetDimensionOrDie("time")
    clock.CumulVar(routing.Start(0)).SetValue(problem.departure - early)
    for node in problem.visits:
        if own := problem.windows[node]:
            index = manager.NodeToIndex(node)
            clock.CumulVar(index).SetMin(max(0, own[0][0] - early))
            clock.SetCumulVarSoftUpperBound(index, own[-1][1] - early, 1000)
    close = _end_window(problem)[1]
    if close < HORIZON:
        clock.SetCumulVarSoftUpperBound(routing.End(0), close - early, 1000)


def solve_fast_tsp(problem: Problem, seconds: float) -> tuple[int, ...] | None:
    """Order with fast-tsp on doubled nodes, exact for one-way roads (Jonker & Volgenant 1983)."""
    if problem.has_windows:
        return None
    nodes = [problem.start, *problem.visits]
    if problem.end is not None and problem.end != problem.start:
        return None
    matrix = problem.durations[np.ix_(nodes, nodes)].astype(np.int64)
    if problem.end is None:
        matrix[:, 0] = 0
    size = len(nodes)
    if bool((matrix == matrix.T).all()):
        doubled, step = matrix, 1
    else:
        step = 2
        lift = int(matrix.max()) + 1  # makes the leg between a node's halves the cheapest by far
        doubled = np.full((2 * size, 2 * size), 4 * lift, dtype=np.int64)
        doubled[:size, size:] = matrix + lift
        doubled[size:, :size] = (matrix + lift).T
        doubled[np.arange(size), np.arange(size) + size] = 0
        doubled[np.arange(size) + size, np.arange(size)] = 0
    factor = min(1.0, (SIXTEEN_BITS - 1) / int(doubled.max()))
    with _silence():
        tour = fast_tsp.find_tour(np.rint(doubled * factor).astype(int).tolist(), seconds)
    if step == 2:
        forward = tour[(tour.index(0) + 1) % len(tour)] == size
        tour = tour if not forward else tour[::-1]
        tour = [node for node in tour if node < size]
    turn = tour.index(0)
    return tuple(nodes[node] for node in tour[turn + 1 :] + tour[:turn])


@contextmanager
def _silence() -> Iterator[None]:
    """Keep a library's progress off the table."""
    sys.stdout.flush()
    kept = os.dup(1)
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(sink)


ENGINES: dict[str, Engine] = {
    "roundsman": solve_ours,
    "PyVRP": solve_pyvrp,
    "VROOM": solve_vroom,
    "OR-Tools": solve_ortools,
    "fast-tsp": solve_fast_tsp,
}
