"""Erasing a customer: nothing of them is left in answers, rows or files, and the evidence holds."""

import base64
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from tests.api.conftest import World
from tests.driver.device import TASKS, Device, sign_up
from tests.driver.test_evidence import PHOTO, SIGNATURE, fetch, kinds, problems, unpack
from tests.images.test_decoder_process import jpeg
from tests.support.plans import run_waiting_jobs

from roundsman.app import KINDS
from roundsman.domain.erasure import ErasureDraft
from roundsman.domain.errors import Unavailable
from roundsman.domain.model import Model
from roundsman.domain.principal import operator
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.endpoints.application import Application
from roundsman.operations import erasures
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.job_runs import claim_jobs, fail_job, run_job
from roundsman.operations.jobs import RunningJob
from roundsman.operations.request import Request
from roundsman.storage.leases import LEASE
from roundsman.storage.routes import find_route, save_route
from roundsman.storage.schema import metadata

pytestmark = pytest.mark.spec("decisions §17")

type Json = Any

PHONE, EMAIL = "+14105557788", "Zarathustra.Quince@example.com"
LATITUDE, LONGITUDE = 39.3123457, -76.6198764
MARKERS = (
    "Zarathustra",
    "Quincewood",
    "Quince GmbH",
    "4105557788",
    "Marzipan Alley",
    "rear courtyard",
    "ZIP-21299-QX",
    "flowerpot",
    "Auntie Hildegard",
    "plum cake",
    "barking spaniel",
    "soggy parcel",
    "SEAL-4711",
    "splendid courier",
    "ring softly",
    "gift wrap it",
    "birthday greeting",
    "39.312345",
    "76.619876",
)
"""Something of the customer in every field that is to go."""

STOP = {
    "clientStopId": "order-77",
    "orderName": "#77",
    "coordinates": {"latitude": LATITUDE, "longitude": LONGITUDE},
    "contact": {
        "firstName": "Zarathustra",
        "lastName": "Quincewood",
        "company": "Quince GmbH",
        "phone": PHONE,
        "email": EMAIL,
    },
    "address": {
        "address1": "12 Marzipan Alley",
        "address2": "rear courtyard",
        "city": "Baltimore",
        "zip": "ZIP-21299-QX",
        "provinceCode": "MD",
        "countryCode": "US",
    },
    "note": "key under the flowerpot",
    "attributes": [{"key": "colour", "value": "blue"}],
}
OTHER = {
    "clientStopId": "order-78",
    "coordinates": {"latitude": 39.30, "longitude": -76.61},
    "contact": {"firstName": "Bystander", "phone": "+14105550199"},
    "note": "mind the step",
}
ORDER = {
    "name": "#S1",
    "address": STOP["address"],
    "contact": STOP["contact"],
    "orderNote": "gift wrap it",
    "customerNote": "birthday greeting",
    "deliveryDate": {"year": 2024, "month": 6, "day": 29},
    "items": [{"name": "Book", "quantity": 1}],
}


def live_through(world: World, door: Application) -> tuple[Device, list[str]]:
    """Let the customer's data go wherever they can go."""
    client = world.client
    key = {"Idempotency-Key": "import-77"}
    imported = client.post("/stops/imports", [STOP, OTHER], headers=key)
    assert imported.status_code == 200, imported.text
    device = sign_up(world, door)
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    route = {
        "start": start,
        "driverId": device.driver_id,
        "stopTasks": TASKS,
        "scheduledFor": "2024-07-01T06:30:00Z",
    }
    device.route_id = client.post("/routes", route).json()["id"]
    hook = {"url": "https://example.com/hooks", "topics": ["STOP_UPDATED", "ROUTE_UPDATED"]}
    client.post("/webhooks", hook)
    path = f"/routes/{device.route_id}"
    ids = [{"importedStopId": one["id"]} for one in imported.json()["stops"]]
    client.post(f"{path}/stops", ids)
    assert client.send("PUT", "/store-orders/S1", json=ORDER).status_code == 200
    client.post(f"{path}/dispatch", {})
    search_for_a_plan(world, start)
    world.clock.advance(minutes=5)
    stops = [one["id"] for one in client.get(path).json()["stops"]]
    link = client.get(f"{path}/stops/{stops[0]}/tracking-link").json()["url"]
    token = link.rpartition("/")[2]
    said = device.http.post(f"/t/{token}/note", json={"note": "ring softly"})
    assert said.status_code == 200, said.text
    device.done("ROUTE_STARTED")
    at_the_door(device, stops[0])
    rating = {"rating": 5, "comment": "splendid courier"}
    rated = device.http.post(f"/t/{token}/rating", json=rating)
    assert rated.status_code == 200, rated.text
    device.done("PROOF_NOTE", stopId=stops[1], note="given to the caretaker")
    return device, stops


