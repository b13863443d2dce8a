"""Update masks and locations: decisions §1, §6, §7 and §12."""

from typing import Any

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    BERLIN,
    FULL_STOP,
    HERE,
    NOWHERE,
    at,
    new_route,
    new_stops,
)
from tests.acceptance.contract.installation import Client

STOP_FIELDS: list[tuple[str, Any, Any]] = [
    ("timeWindows", [{"start": {"hours": 1}}], []),
    ("attributes", [{"key": "a", "value": "b"}], []),
    ("priority", 3, 0),
    ("duration", "60s", None),
    ("orderName", "#2", ""),
    ("deliveryDate", {"year": 2025, "month": 1, "day": 31}, None),
    ("type", "PICKUP", "UNKNOWN"),
    ("customSignatureDisclosure", "yes", ""),
    ("orderReferenceUrl", "https://example.com/2", ""),
    ("note", "other", ""),
    ("contact", {"firstName": "Bo"}, None),
    ("tags", ["b"], []),
]
ROUTE_FIELDS: list[tuple[str, Any, Any]] = [
    ("name", "Tuesday", "#1"),
    ("scheduledFor", "2024-07-02T08:00:00Z", None),
    ("note", "n", ""),
    ("tags", ["a"], []),
    ("defaultStopDuration", "60s", None),
    ("maxDuration", "3600s", None),
    ("maxStops", 5, 0),
    ("maxItemCount", 7, 0),
    ("maxKilograms", 2.5, 0),
    ("avoidTolls", True, False),
    ("avoidUTurns", True, False),
    ("speedFactor", 2, 1),
]
BAD_MASKS = [
    "",
    " ",
    ",",
    "nope",
    "note,,tags",
    "note,nope",
    "contact.phone",
    "Note",
    "id",
    "items",
]


def imported(client: Client) -> tuple[str, str, Any]:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    return f"/stops/imports/{stop['id']}", "importedStop", stop


def on_a_route(client: Client) -> tuple[str, str, Any]:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client, stop)
    (copy,) = route["stops"]
    return f"/routes/{route['id']}/stops/{copy['id']}", "routeStop", copy


def is_shown(answer: Any, field: str, value: Any) -> bool:
    """Whether the answer shows the value, or nothing where nothing is what is expected."""
    if value is None:
        return field not in answer
    if isinstance(value, dict):
        return all(answer[field][name] == part for name, part in value.items())
    if field == "timeWindows" and value:
        return bool(answer[field][0]["start"] == {"hours": 1, "minutes": 0, "seconds": 0})
    return bool(answer[field] == value)


