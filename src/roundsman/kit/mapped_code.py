"""Code of a library that was needed for a while, and counts as the process's memory since.

Linux maps a library's code by the megabyte as soon as a little of it runs, and counts it all as the
process's own until memory is short. Of the compiler of the search that is 50 MB, which operators
see and containers are limited by.
"""

import ctypes
from pathlib import Path

_MAPS = Path("/proc/self/maps")
_DO_NOT_NEED = 4
"""MADV_DONTNEED, as Linux has it."""


def unmap_code(library: str) -> int:
    """Have a library's code mapped anew where it still runs; return how many bytes were unmapped.

    Code alone: nobody has written to it, so what its file holds is all there is.
    """
    if not _MAPS.exists():
        return 0
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    unmapped = 0
    for line in _MAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        span, rights, *_, file = line.split(maxsplit=5)
        if rights == "r-xp" and Path(file).name.startswith(library):
            begin, end = (int(address, 16) for address in span.split("-"))
            if advise(begin, end - begin, _DO_NOT_NEED) == 0:
                unmapped += end - begin
    return unmapped
