"""What `--help` shows of a command, for people: names and meanings, without programming types.

The reference page of the command line is made of the same spellings and meanings.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from roundsman.cli.running_command import note_running

_IN_OUR_WORDS = (
    ("Value error, ", ""),
    ("Input should be greater than or equal to ", "must be at least "),
    ("Input should be less than or equal to ", "must be at most "),
    ("Input should be ", "must be "),
)
"""How Pydantic, which Typer reads values with, begins its sentences."""

_VALUES = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "PATH"}


class ReadableCommand(TyperCommand):
    """A command whose help is made here, and which is known while it runs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; what is wrong with it is said in our words, not a library's."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            for theirs, ours in _IN_OUR_WORDS:
                error.message = error.message.replace(theirs, ours)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        note_running(ctx)
        return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands behind the command's name on its usage line."""
        return _usage(self.get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, a name and a meaning each."""
        _write_parameters(self.get_params(ctx), formatter)


class ReadableGroup(TyperGroup):
    """A group of commands whose help is made here."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the group's commands, and the options that it takes itself."""
        with formatter.section("Commands"):
            formatter.write_dl(self.list_summaries(ctx))
        _write_parameters(self.get_params(ctx), formatter)

    def list_summaries(self, ctx: Any) -> list[tuple[str, str]]:
        """Return the name of each command and the first sentence of its help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        return [
            (name, first_sentence(command.help or ""))
            for name, command in commands
            if command is not None and not command.hidden
        ]


def make_readable(commands: typer.Typer) -> None:
    """Have all these commands and groups show the help that is made here."""
    for command in commands.registered_commands:
        command.cls = ReadableCommand
    for group in commands.registered_groups:
        group.cls = ReadableGroup
        if group.typer_instance is not None:
            make_readable(group.typer_instance)


def spell(parameter: Any) -> str:
    """Return how a parameter is typed, such as `--port PORT`."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    value = "" if parameter.is_flag else f" {_value_name(parameter)}"
    return f"{parameter.opts[0]}{value}"


def explain(parameter: Any, quote: str = "") -> str:
    """Return what a parameter is for, and whether it is required or what is taken without it."""
    default = parameter.default
    result = default.value if isinstance(default, Enum) else default
    has_default = result not in (None, "", False) and parameter.show_default
    notes = (
        ["Required."]
        if parameter.required
        else [f"Default: {quote}{result}{quote}."]
        if has_default
        else []
    )
    return " ".join([parameter.help or "", *notes]).strip()


def _value_name(parameter: Any) -> str:
    if parameter.metavar:
        return str(parameter.metavar)
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(member.value) for member in kind)
    return _VALUES[kind.__name__]


def _usage(parameters: Sequence[Any]) -> list[str]:
    arguments = [spell(one) for one in parameters if one.param_type_name == "argument"]
    needed = [spell(one) for one in parameters if one.param_type_name == "option" and one.required]
    return [*arguments, *needed, "[OPTIONS]"]


def _write_parameters(parameters: Sequence[Any], formatter: Any) -> None:
    shown = [one for one in parameters if not getattr(one, "hidden", False)]
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        rows = [(spell(one), explain(one)) for one in shown if one.param_type_name == kind]
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def first_sentence(text: str) -> str:
    """Return the first paragraph of a help text on one line."""
    return " ".join(text.partition("\n\n")[0].split())
