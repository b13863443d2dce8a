import pytest

from roundsman.roads.circuit_breaker import CircuitBreaker
from roundsman.roads.encoded_polyline import decode_polyline


class Watch:
    """A stopwatch that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds


def test_two_failures_are_accidents_and_three_are_a_rest() -> None:
    watch = Watch()
    breaker = CircuitBreaker(watch.now)
    for _ in range(2):
        breaker.failed()
        assert breaker.allows()
    breaker.failed()
    assert not breaker.allows()
    watch.seconds = 0.5
    assert breaker.allows()
    assert not breaker.allows()  # one tries, the others wait for how it goes


def test_every_failed_try_doubles_the_rest_and_an_answer_ends_it() -> None:
    watch = Watch()
    breaker = CircuitBreaker(watch.now)
    for _ in range(3):
        breaker.failed()
    rests = []
    for _ in range(9):
        began = watch.seconds
        while not breaker.allows():
            watch.seconds += 0.5
        rests.append(watch.seconds - began)
        breaker.failed()
    assert rests == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    breaker.succeeded()
    assert breaker.allows()
    assert breaker.allows()


def test_who_hangs_is_left_alone_at_once_and_for_longer() -> None:
    watch = Watch()
    breaker = CircuitBreaker(watch.now)
    breaker.failed(hung=True)
    watch.seconds = 4.9
    assert not breaker.allows()
    watch.seconds = 5.0
    assert breaker.allows()


def test_a_line_is_read_as_its_makers_document_it() -> None:
    points = decode_polyline("_p~iF~ps|U_ulLnnqC_mqNvxq`@", precision=5)
    assert [(point.latitude, point.longitude) for point in points] == [
        (38.5, -120.2),
        (40.7, -120.95),
        (43.252, -126.453),
    ]
    assert decode_polyline("") == ()
    with pytest.raises(ValueError, match="middle of a number"):
        decode_polyline("_p~iF~ps|")
