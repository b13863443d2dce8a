import threading

import numpy as np
import pytest
from tests.planning.worlds import least_cost, problem_of, random_problem

from roundsman.planning import Problem, moves_within, optimize, schedule
from roundsman.planning.optimizer import LEAST_ROUND, round_length
from roundsman.planning.problem import MAX_NODES

GENEROUS = 60.0  # seconds that no test uses up: moves or the proof end first


@pytest.mark.parametrize("seed", range(60))
def test_short_routes_are_proven_optimal(seed: int) -> None:
    problem = random_problem(2 + seed % 6, seed, windows=seed % 2 == 1, priority=seed % 5 < 2)

    found = optimize(problem, seconds=GENEROUS)

    assert found.schedule.cost == least_cost(problem)
    assert found.proven_optimal


@pytest.mark.parametrize("seed", range(8))
def test_twelve_visits_are_proven_and_no_search_beats_them(seed: int) -> None:
    problem = random_problem(13, seed, windows=seed % 2 == 1, priority=seed % 4 > 1)

    proven = optimize(problem, seconds=GENEROUS)

    assert proven.proven_optimal
    reversed_order = optimize(problem, seconds=GENEROUS, initial_order=proven.order[::-1])
    assert reversed_order.schedule.cost == proven.schedule.cost


@pytest.mark.parametrize("size", [1, 2, 3])
def test_routes_with_hardly_a_visit_are_trivial(size: int) -> None:
    problem = problem_of([[5] * size for _ in range(size)])

    found = optimize(problem, seconds=GENEROUS)

    assert sorted(found.order) == list(range(1, size))
    assert found.proven_optimal


def test_a_route_from_a_place_to_itself_without_visits_is_empty() -> None:
    found = optimize(problem_of([[0]], end=0), seconds=GENEROUS)

    assert found.order == ()
    assert found.arrivals.tolist() == [0, 0]


@pytest.mark.parametrize("kind", ["free", "windows", "priority", "both"])
def test_what_is_reported_is_what_the_schedule_says(kind: str) -> None:
    problem = random_problem(
        40, 1, windows=kind in ("windows", "both"), priority=kind in ("priority", "both")
    )

    found = optimize(problem, seconds=GENEROUS, moves=500_000)

    plan = schedule(problem, found.order)
    assert sorted(found.order) == list(problem.visits)
    assert found.schedule.cost == plan.cost
    assert found.lateness_seconds == plan.lateness_seconds
    assert found.travel_seconds == plan.travel_seconds
    assert found.arrivals.tolist() == plan.arrivals.tolist()
    assert found.service_starts.tolist() == plan.service_starts.tolist()
    assert not found.proven_optimal


def test_points_on_a_circle_are_visited_around_it() -> None:
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    positions = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 10_000
    shuffled = positions[np.random.default_rng(4).permutation(60)]
    gaps = shuffled[:, None, :] - shuffled[None, :, :]
    durations = np.hypot(gaps[..., 0], gaps[..., 1]).astype(np.int64)

    found = optimize(problem_of(durations, end=0), seconds=GENEROUS, moves=1_000_000)

    nearest = np.sort(durations, axis=1)[:, 1].max()
    assert found.travel_seconds <= 60 * nearest


def test_windows_around_a_hidden_route_are_all_met() -> None:
    free = random_problem(60, 1)
    hidden = schedule(free, np.random.default_rng(8).permutation(free.visits).tolist())
    windows = {
        node: [(int(arrival) - 300, int(arrival) + 300)]
        for node, arrival in zip(hidden.path[1:-1], hidden.arrivals[1:-1], strict=True)
    }
    problem = problem_of(
        free.durations,
        end=free.end,
        service=free.service.tolist(),
        windows=windows,
        departure=free.departure,
    )

    found = optimize(problem, seconds=GENEROUS, moves=2_000_000)

    assert found.lateness_seconds == 0
    assert found.travel_seconds <= hidden.travel_seconds


@pytest.mark.spec("decisions §7")
def test_higher_priority_comes_first_where_windows_allow() -> None:
    problem = random_problem(50, 1, priority=True)

    found = optimize(problem, seconds=GENEROUS, moves=500_000)

    assert found.schedule.inversions == 0


@pytest.mark.spec("decisions §7")
def test_priority_gives_way_only_to_avoid_lateness() -> None:
    flat = [[0, 10, 10], [10, 0, 10], [10, 10, 0]]
    in_time = problem_of(flat, priority=[0, 0, 1], windows={1: [(0, 20)]})
    too_tight = problem_of(flat, priority=[0, 0, 1], windows={1: [(0, 15)]})

    assert optimize(in_time, seconds=GENEROUS).order == (2, 1)
    assert optimize(too_tight, seconds=GENEROUS).order == (1, 2)


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("windows", [False, True])
def test_equal_input_and_moves_give_equal_output(*, windows: bool) -> None:
    problem = random_problem(70, 5, windows=windows)

    first, second = (
        optimize(problem, seconds=GENEROUS, seed=3, moves=moves_within(0.02)) for _ in range(2)
    )

    assert first.order == second.order
    assert first.moves == second.moves


