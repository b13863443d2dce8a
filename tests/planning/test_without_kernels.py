"""What is searched while kernels are being compiled: short routes at once, all others later."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.planning.worlds import random_problem

from roundsman.kit.loading import load
from roundsman.planning import (
    FixedRoute,
    availability,
    do_without_kernels,
    has_kernels,
    insert_everywhere,
    measure_gap,
    optimize,
    reorder,
    use_kernels,
    warm,
)
from roundsman.planning.compiled import note_kernels_compiled
from roundsman.planning.fleet import (
    COMPILE,
    FleetBudget,
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    StoppedBy,
    plan_fleet,
)
from roundsman.planning.interpretation import interpret

LONG = availability.MOST_INTERPRETED + 1


@pytest.fixture(autouse=True)
def loaded() -> None:
    """Have this process's kernels belong to the usual cache, which holds them."""
    warm()
    load(COMPILE)()


@pytest.fixture
def without_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert do_without_kernels()
    yield tmp_path
    use_kernels()


@pytest.mark.parametrize("windows", [False, True])
def test_a_short_route_gets_the_order_that_compiled_kernels_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, windows: bool
) -> None:
    problem = random_problem(8, 1, windows=windows, priority=windows)

    def search() -> list[tuple[object, ...]]:
        best = measure_gap(problem, optimize(problem, seconds=60, moves=150_000))
        few = reorder(problem, problem.visits, most_moved=[2], seconds=60, moves=150_000)
        return [(one.order, one.schedule.cost, one.lower_bound) for one in (best, *few)]

    compiled = search()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert do_without_kernels()
    try:
        assert search() == compiled
    finally:
        use_kernels()
    assert not list(tmp_path.rglob("*.nbi"))


def test_where_a_stop_could_go_is_known_without_kernels(without_kernels: Path) -> None:
    del without_kernels
    route = FixedRoute(
        legs=[5], to_new=[2], from_new=[4], service=[], windows=[], new_service=3, new_windows=()
    )
    (found,) = insert_everywhere([route])
    assert found.extra_travel.tolist() == [1]


def test_a_long_route_is_searched_once_the_kernels_are_there(without_kernels: Path) -> None:
    del without_kernels
    problem = random_problem(LONG + 1, 1)
    looked = threading.Event()

    def has_left() -> bool:
        looked.set()
        return False

    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(optimize, problem, seconds=60, moves=1000, cancelled=has_left)
        assert looked.wait(60)  # it waits, and looks whether anybody waits for it
        assert not search.done()
        use_kernels()
        assert sorted(search.result(60).order) == sorted(problem.visits)


def a_day() -> FleetProblem:
    legs = np.array([[abs(row - column) for column in range(5)] for row in range(5)], np.int32)
    van = FleetVehicle(
        start=0,
        end=0,
        opens=0,
        closes=10_000,
        capacities=[9],
        costs=FleetCosts(fixed=1, per_hour=1, per_kilometer=1),
    )
    stops = [FleetStop(node=node, service=60, loads=[1]) for node in range(1, 5)]
    return FleetProblem(durations=[legs], distances=[legs], stops=stops, vehicles=[van], loads=1)


def test_who_gives_up_waiting_gets_a_whole_answer(without_kernels: Path) -> None:
    del without_kernels
    problem = random_problem(LONG + 1, 1)
    found = optimize(problem, seconds=60, cancelled=lambda: True)
    assert sorted(found.order) == sorted(problem.visits)
    plan = plan_fleet(a_day(), FleetBudget(seconds=60, cancelled=lambda: True))
    assert plan.stopped_by is StoppedBy.CANCEL
    assert [sorted(route.stops) for route in plan.routes] == [[0, 1, 2, 3]]


def test_a_plan_has_its_seconds_from_when_the_kernels_are_there(without_kernels: Path) -> None:
    del without_kernels
    seconds = iter(range(0, 1_000_000, 100))
    budget = FleetBudget(seconds=10_000, clock=lambda: float(next(seconds)))
    shares: list[float] = []

    def note(share: float, *_: object) -> None:
        shares.append(share)
        if not has_kernels():  # long after the plan was asked for
            for _hour in range(200):
                next(seconds)
            use_kernels()

    assert plan_fleet(a_day(), budget, on_progress=note).stopped_by is StoppedBy.SECONDS
    assert shares[0] == 0
    assert shares[1] < 0.5


def test_where_all_is_compiled_nobody_does_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    note_kernels_compiled()
    assert not do_without_kernels()
    assert has_kernels()


def test_who_did_without_does_so_no_more_once_another_has_compiled(without_kernels: Path) -> None:
    del without_kernels
    note_kernels_compiled()
    assert not do_without_kernels()
    assert has_kernels()


def test_who_wants_kernels_interpreted_waits_for_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    code = "from roundsman.planning import do_without_kernels; print(do_without_kernels())"
    done = subprocess.run(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_files_where_a_process_was_started_are_not_taken_for_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    assert interpret("operator:add", 1, 2) == 3
