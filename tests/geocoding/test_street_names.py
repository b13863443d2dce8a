import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.geocoding.street_names import fold_code, street_name
from roundsman.geocoding.written_street import read_street


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Main St", "MAIN STREET"),
        ("St Paul St", "Saint Paul Street"),
        ("N. Main Ave.", "North Main Avenue"),
        ("Main St N", "Main Street North"),
        ("Hagstr.", "Hagstraße"),
        ("Hag Str", "Hag Strasse"),
        ("Hagstr", "Hag Strasse"),
        ("Rathauspl.", "Rathausplatz"),
        ("Mühleholzstraße", "Muehleholzstrasse"),
        ("Annank.", "Annankatu"),
        ("Mannerheimint.", "Mannerheimintie"),
        ("Bd Voltaire", "boulevard Voltaire"),
        ("Martin Luther King Jr Blvd", "Martin Luther King Junior Boulevard"),
        ("O'Donnell Street", "ODonnell St"),
    ],
)
def test_spellings_of_one_street_are_compared_alike(one: str, other: str) -> None:
    assert street_name(one).compact() == street_name(other).compact()


@pytest.mark.parametrize(
    ("one", "other"), [("North Park Ave", "South Park Ave"), ("Park Ave", "Park Road")]
)
def test_other_directions_and_kinds_are_other_streets_of_one_core(one: str, other: str) -> None:
    assert street_name(one).compact() != street_name(other).compact()
    assert street_name(one).core == street_name(other).core


@pytest.mark.parametrize(
    ("line", "street", "doors"),
    [
        ("123 Main St", "Main St", ["123"]),
        ("123 S Main St", "S Main St", ["123"]),
        ("123a Main St", "Main St", ["123a"]),
        ("Hauptstr. 12a", "Hauptstr.", ["12a"]),
        ("Hauptstr. 12 - 16", "Hauptstr.", ["12", "14", "16"]),
        ("Hagstr.5", "Hagstr.", ["5"]),
        ("Straße des 17. Juni 135", "Straße des 17. Juni", ["135"]),
        ("1200 40th Street", "40th Street", ["1200"]),
        ("123 Main St Apt 4B", "Main St", ["123"]),
        ("Suite 3, 1 King St W", "King St W", ["1"]),
        ("12 bis rue Foo", "rue Foo", ["12bis"]),
        ("No. 5 High Street", "High Street", ["5"]),
        ("Kirchgasse", "Kirchgasse", []),
    ],
)
def test_number_and_street_are_told_apart(line: str, street: str, doors: list[str]) -> None:
    first = read_street(line)[0]
    assert first.street == street
    assert [str(door) for door in first.doors] == doors


def test_a_finnish_flat_is_no_house_number() -> None:
    readings = read_street("Mannerheimintie 5 A 12")
    assert ("Mannerheimintie", "5a") in [
        (reading.street, str(reading.doors[0])) for reading in readings if reading.doors
    ]


def test_a_second_line_may_hold_the_street() -> None:
    streets = [reading.street for reading in read_street("Acme Foods", "1 King St")]
    assert "King St" in streets


@given(st.text(max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    assert len(read_street(text)) <= 6
    assert street_name(text).compact() == street_name(text.upper()).compact() or not text.isascii()


def test_postal_codes_are_compared_without_spaces_and_case() -> None:
    assert fold_code("SW1A 2AA") == fold_code("sw1a2aa")


def test_a_letter_after_the_number_may_be_the_street() -> None:
    streets = {(one.street, one.doors[0].number) for one in read_street("16 H St") if one.doors}
    assert ("H St", 16) in streets
