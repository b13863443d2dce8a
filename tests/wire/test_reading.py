from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.route_actions import Photo
from roundsman.domain.store_order import StoreOrderDraft
from roundsman.domain.task import TaskTemplate
from roundsman.domain.time_window import Date
from roundsman.domain.webhook_subscription import WebhookSubscriptionDraft
from roundsman.wire.reading import UnreadableBody, read_body, read_value

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


@pytest.mark.spec("decisions §1")
def test_a_rule_between_fields_is_told_beside_what_cannot_be_read() -> None:
    problems = problems_of({"note": 1, "type": "BREAK", "nope": 1}, StopDraft)
    assert sorted(field for field, _ in problems) == ["nope", "note", "type"]
    both = ["STOP_UPDATED", "STOP_STATUS_UPDATED", "TEST", "TEST"]
    told = problems_of({"url": "https://example.com", "topics": both}, WebhookSubscriptionDraft)
    assert [field for field, _ in told] == ["topics", "topics"]


@pytest.mark.spec("decisions §1")
def test_a_rule_says_nothing_of_a_field_that_cannot_be_read() -> None:
    line = {"name": "Box", "quantity": "3", "fulfilledQuantity": 2}
    problems = problems_of({"items": [line]}, StoreOrderDraft)
    assert [field for field, _ in problems] == ["items[0].quantity"]


def test_what_can_be_read_of_a_bad_body_is_kept() -> None:
    with pytest.raises(UnreadableBody) as caught:
        read_value({"note": 1, "orderName": "#1", "coordinates": {"latitude": 1}}, StopDraft)
    readable: Any = caught.value.readable
    assert (readable.note, readable.coordinates.longitude) == (None, None)
    assert (readable.order_name, bool(readable.address)) == ("#1", False)


def test_half_a_character_in_a_field_name_can_be_answered() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_body(b'{"\\ud800": 1}', StopDraft)
    (violation,) = refused.value.violations
    for told in (violation.field, violation.description, refused.value.message):
        assert told.encode()


def test_a_rule_is_told_beside_a_required_field_that_is_missing() -> None:
    date = {"month": 2, "day": 30}
    assert [field for field, _ in problems_of(date, Date)] == ["year", "day"]
    assert [field for field, _ in problems_of({**date, "day": 29}, Date)] == ["year"]
    assert [field for field, _ in problems_of({**date, "year": 2024}, Date)] == ["day"]
    assert [field for field, _ in problems_of({"year": 2023, "month": 2, "day": 29}, Date)] == [
        "day"
    ]
    assert read_value({"year": 2024, "month": 2, "day": 29}, Date).day == 29
    photo = {"id": "1", "kind": "PHOTO", "place": "START", "stopId": "rst-1"}
    told = [field for field, _ in problems_of(photo, Photo)]
    assert "stopId" in told
    assert "uploadId" in told
