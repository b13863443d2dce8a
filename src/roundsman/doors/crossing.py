"""One call on its way from the event loop to threads and back, from question to question."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from roundsman.kit.asking import Inquiry, Question, Together
from roundsman.kit.tracing import carry

MOST_TOGETHER = 64
"""How many questions are answered in one: more would save nothing, and keep the first waiting."""


@dataclass(slots=True, eq=False)
class Crossing:
    """A call, and how far it has got."""

    proceed: Callable[[Any, BaseException | None], Question]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    together: Together[Any, Any] | None = None
    """Who answers the question that it stopped at; nobody where it has not begun or has ended."""

    asked: Any = None
    is_asked_alone: bool = False
    answer: Any = None
    error: BaseException | None = None

    def go_on(self) -> None:
        """Work until there is a question or the end."""
        answer, error = self.answer, self.error
        self.together = self.asked = self.answer = self.error = None
        try:
            self.together, self.asked = self.proceed(answer, error)
        except StopIteration as end:
            self.answer = end.value
        except BaseException as caught:  # noqa: BLE001 -- it is raised where the answer is awaited
            self.error = caught

    def settle(self) -> None:
        """Hand the answer over; nobody may be waiting for it any more."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.answer)
        else:
            self.future.set_exception(self.error)


def cross(
    inquiry: Inquiry[Any], loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any]
) -> Crossing:
    """Return a call that has not begun; it goes on in the trace under way here."""
    return Crossing(carry(partial(_proceed, inquiry)), loop, future)


def answer_together(calls: Sequence[Crossing]) -> None:
    """Answer what they all ask, in one."""
    together = calls[0].together
    if together is not None:
        answers = together.answer_all([call.asked for call in calls])
        for call, answer in zip(calls, answers, strict=True):
            call.answer = answer


def take_first(line: deque[Crossing]) -> Crossing | None:
    """Take the first in line, if there is any: other threads take too."""
    try:
        return line.popleft()
    except IndexError:
        return None


def take_alike(asking: deque[Crossing]) -> list[Crossing]:
    """Take the first that asks, and those whose questions are answered with theirs."""
    first = take_first(asking)
    if first is None:
        return []
    alike = [first]
    for _ in range(0 if first.is_asked_alone else len(asking)):
        call = take_first(asking)
        if call is None:
            break
        (alike if _goes_along(call, alike) else asking).append(call)
    return alike


def _goes_along(call: Crossing, alike: Sequence[Crossing]) -> bool:
    is_of_their_kind = call.together is alike[0].together and not call.is_asked_alone
    return is_of_their_kind and len(alike) < MOST_TOGETHER


def hand_over(calls: Iterable[Crossing]) -> None:
    """Let those who wait go on; to be called in their loop."""
    for call in calls:
        call.settle()


def _proceed(inquiry: Inquiry[Any], answer: object, error: BaseException | None) -> Question:
    return inquiry.send(answer) if error is None else inquiry.throw(error)
