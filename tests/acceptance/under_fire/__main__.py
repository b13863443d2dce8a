"""Passes the acceptance tests on PostgreSQL while the processes that serve them are killed.

python -m tests.acceptance.under_fire [--processes 4] [--kill-every 3] [pytest's arguments]
"""

import sys
from pathlib import Path

import pytest

_HERE = Path(__file__).parent.parent
_TESTS = (
    "contract",
    "test_main_job.py",
    "test_advice.py",
    "test_fleet.py",
    "test_driver.py",
    "test_webhook_delivery.py",
    "test_upkeep.py",
)
"""Whatever asks a server that `serving` has started. The others cannot be under fire:

`test_idempotency_storm` and `test_description_holds` serve within their own process, without a rate
limit; `test_processes`, `test_torture` and `test_under_fire` kill by a plan of their own;
`test_outages` takes the database and the disk away and names what must be refused meanwhile;
`test_tracing` counts spans, which die with their process; `test_real_roads` has the road engines of
one process on SQLite.
"""


def main(arguments: list[str]) -> int:
    """Run the tests that are named, or all that ask a served installation."""
    names_tests = any(not one.startswith("-") and Path(one).exists() for one in arguments)
    tests = [] if names_tests else [str(_HERE / name) for name in _TESTS]
    plugin = ["-p", "tests.acceptance.under_fire.plugin", "--full", "-k", "not sqlite"]
    return int(pytest.main([*plugin, *arguments, *tests]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
