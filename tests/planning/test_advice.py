from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from tests.planning.worlds import least_cost, problem_of, random_problem

from roundsman.planning import (
    Case,
    Change,
    ChangeAdvice,
    CloseLater,
    ConstrainedSolver,
    Depart,
    Drop,
    Limits,
    Load,
    OpenEarlier,
    Problem,
    Raise,
    ViolationKind,
    advise,
    check_limits,
    moves_within,
    optimize,
)
from roundsman.planning.changes import load_without, with_all, without

PLENTY = moves_within(5)


def case_of(problem: Problem, limits: Limits | None = None, weights: Iterable[int] = ()) -> Case:
    grams = tuple(weights) or (0,) * problem.size
    return Case(
        problem=problem,
        limits=limits or Limits(),
        load=Load(stops=len(problem.visits), item_count=sum(grams) // 100, grams=sum(grams)),
        item_counts=tuple(weight // 100 for weight in grams),
        grams=grams,
        earliest=problem.departure - 3_600,
        latest=problem.departure + 3_600,
    )


def advice_on(case: Case, moves: int = PLENTY) -> ChangeAdvice:
    best = optimize(case.problem, seconds=60, moves=200_000)
    return advise(case, best.schedule, ConstrainedSolver(moves=moves, seconds=60))


def is_met(case: Case, changes: Iterable[Change]) -> bool:
    """Apply changes and try every order."""
    changes = list(changes)
    gone = [change.node for change in changes if isinstance(change, Drop)]
    raised = {change.kind: change.to for change in changes if isinstance(change, Raise)}
    limits = replace(
        case.limits,
        max_stops=raised.get(ViolationKind.MAX_STOPS, case.limits.max_stops),
        max_grams=raised.get(ViolationKind.MAX_KILOGRAMS, case.limits.max_grams),
        max_item_count=raised.get(ViolationKind.MAX_ITEM_COUNT, case.limits.max_item_count),
    )
    problem = with_all(case.problem, [one for one in changes if not isinstance(one, Drop)])
    rest = without(problem, gone).problem
    return not check_limits(limits, load_without(case, gone)) and least_cost(rest)[0] == 0


def a_minute_less(change: Change) -> Change | None:
    match change:
        case CloseLater() | OpenEarlier():
            return replace(change, seconds=change.seconds - 60) if change.seconds > 60 else None
        case Depart():
            left = change.seconds - (60 if change.seconds > 0 else -60)
            return Depart(left) if left else None
        case Raise(kind=ViolationKind.MAX_DURATION):
            return replace(change, to=change.to - 60)
        case Raise():
            return replace(change, to=change.to - 1)
    return None


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_every_change_is_enough_alone_and_no_smaller_one_is(size: int) -> None:
    offered = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        weights = random.integers(0, 9, size) * 100
        limits = Limits(
            max_stops=[None, size - 2][seed % 5 == 1],
            max_grams=[None, 2_000][seed % 7 == 2],
            max_item_count=[None, 21][seed % 11 == 3],
        )
        case = case_of(random_problem(size, seed, windows=True), limits, map(int, weights))
        if is_met(case, []):
            continue
        advice = advice_on(case)
        for change in advice.changes:
            assert is_met(case, [change]), (seed, change)
            less = a_minute_less(change)
            assert less is None or not is_met(case, [less]), (seed, change)
        for combination in advice.combinations:
            assert is_met(case, combination), (seed, combination)
        offered += len(advice.changes) + len(advice.combinations)
    assert offered > 40


def test_a_drop_that_is_enough_is_always_found_in_a_short_problem() -> None:
    for seed in range(40):
        case = case_of(random_problem(5, seed, windows=True))
        if is_met(case, []):
            continue
        drops = {one for one in advice_on(case).changes if isinstance(one, Drop)}
        every = {Drop(node) for node in case.problem.visits}
        assert drops == {drop for drop in every if is_met(case, [drop])}


def test_a_conflict_cannot_be_met_by_a_route_to_nothing_else() -> None:
    found = 0
    for seed in range(60):
        problem = replace(random_problem(6, seed, windows=True), end=None, max_duration=None)
        advice = advice_on(case_of(problem))
        if advice.conflict is None:
            continue
        nodes = set(advice.conflict.nodes)
        found += 1
        assert least_cost(only(problem, nodes))[0] > 0
        for node in nodes:
            assert least_cost(only(problem, nodes - {node}))[0] == 0
    assert found > 25


def only(problem: Problem, nodes: set[int]) -> Problem:
    """Leave all other visits out, but not the ways over them."""
    quickest = problem.durations.astype(np.int64)
    for over in range(problem.size):
        quickest = np.minimum(quickest, quickest[:, over, None] + quickest[over])
    known = replace(problem, durations=quickest.astype(np.int32))
    return without(known, set(problem.visits) - nodes).problem


def test_two_windows_that_exclude_each_other_are_both_named() -> None:
    apart = [[0, 600, 600, 60], [600, 0, 1200, 600], [600, 1200, 0, 600], [60, 600, 600, 0]]
    case = case_of(problem_of(apart, windows={1: [(-9_000, 700)], 2: [(-9_000, 1000)]}))
    advice = advice_on(case)
    assert advice.conflict is not None
    assert set(advice.conflict.nodes) == {1, 2}
    late_by_first = dict(zip(advice.conflict.nodes, advice.conflict.late_seconds, strict=True))
    assert late_by_first == {1: 1800 - 1000, 2: 1800 - 700}
    assert CloseLater(2, 0, 840) in advice.changes
    assert Depart(-840) in advice.changes
    assert Drop(1) in advice.changes


def test_three_windows_can_exclude_each_other_though_any_two_do_not() -> None:
    ring = np.full((4, 4), 100)
    np.fill_diagonal(ring, 0)
    windows = {node: [(0, 250)] for node in (1, 2, 3)}
    advice = advice_on(case_of(problem_of(ring, windows=windows)))
    assert advice.conflict is not None
    assert advice.conflict.nodes == (1, 2, 3)


def test_a_window_that_opens_too_late_is_opened_earlier() -> None:
    line = [[0, 60, 120], [60, 0, 60], [120, 60, 0]]
    case = case_of(
        problem_of(line, end=2, windows={1: [(3_000, 9_000)], 2: [(0, 600)]}, service=[0, 30, 0])
    )
    assert OpenEarlier(1, 0, 2520) in advice_on(case).changes


def test_a_route_that_waits_may_leave_later_to_keep_its_duration() -> None:
    line = [[0, 60], [60, 0]]
    case = case_of(problem_of(line, windows={1: [(1_800, 9_000)]}, max_duration=600))
    changes = advice_on(case).changes
    assert Depart(1_200) in changes
    assert Raise(ViolationKind.MAX_DURATION, 1_800) in changes


def test_nobody_is_told_to_leave_earlier_than_possible_or_to_change_what_is_fixed() -> None:
    line = [[0, 600], [600, 0]]
    free = case_of(problem_of(line, windows={1: [(0, 300)]}))
    fixed = replace(free, earliest=0, latest=0, fixed_windows=frozenset({1}))
    assert {type(change) for change in advice_on(free).changes} == {CloseLater, Depart, Drop}
    assert advice_on(fixed).changes == (Drop(1),)


def test_limits_alone_are_raised_or_lightened() -> None:
    line = [[0, 10, 20], [10, 0, 10], [20, 10, 0]]
    case = case_of(problem_of(line), Limits(max_grams=1_000), [0, 900, 400])
    assert set(advice_on(case).changes) == {
        Raise(ViolationKind.MAX_KILOGRAMS, 1_300),
        Drop(1),
        Drop(2),
    }


def test_where_no_single_change_is_enough_a_combination_is() -> None:
    line = [[0, 600, 600], [600, 0, 600], [600, 600, 0]]
    case = case_of(problem_of(line, windows={1: [(0, 100)], 2: [(0, 100)]}), Limits(max_stops=1))
    case = replace(case, earliest=0)
    advice = advice_on(case)
    assert advice.changes == ()
    raised, drops = advice.combinations
    assert {type(change) for change in raised} == {Raise, CloseLater}
    assert set(drops) == {Drop(1), Drop(2)}


@pytest.mark.parametrize("size", [6, 30])
def test_equal_cases_get_equal_advice(size: int) -> None:
    case = case_of(random_problem(size, 3, windows=True))
    assert advice_on(case) == advice_on(case)


def test_the_work_is_bounded_and_ends_when_nobody_waits() -> None:
    case = case_of(random_problem(80, 3, windows=True))
    best = optimize(case.problem, seconds=60, moves=200_000)
    purse = ConstrainedSolver(moves=2_000_000, seconds=60)
    advise(case, best.schedule, purse)
    assert purse.moves > -1_000_000
    gone = ConstrainedSolver(moves=2_000_000, seconds=60, cancelled=lambda: True)
    assert gone.solve(case.problem, best.order) is None
    assert advise(case, best.schedule, gone) is not None
    assert gone.moves == 2_000_000


def test_what_is_offered_for_a_long_problem_is_met_by_some_order() -> None:
    for seed in range(3):
        problem = nearly_met(60, seed)
        case = case_of(problem)
        for change in advice_on(case).changes:
            changed = [change] if not isinstance(change, Drop) else []
            rest = without(
                with_all(problem, changed), [change.node] if isinstance(change, Drop) else []
            )
            assert any(
                optimize(rest.problem, seconds=60, moves=10_000_000, seed=chance).schedule.cost[0]
                == 0
                for chance in range(4)
            ), (seed, change)


def nearly_met(size: int, seed: int) -> Problem:
    """Give every visit a window around when an order would come by, but one far too early."""
    plain = replace(random_problem(size, seed), max_duration=None)
    plan = optimize(plain, seconds=60, moves=500_000).schedule
    spans: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for position, node in enumerate(plan.path):
        if node in plain.visits:
            begins = int(plan.service_starts[position])
            spans[node] = [(begins - 600, begins + 600)]
    late = plan.path[len(plan.path) // 2]
    spans[late] = [(spans[late][0][0] - 3_000, spans[late][0][0] - 1_000)]
    return replace(plain, windows=spans)
