"""What a new password must be (decisions §13), and what it need not be."""

import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.password import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    normalized,
    require_good_password,
)

EMAIL = "ann.ames@acme-foods.example"


@pytest.mark.parametrize(
    "password",
    [
        "only small letters here",
        "8273645190",
        "         \N{GRINNING FACE} \N{GRINNING FACE}x",
        "ÄÖÜ ÄÖÜ ÄÖÜ x",
        "the roundsman drives on monday",
        "a1 " * 66 + "zz",
    ],
)
def test_any_characters_will_do_and_64_of_them_and_more(password: str) -> None:
    require_good_password(password, EMAIL)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("x" * (SHORTEST_PASSWORD - 1), "must have 10 to 200 characters"),
        ("xyz" * LONGEST_PASSWORD, "must have 10 to 200 characters"),
        ("ababababab", "is one of the commonest"),
        ("Password123", "is one of the commonest"),
        ("QWERTYUIOP", "is one of the commonest"),
        ("poiuytrewq", "is one of the commonest"),
        ("weihnachtsbaum", "is one of the commonest"),
        ("constitutional", "is one of the commonest"),
        ("ann.ames@acme-foods.example", "must not be the e-mail address"),
        ("Roundsman2024!", "words that anybody would try first"),
        ("acme-foods-2025", "words that anybody would try first"),
        ("AnnAmes 1990", "words that anybody would try first"),
        ("planner-dispatch-1", "words that anybody would try first"),
    ],
)
def test_what_is_short_common_or_guessed_from_the_context_is_refused(
    password: str, why: str
) -> None:
    with pytest.raises(InvalidArgument, match=why) as refused:
        require_good_password(password, EMAIL)
    assert refused.value.violations[0].field == "password"


def test_a_password_is_not_cut_and_keeps_its_case() -> None:
    for password in ("Ab" * (LONGEST_PASSWORD // 2), " Ab cd ", "ß"):
        assert normalized(password) == password
