"""The `roundsman` command: what it can do, one function a verb."""

import logging
import threading
from typing import Annotated

import typer

from roundsman.api.openapi import BASE_PATH
from roundsman.app import make_interface, warm_up
from roundsman.cli.addresses import address
from roundsman.cli.demo import ensure_demo, tell_demo
from roundsman.cli.fleet import driver, vehicle
from roundsman.cli.identity import credentials, organization
from roundsman.cli.installation import DataFolder, installation
from roundsman.cli.maps import maps
from roundsman.cli.plan import plan
from roundsman.cli.server import serve_app
from roundsman.kit.telemetry import configure_logs
from roundsman.roads.map_roads import MapRoads

_ENGINES_WAIT_SECONDS = 1.0
"""What the start may take longer so that engines of small maps answer the first request."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(plan)
app.add_typer(organization, name="organization")
app.add_typer(credentials, name="credentials")
app.add_typer(vehicle, name="vehicle")
app.add_typer(driver, name="driver")
app.add_typer(maps, name="map")
app.add_typer(address, name="address")


@app.callback()
def prepare() -> None:
    """Last-mile route planning and delivery: stops in, best route out, proof at the door."""
    configure_logs(logging.WARNING)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    *,
    data: DataFolder = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make the demo organization first.")] = False,
) -> None:
    """Serve the interface; SIGTERM finishes what is under way and exits 0."""
    configure_logs()
    with installation(data) as (settings, tools):
        made = ensure_demo(tools) if demo else None

        def tell(address: str) -> None:
            tools.address.url = settings.base_url or address
            interface = f"{tools.address.url}{BASE_PATH}"
            if demo:
                tell_demo(made, tools, interface, data)
                typer.echo(f"Interface docs: {interface}/docs")
            typer.echo(f"listening on {address}")

        if isinstance(tools.roads, MapRoads):
            tools.roads.start(_ENGINES_WAIT_SECONDS)
        # Kernels and places are loaded beside the first requests, never inside one.
        threading.Thread(target=warm_up, args=[tools], name="warm-up", daemon=True).start()
        interface = make_interface(settings, tools)
        try:
            serve_app(interface, host, port, tell)
        finally:
            interface.close()


@app.command("demo")
def demo_command(*, data: DataFolder = None) -> None:
    """Fill the data folder with a sample organization; run again, it changes nothing."""
    with installation(data) as (_, tools):
        made = ensure_demo(tools)
        tell_demo(made, tools, f"{tools.address.url}{BASE_PATH}", data)


def main() -> None:
    """Run the command line."""
    app()
