"""The sample organization on the command line, and how to sign in to it."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import typer

from roundsman.api.app import BASE_PATH
from roundsman.cli.installation import installation
from roundsman.cli.options import DataFolder
from roundsman.cli.running_command import program_name, running_command
from roundsman.domain.address import Address, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.route_draft import RouteEndDraft
from roundsman.installation import make_registrar
from roundsman.operations.demo import Demo, create_demo, describe_demo, find_demo
from roundsman.operations.tools import Tools
from roundsman.planning import do_without_kernels
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

# As its stops do, it says where it is: the operator's geocoder may know another region alone.
DEMO_TOWN = Address(city="Baltimore", province_code="MD", country_code="US")
DEMO_PLACE = Coordinates(latitude=39.2904, longitude=-76.6122)
_START = RouteEndDraft(address=DEMO_TOWN, coordinates=DEMO_PLACE)


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundDemo:
    """A demo that was made before: its organization, and a line for each of its routes."""

    organization_id: str
    routes: tuple[str, ...]


def demo(*, data: DataFolder = None) -> None:
    """Fill the data folder with a sample organization; run again, it changes nothing."""
    do_without_kernels()  # two short routes are ordered sooner than a compiler is done
    with installation(data, may_be_made=True) as (_, tools):
        made = ensure_demo(tools)
        report_demo(made, f"{tools.address.url}{BASE_PATH}", data)


def ensure_demo(tools: Tools) -> Demo | FoundDemo:
    """Make the demo organization, or return what there is of the one that was made before."""
    found = find_demo(tools)
    if found is not None:
        return FoundDemo(organization_id=found, routes=describe_demo(tools, found))
    typer.echo("Making the demo organization: a planned route, and one under way")
    return make_demo(tools)


def make_demo(tools: Tools) -> Demo:
    """Make the demo organization, whatever is there."""
    planned, under_way = _stops("demo_stops.csv"), _stops("demo_stops_under_way.csv")
    return create_demo(tools, make_registrar(tools, running_command()), _START, planned, under_way)


def _stops(name: str) -> list[StopDraft]:
    content = (files("roundsman.cli") / name).read_bytes()
    return [draft for _, draft in read_stop_sheet(content).stops]


def report_demo(demo: Demo | FoundDemo, interface: str, data: Path | None) -> None:
    """Print how to sign in; `interface` is the interface's base address."""
    if isinstance(demo, FoundDemo):
        slug = demo.organization_id
        typer.echo(f"Demo organization {slug} is here already; its secret was shown once.")
        for line in demo.routes:
            typer.echo(f"  {line}")
        folder = f" --data {data}" if data else ""
        create = f"credentials create --organization {slug} --email you@example.com{folder}"
        typer.echo(f"For a new secret:\n  {program_name()} {create}")
        return
    secret = demo.credentials
    sign_in = (
        f"curl -s {interface}/authenticate -H 'Content-Type: application/json' "
        f'-d \'{{"clientId":"{secret.client_id}","clientSecret":"{secret.client_secret}"}}\''
    )
    typer.echo(f"Demo organization  {demo.organization_id}")
    typer.echo(f"Client ID          {secret.client_id}")
    typer.echo(f"Client secret      {secret.client_secret}  (shown this once)")
    typer.echo("\nSign in:\n")
    typer.echo(sign_in)
    typer.echo("\nSee the demo route, its stops in the best order:\n")
    typer.echo(
        f'TOKEN=$({sign_in} | sed \'s/.*"accessToken":"\\([^"]*\\).*/\\1/\') && \\\n'
        f'curl -s {interface}/routes/{demo.route_id} -H "Authorization: Bearer $TOKEN"'
    )
    typer.echo()
