"""`roundsman worker`: sends events and runs jobs, in a process that serves no client."""

import os
from typing import Annotated

import typer

from roundsman.app import make_monitoring, make_workers
from roundsman.cli.installation import installation, note_open_files, note_unknown_settings
from roundsman.cli.options import DataFolder
from roundsman.cli.server import listen, reach, serve_app, wait_for_signal
from roundsman.cli.tracing import traced
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.readiness import note_durability
from roundsman.operations.secret_keys import seal_stored_secrets
from roundsman.operations.tools import Tools
from roundsman.settings import Settings

_Monitoring = Annotated[
    str | None,
    typer.Option(
        "--monitoring",
        metavar="[HOST:]PORT",
        help="Where to answer /healthz, /readyz and /metrics, on this machine unless a host is "
        "named; also ROUNDSMAN_WORKER_MONITORING. Nowhere when neither is given.",
        show_default=False,
    ),
]


def worker(*, data: DataFolder = None, monitoring: _Monitoring = None) -> None:
    """Send events, run jobs and tidy up without serving, for more processes on the same database.

    SIGTERM finishes what is under way, has jobs end at their next check, and exits 0.
    """
    with (
        installation(data, may_be_made=True, worker_monitoring=monitoring) as (settings, tools),
        traced(os.environ),
    ):
        configure_logs()
        note_unknown_settings()
        seal_stored_secrets(tools)
        note_durability(tools)
        note_open_files(settings)
        if settings.worker_monitoring is None:
            with make_workers(settings, tools).running():
                _report_running()
                wait_for_signal()
        else:
            _work_watched(settings, tools, *settings.worker_monitoring)


def _work_watched(settings: Settings, tools: Tools, host: str, port: int) -> None:
    listener = listen(host, port)  # refused here, before any event is claimed
    door = make_monitoring(settings, tools)
    try:
        with make_workers(settings, tools).running():
            typer.echo(f"monitored at {reach(listener).here}")
            serve_app(door, listener, _report_running)
    finally:
        door.close()


def _report_running() -> None:
    typer.echo("working")
