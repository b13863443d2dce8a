"""Runs commands in process, on a SQLite data folder of the test."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from roundsman.cli.main import app


def run(data: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--data", str(data)])


def run_json(data: Path, *arguments: str) -> Any:
    done = run(data, *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def organization(data: Path) -> str:
    return str(run_json(data, "organization", "create", "Acme Foods")["organization"])
