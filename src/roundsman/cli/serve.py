"""`roundsman serve`: one process that does everything, or several that share one address."""

import os
import socket
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from roundsman.api.openapi import BASE_PATH
from roundsman.app import make_front, make_interface, make_workers, warm_up
from roundsman.cli.demo import ensure_demo, tell_demo
from roundsman.cli.installation import installation
from roundsman.cli.options import DataFolder
from roundsman.cli.processes import Processes
from roundsman.cli.server import address_of, open_listener, serve_app
from roundsman.cli.tracing import find_tracer, traced
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.readiness import note_durability
from roundsman.operations.work import Tools
from roundsman.roads.map_roads import MapRoads
from roundsman.settings import Settings

_ENGINES_WAIT_SECONDS = 1.0
"""What the start may take longer so that engines of small maps answer the first request."""

_METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    *,
    data: DataFolder = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make the demo organization first.")] = False,
) -> None:
    """Serve the interface; SIGTERM finishes what is under way and exits 0."""
    with installation(data) as (settings, tools):
        configure_logs()
        find_tracer(os.environ)  # refused here, before anybody listens
        listener = _listen(host, port)
        tools.address.url = settings.base_url or address_of(listener)
        made = ensure_demo(tools) if demo else None

        def tell() -> None:
            interface = f"{tools.address.url}{BASE_PATH}"
            if demo:
                tell_demo(made, tools, interface, data)
                typer.echo(f"Console:        {tools.address.url}{CONSOLE_PREFIX}")
                typer.echo(f"Interface docs: {interface}/docs")
            typer.echo(f"listening on {address_of(listener)}")

        if shortage := tools.database.lacks_connections(settings.workers):
            typer.echo(f"roundsman: {shortage}", err=True)
        if settings.workers == 1:
            with traced(os.environ):
                _serve_share(settings, tools, listener, tell)
        else:
            _serve_in_processes(settings.workers, data, listener, tell)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return open_listener(host, port)
    except OSError as error:
        typer.echo(f"roundsman: cannot listen on {host}:{port}: {error.strerror}", err=True)
        raise typer.Exit(1) from error


def _serve_share(
    settings: Settings, tools: Tools, listener: socket.socket, when_ready: Callable[[], None]
) -> None:
    note_durability(tools)
    if isinstance(tools.roads, MapRoads):
        tools.roads.start(_ENGINES_WAIT_SECONDS)
    # Kernels and places are loaded beside the first requests, never inside one, nor before them.
    warming = threading.Thread(target=warm_up, args=[tools.geocoder], name="warm-up", daemon=True)

    def tell() -> None:
        when_ready()
        warming.start()

    front = make_front(settings, tools, make_interface(settings, tools))
    try:
        # Left after the server has drained, so that what its last requests did is sent too.
        with make_workers(settings, tools).running():
            serve_app(front, listener, tell)
    finally:
        front.close()


def _serve_in_processes(
    count: int, data: Path | None, listener: socket.socket, when_ready: Callable[[], None]
) -> None:
    with tempfile.TemporaryDirectory(prefix="roundsman-metrics-") as folder:
        # The children find it when they import the metrics, and share their counts there.
        os.environ[_METRICS_FOLDER] = folder
        could_start = Processes(count, listener, partial(_be_one_of_many, data)).run(when_ready)
    if not could_start:
        typer.echo("roundsman: a process did not start; its own message says why", err=True)
        raise typer.Exit(1)


def _be_one_of_many(
    data: Path | None, listener: socket.socket, when_ready: Callable[[], None]
) -> None:
    configure_logs()
    with installation(data) as (settings, tools):
        tools.address.url = settings.base_url or address_of(listener)
        with traced(os.environ):
            _serve_share(settings, tools, listener, when_ready)
