"""What the command line says of itself."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from scripts.reference.commands_page import commands
from typer.main import get_group
from typer.testing import CliRunner

from roundsman.cli.help_text import first_sentence, spell
from roundsman.cli.main import COMMANDS, app

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


HELP_AND_WHAT_IS_LOADED = """
import sys
from roundsman.cli.main import app
app(["--help"], standalone_mode=False)
print(*sys.modules, file=sys.stderr)
"""


def test_the_list_of_commands_is_shown_without_loading_any() -> None:
    program = [sys.executable, "-c", HELP_AND_WHAT_IS_LOADED]
    ended = subprocess.run(program, capture_output=True, text=True, check=True)  # noqa: S603 -- our own program
    assert all(f"  {name} " in ended.stdout for name in COMMANDS)
    loaded = set(ended.stderr.split())
    assert "roundsman.cli.main" in loaded
    assert loaded.isdisjoint(one.target.partition(":")[0] for one in COMMANDS.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_listed_of_a_command_is_what_it_says_itself(name: str) -> None:
    command = get_group(app).commands[name]
    assert first_sentence(command.help or "") == COMMANDS[name].summary
