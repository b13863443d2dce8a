import pytest

from roundsman.domain.address import Address
from roundsman.domain.time_window import Date
from roundsman.geocoding.countries import country_code
from roundsman.spreadsheets.column_words import WRITTEN, Field
from roundsman.spreadsheets.columns import fold_header, understand_columns
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

IN_THEIR_LANGUAGES = [
    ("Kunde;Straße;Hausnummer;PLZ;Ort;Land", "Ann;Hauptstr.;5;10115;Berlin;Deutschland", "DE"),
    ("Name;Strasse;Haus-Nr.;Postleitzahl;Stadt;Land", "Ann;Hauptstr.;5;10115;Berlin;D", "DE"),
    ("nom;rue;code postal;ville;pays", "Ann;Hauptstr. 5;10115;Berlin;DE", "DE"),
    ("cliente;calle;código postal;ciudad;país", "Ann;Hauptstr. 5;10115;Berlin;DE", "DE"),
    ("Klant;Straat;Huisnummer;Postcode;Plaats;Land", "Ann;Hauptstr.;5;10115;Berlin;DE", "DE"),
]


@pytest.mark.parametrize(("header", "row", "country"), IN_THEIR_LANGUAGES)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_an_address_is_read_under_headers_of_its_language(
    header: str, row: str, country: str, encoding: str
) -> None:
    sheet = read_stop_sheet(f"{header}\n{row}\n".encode(encoding))
    ((_, draft),) = sheet.stops
    assert sheet.remarks == ()
    assert draft.order_name == "Ann"
    assert isinstance(draft.address, Address)
    assert (draft.address.address1, draft.address.zip, draft.address.city) == (
        "Hauptstr. 5",
        "10115",
        "Berlin",
    )
    assert country_code(draft.address.country_code) == country


IN_ALL_COLUMNS = [
    (
        "Kunde;Ort;Zeitfenster;Dauer;Anzahl;Gewicht (kg);Telefon;Bemerkung;Priorität;Lieferdatum",
        "Ann;Berlin;9 bis 12 Uhr;10 Min.;2;1,5;+4930123456;Hof;1;1.7.2026",
    ),
    (
        "nom;ville;créneau horaire;durée;nb colis;poids (kg);téléphone;remarques;priorité;date",
        "Ann;Berlin;de 9h à 12h;10 minutes;2;1,5;+4930123456;Hof;1;2026-07-01",
    ),
    (
        "cliente;ciudad;horario;duración;bultos;peso (kg);teléfono;observaciones;prioridad;date",
        "Ann;Berlin;de 9 a 12;10 minutos;2;1,5;+4930123456;Hof;1;2026-07-01",
    ),
    (
        "klant;plaats;tijdvak;duur;aantal;gewicht kg;telefoon;opmerking;prioriteit;date",
        "Ann;Berlin;9 tot 12 uur;10 minuten;2;1,5;+4930123456;Hof;1;01.07.2026",
    ),
]


@pytest.mark.parametrize(("header", "row"), IN_ALL_COLUMNS)
def test_other_columns_are_read_under_headers_of_their_language(header: str, row: str) -> None:
    sheet = read_stop_sheet(f"{header}\n{row}\n".encode())
    assert (sheet.remarks, sheet.rejected) == ((), ())
    ((_, draft),) = sheet.stops
    expected = read_stop_sheet(
        b"name,city,time window,duration,quantity,kg,phone,note,priority,delivery date\n"
        b"Ann,Berlin,9:00-12:00,10,2,1.5,+4930123456,Hof,1,2026-07-01\n"
    )
    assert [draft for _, draft in expected.stops] == [draft]
    assert draft.time_windows
    assert draft.duration == "600s"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Name;Ort;von;bis", "Ann;Berlin;9 Uhr;12 Uhr"),
        ("nom;ville;au plus tôt;au plus tard", "Ann;Berlin;9h;midi"),
        ("nombre;ciudad;desde;hasta", "Ann;Berlin;9;12:00"),
        ("naam;plaats;vanaf;tot", "Ann;Berlin;9 uur;12 uur"),
        ("Name;Ort;Uhrzeit von;Uhrzeit bis", "Ann;Berlin;9:00;12:00"),
        ("Name;Ort;Zeit von;Zeit bis", "Ann;Berlin;9 Uhr;12 Uhr"),
        ("Name;Ort;Lieferzeit von;Lieferzeit bis", "Ann;Berlin;9;12"),
        ("Name;Ort;Anlieferung (von);Anlieferung (bis)", "Ann;Berlin;9;12"),
        ("Name;Ort;Zeitfenster Start;Zeitfenster Ende", "Ann;Berlin;9;12"),
        ("Name;Ort;Bis Uhrzeit;Von Uhrzeit", "Ann;Berlin;12;9"),
        ("Name;Ort;Beginn;Ende", "Ann;Berlin;9:00;12:00"),
        ("Name;Ort;ab;bis", "Ann;Berlin;9;12"),
        ("name;city;open;close", "Ann;Berlin;9:00;12:00"),
        ("name;city;opening time;closing time", "Ann;Berlin;9 am;noon"),
        ("name;city;time from;time to", "Ann;Berlin;9;12"),
        ("name;city;delivery_from;delivery_until", "Ann;Berlin;9;12"),
        ("nom;ville;créneau début;créneau fin", "Ann;Berlin;9h;midi"),
        ("nombre;ciudad;hora desde;hora hasta", "Ann;Berlin;9;12"),
        ("naam;plaats;levertijd van;levertijd tot", "Ann;Berlin;9 uur;12 uur"),
    ],
)
def test_a_windows_sides_may_have_columns_of_their_own(header: str, row: str) -> None:
    sheet = read_stop_sheet(f"{header}\n{row}\n".encode())
    expected = read_stop_sheet(b"name,city,from,to\nAnn,Berlin,9:00,12:00\n")
    assert sheet.stops == expected.stops


