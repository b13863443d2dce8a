"""What the command line says of itself."""

import re
import tomllib
from pathlib import Path

from typer.testing import CliRunner

from roundsman.cli.main import app

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_the_version_is_the_packages_own() -> None:
    told = CliRunner().invoke(app, ["--version"])
    packaged = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    assert (told.exit_code, told.stdout) == (0, f"roundsman {packaged}\n")
    assert re.fullmatch(r"\d+\.\d+\.\d+", packaged)
