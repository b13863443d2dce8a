"""How a command plays a simulated day: the service's own application, with the day's clock."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from roundsman.app import make_application
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.simulation.clock import DayClock, tools_of_day
from roundsman.simulation.day import DayRun


@contextmanager
def open_day_run(
    settings: Settings,
    tools: Tools,
    clock: DayClock,
    request: Request,
    seed: int,
    report: Callable[[datetime, str], None] = lambda _at, _line: None,
) -> Iterator[DayRun]:
    """Open an application that goes by the day's clock; close it after the day."""
    then = tools_of_day(tools, clock)
    app = make_application(settings, then)
    try:
        yield DayRun(tools=then, clock=clock, app=app, request=request, seed=seed, report=report)
    finally:
        app.close()
