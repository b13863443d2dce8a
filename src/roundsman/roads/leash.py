"""Runs a program that ends with the process that started it, even when that one is killed.

Started as a file of its own, not imported: `python leash.py PARENT PROGRAM ARGUMENT…`. It asks the
system to kill it when its parent is gone, and becomes the program, which inherits that. Only Linux
knows such a wish; elsewhere the program is stopped when its parent ends in good order.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the program."""
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("the process that wanted this is gone")
    os.execv(command[0], command)  # noqa: S606 -- the program is one of the wheel's, by its path


if __name__ == "__main__":
    main()
