import io
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from rich.console import Console

from roundsman.cli.plan_report import (
    PlanReport,
    Terminal,
    Visit,
    format_distance,
    format_span,
    format_time,
)
from roundsman.cli.route_map import render_map
from roundsman.cli.route_table import render_route
from roundsman.domain.address import Address, Coordinates
from roundsman.domain.advice import Advice, ChangeKind, SuggestedChange, WindowConflict
from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.issue import Issue, IssueType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.spreadsheets.table import RejectedRow, RowProblem
from roundsman.tiles.street_map import StreetMap

NO_STREETS = StreetMap(lambda: ())
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[2J[red]name[/red] & \u2028"


def report_of(text: str) -> PlanReport:
    """Return a route in which everything that people type is `text`."""
    here = Coordinates(latitude=39.29, longitude=-76.61)
    stop = RouteStop(
        id="rst-1",
        updated_at=NOON,
        planned_coordinates=here,
        order_name=text,
        note=text,
        address=Address(address1=text),
    )
    return PlanReport(
        name=text,
        start=Terminal(label=text, coordinates=here, at=NOON),
        end=Terminal(label=text, coordinates=here, at=NOON),
        visits=(
            Visit(
                row=2,
                stop=stop,
                match=None,
                arrival=NOON,
                service_start=NOON,
                departure=NOON,
                late=timedelta(),
            ),
        ),
        distance_meters=0,
        end_distance_meters=0,
        travel=timedelta(),
        duration=timedelta(),
        ends_at=NOON,
        estimated=True,
        wholly_estimated=True,
        proven_optimal=True,
        travel_gap=None,
        violations=(PreconditionViolation(type="t", subject="rst-1", description=text),),
        advice=Advice(
            changes=(
                SuggestedChange(kind=ChangeKind.REMOVE_STOP, subject="rst-1", description=text),
            ),
            conflicts=(WindowConflict(subjects=("rst-1",), description=text),),
        ),
        rows={"rst-1": 2},
        rejected=(
            RejectedRow(
                row=3,
                problems=(RowProblem(reason=text, issue=Issue(type=IssueType.NOT_AN_EMAIL)),),
            ),
        ),
        attribution=text,
        route=Route(
            id="rte-1",
            number=1,
            name=text,
            start=RouteStart(coordinates=here),
            stops=(stop,),
            created_at=NOON,
            updated_at=NOON,
        ),
    )


def test_nothing_that_people_typed_becomes_markup_in_the_map() -> None:
    page = render_map(report_of(HOSTILE), NO_STREETS)
    assert "<img" not in page
    assert page.count("</script>") == 2
    match = re.search(r'<script type="application/json" id="route">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    data = json.loads(match[1])
    assert data["name"] == HOSTILE
    assert data["routes"][0]["stops"][0]["name"] == HOSTILE


def test_the_page_writes_text_and_never_markup() -> None:
    page = render_map(report_of("Ann"), NO_STREETS)
    for way_in in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way_in not in page
    assert "default-src 'none'" in page


def test_nothing_that_people_typed_moves_the_cursor_or_changes_colours() -> None:
    output = io.StringIO()
    Console(file=output, width=400, force_terminal=False).print(render_route(report_of(HOSTILE)))
    assert "\x1b" not in output.getvalue()
    assert output.getvalue().count("[red]name[/red]") == 10


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(), "0 min"),
        (timedelta(seconds=10), "<1 min"),
        (timedelta(seconds=90), "2 min"),
        (timedelta(minutes=59, seconds=40), "1 h 00 min"),
        (timedelta(hours=25), "25 h 00 min"),
    ],
)
def test_lengths_of_time_are_rounded_to_minutes(span: timedelta, words: str) -> None:
    assert format_span(span) == words


def test_a_time_on_another_day_says_so() -> None:
    assert format_time(NOON, since=NOON) == "12:00"
    assert format_time(NOON + timedelta(days=1), since=NOON) == "12:00 +1d"


@pytest.mark.parametrize(
    ("meters", "words"),
    [(0, "0 m"), (999, "999 m"), (1_000, "1.0 km"), (12_345_678, "12,345.7 km")],
)
def test_distances_have_a_unit_that_fits(meters: int, words: str) -> None:
    assert format_distance(meters) == words
