import pytest

from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import understand_columns
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet


def read_rows(header: str, row: str) -> StopSheet:
    return read_stop_sheet(f"Name;Ort;{header}\nAnn;Berlin;{row}\n".encode())


TWO_WINDOWS = read_rows("Zeitfenster", "9-11 und 14:00-16:00")


@pytest.mark.parametrize(
    "header",
    [
        "Zeitfenster 1;Zeitfenster 2",
        "Zeitfenster;Zeitfenster 2",
        "Zeitfenster;Zeitfenster",
        "Zeitfenster1;Zeitfenster2",
        "Zeitfenster_1;Zeitfenster_2",
        "Zeitfenster (1);Zeitfenster (2)",
        "Zeitfenster Nr. 1;Zeitfenster Nr. 2",
        "1. Zeitfenster;2. Zeitfenster",
        "Zeitfenster 1 (Uhr);Zeitfenster 2 (Uhr)",
        "Lieferzeit 1;Lieferzeit 2",
        "Time window 1;Time window 2",
        "Window 1;Window 2",
        "Window #1;Window #2",
        "Time window 1;Window 2",
        "1st time window;2nd time window",
        "Créneau 1;Créneau 2",
        "1er créneau;2e créneau",
        "Ventana horaria 1;Ventana horaria 2",
        "Tijdvak 1;Tijdvak 2",
        "1e tijdvak;2e tijdvak",
    ],
)
def test_windows_of_several_columns_add_to_each_other(header: str) -> None:
    sheet = read_rows(header, "9-11;14:00-16:00")
    assert (sheet.stops, sheet.remarks) == (TWO_WINDOWS.stops, ())
    assert [column.field for column in sheet.columns][2:] == [Field.TIME_WINDOWS] * 2


@pytest.mark.parametrize(
    "header",
    [
        "Zeitfenster 1 von;Zeitfenster 1 bis;Zeitfenster 2 von;Zeitfenster 2 bis",
        "Zeitfenster von;Zeitfenster bis;Zeitfenster 2 von;Zeitfenster 2 bis",
        "Zeitfenster von 1;Zeitfenster bis 1;Zeitfenster von 2;Zeitfenster bis 2",
        "1. Zeitfenster von;1. Zeitfenster bis;2. Zeitfenster von;2. Zeitfenster bis",
        "Zeit 1 von (Uhr);Zeit 1 bis (Uhr);Zeit 2 von (Uhr);Zeit 2 bis (Uhr)",
        "von 1;bis 1;von 2;bis 2",
        "von1;bis1;von2;bis2",
        "zeitfenster_1_von;zeitfenster_1_bis;zeitfenster_2_von;zeitfenster_2_bis",
        "Fenster Nr. 1 von;Fenster Nr. 1 bis;Fenster Nr. 2 von;Fenster Nr. 2 bis",
        "Window 1 start;Window 1 end;Window 2 start;Window 2 end",
        "Start time 1;End time 1;Start time 2;End time 2",
        "Open 1;Close 1;Open 2;Close 2",
        "Créneau 1 début;Créneau 1 fin;Créneau 2 début;Créneau 2 fin",
        "Horario 1 desde;Horario 1 hasta;Horario 2 desde;Horario 2 hasta",
        "Tijdvak 1 van;Tijdvak 1 tot;Tijdvak 2 van;Tijdvak 2 tot",
    ],
)
def test_sides_of_several_windows_belong_together_by_their_numbers(header: str) -> None:
    sheet = read_rows(header, "9:00;11:00;14:00;16:00")
    assert (sheet.stops, sheet.remarks) == (TWO_WINDOWS.stops, ())
    names = header.split(";")
    mixed = read_rows(";".join((names[3], names[0], names[2], names[1])), "16:00;9:00;14:00;11:00")
    assert mixed.stops == sheet.stops


FOUR_SIDES = "Zeitfenster 1 von;Zeitfenster 1 bis;Zeitfenster 2 von;Zeitfenster 2 bis"


@pytest.mark.parametrize(
    ("cells", "windows"),
    [
        (";;14:00;16:00", "14:00-16:00"),
        ("9:00;;;16:00", "9:00-16:00"),
        (";11:00;14:00;16:00", "bis 11:00 und 14:00-16:00"),
        ("14:00;16:00;;", "14:00-16:00"),
    ],
)
def test_a_side_that_is_empty_takes_none_of_another_window(cells: str, windows: str) -> None:
    parts = [read_rows("Zeitfenster", part).stops[0][1] for part in windows.split(" und ")]
    ((_, draft),) = read_rows(FOUR_SIDES, cells).stops
    assert draft.time_windows == sum((part.time_windows for part in parts), ())


