"""The example files do what their page promises."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from roundsman.cli.plan_departure import departure_of
from roundsman.cli.plan_ends import locate_route_end
from roundsman.cli.plan_input import PlanInput, locate_stops
from roundsman.cli.plan_report import PlanReport
from roundsman.cli.plan_run import PlanRequest, plan_request
from roundsman.domain.model import UnsetType
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.kit.ids import RandomIds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

EXAMPLES = Path(__file__).parents[2] / "examples"
NOW = datetime(2026, 7, 1, tzinfo=UTC)


def given(name: str, gazetteer: Gazetteer) -> PlanInput:
    sheet = read_stop_sheet((EXAMPLES / name).read_bytes())
    return locate_stops(sheet, gazetteer, options=RouteOptions(), ids=RandomIds(), now=NOW)


def planned(name: str, gazetteer: Gazetteer, seconds: float) -> PlanReport:
    start = locate_route_end("39.29,-76.61", gazetteer)
    request = PlanRequest(
        name=name,
        start=start,
        end=start,
        given=given(name, gazetteer),
        options=RouteOptions(),
        departure=departure_of("2026-07-01T08:00", start, NOW),
        seconds=seconds,
    )
    return plan_request(request, roads=EstimatedRoads(), ids=RandomIds(), now=NOW)


@pytest.mark.parametrize(("name", "stops"), [("baltimore-25.csv", 25), ("baltimore-200.csv", 200)])
def test_every_window_of_the_examples_is_met(name: str, stops: int, gazetteer: Gazetteer) -> None:
    report = planned(name, gazetteer, seconds=0.5)
    assert len(report.visits) == stops
    assert report.rejected == ()
    assert report.violations == ()


def test_the_large_example_needs_no_gazetteer() -> None:
    def load() -> None:
        raise AssertionError("loaded without need")

    without_places = Gazetteer(load)  # type: ignore[arg-type] # never called
    assert not given("baltimore-200.csv", without_places).matches


def test_the_messy_example_shows_good_rows_and_reasons(gazetteer: Gazetteer) -> None:
    messy = given("messy.csv", gazetteer)
    assert [messy.rows[stop.id] for stop in messy.stops] == [4, 5, 6, 7, 11, 13, 16]
    assert [rejected.row for rejected in messy.rejected] == [9, 10, 12, 14, 15]
    without_duration = [stop for stop in messy.stops if isinstance(stop.duration, UnsetType)]
    assert [messy.rows[stop.id] for stop in without_duration] == [11]
    assert {remark.rows for remark in messy.remarks} == {(11,)}


def test_the_page_of_the_examples_names_every_file_and_its_source() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert "GeoNames" in page
    assert "CC BY 4.0" in page
    for path in EXAMPLES.iterdir():
        assert path.is_dir() or path.name == "README.md" or path.name in page
