"""Organizations on the command line (decisions §11)."""

from typing import Annotated
from zoneinfo import available_timezones

import typer

from roundsman.app import make_registrar
from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.output import print_result, print_rows
from roundsman.cli.running_command import running_command
from roundsman.operations import organizations

organization = typer.Typer(
    help="Make and list organizations: businesses with stops, routes and a fleet.",
    no_args_is_help=True,
)


Slug = Annotated[
    str,
    typer.Option(
        "--organization",
        metavar="SLUG",
        help="Which organization, by its short name: `organization list` shows them.",
    ),
]


@organization.command("create")
def create_organization(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the business is called.")],
    timezone: Annotated[
        str, typer.Option(metavar="ZONE", help="Its time zone, such as Europe/Berlin.")
    ] = "UTC",
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Create an organization and its webhook secret."""
    if timezone not in available_timezones():
        raise typer.BadParameter(f'"{timezone}" is no time zone; name one such as Europe/Berlin')
    with installation(data, may_be_made=True) as (_, tools):
        made = organizations.create_organization(
            make_registrar(tools, running_command()), name, timezone
        )
    print_result(
        {
            "organization": made.id,
            "name": made.name,
            "timezone": made.timezone,
            "webhookSecret": made.webhook_secret,
        },
        as_json=as_json,
    )


@organization.command("list")
def list_organizations(*, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List all organizations, oldest first."""
    with installation(data) as (_, tools):
        found = organizations.list_organizations(tools.database)
    print_rows(
        "organizations",
        [{"organization": one.id, "name": one.name, "timezone": one.timezone} for one in found],
        as_json=as_json,
    )
