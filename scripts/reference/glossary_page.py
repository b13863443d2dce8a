"""The glossary, from `scripts/glossary.toml`: what each word means, and what is not said."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.reference.markdown import page, table

SOURCE = Path(__file__).parents[1] / "glossary.toml"
_INTRO = """
For everyone. One word, one meaning, in the interface, the code and these pages.
"""
_BANNED = """
## Words that the code does not use

For contributors. A test refuses these words in the names of modules, classes, functions, attributes and settings.
"""


@dataclass(frozen=True, kw_only=True)
class BannedWords:
    """Words that no name may contain, and what is said instead."""

    words: tuple[tuple[str, ...], ...]
    say: str
    rooms: tuple[str, ...]
    """The rooms in which the words are refused; empty for all of them."""
    whole: bool
    """Whether the words are refused only where they are the whole name."""


def banned_words() -> tuple[BannedWords, ...]:
    """Read the list of banned words."""
    return tuple(
        BannedWords(
            words=tuple(tuple(word.split()) for word in entry["words"]),
            say=entry["say"],
            rooms=tuple(entry.get("rooms", ())),
            whole=entry.get("whole", False),
        )
        for entry in _read()["banned"]
    )


def interface_names() -> frozenset[str]:
    """Read the names of fields that clients know by a banned word."""
    return frozenset(_read()["interface"]["names"])


def glossary_page() -> str:
    """Render the page."""
    data = _read()
    terms = [f"{term['name']}\n:   {term['means']}" for term in data["term"]]
    rows = [
        (", ".join(entry["words"]) + _where(entry), entry["say"])
        for entry in sorted(data["banned"], key=lambda entry: entry["words"][0])
    ]
    return page("Glossary", _INTRO, *terms, _BANNED, table(("Not", "But"), rows))


def _where(entry: dict[str, Any]) -> str:
    if entry.get("whole"):
        return " (as the whole name)"
    return f" (in {', '.join(entry['rooms'])})" if entry.get("rooms") else ""


def _read() -> dict[str, Any]:
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))