def test_a_bad_side_of_a_further_window_costs_itself_alone() -> None:
    sheet = read_rows(FOUR_SIDES, "9:00;11:00;#REF!;nie")
    assert sheet.stops == read_rows("Zeitfenster", "9-11").stops
    assert [remark.column for remark in sheet.remarks] == ["Zeitfenster 2 von", "Zeitfenster 2 bis"]


def test_sides_of_more_windows_than_a_stop_may_have_are_left_out() -> None:
    numbers = range(1, 22)
    header = ";".join(f"Zeitfenster {one} von;Zeitfenster {one} bis" for one in numbers)
    sheet = read_rows(header, ";".join(f"{one}:00;{one}:10" for one in numbers))
    ((_, draft),) = sheet.stops
    assert len(draft.time_windows) == 20
    assert [remark.column for remark in sheet.remarks] == ["Zeitfenster 21 bis"]


def test_lines_of_an_order_that_differ_in_a_side_of_a_further_window_are_stops_of_their_own() -> (
    None
):
    sheet = read_stop_sheet(
        f"Name;Ort;Artikel;{FOUR_SIDES}\n"
        "A;Berlin;Apfel;8:00;10:00;14:00;16:00\nA;Berlin;Birne;8:00;10:00;14:00;18:00\n".encode()
    )
    assert [len(draft.items) for _, draft in sheet.stops] == [1, 1]


@pytest.mark.parametrize(
    "header",
    [
        "Zeitfenster 1 von;Zeitfenster 2 bis",
        "Zeitfenster 2 von;Bemerkung",
        "Pause 1 von;Pause 1 bis",
        "Zeitfenster;von 1;bis 1",
    ],
)
def test_numbered_headers_that_are_no_two_sides_of_a_window_are_none(header: str) -> None:
    columns = understand_columns(["Ort", *header.split(";")])
    assert not {Field.WINDOW_START, Field.WINDOW_END} & columns.indexes.keys()


def test_a_unit_behind_the_sides_of_a_window_does_not_hide_them() -> None:
    sheet = read_rows("Zeitfenster von (Uhr);Zeitfenster bis [hh:mm]", "9:00;11:00")
    assert sheet.stops == read_rows("Zeitfenster", "9-11").stops


def test_a_side_that_is_chosen_is_read_there_alone() -> None:
    chosen = {Field.WINDOW_START: "Zeitfenster 2 von"}
    text = f"Name;Ort;{FOUR_SIDES}\nAnn;Berlin;9:00;11:00;10:00;12:00\n".encode()
    ((_, draft),) = read_stop_sheet(text, chosen=chosen).stops
    assert draft.time_windows == read_rows("Zeitfenster", "10-11").stops[0][1].time_windows


def test_an_empty_column_of_windows_adds_nothing() -> None:
    header = "Zeitfenster 1;Zeitfenster 2;Zeitfenster 3"
    assert read_rows(header, "9-11;;14:00-16:00").stops == TWO_WINDOWS.stops
    assert read_rows(header, ";9-11 / 14:00-16:00;").stops == TWO_WINDOWS.stops


def test_a_bad_window_costs_its_own_column_alone() -> None:
    sheet = read_rows("Zeitfenster 1;Zeitfenster 2", "9-11;vorher anrufen")
    assert sheet.stops == read_rows("Zeitfenster", "9-11").stops
    ((remark),) = sheet.remarks
    assert (remark.column, remark.cell) == ("Zeitfenster 2", "vorher anrufen")


def test_what_is_doubtful_about_a_further_window_names_its_column() -> None:
    (remark,) = read_rows("Zeitfenster 1;Zeitfenster 2", "9-11;um 15 Uhr").remarks
    assert (remark.column, remark.cell) == ("Zeitfenster 2", "um 15 Uhr")


def test_a_spreadsheets_error_in_a_further_window_is_left_out() -> None:
    (remark,) = read_rows("Zeitfenster 1;Zeitfenster 2", "9-11;#REF!").remarks
    assert remark.message == "holds the spreadsheet error #REF!; left out"


def test_two_halves_of_a_window_in_two_columns_are_one_window() -> None:
    sheet = read_rows("Zeitfenster 1;Zeitfenster 2", "ab 9 Uhr;bis 12 Uhr")
    assert sheet.stops == read_rows("Zeitfenster", "9:00-12:00").stops


