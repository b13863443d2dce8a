"""Kernels that are interpreted compute as compiled ones do, in whichever thread."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np

from roundsman.planning.interpreted import interpreted

BIG = np.array([2_000_000_000], np.int32)


@interpreted
def double(array: np.ndarray[Any, Any]) -> int:
    return int(array[0] + array[0])


def test_a_kernel_computes_in_64_bits_beside_a_kernel_of_another_thread() -> None:
    begun, may_end = Event(), Event()

    @interpreted
    def wait(array: np.ndarray[Any, Any]) -> int:
        begun.set()
        may_end.wait(60)
        return double(array)

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(wait, BIG)
        assert begun.wait(60)
        try:
            assert double(BIG) == 4_000_000_000
        finally:
            may_end.set()
        assert other.result(60) == 4_000_000_000
