"""The short form of `make under-fire`: a part of the contract while processes die."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.postgres import find_binaries

pytestmark = pytest.mark.full

PART = Path(__file__).parent / "contract" / "test_idempotency.py"


@pytest.mark.spec("Idempotency")
def test_the_contract_holds_while_processes_are_killed() -> None:
    if find_binaries() is None:
        pytest.skip("PostgreSQL's binaries are not installed")
    fire = ("--processes", "2", "--kill-every", "0.5", str(PART))
    done = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, "-m", "tests.acceptance.under_fire", *fire],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    told = re.search(r"(\d+) killed, (\d+) times all replaced", done.stdout)
    assert told is not None
    assert int(told[1]) + int(told[2]) > 0, told[0]
