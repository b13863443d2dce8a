"""What `make install` runs, and a server where nobody did: compile the planner, say how far it is.

Beside a server (`--beside`) it gives way to it, and ends with it.
"""

import re
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import typer

from roundsman.app import prepare
from roundsman.cli.compiling import end_group, end_with_parent
from roundsman.kit.loading import load

_EVERY_SECONDS = 1.0
_KERNEL = re.compile(r"^@(?:compiled|inlined)$", re.MULTILINE)


def count_kernels(room: Path) -> int:
    """Return how many kernels the modules in a folder define."""
    sources = (module.read_text(encoding="utf-8") for module in room.rglob("*.py"))
    return sum(len(_KERNEL.findall(source)) for source in sources)


def count_compiled(cache: Path) -> int:
    """Return how many kernels are compiled, those included that a second process works on."""
    indexes = (*cache.glob("*/*.nbi"), *cache.glob(f"*/{cache.name}/*/*.nbi"))
    return len({index.name for index in indexes})


def report_while(work: Callable[[], object], count: Callable[[], int], of: int) -> None:
    """Print how many kernels are compiled, whenever that has changed, until the work is done."""
    is_done = threading.Event()

    def watch() -> None:
        result = -1
        while not is_done.wait(_EVERY_SECONDS):
            if (reached := count()) != result:
                typer.echo(f"{reached} of {of} kernels")
                sys.stdout.flush()
                result = reached

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        work()
    finally:
        is_done.set()
        watcher.join()


def main() -> None:
    """Prepare the first start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if "--beside" in sys.argv:
        end_with_parent(end_group)
    compiled = load("roundsman.planning.compiled:cache_folder")
    cache = Path(compiled())
    room = Path(sys.modules[compiled.__module__].__file__ or "").parent
    with load("roundsman.planning.compiled:compiling_alone")():
        report_while(prepare, lambda: count_compiled(cache), count_kernels(room))


if __name__ == "__main__":
    main()
