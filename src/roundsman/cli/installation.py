"""Opening an installation for a command."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from roundsman.cli.options import errors_in_one_line
from roundsman.domain.errors import NotFound, Unavailable
from roundsman.installation import list_open_files, make_tools, open_database
from roundsman.operations.tools import Tools
from roundsman.settings import Settings, WrongSetting, list_unknown, load_settings
from roundsman.storage.connection_failures import explain_failure
from roundsman.storage.database import Database
from roundsman.storage.dialects import WrongDatabaseAddress, sqlite_file

_log = structlog.get_logger("roundsman.settings")


@contextmanager
def installation(
    data: Path | None, *, may_be_made: bool = False, **chosen: str | None
) -> Iterator[tuple[Settings, Tools]]:
    """Open the installation that the options and the environment name; options come first.

    One that is not there is made only by what begins one. A mistyped folder would otherwise look
    like an installation of which nothing is left.
    """
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None, **chosen)
        if not may_be_made:
            _require_database(settings)
        database = _open(settings)
        try:
            tools = make_tools(settings, database)
            try:
                yield settings, tools
            finally:
                tools.close()
        finally:
            database.close()


def _require_database(settings: Settings) -> None:
    file = sqlite_file(settings.database())
    try:
        is_there = file is None or file.exists()
    except PermissionError as error:
        raise Unavailable(f"{file} may not be read by whoever called this command") from error
    if is_there:
        return
    if settings.database_url:
        raise NotFound(f"there is no database {file}; ROUNDSMAN_DATABASE_URL names it")
    raise NotFound(
        f"there is no installation in {settings.data.absolute()}; name its folder with --data or"
        " ROUNDSMAN_DATA, or begin one with `roundsman organization create`"
    )


def note_unknown_settings() -> None:
    """Warn of variables that nobody reads: misspelt, of another version, or an orchestrator's."""
    unknown = list_unknown(os.environ)
    if unknown:
        _log.warning("settings_unknown", names=unknown)


def note_open_files(settings: Settings) -> None:
    """Warn of data that every account of this machine can read."""
    if found := list_open_files(settings):
        _log.warning("data_open_to_others", paths=found)


def _open(settings: Settings) -> Database:
    try:
        return open_database(settings)
    except WrongDatabaseAddress as error:
        raise WrongSetting(f"ROUNDSMAN_DATABASE_URL {error}") from error
    except Unavailable as error:
        folder = settings.data.absolute()
        named = "that ROUNDSMAN_DATABASE_URL names" if settings.database_url else f"in {folder}"
        reason = explain_failure(error, settings.database()) or str(error)
        raise Unavailable(f"the database {named} cannot be used: {reason}") from error
