from roundsman.domain.password import SHORTEST_PASSWORD
from roundsman.kit.common_passwords import is_common_password, list_common_passwords


def test_more_than_three_thousand_are_known_each_long_enough_to_be_tried() -> None:
    known = list_common_passwords()
    assert len(known) == 15_088
    assert min(map(len, known)) == SHORTEST_PASSWORD
    assert known == {one.strip().casefold() for one in known}


def test_a_common_password_is_one_in_whatever_case() -> None:
    assert is_common_password("qwertyuiop")
    assert is_common_password("QwertyUIOP")
    assert is_common_password("roundsman123")
    assert not is_common_password("qwertyuiop and more")
    assert not is_common_password("")
