"""Orders that move few visits, and keep some where they are."""

import numpy as np
import pytest
from tests.planning.orders import Restricted, restricted_problem
from tests.planning.worlds import problem_of

from roundsman.planning import Solution, count_moved, moves_within, optimize, reorder, schedule

GENEROUS = 60.0  # seconds that no test uses up: moves end first
MOVES = moves_within(0.02)
CHUNKS = 40
CASES = 25  # a chunk


def reordered(given: Restricted, *most: int | None, moves: int = MOVES) -> list[Solution]:
    return reorder(
        given.problem,
        given.order,
        most_moved=most,
        locked=given.locked,
        appended=given.appended,
        seconds=GENEROUS,
        moves=moves,
    )


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(
    "chunk",
    [pytest.param(one, marks=pytest.mark.full if one % 8 else ()) for one in range(CHUNKS)],
)
def test_no_allowed_order_of_a_few_visits_is_better_than_the_one_found(chunk: int) -> None:
    for seed in range(chunk * CASES, (chunk + 1) * CASES):
        given = restricted_problem(2 + seed % 4 if seed % CASES else 6 + seed % 2, seed)
        orders = [
            (given.moved(order), schedule(given.problem, order).cost) for order in given.allowed(2)
        ]
        for most in (0, 1, 2):
            [found] = reordered(given, most)

            assert given.is_allowed(found.order, most), (seed, most)
            least = min(cost for moved, cost in orders if moved <= most)
            assert found.schedule.cost == least, (seed, most)


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize("seed", range(6))
def test_in_a_long_order_the_one_move_that_helps_most_is_found(seed: int) -> None:
    given = restricted_problem(24, seed, locks=0)
    given = Restricted(
        problem=given.problem, order=given.order, appended=frozenset(), locked=frozenset()
    )

    [found] = reordered(given, 1)

    orders = [given.order]
    for visit in given.order:
        others = [other for other in given.order if other != visit]
        orders += [(*others[:gap], visit, *others[gap:]) for gap in range(len(given.order))]
    assert found.schedule.cost == min(schedule(given.problem, order).cost for order in orders)


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize("seed", range(12))
def test_long_orders_stay_within_every_number_of_moves_and_more_moves_are_never_worse(
    seed: int,
) -> None:
    given = restricted_problem(15 + 7 * seed, seed, locks=0.1 * (seed % 3))
    numbers = (0, 1, 2, 5, 12, None)

    found = reordered(given, *numbers)

    costs = [one.schedule.cost for one in found]
    assert costs == sorted(costs, reverse=True)
    for most, one in zip(numbers, found, strict=True):
        assert given.is_allowed(one.order, len(given.order) if most is None else most)
    for most, one in zip(numbers[:-1], found[:-1], strict=True):
        [alone] = reordered(given, most)
        assert alone.schedule.cost <= found[0].schedule.cost
        assert alone.order == one.order  # searched by the same steps, and nothing is left to chance


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [39, 40, 10**9, None])
def test_where_every_stop_may_move_the_search_is_the_full_one(seed: int, most: int | None) -> None:
    given = restricted_problem(40, seed, locks=0)

    [found] = reordered(given, most)

    full = optimize(given.problem, seconds=GENEROUS, moves=MOVES, initial_order=given.order)
    assert found.order == full.order


@pytest.mark.parametrize("seed", range(4))
def test_locks_that_hold_the_best_order_hold_nothing_back(seed: int) -> None:
    given = restricted_problem(40, seed)
    best = optimize(given.problem, seconds=GENEROUS, moves=moves_within(0.2))
    locked = frozenset(best.order[::4])
    free = iter(np.random.default_rng(seed).permutation([*{*best.order} - locked]).tolist())
    order = tuple(visit if visit in locked else next(free) for visit in best.order)
    given = Restricted(problem=given.problem, order=order, appended=frozenset(), locked=locked)

    [found] = reordered(given, None, moves=moves_within(0.2))

    assert given.is_allowed(found.order, len(order))
    late, inversions, travel = best.schedule.cost
    assert found.schedule.cost <= (int(late * 1.05), inversions + 5, travel * 2)
    if not late and not inversions:
        assert found.travel_seconds <= 1.02 * travel


def test_a_search_that_nobody_waits_for_answers_the_best_so_far() -> None:
    given = restricted_problem(60, 1)
    [found] = reorder(
        given.problem, given.order, most_moved=[3], seconds=GENEROUS, cancelled=lambda: True
    )
    assert given.moved(found.order) <= 3


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("abcde", "bcdea", 1),
        ("abcde", "edcba", 4),
        ("abcd", "cdab", 2),
        ("abc", "xaybzc", 0),
        ("abc", "ca", 1),
    ],
)
def test_the_fewest_visits_whose_moving_explains_a_change_are_counted(
    before: str, after: str, moved: int
) -> None:
    assert count_moved(before, after) == moved


def test_an_order_without_visits_stays() -> None:
    [found] = reorder(problem_of([[0]]), (), most_moved=[0], seconds=GENEROUS)
    assert found.order == ()
