"""Commands wait for no library that they do not need."""

import subprocess
import sys

import pytest

SERVERS = {"alembic", "aiohttp", "sqlalchemy", "starlette", "uvicorn"}
COMPILER = {"llvmlite", "numba"}
SHEETS = {"openpyxl", "phonenumbers"}
PLANNERS = {*COMPILER, *SHEETS, "numpy"}


@pytest.mark.parametrize(
    ("module", "spared"),
    [
        ("roundsman.cli.main", SERVERS | PLANNERS),
        ("roundsman.cli.plan", SERVERS | {"openpyxl"}),
        ("roundsman.cli.serve", SERVERS | PLANNERS),
        ("roundsman.cli.serving", COMPILER | {"openpyxl", "alembic"}),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(module: str, spared: set[str]) -> None:
    assert spared.isdisjoint(loaded_by(f"import {module}"))


def test_a_successor_has_loaded_all_before_the_other_goes() -> None:
    asked = "from roundsman.cli import serving; serving.load_searches()"
    assert loaded_by(asked) >= COMPILER | {"aiohttp"}


def loaded_by(code: str) -> set[str]:
    asked = f"import sys\n{code}\nprint(*sys.modules)"
    told = subprocess.run(  # noqa: S603 -- our own interpreter, in a process that has loaded nothing
        [sys.executable, "-c", asked], check=True, capture_output=True, text=True
    )
    return set(told.stdout.split())
