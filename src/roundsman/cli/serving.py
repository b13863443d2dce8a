"""Serving: in one process that does everything, or in several that share one address."""

import gc
import os
import socket
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

import typer

from roundsman.api.app import BASE_PATH
from roundsman.app import load_places, make_application, make_workers, warm_up
from roundsman.cli.compiling import Compilation
from roundsman.cli.demo import ensure_demo, report_demo
from roundsman.cli.installation import installation, note_open_files, note_unknown_settings
from roundsman.cli.live_demo import live_demo
from roundsman.cli.processes import Processes
from roundsman.cli.server import Certificate, Reached, Serving, listen, reach, serve_app
from roundsman.cli.tracing import find_export, traced
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.endpoints.connection_counts import THIS_MACHINE, ConnectionCounts
from roundsman.endpoints.connections import ConnectionLimits
from roundsman.geocoding.geocoder import Geocoder
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.demo import find_demo, make_owner_link
from roundsman.operations.readiness import note_durability
from roundsman.operations.secret_keys import seal_stored_secrets
from roundsman.operations.tools import Tools
from roundsman.planning import do_without_kernels, has_kernels, load_searches, stop_waiting
from roundsman.roads.map_roads import MapRoads
from roundsman.settings import Settings
from roundsman.storage.dialects import sqlite_file
from roundsman.storage.server_lock import only_server

_ENGINES_WAIT_SECONDS = 1.0
"""What the start may take longer so that engines of small maps answer the first request."""

_KERNELS_FIRST_SECONDS = 2.0
"""How long events wait to be sent while kernels load: a planner may be waiting for a route."""

type _Report = Callable[[], None]
type _Beside = AbstractContextManager[None]
"""What goes on while there is a server."""


def serve_alone(host: str, port: int, *, data: Path | None, demo: bool, live: bool) -> None:
    """Serve until asked to stop."""
    with (
        installation(data, may_be_made=True) as (settings, tools),
        only_server(sqlite_file(settings.database())),
    ):
        listener, report = _open(host, port, settings, tools, data, demo=demo)
        beside: _Beside | None = None
        if live and (organization_id := find_demo(tools)):
            beside = live_demo(settings, tools, organization_id)
        with traced(os.environ):
            _serve_share(settings, tools, listener, report, beside)


def serve_in_processes(host: str, port: int, *, data: Path | None, demo: bool) -> None:
    """Have several processes serve until asked to stop."""
    with installation(data, may_be_made=True) as (settings, tools):
        listener, report = _open(host, port, settings, tools, data, demo=demo)
        if shortage := tools.database.lacks_connections(settings.workers):
            typer.echo(f"roundsman: {shortage}", err=True)
    # The installation is closed: what is forked now shares no connection. What is loaded is shared,
    # page by page, until somebody writes to it; the collector would, for nothing.
    gc.freeze()
    child, successor = partial(_be_one_of_many, data), partial(_take_over, data)
    if not Processes(settings.workers, listener, child, successor).run(report):
        typer.echo("roundsman: a process did not start; its own message says why", err=True)
        raise typer.Exit(1)


def _open(
    host: str, port: int, settings: Settings, tools: Tools, data: Path | None, *, demo: bool
) -> tuple[socket.socket, _Report]:
    """Listen; return also what tells of it."""
    load_searches()  # here, so that several processes share what it takes
    do_without_kernels()  # and the demo's routes wait for no compiler
    configure_logs()
    note_unknown_settings()
    note_open_files(settings)
    find_export(os.environ)  # refused here, before anybody listens
    seal_stored_secrets(tools)  # and so is a key that opens nothing
    listener = listen(host, port)
    reached = reach(listener, _certificate(settings))
    tools.address.url = settings.base_url or reached.in_links()
    report_demo_made = _make_demo(tools, data) if demo else None

    def report() -> None:
        if report_demo_made is not None:
            report_demo_made()
        _report_addresses(reached, settings)

    return listener, report


