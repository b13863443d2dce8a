from typing import Any

import numpy as np
import pytest

from roundsman.planning import Problem

GOOD: dict[str, Any] = {
    "durations": [[0, 1], [1, 0]],
    "distances": None,
    "start": 0,
    "end": None,
    "service": [0, 0],
    "windows": [[], []],
    "priority": [0, 0],
    "departure": 0,
}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("durations", [[0, 1, 2], [1, 0, 2]], "durations must be a square matrix"),
        ("durations", [[0, -1], [1, 0]], "durations must lie between 0"),
        ("durations", [[0.5, 1], [1, 0]], "durations must be whole numbers"),
        ("durations", np.zeros((0, 0), dtype=int), "durations must have 1 to"),
        ("distances", [[0]], "distances must have 2 rows"),
        ("start", 2, "start must be a node"),
        ("start", 0.0, "start must be a whole number"),
        ("end", -1, "end must be a node"),
        ("service", [0], "service must have one value a node"),
        ("service", [0, -5], "service must lie between 0"),
        ("windows", [[]], "windows must have one sequence a node"),
        ("windows", [[], [(5, 4)]], r"windows\[1\] opens at 5 after it closes at 4"),
        ("windows", [[], [(1.5, 4)]], r"windows\[1\] must be a whole number"),
        ("priority", [[0, 0]], "priority must have one value a node"),
        ("departure", 1.5, "departure must be a whole number"),
        ("departure", True, "departure must be a whole number"),
        ("max_duration", -1, "max_duration must not be negative"),
    ],
)
def test_bad_input_is_refused_by_the_field_s_name(field: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Problem(**{**GOOD, field: value})


def test_overlapping_windows_are_joined_and_sorted() -> None:
    problem = Problem(**{**GOOD, "windows": [[], [(30, 40), (0, 10), (5, 20)]]})

    assert problem.windows[1] == ((0, 20), (30, 40))


def test_start_and_end_are_not_among_the_visits() -> None:
    problem = Problem(
        **{
            **GOOD,
            "durations": np.zeros((4, 4), dtype=np.int64),
            "service": [0] * 4,
            "priority": [0] * 4,
            "windows": [()] * 4,
            "start": 2,
            "end": 0,
        }
    )

    assert problem.visits == (1, 3)
