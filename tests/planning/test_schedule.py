import pytest
from tests.planning.worlds import problem_of

from roundsman.planning import schedule

LINE = [[0, 10, 20], [11, 0, 10], [21, 11, 0]]


def test_an_open_route_is_over_when_the_last_service_is() -> None:
    plan = schedule(problem_of(LINE, service=[5, 7, 9], departure=100), [1, 2])

    assert plan.arrivals.tolist() == [100, 115, 132]
    assert plan.service_starts.tolist() == [100, 115, 132]
    assert plan.departures.tolist() == [105, 122, 141]
    assert (plan.travel_seconds, plan.duration_seconds) == (20, 41)


def test_a_round_trip_serves_its_start_once_and_ends_on_arrival() -> None:
    plan = schedule(problem_of(LINE, end=0, service=[5, 7, 9]), [2, 1])

    assert plan.path == (0, 2, 1, 0)
    assert plan.arrivals.tolist() == [0, 25, 45, 63]
    assert plan.duration_seconds == 63
    assert plan.travel_seconds == 20 + 11 + 11


def test_a_third_node_may_be_the_end() -> None:
    plan = schedule(problem_of(LINE, end=2), [1])

    assert plan.path == (0, 1, 2)
    assert plan.travel_seconds == 20


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize(
    ("departure", "start", "late"),
    [
        (0, 50, 0),  # before the first window: waits
        (40, 50, 0),  # at its opening second
        (50, 60, 0),  # at its closing second
        (51, 80, 0),  # between the windows: waits for the second
        (80, 90, 0),  # at the last closing second
        (81, 91, 1),  # a second later: late, and served at once
    ],
)
def test_service_starts_in_any_window_ends_included(departure: int, start: int, late: int) -> None:
    problem = problem_of(LINE, windows={1: [(80, 90), (50, 60)]}, departure=departure)

    plan = schedule(problem, [1, 2])

    assert plan.service_starts[1] == start
    assert plan.lateness.tolist() == [0, late, 0]
    assert plan.waiting[1] == start - departure - 10


def test_lateness_is_not_caught_up_and_adds_up() -> None:
    problem = problem_of(LINE, windows={1: [(0, 3)], 2: [(0, 12)]}, service=[0, 4, 0])

    plan = schedule(problem, [1, 2])

    assert plan.arrivals.tolist() == [0, 10, 24]
    assert plan.lateness_seconds == 7 + 12


@pytest.mark.spec("decisions §7")
def test_the_windows_of_the_end_hold_its_arrival() -> None:
    plan = schedule(problem_of(LINE, end=0, windows={0: [(0, 30)]}), [1, 2])

    assert plan.lateness.tolist() == [0, 0, 0, 11]


@pytest.mark.spec("decisions §12")
def test_the_longest_duration_counts_waiting_and_service() -> None:
    problem = problem_of(LINE, service=[0, 7, 9], windows={1: [(30, 40)]}, max_duration=50)

    plan = schedule(problem, [1, 2])

    assert plan.duration_seconds == 30 + 7 + 10 + 9
    assert plan.excess_seconds == 6
    assert plan.cost == (6, 0, 20)


def test_inversions_are_pairs_out_of_order() -> None:
    flat = [[1] * 5 for _ in range(5)]

    plan = schedule(problem_of(flat, priority=[9, 0, 1, 2, 2]), [1, 2, 3, 4])

    assert plan.inversions == 5


def test_an_unreachable_leg_does_not_overflow() -> None:
    never = 2**31 - 1

    plan = schedule(problem_of([[0, never, never], [never, 0, never], [1, 1, 0]]), [1, 2])

    assert plan.travel_seconds == 2 * never


def test_an_order_must_hold_every_visit_once() -> None:
    with pytest.raises(ValueError, match="order must hold every node"):
        schedule(problem_of(LINE), [1, 1])
