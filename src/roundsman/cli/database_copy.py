"""Copies of the database on the command line: a backup, and the move to PostgreSQL."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.output import print_result
from roundsman.kit.database_url import check_database_url
from roundsman.operations import database_copy
from roundsman.storage.dialects import check_options

database = typer.Typer(help="Move to another database.", no_args_is_help=True)


def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist.")
    ],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Write the SQLite database into one file; the service may go on meanwhile."""
    with installation(data) as (_, tools):
        size = database_copy.back_up(tools, target)
    print_result({"backup": str(target), "bytes": size}, as_json=as_json)


@database.command("copy")
def copy_database(
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="DATABASE", help="An empty one, such as postgresql://USER@HOST/NAME."
        ),
    ],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Copy everything into an empty database and compare it row for row; stop the service first."""
    try:
        url = check_database_url(to)
        check_options(url)
    except ValueError as error:
        raise typer.BadParameter(f"{error}", param_hint="--to") from error
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with installation(data) as (_, tools), bar:
        line = bar.add_task("opening", total=None)
        copied = database_copy.copy_to(
            tools, url, lambda table, rows: bar.update(line, description=f"{table}: {rows} rows")
        )
    print_result({"rows": sum(copied.values()), **copied}, as_json=as_json)
