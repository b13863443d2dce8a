import unicodedata
from typing import Literal

import pytest

from roundsman.domain.model import UNSET
from roundsman.domain.time_window import Date, TimeOfDay
from roundsman.spreadsheets.dates import parse_date, split_day
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

SATURDAY = Date(year=2026, month=11, day=28)


@pytest.mark.parametrize(
    "written",
    [
        "Saturday, November 28, 2026",
        "Sat Nov 28, 2026",
        "28 Nov 2026",
        "28-Nov-26",
        "Sa 28.11.2026",
        "Sa. 28.11.26",
        "Sa, 28.11.2026",
        "Samstag, den 28.11.2026",
        "Samstag, 28. November 2026",
        "28. Nov. 2026",
        "28.Nov.2026",
        "28. Nov. 26",
        "sam. 28/11/2026",
        "samedi 28 novembre 2026",
        "sam. 28 nov. 2026",
        "Samedi le 28 novembre 2026",
        "sáb 28/11/2026",
        "sábado, 28 de noviembre de 2026",
        "28 de noviembre del 2026",
        "sabato 28 novembre 2026",
        "sab 28.11.2026",
        "za 28-11-2026",
        "zaterdag 28 november 2026",
        "za 28 nov. 2026",
        "sobota, 28 listopada 2026",
        "sob. 28.11.2026",
        "28 listopada 2026 r.",
        "28 lis 2026",
        "sábado, 28 de novembro de 2026",
        "sáb. 28 de nov. de 2026",
        "lør, 28.11.2026",
    ],
)
def test_a_day_is_read_as_the_languages_of_the_console_write_it(written: str) -> None:
    assert parse_date(written, "DE") == SATURDAY


@pytest.mark.parametrize(
    ("written", "month"),
    [
        ("3. Jänner 2027", 1),
        ("1er février 2027", 2),
        ("3 março 2027", 3),
        ("3. Mär. 2027", 3),
        ("Mar 3, 2027", 3),
        ("mar. 3 août 2027", 8),
        ("3 kwietnia 2027", 4),
        ("3 mei 2027", 5),
        ("3 giugno 2027", 6),
        ("3 juil. 2027", 7),
        ("poniedziałek, 3 sierpnia 2027", 8),
        ("3 set 2027", 9),
        ("środa 3 października 2027", 10),
        ("terça-feira, 3 de outubro de 2027", 10),
        ("3 dic. 2027", 12),
    ],
)
def test_months_have_their_names_in_each_language(written: str, month: int) -> None:
    found = parse_date(written, "")
    assert (found.year, found.month) == (2027, month)


@pytest.mark.parametrize(
    "written", ["28.11.", "28.11", "Sa 28.11.", "28. November", "samedi 28 nov.", "28/11"]
)
def test_a_day_without_a_year_is_left_out_and_says_why(written: str) -> None:
    sheet = read_stop_sheet(f"Name;Ort;Lieferdatum\nAnn;Berlin;{written}\n".encode(), country="DE")
    assert [remark.message for remark in sheet.remarks] == [
        (
            f'"{written}" names no year; write it with its year, as in 31.7.2024 or 2024-07-31;'
            " left out"
        )
    ]


@pytest.mark.parametrize(
    "written",
    [
        "28.11.2026 - 30.11.2026",
        "28.11.2026 bis 30.11.2026",
        "28.11.2026 - 30.11.",
        "Sa 28.11.2026, So 29.11.2026",
        "28 Nov 2026 to 30 Nov",
        "28.11.2026 10:00 - 30.11.2026 12:00",
        "2026-11-28 2026-11-30",
    ],
)
def test_a_cell_that_names_two_days_is_left_out_and_says_why(written: str) -> None:
    sheet = read_stop_sheet(
        f'Name,Ort,Lieferdatum\nAnn,Berlin,"{written}"\n'.encode(), country="DE"
    )
    ((_, draft),) = sheet.stops
    assert draft.delivery_date is UNSET
    ((remark),) = sheet.remarks
    assert remark.message == f'"{written}" names two days; write one; left out'


@pytest.mark.parametrize(
    "behind",
    [" 10:00-12:00", " 10.30-12.30", "T00:00:00+01:00", " (28. November 2026)", " oder so"],
)
def test_what_stands_behind_a_day_and_is_no_other_day_costs_nothing(behind: str) -> None:
    sheet = read_stop_sheet(f"Name;Ort;Lieferdatum\nAnn;Berlin;28.11.2026{behind}\n".encode())
    ((_, draft),) = sheet.stops
    assert (draft.delivery_date, sheet.remarks) == (SATURDAY, ())


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("header", "cell", "plain"),
    [
        ("Lieferdatum", "3. März 2026", "3.3.2026"),
        ("Lieferdatum", "mié 14 août 2026", "14.8.2026"),
        ("Zeitfenster", "mañana", "8:00-12:00"),
        ("Menge (Stück)", "3", "3"),
    ],
)
def test_letters_with_their_accents_behind_them_are_the_same(
    form: Literal["NFC", "NFD"], header: str, cell: str, plain: str
) -> None:
    bare = header.partition(" (")[0]
    written = unicodedata.normalize(form, f"Name;Ort;{header}\nAnn;Berlin;{cell}\n")
    expected = read_stop_sheet(f"Name;Ort;{bare}\nAnn;Berlin;{plain}\n".encode(), country="DE")
    assert read_stop_sheet(written.encode(), country="DE").stops == expected.stops


