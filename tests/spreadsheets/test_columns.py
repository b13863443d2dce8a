import pytest

from roundsman.domain.address import Address
from roundsman.geocoding.countries import country_code
from roundsman.spreadsheets.columns import Field, understand_columns
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
    assert sheet.warnings == ()
    assert draft.order_name == "Ann"
    assert isinstance(draft.address, Address)
    assert (draft.address.address1, draft.address.zip, draft.address.city) == (
        "Hauptstr. 5",
        "10115",
        "Berlin",
    )
    assert country_code(draft.address.country_code) == country


def test_a_house_number_needs_a_street() -> None:
    sheet = read_stop_sheet(b"address,hausnummer,ort\nOn one line 3,5,Bern\n,7,Bern\n")
    addresses = [draft.address for _, draft in sheet.stops]
    assert addresses == [
        Address(address1="On one line 3", city="Bern"),
        Address(address1="7", city="Bern"),
    ]


def test_a_mere_number_is_no_house_number() -> None:
    assert understand_columns(["Straße", "Nummer", "número"]).unknown == ("Nummer", "número")


def test_a_header_of_one_word_is_a_place_or_a_country() -> None:
    assert set(understand_columns(["Land", "Ort"]).places) == {Field.COUNTRY, Field.CITY}
