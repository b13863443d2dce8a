"""How the C library gives out memory, set for a process of many threads.

Its allocator gives each of them, up to eight a core, an arena of its own, and what is freed in one
serves no other and rarely goes back. Threads of ours seldom allocate at once, so two arenas do.
"""

import ctypes

_M_ARENA_MAX = -8
"""As glibc's malloc.h has it."""

_ARENAS = 2


def share_arenas() -> bool:
    """Have all threads share few arenas; to be called before there are many. Say if it did."""
    library = ctypes.CDLL(None)
    # Only glibc has arenas in this sense; others have no such call, or refuse it.
    return hasattr(library, "mallopt") and bool(library.mallopt(_M_ARENA_MAX, _ARENAS))
