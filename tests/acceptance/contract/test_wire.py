"""Decisions §1: what every body, scalar and mask on the wire obeys."""

import json
import re
from typing import Any

import pytest
from tests.acceptance.contract.bodies import BALTIMORE, FULL_STOP, HERE, new_route, new_stops
from tests.acceptance.contract.installation import BASE, Client, Installation

STOP = {"coordinates": HERE}


@pytest.mark.spec("decisions §1")
def test_the_description_is_open_and_of_the_promised_version(installation: Installation) -> None:
    http = installation.open_http()
    described = http.get(f"{BASE}/openapi.json")
    assert described.status_code == 200
    assert described.json()["openapi"].startswith("3.1")
    assert described.headers["X-Request-Id"]


@pytest.mark.spec("decisions §1")
def test_the_docs_are_open_and_load_nothing_from_elsewhere(installation: Installation) -> None:
    http = installation.open_http()
    page = http.get(f"{BASE}/docs", follow_redirects=True)
    assert page.status_code == 200
    assert "text/html" in page.headers["Content-Type"]
    assert "https://" not in page.text.replace("https://www.w3.org", "")
    for asset in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert http.get(page.url.join(asset)).status_code == 200, asset


@pytest.mark.spec("decisions §1")
def test_deletes_that_return_nothing_answer_an_empty_object(client: Client) -> None:
    (stop,) = new_stops(client, 1)
    assert client.delete(f"/stops/imports/{stop['id']}") == {}
    route = new_route(client)
    assert client.delete(f"/routes/{route['id']}") == {}
    hook = client.post("/webhooks", {"url": "http://127.0.0.1:9/", "topics": ["TEST"]})
    assert client.delete(f"/webhooks/{hook['id']}") == {}


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("timeWindow", "timeWindows"),
        ("client_stop_id", "clientStopId"),
        ("OrderName", "orderName"),
        ("prioriti", "priority"),
    ],
)
def test_an_unknown_field_is_named_with_a_suggestion(
    client: Client, wrong: str, right: str
) -> None:
    refusal = client.refused("POST", "/stops/imports", [{**STOP, wrong: []}])
    assert refusal.short == (400, 3)
    assert f'unknown field "{wrong}", did you mean "{right}"?' in refusal.text.replace('\\"', '"')
    assert client.get("/stops/imports")["stops"] == []


@pytest.mark.spec("decisions §1")
def test_an_unknown_field_of_a_nested_object_is_named_with_its_path(client: Client) -> None:
    body = [STOP, {**STOP, "address": {**BALTIMORE, "zipp": "1"}}]
    refusal = client.refused("POST", "/stops/imports", body)
    assert refusal.short == (400, 3)
    assert '"zipp"' in refusal.text.replace('\\"', '"')
    assert refusal.fields == ["[1].address.zipp"]


