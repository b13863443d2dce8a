"""Compiling every kernel on a new machine, where no cache holds any, in two processes at once."""

import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from roundsman.kit.loading import load
from roundsman.planning.engine import OPTIMIZER, REORDERING, warm

FLEET = "roundsman.planning.fleet.search:compile_fleet"


@contextmanager
def run_in_process(work: Callable[[], object]) -> Iterator[None]:
    """Have another process work while the block runs, and wait for it; raise when it fails.

    It starts with nothing loaded and writes to standard error what went wrong.
    """
    other = multiprocessing.get_context("spawn").Process(target=work)
    other.start()
    try:
        yield
    finally:
        other.join()
    if other.exitcode:
        raise RuntimeError(f"the other process ended with exit code {other.exitcode}")


def compile_kernels() -> None:
    """Compile every kernel, or load it, as `warm` does: on two cores in half of the time.

    Each process has a cache of its own, because two that write the forms of one kernel at once may
    take each other's. What both need is compiled before they part.
    """
    folder = load("roundsman.planning.compiled:cache_folder")()
    is_new = bool(folder) and not any(Path(folder).glob("*/*.nbi"))
    if is_new and (os.cpu_count() or 1) > 1:
        kept = Path(folder)
        _warm_share(0)
        with tempfile.TemporaryDirectory(dir=kept.parent) as apart:
            shutil.copytree(kept, Path(apart) / kept.name)
            with run_in_process(partial(_compile_apart, apart)):
                _warm_share(1)
                load(f"{REORDERING}:compile_reorderings")()
            adopt_kernels(Path(apart), kept)
    warm()
    load(FLEET)()


def _compile_apart(folder: str) -> None:
    os.environ["NUMBA_CACHE_DIR"] = folder  # heeded because the kernels are loaded after it
    _warm_share(2)
    load(FLEET)()


def _warm_share(number: int) -> None:
    load(f"{OPTIMIZER}:warm_share")(number)


def adopt_kernels(apart: Path, kept: Path) -> None:
    """Take over the kernels that are not kept yet: their code, then the index that names it."""
    for index in apart.glob("*/*/*.nbi"):
        home = kept / index.parent.name
        home.mkdir(exist_ok=True)
        if not (home / index.name).exists():
            for code in index.parent.glob(f"{index.stem}.*.nbc"):
                code.replace(home / code.name)
            index.replace(home / index.name)
