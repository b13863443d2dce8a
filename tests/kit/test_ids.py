import re
from uuid import RFC_4122, UUID

from roundsman.kit.ids import RandomIds, derived_id, new_request_id


def test_random_ids_are_version_4_uuids_in_their_usual_form() -> None:
    ids = RandomIds()
    drawn = [ids.new_uuid() for _ in range(1_000)]
    assert len(set(drawn)) == len(drawn)
    for text in drawn:
        read = UUID(text)
        assert (str(read), read.version, read.variant) == (text, 4, RFC_4122)


def test_every_bit_that_may_be_random_is() -> None:
    ids = RandomIds()
    drawn = [int(ids.new_uuid().replace("-", ""), 16) for _ in range(200)]
    ever_set, always_set = 0, (1 << 128) - 1
    for number in drawn:
        ever_set |= number
        always_set &= number
    version_and_variant = 0b0100 << 76 | 0b10 << 62
    fixed = 0b1111 << 76 | 0b11 << 62
    assert always_set == version_and_variant
    assert ever_set == (1 << 128) - 1 ^ fixed | version_and_variant


def test_requests_are_called_differently_in_plain_characters() -> None:
    ids = RandomIds()
    drawn = {new_request_id(ids) for _ in range(1_000)}
    assert len(drawn) == 1_000
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in drawn)


def test_the_same_parts_always_make_the_same_id_and_other_parts_another() -> None:
    made = derived_id("job", "a", "b")
    assert made == derived_id("job", "a", "b") == "job-" + str(UUID(made.removeprefix("job-")))
    others = [("a b",), ("ab",), ("b", "a"), ("a", "b", "")]
    assert len({made, *(derived_id("job", *parts) for parts in others)}) == 5