@pytest.mark.spec("decisions §6")
@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("make", [imported, on_a_route])
@pytest.mark.parametrize(("field", "value", "cleared"), STOP_FIELDS)
def test_each_field_of_a_stop_is_set_ignored_and_cleared_by_mask(
    client: Client, make: Any, field: str, value: Any, cleared: Any
) -> None:
    path, name, before = make(client)
    unmasked = "tags" if field == "note" else "note"
    kept = client.patch(
        path, {name: {field: value, unmasked: before[unmasked]}, "updateMask": unmasked}
    )
    assert kept[field] == before[field]
    changed = client.patch(path, {name: {field: value}, "updateMask": f" {field} "})
    assert is_shown(changed, field, value)
    assert client.get(path) == changed
    others = {field, "updatedAt", "importedAt", "plannedArrival", "updatedArrival"}
    assert {k: v for k, v in changed.items() if k not in others} == {
        k: v for k, v in before.items() if k not in others
    }
    emptied = client.patch(path, {name: {}, "updateMask": field})
    assert is_shown(emptied, field, cleared)
    assert client.get(path) == emptied


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("make", [imported, on_a_route])
def test_spaces_stand_around_commas_and_null_clears(client: Client, make: Any) -> None:
    path, name, _ = make(client)
    body = {name: {"note": "new", "tags": None}, "updateMask": "note , tags,priority"}
    changed = client.patch(path, body)
    assert (changed["note"], changed["tags"], changed["priority"]) == ("new", [], 0)


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("mask", BAD_MASKS)
@pytest.mark.parametrize("make", [imported, on_a_route])
def test_a_bad_mask_of_a_stop_is_named_with_the_allowed_paths(
    client: Client, make: Any, mask: str
) -> None:
    path, name, _ = make(client)
    before = client.get(path)
    refusal = client.refused("PATCH", path, {name: {"note": "new"}, "updateMask": mask})
    assert (refusal.short, set(refusal.fields)) == ((400, 3), {"updateMask"})
    assert "orderReferenceUrl" in refusal.text
    bad = [part for part in mask.split(",") if part in {"nope", "contact.phone", "Note", "id"}]
    assert all(part in refusal.text for part in bad)
    assert client.get(path) == before


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("make", [imported, on_a_route])
def test_a_mask_is_one_string_and_required(client: Client, make: Any) -> None:
    path, name, _ = make(client)
    for mask in (["note"], 1, None):
        refusal = client.refused("PATCH", path, {name: {"note": "x"}, "updateMask": mask})
        assert (refusal.short, refusal.fields) == ((400, 3), ["updateMask"])
    refusal = client.refused("PATCH", path, {name: {"note": "x"}})
    assert (refusal.short, refusal.fields) == ((400, 3), ["updateMask"])


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("make", [imported, on_a_route])
def test_a_bad_value_of_a_masked_field_is_named_under_its_object(client: Client, make: Any) -> None:
    path, name, _ = make(client)
    body = {
        name: {"orderReferenceUrl": "ftp://x", "priority": -1, "duration": "1"},
        "updateMask": "orderReferenceUrl,priority,duration",
    }
    refusal = client.refused("PATCH", path, body)
    assert refusal.short == (400, 3)
    wrong = {f"{name}.orderReferenceUrl", f"{name}.priority", f"{name}.duration"}
    assert set(refusal.fields) == wrong


@pytest.mark.spec("decisions §7")
@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("field", "value", "cleared"), ROUTE_FIELDS)
def test_each_field_of_a_route_is_set_and_cleared_by_mask(
    client: Client, field: str, value: Any, cleared: Any
) -> None:
    route = new_route(client)
    path = f"/routes/{route['id']}"
    changed = client.patch(path, {"route": {field: value}, "updateMask": field})
    assert changed[field] == value
    assert client.get(path) == changed
    emptied = client.patch(path, {"route": {}, "updateMask": field})
    assert is_shown(emptied, field, cleared)
    assert client.get(path) == emptied


@pytest.mark.spec("decisions §7")
def test_the_tasks_for_stops_are_set_by_mask_and_merged_after_the_stops_own(
    client: Client,
) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client)
    path = f"/routes/{route['id']}"
    client.patch(path, {"route": {"stopTasks": [{"title": "Wave"}]}, "updateMask": "stopTasks"})
    (copy,) = client.post(f"{path}/stops", [{"importedStopId": stop["id"]}])["stops"]
    assert [task["title"] for task in copy["tasks"]] == ["Check the seal", "Wave"]
    assert len({task["id"] for task in copy["tasks"]}) == 2
    assert all(task["id"].startswith("tsk-") for task in copy["tasks"])


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("mask", ["", "nope", "start", "stops", "optimized", "vehicle", "id"])
def test_a_bad_mask_of_a_route_is_named_with_the_allowed_paths(client: Client, mask: str) -> None:
    path = f"/routes/{new_route(client)['id']}"
    refusal = client.refused("PATCH", path, {"route": {"note": "x"}, "updateMask": mask})
    assert (refusal.short, refusal.fields) == ((400, 3), ["updateMask"])
    assert mask in refusal.text
    assert "defaultStopDuration" in refusal.text


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("speedFactor", 0.09),
        ("speedFactor", 10.1),
        ("speedFactor", 0),
        ("speedFactor", "1"),
        ("maxStops", -1),
        ("maxItemCount", -1),
        ("maxKilograms", -0.1),
        ("maxDuration", "-1s"),
        ("maxDuration", "604801s"),
        ("avoidTolls", "true"),
        ("avoidUTurns", 1),
        ("name", 1),
        ("tags", "a"),
        ("tags", ["a"] * 101),
        ("note", "x" * 10_001),
        ("stopTasks", [{"title": "t"}] * 101),
    ],
)
def test_a_bad_value_of_a_route_is_refused_when_created_and_when_updated(
    client: Client, field: str, value: Any
) -> None:
    body = {"start": {"coordinates": HERE}, field: value}
    refusal = client.refused("POST", "/routes", body)
    assert (refusal.short, refusal.fields) == ((400, 3), [field])
    path = f"/routes/{new_route(client)['id']}"
    refusal = client.refused("PATCH", path, {"route": {field: value}, "updateMask": field})
    assert (refusal.short, refusal.fields) == ((400, 3), [f"route.{field}"])


