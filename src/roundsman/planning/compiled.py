"""How kernels are compiled: without the GIL, typed for the checker, cached by their sources.

Numba renews a cached kernel when the kernel's own file changes, not when a function it calls
does. All sources of this room therefore name the cache folder together, so no stale kernel is
ever run.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import config as numba_config

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
