"""The `roundsman` command: what it can do, and where each command is written."""

import logging
import os
from typing import Annotated

import typer

from roundsman.cli.loading import group_of
from roundsman.kit.loading import load
from roundsman.kit.telemetry import configure_logs

COMMANDS = {
    "serve": "roundsman.cli.serve:serve",
    "worker": "roundsman.cli.worker:worker",
    "plan": "roundsman.cli.plan:plan",
    "tls": "roundsman.cli.tls:tls",
    "backup": "roundsman.cli.upkeep:backup",
    "demo": "roundsman.cli.demo:demo",
    "database": "roundsman.cli.upkeep:database",
    "organization": "roundsman.cli.identity:organization",
    "credentials": "roundsman.cli.identity:credentials",
    "vehicle": "roundsman.cli.fleet:vehicle",
    "driver": "roundsman.cli.fleet:driver",
    "journal": "roundsman.cli.journal:journal",
    "webhook": "roundsman.cli.webhook_subscriptions:webhook",
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
