"""Orders as shops export them, and sheets as people keep them: what is planned, and what is not.

The files stand in `tests/spreadsheets/sheets`. Customers are invented, places are not.
"""

import csv
import io
import json
import re
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from typer.testing import CliRunner

from roundsman.cli.main import app

SHEETS = Path(__file__).parents[1] / "spreadsheets" / "sheets"
NO_PLACE = "an address or coordinates are required; fill city or latitude and longitude"


@dataclass(frozen=True, kw_only=True)
class Case:
    """A sheet, where its route starts, and what must come of it."""

    sheet: str
    start: str
    planned: int
    rejected: dict[int, str]
    warned: set[int] = field(default_factory=set)
    as_workbook: bool = False


CASES = [
    Case(
        sheet="shopify",
        start="Austin, TX",
        planned=10,
        rejected={8: NO_PLACE, 17: "zip code 62701 is in IL, not in TX, US"},
    ),
    Case(
        sheet="woocommerce",
        start="Marienplatz 1, 80331 München, Germany",
        planned=9,
        rejected={10: NO_PLACE},
    ),
    Case(sheet="magento", start="Baltimore, MD", planned=14, rejected={5: NO_PLACE}, warned={9}),
    Case(
        sheet="prestashop",
        start="Lyon, France",
        planned=10,
        rejected={13: NO_PLACE},
        warned={7, 12},
    ),
    Case(
        sheet="bigcommerce",
        start="Melbourne, VIC, AU",
        planned=14,
        rejected={7: NO_PLACE},
        warned={11, 13},
    ),
    Case(sheet="squarespace", start="Nashville, TN", planned=10, rejected={9: NO_PLACE}),
    Case(sheet="etsy", start="Manchester, GB", planned=14, rejected={9: NO_PLACE}, warned={7, 11}),
    Case(
        sheet="wix",
        start="43.65,-79.38",
        planned=8,
        rejected={
            5: 'unknown city "North York" in CA-ON, CA',
            10: NO_PLACE,
            12: 'unknown province "Ont" of CA',
        },
        warned={2, 5, 8, 9, 12, 13, 14},
    ),
    Case(
        sheet="german",
        start="69115 Heidelberg, Deutschland",
        planned=15,
        rejected={
            11: 'Straße: holds two addresses, "Hauptstr. 55" and "Bergstr. 7"; '
            "keep one, or give each a row",
            14: NO_PLACE,
            18: 'unknown city "Heidelbreg" in DE, did you mean Heidelberg, BW, DE?',
            21: NO_PLACE,
        },
        warned={9, 10, 12, 15, 17},
    ),
    Case(
        sheet="french",
        start="50.63,3.06",
        planned=15,
        rejected={
            14: NO_PLACE,
            16: 'Adresse de livraison: holds two addresses, "10 rue Jean Roisin, 59000 Lille" and '
            '"4 rue Basse, 59800 Lille"; keep one, or give each a row',
            18: 'unknown city "Gand (Belgique)" in FR',
        },
        warned={6, 10, 11, 12, 13, 19},
    ),
    Case(
        sheet="dutch",
        start="Utrecht, NL",
        planned=13,
        rejected={
            10: 'Straat: holds two addresses, "Hoofdstraat 18" and "Laan 4"; '
            "keep one, or give each a row",
            14: NO_PLACE,
            16: 'unknown city "Utrehct" in NL, did you mean Utrecht, UT, NL?',
        },
        warned={8, 11, 15, 17},
    ),
    Case(
        sheet="spanish",
        start="40.4168,-3.7038",
        planned=13,
        rejected={
            14: NO_PLACE,
            17: 'Dirección de entrega: holds two addresses, "Polígono Sur 3" and "Calle Norte 8"; '
            "keep one, or give each a row",
            18: 'unknown city "Aranjues" in ES, did you mean Aranjuez, ES?',
            20: NO_PLACE,
        },
        warned={10, 11, 13, 15, 18, 19},
        as_workbook=True,
    ),
    Case(
        sheet="american",
        start="Baltimore, MD",
        planned=15,
        rejected={
            8: 'address: holds two addresses, "1 Aliceanna St" and "200 Pier 5"; '
            "keep one, or give each a row",
            16: NO_PLACE,
            19: NO_PLACE,
        },
        warned={5, 7, 9, 11, 12, 13, 14, 15, 17},
        as_workbook=True,
    ),
]


