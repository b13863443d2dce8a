"""The identifier that an organization gets by its name."""

import pytest

from roundsman.domain.organization import slug_of


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Großhandelsgesellschaft Süd", "grosshandelsgesellschaft-sud-0a0b"),
        ("STRASSE & Straße", "strasse-strasse-0a0b"),
        ("Łódź Øst", "lodz-ost-0a0b"),
        ("日本", "organization-0a0b"),
    ],
)
def test_a_slug_loses_no_letter_of_a_latin_name(name: str, slug: str) -> None:
    assert slug_of(name, b"\x0a\x0b") == slug