def search_for_a_plan(world: World, start: Json) -> None:
    client = world.client
    van = {
        "id": "van",
        "start": start,
        "end": start,
        "shift": {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T20:00:00Z"},
    }
    date = {"year": 2024, "month": 6, "day": 29}
    dated = {**STOP, "clientStopId": "order-79", "deliveryDate": date}
    extra = client.post("/stops/imports", [dated]).json()
    plan = {
        "stops": [{"importedStopId": extra["stops"][0]["id"]}],
        "vehicles": [van],
        "options": {"effort": "QUICK"},
    }
    assert client.post("/plans", plan).status_code == 200
    run_waiting_jobs(world.tools)


NEXT_DOOR = {"latitude": 39.3301, "longitude": -76.6402, "accuracyMeters": 5}


def at_the_door(device: Device, stop_id: str) -> None:
    stop = next(one for one in device.route()["stops"] if one["id"] == stop_id)
    position = {"latitude": 39.3155, "longitude": -76.6155, "accuracyMeters": 5}
    for upload, kind in ((PHOTO, "PHOTO"), (SIGNATURE, "SIGNATURE")):
        assert device.upload(upload, jpeg()).status_code == 200
        device.done(kind, stopId=stop_id, uploadId=upload)
    device.done("TASK_COMPLETED", taskId=stop["tasks"][0]["id"], value="SEAL-4711")
    device.done("BARCODE_ISSUE", stopId=stop_id, reason="ITEM_DAMAGED", note="soggy parcel")
    device.done("STOP_ATTEMPTED", stopId=stop_id, reason="OTHER", note="barking spaniel")
    device.done("PROOF_NOTE", stopId=stop_id, note="left with the plum cake")
    device.done(
        "STOP_DELIVERED", stopId=stop_id, recipientName="Auntie Hildegard", position=position
    )


def rows_of(world: World) -> str:
    with world.tools.database.reading() as tx:
        return "\n".join(
            f"{table.name}: {value!r}"
            for table in metadata.sorted_tables
            for row in tx.execute(table.select())
            for value in row
        )


def answers_of(world: World, device: Device) -> str:
    paths = (
        "/routes",
        f"/routes/{device.route_id}",
        "/stops/imports?query.limit=50",
        "/events?query.limit=200",
        "/driver-actions?query.limit=200",
        "/plans",
        "/days/2024-07-01",
        f"/routes/{device.route_id}/export?query.format=CSV",
        f"/routes/{device.route_id}/sheet",
        "/stops/store/S1/routes",
    )
    return "\n".join(world.client.get(path).text for path in paths)


def erase(world: World, **who: str) -> Json:
    asked = world.client.post("/privacy/erasures", {**who, "reason": "asked by letter"})
    assert asked.status_code == 200, asked.text
    assert asked.json() == {"id": asked.json()["id"], "status": "QUEUED"}
    assert run_waiting_jobs(world.tools) == ["completed"]
    done = world.client.get(f"/privacy/erasures/{asked.json()['id']}").json()
    assert done["status"] == "COMPLETED"
    return done["receipt"]


def found_in(text: str) -> list[str]:
    return [marker for marker in MARKERS if marker.casefold() in text.casefold()]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "who", [{"phone": PHONE}, {"email": EMAIL.upper()}], ids=["phone", "email"]
)
def test_nothing_of_an_erased_customer_is_left(
    world: World, door: Application, tmp_path: Path, who: Json
) -> None:
    device, stops = live_through(world, door)
    assert set(found_in(rows_of(world))) >= set(MARKERS)
    pictures = [
        urlsplit(one["url"]).path
        for stop in world.client.get(f"/routes/{device.route_id}").json()["stops"]
        for one in (*stop["proofOfDeliveryPhotos"], *stop["proofOfDeliverySignatures"])
    ]
    assert [device.http.get(one).status_code for one in pictures] == [307, 307]
    receipt = erase(world, **who)
    assert receipt["reason"] == "asked by letter"
    assert (receipt["importedStops"], receipt["routeStops"], receipt["orders"]) == (2, 1, 1)
    assert receipt["pictures"] == 2
    assert receipt["documents"] > 5
    assert found_in(rows_of(world)) == []
    assert found_in(answers_of(world, device)) == []
    for picture in pictures:
        assert device.http.get(picture).status_code == 404
    if world.tools.database.dialect_name == "sqlite":
        assert list(tmp_path.glob("roundsman.db*"))
        for file in tmp_path.glob("roundsman.db*"):
            assert found_in(file.read_bytes().decode("latin-1")) == [], file.name
    check_what_stays(world, device, stops)


