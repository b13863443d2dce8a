import datetime
import io
import re
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.issue import Issue, IssueType
from roundsman.domain.item import Item
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.remarks import group_remarks
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.spreadsheets.table import RejectedRow, RowProblem

THREE_PROBLEMS = (
    'latitude: "here" is not a number of degrees, such as 39.2904; '
    'duration: "long" is not a number; priority: -1 is outside 0 to 1000000'
)


def read(text: str) -> StopSheet:
    return read_stop_sheet(text.encode())


def only_stop(text: str) -> StopDraft:
    sheet = read(text)
    assert sheet.rejected == ()
    ((_, draft),) = sheet.stops
    return draft


def only_reason(text: str) -> str:
    """Return why the only row is left out where every cell has to be readable."""
    sheet = read_stop_sheet(text.encode(), strict=True)
    assert sheet.stops == ()
    (rejected,) = sheet.rejected
    return rejected.reason


def xlsx(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.spec("decisions §12")
def test_every_column_reaches_the_stop() -> None:
    draft = only_stop(
        "name,address1,address2,city,provinceCode,zip,countryCode,latitude,longitude,timeWindows,"
        "duration,priority,quantity,grams,phone,note,email,clientStopId,deliveryDate\n"
        "Ann,1 Main St,Apt 2,Baltimore,MD,21201,US,39.29,-76.61,9:00-12:00,5,3,2,500,"
        "+1 (410) 555-0123,ring twice,ann@example.com,A-1,2024-07-31\n"
    )
    assert draft == StopDraft(
        client_stop_id="A-1",
        address=Address(
            address1="1 Main St",
            address2="Apt 2",
            city="Baltimore",
            province_code="MD",
            country_code="US",
            zip="21201",
        ),
        contact=Contact(phone="+14105550123", email="ann@example.com"),
        coordinates=Coordinates(latitude=39.29, longitude=-76.61),
        items=(Item(quantity=2, grams=500),),
        note="ring twice",
        duration=from_seconds(300),
        priority=3,
        order_name="Ann",
        time_windows=(TimeWindow(start=TimeOfDay(hours=9), end=TimeOfDay(hours=12)),),
        delivery_date=Date(year=2024, month=7, day=31),
    )


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("header", "value", "expected"),
    [
        ("Order Name", "A", {"order_name": "A"}),
        ("ORDER", "A", {"order_name": "A"}),
        ("Customer-Name", "A", {"order_name": "A"}),
        ("time_windows", "9-12", {"windows": 1}),
        ("Time Window(s)", "9-12", {"windows": 1}),
        ("Service Time (min)", "5", {"duration": "300s"}),
        ("Duration (s)", "90", {"duration": "90s"}),
        ("MINUTES", "5", {"duration": "300s"}),
        ("Qty.", "3", {"items": (Item(quantity=3),)}),
        ("Weight (kg)", "2.5", {"items": (Item(quantity=1, grams=2_500),)}),
        ("kg", "2,5", {"items": (Item(quantity=1, grams=2_500),)}),
        ("weight", "2.5 kg", {"items": (Item(quantity=1, grams=2_500),)}),
        ("Delivery instructions", "ring", {"note": "ring"}),
        ("Priorité", "", {}),
    ],
)
def test_headers_are_forgiving(header: str, value: str, expected: dict[str, object]) -> None:
    draft = only_stop(f'city,"{header}"\nVaduz,"{value}"\n')
    seen = {
        "order_name": draft.order_name,
        "windows": len(draft.time_windows),
        "duration": draft.duration,
        "items": draft.items,
        "note": draft.note,
    }
    assert {key: seen[key] for key in expected} == expected


@pytest.mark.parametrize(
    "headers",
    ["lat,lng", "Latitude,Longitude", "LAT,LON", "y,x", "GPS lat,GPS lng", "lat,long"],
)
def test_coordinates_have_many_headers(headers: str) -> None:
    assert only_stop(f"{headers}\n47.14,9.52\n").coordinates == Coordinates(
        latitude=47.14, longitude=9.52
    )


