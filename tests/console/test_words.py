"""The console's words: one source, and every language has all of it.

The compiler of `web/` holds that no key is missing or too many; these tests hold what it cannot
see, and need no Node.
"""

import re
from pathlib import Path

import pytest

from roundsman.console.assets import list_assets

WEB = Path(__file__).parents[2] / "web"
LANGUAGES = ("de", "es", "fr", "it", "nl", "pl", "pt")

_ENTRY = re.compile(r'(\w+): (?:"((?:[^"\\]|\\.)*)"|\{ (one: .*?) \})(?=, \w+: |,\n|, //)')


def read_words(language: str) -> dict[str, str]:
    """Return what each key says, all forms of what is counted together."""
    text = (WEB / "words" / f"{language}.ts").read_text(encoding="utf-8")
    body = text[text.index("= {") + 3 : text.index("\n};") + 1]
    return {key: said or forms for key, said, forms in _ENTRY.findall(body)}


def slots(said: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_key_and_fills_in_the_same(language: str) -> None:
    english, words = read_words("en"), read_words(language)
    assert len(english) > 200
    assert words.keys() == english.keys()
    assert {key: slots(said) for key, said in words.items()} == {
        key: slots(said) for key, said in english.items()
    }
    assert [key for key, said in words.items() if not said.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_a_built_file_that_the_page_loads(language: str) -> None:
    assert f"{language}.js" in list_assets()
    assert f'import("../words/{language}")' in (WEB / "kit/words.ts").read_text(encoding="utf-8")


def test_polish_counts_in_its_own_way() -> None:
    counted = [said for said in read_words("pl").values() if said.startswith("one: ")]
    assert counted
    assert all("few: " in said and "many: " in said for said in counted)
