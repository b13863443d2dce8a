import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.engine import EngineHung
from roundsman.roads.partial_table import PartialTable, TooFar, Unconnected

type Cells = tuple[NDArray[np.float64], NDArray[np.float64]]


def at(longitude: float) -> Coordinates:
    return Coordinates(latitude=0, longitude=longitude)


class Engine:
    """Refuses tables as a whole, and keeps count."""

    def __init__(self, refuse: Callable[[Coordinates, Coordinates], Exception | None]) -> None:
        self.asked = 0
        self._refuse = refuse

    def __call__(self, sources: Sequence[Coordinates], targets: Sequence[Coordinates]) -> Cells:
        self.asked += 1
        for one in sources:
            for other in targets:
                if refusal := self._refuse(one, other):
                    raise refusal
        ones = np.ones((len(sources), len(targets)))
        return ones, 10 * ones


def by_island(one: Coordinates, other: Coordinates) -> Exception | None:
    return None if (one.longitude > 9) is (other.longitude > 9) else Unconnected("170")


def by_distance(one: Coordinates, other: Coordinates) -> Exception | None:
    degrees = abs(one.longitude - other.longitude)
    return TooFar("154", 400_000) if degrees * 111_195 > 400_000 else None


def fill(points: list[Coordinates], engine: Engine, reach: float = math.inf) -> tuple[Cells, float]:
    table = PartialTable(points, points, engine)
    every = list(range(len(points)))
    reached = table.fill(every, every, reach)
    return (table.table.durations, table.table.distances), reached


def test_one_stop_on_an_island_costs_the_others_nothing_but_a_few_questions() -> None:
    points = [at(0.01 * number) for number in range(49)]
    points.insert(20, at(10))
    engine = Engine(by_island)
    (durations, distances), _ = fill(points, engine)
    unknown = np.isnan(durations)
    assert unknown.sum() == 2 * 49
    assert unknown[20].sum() == unknown[:, 20].sum() == 49
    assert np.array_equal(np.isnan(distances), unknown)
    assert engine.asked < 20


@pytest.mark.parametrize("longest", [7.0, 12.0])
def test_what_reaches_each_other_is_known_along_a_line_of_any_length(longest: float) -> None:
    points = [at(longest * number / 20) for number in range(21)]
    (durations, _), reached = fill(points, Engine(by_distance))
    assert reached == 400_000
    for row, one in enumerate(points):
        for column, other in enumerate(points):
            meters = abs(one.longitude - other.longitude) * 111_195
            if meters < 390_000:
                assert durations[row, column] == 1
            elif meters > 400_000:
                assert np.isnan(durations[row, column])


def test_a_limit_that_is_known_is_not_run_into_again() -> None:
    engine = Engine(by_distance)
    fill([at(0), at(1), at(10), at(11)], engine, 400_000)
    assert engine.asked == 2


def test_an_engine_that_refuses_within_its_own_limit_leaves_the_cells_unknown() -> None:
    (durations, _), reached = fill([at(0), at(1)], Engine(lambda _one, _other: TooFar("154", 9e9)))
    assert np.isnan(durations).all()
    assert reached == 9e9


def test_an_engine_that_hangs_is_not_asked_for_the_rest() -> None:
    engine = Engine(lambda _one, _other: EngineHung("too slow"))
    with pytest.raises(EngineHung):
        fill([at(0), at(1)], engine)
    assert engine.asked == 1
