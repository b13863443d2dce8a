"""Opening an installation for a command, and telling what went wrong in one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from roundsman.app import make_tools, open_database
from roundsman.domain.errors import RoundsmanError
from roundsman.operations.work import Tools
from roundsman.settings import Settings, WrongSetting, load_settings

# Typer reads annotations without resolving `type` aliases, so these are plain assignments.
DataFolder = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of the database; also ROUNDSMAN_DATA.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """End the command with a message instead of a trace when a request or setting is wrong."""
    try:
        yield
    except (RoundsmanError, WrongSetting) as error:
        typer.echo(f"roundsman: {error}", err=True)
        raise typer.Exit(2 if isinstance(error, WrongSetting) else 1) from error


@contextmanager
def installation(data: Path | None) -> Iterator[tuple[Settings, Tools]]:
    """Open the installation that the options and the environment name."""
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
        database = open_database(settings)
        try:
            tools = make_tools(settings, database)
            try:
                yield settings, tools
            finally:
                tools.close()
        finally:
            database.close()
