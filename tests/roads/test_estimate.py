import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.address import Coordinates
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelProfile

KM = 1 / 111.19508
"""A kilometre of latitude, in degrees."""

POINTS = st.builds(
    Coordinates,
    latitude=st.floats(-90, 90, allow_nan=False),
    longitude=st.floats(-180, 180, allow_nan=False),
)


def north_of_the_equator(kilometers: float) -> Coordinates:
    return Coordinates(latitude=kilometers * KM, longitude=0)


@pytest.mark.spec("design, Roads")
@pytest.mark.parametrize(
    ("kilometers", "seconds", "meters"),
    [(0, 0, 0), (1, 170, 1_400), (10, 1_160, 14_000), (20, 1_710, 28_000), (100, 6_110, 140_000)],
)
def test_time_and_distance_follow_the_great_circle(
    kilometers: float, seconds: int, meters: int
) -> None:
    here, there = north_of_the_equator(0), north_of_the_equator(kilometers)
    matrix = EstimatedRoads().matrix([here], [there], TravelProfile())
    assert matrix.durations.tolist() == [[pytest.approx(seconds, abs=1)]]
    assert matrix.distances.tolist() == [[pytest.approx(meters, abs=2)]]


def test_everything_is_marked_as_an_estimate() -> None:
    here, there = north_of_the_equator(0), north_of_the_equator(5)
    assert EstimatedRoads().matrix([here, there], [here, there], TravelProfile()).estimated.all()
    assert EstimatedRoads().legs([here, there], TravelProfile())[0].estimated


@given(st.lists(POINTS, min_size=1, max_size=6))
def test_there_takes_as_long_as_back(points: list[Coordinates]) -> None:
    matrix = EstimatedRoads().matrix(points, points, TravelProfile())
    np.testing.assert_array_equal(matrix.durations, matrix.durations.T)
    np.testing.assert_array_equal(matrix.distances, matrix.distances.T)
    assert not matrix.durations.diagonal().any()


@given(st.floats(0, 20_000), st.floats(0, 20_000))
def test_farther_never_takes_less(one: float, other: float) -> None:
    near, far = sorted((one, other))
    points = [north_of_the_equator(near / 2.3), north_of_the_equator(far / 2.3)]
    matrix = EstimatedRoads().matrix([north_of_the_equator(0)], points, TravelProfile())
    assert matrix.durations[0, 0] <= matrix.durations[0, 1]
    assert matrix.distances[0, 0] <= matrix.distances[0, 1]


def test_the_date_line_is_no_detour() -> None:
    west, east = (Coordinates(latitude=0, longitude=lon) for lon in (179.99, -179.99))
    (leg,) = EstimatedRoads().legs([west, east], TravelProfile())
    assert leg.distance_meters < 4_000
