"""Fleet instances of the published generator (`fleet` in the shared folder), and their plans.

An instance is JSON: travel tables, stops, vehicles, and for a day under way its current routes. A
plan is JSON that the generator's own judge reads. What our engine cannot plan is refused by name.
"""

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from bench.published import shared_folder
from roundsman.planning.fleet import (
    NEVER_DROPPED,
    Break,
    FleetCosts,
    FleetPlan,
    FleetProblem,
    FleetRoute,
    FleetStep,
    FleetStop,
    FleetVehicle,
    Reload,
    StepKind,
    VehicleProgress,
)

FAMILIES = ("day", "mixed", "breaks", "reload", "short", "live")
"""Those of which our engine knows every rule."""

type Json = Any


class NotPlanned(ValueError):
    """An instance asks for what the engine cannot plan."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Progress:
    """What a vehicle has done by now."""

    departure: int
    completed: Sequence[str]
    planned: Sequence[str]
    leaves_at: int
    location: int
    metres: int


@dataclass(frozen=True, kw_only=True)
class FleetInstance:
    """An instance as the engine sees it; stops and vehicles by their places in the lists."""

    given: Json
    problem: FleetProblem
    open_stops: Sequence[Json]
    """Those that are not done, as the problem has them."""

    progress: Mapping[str, _Progress] = field(default_factory=dict)
    """By vehicle, of those that have done something."""

    @property
    def name(self) -> str:
        """Return what the generator calls it."""
        return str(self.given["name"])

    def write_plan(self, plan: FleetPlan) -> Json:
        """Return a plan as the judge reads it; what was done leads its route."""
        found = {route.vehicle: route for route in plan.routes}
        routes = []
        for number, vehicle in enumerate(self.given["vehicles"]):
            done = self.progress.get(vehicle["id"])
            route = found.get(number)
            if done is None and route is None:
                continue
            departure = done.departure if done else route.departure if route else 0
            steps = [{"type": "stop", "id": name} for name in (done.completed if done else ())]
            steps += self._write_steps(route) if route else []
            routes.append({"vehicle": vehicle["id"], "departure": departure, "steps": steps})
        left = [self.open_stops[index]["id"] for index in plan.unassigned]
        return {"routes": routes, "unassigned": left}

    def _write_steps(self, route: FleetRoute) -> list[Json]:
        vehicle = self.given["vehicles"][route.vehicle]
        return [self._write_step(vehicle, step) for step in route.steps]

    def _write_step(self, vehicle: Json, step: FleetStep) -> Json:
        if step.kind is StepKind.STOP:
            return {"type": "stop", "id": self.open_stops[step.index]["id"], "start": step.begin}
        if step.kind is StepKind.BREAK:
            return {"type": "break", "index": step.index, "start": step.begin}
        place = vehicle["reloads"]["locations"][step.index]
        return {"type": "reload", "location": place, "start": step.begin}


def read_instance(given: Json) -> FleetInstance:
    """Return an instance of the generator's format; raise NotPlanned if it asks for too much."""
    if given.get("shipments"):
        raise NotPlanned("shipments are not planned yet")
    current = {route["vehicle"]: route for route in given.get("currentRoutes", [])}
    stops = {stop["id"]: stop for stop in given["stops"]}
    progress = {
        vehicle["id"]: _drive(given, stops, vehicle, current[vehicle["id"]])
        for vehicle in given["vehicles"]
        if vehicle["id"] in current and current[vehicle["id"]]["completed"]
    }
    done = {name for one in progress.values() for name in one.completed}
    left = [stop for stop in given["stops"] if stop["id"] not in done]
    number_of = {stop["id"]: number for number, stop in enumerate(left)}
    home_of = {
        name: number
        for number, vehicle in enumerate(given["vehicles"])
        for name in current.get(vehicle["id"], {}).get("planned", ())
    }
    pinned = {pin["stop"] for pin in given.get("pins", [])}
    problem = FleetProblem(
        durations=[np.array(given["durations"], np.int32)],
        distances=[np.array(given["distances"], np.int32)],
        stops=[
            _read_stop(stop, given["unplannedCost"], home_of.get(stop["id"]), pinned)
            for stop in left
        ],
        vehicles=[
            _read_vehicle(
                vehicle,
                [number_of[name] for name in current.get(vehicle["id"], {}).get("planned", ())],
                progress.get(vehicle["id"]),
                [stops[name] for name in _completed(progress.get(vehicle["id"]))],
            )
            for vehicle in given["vehicles"]
        ],
        loads=len(given["dimensions"]),
        now=given.get("now"),
        max_moved=given.get("maxMovedStops"),
    )
    return FleetInstance(given=given, problem=problem, open_stops=left, progress=progress)