@pytest.mark.parametrize(
    "header",
    ["Tot", "bis", "von", "Desde", "Des.", "A/B", "ab", "Ende", "close", "Start"],
)
def test_a_short_word_alone_is_not_guessed_at(header: str) -> None:
    sheet = read_stop_sheet(f"name,city,{header}\nAnn,Berlin,12\n".encode())
    assert [column.field for column in sheet.columns if column.header == header] == [None]
    assert sheet.stops == read_stop_sheet(b"name,city\nAnn,Berlin\n").stops


def test_open_alone_is_a_windows_own_column() -> None:
    sheet = read_stop_sheet(b"name,city,open\nAnn,Berlin,9:00-12:00\n")
    assert sheet.stops == read_stop_sheet(b"name,city,from,to\nAnn,Berlin,9:00,12:00\n").stops


@pytest.mark.parametrize("headers", ["Uhrzeit von;Lieferung bis", "delivery to;time to"])
def test_sides_of_different_words_are_no_pair(headers: str) -> None:
    columns = understand_columns(["city", *headers.split(";")])
    assert Field.WINDOW_START not in columns.indexes


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Start,End,Start time,End time", "Depot North,Depot South,9:00,12:00"),
        ("Start time,End time,Start,End", "9:00,12:00,2026-11-30,2026-12-01"),
        ("Begin,Einde,Window", "1,2,9:00-12:00"),
        ("Lieferung von,Lieferung bis,Start,End", "9:00,12:00,Berlin,Potsdam"),
    ],
)
def test_a_pair_of_short_words_is_no_window_beside_a_clear_one(header: str, row: str) -> None:
    sheet = read_stop_sheet(f"name,city,{header}\nAnn,Berlin,{row}\n".encode())
    expected = read_stop_sheet(b"name,city,from,to\nAnn,Berlin,9:00,12:00\n")
    assert (sheet.stops, sheet.remarks) == (expected.stops, expected.remarks)


def test_no_header_means_two_things() -> None:
    meant: dict[str, set[Field]] = {}
    for field, names in WRITTEN.items():
        for name in names.split(","):
            meant.setdefault(fold_header(name), set()).add(field)
    assert not {name: fields for name, fields in meant.items() if len(fields) > 1}


DATED = b"name,city,date\nAnn,Berlin,01/07/2026\nBob,Berlin,31.6.2026\n"


@pytest.mark.parametrize("written", ["46357", "46357.375", "46357,375"])
def test_a_date_that_was_pasted_as_its_number_is_read(written: str) -> None:
    sheet = read_stop_sheet(f'name,city,date\nAnn,Berlin,"{written}"\n'.encode())
    assert sheet.remarks == ()
    ((_, draft),) = sheet.stops
    assert draft.delivery_date == Date(year=2026, month=12, day=1)


def test_another_number_is_no_date() -> None:
    sheet = read_stop_sheet(b"name,city,date\nAnn,Berlin,12345\n")
    assert [remark.cell for remark in sheet.remarks] == ["12345"]


def test_a_date_with_slashes_is_left_out_because_nobody_can_tell() -> None:
    sheet = read_stop_sheet(DATED)
    assert [remark.message for remark in sheet.remarks] == [
        '"01/07/2026" is no date of the form 2024-07-31; left out',
        '"31.6.2026" is no date of the form 2024-07-31; left out',
    ]


@pytest.mark.parametrize(("country", "month"), [("DE", 7), ("US", 1), ("GB", 7)])
def test_a_date_with_slashes_is_read_as_the_country_writes_it(country: str, month: int) -> None:
    (_, draft) = read_stop_sheet(DATED, country=country).stops[0]
    assert isinstance(draft.delivery_date, Date)
    assert draft.delivery_date.month == month


def test_a_house_number_needs_a_street() -> None:
    sheet = read_stop_sheet(b"address,hausnummer,ort\nOn one line 3,5,Bern\n,7,Bern\n")
    addresses = [draft.address for _, draft in sheet.stops]
    assert addresses == [
        Address(address1="On one line 3", city="Bern"),
        Address(address1="7", city="Bern"),
    ]


def test_a_mere_number_is_no_house_number() -> None:
    assert set(understand_columns(["Straße", "Nummer", "número"]).indexes) == {Field.ADDRESS1}


def test_a_header_of_one_word_is_a_place_or_a_country() -> None:
    assert set(understand_columns(["Land", "Ort"]).indexes) == {Field.COUNTRY, Field.CITY}
