"""Decisions §1, Bounds: the most that each field takes, and one more."""

import json
from typing import Any

import pytest
from tests.acceptance.contract.bodies import HERE
from tests.acceptance.contract.installation import Client

STOP = {"coordinates": HERE}

BOUNDS: list[tuple[str, Any, Any]] = [
    ("note", "x" * 10_000, "x" * 10_001),
    ("customSignatureDisclosure", "x" * 10_000, "x" * 10_001),
    ("orderName", "x" * 1_500, "x" * 1_501),
    ("clientStopId", "x" * 255, "x" * 256),
    ("tags", ["t"] * 100, ["t"] * 101),
    ("attributes", [{"key": "k", "value": "v"}] * 100, [{"key": "k", "value": "v"}] * 101),
    ("tasks", [{"title": "t"}] * 100, [{"title": "t"}] * 101),
    ("timeWindows", [{}] * 20, [{}] * 21),
    ("items", [{"name": "i"}] * 499, [{"name": "i"}] * 500),
    ("priority", 1_000_000, 1_000_001),
    ("priority", 0, -1),
    ("duration", "604800s", "604801s"),
    (
        "orderReferenceUrl",
        "https://e.com/" + "x" * (2_048 - 14),
        "https://e.com/" + "x" * (2_049 - 14),
    ),
    ("orderReferenceUrl", "https://e.com/a", "http://e.com/a"),
    ("orderReferenceUrl", "https://e.com/a", "javascript:alert(1)"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("field", "most", "more"), BOUNDS)
def test_a_field_has_its_bounds(client: Client, field: str, most: Any, more: Any) -> None:
    (stop,) = client.post("/stops/imports", [{**STOP, field: most}])["stops"]
    if isinstance(most, list):
        assert len(stop[field]) == len(most)
    else:
        assert stop[field] == most
    refusal = client.refused("POST", "/stops/imports", [{**STOP, field: more}])
    assert (refusal.short, refusal.fields) == ((400, 3), [f"[0].{field}"])


DEEP_BOUNDS: list[tuple[str, Any, Any]] = [
    ("coordinates.latitude", {"coordinates": {"latitude": 90, "longitude": 180}}, 90.1),
    ("coordinates.latitude", {"coordinates": {"latitude": -90, "longitude": -180}}, -90.1),
    ("coordinates.longitude", {"coordinates": {"latitude": 90, "longitude": 180}}, 180.1),
    ("contact.phone", {"contact": {"phone": "+14105550123"}}, "4105550123"),
    ("contact.phone", {"contact": {"phone": "+49301234567"}}, "+0123456789"),
    ("contact.phone", {"contact": {"phone": "+123456789012345"}}, "+1234567890123456"),
    ("contact.email", {"contact": {"email": "a@example.com"}}, "a@"),
    ("contact.company", {"contact": {"company": "x" * 1500}}, "x" * 1501),
    ("items[0].name", {"items": [{"name": "x" * 1500}]}, "x" * 1501),
    ("items[0].quantity", {"items": [{"name": "i", "quantity": 100_000}]}, 100_001),
    ("items[0].quantity", {"items": [{"name": "i", "quantity": 0}]}, -1),
    ("items[0].grams", {"items": [{"name": "i", "grams": 1_000_000_000}]}, 1_000_000_001),
    ("tags[0]", {"tags": ["x" * 1500]}, "x" * 1501),
    (
        "tasks[0].items",
        {"tasks": [{"title": "t", "type": "CHECKBOXES", "items": [{"title": "i"}] * 100}]},
        [{"title": "i"}] * 101,
    ),
    ("deliveryDate.month", {"deliveryDate": {"year": 2024, "month": 12, "day": 1}}, 13),
    ("timeWindows[0].start.hours", {"timeWindows": [{"start": {"hours": 23}}]}, 24),
    ("timeWindows[0].end.minutes", {"timeWindows": [{"end": {"minutes": 59}}]}, 60),
    ("timeWindows[0].end.seconds", {"timeWindows": [{"end": {"seconds": 59}}]}, 60),
]


def replaced(body: Any, path: str, value: Any) -> Any:
    """Return the body with another value at a path such as `items[0].name`."""
    copy = json.loads(json.dumps(body))
    *parents, last = path.replace("[", ".").replace("]", "").split(".")
    place = copy
    for name in parents:
        place = place[int(name)] if name.isdigit() else place[name]
    place[int(last) if last.isdigit() else last] = value
    return copy


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("path", "good", "more"), DEEP_BOUNDS)
def test_a_nested_field_has_its_bounds(client: Client, path: str, good: Any, more: Any) -> None:
    body = {**STOP, **good}
    client.post("/stops/imports", [body])
    refusal = client.refused("POST", "/stops/imports", [replaced(body, path, more)])
    assert refusal.short == (400, 3)
    assert refusal.fields in ([f"[0].{path}"], [f"[0].{path.rpartition('.')[0]}"])