PLACES = {
    "imported": "coordinates",
    "route stop": "plannedCoordinates",
    "start": "coordinates",
    "end": "coordinates",
}


def place_of(client: Client, kind: str) -> tuple[str, str]:
    """Return the path of a thing's location and the path where the thing is read."""
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    if kind == "imported":
        return f"/stops/imports/{stop['id']}/location", f"/stops/imports/{stop['id']}"
    route = new_route(client, stop, end={"coordinates": at(0.5)})
    path = f"/routes/{route['id']}"
    if kind == "route stop":
        path += f"/stops/{route['stops'][0]['id']}"
        return f"{path}/location", path
    return f"{path}/{kind}/location", path


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("kind", PLACES)
def test_a_location_is_moved_by_coordinates_or_by_address(client: Client, kind: str) -> None:
    path, thing = place_of(client, kind)
    name = PLACES[kind]

    def shown(answer: Any) -> Any:
        return answer[kind] if kind in {"start", "end"} else answer

    before = shown(client.get(thing))
    moved = client.patch(path, {"location": {name: at(0.7)}, "updateMask": name})
    assert shown(moved)[name] == at(0.7)
    assert shown(moved).get("address") == before.get("address")
    moved = client.patch(path, {"location": {"address": BERLIN}, "updateMask": "address"})
    assert shown(moved)["address"]["city"] == "Berlin"
    assert 52 < shown(moved)[name]["latitude"] < 53
    both = {"location": {"address": BALTIMORE, name: HERE}, "updateMask": f"address,{name}"}
    moved = client.patch(path, both)
    assert (shown(moved)[name], shown(moved)["address"]["city"]) == (HERE, "Baltimore")
    assert client.get(thing) == moved
    ignored = {"location": {"address": BERLIN, name: at(0.1)}, "updateMask": name}
    assert shown(client.patch(path, ignored))["address"]["city"] == "Baltimore"


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("kind", PLACES)
def test_a_location_needs_a_mask_and_what_the_mask_names(client: Client, kind: str) -> None:
    path, thing = place_of(client, kind)
    name = PLACES[kind]
    before = client.get(thing)
    for mask in ("", "note", "city", f"{name},note", "address.city"):
        refusal = client.refused("PATCH", path, {"location": {name: HERE}, "updateMask": mask})
        assert (refusal.short, refusal.fields) == ((400, 3), ["updateMask"])
        assert "address" in refusal.text
        assert name in refusal.text
    refusal = client.refused("PATCH", path, {"location": {name: HERE}, "updateMask": "address"})
    assert (refusal.short, refusal.fields) == ((400, 3), ["location.address"])
    refusal = client.refused("PATCH", path, {"location": {}, "updateMask": name})
    assert (refusal.short, refusal.fields) == ((400, 3), [f"location.{name}"])
    wrong = {"location": {"address": NOWHERE}, "updateMask": "address"}
    refusal = client.refused("PATCH", path, wrong)
    assert refusal.short == (400, 3)
    assert refusal.fields[0].startswith("location.address")
    assert client.get(thing) == before


@pytest.mark.spec("Routes")
def test_the_end_is_set_where_there_was_none(client: Client) -> None:
    route = new_route(client, *new_stops(client, 1))
    assert "end" not in route
    body = {"location": {"coordinates": at(0.3)}, "updateMask": "coordinates"}
    moved = client.patch(f"/routes/{route['id']}/end/location", body)
    assert moved["end"]["coordinates"] == at(0.3)
    assert moved["totalDistanceMeters"] > route["totalDistanceMeters"]
