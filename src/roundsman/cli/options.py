"""Options that many commands have, and telling what went wrong in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from roundsman.domain.errors import RoundsmanError
from roundsman.settings import WrongSetting
from roundsman.storage.sealing import WrongSecretKey

# Typer reads annotations without resolving `type` aliases, so these are plain assignments.
DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        file_okay=False,
        help="Folder of the database; also ROUNDSMAN_DATA.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """End the command with a message instead of a trace when a request or setting is wrong."""
    try:
        yield
    except (RoundsmanError, WrongSetting) as error:
        typer.echo(f"roundsman: {error}", err=True)
        # No restart mends a setting: systemd is told by 2 not to try.
        is_setting = isinstance(error, WrongSetting | WrongSecretKey)
        raise typer.Exit(2 if is_setting else 1) from error


def list_choices(choices: type[StrEnum]) -> str:
    """Return what can be chosen; UNKNOWN is what is said by saying nothing."""
    *most, last = (one for one in choices if one != "UNKNOWN")
    return f"{', '.join(most)} or {last}"
