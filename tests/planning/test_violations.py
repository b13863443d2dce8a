import pytest
from tests.planning.worlds import problem_of

from roundsman.planning import Limits, Load, ViolationKind, check_limits, schedule

LINE = [[0, 10, 20], [10, 0, 10], [20, 10, 0]]


@pytest.mark.spec("decisions §12")
def test_each_broken_limit_is_named_with_its_excess() -> None:
    plan = schedule(problem_of(LINE, windows={2: [(0, 15)]}), [1, 2])
    limits = Limits(max_stops=1, max_duration=12, max_item_count=5, max_grams=900)

    found = check_limits(limits, Load(stops=2, item_count=9, grams=1000), plan)

    assert {(one.kind.value, one.node, one.excess) for one in found} == {
        ("maxStops", None, 1),
        ("maxDuration", None, 8),
        ("maxItemCount", None, 4),
        ("maxKilograms", None, 100),
        ("timeWindows", 2, 5),
    }


def test_limits_that_are_met_or_absent_break_nothing() -> None:
    plan = schedule(problem_of(LINE), [1, 2])

    assert check_limits(Limits(), Load(stops=500), plan) == []
    assert check_limits(Limits(max_stops=2, max_duration=20), Load(stops=2), plan) == []


def test_without_a_schedule_only_the_load_is_checked() -> None:
    found = check_limits(Limits(max_stops=1, max_duration=0), Load(stops=2))

    assert [one.kind for one in found] == [ViolationKind.MAX_STOPS]
