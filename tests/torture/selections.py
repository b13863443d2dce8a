"""Rows of the page that are tests: which tests they are, and what a run of them counted."""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
_RUN_SECONDS = 900
_KINDS = ("sqlite", "postgresql")
EVERYWHERE = ""
"""The kind of database of a test that has none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Tests that hold one thing."""

    name: str
    tests: Mapping[str, Sequence[str]]
    """By their file."""

    figures: Mapping[str, str] = field(default_factory=dict)
    """What its tests say that they counted (`record_property`), in words.

    Of a name that begins with `largest` the largest value counts, of others the sum.
    """

    def nodes(self) -> Iterator[str]:
        """Yield its tests as pytest calls them."""
        for file, names in self.tests.items():
            yield from (f"{file}::{name}" for name in names) if names else (file,)


ALL: Sequence[str] = ()
"""Of a file: every test."""

SELECTIONS = (
    Selection(
        name="isolation of organizations",
        tests={
            "tests/api/test_strangers.py": ALL,
            "tests/driver/test_claims.py": ["test_another_organizations_routes_are_unknown"],
            "tests/driver/test_uploads.py": ["test_another_drivers_upload_is_unknown"],
            "tests/mcp/test_looking.py": ["test_another_organization_is_not_seen"],
            "tests/tracking/test_nothing_of_others.py": ALL,
        },
        figures={"cells": "{:,} cells (an operation with a foreign or an unknown id)"},
    ),
    Selection(
        name="SSRF corpus",
        tests={
            "tests/webhooks/test_address_guard.py": ALL,
            "tests/webhooks/test_sender.py": ALL,
        },
        figures={
            "hostile_urls": "{:,} hostile addresses sent to",
            "connections": "{:,} connections made",
        },
    ),
    Selection(
        name="amplification",
        tests={
            "tests/api/test_amplification.py": ALL,
            "tests/api/test_bodies_of_strangers.py": ALL,
        },
        figures={
            "hostile_bytes": "{:,} hostile bytes sent",
            "largest_answer": "largest answer {:,} bytes",
        },
    ),
    Selection(
        name="hostile clocks",
        tests={
            "tests/operations/test_works_in_line.py": ALL,
            "tests/driver/test_at_the_door.py": ["test_a_wrong_clock_costs_nothing"],
            "tests/driver/test_journal.py": ["test_a_devices_clock_is_believed_within_reason"],
            "tests/driver/test_positions.py": ["test_a_clock_that_is_wrong_keeps_no_more"],
            "tests/driver/test_trackers.py": ["test_a_clock_that_is_wrong_is_set_right"],
            "tests/workers/test_housekeeping.py": [
                "test_a_delivery_that_a_clock_far_ahead_put_off_is_due_again"
            ],
            "tests/workers/test_job_runner.py": [
                "test_a_job_that_a_clock_far_ahead_put_off_is_due_again"
            ],
        },
    ),
    Selection(name="time limits of the database", tests={"tests/storage/test_time_limits.py": ALL}),
    Selection(
        name="bit flips in evidence bundles",
        tests={
            "tests/driver/test_evidence.py": [
                "test_every_changed_byte_of_every_file_is_found",
                "test_a_changed_byte_of_the_archive_is_found_or_changes_no_content",
                "test_what_was_dropped_doubled_moved_or_added_is_named",
            ]
        },
        figures={"flips": "{:,} bits flipped, each named or without effect"},
    ),
)


@dataclass(slots=True)
class Tally:
    """What the tests of a selection came to on one kind of database."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    counted: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def figure(self, name: str) -> int:
        """Return what the tests counted under a name."""
        values = self.counted[name]
        return max(values, default=0) if name.startswith("largest") else sum(values)


type Tallies = Mapping[tuple[str, str], Tally]
"""By the selection's name and the kind of database."""


def run_selections(databases: Sequence[str], workers: int = 2) -> Tallies:
    """Run every selection on these databases in one run of pytest, and read what it counted."""
    tests = [node for selection in SELECTIONS for node in selection.nodes()]
    only = [] if "postgresql" in databases else ["--only-sqlite"]
    with tempfile.TemporaryDirectory(prefix="roundsman-torture-") as folder:
        report = Path(folder) / "report.xml"
        command = [
            *(sys.executable, "-m", "pytest", "--full", *only, "-n", f"{workers}"),
            *("-p", "no:cacheprovider", f"--junitxml={report}", *tests),
        ]
        subprocess.run(  # noqa: S603 -- tests of our own
            command, cwd=ROOT, check=False, timeout=_RUN_SECONDS, stdout=sys.stderr
        )
        return tally_report(report.read_text(encoding="utf-8"), databases)


def tally_report(report: str, databases: Sequence[str]) -> Tallies:
    """Return what a report of pytest (JUnit's XML) says of each selection."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for case in ET.fromstring(report).iter("testcase"):  # noqa: S314 -- pytest has just written it
        kind = _kind_of(case.get("name", ""))
        for selection in _selections_of(case) if kind in {EVERYWHERE, *databases} else ():
            _count(case, tallies[selection.name, kind])
    return tallies


def _count(case: ET.Element, tally: Tally) -> None:
    if case.find("failure") is not None or case.find("error") is not None:
        tally.failed += 1
    elif case.find("skipped") is not None:
        tally.skipped += 1
    else:
        tally.passed += 1
    for noted in case.iter("property"):
        tally.counted[noted.get("name", "")].append(int(noted.get("value", "0")))


def _kind_of(name: str) -> str:
    parameters = name.partition("[")[2].rstrip("]").split("-")
    return next((kind for kind in _KINDS if kind in parameters), EVERYWHERE)


def _selections_of(case: ET.Element) -> Iterator[Selection]:
    path = f"{case.get('classname', '').replace('.', '/')}.py"
    test = case.get("name", "").partition("[")[0]
    for selection in SELECTIONS:
        names = selection.tests.get(path)
        if names is not None and (not names or test in names):
            yield selection
