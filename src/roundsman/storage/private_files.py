"""Keeps the files of a SQLite database from other accounts of the machine.

They hold customers' data and the keys that sign webhooks and links. What commands make is private
by their umask; what an earlier version or a person has made may be open to everybody. Access of a
group is left as it is: somebody has chosen it.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import structlog

from roundsman.domain.errors import Unavailable

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600
_ENDINGS = ("", "-wal", "-shm", "-journal")
_OUR_FOLDERS = frozenset({"maps"})

_EFFECTIVE = os.access in os.supports_effective_ids
"""Whether the system says what the account may do that this process acts as."""

_log = structlog.get_logger("roundsman.storage")


def make_private_folder(folder: Path) -> None:
    """Make the data folder, or close one that is open to everybody; raise Unavailable if it fails.

    A folder that is not ours, or in which others may have something, is left as it is.
    """
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True)
    except FileExistsError:
        if _is_open(folder) and _is_for_us_alone(folder):
            _close(folder, _FOLDER_MODE)
    except OSError as error:
        raise Unavailable(f"the folder cannot be made: {(error.strerror or '').lower()}") from error


def make_files_private(database: Path) -> None:
    """Close the files of a database that are open to everybody, where they are ours."""
    for file in _files_of(database):
        if _is_open(file):
            _close(file, _FILE_MODE)


def close_to_others(file: Path) -> None:
    """Close a file that was written for its owner alone and was there before, open to others."""
    with suppress(PermissionError):  # somebody else's file
        if file.is_file():
            file.chmod(_FILE_MODE)


def require_usable(database: Path) -> None:
    """Raise Unavailable, saying which, where a file or folder of a database may not be written."""
    for path, mode in ((database, os.R_OK | os.W_OK), (database.parent, os.W_OK | os.X_OK)):
        if path.exists() and not os.access(path, mode, effective_ids=_EFFECTIVE):
            raise Unavailable(f"{path} may not be written to by whoever called this command")


def list_open(folder: Path, database: Path) -> Sequence[Path]:
    """Return what every account of the machine can look into: the folder, files of the database."""
    return [path for path in (folder, *_files_of(database)) if _is_open(path)]


def _files_of(database: Path) -> Iterator[Path]:
    return (database.with_name(f"{database.name}{ending}") for ending in _ENDINGS)


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & stat.S_IRWXO)
    except OSError:
        return False  # not there, or not to be looked at


def _is_for_us_alone(folder: Path) -> bool:
    """Say whether nobody else can have anything in a folder: /tmp and /srv are not to be closed."""
    found = folder.stat()
    if found.st_mode & stat.S_ISVTX or found.st_uid != os.geteuid():
        return False
    return all(
        entry.name in _OUR_FOLDERS or entry.name.startswith(".") or entry.is_file()
        for entry in folder.iterdir()
    )


def _close(path: Path, mode: int) -> None:
    # A file of somebody else, or on a file system without modes, stays open; `list_open` says so.
    with suppress(OSError):
        path.chmod(mode)
        _log.info("data_made_private", path=str(path))  # no trouble: commands do not show it