def _completed(progress: _Progress | None) -> Sequence[str]:
    return progress.completed if progress else ()


def _drive(given: Json, stops: Mapping[str, Json], vehicle: Json, route: Json) -> _Progress:
    """Drive the completed stops of a route, each as soon as it could be."""
    now, here, metres = route["departure"], vehicle["startLocation"], 0
    for name in route["completed"]:
        stop = stops[name]
        now += given["durations"][here][stop["location"]]
        metres += given["distances"][here][stop["location"]]
        here = stop["location"]
        opened = [max(now, opens) for opens, closes in stop["timeWindows"] if now <= closes]
        now = min(opened, default=now) + stop["duration"]
    return _Progress(
        departure=route["departure"],
        completed=route["completed"],
        planned=route["planned"],
        leaves_at=now,
        location=here,
        metres=metres,
    )


def _read_stop(stop: Json, left_out: float, home: int | None, pinned: set[str]) -> FleetStop:
    is_pinned = stop["id"] in pinned and home is not None
    return FleetStop(
        node=stop["location"],
        service=stop["duration"],
        windows=[(opens, closes) for opens, closes in stop["timeWindows"]],
        loads=stop["load"],
        skills=frozenset(stop["skills"]),
        vehicles=frozenset({home}) if is_pinned and home is not None else None,
        unassigned_cost=NEVER_DROPPED if is_pinned else left_out * (1 + stop["priority"]),
        home=home,
    )


def _read_vehicle(
    vehicle: Json, route: Sequence[int], done: _Progress | None, served: Sequence[Json]
) -> FleetVehicle:
    opens, closes = vehicle["shift"]
    costs = vehicle["costs"]
    reloads = vehicle.get("reloads") or {"locations": [], "max": 0, "duration": 0}
    begun = None
    if done is not None:
        begun = VehicleProgress(
            leaves_at=done.leaves_at,
            departed_at=done.departure,
            stops=len(served),
            metres=done.metres,
            loads=[sum(column) for column in zip(*(one["load"] for one in served), strict=True)],
            next_stop=route[0] if route else None,
        )
    return FleetVehicle(
        start=done.location if done else vehicle["startLocation"],
        end=vehicle["endLocation"],
        opens=opens,
        closes=closes,
        capacities=vehicle["capacity"],
        skills=frozenset(vehicle["skills"]),
        breaks=[
            Break(
                opens=rest["timeWindow"][0],
                closes=rest["timeWindow"][1],
                duration=rest["duration"],
            )
            for rest in vehicle["breaks"]
        ],
        max_reloads=reloads["max"],
        reloads=[
            Reload(node=place, duration=reloads["duration"]) for place in reloads["locations"]
        ],
        max_stops=vehicle.get("maxStops"),
        max_metres=vehicle.get("maxDistance"),
        max_duration=vehicle.get("maxDuration"),
        costs=FleetCosts(
            fixed=costs["fixed"],
            per_hour=costs["perHour"],
            per_traveled_hour=costs["perTraveledHour"],
            per_kilometer=costs["perKilometer"],
        ),
        route=route,
        under_way=begun,
    )


def make_instance(family: str, size: int, seed: int) -> Json:
    """Return an instance of the published generator; raise FileNotFoundError without it."""
    return _load("generate").instance(family, size, seed)


def judge(given: Json, plan: Json) -> Json:
    """Return what the published judge says of a plan."""
    return _load("check").check(given, plan)


def _load(name: str) -> ModuleType:
    folder = shared_folder()
    path = Path() if folder is None else folder / "fleet" / f"{name}.py"
    if not path.is_file():
        raise FileNotFoundError(f"fleet/{name}.py is in no folder of published instances")
    known = sys.modules.get(f"published_fleet_{name}")
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(f"published_fleet_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def load_file(path: Path) -> Json:
    """Return the JSON of a file."""
    return json.loads(path.read_text())
