"""The `roundsman` command, also as `python -m roundsman`.

It imports next to nothing itself: what it imports is what a Ctrl-C could still make a trace of.
"""

from importlib import import_module

from roundsman.cli.interrupts import leaving_at_once


def main() -> None:
    """Load the command line and run it."""
    with leaving_at_once():
        command_line = import_module("roundsman.cli.main")
    command_line.main()


if __name__ == "__main__":
    main()
