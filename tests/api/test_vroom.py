"""Problems in VROOM's JSON: its solutions checked against the rules of its own description."""

import random
from itertools import pairwise, permutations
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.address import Coordinates
from roundsman.roads.encoded_polyline import decode_polyline

type Json = Any

pytestmark = pytest.mark.spec("decisions §19")

DEPOT = [2.35044, 48.71764]
PARIS: Json = {
    "vehicles": [
        {
            "id": number,
            "start": DEPOT,
            "end": DEPOT,
            "capacity": [4],
            "skills": [number, 14],
            "time_window": [28800, 43200],
            "breaks": [{"id": number, "service": 300, "time_windows": [[32400, 34200]]}],
        }
        for number in (1, 2)
    ],
    "jobs": [
        {
            "id": 1,
            "service": 300,
            "delivery": [1],
            "location": [1.98935, 48.701],
            "skills": [1],
            "time_windows": [[32400, 36000]],
        },
        {"id": 2, "service": 300, "delivery": [1], "location": [2.03655, 48.61128], "skills": [1]},
        {"id": 5, "service": 300, "delivery": [1], "location": [2.28325, 48.5958], "skills": [14]},
        {"id": 6, "service": 300, "delivery": [1], "location": [2.89357, 48.90736], "skills": [14]},
    ],
}
"""The example of VROOM's description without its shipment."""

LEGACY: Json = {
    "vehicles": [{"id": 0, "start_index": 0, "end_index": 3}],
    "jobs": [{"id": 1414, "location_index": 1}, {"id": 1515, "location_index": 2}],
    "matrix": [
        [0, 2104, 197, 1299],
        [2103, 0, 2255, 3152],
        [197, 2256, 0, 1102],
        [1299, 3153, 1102, 0],
    ],
}


def solve(world: World, problem: Json) -> Json:
    answer = world.client.post("/plans/vroom", problem)
    assert answer.status_code == 200, answer.text
    solution = answer.json()
    check(problem, solution)
    return solution


def refuse(world: World, problem: Json) -> dict[str, str]:
    answer = world.client.post("/plans/vroom", problem)
    assert (answer.status_code, answer.json()["code"]) == (400, 3), answer.text
    (details,) = answer.json()["details"]
    return {one["field"]: one["description"] for one in details["fieldViolations"]}


def jobs_of(route: Json) -> list[int]:
    return [step["id"] for step in route["steps"] if step["type"] == "job"]


def check(problem: Json, solution: Json) -> None:
    """Hold a solution against every rule that VROOM's description names."""
    jobs = {job["id"]: job for job in problem["jobs"]}
    vans = {van["id"]: van for van in problem["vehicles"]}
    served = [id_ for route in solution["routes"] for id_ in jobs_of(route)]
    left_out = [one["id"] for one in solution["unassigned"]]
    assert sorted([*served, *left_out]) == sorted(jobs)
    summary = solution["summary"]
    assert (solution["code"], summary["unassigned"]) == (0, len(left_out))
    for name in ("cost", "service", "duration", "waiting_time", "priority"):
        assert summary[name] == sum(route[name] for route in solution["routes"]), name
    for route in solution["routes"]:
        check_route(vans[route["vehicle"]], jobs, route)


def check_route(van: Json, jobs: dict[int, Json], route: Json) -> None:
    steps = route["steps"]
    opens, closes = van.get("time_window", (0, 10**12))
    assert opens <= steps[0]["arrival"]
    assert steps[-1]["arrival"] + steps[-1]["service"] <= closes
    capacity = van.get("capacity", [])
    assert all(
        0 <= load <= most
        for step in steps
        for load, most in zip(step["load"], capacity, strict=True)
    )
    assert steps[-1]["load"] == route["pickup"]
    assert len(jobs_of(route)) <= van.get("max_tasks", 10**9)
    for before, step in pairwise(steps):
        left = before["arrival"] + before["waiting_time"] + before["service"]
        assert step["arrival"] - left == step["duration"] - before["duration"]
    for step in steps:
        begin = step["arrival"] + step["waiting_time"]
        if step["type"] == "job":
            job = jobs[step["id"]]
            windows = job.get("time_windows") or [[0, 10**12]]
            assert any(first <= begin <= last for first, last in windows)
            assert set(job.get("skills", [])) <= set(van.get("skills", []))
            assert step["service"] == job.get("service", 0)
    assert route["duration"] == steps[-1]["duration"]
    breaks = {step["id"]: step for step in steps if step["type"] == "break"}
    for rest in van.get("breaks", []):
        first, last = rest["time_windows"][0]
        if steps[0]["arrival"] <= last <= steps[-1]["arrival"]:
            taken = breaks[rest["id"]]
            assert first <= taken["arrival"] + taken["waiting_time"] <= last


