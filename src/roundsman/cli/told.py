"""What a command tells: JSON, or a name and a value a line."""

import json
from collections.abc import Mapping, Sequence

import typer


def printable(text: str) -> str:
    """Return text that cannot move a terminal's cursor or change its colours."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def tell(told: Mapping[str, object], *, as_json: bool) -> None:
    """Print what a command made."""
    if as_json:
        typer.echo(json.dumps(told))
        return
    for name, value in told.items():
        typer.echo(f"{name:16} {printable(str(value))}")


def tell_rows(name: str, rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print what a command found: JSON, or a line each with the values of its columns."""
    if as_json:
        typer.echo(json.dumps({name: rows}))
        return
    for row in rows:
        values = (
            ",".join(map(str, value)) if isinstance(value, list) else str(value)
            for value in row.values()
        )
        typer.echo(printable("  ".join(values)).rstrip())
    if not rows:
        typer.echo(f"no {name}")
