"""What the command line says of itself."""

import re
import tomllib
from pathlib import Path

import pytest
from scripts.reference.commands_page import commands
from typer.testing import CliRunner

from roundsman.cli.help_text import spell
from roundsman.cli.main import app

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_the_version_is_the_packages_own() -> None:
    told = CliRunner().invoke(app, ["--version"])
    packaged = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    assert (told.exit_code, told.stdout) == (0, f"roundsman {packaged}\n")
    assert re.fullmatch(r"\d+\.\d+\.\d+", packaged)


@pytest.mark.parametrize("words", [[], *(name.split()[1:] for name, _ in commands())], ids=" ".join)
def test_help_names_each_option_and_speaks_of_no_programming_types(words: list[str]) -> None:
    told = CliRunner().invoke(app, [*words, "--help"])
    assert told.exit_code == 0
    assert not re.search(r"<\w|x<=|\b(bool|str|int|float|None)\b", told.stdout)
    known = dict(commands()).get(" ".join(["roundsman", *words]))
    for parameter in known.params if known else ():
        assert re.search(rf"^ +{re.escape(spell(parameter))}( |$)", told.stdout, re.MULTILINE)


def test_what_must_be_given_stands_on_the_usage_line() -> None:
    told = CliRunner().invoke(app, ["vehicle", "add"])
    assert told.exit_code == 2
    assert "vehicle add --organization SLUG --name NAME [OPTIONS]" in " ".join(told.stderr.split())
