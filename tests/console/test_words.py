"""The words of console and driver's app: one source each, and every language has all of it.

The compiler of `web/` holds that no key is missing or too many; these tests hold what it cannot
see, and need no Node.
"""

import re
from pathlib import Path

import pytest
from msgspec.structs import fields as fields_of

from roundsman.domain.issue import IssueType, IssueValues
from roundsman.endpoints.built_files import BuiltFiles

WEB = Path(__file__).parents[2] / "web"
LANGUAGES = ("de", "es", "fr", "it", "nl", "pl", "pt")

_ENTRY = re.compile(r'(\w+): (?:"((?:[^"\\]|\\.)*)"|\{ (one: .*?) \})(?=, \w+: |,\n|, //)')


FOLDERS = {"console": "words", "driver": "driver/words"}


def read_words(application: str, language: str) -> dict[str, str]:
    """Return what each key says, all forms of what is counted together."""
    text = (WEB / FOLDERS[application] / f"{language}.ts").read_text(encoding="utf-8")
    body = text[text.index("= {") + 3 : text.index("\n};") + 1]
    return {key: said or forms for key, said, forms in _ENTRY.findall(body)}


def slots(said: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", said))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("application", FOLDERS)
def test_a_language_has_every_key_and_fills_in_the_same(application: str, language: str) -> None:
    english, words = read_words(application, "en"), read_words(application, language)
    assert len(english) > 100
    assert words.keys() == english.keys()
    assert {key: slots(said) for key, said in words.items()} == {
        key: slots(said) for key, said in english.items()
    }
    assert [key for key, said in words.items() if not said.strip()] == []


def test_the_console_uses_every_key() -> None:
    sources = [*(WEB / "console").rglob("*.ts*"), *(WEB / "kit").rglob("*.ts*")]
    used = set(re.findall(r"\w+", " ".join(one.read_text(encoding="utf-8") for one in sources)))
    assert sorted(read_words("console", "en").keys() - used) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_a_built_file_that_the_pages_load(language: str) -> None:
    for application, loader, path in (
        ("console", "kit/words.ts", f"../words/{language}"),
        ("driver", "driver/words.ts", f"./words/{language}"),
    ):
        assert f"{language}.js" in BuiltFiles(f"roundsman.{application}").names()
        assert f'import("{path}")' in (WEB / loader).read_text(encoding="utf-8")


@pytest.mark.parametrize("application", FOLDERS)
def test_polish_counts_in_its_own_way(application: str) -> None:
    words = read_words(application, "pl")
    counted = [said for said in words.values() if said.startswith("one: ")]
    assert counted
    assert all("few: " in said and "many: " in said for said in counted)


def read_table(path: str, name: str) -> dict[str, str]:
    """Return which words a table of the console has for each type."""
    text = (WEB / path).read_text(encoding="utf-8")
    body = text[text.index(f"const {name} = {{") :]
    return dict(re.findall(r'([A-Z_]+): "(\w+)"', body[: body.index("} as const")]))


def test_every_issue_has_words_in_every_language() -> None:
    table = read_table("console/issues.ts", "WORDS")
    assert table.keys() == set(IssueType)
    for language in ("en", *LANGUAGES):
        assert set(table.values()) <= read_words("console", language).keys()


def test_words_of_an_issue_name_what_an_issue_has() -> None:
    named = {
        slot
        for table in ("WORDS", "WITH_CHOICES")
        for key in read_table("console/issues.ts", table).values()
        for slot in slots(read_words("console", "en")[key])
    }
    fields = {field.encode_name for field in fields_of(IssueValues)}
    # Windows are said as what a cell was read as, and metres in kilometres.
    assert named <= fields - {"windows", "distanceMeters"} | {"distance"}
