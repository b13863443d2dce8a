from typing import Any

import pytest
from tests.api.conftest import World

BALTIMORE = {"latitude": 39.29, "longitude": -76.61}


def stop(**fields: Any) -> dict[str, Any]:
    return {"coordinates": BALTIMORE, **fields}


@pytest.mark.spec("Imported stops")
def test_a_stop_is_imported_with_everything_it_was_given(world: World) -> None:
    sent = stop(
        clientStopId="a/1",
        address={"address1": "1 Main St", "city": "Baltimore"},
        contact={"firstName": "Ann", "phone": "+14105550123", "email": "ann@example.com"},
        items=[{"name": "Box", "quantity": 2, "grams": 500, "sku": "B"}],
        note="ring twice",
        duration="90.50s",
        priority=3,
        orderName="#17",
        timeWindows=[{"start": {"hours": 9}, "end": {"hours": 12, "minutes": 30}}],
        deliveryDate={"year": 2024, "month": 2, "day": 29},
        attributes=[{"key": "k", "value": "v"}],
        tags=["fragile"],
        tasks=[{"title": "Check", "type": "CHECKBOXES", "items": [{"title": "seal"}]}],
        type="DELIVERY",
        orderReferenceUrl="https://shop.example.com/17",
    )
    response = world.client.post("/stops/imports", [sent])
    assert response.status_code == 200
    (imported,) = response.json()["stops"]
    assert imported["id"].startswith("ist-")
    assert imported["importedAt"] == "2024-07-01T06:00:00Z"
    assert imported["duration"] == "90.5s"
    assert imported["timeWindows"][0]["end"] == {"hours": 12, "minutes": 30, "seconds": 0}
    assert imported["contact"]["lastName"] == ""
    assert world.client.get(f"/stops/imports/{imported['id']}").json() == imported
    assert world.client.get("/stops/imports/a%2F1").json() == imported


@pytest.mark.spec("decisions §1")
def test_unset_fields_are_answered_as_zero_values_or_left_out(world: World) -> None:
    imported = world.client.post("/stops/imports", [stop()]).json()["stops"][0]
    assert imported["note"] == ""
    assert imported["priority"] == 0
    assert imported["tags"] == []
    assert imported["type"] == "UNKNOWN"
    for absent in ("address", "contact", "duration", "deliveryDate"):
        assert absent not in imported


@pytest.mark.spec("decisions §6")
def test_an_address_alone_is_geocoded(world: World) -> None:
    address = {"address1": "1 Nowhere Street", "city": "Baltimore", "provinceCode": "MD"}
    imported = world.client.post("/stops/imports", [{"address": address}]).json()["stops"][0]
    assert imported["coordinates"]["latitude"] == pytest.approx(39.29, abs=0.1)
    assert imported["coordinates"]["longitude"] == pytest.approx(-76.61, abs=0.1)


@pytest.mark.spec("decisions §6")
def test_the_same_client_stop_id_replaces_and_keeps_the_id(world: World) -> None:
    first = world.client.post("/stops/imports", [stop(clientStopId="a", note="1")]).json()
    world.clock.advance(minutes=1)
    second = world.client.post("/stops/imports", [stop(clientStopId="a", note="2")]).json()
    assert second["stops"][0]["id"] == first["stops"][0]["id"]
    assert second["stops"][0]["importedAt"] > first["stops"][0]["importedAt"]
    assert world.client.get("/stops/imports/a").json()["note"] == "2"
    assert world.topics() == ["IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED"]