@pytest.mark.both_databases
@pytest.mark.parametrize("next_door", [False, True], ids=["at the door", "gone on"])
def test_where_the_driver_was_last_goes_with_the_customer_who_lives_there(
    world: World, door: Application, *, next_door: bool
) -> None:
    device, stops = live_through(world, door)
    if next_door:
        world.clock.advance(minutes=9)
        device.done("STOP_ARRIVED", stopId=stops[1], position=NEXT_DOOR)
    path = f"/routes/{device.route_id}"
    assert "lastPosition" in world.client.get(path).json()
    erase(world, phone=PHONE)
    shown = world.client.get(path).json()
    assert ("lastPosition" in shown) == next_door
    assert world.count("live_routes") == int(next_door)
    tracks = re.compile(r"^driver_positions:.*", re.MULTILINE)
    assert "39.3155" not in tracks.sub("", rows_of(world))


def put_on_route(world: World, state: str) -> str:
    """Put an order that is open no more on a route; return the route."""
    order = {**ORDER, "coordinates": STOP["coordinates"]}
    assert world.client.send("PUT", "/store-orders/S1", json=order).status_code == 200
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    route_id = str(world.client.post("/routes", {"start": start}).json()["id"])
    added = world.client.post(f"/routes/{route_id}/store-orders", [{"storeOrderId": "S1"}])
    assert added.status_code == 200, added.text
    held = {**order, "state": "ON_HOLD"}
    assert world.client.send("PUT", "/store-orders/S1", json=held).status_code == 200
    with world.tools.database.writing() as tx:
        # As a connected shop says it of an order that is on a route.
        found = find_route(tx, world.credentials.organization_id, route_id)
        assert found is not None
        (stop,) = found.route.stops
        assert stop.store_order
        notes = replace(stop.store_order, state=StoreOrderState(state))
        route = replace(found.route, stops=(replace(stop, store_order=notes),))
        save_route(tx, world.credentials.organization_id, route, read=found)
    return route_id


@pytest.mark.both_databases
@pytest.mark.parametrize("state", ["CANCELLED", "ON_HOLD"])
def test_a_customer_whose_order_is_open_no_more_is_erased(world: World, state: str) -> None:
    route_id = put_on_route(world, state)
    receipt = erase(world, phone=PHONE)
    assert (receipt["routeStops"], receipt["orders"]) == (1, 1)
    assert found_in(rows_of(world)) == []
    (stop,) = world.client.get(f"/routes/{route_id}").json()["stops"]
    assert stop["storeOrder"] == {"orderNote": "", "customerNote": "", "state": state}


def check_what_stays(world: World, device: Device, stops: list[str]) -> None:
    """Look at what accounting needs, at other customers, and at the evidence."""
    first, second = world.client.get(f"/routes/{device.route_id}").json()["stops"]
    assert first["deliveryStatus"] == "DELIVERED"
    assert "deliveredCoordinates" not in first
    assert first["address"]["city"] == "Baltimore"
    assert (first["orderName"], first["clientStopId"]) == ("#77", "order-77")
    assert first["attributes"] == STOP["attributes"]
    assert first["customerRating"]["rating"] == 5
    assert second["contact"]["firstName"] == "Bystander"
    assert second["proofOfDeliveryNote"] == "given to the caretaker"
    bundle = fetch(world, device, stops[0])
    assert problems(bundle) == ""
    assert kinds(bundle)[-1] == "ERASED"
    files = unpack(bundle)
    assert files["fields.jsonl"] == b""
    assert not [name for name in files if name.startswith("photos/")]
    assert b"(erased)" in files["page.html"]
    other = fetch(world, device, stops[1])
    assert problems(other) == ""
    assert b"given to the caretaker" in unpack(other)["fields.jsonl"]


