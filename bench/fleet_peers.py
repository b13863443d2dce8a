"""Other engines on fleet instances: what each can state of a family, and its plan in our form.

PyVRP takes equal or mixed vehicles, several loads, shifts, skills, limits and prizes; VROOM all of
those but a price of wages beside one of driving. Neither knows breaks as ours are, nor a day under
way with a budget of moves. What an engine cannot state is left out, not approximated.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pyvrp
import pyvrp.stop
import vroom

type Json = Any
type Peer = Callable[[Json, float, int], Json | None]

_SCALE = 100
"""Hundredths of money, for engines that count in whole numbers."""

_HOUR = 3600


def solve_pyvrp(given: Json, seconds: float, seed: int) -> Json | None:
    """Plan `day` and `short` with PyVRP: driving has a price, waiting has none."""
    if _asks_for_more(given):
        return None
    durations: Any = np.array(given["durations"], np.int64)
    depots = sorted({one["startLocation"] for one in given["vehicles"]})
    opens = min(one["shift"][0] for one in given["vehicles"])
    must_serve = not any(stop["priority"] for stop in given["stops"])
    clients = [
        pyvrp.Client(
            location=stop["location"],
            delivery=stop["load"],
            service_duration=stop["duration"],
            tw_early=stop["timeWindows"][0][0] - opens if stop["timeWindows"] else 0,
            tw_late=stop["timeWindows"][0][1] - opens if stop["timeWindows"] else 2**40,
            prize=round(given["unplannedCost"] * (1 + stop["priority"]) * _SCALE),
            required=must_serve,
        )
        for stop in given["stops"]
    ]
    one = given["vehicles"][0]
    vans = pyvrp.VehicleType(
        num_available=len(given["vehicles"]),
        capacity=one["capacity"],
        start_depot=0,
        end_depot=0,
        fixed_cost=one["costs"]["fixed"] * _SCALE,
        tw_early=one["shift"][0] - opens,
        tw_late=one["shift"][1] - opens,
        unit_distance_cost=1,
    )
    price = np.rint(durations * one["costs"]["perTraveledHour"] * _SCALE / _HOUR).astype(np.int64)
    locations = [pyvrp.Location(0, 0) for _ in range(len(durations))]
    data = pyvrp.ProblemData(
        locations, clients, [pyvrp.Depot(location=depots[0])], [vans], [price], [durations]
    )
    found = pyvrp.solve(data, pyvrp.stop.MaxRuntime(seconds), seed=seed, collect_stats=False)
    if not found.is_feasible():
        return None
    routes = []
    served = set()
    for number, route in enumerate(found.best.routes()):
        ids = [given["stops"][int(one.idx)]["id"] for one in route if one.is_client()]
        served |= set(ids)
        routes.append(_route(given["vehicles"][number], ids))
    return _plan(given, routes, served)


def solve_vroom(given: Json, seconds: float, _seed: int) -> Json | None:
    """Plan `day` and `short` with VROOM, at its deepest exploration."""
    if _asks_for_more(given):
        return None
    request = vroom.Input()
    request.set_durations_matrix("car", np.array(given["durations"], np.uint32))
    for number, one in enumerate(given["vehicles"]):
        request.add_vehicle(
            vroom.Vehicle(
                number,
                start=one["startLocation"],
                end=one["endLocation"],
                capacity=vroom.Amount(one["capacity"]),
                time_window=vroom.TimeWindow(*one["shift"]),
                costs=vroom.VehicleCosts(fixed=one["costs"]["fixed"], per_hour=_HOUR),
            )
        )
    for number, stop in enumerate(given["stops"]):
        request.add_job(
            vroom.Job(
                number,
                location=stop["location"],
                default_service=stop["duration"],
                delivery=vroom.Amount(stop["load"]),
                priority=25 * stop["priority"],
                time_windows=[vroom.TimeWindow(*window) for window in stop["timeWindows"]],
            )
        )
    found = request.solve(exploration_level=5, nb_threads=1, timeout=timedelta(seconds=seconds))
    steps = found.routes
    steps = steps[steps["type"] == "job"]
    routes = []
    served = set()
    for vehicle in sorted(set(steps["vehicle_id"])):
        own = steps[steps["vehicle_id"] == vehicle]["id"]
        ids = [given["stops"][int(number)]["id"] for number in own]
        served |= set(ids)
        routes.append(_route(given["vehicles"][int(vehicle)], ids))
    return _plan(given, routes, served)


def _asks_for_more(given: Json) -> bool:
    """Say whether an instance has rules or prices that these models do not state."""
    first = given["vehicles"][0]
    is_alike = all({**one, "id": ""} == {**first, "id": ""} for one in given["vehicles"])
    return (
        not is_alike
        or bool(first["breaks"] or first.get("reloads") or given.get("shipments"))
        or "now" in given
        or bool(first["costs"]["perHour"] or first["costs"]["perKilometer"])
        or any(len(stop["timeWindows"]) > 1 for stop in given["stops"])
    )


def _route(vehicle: Json, ids: list[str]) -> Json:
    return {
        "vehicle": vehicle["id"],
        "departure": vehicle["shift"][0],
        "steps": [{"type": "stop", "id": name} for name in ids],
    }


def _plan(given: Json, routes: list[Json], served: set[str]) -> Json:
    left = [stop["id"] for stop in given["stops"] if stop["id"] not in served]
    return {"routes": routes, "unassigned": left}


PEERS: dict[str, Peer] = {"PyVRP": solve_pyvrp, "VROOM": solve_vroom}
