"""Workbooks that are damaged, or made to keep whoever reads them busy."""

import io
import zipfile
from collections.abc import Mapping

import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.bounds import MOST_BYTES
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS: Mapping[str, str] = {
    "[Content_Types].xml": (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
        f'<Override PartName="/{SHEET}" ContentType="{KIND}.worksheet+xml"/>'
        f'<Override PartName="/{STRINGS}" ContentType="{KIND}.sharedStrings+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>'
        '<sheet name="Stops" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{LINKS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" '
        f'Type="{LINKS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    ),
    STRINGS: f'<sst xmlns="{MAIN}"><si><t>city</t></si><si><t>Bern</t></si></sst>',
}
HEADER = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
BERN = '<row r="2"><c r="A2" t="s"><v>1</v></c></row>'


def sheet(*rows: str) -> dict[str, str]:
    data = "".join(rows)
    return {SHEET: f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData></worksheet>'}


def workbook(changed: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in {**PARTS, **sheet(HEADER, BERN), **changed}.items():
            archive.writestr(name, part)
    return file.getvalue()


def with_broken_part() -> bytes:
    """Return a workbook whose compressed sheet is no longer what was compressed."""
    content = bytearray(workbook({}))
    start = content.index(SHEET.encode()) + len(SHEET)
    content[start : start + 20] = b"\xff" * 20
    return bytes(content)


def billion_laughs() -> dict[str, str]:
    entities = "".join(
        f'<!ENTITY e{level} "{f"&e{level - 1};" * 10 if level else "ha" * 10}">'
        for level in range(10)
    )
    row = '<row r="2"><c r="A2" t="inlineStr"><is><t>&e9;</t></is></c></row>'
    return {SHEET: f"<!DOCTYPE x [{entities}]>" + sheet(HEADER, row)[SHEET]}


DAMAGED = "the workbook is damaged or no XLSX"
CASES = [
    ("cut in half", workbook({})[:700], DAMAGED),
    ("nothing but the mark of an archive", b"PK\x03\x04rest", DAMAGED),
    ("a part that does not unpack", with_broken_part(), DAMAGED),
    ("no workbook in the archive", workbook({"xl/workbook.xml": ""}), DAMAGED),
    ("a sheet that breaks off", workbook({SHEET: sheet(HEADER)[SHEET][:-20]}), DAMAGED),
    ("a text that is not there", workbook(sheet(HEADER, BERN.replace(">1<", ">77<"))), DAMAGED),
    ("a text numbered nan", workbook(sheet(HEADER, BERN.replace(">1<", ">nan<"))), DAMAGED),
    ("a row numbered x", workbook(sheet(HEADER, BERN.replace('"2"', '"x"'))), DAMAGED),
    (
        "the month 13",
        workbook(sheet(HEADER, '<row r="2"><c r="A2" t="d"><v>2026-13-01</v></c></row>')),
        DAMAGED,
    ),
    ("entities in entities", workbook(billion_laughs()), DAMAGED),
    (
        "the row 2147483647",
        workbook(sheet(HEADER, BERN.replace('"2"', '"2147483647"').replace("A2", "A2147483647"))),
        "reaches to row 2,147,483,647; 100,000 rows are read",
    ),
    (
        "the column ZZZ",
        workbook(sheet(HEADER, BERN.replace("A2", "ZZZ2"))),
        "row 2 has more than 1,000 columns",
    ),
    (
        "40 MB out of a few kilobytes",
        workbook({"xl/media/image1.png": b"\0" * 40_000_000}),
        "the workbook unpacks to 38 MiB in 7 parts, more than 32 MiB",
    ),
    (
        "5,001 rows",
        workbook(sheet(HEADER, *[BERN.replace("2", str(row)) for row in range(2, 5_003)])),
        "more than 5,000 rows of stops",
    ),
]


@pytest.mark.parametrize(
    ("content", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_damaged_or_enormous_workbook_is_refused_in_words(content: bytes, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        read_stop_sheet(content)


def test_the_workbook_that_the_cases_damage_is_good() -> None:
    assert [row for row, _ in read_stop_sheet(workbook({})).stops] == [2]


def test_blank_rows_far_below_a_table_and_cells_without_numbers_are_no_damage() -> None:
    blank = '<row r="1048576"><c r="XFD1048576"/></row>'
    unnumbered = '<row><c t="s"><v>1</v></c></row>'
    read = read_stop_sheet(workbook(sheet(HEADER, unnumbered, blank)))
    assert [row for row, _ in read.stops] == [2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"city\nBe\0rn\n", "no spreadsheet, neither CSV nor XLSX"),
        (b"city\n" + b"x" * 200_000, "cannot be read as CSV"),
        (b"city\n" + b"," * 1_000_001, "a line of more than 1,000,000 characters"),
        (b"city,name\nBern" + b"," * 1_000, "row 2 has more than 1,000 columns"),
        (b"city\n" + b"Bern\n" * 5_001, "more than 5,000 rows of stops"),
        (b"city\nBern\n" + b"\n" * 100_000, "reaches to row 100,001"),
        (b"city\n" + b"\n" * MOST_BYTES, "the file is larger than 32 MiB"),
    ],
    ids=["NUL", "a huge cell", "a huge line", "columns", "rows", "blank rows", "bytes"],
)
def test_an_enormous_csv_file_is_refused_in_words(content: bytes, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        read_stop_sheet(content)