def _report_addresses(reached: Reached, settings: Settings) -> None:
    typer.echo(f"listening on {reached.here}")
    for address in reached.elsewhere:
        typer.echo(f"and on {address}")
    if reached.elsewhere and not (settings.tls_certificate or settings.trusted_proxies):
        typer.echo(
            "Other machines are refused without HTTPS: make a certificate with `roundsman tls make`"
            " and serve with --tls, or put a proxy in front"
        )


def _certificate(settings: Settings) -> Certificate | None:
    if settings.tls_certificate is None:
        return None
    return Certificate(settings.tls_certificate, settings.tls_key)


def _serving(settings: Settings) -> Serving:
    exempt = (*THIS_MACHINE, *settings.trusted_proxies)
    counts = ConnectionCounts(most=settings.connections_per_address, exempt=exempt)
    certificate = _certificate(settings)
    # Without a name of its own a server is tried out, perhaps as `localhost`: no browser should
    # refuse plain HTTP there for a year.
    is_named = settings.base_url.startswith("https://")
    return Serving(
        certificate=certificate,
        is_only_https=certificate is not None and is_named,
        keep_alive_seconds=settings.keep_alive_seconds,
        limits=ConnectionLimits(counts=counts),
    )


def _make_demo(tools: Tools, data: Path | None) -> _Report:
    """Make the demo organization; return what tells of it, once it can be asked."""
    made = ensure_demo(tools)
    address = tools.address.url
    interface = f"{address}{BASE_PATH}"
    owner_link = make_owner_link(tools, made.organization_id)

    def report() -> None:
        report_demo(made, interface, data)
        typer.echo(f"Console:        {address}{CONSOLE_PREFIX}")
        typer.echo(f"Sign in:        {owner_link}  (on this machine, once, within 24 hours)")
        typer.echo(f"Interface docs: {interface}/docs")

    return report


def _serve_share(
    settings: Settings,
    tools: Tools,
    listener: socket.socket,
    when_ready: _Report,
    beside: _Beside | None = None,
) -> None:
    """Serve, and do what goes on beside the requests."""
    note_durability(tools)
    if isinstance(tools.roads, MapRoads):
        tools.roads.start(_ENGINES_WAIT_SECONDS)
    compilation = Compilation() if do_without_kernels() else None
    # Kernels and places are loaded beside the first requests, never inside one, nor before them.
    warming = threading.Thread(
        target=compile_and_load, args=[tools.geocoder, compilation], name="warm-up", daemon=True
    )
    workers = make_workers(settings, tools, after=partial(warming.join, _KERNELS_FIRST_SECONDS))
    application = make_application(settings, tools)
    running = ExitStack()

    def report() -> None:
        when_ready()
        warming.start()
        running.enter_context(workers.running())
        if beside is not None:
            running.enter_context(beside)

    def stop_soon() -> None:
        stop_waiting()
        tools.decoders.stop_soon()
        tools.copy_makers.stop_soon()
        application.end_streams()

    try:
        # Left after the server has drained, so that what its last requests did is sent too.
        with running:
            serve_app(application, listener, report, _serving(settings), stop_soon)
    finally:
        stop_waiting()
        if compilation is not None:
            compilation.stop()
        application.close()


def compile_and_load(geocoder: Geocoder, compilation: Compilation | None) -> None:
    """Load beside the first requests what later ones need, and compile it first where need be."""
    if compilation is not None:
        try:
            load_places(geocoder)
        finally:  # or whoever plans would wait without end
            compilation.run()
    if has_kernels():
        warm_up(geocoder)


def _take_over(data: Path | None, listener: socket.socket, when_ready: _Report) -> None:
    """Serve in another's place, who goes only when all that this one needs could be loaded."""
    load_searches()
    _be_one_of_many(data, listener, when_ready)


def _be_one_of_many(data: Path | None, listener: socket.socket, when_ready: _Report) -> None:
    configure_logs()
    with installation(data) as (settings, tools):
        reached = reach(listener, _certificate(settings))
        tools.address.url = settings.base_url or reached.in_links()
        with traced(os.environ):
            _serve_share(settings, tools, listener, when_ready)
