"""Where `plan --map` writes: refused before the work when it would fail, or destroy, after it."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from roundsman.cli.route_map import is_route_map
from roundsman.domain.errors import InvalidArgument

_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_PRIVATE = 0o600
"""Its names and addresses are customers'."""


def check_map_file(map_file: Path, stops: Path) -> None:
    """Raise InvalidArgument unless a map may be written there, over nothing but an earlier map."""
    try:
        if not map_file.absolute().parent.is_dir():
            raise InvalidArgument(f"no folder {map_file.parent}")
        if map_file.exists():
            _check_replaceable(map_file, stops)
        else:
            _check_creatable(map_file.resolve())
    except OSError as error:
        raise _unwritable(map_file, error) from error


def write_map(map_file: Path, page: str) -> None:
    """Write the page; raise InvalidArgument when the disk refuses it."""
    try:
        with os.fdopen(os.open(map_file, _WRITING, _PRIVATE), "w", encoding="utf-8") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                with suppress(PermissionError):  # somebody else's file
                    os.fchmod(file.fileno(), _PRIVATE)
            file.write(page)
    except OSError as error:
        raise _unwritable(map_file, error) from error


def _check_replaceable(map_file: Path, stops: Path) -> None:
    if map_file.samefile(stops):
        raise InvalidArgument(f"{map_file} is the file with the stops; name another for the map")
    if not map_file.is_file():  # such as /dev/stdout, which holds nothing to be lost
        return
    with map_file.open("r+b") as file:
        content = file.read()
    if content and not is_route_map(content):
        raise InvalidArgument(
            f"{map_file} is there already and is no map of a route; name another file or remove it"
        )


def _check_creatable(target: Path) -> None:
    """Create it as later: permissions alone tell too little of what a folder takes."""
    target.touch(exist_ok=False)
    target.unlink()


def _unwritable(map_file: Path, error: OSError) -> InvalidArgument:
    why = (error.strerror or str(error)).lower()
    return InvalidArgument(f"{map_file} cannot be written: {why}")
