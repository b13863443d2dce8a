"""Why a database cannot be opened, for whoever runs the installation.

Clients are told that the database is away. An operator who has just written its address needs the
cause and what would be right. The driver's own words name host, port, user and database, and never
the password.
"""

import os
import sqlite3
from collections.abc import Iterator

import psycopg

from roundsman.storage.dialects import sqlite_file

_ESCAPES = "in the address, write @ as %40, # as %23, / as %2F, : as %3A and % as %25"
_ADVICE = (
    ("password authentication failed", f"check the user and the password ({_ESCAPES})"),
    (
        "no password supplied",
        "the server asks for a password: postgresql://USER:PASSWORD@HOST/NAME, or PGPASSWORD",
    ),
    ("pg_hba.conf", "let this user in from this machine in the server's pg_hba.conf"),
    ("role ", "name a user that the server has, or make it with createuser"),
    ("database ", "name a database that the server has, or make it with createdb"),
    ("resolve host", "check the host's name"),
    ("Connection refused", "check host and port, and that the server listens there"),
    ("No such file or directory", "name the host, or check that the server runs on this machine"),
    ("Is the server running", "check host and port, and that the server listens there"),
    (
        "does not support SSL",
        "turn TLS on in the server, or leave sslmode out where the network is your own",
    ),
    ("certificate", "check sslrootcert and the name in the server's certificate"),
    ("timeout expired", "check host and port, and what a firewall lets through"),
)
"""What helps, by words of libpq and the server; the first that fits."""

_NOISE = ("connection failed: ", "connection is bad: ")


def explain_failure(error: BaseException, address: str) -> str:
    """Return why this database could not be opened and what would be right; empty if unknown."""
    for one in _causes(error):
        if isinstance(one, sqlite3.Error):
            return _explain_sqlite(one, address)
        if isinstance(one, psycopg.OperationalError) and one.sqlstate is None:
            return _explain_libpq(str(one))
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = getattr(error, "orig", None) or error.__cause__


def _explain_libpq(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    words = "; ".join(line for line in lines if line and not line.endswith("?"))
    for noise in _NOISE:
        words = words.removeprefix(noise)
    advice = next((advice for part, advice in _ADVICE if part in text), "")
    return f"{words}; {advice}" if advice else words


def _explain_sqlite(error: sqlite3.Error, address: str) -> str:
    file = sqlite_file(address)
    code = getattr(error, "sqlite_errorcode", 0) or 0
    if file is None or code & 0xFF != sqlite3.SQLITE_CANTOPEN:
        return ""
    if file.is_dir():
        return f"{file} is a folder; name a file in it"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}; make it, or name a file in another one"
    if not os.access(file.parent, os.W_OK | os.X_OK):
        return f"{file.parent} may not be written to by whoever called this command"
    return f"{file} cannot be opened: {error}"