def test_both_coordinates_may_share_a_cell() -> None:
    assert only_stop('coordinates\n"47.14, 9.52"\n').coordinates == Coordinates(
        latitude=47.14, longitude=9.52
    )


def test_a_window_may_be_two_columns() -> None:
    assert only_stop("city,from,to\nVaduz,9:00,12:00\n").time_windows == (
        TimeWindow(start=TimeOfDay(hours=9), end=TimeOfDay(hours=12)),
    )


@pytest.mark.parametrize(
    "content",
    [
        "city,note\nZürich,ok\n".encode(),
        "\ufeffcity,note\nZürich,ok\n".encode(),
        "city,note\nZürich,ok\n".encode("cp1252"),
        "city\tnote\nZürich\tok\n".encode("utf-16"),
        "city;note\r\nZürich;ok\r\n".encode(),
        "city|note\nZürich|ok\n".encode(),
        "sep=;\ncity;note\nZürich;ok\n".encode(),
        '"city","note"\n"Zürich","ok"'.encode(),
    ],
)
def test_encoding_and_delimiter_are_found_out(content: bytes) -> None:
    sheet = read_stop_sheet(content)
    ((_, draft),) = sheet.stops
    assert isinstance(draft.address, Address)
    assert (draft.address.city, draft.note) == ("Zürich", "ok")
    assert sheet.remarks == ()


def test_a_delimiter_inside_values_does_not_mislead() -> None:
    draft = only_stop("city;latitude;longitude;note\nBern;46,948;7,447;a, b, c, d, e, f\n")
    assert draft.coordinates == Coordinates(latitude=46.948, longitude=7.447)
    assert draft.note == "a, b, c, d, e, f"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "city,latitude\nBern,46.9\n",
            "longitude: is missing beside latitude",
        ),
        (
            "latitude,longitude\n104.9,11.5\n",
            "latitude: 104.9 is outside -90 to 90",
        ),
        (
            "latitude,longitude,duration,priority\nhere,7.4,long,-1\n",
            THREE_PROBLEMS,
        ),
        (
            "name,city\nAnn,\n",
            "an address or coordinates are required; fill city or latitude and longitude",
        ),
        ("city,quantity\nBern,2.5\n", 'quantity: "2.5" is not a whole number'),
        (
            "city,weight\nBern,2.5\n",
            'weight: "2.5" has no unit; write "2.5 kg", or whole grams',
        ),
        ("city,name\n#REF!,Ann\n", "city: holds the spreadsheet error #REF!"),
        (
            "city,timeWindows\nBern,whenever I am in\n",
            'timeWindows: "whenever I am in" is not a time window, such as 9:00-12:00',
        ),
        (
            "city,delivery date\nBern,31/07/2024\n",
            'deliveryDate: "31/07/2024" is no date of the form 2024-07-31',
        ),
        (
            f"city,name\nBern,{'x' * 1_501}\n",
            "name: is longer than 1,500 characters",
        ),
    ],
)
def test_a_bad_row_says_everything_that_is_wrong(text: str, reason: str) -> None:
    assert only_reason(text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "city,Time Slot\nBern,9-12; Call\n",
            'Time Slot: in "9-12; Call", "call" is not a time window, such as 9:00-12:00',
        ),
        (
            "city,Slot\nBern,Call\n",
            'Slot: "Call" is not a time window, such as 9:00-12:00',
        ),
        ("city,Service Time (min)\nBern,LONG\n", 'Service Time (min): "LONG" is not a number'),
        ("city,Qty.\nBern,2.5\n", 'Qty.: "2.5" is not a whole number'),
        ("Lat,Lng\n1,\n", "Lng: is missing beside Lat"),
        ("gps\n1 99x\n", 'gps: in "1 99x", "99x" is not a number of degrees, such as 39.2904'),
        (
            "city,kg\nBern,5 stones\n",
            'kg: in "5 stones", "stones" is no unit of weight; use g, kg, lb or oz',
        ),
        ("city,Order,Customer\nBern,,#REF!\n", "Customer: holds the spreadsheet error #REF!"),
        (f"Street,town\n{'x' * 1_501},Bern\n", "Street: is longer than 1,500 characters"),
        (
            f"city,qty\nBern,{'x' * 200}\n",
            f'qty: "{"x" * 80}\N{HORIZONTAL ELLIPSIS}" is not a whole number',
        ),
    ],
)
def test_a_bad_row_speaks_of_its_own_headers_and_whole_cells(text: str, reason: str) -> None:
    assert only_reason(text) == reason


