"""Spans: what became of a request on its way, and how long each part took.

Tracing is off unless the operator asks for it, and then a span costs one look at an attribute.
Whoever does the work opens a span here; where spans go is another room's (`kit.otlp`), which is
loaded only when it is asked for. Spans and attributes are listed, and nothing that is not listed
leaves: no address, coordinate, name, token or body may ever be told.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Protocol

type Value = str | int | float | bool

SPANS: Mapping[str, str] = {
    "request": "A request at a door, named after its operation; `none` is an unknown path.",
    "transaction": "A database transaction, with the waiting for it and its commit.",
    "matrix": "One travel matrix.",
    "search": "Ordering one route.",
    "geocoding": "Locating one batch of addresses.",
    "webhook": "One attempt to deliver an event; a trace of its own.",
}
"""Every span that is ever recorded, with what it tells."""

ATTRIBUTES: Mapping[str, str] = {
    "method": "http.request.method",
    "status": "http.response.status_code",
    "operation": "roundsman.operation",
    "request_id": "roundsman.request_id",
    "access": "roundsman.transaction.access",
    "places": "roundsman.matrix.places",
    "stops": "roundsman.search.stops",
    "moves": "roundsman.search.moves",
    "proven": "roundsman.search.proven",
    "addresses": "roundsman.geocoding.addresses",
    "misses": "roundsman.geocoding.misses",
    "topic": "roundsman.webhook.topic",
    "outcome": "roundsman.webhook.outcome",
    "error": "error.type",
}
"""Every attribute as it is written here, and as it is told; counts and words of fixed sets."""


class Span(Protocol):
    """Something under way."""

    def tell(self, **attributes: Value) -> None:
        """Add what is known of it by now."""
        ...

    def rename(self, name: str) -> None:
        """Give it the name that is known only by now."""
        ...


class Side(Enum):
    """Which end of a conversation a trace begins at."""

    ANSWERING = auto()
    ASKING = auto()


class Tracer(Protocol):
    """Where spans go."""

    def begin(
        self, name: str, side: Side, traceparent: str, attributes: Mapping[str, Value]
    ) -> AbstractContextManager[Span]:
        """Open the first span of this process in a trace; the caller's trace goes on, if any."""
        ...

    def part(self, name: str, attributes: Mapping[str, Value]) -> AbstractContextManager[Span]:
        """Open a span beneath the one under way; beneath none, nothing is recorded."""
        ...

    def current(self) -> Span:
        """Return the span under way here."""
        ...

    def close(self) -> None:
        """Send what was recorded, within a few seconds; record nothing more."""
        ...


class _Nothing:
    """The span of whoever does not trace."""

    __slots__ = ()

    def __enter__(self) -> Span:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def tell(self, **attributes: Value) -> None:
        """Tell nobody."""

    def rename(self, name: str) -> None:
        """Stay without a name."""


@dataclass(slots=True)
class _Switch:
    tracer: Tracer | None = None


NOTHING = _Nothing()
_switch = _Switch()


@contextmanager
def tracing_to(tracer: Tracer) -> Iterator[None]:
    """Have spans recorded while the block runs, by every thread of the process."""
    _switch.tracer = tracer
    try:
        yield
    finally:
        _switch.tracer = None
        tracer.close()


def is_tracing() -> bool:
    """Say whether spans are recorded."""
    return _switch.tracer is not None


def begin_trace(
    name: str, side: Side, *, traceparent: str = "", **attributes: Value
) -> AbstractContextManager[Span]:
    """Open a span that goes on with a caller's trace (W3C Trace Context), or begins one."""
    tracer = _switch.tracer
    return NOTHING if tracer is None else tracer.begin(name, side, traceparent, attributes)


def span(name: str, **attributes: Value) -> AbstractContextManager[Span]:
    """Open a span beneath the one under way; what is done for no request records none."""
    tracer = _switch.tracer
    return NOTHING if tracer is None else tracer.part(name, attributes)


def current_span() -> Span:
    """Return the span under way here."""
    tracer = _switch.tracer
    return NOTHING if tracer is None else tracer.current()


def carry[**Asked, Answer](work: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Return work that another thread may do as part of the span that is under way here."""
    if _switch.tracer is None:
        return work
    context = copy_context()

    def work_here(*args: Asked.args, **named: Asked.kwargs) -> Answer:
        return context.run(work, *args, **named)

    return work_here