BAD_STOPS: list[tuple[dict[str, Any], str]] = [
    ({"note": 5}, "[0].note"),
    ({"priority": 1.0}, "[0].priority"),
    ({"priority": True}, "[0].priority"),
    ({"priority": "1"}, "[0].priority"),
    ({"priority": 1_000_001}, "[0].priority"),
    ({"priority": -1}, "[0].priority"),
    ({"clientStopId": "x" * 256}, "[0].clientStopId"),
    ({"orderName": "x" * 1501}, "[0].orderName"),
    ({"note": "x" * 10_001}, "[0].note"),
    ({"duration": 300}, "[0].duration"),
    ({"duration": "5m"}, "[0].duration"),
    ({"duration": "-1s"}, "[0].duration"),
    ({"duration": "604801s"}, "[0].duration"),
    ({"type": "delivery"}, "[0].type"),
    ({"type": "BREAK"}, "[0].type"),
    ({"contact": {"phone": "410-555-0123"}}, "[0].contact.phone"),
    ({"contact": {"email": "ann"}}, "[0].contact.email"),
    ({"coordinates": {"latitude": 91, "longitude": 0}}, "[0].coordinates.latitude"),
    ({"coordinates": {"latitude": 1}}, "[0].coordinates.longitude"),
    ({"items": [{"quantity": 100_001}]}, "[0].items[0].quantity"),
    ({"items": [{"grams": 1_000_000_001}]}, "[0].items[0].grams"),
    ({"items": [{}] * 500}, "[0].items"),
    ({"tags": ["t"] * 101}, "[0].tags"),
    ({"timeWindows": [{}] * 21}, "[0].timeWindows"),
    ({"timeWindows": [{"start": {"hours": 24}}]}, "[0].timeWindows[0].start.hours"),
    ({"deliveryDate": {"year": 2023, "month": 2, "day": 29}}, "[0].deliveryDate.day"),
    ({"orderReferenceUrl": "http://example.com"}, "[0].orderReferenceUrl"),
    ({"timeWindow": []}, "[0].timeWindow"),
    ({"note": "\x00"}, "[0].note"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("fields", "named"), BAD_STOPS, ids=lambda value: str(value)[:40])
def test_a_bad_field_is_named_and_nothing_is_imported(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = world.client.post("/stops/imports", [stop(**fields), stop()])
    assert response.status_code == 400
    error = response.json()
    assert error["code"] == 3
    assert [violation["field"] for violation in error["details"][0]["fieldViolations"]] == [named]
    assert world.count("imported_stops") == world.count("events") == 0


@pytest.mark.spec("decisions §1")
def test_every_violation_is_listed_and_a_close_name_is_suggested(world: World) -> None:
    response = world.client.post(
        "/stops/imports", [stop(timeWindow=[]), stop(note=1, priority="2"), {}]
    )
    violations = response.json()["details"][0]["fieldViolations"]
    assert [violation["field"] for violation in violations] == [
        "[0].timeWindow",
        "[1].note",
        "[1].priority",
        "[2].address",
    ]
    assert violations[0]["description"] == (
        'unknown field "timeWindow", did you mean "timeWindows"?'
    )


@pytest.mark.spec("decisions §6")
def test_stops_without_a_place_or_with_an_unknown_one_are_all_named(world: World) -> None:
    nowhere = {"address": {"city": "Xyzzyville", "countryCode": "US"}}
    response = world.client.post("/stops/imports", [stop(), {}, nowhere])
    assert response.status_code == 400
    fields = [v["field"] for v in response.json()["details"][0]["fieldViolations"]]
    assert fields == ["[1].address", "[2].address"]
    assert world.count("imported_stops") == 0


@pytest.mark.spec("Limits")
def test_two_hundred_stops_are_imported_and_one_more_is_refused(world: World) -> None:
    assert world.client.post("/stops/imports", [stop()] * 200).status_code == 200
    response = world.client.post("/stops/imports", [stop()] * 201)
    assert response.status_code == 400
    assert world.count("imported_stops") == 200


@pytest.mark.spec("decisions §6")
@pytest.mark.parametrize("body", [[], {}, "x", None])
def test_what_is_not_a_list_of_stops_is_refused(world: World, body: Any) -> None:
    response = world.client.post("/stops/imports", body)
    assert (response.status_code, response.json()["code"]) == (400, 3)


@pytest.mark.spec("decisions §6")
def test_the_same_client_stop_id_twice_in_a_request_is_refused(world: World) -> None:
    response = world.client.post("/stops/imports", [stop(clientStopId="a")] * 2)
    assert response.status_code == 400
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == "[1].clientStopId"
    assert world.count("imported_stops") == 0


@pytest.mark.spec("decisions §1")
def test_a_stop_that_was_read_can_be_sent_back(world: World) -> None:
    imported = world.client.post("/stops/imports", [stop(clientStopId="a")]).json()["stops"][0]
    again = world.client.post("/stops/imports", [imported])
    assert again.json()["stops"][0]["id"] == imported["id"]


@pytest.mark.spec("decisions §1")
def test_null_is_the_same_as_absent(world: World) -> None:
    response = world.client.post("/stops/imports", [stop(note=None, contact=None, tags=None)])
    assert response.status_code == 200


@pytest.mark.spec("decisions §2")
def test_a_stop_of_another_organization_answers_as_an_unknown_one(world: World) -> None:
    imported = world.client.post("/stops/imports", [stop(clientStopId="a")]).json()["stops"][0]
    unknown = world.stranger.get("/stops/imports/ist-00000000-0000-4000-8000-000000000000")
    for reference in (imported["id"], "a"):
        response = world.stranger.get(f"/stops/imports/{reference}")
        assert response.status_code == 404
        assert response.content == unknown.content