def test_each_problem_of_a_row_names_its_column_beside_the_reason() -> None:
    (rejected,) = read("Who,Lat,Lng\nAnn,95,x\n").rejected
    assert [(one.column, one.reason) for one in rejected.problems] == [
        ("Lat", "95 is outside -90 to 90"),
        ("Lng", '"x" is not a number of degrees, such as 39.2904'),
    ]
    assert rejected.reason.startswith('Lat: 95 is outside -90 to 90; Lng: "x" is not')


def test_coordinates_that_cannot_be_read_beside_an_address_are_named_by_their_column() -> None:
    (remark,) = read("city,Lat,Lng\nBern,95,7.4\n").remarks
    assert (remark.column, remark.cell) == ("Lat", "95")
    assert remark.message == "95 is outside -90 to 90; left out, the address counts"


def test_a_remark_speaks_of_its_own_header() -> None:
    (remark,) = read("city,Mobile\nBern,me\n").remarks
    assert (remark.column, remark.rows) == ("Mobile", (2,))
    assert remark.message.startswith("not of the form")


def test_rows_have_the_numbers_that_a_spreadsheet_program_shows() -> None:
    sheet = read('city,note\nBern,"two\nlines"\n\n ,\nChur,\nVaduz,ok\n,lost\n')
    assert [row for row, _ in sheet.stops] == [2, 5, 6]
    assert [rejected.row for rejected in sheet.rejected] == [7]


def test_a_row_that_an_unquoted_comma_shifted_is_rejected() -> None:
    sheet = read("name,address1,city\nAnn,1 Main St, Apt 2,Bern\nBob,2 Main St,Bern,,\n")
    assert [row for row, _ in sheet.stops] == [3]
    assert "put a cell that holds the delimiter in quotes" in sheet.rejected[0].reason


def test_a_single_column_of_addresses_needs_no_quotes() -> None:
    draft = only_stop("address\n1 Main St, Baltimore, MD\n")
    assert draft.address == Address(address1="1 Main St, Baltimore, MD")


def test_titles_may_stand_above_the_header() -> None:
    sheet = read("Deliveries of Monday,,\n,,\nname,city,\nAnn,Bern,\n")
    assert [row for row, _ in sheet.stops] == [4]


def test_every_column_is_told_with_what_it_was_taken_for() -> None:
    sheet = read("city,Colour,,Bemerkung\nBern,red,,1\nChur,blue,,2\n")
    assert len(sheet.stops) == 2
    assert [(column.header, column.field) for column in sheet.columns] == [
        ("city", Field.CITY),
        ("Colour", None),
        ("Bemerkung", Field.NOTE),
    ]


def test_a_phone_number_in_national_form_costs_a_remark_not_the_row() -> None:
    sheet = read("city,phone\nBern,031 555 01 23\nChur,0041 81 555 01 23\n")
    assert [row for row, _ in sheet.stops] == [2, 3]
    assert sheet.stops[1][1].contact == Contact(phone="+41815550123")
    assert list(group_remarks(sheet.remarks)) == [
        "phone not of the form +14105550123, nor valid in its row's country, left out, in row 2"
    ]


