import io
import re
from collections.abc import Sequence

import openpyxl
import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

COVER = [["Deliveries of Monday"], ["by Ann"]]
STOPS = [["Name", "City"], ["Bob", "Bern"]]


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_the_first_sheet_is_read_where_it_has_a_header() -> None:
    sheet = read_stop_sheet(workbook(Today=STOPS, Tomorrow=[*STOPS, *STOPS[1:]]))
    assert len(sheet.stops) == 1
    assert sheet.remarks == ()


def test_the_only_sheet_with_a_header_is_read_and_said() -> None:
    sheet = read_stop_sheet(workbook(Cover=COVER, Empty=[], Stops=STOPS))
    assert [row for row, _ in sheet.stops] == [2]
    assert 'read from the sheet "Stops"' in sheet.remarks[0].message


@pytest.mark.parametrize(
    ("sheets", "message"),
    [
        ({"Cover": COVER, "A": STOPS, "B": STOPS}, 'several others have: "A", "B"'),
        ({"Cover": COVER, "Notes": []}, 'sheets looked at: "Cover", "Notes"'),
        ({"Cover": COVER}, 'row 1, the first, is "Deliveries of Monday"'),
        ({"A": [], "B": []}, "the file is empty"),
    ],
)
def test_sheets_that_leave_open_which_is_meant_are_named(
    sheets: dict[str, list[list[str]]], message: str
) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(message)):
        read_stop_sheet(workbook(**sheets))
