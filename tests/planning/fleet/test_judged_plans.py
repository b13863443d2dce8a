"""Plans of the published generator's instances keep every rule, as its own judge says.

The generator and the judge are in the folder of published instances; without it these are skipped.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.fleet_instances import (
    FAMILIES,
    NotPlanned,
    judge,
    make_instance,
    read_instance,
)
from bench.published import shared_folder

from roundsman.planning.fleet import FleetBudget, plan_fleet

pytestmark = [
    pytest.mark.spec("decisions §21"),
    pytest.mark.skipif(
        not (shared_folder() or Path("nowhere")).joinpath("fleet").is_dir(),
        reason="the generator and its judge are not here",
    ),
]

CHUNK = 10
FEWEST = 100
"""Below that the generator has too few routes under way to draw pins from."""

SIZES = {"day": 120, "mixed": 120, "breaks": 120, "reload": 120, "short": 120, "live": 150}
CHUNKS = [pytest.param(one, marks=pytest.mark.full if one else ()) for one in range(200)]


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_plan_breaks_a_rule_of_its_family(family: str, chunk: int) -> None:
    rng = random.Random(f"{family} {chunk}")  # noqa: S311 -- a test's draw
    for seed in range(9000 + chunk * CHUNK, 9000 + chunk * CHUNK + CHUNK):
        given = make_possible(family, rng.randrange(FEWEST, SIZES[family]), seed)
        instance = read_instance(given)
        budget = FleetBudget(seconds=60, moves=rng.choice([1, 200, 1_000]))
        verdict = judge(given, instance.write_plan(plan_fleet(instance.problem, budget, seed=seed)))
        assert verdict["violations"] == [], given["name"]


def make_possible(family: str, size: int, seed: int) -> Any:
    """Return an instance, larger where the generator finds too few open stops to pin three."""
    while True:
        try:
            return make_instance(family, size, seed)
        except ValueError:
            size += 10


@pytest.mark.parametrize("family", ["day", "mixed", "breaks", "reload", "short"])
def test_a_plan_costs_what_the_judge_says(family: str) -> None:
    given = make_instance(family, 40, 9001)
    instance = read_instance(given)
    plan = plan_fleet(instance.problem, FleetBudget(seconds=60, moves=1_000))
    assert judge(given, instance.write_plan(plan))["cost"] == pytest.approx(plan.cost, abs=0.01)


def test_what_is_not_planned_yet_is_named() -> None:
    with pytest.raises(NotPlanned, match="shipments are not planned yet"):
        read_instance(make_instance("shipments", 20, 9001))


def test_one_instance_is_planned_from_a_file_into_another(tmp_path: Path) -> None:
    given = make_instance("live", FEWEST, 9001)
    (tmp_path / "day.json").write_text(json.dumps(given))
    command = [sys.executable, "-m", "bench.fleet", "day.json", "--seconds", "0.2", "--seed", "3"]
    environment = {"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(  # noqa: S603 -- our own module
        [*command, "--out", "plan.json"], cwd=tmp_path, env=environment, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    verdict = judge(given, json.loads((tmp_path / "plan.json").read_text()))
    assert verdict["violations"] == []
    missing = subprocess.run(  # noqa: S603 -- the same
        [*command[:3], "none.json"], cwd=tmp_path, env=environment, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert missing.returncode == 1
    assert "none.json" in missing.stderr.splitlines()[-1]
    assert "Traceback" not in missing.stderr
