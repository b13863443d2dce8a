"""Runs a program that ends with the process that started it, even when that one is killed.

This file is started, not imported: `python die_with_parent.py PARENT PROGRAM ARGUMENT…`. It sets
PR_SET_PDEATHSIG, so that Linux kills it when its parent ends, and replaces itself by the program,
which keeps that setting. On other systems the program is stopped only when its parent ends in good
order.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Set the signal, then replace this process by the program."""
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("the process that wanted this is gone")
    os.execv(command[0], command)  # noqa: S606 -- the program is one of the wheel's, by its path


if __name__ == "__main__":
    main()
