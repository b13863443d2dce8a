"""Kernels as plain Python: a hundred times slower, there at once, and with the same result.

A compiled kernel computes in 64 bits whatever its arrays hold, and so does an interpreted one:
numpy by itself would let sums of 32 bits overflow.
"""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np


class _WideArray(np.ndarray[Any, Any]):
    """An array whose whole numbers come out with 64 bits; it shares its memory."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return np.int64(value) if isinstance(value, np.signedinteger) else value


def interpreted[**P, R](function: Callable[P, R]) -> Callable[P, R]:
    """Interpret a kernel, and the kernels that it calls."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if getattr(
            _RUNNING, "is_in_kernel", False
        ):  # a kernel called this one, with arrays that are wide already
            return function(*args, **kwargs)
        _RUNNING.is_in_kernel = True
        try:
            with np.errstate(all="ignore"):  # compiled kernels warn of nothing either
                return function(*map(_widen, args), **kwargs)
        finally:
            _RUNNING.is_in_kernel = False

    return run


_RUNNING = threading.local()
"""Each thread's own: whoever sets NUMBA_DISABLE_JIT has a whole server interpret kernels."""


def _widen(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.view(_WideArray)
    if isinstance(argument, tuple):  # a named one: the arrays of a kernel
        return type(argument)(*map(_widen, argument))
    return argument
