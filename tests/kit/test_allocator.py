"""Threads share the arenas of the C library, seen from outside: by its own report."""

import platform
import subprocess
import sys

import pytest

_COUNT_ARENAS = """
import ctypes, sys, tempfile, threading
from pathlib import Path
from roundsman.kit.allocator import share_arenas

if sys.argv[1] == "share":
    assert share_arenas()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
library.malloc.restype = ctypes.c_void_p
together = threading.Barrier(12)

def allocate():
    together.wait()
    for _ in range(2_000):
        library.free(ctypes.c_void_p(library.malloc(ctypes.c_size_t(20_000))))
    together.wait()

threads = [threading.Thread(target=allocate) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with tempfile.TemporaryDirectory() as folder:
    report = Path(folder) / "report"
    file = ctypes.c_void_p(library.fopen(str(report).encode(), b"w"))
    library.malloc_info(0, file)
    library.fclose(file)
    print(report.read_text().count("<heap nr="))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has arenas")
def test_threads_share_two_arenas_once_told_to() -> None:
    assert count_arenas("share") <= 2
    assert count_arenas("leave") > 2


def count_arenas(how: str) -> int:
    told = subprocess.run(  # noqa: S603 -- our own interpreter: the choice is made once a process
        [sys.executable, "-c", _COUNT_ARENAS, how], check=True, capture_output=True, text=True
    )
    return int(told.stdout)
