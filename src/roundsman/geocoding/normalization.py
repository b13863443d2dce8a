"""Normalizes names of places for comparison: no case, accents, apostrophes and punctuation.

Both the names that people write and those of the gazetteer are normalized. Many names are
normalized in one pass over one long text, by functions that run in C, so that indexing a million
names takes seconds.
"""

import re
import unicodedata

_DROPPED = re.compile("[\u0300-\u036f'\"`\u2018\u2019\u02b0-\u02ff]+")
_SEPARATORS = re.compile(r"[^\w\n]+|_+")
_REPLACED = (
    ("\n ", "\n"),
    (" \n", "\n"),
    ("ø", "o"),
    ("ł", "l"),
    ("đ", "d"),
    ("ð", "d"),
    ("\u0131", "i"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("\nst ", "\nsaint "),
    (" st ", " saint "),
    ("\nste ", "\nsainte "),
    (" ste ", " sainte "),
    ("\nft ", "\nfort "),
    ("\nmt ", "\nmount "),
)


def fold(name: str) -> str:
    """Return the normalized form of `name`; empty when nothing is left of it."""
    return _fold_lines(name.replace("\n", " "))


def fold_all(names: list[str]) -> list[str]:
    """Normalize many names, in order; none may contain a line break."""
    return _fold_lines("\n".join(names)).split("\n") if names else []


def _fold_lines(text: str) -> str:
    text = unicodedata.normalize("NFKD", text).casefold()
    text = _SEPARATORS.sub(" ", _DROPPED.sub("", text))
    text = f"\n{text}\n"
    for written, meant in _REPLACED:
        text = text.replace(written, meant)
    return text[1:-1]
