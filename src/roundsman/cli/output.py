"""What a command prints: JSON, a name and a value a line, or a table."""

import json
from collections.abc import Mapping, Sequence

import typer


def printable(text: str) -> str:
    """Return text that cannot move a terminal's cursor or change its colours."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def print_result(result: Mapping[str, object], *, as_json: bool) -> None:
    """Print what a command made."""
    if as_json:
        typer.echo(json.dumps(result))
        return
    for name, value in result.items():
        typer.echo(f"{name:16} {printable(str(value))}")


def print_rows(name: str, rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print what a command found: JSON, or a table."""
    if as_json:
        typer.echo(json.dumps({name: rows}))
    else:
        print_table(name, rows)


def print_table(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Print a line a row below the names of the columns, which are the keys of the first row.

    Lines are as long as their values, also on narrow terminals: an id must be there to be copied.
    """
    if not rows:
        typer.echo(f"no {name}")
        return
    lines = [
        [_heading(key) for key in rows[0]],
        *([_cell(v) for v in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def _heading(key: str) -> str:
    """Return `CLIENT ID` for `clientId`."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in key).upper()


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return printable(str(value))
