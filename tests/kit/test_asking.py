from collections.abc import Sequence

import pytest

from roundsman.kit.asking import Inquiry, Together, ask, finish


def double_all(numbers: Sequence[int]) -> Sequence[int]:
    return [2 * number for number in numbers]


def refuse_all(_numbers: Sequence[int]) -> Sequence[int]:
    raise ValueError("nobody knows")


def test_an_inquiry_is_finished_question_by_question() -> None:
    doubling = Together(double_all)

    def inquire() -> Inquiry[list[int]]:
        first = yield from ask(doubling, 1)
        return [first, (yield from ask(doubling, first + 10))]

    assert finish(inquire()) == [2, 24]


def test_a_question_without_an_answer_is_an_error_where_it_was_asked() -> None:
    refusing, doubling = Together(refuse_all), Together(double_all)

    def inquire() -> Inquiry[int]:
        try:
            return (yield from ask(refusing, 1))
        except ValueError:
            return (yield from ask(doubling, 2))

    assert finish(inquire()) == 4
    with pytest.raises(ValueError, match="nobody knows"):
        finish(ask(refusing, 1))
