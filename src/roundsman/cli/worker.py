"""`roundsman worker`: sends events beside the servers, in a process that serves nothing."""

import os

import typer

from roundsman.app import make_workers
from roundsman.cli.installation import installation
from roundsman.cli.options import DataFolder
from roundsman.cli.server import wait_for_signal
from roundsman.cli.tracing import traced
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.readiness import note_durability


def worker(*, data: DataFolder = None) -> None:
    """Send events and tidy up without serving, for more processes on the same database.

    SIGTERM finishes what is under way and exits 0.
    """
    with installation(data) as (settings, tools), traced(os.environ):
        configure_logs()
        note_durability(tools)
        with make_workers(settings, tools).running():
            typer.echo("working")
            wait_for_signal()