def test_a_killed_erasure_goes_on_where_it_was(
    world: World, door: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasures, "_ROWS_AT_ONCE", 3)
    monkeypatch.setattr(erasures, "_ROUTES_AT_ONCE", 1)
    device, _ = live_through(world, door)
    asked = world.client.post("/privacy/erasures", {"clientStopId": "order-77"}).json()

    class Killed(BaseException):
        """What takes a process with it."""

    steps = 0
    check = RunningJob.check

    def die_now_and_then(self: RunningJob[Model]) -> None:
        nonlocal steps
        steps += 1
        if steps % 9 == 0:
            raise Killed
        check(self)

    monkeypatch.setattr(RunningJob, "check", die_now_and_then)
    attempts = 0
    while world.client.get(f"/privacy/erasures/{asked['id']}").json()["status"] != "COMPLETED":
        attempts += 1
        assert attempts < 10
        for job in claim_jobs(world.tools, f"worker {attempts}", LEASE, room=1):
            try:
                run_job(world.tools, KINDS, job)
            except Killed:
                world.clock.advance(seconds=LEASE.total_seconds() + 1)
    assert attempts > 3
    left = world.client.get(f"/routes/{device.route_id}").json()["stops"][0]
    assert "contact" not in left
    assert left["note"] == ""


def test_one_identifier_is_asked_for_and_ids_are_of_the_organization(world: World) -> None:
    for body in (
        {},
        {"reason": "none"},
        {"phone": PHONE, "email": EMAIL},
        {"phone": "0410"},
        {"importedStopId": "", "clientStopId": ""},
    ):
        refused = world.client.post("/privacy/erasures", body)
        assert (refused.status_code, refused.json()["code"]) == (400, 3), body
        if "phone" not in body or "email" in body:
            known = "email, clientStopId, importedStopId and driverId"
            sentence = f"phone is required, or exactly one of {known} in its place"
            assert refused.json()["message"] == sentence
    refused = world.client.get("/privacy/exports")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    asked = world.client.post("/privacy/erasures", {"phone": PHONE}).json()["id"]
    for client, id_ in ((world.stranger, asked), (world.client, "era-nobody")):
        assert client.get(f"/privacy/erasures/{id_}").status_code == 404
    assert run_waiting_jobs(world.tools) == ["completed"]
    receipt = world.client.get(f"/privacy/erasures/{asked}").json()["receipt"]
    assert receipt["importedStops"] == receipt["routeStops"] == 0


def test_an_erasure_of_somebody_who_cannot_be_read_has_failed(world: World) -> None:
    unchecked = ErasureDraft(phone="+49 30 1234567")
    request = Request(principal=operator(world.credentials.organization_id))
    asked = erasures.request_customer_erasure(world.tools, request, unchecked)
    assert run_waiting_jobs(world.tools) == ["failed"]
    shown = world.client.get(f"/privacy/erasures/{asked.id}").json()
    assert shown["status"] == "FAILED"
    assert "phone" in shown["error"]


def test_an_erasure_that_waits_for_another_attempt_says_why(
    world: World,
) -> None:
    asked = world.client.post("/privacy/erasures", {"phone": PHONE}).json()
    path = f"/privacy/erasures/{asked['id']}"
    assert world.client.get(path).json().keys() == {"id", "status", "createdAt"}
    (job,) = claim_jobs(world.tools, "worker", LEASE, room=1)
    full = "database's disk is full; nothing was changed"
    fail_job(world.tools, job, Unavailable(full))
    shown = world.client.get(path).json()
    assert (shown["status"], shown["attempts"], shown["error"]) == ("QUEUED", 1, full)
    (listed,) = world.client.get("/privacy/erasures").json()["erasures"]
    assert listed == shown
    world.clock.advance(minutes=1)
    assert run_waiting_jobs(world.tools) == ["completed"]
    done = world.client.get(path).json()
    assert (done["status"], "error" in done, "attempts" in done) == ("COMPLETED", False, False)


