import pytest

from roundsman.geocoding.countries import country_code
from roundsman.kit.phones import parse_phone
from roundsman.spreadsheets.stop_sheet import read_stop_sheet


@pytest.mark.parametrize(
    ("written", "country", "phone"),
    [
        ("+1 (410) 555-0123", "", "+14105550123"),
        ("0041 44 668 18 00", "", "+41446681800"),
        ("tel:+41446681800", "", "+41446681800"),
        ("+49 (0)6221 54-0", "", "+496221540"),
        ("+49 (0)6221 54-0", "US", "+496221540"),
        ("044 668 18 00", "CH", "+41446681800"),
        ("232 41 11", "li", "+4232324111"),
        ("(202) 456-1111", "US", "+12024561111"),
        ("1-202-456-1111", "US", "+12024561111"),
        ("09 310 1691", "FI", "+35893101691"),
    ],
)
def test_a_number_is_kept_in_its_international_form(written: str, country: str, phone: str) -> None:
    assert parse_phone(written, country) == phone


@pytest.mark.parametrize(
    ("written", "country"),
    [
        ("044 668 18 00", ""),
        ("044 668 18 00", "Switzerland"),
        ("044 668 18 00", "XX"),
        ("12", "CH"),
        ("555-0123", "US"),
        ("call me", "CH"),
        ("+0 123", "CH"),
        ("+1234567890123456", ""),
    ],
)
def test_what_may_be_a_number_of_anywhere_is_not_guessed(written: str, country: str) -> None:
    with pytest.raises(ValueError, match=r"is n(o|ot) "):
        parse_phone(written, country)


def test_the_country_may_be_written_out_for_who_knows_countries() -> None:
    content = b"city,country,phone\nBern,Schweiz,031 322 21 11\n"
    (_, draft) = read_stop_sheet(content, country_code).stops[0]
    assert draft.contact
    assert draft.contact.phone == "+41313222111"
    (_, draft) = read_stop_sheet(content).stops[0]
    assert not draft.contact
