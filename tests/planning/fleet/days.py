"""Days of many vehicles, drawn at random: every rule of the first version comes up."""

import random
from dataclasses import replace

import numpy as np

from roundsman.planning.fleet import (
    Break,
    EndPin,
    FleetBalance,
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    Reload,
    VehicleProgress,
)

HOUR = 3600


def draw_day(seed: int, *, stops: int = 14, vehicles: int = 4) -> FleetProblem:
    """Return a day on made roads, with a random choice of rules."""
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    size = stops + 3
    seconds = draw_roads(rng, size)
    metres = (seconds * 9).astype(np.int32)
    rules = {name for name in RULES if rng.random() < 0.35}
    problem = FleetProblem(
        durations=[seconds, (seconds * 2 // 3).astype(np.int32)],
        distances=[metres, metres],
        stops=[draw_stop(rng, rules, index, vehicles) for index in range(stops)],
        vehicles=[draw_vehicle(rng, rules, stops) for _ in range(vehicles)],
        loads=2,
        inversion_cost=5.0 if "priority" in rules else 0.0,
    )
    problem = with_wishes(problem, random.Random(f"wishes {seed}"))  # noqa: S311 -- a test's draw
    return with_reloads(problem, random.Random(f"reloads {seed}"))  # noqa: S311 -- the same


def with_wishes(problem: FleetProblem, rng: random.Random) -> FleetProblem:
    """Return a day that should rather be compact, or balanced, or served by some."""
    wishes = {name for name in WISHES if rng.random() < 0.3}
    balance = None
    if "balanced hours" in wishes:
        balance = FleetBalance(per_hour=20.0)
    elif "balanced stops" in wishes:
        balance = FleetBalance(per_stop=3.0)
    stops = problem.stops
    if "preferences" in wishes:
        stops = [
            replace(stop, vehicle_costs=draw_prices(rng, len(problem.vehicles)))
            for stop in problem.stops
        ]
    compactness = 0.5 if "compact" in wishes else 0.0
    return replace(problem, stops=stops, compactness=compactness, balance=balance)


def with_reloads(problem: FleetProblem, rng: random.Random) -> FleetProblem:
    """Return a day on which some small vehicles may load again at one depot or at two."""
    if rng.random() < 0.6:
        return problem
    depots = range(len(problem.stops), len(problem.stops) + 3)
    stops = [replace(stop, loads=(rng.randrange(30), rng.randrange(5))) for stop in problem.stops]
    vehicles = [
        replace(
            van,
            capacities=(rng.randrange(40, 80), rng.choice((8, None))),
            max_reloads=rng.randrange(4),
            reloads=[
                Reload(node=node, duration=rng.randrange(60, 1200))
                for node in rng.sample(depots, rng.randrange(1, 3))
            ],
        )
        for van in problem.vehicles
    ]
    return replace(problem, stops=stops, vehicles=vehicles)


def draw_prices(rng: random.Random, vehicles: int) -> dict[int, float]:
    return {van: rng.choice((2.0, 15.0)) for van in range(vehicles) if rng.random() < 0.4}


RULES = (
    "windows", "two windows", "late", "loads", "skills", "named", "pins", "priority", "breaks",
    "stops", "metres", "duration", "latest start", "open end", "open start", "profile", "wages",
    "kilometers", "droppable",
)  # fmt: skip

WISHES = ("compact", "balanced hours", "balanced stops", "preferences")


def draw_roads(rng: random.Random, size: int) -> np.ndarray:
    """Return seconds between points of a plane, dearer one way than the other."""
    points = np.array([(rng.random(), rng.random()) for _ in range(size)])
    gaps = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    slow = 1 + np.array([[rng.random() * 0.2 for _ in range(size)] for _ in range(size)])
    seconds: np.ndarray = (gaps * slow * 2400 + 30).astype(np.int32)
    np.fill_diagonal(seconds, 0)
    return seconds


def draw_stop(rng: random.Random, rules: set[str], index: int, vehicles: int) -> FleetStop:
    opens = rng.randrange(8, 15) * HOUR
    windows = [(opens, opens + rng.randrange(1, 4) * HOUR)]
    if "two windows" in rules and rng.random() < 0.5:
        windows.append((opens + 4 * HOUR, opens + 5 * HOUR))
    is_late = "late" in rules and rng.random() < 0.5
    pin = rng.choice((None, None, None, EndPin.FIRST, EndPin.LAST)) if "pins" in rules else None
    return FleetStop(
        node=index,
        service=rng.randrange(60, 900),
        windows=windows if "windows" in rules and rng.random() < 0.6 else (),
        loads=(rng.randrange(30), rng.randrange(5)) if "loads" in rules else (0, 0),
        skills=frozenset({"cold"} if "skills" in rules and rng.random() < 0.2 else ()),
        vehicles=frozenset(rng.sample(range(vehicles), 2))
        if "named" in rules and rng.random() < 0.3
        else None,
        unassigned_cost=30.0 if "droppable" in rules else 1_000.0,
        priority=rng.choice((0, 0, 1, 3)) if "priority" in rules else 0,
        lateness_cost=20.0 if is_late else 0.0,
        max_lateness=1800 if is_late else 0,
        end_pin=pin if rng.random() < 0.3 else None,
    )


def draw_vehicle(rng: random.Random, rules: set[str], stops: int) -> FleetVehicle:
    opens = rng.choice((7, 8, 9)) * HOUR
    lunch = Break(opens=11 * HOUR, closes=13 * HOUR, duration=1800)
    coffee = Break(opens=9 * HOUR, closes=10 * HOUR, duration=600)
    depot = stops + rng.randrange(3)
    return FleetVehicle(
        start=None if "open start" in rules and rng.random() < 0.5 else depot,
        end=None if "open end" in rules and rng.random() < 0.5 else depot,
        opens=opens,
        closes=opens + 9 * HOUR,
        latest_start=opens + 2 * HOUR if "latest start" in rules else None,
        capacities=(120, 20) if "loads" in rules else (None, None),
        skills=frozenset({"cold"} if rng.random() < 0.6 else ()),
        breaks=[coffee, lunch] if "breaks" in rules and rng.random() < 0.7 else [],
        max_stops=rng.randrange(3, 9) if "stops" in rules else None,
        max_metres=rng.randrange(20_000, 90_000) if "metres" in rules else None,
        max_duration=rng.randrange(2, 7) * HOUR if "duration" in rules else None,
        costs=FleetCosts(
            fixed=20.0,
            per_hour=25.0 if "wages" in rules else 0.0,
            per_traveled_hour=10.0,
            per_kilometer=0.3 if "kilometers" in rules else 0.0,
            per_stop=0.5,
        ),
        profile=1 if "profile" in rules and rng.random() < 0.5 else 0,
    )


def put_on_the_road(problem: FleetProblem, routes: dict[int, list[int]], seed: int) -> FleetProblem:
    """Return the day some hours later: what was served is done, the rest is planned as it was."""
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    now = rng.randrange(9, 13) * HOUR
    done: set[int] = set()
    vehicles = list(problem.vehicles)
    for vehicle, route in routes.items():
        van = vehicles[vehicle]
        served = rng.randrange(len(route) + 1)
        done |= set(route[:served])
        here = problem.stops[route[served - 1]].node if served else van.start
        begun = VehicleProgress(
            leaves_at=now - rng.randrange(600),
            departed_at=van.opens,
            stops=served,
            loads=[sum(problem.stops[k].loads[load] for k in route[:served]) for load in (0, 1)],
            next_stop=route[served] if served < len(route) else None,
        )
        vehicles[vehicle] = replace(
            van,
            start=here,
            route=route[served:],
            max_reloads=0 if route else van.max_reloads,
            keep_first=min(rng.randrange(2), len(route) - served),
            breaks=[rest for rest in van.breaks if not served or rest.opens > now],
            under_way=begun if served else None,
        )
    left = [index for index in range(len(problem.stops)) if index not in done]
    number_of = {index: number for number, index in enumerate(left)}
    home_of = {index: vehicle for vehicle, route in routes.items() for index in route}
    return replace(
        problem,
        stops=[replace(problem.stops[index], home=home_of.get(index)) for index in left],
        vehicles=[_renumbered(van, number_of) for van in vehicles],
        now=now,
        max_moved=rng.randrange(4),
        moved_cost=3.0,
    )


def _renumbered(van: FleetVehicle, number_of: dict[int, int]) -> FleetVehicle:
    begun = van.under_way
    if begun is not None and begun.next_stop is not None:
        begun = replace(begun, next_stop=number_of[begun.next_stop])
    return replace(van, route=[number_of[index] for index in van.route], under_way=begun)