@pytest.mark.spec("decisions §1")
def test_what_was_read_can_be_sent_back(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    read = client.get(f"/stops/imports/{stop['id']}")
    (again,) = client.post("/stops/imports", [read])["stops"]
    assert {**again, "importedAt": ""} == {**read, "importedAt": ""}
    vehicle = client.post("/vehicles", {"name": "Van 1"})
    client.post("/vehicles", client.get(f"/vehicles/{vehicle['id']}"))
    driver = client.post("/drivers", {"firstName": "Ann"})["driver"]
    client.post("/drivers", client.get(f"/drivers/{driver['id']}"))
    route = new_route(client, stop)
    client.post("/routes", client.get(f"/routes/{route['id']}"))


@pytest.mark.spec("decisions §1")
def test_null_is_the_same_as_absent(client: Client) -> None:
    nothing = dict.fromkeys(set(FULL_STOP) - {"coordinates"})
    (stop,) = client.post("/stops/imports", [{**nothing, **STOP}])["stops"]
    (plain,) = client.post("/stops/imports", [STOP])["stops"]
    moving = {"id": "", "importedAt": ""}
    assert {**stop, **moving} == {**plain, **moving}
    partial = {"address": {**BALTIMORE, "zip": None}, "contact": {"phone": None}}
    client.post("/stops/imports", [partial])
    refusal = client.refused("POST", "/routes", {"start": None})
    assert (refusal.short, refusal.fields) == ((400, 3), ["start"])


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("2024-07-02T08:00:00Z", "2024-07-02T08:00:00Z"),
        ("2024-07-02T08:00:00+02:00", "2024-07-02T06:00:00Z"),
        ("2024-07-02T08:00:00-05:30", "2024-07-02T13:30:00Z"),
        ("2024-07-02T08:00:00.5Z", "2024-07-02T08:00:00.5"),
    ],
)
def test_timestamps_take_any_offset_and_answer_in_utc(
    client: Client, given: str, answered: str
) -> None:
    route = new_route(client, scheduledFor=given)
    assert route["scheduledFor"].startswith(answered)
    assert route["scheduledFor"].endswith("Z")
    assert route["createdAt"].endswith("Z")


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "given",
    [
        "2024-07-02T08:00:00",
        "2024-07-02",
        "2024-07-02 08:00",
        "soon",
        "",
        1719907200,
        "2024-02-30T08:00:00Z",
        "2024-07-02T25:00:00Z",
    ],
)
def test_anything_but_a_timestamp_with_an_offset_is_refused(client: Client, given: Any) -> None:
    body = {"start": STOP, "scheduledFor": given}
    refusal = client.refused("POST", "/routes", body)
    assert (refusal.short, refusal.fields) == ((400, 3), ["scheduledFor"])
    refusal = client.refused("GET", "/routes", params={"query.timestampStart": "2024-07-02T08:00"})
    assert (refusal.short, refusal.fields) == ((400, 3), ["query.timestampStart"])


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("300s", "300s"),
        ("0s", "0s"),
        ("1.500s", "1.5s"),
        ("1.000s", "1s"),
        ("0.123456789s", "0.123456789s"),
        ("604800s", "604800s"),
    ],
)
def test_durations_are_seconds_and_lose_trailing_zeros(
    client: Client, given: str, answered: str
) -> None:
    (stop,) = client.post("/stops/imports", [{**STOP, "duration": given}])["stops"]
    assert stop["duration"] == answered
    assert client.get(f"/stops/imports/{stop['id']}")["duration"] == answered


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "given",
    [
        "300",
        "-1s",
        "1.1234567890s",
        "5m",
        "s",
        "",
        "1e3s",
        " 1s",
        "+1s",
        "604801s",
        "604800.1s",
        300,
        1.5,
        "1,5s",
        "\u0661s",
        "NaNs",
    ],
)
def test_anything_else_is_no_duration(client: Client, given: Any) -> None:
    refusal = client.refused("POST", "/stops/imports", [{**STOP, "duration": given}])
    assert (refusal.short, refusal.fields) == ((400, 3), ["[0].duration"])
    body = {"start": STOP, "maxDuration": given, "defaultStopDuration": given}
    refusal = client.refused("POST", "/routes", body)
    assert refusal.short == (400, 3)
    assert sorted(refusal.fields) == ["defaultStopDuration", "maxDuration"]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("given", [1.0, 1.5, True, "1", [1], {}])
def test_an_integer_is_an_integer(client: Client, given: Any) -> None:
    refusal = client.refused("POST", "/stops/imports", [{**STOP, "priority": given}])
    assert (refusal.short, refusal.fields) == ((400, 3), ["[0].priority"])
    items = [{"name": "Box", "quantity": given, "grams": given}]
    refusal = client.refused("POST", "/stops/imports", [{**STOP, "items": items}])
    assert refusal.short == (400, 3)
    assert sorted(refusal.fields) == ["[0].items[0].grams", "[0].items[0].quantity"]
    refusal = client.refused("POST", "/routes", {"start": STOP, "maxStops": given})
    assert (refusal.short, refusal.fields) == ((400, 3), ["maxStops"])


@pytest.mark.spec("decisions §1")
def test_grams_of_a_route_and_the_life_of_a_token_are_strings_of_digits(client: Client) -> None:
    stops = new_stops(client, 2, items=[{"name": "Box", "quantity": 3, "grams": 700}])
    route = new_route(client, *stops)
    assert route["totalItemGrams"] == "4200"
    assert route["totalItemQuantity"] == 6


