"""The command line, from Typer's tree of commands."""

from collections.abc import Iterator
from typing import Any

from scripts.reference.markdown import code, page, sentence, table
from typer.main import get_command

from roundsman.cli.help_text import explain, spell
from roundsman.cli.main import app

_INTRO = """
For whoever runs Roundsman. Every command says the same with `--help`. All of them work on the same
data folder (`--data` or `ROUNDSMAN_DATA`), also while the service runs. With `--json` a command
prints one JSON document on standard output and nothing else.

Exit status: 0 done; 1 refused, with one line that says why; 2 a wrong option or setting.
"""


def commands_page() -> str:
    """Return the page."""
    found = list(commands())
    contents = table(
        ["Command", "Does"],
        [(f"[`{name}`](#{_anchor(name)})", sentence(command.help)) for name, command in found],
    )
    return page("Command line", _INTRO, contents, *(_described(*each) for each in found))


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its name as it is typed."""
    yield from _below("roundsman", get_command(app))


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name, command
        return
    for part in sorted(inner):
        if not inner[part].hidden:
            yield from _below(f"{name} {part}", inner[part])


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def _described(name: str, command: Any) -> str:
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    rows = [(code(spell(parameter)), explain(parameter, "`")) for parameter in shown]
    options = table(["Argument or option", "Meaning"], rows) if rows else ""
    return "\n\n".join(
        part for part in (f"## {name}", (command.help or "").strip(), options) if part
    )
