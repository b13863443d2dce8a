"""docs/torture.md: the figures of one run, as a page for whoever asks what was tried."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tests.torture.driving import DriverOutcome
from tests.torture.greedy_tenant import Beside
from tests.torture.hung_database import Hanging
from tests.torture.scenarios import Delays, Outcome
from tests.torture.selections import EVERYWHERE, SELECTIONS, Tallies

type Figures = Outcome | DriverOutcome | Delays | Hanging | Beside

_HEAD = """<!-- Made by `make torture`: every figure was measured in the run that it names. -->

# Torture

For whoever asks what happens when things go wrong. Made by `{command}` on {day}, with
Roundsman {version}: {machine}.

Real processes of an installation are killed, starved and held up while clients work against them;
afterwards what clients were told is compared with what is there. *Lost* are events that a receiver
never got and stops that were acknowledged and are gone, *doubled* stops that one import made twice.
Receivers may get an event twice (a duplicate), then with the same bytes. Times depend on what else
the machine does: its load is the average of the last quarter of an hour.
"""
_TESTED = """## What tests try

These rows are tests of the project, run by pytest in the same run, with what they counted. Tests
that need no database stand under "without".
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What was done to an installation, and what came of it."""

    done: str
    figures: Figures
    bound: str
    """When it holds, in words."""

    holds: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A whole run."""

    command: str
    day: date
    version: str
    rows: Mapping[str, Sequence[Row]]
    """By the kind of database."""

    tallies: Tallies

    def holds(self) -> bool:
        tried = {name for name, _ in self.tallies}
        return (
            all(row.holds for rows in self.rows.values() for row in rows)
            and all(tally.failed == 0 for tally in self.tallies.values())
            and tried == {selection.name for selection in SELECTIONS}
        )


def machine() -> str:
    """Say on what a run ran, as far as it matters to times."""
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[2]
    return (
        f"{platform.machine()}, {cores} cores, load {load:.1f}, Python {platform.python_version()}"
    )


def render_page(run: Run, ran_on: str) -> str:
    """Return the page."""
    head = _HEAD.format(
        command=run.command, day=run.day.isoformat(), version=run.version, machine=ran_on
    )
    tables = [
        f"## {kind}\n\n{_table(('Done', 'Came of it', 'Holds when', 'Holds'), _cells(rows))}\n"
        for kind, rows in run.rows.items()
    ]
    tested = _table(
        ("What", "Database", "Passed", "Failed", "Skipped", "Counted"), _tested(run.tallies)
    )
    return "\n".join([head, *tables, _TESTED, f"{tested}\n"])


def _cells(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        yield row.done, f"{row.figures}", row.bound, "yes" if row.holds else "**no**"


def _tested(tallies: Tallies) -> Iterator[tuple[str, ...]]:
    for selection in SELECTIONS:
        for (name, kind), tally in sorted(tallies.items()):
            if name != selection.name:
                continue
            counted = [
                words.format(tally.figure(figure))
                for figure, words in selection.figures.items()
                if figure in tally.counted
            ]
            where = "without" if kind == EVERYWHERE else kind
            outcomes = (f"{tally.passed:,}", f"{tally.failed:,}", f"{tally.skipped:,}")
            yield name, where, *outcomes, "; ".join(counted)


def _table(headers: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
