"""The same request gets the same plan, byte for byte: on one core and on two, idle and busy."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.fleet_instances import FAMILIES, make_instance, read_instance
from bench.published import shared_folder

from roundsman.planning.fleet import FleetBudget, plan_fleet

pytestmark = [
    pytest.mark.spec("decisions §21"),
    pytest.mark.skipif(
        not (shared_folder() or Path("nowhere")).joinpath("fleet").is_dir(),
        reason="the generator of instances is not here",
    ),
]

STOPS = 150
MOVES = 2_000
_BUSY = "import os\nwhile os.getppid() == {parent}: pass"
_MAIN = "import sys; from {module} import main; main(*sys.argv[1:])"


def plan_once(family: str) -> str:
    """Return a mark of the plan of an instance, whose search is ended by its moves."""
    instance = read_instance(make_instance(family, STOPS, 77))
    plan = plan_fleet(instance.problem, FleetBudget(seconds=600, moves=MOVES), seed=5)
    text = json.dumps(instance.write_plan(plan), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def main(family: str, cores: str, times: str) -> None:
    """Print a mark a line, from a process that may use so many cores."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(cores)])
    for _ in range(int(times)):
        sys.stdout.write(f"{plan_once(family)}\n")


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep so many cores busy with something else."""
    command = [sys.executable, "-c", _BUSY.format(parent=os.getpid())]
    burners = [subprocess.Popen(command) for _ in range(count)]  # noqa: S603 -- our own loop
    try:
        yield
    finally:
        for one in burners:
            one.kill()
            one.wait()


RUNS = [("mixed", 1), *(pytest.param(one, 25, marks=pytest.mark.full) for one in FAMILIES)]


@pytest.mark.parametrize(("family", "times"), RUNS)
def test_a_replay_differs_in_no_byte(family: str, times: int) -> None:
    marks = []
    for cores in (1, 2):
        for burners in (0, 2):
            command = [sys.executable, "-c", _MAIN.format(module=__name__)]
            with busy_cores(burners):
                done = subprocess.run(  # noqa: S603 -- our own module
                    [*command, family, str(cores), str(times)],
                    env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
                    capture_output=True, text=True, check=True,
                )  # fmt: skip
            marks += done.stdout.split()
    assert len(marks) == 4 * times
    assert len(set(marks)) == 1
