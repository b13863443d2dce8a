"""What a command tells: JSON, or a name and a value a line."""

import json
from collections.abc import Mapping

import typer


def tell(told: Mapping[str, object], *, as_json: bool) -> None:
    """Print what a command made."""
    if as_json:
        typer.echo(json.dumps(told))
        return
    for name, value in told.items():
        typer.echo(f"{name:16} {value}")