ENUMS = [
    ("POST", "/stops/imports", [{**STOP, "type": "{}"}], "[0].type", "DELIVERY"),
    (
        "POST",
        "/stops/imports",
        [{**STOP, "tasks": [{"title": "A", "type": "{}"}]}],
        "[0].tasks[0].type",
        "RADIO_BUTTONS",
    ),
    ("POST", "/vehicles", {"name": "Van", "type": "{}"}, "type", "CARGO_VAN"),
    (
        "POST",
        "/webhooks",
        {"url": "http://127.0.0.1:9/", "topics": ["{}"]},
        "topics[0]",
        "ROUTE_CREATED",
    ),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("name", ["delivery", "NOPE", "", 1, " DELIVERY"])
@pytest.mark.parametrize(("method", "path", "body", "field", "allowed"), ENUMS)
def test_an_unknown_enum_name_lists_the_allowed_ones(
    client: Client, method: str, path: str, body: Any, field: str, allowed: str, name: Any
) -> None:
    sent = json.loads(json.dumps(body).replace('"{}"', json.dumps(name)))
    refusal = client.refused(method, path, sent)
    assert (refusal.short, refusal.fields) == ((400, 3), [field])
    if name:
        assert isinstance(name, int) or allowed in refusal.text


@pytest.mark.spec("decisions §1")
def test_enums_of_queries_are_exact_too(client: Client) -> None:
    for key in ("created_at", "NOPE"):
        refusal = client.refused("GET", "/routes", params={"query.sortKey": key})
        assert (refusal.short, refusal.fields) == ((400, 3), ["query.sortKey"])
        assert "SCHEDULED_AT" in refusal.text
    refusal = client.refused("GET", "/drivers", params={"query.status": "active"})
    assert (refusal.short, refusal.fields) == ((400, 3), ["query.status"])
    assert "DEACTIVATED" in refusal.text


@pytest.mark.spec("decisions §8")
def test_a_break_is_not_importable(client: Client) -> None:
    for kind in ("UNKNOWN", "DELIVERY", "PICKUP", "TASK"):
        (stop,) = client.post("/stops/imports", [{**STOP, "type": kind}])["stops"]
        assert stop["type"] == kind
    refusal = client.refused("POST", "/stops/imports", [{**STOP, "type": "BREAK"}])
    assert (refusal.short, refusal.fields) == ((400, 3), ["[0].type"])


@pytest.mark.spec("decisions §8")
def test_every_vehicle_type_is_taken(client: Client) -> None:
    names = "UNKNOWN BIKE CARGO_BIKE SCOOTER CAR CARGO_VAN PICKUP_TRUCK BOX_TRUCK"
    for kind in [*names.split(), "REFRIGERATED_TRUCK", "OTHER"]:
        assert client.post("/vehicles", {"name": "V", "type": kind})["type"] == kind


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1,]",
        b'[{"coordinates": {"latitude": 1, "longitude": 1}}] x',
        b'[{"coordinates": {"latitude": NaN, "longitude": 1}}]',
        b'[{"coordinates": {"latitude": Infinity, "longitude": 1}}]',
        b'[{"note": "a", "note": "b", "coordinates": {"latitude": 1, "longitude": 1}}]',
        b'[{"coordinates": {"latitude": 1, "latitude": 1, "longitude": 1}}]',
        b"[" * 65 + b"]" * 65,
        b'[{"note": "\xff", "coordinates": {"latitude": 1, "longitude": 1}}]',
        b"null",
        b"{}",
        b'"text"',
        b"[[]]",
        b"[null]",
    ],
)
def test_a_body_that_is_not_the_json_it_should_be_is_refused(
    client: Client, content: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    refusal = client.refused("POST", "/stops/imports", content=content, headers=headers)
    assert refusal.short == (400, 3)
    assert client.get("/stops/imports")["stops"] == []


@pytest.mark.spec("decisions §1")
def test_a_body_over_eight_mebibytes_is_413(client: Client) -> None:
    headers = {"Content-Type": "application/json"}
    fits = b" " * (8 * 1024 * 1024 - 2) + b"[]"
    refusal = client.refused("POST", "/stops/imports", content=fits, headers=headers)
    assert refusal.short == (400, 3)
    refusal = client.refused("POST", "/stops/imports", content=b" " + fits, headers=headers)
    assert refusal.short == (413, 3)


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data", ""])
def test_another_media_type_is_415(client: Client, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    refusal = client.refused("POST", "/routes", content=b'{"start": {}}', headers=headers)
    assert refusal.short == (415, 3)


@pytest.mark.spec("decisions §1")
def test_a_charset_beside_the_media_type_is_fine(client: Client) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    client.ask("POST", "/stops/imports", content=json.dumps([STOP]).encode(), headers=headers)


@pytest.mark.spec("decisions §1")
def test_every_violation_is_listed_not_the_first(client: Client) -> None:
    bad = {
        "coordinates": {"latitude": 91, "longitude": -181},
        "priority": -1,
        "duration": "x",
        "contact": {"phone": "555", "email": "nobody"},
        "items": [{"name": "", "quantity": -1}],
        "orderReferenceUrl": "http://example.com",
        "tasks": [{"title": "A", "type": "NOPE"}],
    }
    refusal = client.refused("POST", "/stops/imports", [bad, STOP, {}, bad])
    assert refusal.short == (400, 3)
    of_each = {
        "coordinates.latitude",
        "coordinates.longitude",
        "priority",
        "duration",
        "contact.phone",
        "contact.email",
        "items[0].quantity",
        "orderReferenceUrl",
        "tasks[0].type",
    }
    found = set(refusal.fields)
    assert {f"[{n}].{field}" for n in (0, 3) for field in of_each} <= found
    assert any(field.startswith("[2]") for field in found)
    assert not any(field.startswith("[1]") for field in found)


@pytest.mark.spec("decisions §1")
def test_rules_between_fields_are_reported_beside_the_others(client: Client) -> None:
    # Without address and coordinates, and with a bad phone: both are wrong at once.
    bad = {"contact": {"phone": "555"}, "deliveryDate": {"year": 2024, "month": 2, "day": 30}}
    refusal = client.refused("POST", "/stops/imports", [bad, bad])
    for number in (0, 1):
        mine = {field for field in refusal.fields if field.startswith(f"[{number}]")}
        assert f"[{number}].contact.phone" in mine
        assert any(field.startswith(f"[{number}].deliveryDate") for field in mine)
        assert mine & {f"[{number}]", f"[{number}].address", f"[{number}].coordinates"}