@pytest.mark.parametrize("written", ["28. Kisten 2026", "31. Juni 2026", "Samstag", "28. Kisten"])
def test_what_names_no_day_is_no_date(written: str) -> None:
    with pytest.raises(ValueError, match="is no date of the form"):
        parse_date(written, "DE")


@pytest.mark.parametrize("day", ["Sa 28.11.2026", "Samstag, 28. November 2026", "28. Nov. 2026"])
def test_a_windows_cell_may_name_its_day_with_the_weekday(day: str) -> None:
    sheet = read_stop_sheet(f"Name;Ort;Zeitfenster\nAnn;Berlin;{day} 9-12 Uhr\n".encode())
    expected = read_stop_sheet(b"name,city,window,date\nAnn,Berlin,9:00-12:00,2026-11-28\n")
    assert (sheet.stops, sheet.remarks) == (expected.stops, ())


def test_the_hour_behind_a_day_without_a_year_is_no_year() -> None:
    assert split_day("28. Nov. 20 Uhr", "DE") == (None, "28. Nov. 20 Uhr")


@pytest.mark.parametrize("country", ["US", "GB", ""])
@pytest.mark.parametrize(
    ("header", "written"),
    [
        ("Delivery date (dd/mm/yyyy)", "03/12/2026"),
        ("Delivery date [DD-MM-YYYY]", "03-12-2026"),
        ("Delivery date (mm/dd/yyyy)", "12/03/2026"),
        ("Date de livraison (jj/mm/aaaa)", "03/12/2026"),
    ],
)
def test_a_header_that_says_which_comes_first_counts_before_the_country(
    header: str, written: str, country: str
) -> None:
    sheet = read_stop_sheet(f"Name,City,{header}\nAnn,X,{written}\n".encode(), country=country)
    ((_, draft),) = sheet.stops
    assert (draft.delivery_date, sheet.remarks) == (Date(year=2026, month=12, day=3), ())


def test_a_day_that_is_not_as_its_header_says_is_left_out() -> None:
    text = b"Name,City,Delivery date (dd/mm/yyyy)\nAnn,X,12/28/2026\n"
    sheet = read_stop_sheet(text, country="US")
    ((_, draft),) = sheet.stops
    assert draft.delivery_date is UNSET
    assert len(sheet.remarks) == 1


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Von,Bis", "28.11.2026 9:00,28.11.2026 12:00"),
        ("Von,Bis", "28.11.2026 22:00,29.11.2026 2:00"),
        ("Von,Bis", "9:00,28.11.2026 12:00"),
        ("Von 1,Bis 1,Von 2,Bis 2", "9:00,10:00,28.11.2026 14:00,28.11.2026 16:00"),
        ("Von,Bis", "22:00,29.11.2026 2:00"),
        ("Lieferdatum,Von,Bis", "28.11.2026,28.11.2026 9:00,28.11.2026 12:00"),
        ("Lieferdatum,Von,Bis", "28.11.2026,22:00,29.11.2026 2:00"),
        ("Lieferdatum,Von,Bis", "28.11.2026,1900-01-01 09:00:00,1900-01-01 12:00:00"),
        ("Lieferdatum,Von,Bis", "28.11.2026,30.12.1899 9:00,30.12.1899 12:00"),
        ("Lieferdatum,Zeitfenster", "28.11.2026,1970-01-01 9:00-12:00"),
    ],
)
def test_a_side_of_a_window_may_name_the_day_of_its_row(header: str, cells: str) -> None:
    sheet = read_stop_sheet(f"Name,Ort,{header}\nAnn,Berlin,{cells}\n".encode(), country="DE")
    ((_, draft),) = sheet.stops
    assert draft.delivery_date == SATURDAY
    assert draft.time_windows
    assert not [remark for remark in sheet.remarks if "day" in remark.message]


@pytest.mark.parametrize("filler", ["1900-01-01", "1899-12-30", "1970-01-01", "12/30/1899"])
def test_the_day_from_which_programs_count_is_none(filler: str) -> None:
    cells = f"{filler} 09:00:00,{filler} 12:00:00"
    sheet = read_stop_sheet(f"Name,City,From,To\nAnn,Berlin,{cells}\n".encode(), country="DE")
    ((_, draft),) = sheet.stops
    (window,) = draft.time_windows
    assert (draft.delivery_date, window.start) == (UNSET, TimeOfDay(hours=9))
    assert not sheet.remarks


@pytest.mark.parametrize(
    ("header", "cells", "column", "named"),
    [
        ("Lieferdatum,Von,Bis", "28.11.2026,27.11.2026 9:00,12:00", "Von", "27.11.2026 9:00"),
        ("Von,Bis", "28.11.2026 9:00,29.11.2026 12:00", "Bis", "29.11.2026 12:00"),
        ("Lieferdatum,Zeitfenster", "28.11.2026,27.11.2026 9-12", "Zeitfenster", "27.11.2026 9-12"),
    ],
)
def test_a_window_of_another_day_than_its_row_is_remarked_and_refused_where_all_counts(
    header: str, cells: str, column: str, named: str
) -> None:
    content = f"Name,Ort,{header}\nAnn,Berlin,{cells}\n".encode()
    sheet = read_stop_sheet(content, country="DE")
    ((_, draft),) = sheet.stops
    assert draft.delivery_date == SATURDAY
    (remark,) = sheet.remarks
    said = f'"{named}" names another day than 2026-11-28, which counts'
    assert (remark.column, remark.message, remark.is_left_out) == (column, said, False)
    strict = read_stop_sheet(content, country="DE", strict=True)
    (row,) = strict.rejected
    assert [(one.column, one.reason) for one in row.problems] == [(column, said)]
