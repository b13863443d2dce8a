"""What drivers told, on the command line: above all what was kept for the planner."""

from typing import Annotated

import msgspec
import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_table
from roundsman.domain.actions import JournalEntry, Outcome
from roundsman.domain.queries import ListDriverActions, Query
from roundsman.operations.journal import list_journal
from roundsman.operations.organizations import require_organization
from roundsman.wire.current_version import encode_journal

journal = typer.Typer(
    help="What drivers' devices sent, and what became of it.", no_args_is_help=True
)

_MOST = 200


@journal.command("list")
def list_actions(  # noqa: PLR0913 -- an option each
    slug: Slug,
    route: Annotated[str, typer.Option(metavar="ID", help="Only what concerns this route.")] = "",
    driver: Annotated[
        str, typer.Option(metavar="ID", help="Only what this driver's devices sent.")
    ] = "",
    outcome: Annotated[
        Outcome | None,
        typer.Option(help="Only what was applied, kept for the planner to look at, or refused."),
    ] = None,
    cursor: Annotated[
        str, typer.Option(metavar="CURSOR", help="Go on after a list that ended with this cursor.")
    ] = "",
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """List what drivers' devices sent and what became of it, oldest first, 200 at a time."""
    query = ListDriverActions(
        limit=_MOST,
        route_id=route,
        driver_id=driver,
        outcome=msgspec.UNSET if outcome is None else outcome,
    )
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        page = list_journal(tools, slug, Query(query, cursor))
    if as_json:
        typer.echo(encode_journal(page.rows, page.next_cursor).decode())
        return
    print_table("such actions", [_sum_up(entry) for entry, *_ in page.rows])
    if page.next_cursor:
        typer.echo(f"more: --cursor {page.next_cursor}")


def _sum_up(entry: JournalEntry) -> dict[str, object]:
    return {
        "at": f"{entry.at:%Y-%m-%d %H:%M:%S}Z",
        "action": entry.kind,
        "outcome": f"{entry.outcome} {entry.reason}".strip(),
        "route": entry.route_id,
        "driver": entry.driver_id,
        "message": entry.message,
    }
