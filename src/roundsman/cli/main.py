"""The `roundsman` command: its subcommands, each loaded when it is called.

Every command needs other libraries, and importing all of them takes longer than most commands
take to run: so a command is imported when it is called, and what the list of commands says of each
stands here.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

from roundsman.cli.help_text import ReadableCommand, ReadableGroup, make_readable
from roundsman.cli.interrupts import leaving_at_once
from roundsman.kit.loading import load
from roundsman.kit.telemetry import configure_logs


class Subcommand(NamedTuple):
    """A command that is loaded when it is called."""

    target: str
    """Where it stands, written `module:name`."""
    summary: str
    """The first sentence of its help."""


class _Commands(Mapping[str, Any]):
    """Commands by name, each made of a function or a `Typer` when it is first asked for."""

    def __init__(self, subcommands: Mapping[str, Subcommand]) -> None:
        self._subcommands = subcommands
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load(name, self._subcommands[name].target)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._subcommands)

    def __len__(self) -> int:
        return len(self._subcommands)


def group_of(subcommands: Mapping[str, Subcommand]) -> type[TyperGroup]:
    """Return a group of these commands, none of which is loaded to be listed."""

    class Group(ReadableGroup):
        """Has its commands loaded."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**{**options, "commands": None})
            self.commands: Any = _Commands(subcommands)

        def list_summaries(self, ctx: Any) -> list[tuple[str, str]]:
            """Return what stands in the table."""
            del ctx
            return [(name, one.summary) for name, one in subcommands.items()]

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
    "serve": Subcommand(
        "roundsman.cli.serve:serve",
        "Serve the interface, the console and the drivers; "
        "Ctrl-C finishes what is under way first.",
    ),
    "worker": Subcommand(
        "roundsman.cli.worker:worker",
        "Send events, run jobs and tidy up without serving, "
        "for more processes on the same database.",
    ),
    "plan": Subcommand(
        "roundsman.cli.plan:plan",
        "Order the stops of a spreadsheet into the best route and print it with arrival times.",
    ),
    "tls": Subcommand(
        "roundsman.cli.tls:tls",
        "Make a certificate, to try the service on a phone.",
    ),
    "backup": Subcommand(
        "roundsman.cli.database_copy:backup",
        "Write the SQLite database into one file; the service may go on meanwhile.",
    ),
    "demo": Subcommand(
        "roundsman.cli.demo:demo",
        "Fill the data folder with a sample organization; run again, it changes nothing.",
    ),
    "simulate": Subcommand(
        "roundsman.cli.simulate:simulate",
        "Play a day of a test organization.",
    ),
    "database": Subcommand(
        "roundsman.cli.database_copy:database",
        "Move to another database.",
    ),
    "organization": Subcommand(
        "roundsman.cli.organizations:organization",
        "Make, list and erase organizations: businesses with stops, routes and a fleet.",
    ),
    "credentials": Subcommand(
        "roundsman.cli.api_clients:credentials",
        "Make and list API clients, and replace their secrets.",
    ),
    "member": Subcommand(
        "roundsman.cli.members:member",
        "Invite, list and let in the people who plan for an organization.",
    ),
    "secrets": Subcommand(
        "roundsman.cli.secret_keys:secrets",
        "Replace the key that webhook secrets and other credentials are sealed with.",
    ),
    "vehicle": Subcommand(
        "roundsman.cli.vehicles:vehicle",
        "Add and list vehicles.",
    ),
    "driver": Subcommand(
        "roundsman.cli.drivers:driver",
        "Invite, list and sign out drivers.",
    ),
    "journal": Subcommand(
        "roundsman.cli.journal:journal",
        "What drivers' devices sent, and what became of it.",
    ),
    "evidence": Subcommand(
        "roundsman.cli.evidence:evidence",
        "Verify what proves a delivery.",
    ),
    "export": Subcommand(
        "roundsman.cli.exports:export",
        "Take routes away as files, or as a page to print.",
    ),
    "privacy": Subcommand(
        "roundsman.cli.privacy:privacy",
        "Erase a customer's or a driver's data, or take it out.",
    ),
    "webhook": Subcommand(
        "roundsman.cli.webhook_subscriptions:webhook",
        "Where events are sent: deliveries, tests, replays, signing secrets.",
    ),
    "storefront": Subcommand(
        "roundsman.cli.storefronts:storefront",
        "Connect shops, whose orders come by themselves and that hear what became of them.",
    ),
    "mcp": Subcommand(
        "roundsman.cli.assistant:mcp",
        "Let an assistant see and propose: "
        "the Model Context Protocol on standard input and output.",
    ),
    "map": Subcommand(
        "roundsman.cli.maps:maps",
        "Import, list and remove maps: roads and addresses from OpenStreetMap.",
    ),
    "address": Subcommand(
        "roundsman.cli.addresses:address",
        "Look up an address, or what is at a place.",
    ),
}
"""Every command, loaded when it is called: who plans a route waits for no server."""

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