def test_of_two_columns_of_one_meaning_the_filled_one_counts() -> None:
    sheet = read("city,order,name\nBern,,Ann\nChur,17,Bob\n")
    assert [draft.order_name for _, draft in sheet.stops] == ["Ann", "17"]
    assert [column.field for column in sheet.columns] == [Field.CITY, Field.NAME, Field.NAME]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\n" * 20, "the file is empty"),
        (b"\n" * 20 + b"city\nBern\n", "no header"),
        (
            b"<!doctype html>" + b"x" * 100,
            '"<!doctype html>' + "x" * 65 + '\N{HORIZONTAL ELLIPSIS}"',
        ),
        (b"%PDF-1.7\n", "no spreadsheet, neither CSV nor XLSX"),
        (b"Ann,1 Main St,Baltimore\nBob,2 Main St,Baltimore\n", "no header"),
        (b"name,note\nAnn,hello\n", "no header"),
        (b"latitude,note\n39,hello\n", "no header"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "neither CSV nor XLSX"),
        (b"\xd0\xcf\x11\xe0rest", "old Excel format"),
        (b"PK\x03\x04rest", "damaged or no XLSX"),
        (b"city\n" + b"x" * 200_000, "cannot be read as CSV"),
    ],
)
def test_a_file_that_is_no_table_of_stops_is_one_clear_error(content: bytes, message: str) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(message)):
        read_stop_sheet(content)


def test_cells_of_a_workbook_are_read_as_they_are_shown() -> None:
    sheet = read_stop_sheet(
        xlsx(
            ["Name", "City", "Zip", "Lat", "Lng", "From", "To", "Duration", "Qty", "Date", None],
            [
                "Ann",
                "Baltimore",
                21_201,
                39.29,
                -76.61,
                datetime.time(9, 30),
                datetime.time(12),
                datetime.timedelta(minutes=5),
                2.0,
                datetime.datetime(2024, 7, 31),  # noqa: DTZ001 -- cells know no time zone
                None,
            ],
            [None, None, None],
            ["Bob", *[None] * 10],
        )
    )
    ((row, draft),) = sheet.stops
    assert row == 2
    assert isinstance(draft.address, Address)
    assert draft.address.zip == "21201"
    assert draft.time_windows == (
        TimeWindow(start=TimeOfDay(hours=9, minutes=30), end=TimeOfDay(hours=12)),
    )
    assert draft.duration == "300s"
    assert draft.items == (Item(quantity=2),)
    assert draft.delivery_date == Date(year=2024, month=7, day=31)
    assert sheet.rejected == (
        RejectedRow(
            row=4,
            problems=(
                RowProblem(
                    reason="an address or coordinates are required; "
                    "fill city or latitude and longitude",
                    issue=Issue(type=IssueType.LOCATION_REQUIRED),
                ),
            ),
        ),
    )


CELLS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=6, max_size=6), max_size=4))
def test_whatever_stands_in_the_cells_every_row_is_accounted_for(rows: list[list[str]]) -> None:
    quoted = [",".join(f'"{cell.replace(chr(34), "")}"' for cell in row) for row in rows]
    header = "city,latitude,longitude,timeWindows,duration,quantity"
    sheet = read("\n".join([header, "Bern,,,,,", *quoted]))
    seen = len(sheet.stops) + len(sheet.rejected) - 1
    assert seen == sum(any(cell.replace('"', "").strip() for cell in row) for row in rows)


def test_a_load_in_a_column_of_its_own_counts_before_the_list_as_on_the_command_line() -> None:
    sheet = read_stop_sheet(
        b"name,city,loads,pallets\n"
        b'A,Boston,"{""Pallets"":1.5,""crates"":2}",3\n'
        b'B,Boston,"{""Pallets"":1.5}",\n',
        loads=("pallets",),
    )
    loads = [draft.loads for _, draft in sheet.stops]
    assert loads == [{"pallets": 3, "crates": 2}, {"pallets": 1.5}]
