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
        ("roundsman.cli.serving", COMPILER | SHEETS | {"aiohttp", "alembic"}),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(module: str, spared: set[str]) -> None:
    asked = f"import sys, {module}; print(*sys.modules)"
    told = subprocess.run(  # noqa: S603 -- our own interpreter, in a process that has loaded nothing
        [sys.executable, "-c", asked], check=True, capture_output=True, text=True
    )
    assert spared.isdisjoint(told.stdout.split())
