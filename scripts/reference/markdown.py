"""Markdown as the reference pages use it: a note on where a page comes from, tables, code."""

from collections.abc import Iterable, Sequence

_MADE = "<!-- Made from the code by `make describe`; a test holds that it is current. -->"


def page(title: str, *parts: str) -> str:
    """Return a page of its parts."""
    return "\n\n".join([_MADE, f"# {title}", *(part.strip() for part in parts)]) + "\n"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [_row(headers), "|" + "---|" * len(headers), *(_row(row) for row in rows)]
    return "\n".join(lines)


def code(text: object) -> str:
    """Return text as code, nothing as nothing."""
    return f"`{text}`" if f"{text}" else ""


def sentence(text: str | None) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join((text or "").strip().partition("\n\n")[0].split())


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
