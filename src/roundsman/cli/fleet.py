"""Vehicles and drivers on the command line (decisions §11)."""

from typing import Annotated

import msgspec
import typer

from roundsman.cli.identity import Slug
from roundsman.cli.installation import AsJson, DataFolder, installation
from roundsman.cli.told import tell
from roundsman.domain.caller import Caller
from roundsman.domain.vehicle import VehicleDraft, VehicleType
from roundsman.operations import vehicles
from roundsman.operations.identity import require_organization
from roundsman.operations.work import Request, Tools
from roundsman.wire.reading import read_value

vehicle = typer.Typer(help="Vehicles of a fleet.", no_args_is_help=True)


def _operator(tools: Tools, slug: str) -> Request:
    """Return who asks: the operator, who is no API client, for an organization that exists."""
    require_organization(tools.database, slug)
    return Request(caller=Caller(organization_id=slug, client_id="", email=""))


@vehicle.command("add")
def add_vehicle(  # noqa: PLR0913 -- an option each
    slug: Slug,
    name: Annotated[str, typer.Option(help="What the vehicle is called.")],
    make: Annotated[str, typer.Option(help="Who made it.")] = "",
    model: Annotated[str, typer.Option(help="Its model.")] = "",
    year: Annotated[int, typer.Option(help="Its model year.")] = 0,
    kind: Annotated[
        VehicleType, typer.Option("--type", help="What kind of vehicle it is.")
    ] = VehicleType.UNKNOWN,
    vin: Annotated[str, typer.Option(help="Its identification number.")] = "",
    license_: Annotated[str, typer.Option("--license", help="Its licence plate.")] = "",
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Add a vehicle to an organization's fleet."""
    given = {"name": name, "make": make, "model": model, "year": year, "type": kind.value}
    with installation(data) as (_, tools):
        draft = read_value({**given, "vin": vin, "license": license_}, VehicleDraft)
        added = vehicles.add_vehicle(tools, _operator(tools, slug), draft)
    tell(msgspec.to_builtins(added), as_json=as_json)