def test_the_example_of_the_description_is_solved_by_its_rules(world: World) -> None:
    solution = solve(world, PARIS)
    assert solution["unassigned"] == []
    by_van = {route["vehicle"]: set(jobs_of(route)) for route in solution["routes"]}
    assert {1, 2} <= by_van[1]
    summary = solution["summary"]
    assert (summary["delivery"], summary["cost"]) == ([4], summary["duration"])
    assert summary["distance"] > 0
    first = solution["routes"][0]["steps"][0]
    assert (first["type"], first["location"]) == ("start", DEPOT)
    assert summary["computing_times"].keys() == {"loading", "solving", "routing"}
    assert world.count("routes") == world.count("plans") == 0


def test_a_custom_matrix_is_driven_as_it_says(world: World) -> None:
    solution = solve(world, LEGACY)
    (route,) = solution["routes"]
    # 0 → 1 → 2 → 3 takes 2104 + 2255 + 1102; the other way round 197 + 2256 + 3152.
    assert (jobs_of(route), route["cost"]) == ([1414, 1515], 5461)
    assert [step["location_index"] for step in route["steps"]] == [0, 1, 2, 3]
    assert "distance" not in route
    now = {**LEGACY, "matrices": {"car": {"durations": LEGACY["matrix"]}}}
    del now["matrix"]
    assert solve(world, now)["routes"] == solution["routes"]


def test_profiles_speed_and_kilometres_decide_who_drives(world: World) -> None:
    fast, slow = [[0, 60], [60, 0]], [[0, 600], [600, 0]]
    metres = [[0, 1000], [1000, 0]]
    bike = {"id": 1, "profile": "bike", "start_index": 0, "end_index": 0}
    van = {"id": 2, "start_index": 0, "end_index": 0, "costs": {"fixed": 100, "per_km": 50}}
    problem = {
        "vehicles": [bike, van],
        "jobs": [{"id": 7, "location_index": 1}],
        "matrices": {
            "bike": {"durations": slow, "distances": metres},
            "car": {"durations": fast, "distances": metres},
        },
    }
    (route,) = solve(world, problem)["routes"]
    assert (route["vehicle"], route["cost"], route["distance"]) == (2, 100 + 120 + 100, 2000)
    quick_bike = {**bike, "speed_factor": 5}
    (route,) = solve(world, {**problem, "vehicles": [quick_bike, van]})["routes"]
    assert (route["vehicle"], route["duration"]) == (1, 240)
    near = {**van, "max_distance": 1999}
    assert len(solve(world, {**problem, "vehicles": [near]})["unassigned"]) == 1


def test_what_does_not_fit_is_left_out_by_priority_and_then_by_number(world: World) -> None:
    line = [[abs(row - column) * 100 for column in range(5)] for row in range(5)]
    jobs = [{"id": k, "location_index": k, "delivery": [1]} for k in range(1, 5)]
    van = {"id": 1, "start_index": 0, "end_index": 0, "capacity": [2]}
    problem = {"jobs": jobs, "vehicles": [van], "matrix": line}
    near = solve(world, problem)
    assert {one["id"] for one in near["unassigned"]} == {3, 4}
    urgent = [*jobs[:3], {**jobs[3], "priority": 1}]
    kept = solve(world, {**problem, "jobs": urgent})
    # On the way to job 4 any other costs nothing more.
    assert (kept["summary"]["unassigned"], kept["summary"]["priority"]) == (2, 1)
    # One job of priority 100 goes before two of 40 that fit beside each other.
    large = [{**jobs[0], "priority": 40}, {**jobs[1], "priority": 40}]
    large += [{"id": 3, "location_index": 3, "delivery": [2], "priority": 100}]
    kept = solve(world, {**problem, "jobs": large})
    assert kept["summary"]["priority"] == 100


def test_open_ends_pickups_and_times_of_day_or_of_the_epoch(world: World) -> None:
    line = [[abs(row - column) * 100 for column in range(4)] for row in range(4)]
    begin = 1_700_000_000
    problem = {
        "vehicles": [{"id": 1, "start_index": 0, "capacity": [3]}],
        "jobs": [
            {
                "id": k,
                "location_index": k,
                "pickup": [1],
                "service": 10,
                "description": f"job {k}",
                "time_windows": [[begin + 1000 * k, begin + 1000 * k + 300]],
            }
            for k in range(1, 4)
        ],
        "matrix": line,
    }
    (route,) = solve(world, problem)["routes"]
    assert [step["type"] for step in route["steps"]] == ["start", "job", "job", "job"]
    assert [step["load"] for step in route["steps"]] == [[0], [1], [2], [3]]
    assert route["steps"][1]["description"] == "job 1"
    assert begin <= route["steps"][0]["arrival"] <= begin + 1200


def test_lines_to_draw_go_over_the_places(world: World) -> None:
    solution = solve(world, {**PARIS, "options": {"g": True, "x": 1, "l": 5}})
    for route in solution["routes"]:
        line = decode_polyline(route["geometry"], 5)
        places = [step["location"] for step in route["steps"] if "location" in step]
        assert line[0] == line[-1] == Coordinates(longitude=DEPOT[0], latitude=DEPOT[1])
        assert all(
            any(abs(p.longitude - lon) < 1e-4 and abs(p.latitude - lat) < 1e-4 for p in line)
            for lon, lat in places
        )


