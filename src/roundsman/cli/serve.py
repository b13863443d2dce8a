"""`roundsman serve`: how many processes are to serve is known before what they need is loaded."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from roundsman.cli.interrupts import leaving_at_once
from roundsman.cli.options import DataFolder, errors_in_one_line
from roundsman.domain.errors import NotFound
from roundsman.kit.loading import load
from roundsman.settings import load_settings, tls_files, variable_of

_SERVING = "roundsman.cli.serving"
_METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 is every one.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(metavar="PORT", min=0, max=65535, help="Port to listen on; 0 is a free one."),
    ] = 8000,
    *,
    data: DataFolder = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make the demo organization first.")] = False,
    live: Annotated[
        bool,
        typer.Option("--live", help="With --demo: have its vans be on the road, as time goes."),
    ] = False,
    tls: Annotated[
        bool, typer.Option("--tls", help="Answer HTTPS with the certificate of `tls make`.")
    ] = False,
) -> None:
    """Serve the interface, the console and the drivers; Ctrl-C finishes what is under way first.

    SIGTERM does the same, and the exit status is 0.
    """
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
        if tls and settings.tls_certificate is None:
            _choose_own_certificate(settings.data)
        count = settings.workers
    if live and not demo:
        raise typer.BadParameter("--live is a day of the demo organization: give --demo, too")
    if live and count > 1:
        raise typer.BadParameter(f"--live needs one process; ROUNDSMAN_WORKERS is {count}")
    if demo:
        typer.echo("Loading the service")  # for a person, who is told what goes on meanwhile
    if count == 1:
        with leaving_at_once():
            serve_alone = load(f"{_SERVING}:serve_alone")
        serve_alone(host, port, data=data, demo=demo, live=live)
        return
    with _metrics_folder() as folder:
        with leaving_at_once(folder.cleanup):
            serve_in_processes = load(f"{_SERVING}:serve_in_processes")
        serve_in_processes(host, port, data=data, demo=demo)


def _choose_own_certificate(data: Path) -> None:
    """Have every process of this server find the certificate in the data folder."""
    certificate, key, _ = tls_files(data)
    if not certificate.exists():
        raise NotFound(f"there is no certificate {certificate}; make one with `roundsman tls make`")
    os.environ[variable_of("tls_certificate")] = str(certificate.absolute())
    os.environ[variable_of("tls_key")] = str(key.absolute())


@contextmanager
def _metrics_folder() -> Iterator[tempfile.TemporaryDirectory[str]]:
    """Have metrics, which look for it when they are loaded, counted for all processes together."""
    folder = tempfile.TemporaryDirectory(prefix="roundsman-metrics-")
    with folder:
        os.environ[_METRICS_FOLDER] = folder.name
        yield folder
