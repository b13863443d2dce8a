"""Questions that are answered together with others of their kind.

An inquiry is work that stops at each question it has: a generator that yields questions, is sent
their answers, and returns its result. Who runs many inquiries gathers what they want to know, so
that a database that is a round trip away is asked once for all of them; who runs one asks at once.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any


class Together[Asked, Answer]:
    """Answers questions of one kind: as many answers as questions, in their order."""

    __slots__ = ("answer_all",)

    def __init__(self, answer_all: Callable[[Sequence[Asked]], Sequence[Answer]]) -> None:
        self.answer_all = answer_all


type Question = tuple[Together[Any, Any], Any]
type Inquiry[Result] = Generator[Question, Any, Result]


def ask[Asked, Answer](together: Together[Asked, Answer], asked: Asked) -> Inquiry[Answer]:
    """Return the answer to one question, whoever else is answered with it."""
    answer: Answer = yield (together, asked)
    return answer


def finish[Result](inquiry: Inquiry[Result]) -> Result:
    """Return what an inquiry ends with, asking for it alone."""
    answer: Any = None
    error: BaseException | None = None
    while True:
        try:
            together, asked = inquiry.send(answer) if error is None else inquiry.throw(error)
        except StopIteration as end:
            result: Result = end.value
            return result
        answer = error = None
        try:
            (answer,) = together.answer_all([asked])
        except BaseException as caught:  # noqa: BLE001 -- it is raised where the answer is awaited
            error = caught
