import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet

DAY = "".join(f"Stop {number},{number} Main St,Bern\n" for number in range(5, 12))


def read(text: str) -> StopSheet:
    return read_stop_sheet(text.encode())


@pytest.mark.parametrize(
    "rows",
    [
        'Bob,"2 Main St,Bern\n' + DAY,
        'Bob,"2 Main St,Bern',
        'Bob,"2 Main St,Bern\n' + DAY + 'Zoe,"9 Main St, left",Bern\n',
        'Bob,"2 Main St,Bern\n' + DAY + 'Zoe,9 Main St",Bern\n',
        'Bob,"2 Main St,Bern\r\n' + DAY.replace("\n", "\r\n") * 1_000,
    ],
    ids=["never", "never, in the last row", "by another's", "by one astray", "beyond any cell"],
)
def test_a_quotation_mark_that_is_not_closed_is_refused_where_it_opens(rows: str) -> None:
    with pytest.raises(InvalidArgument, match=r"row 3 opens a quotation mark .* near 2 Main St"):
        read("name,address1,city\nAnn,1 Main St,Bern\n" + rows)


def test_a_mark_that_opens_in_the_header_is_found_there() -> None:
    with pytest.raises(InvalidArgument, match="row 1 opens a quotation mark"):
        read('name,"address1,city\n' + DAY)


@pytest.mark.parametrize(
    "cell",
    [
        '"ring,\nthen wait"',
        '"ring\n\n\n\n\nthen wait"',
        '"first, left\nsecond, right\nthird, ""left""\n4, 5\n6, 7"',
        '5" pipe',
        '"5"" pipe"',
        '"5" pipe',
        '"a;b\nc"',
        '""',
        '"ring\nthen wait" ',
    ],
)
def test_marks_that_are_closed_are_left_alone(cell: str) -> None:
    sheet = read(f"name,note,city\nAnn,{cell},Bern\nBob,,Bern\n")
    assert [(draft.order_name, draft.address) for _, draft in sheet.stops] == [
        ("Ann", sheet.stops[1][1].address),
        ("Bob", sheet.stops[1][1].address),
    ]


def test_lines_with_a_comma_each_are_text_where_rows_have_two_cells() -> None:
    sheet = read('note,city\n"one, a\ntwo, b\nthree, c\nfour, d\nfive, e",Bern\n')
    assert sheet.stops[0][1].note.endswith("five, e")


def test_a_cell_over_lines_is_read_whole_with_semicolons_too() -> None:
    sheet = read('name;note;city\nAnn;"ring;\nthen, wait";Bern\n"Bob";"left\nright";"Chur"\n')
    assert [draft.note for _, draft in sheet.stops] == ["ring;\nthen, wait", "left\nright"]
