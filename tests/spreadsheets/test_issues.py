"""What is wrong or doubtful about cells and rows, as programs and other languages are told it."""

from typing import Any

import msgspec
import pytest

from roundsman.domain.issue import Issue
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet

type Json = Any

TYPES = ["DELIVERY", "PICKUP", "TASK"]
YEARS = {"least": 1900, "most": 2199}


def read(header: str, cell: str, *, strict: bool = True) -> StopSheet:
    quoted = cell.replace('"', '""')
    return read_stop_sheet(f'city,{header}\nBern,"{quoted}"\n'.encode(), strict=strict)


def shown(issue: Issue) -> Json:
    return msgspec.json.decode(msgspec.json.encode(issue))


def window(start: int, end: int, minutes: int = 0) -> Json:
    return {
        "start": {"hours": start, "minutes": minutes, "seconds": 0},
        "end": {"hours": end, "minutes": minutes, "seconds": 0},
    }


@pytest.mark.parametrize(
    ("header", "cell", "found", "values"),
    [
        ("priority", "#REF!", "SPREADSHEET_ERROR", {"value": "#REF!"}),
        ("priority", "#FORMULA?", "FORMULA_WITHOUT_RESULT", None),
        ("company", "x" * 1_501, "TOO_LONG", {"most": 1_500}),
        ("weight", "heavy", "NOT_A_NUMBER", {"value": "heavy"}),
        ("priority", "1.5x", "NOT_A_WHOLE_NUMBER", {"value": "1.5x"}),
        ("kg", "-2", "NOT_COUNTABLE", {"value": "-2"}),
        ("priority", "-1", "OUT_OF_RANGE", {"value": "-1", "least": 0, "most": 1_000_000}),
        ("weight", "1.5", "WEIGHT_WITHOUT_UNIT", {"value": "1.5"}),
        ("weight", "2 Stone", "UNKNOWN_WEIGHT_UNIT", {"value": "stone"}),
        ("weight", "2000 t", "TOO_HEAVY", {"value": "2000 t"}),
        ("duration", "5 Ticks", "NOT_A_DURATION", {"value": "5 Ticks"}),
        ("duration", "200h", "DURATION_TOO_LONG", {"value": "200h"}),
        ("deliveryDate", "Someday", "NOT_A_DATE", {"value": "Someday"}),
        ("deliveryDate", "1812-01-01", "DATE_OUT_OF_RANGE", {"value": "1812-01-01", **YEARS}),
        ("timeWindows", "9-25", "NOT_A_TIME", {"value": "25"}),
        ("timeWindows", "9-24:30", "NOT_A_TIME", {"value": "9-24:30"}),
        ("timeWindows", "Tea Time", "NOT_A_TIME_WINDOW", {"value": "Tea Time"}),
        ("timeWindows", "x" * 90, "NOT_A_TIME_WINDOW", {"value": "x" * 80 + "…"}),
        ("timeWindows", "until", "NOT_A_TIME_WINDOW", {"value": "until"}),
        ("phone", "call me", "NOT_A_PHONE_NUMBER", None),
        ("email", "at home", "NOT_AN_EMAIL", None),
        ("stop type", "Party", "UNKNOWN_STOP_TYPE", {"value": "Party", "choices": TYPES}),
        ("stop type", "break", "BREAK_OF_A_ROUTE", None),
        ("tags", '["a"', "NOT_JSON", {"value": '["a"', "detail": "Input data was truncated"}),
        ("coordinates", "here", "NOT_COORDINATES", {"value": "here"}),
        ("latitude", "47.1", "OTHER_COORDINATE_MISSING", {"column": "latitude"}),
        (
            "address1",
            "1 Oak Street or 2 Elm Street",
            "TWO_ADDRESSES",
            {"choices": ["1 Oak Street", "2 Elm Street"]},
        ),
        (
            "tags",
            f"[{', '.join(101 * ['"x"'])}]",
            "OUT_OF_BOUNDS",
            {
                "value": f"[{', '.join(16 * ['"x"'])},\N{HORIZONTAL ELLIPSIS}",
                "detail": "must have at most 100 elements, not 101",
            },
        ),
    ],
)
def test_a_cell_that_refuses_its_row_says_as_what(
    header: str, cell: str, found: str, values: Json
) -> None:
    ((problem,),) = [one.problems for one in read(header, cell).rejected]
    assert shown(problem.issue) == {"type": found} | ({"values": values} if values else {})


@pytest.mark.parametrize(
    ("cell", "found", "windows"),
    [
        ("9:00", "SINGLE_TIME", [window(8, 9, minutes=30)]),
        ("1-4", "READ_AS_AFTERNOON", [window(13, 16)]),
        ("16-9", "SPANS_MIDNIGHT", [window(16, 9)]),
        ("9:00-9:00", "NO_LENGTH", [window(9, 9)]),
    ],
)
def test_a_window_that_is_read_says_as_which(cell: str, found: str, windows: Json) -> None:
    (remark,) = read("timeWindows", cell).remarks
    assert remark.issue is not None
    assert not remark.is_left_out
    assert shown(remark.issue) == {"type": found, "values": {"value": cell, "windows": windows}}


def test_a_cell_that_is_left_out_says_so_and_why() -> None:
    (remark,) = read("duration", "long", strict=False).remarks
    assert remark.is_left_out
    assert remark.issue is not None
    assert shown(remark.issue) == {"type": "NOT_A_NUMBER", "values": {"value": "long"}}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("A,Bern,x,y", {"type": "TOO_MANY_CELLS"}),
        ("A,,x", {"type": "LOCATION_REQUIRED"}),
        ("A,,x\nA,,y", {"type": "ORDER_LEFT_OUT", "values": {"row": 2}}),
        (
            "A,Bern,x" + 499 * "\nA,,y",
            {"type": "TOO_MANY_ORDER_LINES", "values": {"row": 2, "most": 499}},
        ),
    ],
)
def test_a_row_that_is_refused_as_a_whole_says_why(rows: str, found: Json) -> None:
    sheet = read_stop_sheet(f"order name,city,item\n{rows}\n".encode())
    assert shown(sheet.rejected[-1].problems[0].issue) == found
