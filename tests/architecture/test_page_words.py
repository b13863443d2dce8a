"""The words of pages and letters: each room that speaks says the same things in every language."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from roundsman.domain.organization import Language

SOURCES = Path(__file__).parents[2] / "src" / "roundsman"
ROOMS = sorted({file.parent.parent.name for file in SOURCES.glob("*/words/*.toml")})
_FORMS = {"one", "few", "many", "other"}


def read(room: str, language: str) -> Mapping[str, Any]:
    text = (SOURCES / room / "words" / f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def texts(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from texts(value, f"{above}{name}.")
        elif name not in _FORMS or name == "other":  # languages have other numbers of forms
            yield f"{above}{name}", str(value)


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_room_that_has_words_is_looked_at() -> None:
    assert set(ROOMS) >= {"driver", "endpoints", "kit", "members", "notifications", "tracking"}


@pytest.mark.parametrize("room", ROOMS)
def test_every_language_says_the_same_things(room: str) -> None:
    english = dict(texts(read(room, "en")))
    for language in Language:
        said = dict(texts(read(room, language)))
        assert said.keys() == english.keys(), language
        for name, text in said.items():
            if room != "notifications" and name not in {"day", "date"}:
                assert holes(text) == holes(english[name]), (language, name)
