"""Waiting with a progress bar for work that takes a known time and can be cancelled."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

_REFRESH_SECONDS = 0.05


def run_with_progress[Result](
    console: Console, label: str, seconds: float, work: Callable[[Callable[[], bool]], Result]
) -> Result:
    """Run `work`, which is handed what says whether it was cancelled, and show how far it is.

    Ctrl-C cancels the work before it ends the command.
    """
    cancelled = Event()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with (
        ThreadPoolExecutor(1) as thread,
        Progress(*columns, console=console, transient=True) as bar,
    ):
        task = bar.add_task(label, total=seconds)
        result = thread.submit(work, cancelled.is_set)
        try:
            while wait([result], _REFRESH_SECONDS).not_done:
                bar.update(task, completed=min(bar.tasks[0].elapsed or 0, seconds))
        except KeyboardInterrupt:
            cancelled.set()
            raise
        return result.result()
