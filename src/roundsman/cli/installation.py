"""Opening an installation for a command."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from roundsman.app import make_tools, open_database
from roundsman.cli.options import errors_in_one_line
from roundsman.operations.work import Tools
from roundsman.settings import Settings, load_settings


@contextmanager
def installation(data: Path | None, **chosen: str | None) -> Iterator[tuple[Settings, Tools]]:
    """Open the installation that the options and the environment name; options come first."""
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None, **chosen)
        database = open_database(settings)
        try:
            tools = make_tools(settings, database)
            try:
                yield settings, tools
            finally:
                tools.close()
        finally:
            database.close()
