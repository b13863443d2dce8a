"""The `roundsman` command: what it can do, one function a verb."""

import typer

from roundsman.api.openapi import BASE_PATH
from roundsman.cli.demo import ensure_demo, tell_demo
from roundsman.cli.fleet import driver, vehicle
from roundsman.cli.identity import credentials, organization
from roundsman.cli.installation import DataFolder, installation
from roundsman.cli.journal import journal
from roundsman.cli.plan import plan
from roundsman.cli.serve import serve
from roundsman.cli.upkeep import backup, database

app = typer.Typer(
    help="Last-mile route planning and delivery: stops in, best route out, proof at the door.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command()(plan)
app.command()(backup)
app.add_typer(database, name="database")
app.add_typer(organization, name="organization")
app.add_typer(credentials, name="credentials")
app.add_typer(vehicle, name="vehicle")
app.add_typer(driver, name="driver")
app.add_typer(journal, name="journal")


@app.command("demo")
def demo_command(*, data: DataFolder = None) -> None:
    """Fill the data folder with a sample organization; run again, it changes nothing."""
    with installation(data) as (_, tools):
        made = ensure_demo(tools)
        tell_demo(made, tools, f"{tools.address.url}{BASE_PATH}", data)


def main() -> None:
    """Run the command line."""
    app()