def test_another_organization_keeps_its_customer(world: World, door: Application) -> None:
    live_through(world, door)
    assert world.stranger.post("/stops/imports", [STOP]).status_code == 200
    erase(world, phone=PHONE)
    (theirs,) = world.stranger.get("/stops/imports?query.limit=9").json()["stops"]
    assert theirs["contact"]["phone"] == PHONE
    exported = world.stranger.get(f"/privacy/exports?query.phone={PHONE.replace('+', '%2B')}")
    assert len(exported.json()["importedStops"]) == 1


@pytest.mark.both_databases
def test_an_export_has_everything_of_the_customer_and_nobody_else(
    world: World, door: Application
) -> None:
    device, stops = live_through(world, door)
    answer = world.client.get(f"/privacy/exports?query.email={EMAIL.lower()}")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert {one["clientStopId"] for one in found["importedStops"]} == {"order-77", "order-79"}
    (on_route,) = found["stops"]
    assert (on_route["id"], on_route["routeId"]) == (stops[0], device.route_id)
    assert on_route["recipientName"] == "Auntie Hildegard"
    (order,) = found["orders"]
    assert order["id"] == "S1"
    assert "Bystander" not in answer.text
    erase(world, importedStopId=found["importedStops"][0]["id"])
    assert json.loads(world.client.get(f"/privacy/exports?query.email={EMAIL}").text) != found


def test_what_was_left_by_a_route_that_is_gone_is_erased_too(
    world: World, door: Application
) -> None:
    device, _ = live_through(world, door)
    body = {"organization": {"retention": {"eventsDays": 1}}, "updateMask": "retention"}
    world.client.send("PATCH", "/organization", json=body)
    for id_ in ("order-77", "order-79"):
        assert world.client.send("DELETE", f"/stops/imports/{id_}").status_code == 200
    assert world.client.send("DELETE", f"/routes/{device.route_id}").status_code == 200
    world.clock.advance(days=2)
    remove_outdated(world.tools)  # no event knows the stop any more
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    left_at_the_door = ("Auntie Hildegard", "plum cake", "soggy parcel", "SEAL-4711")
    assert set(found_in(rows_of(world))) >= set(left_at_the_door)
    receipt = erase(world, phone=PHONE)
    assert (receipt["pictures"], receipt["routeStops"]) == (2, 1)
    assert [one for one in left_at_the_door if one in found_in(rows_of(world))] == []
    assert world.count("attachments") == 0


def test_what_was_left_by_a_copy_that_is_gone_is_erased_by_the_id_of_what_was_copied(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    imported = world.client.post("/stops/imports", [STOP]).json()["stops"]
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    leaves = {"scheduledFor": "2024-06-24T06:30:00Z", "driverId": device.driver_id}
    source = world.client.post("/routes", {"start": start, **leaves}).json()["id"]
    world.client.post(f"/routes/{source}/stops", [{"importedStopId": imported[0]["id"]}])
    copied = world.client.post("/days/2024-07-01/copies", {"from": "2024-06-24"}).json()
    device.route_id = copied["routes"][0]["id"]
    path = f"/routes/{device.route_id}"
    (stop,) = world.client.get(path).json()["stops"]
    assert world.client.post(f"{path}/dispatch", {}).status_code == 200
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop["id"], recipientName="Auntie Hildegard")
    body = {"organization": {"retention": {"eventsDays": 1}}, "updateMask": "retention"}
    world.client.send("PATCH", "/organization", json=body)
    world.client.send("DELETE", f"/stops/imports/{stop['importedStopId']}")
    assert world.client.send("DELETE", path).status_code == 200
    world.clock.advance(days=2)
    remove_outdated(world.tools)  # no event knows the copy any more
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    assert "Auntie Hildegard" in rows_of(world)
    erase(world, clientStopId="order-77")
    assert found_in(rows_of(world)) == []


def test_whom_an_erasure_looks_for_is_sealed_until_it_is_done(world: World) -> None:
    world.client.post("/privacy/erasures", {"phone": PHONE})
    assert "4105557788" not in rows_of(world)
    assert base64.b64encode(PHONE.encode()).decode() not in rows_of(world)
    assert run_waiting_jobs(world.tools) == ["completed"]
    with world.tools.database.reading() as tx:
        row = tx.exec_driver_sql("SELECT traces FROM erasures").one()
    assert row[0] is None
    assert erasures.ERASURES.name in KINDS
