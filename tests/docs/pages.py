"""The code blocks of documentation pages, and what is shown of answers in them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_BLOCK = re.compile(r'^( *)```(\w*)(?: title="([^"]*)")?\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)
_LEFT_OUT = "…"


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    title: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    """Return a page's code blocks in their order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(language, title, dedent(text)) for _, language, title, text in found]


def prose_pages() -> Iterator[Path]:
    """Yield the pages that readers start from, the README among them."""
    yield ROOT / "README.md"
    yield ROOT / "SECURITY.md"
    for folder in ("", "how-to", "explanation", "reference"):
        yield from sorted((DOCS / folder).glob("*.md"))


def assert_shown(block: Block, said: str) -> None:
    """Hold that an answer is as the page shows it, where it shows it."""
    if block.language == "json":
        assert is_shown(json.loads(block.text), json.loads(said)), said
    else:
        shown, lines = block.text.strip().splitlines(), said.strip().splitlines()
        assert len(shown) == len(lines), said
        for one, line in zip(shown, lines, strict=True):
            assert is_shown(one, line), said


def is_shown(shown: Any, real: Any) -> bool:
    """Say whether all that is shown is there; `…` stands for anything."""
    match shown:
        case dict():
            return isinstance(real, dict) and all(
                name in real and is_shown(value, real[name]) for name, value in shown.items()
            )
        case list():
            # What is shown of a list is its beginning.
            return len(shown) <= len(real) and all(map(is_shown, shown, real))
        case str():
            pattern = ".*".join(map(re.escape, shown.split(_LEFT_OUT)))
            return isinstance(real, str) and re.fullmatch(pattern, real) is not None
        case _:
            return bool(shown == real)
