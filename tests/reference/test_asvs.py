"""The table of OWASP ASVS names every requirement once, and nothing that is not there."""

import re
from collections import Counter
from dataclasses import fields

from scripts.reference.asvs_page import (
    CHAPTERS,
    LEVEL_3,
    VERSION,
    Requirement,
    State,
    read_requirements,
)
from scripts.reference.pages import ROOT

from roundsman.settings import PREFIX, Settings

ROWS = read_requirements()
IN_THE_STANDARD = {1: 70, 2: 183}
"""By level, in version 5.0.0."""


def test_every_requirement_of_levels_1_and_2_has_one_row_in_its_place() -> None:
    assert VERSION == "5.0.0"
    assert Counter(row.level for row in ROWS) == IN_THE_STANDARD
    numbers = [row.number for row in ROWS]
    assert len(numbers) == len(set(numbers))
    assert not LEVEL_3 & set(numbers)
    assert [row.order for row in ROWS] == sorted(row.order for row in ROWS)
    assert {row.chapter for row in ROWS} == CHAPTERS.keys()


def test_with_those_of_level_3_no_section_has_a_gap() -> None:
    sections: dict[tuple[int, int], list[int]] = {}
    for number in LEVEL_3 | {row.number for row in ROWS}:
        chapter, section, place = map(int, number.split("."))
        sections.setdefault((chapter, section), []).append(place)
    for where, places in sections.items():
        assert sorted(places) == list(range(1, len(places) + 1)), where
    for chapter in CHAPTERS:
        theirs = sorted(section for number, section in sections if number == chapter)
        assert theirs == list(range(1, len(theirs) + 1)), chapter


def test_every_row_says_what_is_asked_in_a_few_words_and_why_it_stands_where_it_does() -> None:
    for row in ROWS:
        assert 2 <= len(row.asks.split()) <= 9, row.number
        if row.state is State.HELD:
            assert row.held_by, row.number
        else:
            assert row.remark.endswith("."), row.number


def test_what_holds_a_requirement_is_there() -> None:
    settings = {f"{PREFIX}{one.name.upper()}" for one in fields(Settings)}
    wrong = [
        f"{row.number}: {named}"
        for row in ROWS
        for named in row.held_by
        if named not in settings and not _is_there(named)
    ]
    assert not wrong


def _is_there(named: str) -> bool:
    path, _, test = named.partition("::")
    file = ROOT / path
    if not file.is_file():
        return False
    if not test:
        return True
    text = file.read_text(encoding="utf-8")
    return re.search(rf"^ *(async )?def {re.escape(test)}\(", text, re.MULTILINE) is not None


def test_what_is_missing_is_noticed() -> None:
    row = Requirement(
        number="1.1.1", level=2, asks="x y", state=State.HELD, held_by=("tests/x.py",), remark=""
    )
    assert not _is_there(row.held_by[0])
    assert not _is_there("tests/reference/test_asvs.py::test_of_nothing")
    assert _is_there("tests/reference/test_asvs.py::test_what_is_missing_is_noticed")
