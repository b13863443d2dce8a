"""Vehicles on the command line (decisions §11)."""

from functools import partial
from typing import Annotated

import msgspec
import typer

from roundsman.cli.installation import installation
from roundsman.cli.operator import operator_request
from roundsman.cli.options import AsJson, DataFolder, list_choices
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_result, print_rows
from roundsman.domain.queries import ListVehicles
from roundsman.domain.vehicle import Vehicle, VehicleDraft, VehicleType
from roundsman.operations import vehicles
from roundsman.operations.organizations import require_organization
from roundsman.operations.paging import list_all
from roundsman.wire.reading import read_value

vehicle = typer.Typer(help="Add and list vehicles.", no_args_is_help=True)


@vehicle.command("add")
def add_vehicle(  # noqa: PLR0913 -- an option each
    slug: Slug,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the vehicle is called.")],
    make: Annotated[str, typer.Option(help="Who made it, such as Ford.")] = "",
    model: Annotated[str, typer.Option(help="Its model, such as Transit.")] = "",
    year: Annotated[
        int, typer.Option(metavar="YEAR", show_default=False, help="Its model year.")
    ] = 0,
    kind: Annotated[
        VehicleType,
        typer.Option(
            "--type",
            metavar="TYPE",
            show_default=False,
            help=f"What it is: {list_choices(VehicleType)}.",
        ),
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
        added = vehicles.add_vehicle(tools, operator_request(tools, slug), draft)
    print_result(msgspec.to_builtins(added), as_json=as_json)


@vehicle.command("list")
def list_vehicles(
    slug: Slug,
    *,
    include_archived: Annotated[
        bool, typer.Option("--include-archived", help="Archived ones too.")
    ] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """List an organization's vehicles, oldest first."""
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        found = list_all(
            partial(vehicles.list_vehicles, tools, slug),
            ListVehicles(include_archived=include_archived),
        )
    shown = [msgspec.to_builtins(one) if as_json else _sum_up_vehicle(one) for one in found]
    print_rows("vehicles", shown, as_json=as_json)


def _sum_up_vehicle(one: Vehicle) -> dict[str, object]:
    archived = "archived" if one.is_archived else ""
    return {"id": one.id, "name": one.name, "license": one.license, "archived": archived}
