"""The `roundsman` command: its subcommands, each loaded when it is called.

Every command needs other libraries, and importing all of them takes longer than most commands
take to run: so a command is imported when it is called.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from roundsman.cli.help_text import ReadableCommand, ReadableGroup, make_readable
from roundsman.cli.interrupts import leaving_at_once
from roundsman.kit.loading import load
from roundsman.kit.telemetry import configure_logs


class _Commands(Mapping[str, Any]):
    """Commands by name, each made of a function or a `Typer` when it is first asked for."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._places = targets
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load(name, self._places[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def group_of(targets: Mapping[str, str]) -> type[TyperGroup]:
    """Return a group of the commands that stand at these places, written `module:name`."""

    class Group(ReadableGroup):
        """Has its commands loaded."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**{**options, "commands": None})
            self.commands: Any = _Commands(targets)

    return Group


def _load(name: str, target: str) -> Any:
    with leaving_at_once():
        found = load(target)
    holder = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        make_readable(found)
        holder.add_typer(found, name=name, cls=ReadableGroup)
    else:
        holder.command(name, cls=ReadableCommand)(found)
    return get_group(holder).commands[name]


COMMANDS = {
    "serve": "roundsman.cli.serve:serve",
    "worker": "roundsman.cli.worker:worker",
    "plan": "roundsman.cli.plan:plan",
    "tls": "roundsman.cli.tls:tls",
    "backup": "roundsman.cli.database_copy:backup",
    "demo": "roundsman.cli.demo:demo",
    "simulate": "roundsman.cli.simulate:simulate",
    "database": "roundsman.cli.database_copy:database",
    "organization": "roundsman.cli.organizations:organization",
    "credentials": "roundsman.cli.api_clients:credentials",
    "member": "roundsman.cli.members:member",
    "secrets": "roundsman.cli.secret_keys:secrets",
    "vehicle": "roundsman.cli.vehicles:vehicle",
    "driver": "roundsman.cli.drivers:driver",
    "journal": "roundsman.cli.journal:journal",
    "evidence": "roundsman.cli.evidence:evidence",
    "export": "roundsman.cli.exports:export",
    "privacy": "roundsman.cli.privacy:privacy",
    "webhook": "roundsman.cli.webhook_subscriptions:webhook",
    "storefront": "roundsman.cli.storefronts:storefront",
    "mcp": "roundsman.cli.assistant:mcp",
    "map": "roundsman.cli.maps:maps",
    "address": "roundsman.cli.addresses:address",
}
"""Where each command stands, loaded when it is called: who plans a route waits for no server."""

_PRIVATE_UMASK = 0o077
"""What any command writes is its own account's alone: databases, backups, maps with customers."""

app = typer.Typer(
    cls=group_of(COMMANDS),
    help="Last-mile route planning and delivery: stops in, best route out, proof at the door.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text reads well anywhere; our own classes lay it out
)


def _print_version(is_requested: bool) -> None:  # noqa: FBT001 -- Typer hands the value over by position
    if is_requested:
        typer.echo(f"roundsman {load('roundsman.kit.software:software_version')()}")
        raise typer.Exit


@app.callback()
def _roundsman(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Have commands, and what any of them writes private."""
    del version  # its callback has printed it
    os.umask(_PRIVATE_UMASK)


def main() -> None:
    """Run the command line; only trouble is logged, unless a command wants more."""
    configure_logs(logging.WARNING)
    app()
