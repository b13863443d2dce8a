"""The table of OWASP ASVS: every requirement of levels 1 and 2, and what holds it.

The rows are data, `docs/reference/asvs.csv`: number, level, what is asked in our own words, state,
what holds it (tests as `path::name`, modules, pages, settings), and why. The sentences of the
standard are not repeated here.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scripts.reference.markdown import code, page, table

VERSION = "5.0.0"
DATA = Path(__file__).parents[2] / "docs" / "reference" / "asvs.csv"

CHAPTERS = {
    1: "Encoding and sanitization",
    2: "Validation and business logic",
    3: "Web frontend",
    4: "API and web service",
    5: "Files",
    6: "Authentication",
    7: "Sessions",
    8: "Authorization",
    9: "Self-contained tokens",
    10: "OAuth and OpenID Connect",
    11: "Cryptography",
    12: "Secure communication",
    13: "Configuration",
    14: "Data protection",
    15: "Secure coding and architecture",
    16: "Security logging and errors",
    17: "WebRTC",
}

LEVEL_3 = frozenset(
    [
        "1.2.10",
        "1.3.12",
        "1.5.3",
        "2.3.5",
        "2.4.2",
        "3.1.1",
        "3.2.3",
        "3.3.5",
        "3.4.7",
        "3.4.8",
        "3.5.6",
        "3.5.7",
        "3.5.8",
        "3.6.1",
        "3.7.3",
        "3.7.4",
        "3.7.5",
        "4.1.4",
        "4.1.5",
        "4.2.2",
        "4.2.3",
        "4.2.4",
        "4.2.5",
        "5.2.4",
        "5.2.5",
        "5.2.6",
        "5.3.3",
        "6.3.5",
        "6.3.6",
        "6.3.7",
        "6.3.8",
        "6.4.5",
        "6.4.6",
        "6.5.6",
        "6.5.7",
        "6.5.8",
        "6.6.4",
        "6.7.1",
        "6.7.2",
        "7.5.3",
        "8.1.3",
        "8.1.4",
        "8.2.4",
        "8.3.2",
        "8.3.3",
        "8.4.2",
        "10.2.3",
        "10.3.5",
        "10.4.12",
        "10.4.13",
        "10.4.14",
        "10.4.15",
        "10.4.16",
        "11.1.3",
        "11.1.4",
        "11.2.4",
        "11.2.5",
        "11.3.4",
        "11.3.5",
        "11.5.2",
        "11.6.2",
        "11.7.1",
        "11.7.2",
        "12.1.4",
        "12.1.5",
        "12.3.5",
        "13.1.2",
        "13.1.3",
        "13.1.4",
        "13.2.6",
        "13.3.3",
        "13.3.4",
        "13.4.6",
        "13.4.7",
        "14.2.5",
        "14.2.6",
        "14.2.7",
        "14.2.8",
        "15.1.4",
        "15.1.5",
        "15.2.4",
        "15.2.5",
        "15.4.1",
        "15.4.2",
        "15.4.3",
        "15.4.4",
        "16.5.4",
        "17.1.2",
        "17.2.5",
        "17.2.6",
        "17.2.7",
        "17.2.8",
    ]
)
"""Requirements of level 3, which have no row: with them the numbers of a section have no gap."""

_INTRO = f"""
For whoever reviews the security of an installation. Every requirement of levels 1 and 2 of the
[OWASP Application Security Verification Standard](https://owasp.org/www-project-application-security-verification-standard/),
version {VERSION}, in our own words, with what holds it here. The developers filled it in themselves;
nobody else has verified it. The rows are data: [asvs.csv](asvs.csv).

*Held* names the tests that fail when it no longer holds, or the module, page or setting where no test can.
*Not applicable* says why. *Open* says what is missing, or what is done otherwise on purpose.
What installations do around the software (certificates, databases, where logs go) is theirs.
"""
_OPEN = """
## Open

What is missing comes first.
"""


class State(StrEnum):
    """Where a requirement stands."""

    HELD = "held"
    NOT_APPLICABLE = "not applicable"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True, slots=True)
class Requirement:
    """A row."""

    number: str
    level: int
    asks: str
    state: State
    held_by: Sequence[str]
    remark: str

    @property
    def chapter(self) -> int:
        return int(self.number.partition(".")[0])

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(map(int, self.number.split(".")))


def read_requirements() -> list[Requirement]:
    """Return the rows in the order of the file."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return [
            Requirement(
                number=row["requirement"].removeprefix(f"v{VERSION}-"),
                level=int(row["level"]),
                asks=row["asks"],
                state=State(row["state"]),
                held_by=tuple(row["held by"].split()),
                remark=row["remark"],
            )
            for row in csv.DictReader(file)
        ]


def asvs_page() -> str:
    """Return the page."""
    rows = read_requirements()
    chapters = [
        f"## V{number} {name}\n\n{table(_HEADERS, _shown(rows, number))}"
        for number, name in CHAPTERS.items()
    ]
    return page(
        "ASVS",
        _INTRO,
        table(["Level", *State, "all"], _count_levels(rows)),
        table(["Chapter", "Level", *State], _count_chapters(rows)),
        _OPEN,
        table(["Requirement", "Level", "Asks for", "Missing"], _open(rows)),
        *chapters,
    )


_HEADERS = ("Requirement", "Level", "Asks for", "State", "Held by, or why")


def _count_levels(rows: Sequence[Requirement]) -> Iterator[Sequence[str]]:
    for name, levels in (("1", {1}), ("2", {2}), ("1 and 2", {1, 2})):
        yield name, *_counts([row for row in rows if row.level in levels])


def _count_chapters(rows: Sequence[Requirement]) -> Iterator[Sequence[str]]:
    for number, name in CHAPTERS.items():
        for level in (1, 2):
            some = [row for row in rows if (row.chapter, row.level) == (number, level)]
            if some:
                yield f"V{number} {name}", f"{level}", *_counts(some)[:-1]


def _counts(rows: Sequence[Requirement]) -> list[str]:
    counted = Counter(row.state for row in rows)
    return [*(f"{counted[state]}" for state in State), f"{len(rows)}"]


def _open(rows: Sequence[Requirement]) -> Iterator[Sequence[str]]:
    for row in rows:
        if row.state is State.OPEN:
            yield _name(row), f"{row.level}", row.asks, row.remark


def _shown(rows: Sequence[Requirement], chapter: int) -> Iterator[Sequence[str]]:
    for row in rows:
        if row.chapter == chapter:
            held_by = "<br>".join(code(one) for one in row.held_by)
            why = "<br>".join(part for part in (row.remark, held_by) if part)
            yield _name(row), f"{row.level}", row.asks, row.state, why


def _name(row: Requirement) -> str:
    return f"v{VERSION}-{row.number}"
