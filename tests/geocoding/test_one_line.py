import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.address import Address
from roundsman.geocoding.one_line import parse_one_line


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            "Main St 5, Baltimore, MD 21201, US",
            Address(
                address1="Main St 5",
                city="Baltimore",
                province_code="MD",
                zip="21201",
                country_code="US",
            ),
        ),
        ("Vaduz, Liechtenstein", Address(city="Vaduz", country_code="LI")),
        ("Baltimore MD", Address(city="Baltimore", province_code="MD")),
        ("BALTIMORE MD 21201", Address(city="BALTIMORE", province_code="MD", zip="21201")),
        ("New York, New York", Address(city="New York", province_code="New York")),
        ("New York", Address(city="New York")),
        ("21201", Address(zip="21201")),
        ("Los Angeles, CA", Address(city="Los Angeles", province_code="CA")),
        ("Berlin, DE", Address(city="Berlin", province_code="DE")),
        ("10115 Berlin, DE", Address(city="Berlin", zip="10115", country_code="DE")),
        (
            "Damrak 1, 1012 LG Amsterdam, Netherlands",
            Address(address1="Damrak 1", city="Amsterdam", zip="1012 LG", country_code="NL"),
        ),
        (
            "10 Downing St, London SW1A 2AA, UK",
            Address(address1="10 Downing St", city="London", zip="SW1A 2AA", country_code="GB"),
        ),
        (
            "Suite 3, 1 King St W, Toronto ON M5H 1A1, Canada",
            Address(
                address1="Suite 3",
                address2="1 King St W",
                city="Toronto",
                province_code="ON",
                zip="M5H 1A1",
                country_code="CA",
            ),
        ),
        ("San Juan, PR 00901", Address(city="San Juan", province_code="PR", zip="00901")),
        ("FL-9490 Vaduz", Address(city="Vaduz", zip="FL-9490")),
        (
            "Via Roma 1, 20121 Milano, MI, Italy",
            Address(
                address1="Via Roma 1",
                city="Milano",
                zip="20121",
                province_code="MI",
                country_code="IT",
            ),
        ),
        (
            "36 Pool Road, Monaco",
            Address(address1="36 Pool Road", city="Monaco", country_code="MC"),
        ),
        (
            "L-1234 Luxembourg, Luxembourg",
            Address(city="Luxembourg", zip="L-1234", country_code="LU"),
        ),
        ("", Address()),
        (" , ,", Address()),
    ],
)
def test_an_address_on_one_line_comes_apart(written: str, meant: Address) -> None:
    assert parse_one_line(written) == meant


@given(st.text(alphabet="qZ,0 9-\n", max_size=40))
def test_no_letter_or_digit_of_an_unknown_address_is_lost(text: str) -> None:
    parsed = parse_one_line(text)

    def kept(line: str) -> list[str]:
        return sorted(letter for letter in line if letter.isalnum())

    assert kept(parsed.one_line()) == kept(text)


@pytest.mark.parametrize(
    ("written", "country"),
    [
        ("Hauptstr. 120 69117 Heidelberg Deutschland", "DE"),
        ("10 Downing Street SW1A 2AA London United Kingdom", "GB"),
        ("100 Main St 07302 Hoboken New Jersey", ""),
        ("500 Central Ave 87101 Albuquerque New Mexico", ""),
        ("100 Peachtree St 30303 Atlanta Georgia", ""),
        ("Flat 1024 Avenue de France", ""),
        ("12 Rue de France", ""),
    ],
)
def test_a_line_without_commas_ends_with_a_country_only_where_it_is_one(
    written: str, country: str
) -> None:
    assert parse_one_line(written).country_code == country
