import io
import re
import zipfile
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


FORMULAS: Sequence[Sequence[object]] = [
    ["Name", "Street", "City", "Quantity", "Time window"],
    ["Ann", "Main St 1", "Bern", "=1+1", '="9:00-"&"10:00"'],
    ["Bob", '="Main St "&2', "Bern", 1, None],
    ["Cid", "Main St 3", "Bern", 1, "9:00-10:00"],
]


def test_a_formula_that_a_program_wrote_without_a_result_is_named() -> None:
    sheet = read_stop_sheet(workbook(Stops=FORMULAS))
    assert [draft.order_name for _, draft in sheet.stops] == ["Ann", "Cid"]
    assert [len(draft.time_windows) for _, draft in sheet.stops] == [0, 1]
    said = [(remark.rows, remark.message) for remark in sheet.remarks]
    assert [rows for rows, message in said if "formula without a result" in message] == [(2,), (2,)]
    (bob,) = sheet.rejected
    assert bob.row == 3
    assert "Street: is a formula without a result" in bob.reason
    strict = read_stop_sheet(workbook(Stops=FORMULAS), strict=True)
    assert [row.row for row in strict.rejected] == [2, 3]


def with_sheet(book: bytes, old: str, new: str) -> bytes:
    """Return a workbook with other XML in its first sheet, as spreadsheet programs write it."""
    parts = zipfile.ZipFile(io.BytesIO(book))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as copy:
        for part in parts.namelist():
            text = parts.read(part).decode()
            if part.endswith("sheet1.xml"):
                text, count = re.subn(old, new, text)
                assert count == 1
            copy.writestr(part, text)
    return written.getvalue()


def test_a_formula_with_a_stored_result_is_its_result() -> None:
    empty = r"<f>1\+1</f><v ?/>|<f>1\+1</f><v></v>"
    stored = with_sheet(workbook(Stops=FORMULAS), empty, "<f>1+1</f><v>2</v>")
    (_, ann), _ = read_stop_sheet(stored).stops
    assert ann.items[0].quantity == 2


RULE_OF_A_SHEET = """<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"
xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:conditionalFormattings>
<x14:conditionalFormatting><xm:f>Lists!$A$1:$A$3</xm:f></x14:conditionalFormatting>
</x14:conditionalFormattings></ext></extLst></worksheet>"""


@pytest.mark.parametrize("beside", ["a formula without a result", "a rule of the sheet"])
def test_a_formula_whose_result_is_an_empty_text_is_an_empty_cell(beside: str) -> None:
    quantity = "=1+1" if beside == "a formula without a result" else 2
    rows: Sequence[Sequence[object]] = [
        ["Name", "Street", "City", "Quantity"],
        ["Ann", "Main St 1", '=IF(1,"")', quantity],
    ]
    file = with_sheet(
        workbook(Stops=rows),
        r'<c r="C2"[^>]*>.*?</c>',
        '<c r="C2" t="str"><f>IF(1,"")</f><v></v></c>',
    )
    if beside == "a rule of the sheet":
        file = with_sheet(file, "</worksheet>", RULE_OF_A_SHEET)
    sheet = read_stop_sheet(file)
    assert sheet.rejected == ()
    said = [one.message for one in sheet.remarks if "without a result" in one.message]
    assert len(said) == (beside == "a formula without a result")


def test_a_formula_without_a_result_is_none_of_another_sheet() -> None:
    stops: Sequence[Sequence[object]] = [["Name", "City", "Note"], ["Ann", "Bern", None]]
    sheet = read_stop_sheet(workbook(Stops=stops, Other=[["a", "b", "c"], [1, 2, "=1+1"]]))
    assert [message.message for message in sheet.remarks] == []
    ((_, ann),) = sheet.stops
    assert ann.note == ""
