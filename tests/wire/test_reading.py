from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.task import TaskTemplate
from roundsman.wire.reading import read_body, read_value

ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def refusal_of(read: Callable[[], object]) -> InvalidArgument | None:
    try:
        read()
    except InvalidArgument as error:
        return error
    return None


def problems_of(value: object, shape: type) -> list[tuple[str, str]]:
    with pytest.raises(InvalidArgument) as caught:
        read_value(value, shape)
    return [(violation.field, violation.description) for violation in caught.value.violations]


@pytest.mark.spec("decisions §1")
@given(ANY_JSON)
def test_any_json_is_read_or_refused_by_name(value: Any) -> None:
    names = {"items", "timeWindows", "priority", "contact", "note"}
    for body in (value, dict.fromkeys(names, value)):
        refusal = refusal_of(partial(read_value, body, StopDraft))
        assert refusal is None or all(found.description for found in refusal.violations)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    refusal = refusal_of(partial(read_body, raw, StopDraft))
    assert refusal is None or refusal.message


def test_items_belong_to_boxes_and_buttons() -> None:
    ((field, _),) = problems_of({"type": "TEXT_INPUT", "items": [{}]}, TaskTemplate)
    assert field == "items"


def test_a_path_tells_the_way_to_the_problem() -> None:
    ((field, description),) = problems_of(
        {"timeWindows": [{}, {"start": {"hours": "9"}}]}, StopDraft
    )
    assert (field, description) == ("timeWindows[1].start.hours", "must be an integer")


@pytest.mark.spec("decisions §1")
def test_an_unknown_enum_value_lists_the_allowed_ones() -> None:
    ((_, description),) = problems_of({"type": "PARCEL"}, StopDraft)
    assert description == "must be one of UNKNOWN, DELIVERY, PICKUP, TASK, BREAK"


def test_an_unknown_field_without_a_likeness_is_just_unknown() -> None:
    ((_, description),) = problems_of({"qqq": 1}, StopDraft)
    assert description == 'unknown field "qqq"'


def test_half_a_character_in_a_field_name_can_be_answered() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_body(b'{"\\ud800": 1}', StopDraft)
    (violation,) = refused.value.violations
    for told in (violation.field, violation.description, refused.value.message):
        assert told.encode()
