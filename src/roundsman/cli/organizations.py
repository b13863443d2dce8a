"""Organizations on the command line (decisions §11)."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated
from zoneinfo import available_timezones

import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder, errors_in_one_line
from roundsman.cli.output import print_result, print_rows
from roundsman.cli.running_command import running_command
from roundsman.domain.erasure import OrganizationErasure
from roundsman.domain.organization import OrganizationDraft
from roundsman.installation import make_registrar
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations import organizations
from roundsman.operations.organization_erasures import erase_organization
from roundsman.operations.tools import Tools
from roundsman.wire.reading import read_value

organization = typer.Typer(
    help="Make, list and erase organizations: businesses with stops, routes and a fleet.",
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
AnySlug = Annotated[
    str,
    typer.Option(
        "--organization",
        metavar="SLUG",
        help="Only this organization's; without it, those of all, each with its short name.",
        show_default=False,
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
        problem = f'"{timezone}" is no time zone; name one such as Europe/Berlin'
        raise typer.BadParameter(problem, param_hint="--timezone")
    with errors_in_one_line():
        draft = read_value({"name": name}, OrganizationDraft)
    with installation(data, may_be_made=True) as (_, tools):
        made = organizations.create_organization(
            make_registrar(tools, running_command()), draft.name, timezone
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


@organization.command("erase")
def erase(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="Its short name.")],
    *,
    yes: Annotated[
        str, typer.Option(metavar="SLUG", help="The short name once more, so that nobody asks.")
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Though routes are dispatched or begun.")
    ] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Erase an organization with everything that it owns, and print the receipt.

    There is no way back but a backup. It goes on though a service is running; one that was killed
    is started again with the same name.
    """
    _confirm(slug, yes)
    with installation(data) as (_, tools):
        done = erase_organization(tools, slug, _report, is_forced=force)
    if sys.stderr.isatty():
        typer.echo("", err=True)
    print_result(_show(slug, done, as_json=as_json), as_json=as_json)


def _confirm(slug: str, yes: str) -> None:
    """Have the short name given twice."""
    if not yes:
        if not sys.stdin.isatty():
            raise typer.BadParameter(f"nobody can be asked here; say --yes {slug}")
        typer.echo(f"Everything that {slug} owns is erased: stops, routes, people, keys.", err=True)
        yes = typer.prompt("Its short name, once more", err=True)
    if yes != slug:
        raise typer.BadParameter(f'"{yes}" is not "{slug}"; nothing was erased')


def _report(rows: int) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r{rows} rows removed", err=True, nl=False)


def _show(slug: str, done: OrganizationErasure, *, as_json: bool) -> dict[str, object]:
    at = done.completed_at
    receipt: dict[str, object] = {
        "organization": slug,
        "begunAt": format_timestamp(done.begun_at),
        "erasedAt": "" if at is None else format_timestamp(at),
        "rows": sum(done.removed.values()),
    }
    tables = dict(sorted(done.removed.items()))
    return receipt | ({"tables": tables} if as_json else tables)


def list_of_each[T](
    tools: Tools, slug: str, list_one: Callable[[Tools, str], Sequence[T]]
) -> list[tuple[dict[str, object], T]]:
    """Return what one organization has, or what all have, each with what says whose it is."""
    if slug:
        organizations.require_organization(tools.database, slug)
        return [({}, one) for one in list_one(tools, slug)]
    owners = [one.id for one in organizations.list_organizations(tools.database)]
    return [({"organization": owner}, one) for owner in owners for one in list_one(tools, owner)]