def workbook(content: str) -> bytes:
    """Return a table as Excel keeps it: numbers, days and times of day in cells of their kind."""
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in csv.reader(io.StringIO(content)):
        book.active.append([typed(cell) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def typed(cell: str) -> Any:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", cell):
        return datetime.fromisoformat(cell)
    if re.fullmatch(r"\d\d:\d\d:\d\d", cell):
        return time.fromisoformat(cell)
    if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", cell):
        return float(cell) if "." in cell else int(cell)
    return cell or None


def plan(path: Path, start: str, *options: str) -> dict[str, Any]:
    given = ["plan", str(path), "--start", start, "--seconds", "0.05", "--json", *options]
    if "--start-at" not in options:
        given += ["--start-at", "2026-07-01 07:00"]
    result = CliRunner().invoke(app, given, catch_exceptions=False)
    decoded: dict[str, Any] = json.loads(result.stdout)
    return decoded


@pytest.mark.parametrize("case", CASES, ids=[case.sheet for case in CASES])
def test_a_sheet_as_people_have_it_is_planned_but_for_rows_with_a_reason(
    case: Case, tmp_path: Path
) -> None:
    path = SHEETS / f"{case.sheet}.csv"
    if case.as_workbook:
        path = tmp_path / f"{case.sheet}.xlsx"
        path.write_bytes(workbook((SHEETS / f"{case.sheet}.csv").read_text(encoding="utf-8")))
    planned = plan(path, case.start)
    assert {row["row"]: row["reason"] for row in planned["rejectedRows"]} == case.rejected
    assert len(planned["stops"]) == case.planned
    assert {one["row"] for one in planned.get("warnings", []) if "row" in one} == case.warned


def test_an_order_on_several_lines_is_one_stop_with_all_its_goods(tmp_path: Path) -> None:
    sheet = tmp_path / "orders.csv"
    sheet.write_text(
        "Name,Lineitem quantity,Lineitem name,Shipping City,Shipping Zip,kg\n"
        "#1,2,Tea,Baltimore,'21201,1\n#1,3,Mug,,,2\n#2,1,Tea,Towson,'21204,1\n#1,1,Pot,,,4\n",
        encoding="utf-8",
    )
    # Two of 1 kg, three of 2 and one of 4, and one of 1 kg for the other order.
    assert plan(sheet, "Baltimore, MD", "--max-kilograms", "13")["violations"] == []
    planned = plan(sheet, "Baltimore, MD", "--max-kilograms", "12.5")
    assert [violation["type"] for violation in planned["violations"]] == ["maxKilograms"]
    assert sorted(stop["row"] for stop in planned["stops"]) == [2, 4]


@pytest.mark.parametrize(
    ("start", "row", "latitude"),
    [
        ("Heidelberg, DE", "Neustadt,67433,", 49.35),
        ("Heidelberg, DE", "Halle,06108,", 51.48),
        ("Heidelberg, DE", "Halle,33790,", 52.06),
        ("48.14,11.58", "Freising,,", 48.4),
        ("48.14,11.58", "Kufstein,,", 47.58),
        ("Paris, FR", "Saint-Denis,93200,", 48.94),
        ("Utrecht, NL", "Bergen,1861,", 52.67),
        ("Madrid, ES", "Toledo,,", 39.86),
        ("Toledo, OH", "Toledo,,", 41.66),
        ("Berlin, Germany", "Hamburg,,NY", 42.7),
    ],
)
def test_a_city_is_the_one_of_the_starts_country_and_of_its_zip(
    start: str, row: str, latitude: float, tmp_path: Path
) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text(f"city,zip,state\n{row}\n", encoding="utf-8")
    (stop,) = plan(sheet, start)["stops"]
    assert stop["latitude"] == pytest.approx(latitude, abs=0.1)


def test_where_the_start_is_in_no_country_that_of_most_rows_counts(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text("city,country\nToledo,\nMadrid,Spain\nAranjuez,ES\nParis,FR\n")
    planned = plan(sheet, "44.5,-6.0")  # in the bay of Biscay
    toledo = next(stop for stop in planned["stops"] if stop["row"] == 2)
    assert toledo["latitude"] == pytest.approx(39.86, abs=0.1)


def test_the_columns_are_told_once_also_when_no_row_can_be_planned(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text("Kunde,Ort,Farbe\nAnn,,rot\n", encoding="utf-8")
    given = ["plan", str(sheet), "--start", "48.1,11.5"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 1
    assert result.stderr.count("columns: Kunde \N{RIGHTWARDS ARROW} name, Ort") == 1
    assert "ignored: Farbe" in result.stderr


UNREADABLE = (
    "city,window,minutes,priority,qty,kg,phone,date\n"
    "Bern,call,long,high,some,heavy,me,soon\nChur,call,1,1,1,1,me,\n"
)


def test_an_optional_cell_that_cannot_be_read_costs_the_cell_and_a_warning(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text(UNREADABLE, encoding="utf-8")
    planned = plan(sheet, "Bern, CH")
    assert (len(planned["stops"]), planned["rejectedRows"]) == (2, [])
    columns = [(one["row"], one["column"]) for one in planned["warnings"]]
    wrong = {"window", "minutes", "priority", "qty", "kg", "phone", "date"}
    assert {column for row, column in columns if row == 2} == wrong
    assert {column for row, column in columns if row == 3} == {"window", "phone"}
    assert planned["warnings"][0] == {
        "row": 2,
        "column": "date",
        "message": '"soon" is no date of the form 2024-07-31; left out',
    }


def test_warnings_that_are_alike_share_a_line_on_the_screen(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text("city,window\n" + "Bern,call\n" * 7, encoding="utf-8")
    given = ["plan", str(sheet), "--start", "46.9,7.4", "--seconds", "0.05"]
    stderr = CliRunner().invoke(app, given).stderr
    assert 'window cannot be read, left out, in rows 2, 3, 4, 5, 6 and 2 more: "call"' in stderr
    assert stderr.count("cannot be read") == 1


def test_strict_takes_an_unreadable_cell_for_a_bad_row(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text(UNREADABLE, encoding="utf-8")
    planned = plan(sheet, "Bern, CH", "--strict")
    assert planned["stops"] == []
    assert [row["row"] for row in planned["rejectedRows"]] == [2, 3]
    assert "minutes: " in planned["rejectedRows"][0]["reason"]


def test_a_damaged_workbook_is_one_line_and_exit_2(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.xlsx"
    sheet.write_bytes(b"PK\x03\x04rest")
    result = CliRunner().invoke(app, ["plan", str(sheet), "--start", "46.9,7.4"])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"roundsman: {sheet}: the workbook is damaged or no XLSX; open it in")