def test_a_column_with_which_a_stop_had_too_many_windows_is_left_out() -> None:
    many = ", ".join(f"{hour}:00-{hour}:10" for hour in range(1, 20))
    kept = read_rows("Zeitfenster 1", many)
    sheet = read_rows("Zeitfenster 1;Zeitfenster 2", f"{many};20:00-20:10, 21:00-21:10")
    assert sheet.stops == kept.stops
    assert [remark.column for remark in sheet.remarks] == ["Zeitfenster 2"]
    ((_, draft),) = read_rows("Zeitfenster 1;Zeitfenster 2", f"{many};20-21").stops
    assert len(draft.time_windows) == 20


def test_of_windows_under_other_words_the_first_filled_counts() -> None:
    sheet = read_rows("Zeitfenster;Öffnungszeiten", "9-11;8-18")
    assert sheet.stops == read_rows("Zeitfenster", "9-11").stops


def test_a_day_in_a_further_window_is_the_stops_day() -> None:
    sheet = read_rows("Zeitfenster 1;Zeitfenster 2", "9-11;28.11.2026 14:00-16:00")
    expected = read_rows("Zeitfenster;Datum", "9-11 und 14:00-16:00;28.11.2026")
    assert sheet.stops == expected.stops


@pytest.mark.parametrize(
    "header",
    [
        "Standzeit (Min.)",
        "Standzeit min",
        "Standzeit in Minuten",
        "Standzeit [min]",
        "Standzeit/Min.",
        "Aufenthalt (Min)",
        "Aufenthalt",
        "Entladezeit (Minuten)",
        "Service time (min)",
        "Service time (m)",
        "Temps d'arrêt (min)",
        "Temps de service en minutes",
        "Tiempo de servicio (minutos)",
        "Lostijd (min.)",
        "Lostijd in minuten",
    ],
)
def test_minutes_behind_a_header_do_not_hide_it(header: str) -> None:
    assert read_rows(header, "10").stops[0][1].duration == "600s"


@pytest.mark.parametrize(
    "header",
    [
        "Standzeit (Sek.)",
        "Standzeit Sekunden",
        "Aufenthalt (s)",
        "Unloading time [sec]",
        "Temps d'arrêt (secondes)",
        "Tiempo de parada (seg)",
        "Lostijd (seconden)",
    ],
)
def test_seconds_behind_a_header_are_seconds(header: str) -> None:
    assert read_rows(header, "90").stops[0][1].duration == "90s"


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Lieferdatum (TT.MM.JJJJ)", Field.DELIVERY_DATE),
        ("Uhrzeit (von-bis)", Field.TIME_WINDOWS),
        ("Menge (Stk.)", Field.QUANTITY),
        ("Bemerkung 2", Field.NOTE),
        ("Telefon 1", Field.PHONE),
    ],
)
def test_other_fields_have_their_additions(header: str, field: Field) -> None:
    assert field in understand_columns(["Ort", header]).indexes


@pytest.mark.parametrize(
    "header",
    ["Standzeit (h)", "Ort 2", "Kunde 7", "Zeit (Min.)", "Anfahrt (Min.)", "Gewicht (Min.)", "2"],
)
def test_an_addition_makes_no_meaning(header: str) -> None:
    columns = understand_columns(["PLZ", header])
    assert set(columns.indexes) == {Field.ZIP}


def test_short_words_are_no_window_beside_a_numbered_one() -> None:
    columns = understand_columns(["Ort", "Start", "Ende", "Zeitfenster 1"])
    assert Field.WINDOW_START not in columns.indexes


@pytest.mark.parametrize(
    ("cells", "skills", "left_out"),
    [
        ("cold;crane", ("cold", "crane"), []),
        (";crane", ("crane",), []),
        ("cold;#REF!", ("cold",), ["required skills"]),
        ("#REF!;crane", ("crane",), ["skills"]),
        ('"[""two, in one""]";crane, cold', ("two, in one", "crane", "cold"), []),
        ("cold;[", ("cold",), ["required skills"]),
    ],
)
def test_skills_of_several_columns_add_to_each_other_and_a_bad_cell_costs_itself_alone(
    cells: str, skills: tuple[str, ...], left_out: list[str]
) -> None:
    sheet = read_rows("skills;required skills", cells)
    ((_, draft),) = sheet.stops
    assert set(draft.required_skills) == set(skills)
    assert [remark.column for remark in sheet.remarks] == left_out


def test_lines_of_an_order_that_differ_in_a_further_window_are_stops_of_their_own() -> None:
    sheet = read_stop_sheet(
        b"Name,City,Item,Time window 1,Time window 2\n"
        b"A,Berlin,apple,8-10,14-16\nA,Berlin,pear,8-10,14-16\nA,Berlin,plum,8-10,16-18\n"
    )
    assert [len(draft.items) for _, draft in sheet.stops] == [2, 1]