@pytest.mark.parametrize("windows", [False, True])
def test_numbering_the_stops_otherwise_changes_nothing(*, windows: bool) -> None:
    problem = random_problem(60, 3, windows=windows)
    shuffle = np.random.default_rng(1).permutation(problem.size)
    label = np.argsort(shuffle)
    relabelled = Problem(
        durations=problem.durations[np.ix_(shuffle, shuffle)],
        distances=None,
        start=int(label[problem.start]),
        end=None if problem.end is None else int(label[problem.end]),
        service=problem.service[shuffle],
        windows=[problem.windows[node] for node in shuffle],
        priority=problem.priority[shuffle],
        departure=problem.departure,
    )

    one = optimize(problem, seconds=GENEROUS, moves=300_000)
    other = optimize(relabelled, seconds=GENEROUS, moves=300_000)

    assert [int(shuffle[node]) for node in other.order] == list(one.order)


@pytest.mark.parametrize("seed", range(4))
def test_the_result_is_never_worse_than_the_initial_order(seed: int) -> None:
    problem = random_problem(80, seed, windows=seed % 2 == 0)
    good = optimize(problem, seconds=GENEROUS, moves=3_000_000)

    again = optimize(problem, seconds=GENEROUS, moves=1, seed=9, initial_order=good.order)

    assert again.schedule.cost <= good.schedule.cost


def test_an_initial_order_must_hold_every_visit() -> None:
    with pytest.raises(ValueError, match="initial_order must hold every node"):
        optimize(random_problem(5, 0), seconds=1, initial_order=[1, 2])


@pytest.mark.parametrize("budget", [{"seconds": 0}, {"seconds": 1, "moves": 0}])
def test_an_empty_budget_is_refused(budget: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        optimize(random_problem(5, 0), **budget)  # type: ignore[arg-type]  # both are numbers


def test_a_cancelled_search_returns_the_best_so_far() -> None:
    problem = random_problem(100, 0)
    cancelled = threading.Event()
    cancelled.set()

    found = optimize(problem, seconds=GENEROUS, cancelled=cancelled)

    assert sorted(found.order) == list(problem.visits)


def test_a_search_is_cancelled_from_another_thread() -> None:
    problem = random_problem(100, 0)
    cancelled, looked = threading.Event(), threading.Event()

    def asked() -> bool:
        looked.set()
        return cancelled.is_set()

    thread = threading.Thread(
        target=optimize, args=(problem,), kwargs={"seconds": GENEROUS, "cancelled": asked}
    )
    thread.start()
    assert looked.wait(GENEROUS)
    cancelled.set()
    thread.join(GENEROUS)

    assert not thread.is_alive()


def test_stops_at_one_place_are_served_in_a_row() -> None:
    spread = random_problem(20, 3)
    twice = np.r_[np.arange(20), np.arange(1, 20)]
    durations = spread.durations[np.ix_(twice, twice)]

    found = optimize(problem_of(durations), seconds=GENEROUS, moves=200_000)

    positions = [int(twice[node]) for node in found.order]
    assert positions[0::2] == positions[1::2]


def test_legs_without_a_road_are_avoided() -> None:
    size = 30
    durations = np.full((size, size), 2**31 - 1, dtype=np.int64)
    for node in range(size - 1):
        durations[node, node + 1] = 7

    found = optimize(problem_of(durations), seconds=GENEROUS, moves=500_000)

    assert found.travel_seconds == 7 * (size - 1)


def test_a_problem_too_large_is_refused() -> None:
    size = MAX_NODES + 1
    with pytest.raises(ValueError, match="durations must have 1 to"):
        problem_of(np.zeros((size, size), dtype=np.int8))


def test_rounds_come_in_lengths_that_suit_any_odds() -> None:
    assert [round_length(number) for number in range(1, 16)] == [
        *[1, 1, 2, 1, 1, 2, 4],
        *[1, 1, 2, 1, 1, 2, 4, 8],
    ]


def test_a_budget_of_many_rounds_keeps_the_best_of_them() -> None:
    problem = random_problem(60, 3)
    rounds = [
        optimize(problem, seconds=GENEROUS, moves=LEAST_ROUND, seed=seed).travel_seconds
        for seed in range(8)
    ]

    found = optimize(problem, seconds=GENEROUS, moves=20 * LEAST_ROUND)

    assert len(set(rounds)) > 1  # else nothing would be shown
    assert found.travel_seconds <= min(rounds)
