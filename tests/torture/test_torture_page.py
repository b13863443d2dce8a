"""The page of a run: its figures, and whether it held."""

from dataclasses import replace
from datetime import date

from tests.torture.hung_database import Hanging
from tests.torture.page import Row, Run, render_page
from tests.torture.selections import ROOT, SELECTIONS, Tally, tally_report

HUNG = Hanging(
    changes=12,
    refused=12,
    last_refusal=9.1,
    reads=50,
    answered=50,
    slow_read=0.02,
    slowest_check=0.01,
    recovery=0.03,
)
REPORT = """<testsuites><testsuite>
<testcase classname="tests.api.test_strangers" name="test_a[sqlite-getRoute]">
  <properties><property name="cells" value="2"/></properties></testcase>
<testcase classname="tests.api.test_strangers" name="test_a[sqlite-getDay]">
  <properties><property name="cells" value="2"/></properties></testcase>
<testcase classname="tests.api.test_strangers" name="test_a[postgresql-getDay]"/>
<testcase classname="tests.webhooks.test_sender" name="test_b"><skipped/></testcase>
<testcase classname="tests.driver.test_claims" name="test_of_something_else[sqlite]"/>
<testcase classname="tests.api.test_amplification" name="test_c[sqlite-a]">
  <properties><property name="largest_answer" value="900"/></properties></testcase>
<testcase classname="tests.api.test_amplification" name="test_c[sqlite-b]">
  <properties><property name="largest_answer" value="700"/></properties><failure/></testcase>
</testsuite></testsuites>"""


def run_of(report: str) -> Run:
    return Run(
        command="python -m tests.torture",
        day=date(2024, 7, 1),
        version="1.2.3",
        rows={
            "sqlite": [
                Row(done="hung database", figures=HUNG, bound=HUNG.bound(), holds=HUNG.holds())
            ]
        },
        tallies=tally_report(report, ["sqlite"]),
    )


def test_every_test_of_a_selection_exists() -> None:
    for selection in SELECTIONS:
        for file, names in selection.tests.items():
            text = (ROOT / file).read_text(encoding="utf-8")
            assert not [name for name in names if f"def {name}(" not in text], file


def test_what_tests_counted_is_summed_by_selection_and_database() -> None:
    tallies = tally_report(REPORT, ["sqlite"])
    isolation = tallies["isolation of organizations", "sqlite"]
    assert (isolation.passed, isolation.failed, isolation.figure("cells")) == (2, 0, 4)
    assert tallies["SSRF corpus", ""].skipped == 1
    amplification = tallies["amplification", "sqlite"]
    assert (amplification.failed, amplification.figure("largest_answer")) == (1, 900)
    assert {kind for _, kind in tallies} == {"sqlite", ""}


def test_the_page_shows_what_was_measured_and_when_and_with_which_version() -> None:
    page = render_page(run_of(REPORT), "x86_64, 2 cores")
    assert "Made by `python -m tests.torture` on 2024-07-01, with\nRoundsman 1.2.3" in page
    assert "| hung database | 12 of 12 changes answered 503 within 9.1 s" in page
    assert "| isolation of organizations | sqlite | 2 | 0 | 0 | 4 cells" in page
    assert "| amplification | sqlite | 1 | 1 | 0 | largest answer 900 bytes |" in page


def test_a_run_holds_when_every_row_and_every_test_does_and_none_is_left_out() -> None:
    failed = run_of(REPORT)
    assert not failed.holds()
    names = {(selection.name, "sqlite") for selection in SELECTIONS}
    good = replace(failed, tallies=dict.fromkeys(names, Tally(passed=1)))
    assert good.holds()
    assert not replace(good, tallies={}).holds()
    lost = Row(done="hung database", figures=HUNG, bound=HUNG.bound(), holds=False)
    assert not replace(good, rows={"sqlite": [lost]}).holds()
