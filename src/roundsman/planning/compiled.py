"""How kernels are compiled: without the GIL, typed for the checker, cached by their sources.

Numba renews a cached kernel when the kernel's own file changes, not when a function it calls
does. All sources of this room therefore name the cache folder together, so no stale kernel is
ever run. Numba's index of a kernel's forms is read, changed and written without a lock, so
whoever compiles holds one. Where NUMBA_DISABLE_JIT is set, kernels are interpreted.
"""

import fcntl
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import config as numba_config
from numba.core.registry import cpu_target

from roundsman.planning.interpreted import interpreted

COMPILER = "libllvmlite"
"""The library that compiles kernels; no kernel needs it once it is compiled or loaded."""

_ROOM = Path(__file__).parent


def compiled[**P, R](function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first call, keeping the function's Python type.

    Kernels allocate nothing, so numba's reference counting is off: counting, atomically, each array
    that is passed from kernel to kernel took 95 % of the search.
    """
    return _compiled(function, inline=False)


def inlined[**P, R](function: Callable[P, R]) -> Callable[P, R]:
    """Compile into each caller: for small kernels in inner loops, where passing arrays costs."""
    return _compiled(function, inline=True)


def _compiled[**P, R](function: Callable[P, R], *, inline: bool) -> Callable[P, R]:
    if is_interpreting():
        return interpreted(function)
    folder = cache_folder()
    config: Any = numba_config  # its settings are made at run time
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        njit: Any = numba.njit  # its types leave out the switch for reference counting
        compile_it = njit(
            nogil=True, cache=bool(folder), forceinline=inline, error_model="numpy", _nrt=False
        )
        kernel = compile_it(function)
    finally:
        config.CACHE_DIR = before
    return cast("Callable[P, R]", kernel)


def is_interpreting() -> bool:
    """Say whether this process compiles nothing."""
    config: Any = numba_config
    return bool(config.DISABLE_JIT)


@contextmanager
def compiling_alone() -> Iterator[None]:
    """Have no other process, nor thread, write kernels of the same cache until the block ends.

    The system lets go of the lock when its holder ends, however it ends. Where every kernel is
    compiled nobody waits.
    """
    folder = "" if are_kernels_compiled() else cache_folder()
    with _AT_WORK:
        if not folder or _AT_WORK_ON:
            yield
            return
        held = os.open(Path(folder) / "lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            with suppress(OSError):  # a file system that knows no locks
                fcntl.flock(held, fcntl.LOCK_EX)
            _AT_WORK_ON.append(folder)
            yield
        finally:
            _AT_WORK_ON.clear()
            os.close(held)


_AT_WORK = threading.RLock()
_AT_WORK_ON: list[str] = []
"""The folder whose lock this process holds, if any."""


def note_kernels_compiled() -> None:
    """Note in the cache that it holds every kernel, for this machine's processor."""
    if mark := _mark():
        mark.touch()


def are_kernels_compiled() -> bool:
    """Say whether every kernel is in the cache, as this processor and this numba need it."""
    mark = _mark()
    return mark is not None and mark.exists()


def _mark() -> Path | None:
    if is_interpreting() or not (folder := cache_folder()):
        return None
    machine = (numba.__version__, cpu_target.target_context.codegen().magic_tuple())
    return Path(folder) / f"complete-{hashlib.sha256(repr(machine).encode()).hexdigest()[:16]}"


def cache_folder() -> str:
    """Return the first folder of ours that can be written, or nothing when none can."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    homes = [Path(chosen)] if chosen else [_ROOM / "__pycache__", _user_cache()]
    for home in homes:
        folder = home / f"kernels-{_FINGERPRINT}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return ""


def _user_cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "roundsman"


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(_ROOM.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


_FINGERPRINT = _fingerprint()