@pytest.mark.parametrize("seed", range(12))
def test_drawn_problems_are_solved_within_their_rules(world: World, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    size = 16
    problem: Json = {
        "vehicles": [
            {
                "id": k,
                "start_index": 0,
                **({"end_index": 1} if rng.random() < 0.7 else {}),
                "capacity": [rng.randint(3, 9), 5],
                "skills": rng.sample(range(3), 2),
                "speed_factor": rng.choice([1, 0.5, 1.5]),
                **({"time_window": [1000, 30_000]} if rng.random() < 0.7 else {}),
                **({"max_tasks": 4} if rng.random() < 0.3 else {}),
            }
            for k in range(4)
        ],
        "jobs": [
            {
                "id": k,
                "location_index": k,
                "service": rng.randint(0, 600),
                "delivery": [1, 0],
                "pickup": [0, rng.randint(0, 1)],
                "skills": rng.sample(range(3), rng.randint(0, 1)),
                "priority": rng.choice([0, 0, 50]),
                "time_windows": [[4000 * k % 20_000, 4000 * k % 20_000 + 5000]] * (k % 2),
            }
            for k in range(2, size)
        ],
        "matrix": [[rng.randint(60, 1500) * (a != b) for b in range(size)] for a in range(size)],
    }
    first = solve(world, problem)
    assert solve(world, problem)["routes"] == first["routes"]


@pytest.mark.parametrize("seed", range(5))
def test_small_problems_are_solved_as_well_as_trying_every_order_does(
    world: World, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    size, most = 6, 3
    table = [[rng.randint(60, 1500) * (a != b) for b in range(size)] for a in range(size)]
    problem = {
        "vehicles": [
            {"id": k, "start_index": 0, "end_index": 0, "max_tasks": most} for k in (1, 2)
        ],
        "jobs": [{"id": k, "location_index": k} for k in range(1, size)],
        "matrix": table,
    }

    def drive(stops: tuple[int, ...]) -> int:
        return sum(table[a][b] for a, b in pairwise((0, *stops, 0)))

    best = min(
        drive(order[:cut]) + drive(order[cut:])
        for order in permutations(range(1, size))
        for cut in range(size - 1 - most, most + 1)
    )
    assert solve(world, problem)["summary"]["cost"] == best


def test_what_is_wrong_or_not_supported_is_named(world: World) -> None:
    van, job = PARIS["vehicles"][0], PARIS["jobs"][0]
    assert refuse(world, {**PARIS, "shipments": []}).keys() == {"shipments"}
    wrong = {
        "jobs": [{**job, "setup": 60}, {**job, "location": [48.7, 98.9]}],
        "vehicles": [{"id": 1, "steps": []}, {**van, "max_travel_time": 60}],
        "options": {"c": True},
    }
    assert refuse(world, wrong).keys() == {
        "jobs[0].setup", "jobs[1].location", "options.c", "vehicles[0].start", "vehicles[0].steps",
        "vehicles[1].max_travel_time",
    }  # fmt: skip
    assert refuse(world, {**PARIS, "jobs": [job, job]}) == {"jobs": "has the id 1 more than once"}
    assert refuse(world, {**PARIS, "jobs": [{**job, "delivery": [1, 2]}]}) == {
        "jobs[0].delivery": "must have 1 components, as the first vehicle's capacity has"
    }
    both = [job, {**job, "id": 2, "pickup": [1]}]
    assert refuse(world, {**PARIS, "jobs": both}).keys() == {"jobs[1].pickup"}
    assert refuse(world, {**PARIS, "vehicles": [{**van, "profile": "bike"}]}).keys() == {
        "vehicles[0].profile"
    }
    assert refuse(world, {**PARIS, "jobs": [{"id": 1, "location_index": 0}]}).keys() == {
        "jobs[0].location"
    }
    assert refuse(world, {**LEGACY, "jobs": [{"id": 1, "location_index": 4}]}) == {
        "jobs[0].location_index": "must be below 4, the matrix's size"
    }
    assert refuse(world, {**LEGACY, "matrix": [[0, 1], [1]]}).keys() >= {"matrix"}
    far = {**LEGACY["vehicles"][0], "costs": {"per_km": 1}}
    assert refuse(world, {**LEGACY, "vehicles": [far]}) == {
        "vehicles[0].costs.per_km": "needs matrices.car.distances"
    }
    choice = {"id": 1, "time_windows": [[1, 2], [3, 4]]}
    assert refuse(world, {**PARIS, "vehicles": [{**van, "breaks": [choice]}]}).keys() == {
        "vehicles[0].breaks[0].time_windows"
    }


def test_no_jobs_are_a_solution_without_routes(world: World) -> None:
    solution = solve(world, {**PARIS, "jobs": []})
    assert (solution["routes"], solution["summary"]["cost"]) == ([], 0)
