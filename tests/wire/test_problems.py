"""However many faults a body has, only so many are listed, and only so much is looked at."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.queries import ListRoutes
from roundsman.wire.driver.actions import read_batch
from roundsman.wire.field_mask import read_update
from roundsman.wire.json_text import parse_json
from roundsman.wire.problems import MOST_COUNTED
from roundsman.wire.query import read_query
from roundsman.wire.reading import UnreadableBody, read_value
from roundsman.wire.v2024_07.imported_stops import IMPORTED_STOP_UPDATE, StopImport


class Watched(dict[str, Any]):
    """An object that counts how many of its names somebody walks over."""

    walked = 0

    def __iter__(self) -> Iterator[str]:
        for name in super().__iter__():
            self.walked += 1
            yield name

    def items(self) -> Any:
        return [(name, self[name]) for name in self]


class WatchedList(list[Any]):
    """An array that counts how many of its elements somebody reads."""

    walked = 0

    def __iter__(self) -> Iterator[Any]:
        for element in super().__iter__():
            self.walked += 1
            yield element


def refusal_of(value: object, shape: Any = StopDraft) -> UnreadableBody:
    with pytest.raises(UnreadableBody) as caught:
        read_value(value, shape)
    return caught.value


@pytest.mark.spec("decisions §1")
def test_a_hundred_are_listed_and_the_rest_is_counted() -> None:
    refusal = refusal_of({f"no{number}": 1 for number in range(150)})
    assert (len(refusal.violations), refusal.more) == (100, 50)
    assert refusal_of({f"no{number}": 1 for number in range(100)}).more == 0
    many = refusal_of({**{f"no{number}": 1 for number in range(150)}, "note": 1, "tags": 1})
    assert (len(many.violations), many.more) == (100, 52)


def test_of_a_crowd_of_names_only_those_that_are_listed_are_looked_at() -> None:
    crowd = Watched({f"no{number}": 1 for number in range(200_000)})
    crowd["note"] = 1
    refusal = refusal_of(crowd)
    assert len(refusal.violations) + refusal.more == 200_001
    assert crowd.walked < 1_000


def test_reading_stops_where_nobody_would_count_any_more() -> None:
    element = {f"no{number}": 1 for number in range(90)}
    items = [WatchedList([element] * 499) for _ in range(100)]
    refusal = refusal_of([{"items": item} for item in items], StopImport)
    assert MOST_COUNTED <= len(refusal.violations) + refusal.more < MOST_COUNTED + 200
    assert sum(item.walked for item in items) * 90 < MOST_COUNTED + 200
    assert refusal.readable is None
    assert refusal.violations[99].field == "[0].items[1].no9"


def test_what_was_meant_is_looked_for_ten_times_and_never_for_a_long_name() -> None:
    told = [one.description for one in refusal_of({f"not{n}": 1 for n in range(50)}).violations]
    assert sum("did you mean" in one for one in told) == 10
    (long,) = refusal_of({"note" * 20: 1}).violations
    assert "did you mean" not in long.description


@pytest.mark.spec("decisions §1")
def test_a_name_is_told_back_in_part_wherever_it_stands() -> None:
    name = "x" * 5_000
    refused = refusal_of({name: 1})
    (violation,) = refused.violations
    assert violation.field == name[:100]
    assert refused.message == f'unknown field "{name[:100]}"'
    reads: list[Callable[[], object]] = [
        lambda: parse_json(b'{"%b": 1, "%b": 2}' % (name.encode(), name.encode())),
        lambda: read_update(parse_json(b'{"%b": 1, "updateMask": "note"}' % name.encode()), UPDATE),
        lambda: read_query(f"{name}=1", ListRoutes),
        lambda: read_query(f"{name}=1&{name}=2", ListRoutes),
        lambda: read_batch(b'{"%b": 1}' % name.encode()).actions,
    ]
    for read in reads:
        with pytest.raises(InvalidArgument) as caught:
            read()
        told = [one.field + one.description for one in caught.value.violations]
        assert max(len(one) for one in (caught.value.message, *told)) < 300


UPDATE = IMPORTED_STOP_UPDATE


@pytest.mark.spec("decisions §1")
def test_a_mask_has_a_length() -> None:
    for mask, field in (("note," * 400 + "note", "updateMask"), ("x" * 2_001, "updateMask")):
        with pytest.raises(InvalidArgument) as caught:
            read_update(
                parse_json(b'{"importedStop": {}, "updateMask": "%b"}' % mask.encode()), UPDATE
            )
        (violation,) = caught.value.violations
        assert violation.field == field
        assert violation.description.startswith("must have at most 2000 characters")
    fits = ",".join(["note"] * 400)
    assert len(fits) < 2_000
    read_update(parse_json(b'{"importedStop": {}, "updateMask": "%b"}' % fits.encode()), UPDATE)


def test_a_query_has_a_length() -> None:
    with pytest.raises(InvalidArgument, match="at most 8192"):
        read_query("&".join(f"query.limi{number}=1" for number in range(600)), ListRoutes)


def test_the_first_repeated_key_is_named_however_many_there_are() -> None:
    keys = ",".join(f'"{number}":1' for number in range(100_000))
    with pytest.raises(InvalidArgument, match='key "99999" is given twice'):
        parse_json(f'{{{keys},"99999":1,"0":1}}'.encode())


def test_a_batch_of_wrong_actions_names_only_so_much() -> None:
    wrong = b'{"kind": "POSITION", %b}' % b",".join(b'"no%d": 1' % n for n in range(40))
    read = read_batch(b'{"actions": [%b]}' % b",".join([wrong] * 500)).actions
    refusals = [one.refusal for one in read if one.refusal is not None]
    told = [v.description for refusal in refusals for v in refusal.field_violations]
    assert len(refusals) == 500
    assert all(refusal.message for refusal in refusals)
    assert len(told) < 1_200
    assert sum("did you mean" in one for one in told) <= 10
