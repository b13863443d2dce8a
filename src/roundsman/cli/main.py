"""The `roundsman` command: what it can do, one function a verb."""

import logging

import typer

from roundsman.api.openapi import BASE_PATH
from roundsman.cli.addresses import address
from roundsman.cli.demo import ensure_demo, tell_demo
from roundsman.cli.fleet import driver, vehicle
from roundsman.cli.identity import credentials, organization
from roundsman.cli.installation import DataFolder, installation
from roundsman.cli.journal import journal
from roundsman.cli.maps import maps
from roundsman.cli.plan import plan
from roundsman.cli.serve import serve
from roundsman.cli.upkeep import backup, database
from roundsman.cli.webhooks import webhook
from roundsman.cli.worker import worker
from roundsman.kit.telemetry import configure_logs

app = typer.Typer(
    help="Last-mile route planning and delivery: stops in, best route out, proof at the door.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command()(worker)
app.command()(plan)
app.command()(backup)
app.add_typer(database, name="database")
app.add_typer(organization, name="organization")
app.add_typer(credentials, name="credentials")
app.add_typer(vehicle, name="vehicle")
app.add_typer(driver, name="driver")
app.add_typer(journal, name="journal")
app.add_typer(webhook, name="webhook")
app.add_typer(maps, name="map")
app.add_typer(address, name="address")


@app.command("demo")
def demo_command(*, data: DataFolder = None) -> None:
    """Fill the data folder with a sample organization; run again, it changes nothing."""
    with installation(data) as (_, tools):
        made = ensure_demo(tools)
        tell_demo(made, tools, f"{tools.address.url}{BASE_PATH}", data)


def main() -> None:
    """Run the command line; only trouble is logged, unless a command wants more."""
    configure_logs(logging.WARNING)
    app()
