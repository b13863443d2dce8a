"""Addresses of databases as operators write them, judged before anything connects.

What is wrong is said without a word of the address: a password may stand anywhere in it.
"""

import re

_FORMS = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST:5432/NAME"
_POSTGRESQL = re.compile(
    r"(?:[^:/@]*(?::[^@]*)?@)?"  # user and password
    r"(?:\[[0-9A-Fa-f:.]+\]|[^\s/:?@\[\]]*)"  # host
    r"(?::(?P<port>[^/?@]*))?"
    r"(?:/[^?]*)?(?:\?.*)?"
)
_HIGHEST_PORT = 65_535


def check_database_url(text: str) -> str:
    """Return a database's address; raise ValueError saying what would be right."""
    scheme, _, rest = text.partition("://")
    match scheme:
        case "" if not text:
            return text
        case "sqlite" | "sqlite+pysqlite":
            _check_sqlite(rest)
        case "postgresql" | "postgres" | "postgresql+psycopg" | "postgres+psycopg":
            _check_postgresql(rest)
        case _:
            raise ValueError(f"must be a {_FORMS} address")
    # SQLAlchemy does not know the short name.
    return re.sub("^postgres(?=[+:])", "postgresql", text)


def _check_sqlite(rest: str) -> None:
    path = rest.removeprefix("/").partition("?")[0]
    if not rest.startswith("/") or path in {"", ":memory:"}:
        raise ValueError("must name a file: sqlite:///PATH, with a fourth / where PATH begins at /")


def _check_postgresql(rest: str) -> None:
    if rest.count("@") > 1:
        raise ValueError(
            "must have one @, before the host; in a user, a password or a value write @ as %40, "
            "# as %23, / as %2F, : as %3A and % as %25"
        )
    found = _POSTGRESQL.fullmatch(rest)
    if found is None:
        raise ValueError(f"must be a {_FORMS} address")
    port = found["port"]
    is_port = not port or (port.isascii() and port.isdigit() and 0 < int(port) <= _HIGHEST_PORT)
    if not is_port:
        raise ValueError(
            f"must have a number from 1 to {_HIGHEST_PORT} as its port: {_FORMS.split(' or ')[1]}"
        )
