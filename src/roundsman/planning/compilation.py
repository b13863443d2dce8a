"""Compiling every kernel on a new machine, where no cache holds any, in two processes at once."""

import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from roundsman.kit.loading import load
from roundsman.planning.engine import INSERTION, OPTIMIZER, REORDERING, warm
from roundsman.planning.fleet import COMPILE as FLEET

_COMPILED = "roundsman.planning.compiled"
_APART = "apart"


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
    take each other's. What both need is compiled before they part: the few kernels that all
    searches begin with, then the searches, which the others call.
    """
    with load(f"{_COMPILED}:compiling_alone")():
        folder = load(f"{_COMPILED}:cache_folder")()
        is_complete = load(f"{_COMPILED}:are_kernels_compiled")()
        if folder and not is_complete and (os.cpu_count() or 1) > 1:
            _warm_share(0)
            with _compiling_apart(Path(folder), _compile_free_searches):
                _warm_share(1)
            with _compiling_apart(Path(folder), _compile_fleet):
                load(f"{REORDERING}:compile_reorderings")()
                load(f"{INSERTION}:compile_insertions")()
        warm()
        load(FLEET)()
        load(f"{_COMPILED}:note_kernels_compiled")()


@contextmanager
def _compiling_apart(kept: Path, work: Callable[[], None]) -> Iterator[None]:
    """Have another process compile while the block runs, then take over what it made."""
    apart = kept / _APART
    shutil.rmtree(apart, ignore_errors=True)  # of a process that was killed
    others = shutil.ignore_patterns(_APART, "lock")
    shutil.copytree(kept, apart / kept.name, ignore=others)
    with run_in_process(partial(_compile_apart, str(apart), work)):
        yield
    adopt_kernels(apart, kept)
    shutil.rmtree(apart)


def _compile_apart(folder: str, work: Callable[[], None]) -> None:
    os.environ["NUMBA_CACHE_DIR"] = folder  # heeded because the kernels are loaded after it
    work()


def _compile_free_searches() -> None:
    _warm_share(2)


def _compile_fleet() -> None:
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
