"""Passes the acceptance tests on PostgreSQL while the processes that serve them are killed.

python -m tests.acceptance.under_fire [--processes 4] [--kill-every 3] [pytest's arguments]
"""

import sys
from pathlib import Path

import pytest

_HERE = Path(__file__).parent.parent


def main(arguments: list[str]) -> int:
    """Run the tests that are named, or the whole contract."""
    names_tests = any(not one.startswith("-") and Path(one).exists() for one in arguments)
    tests = [] if names_tests else [str(_HERE / "contract")]
    plugin = ["-p", "tests.acceptance.under_fire.plugin", "-k", "not sqlite"]
    return int(pytest.main([*plugin, *arguments, *tests]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
