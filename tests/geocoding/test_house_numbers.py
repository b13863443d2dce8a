import pytest

from roundsman.geocoding.house_numbers import parse_house_numbers


@pytest.mark.parametrize(
    ("written", "doors"),
    [
        ("12", ["12"]),
        ("12a", ["12a"]),
        ("12 A", ["12a"]),
        ("12;14a", ["12", "14a"]),
        ("12,14", ["12", "14"]),
        ("12-16", ["12", "14", "16"]),
        ("12 \N{EN DASH} 16", ["12", "14", "16"]),
        ("11-14", ["11", "12", "13", "14"]),
        ("12a-c", ["12a", "12b", "12c"]),
        ("12-14;20", ["12", "14", "20"]),
        ("37-12", ["37"]),
        ("100-900", ["100"]),
        ("12bis", ["12bis"]),
        ("12/3", ["12/3"]),
        ("5 A 12", ["5a"]),
        ("", []),
        ("Haus Rose", []),
    ],
)
def test_every_door_that_a_number_names_is_found(written: str, doors: list[str]) -> None:
    assert [str(door) for door in parse_house_numbers(written)] == doors
