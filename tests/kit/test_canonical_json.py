import pytest

from roundsman.kit.canonical_json import Plain, canonical_json


def test_values_are_written_in_one_way_as_rfc_8785_says() -> None:
    value: Plain = {"b": [1, True, 'é\u20ac\u000f\n"\\/\x7f'], "a": {"z": "", "A": -5}, "": False}
    expected = '{"":false,"a":{"A":-5,"z":""},"b":[1,true,"é€\\u000f\\n\\"\\\\/\x7f"]}'
    assert canonical_json(value) == expected.encode()


@pytest.mark.parametrize("value", [1.5, None, {"a": 0.1}, [None], {"é": 1}])
def test_what_could_be_written_in_two_ways_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"canonical|ASCII"):
        canonical_json(value)  # type: ignore[arg-type] # what is refused
