import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.geocoding.normalization import fold, fold_all


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zürich", "ZURICH"),
        ("São Paulo", "sao  paulo"),
        ("L'Aquila", "L\u2019Aquila"),
        ("L'Aquila", "laquila"),
        ("Saint-Étienne", "saint etienne"),
        ("St. Louis", "Saint Louis"),
        ("Ste. Foy", "sainte-foy"),
        ("Ft. Worth", "Fort Worth"),
        ("Mt Vernon", "mount vernon"),
        ("Großenhain", "Grossenhain"),
        ("København", "kobenhavn"),
        ("Łódź", "lodz"),
        ("Ægir", "aegir"),
        (" , Bonn. ", "bonn"),
        ("Winston_Salem", "Winston-Salem"),
    ],
)
def test_spellings_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("Bern", "Born"), ("大阪", "大阪狭山"), ("東京", "京")])
def test_different_names_stay_different(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_a_name_of_punctuation_folds_to_nothing() -> None:
    assert fold(" -,. ") == ""


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n"), max_size=12)))
def test_many_names_fold_as_each_would_alone(names: list[str]) -> None:
    assert fold_all(names) == [fold(name) for name in names]


@given(st.text(max_size=12))
def test_folding_twice_changes_nothing_that_is_looked_up(name: str) -> None:
    assert fold(fold(name)) == fold(fold(fold(name)))
