"""`roundsman mcp`: the assistants' door on standard input and output.

It signs in to a running service with the credentials of its environment, and hands each request on
to the service's own door: what may be seen and proposed is decided there.
"""

import os
from typing import NoReturn

import typer

from roundsman.kit.loading import load
from roundsman.operations.tools import USUAL_ADDRESS

_URL = "ROUNDSMAN_URL"
_CLIENT_ID = "ROUNDSMAN_CLIENT_ID"
_CLIENT_SECRET = "ROUNDSMAN_CLIENT_SECRET"  # noqa: S105 -- the name of a variable
VARIABLES = (_URL, _CLIENT_ID, _CLIENT_SECRET)
"""What clients of a service are told by the environment; no settings of the service."""


def mcp() -> None:
    """Let an assistant see and propose: the Model Context Protocol on standard input and output.

    The environment says where the service is and who asks: ROUNDSMAN_URL, ROUNDSMAN_CLIENT_ID and
    ROUNDSMAN_CLIENT_SECRET. What the assistant may do is what the scopes of the credentials allow.
    """
    missing = [name for name in (_CLIENT_ID, _CLIENT_SECRET) if not os.environ.get(name)]
    if missing:
        _fail(f"{' and '.join(missing)} must be set: see `roundsman credentials create`")
    try:
        serve_stdio = load("roundsman.mcp.stdio:serve_stdio")
    except ModuleNotFoundError:
        _fail("assistants need the extra roundsman[mcp]: install requirements/mcp.txt")
    try:
        serve_stdio(
            os.environ.get(_URL, USUAL_ADDRESS).rstrip("/"),
            os.environ[_CLIENT_ID],
            os.environ[_CLIENT_SECRET],
        )
    except load("roundsman.mcp.stdio:SignInRefused") as refused:
        _fail(str(refused))


def _fail(reason: str) -> NoReturn:
    typer.echo(f"roundsman: {reason}", err=True)
    raise typer.Exit(1)
