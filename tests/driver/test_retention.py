"""What is kept for how long: set by the organization, held by housekeeping."""

import re
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.api.conftest import World
from tests.driver.device import Device
from tests.driver.test_erasures import (
    EMAIL,
    MARKERS,
    ORDER,
    OTHER,
    live_through,
    put_on_route,
    rows_of,
)
from tests.driver.test_evidence import fetch, problems
from tests.support.plans import run_waiting_jobs

from roundsman.endpoints.application import Application
from roundsman.operations.housekeeping import remove_outdated
from roundsman.storage.plans import load_proposal, save_proposal

pytestmark = pytest.mark.spec("decisions §17")

type Json = Any

PROOF = ("Auntie Hildegard", "plum cake", "soggy parcel", "barking spaniel", "SEAL-4711")


def keep(world: World, **days: int) -> None:
    body = {"organization": {"retention": days}, "updateMask": "retention"}
    answer = world.client.send("PATCH", "/organization", json=body)
    assert answer.status_code == 200, answer.text


def later(world: World, **by: float) -> None:
    """Let time pass, and whoever signed in sign in again."""
    world.clock.advance(**by)
    remove_outdated(world.tools)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)


def left(world: World, *markers: str) -> list[str]:
    stored = rows_of(world).casefold()
    return [marker for marker in markers if marker.casefold() in stored]


@pytest.mark.both_databases
def test_proof_goes_when_its_days_are_over_and_customers_when_theirs_are(
    world: World, door: Application
) -> None:
    device, stops = live_through(world, door)
    keep(world, positionsDays=5, eventsDays=5, proofDays=100, customersDays=200)
    later(world, days=99)
    assert left(world, *PROOF) == list(PROOF)
    assert (world.count("events"), world.count("driver_positions")) == (0, 0)
    assert world.count("attachments") == 2
    assert problems(fetch(world, device, stops[0])) == ""
    later(world, days=2)
    assert world.count("attachments") == world.count("uploads") == 0
    assert left(world, *PROOF) == []
    assert left(world, "Zarathustra", "flowerpot", "gift wrap it") != []
    shown = world.client.get(f"/routes/{device.route_id}").json()["stops"][0]
    assert (shown["deliveryStatus"], shown["proofOfDeliveryPhotos"]) == ("DELIVERED", [])
    assert world.count("driver_actions") == 0  # the device's session is long over
    with world.tools.database.reading() as tx:
        rows = tx.exec_driver_sql("SELECT record, disclosed FROM evidence_records").fetchall()
    assert rows
    assert {tuple(row) for row in rows} == {(None, None)}
    later(world, days=98)
    assert left(world, "Zarathustra") != []
    later(world, days=2)
    assert left(world, *MARKERS) == []
    shown = world.client.get(f"/routes/{device.route_id}").json()["stops"][0]
    assert (shown["orderName"], shown["address"]["city"]) == ("#77", "Baltimore")


def test_without_a_setting_the_usual_days_hold(world: World, door: Application) -> None:
    device, _ = live_through(world, door)
    later(world, days=29)
    assert world.count("events") > 0
    later(world, days=2)
    assert world.count("events") == 0
    later(world, days=698)
    assert world.count("attachments") == 2
    later(world, days=2)
    assert world.count("attachments") == 0
    assert left(world, "Zarathustra") != []
    later(world, days=365)
    assert left(world, *MARKERS) == []
    assert world.client.get(f"/routes/{device.route_id}").status_code == 200


def test_positions_of_actions_go_with_the_others(world: World, door: Application) -> None:
    live_through(world, door)
    later(world, days=29)
    assert "39.3155" in rows_of(world)
    later(world, days=2)
    entries = world.client.get("/driver-actions?query.limit=200").json()["actions"]
    assert entries
    assert not [one for one in entries if "position" in one["action"]]


DOOR = ("39.3155", "76.6155")
"""Where the driver stood at the first door; no driver comes to another."""

EFFORT = {"effort": "QUICK"}
LINE = "_p~iF~ps|U_ulLnnqC"


@pytest.mark.both_databases
def test_where_a_driver_was_last_goes_with_the_other_positions(
    world: World, door: Application
) -> None:
    device, _ = live_through(world, door)
    keep(world, positionsDays=30, eventsDays=90, proofDays=730, customersDays=1095)
    draw_lines(world, apply_a_plan_of(world, device))
    path = f"/routes/{device.route_id}"
    later(world, days=29)
    assert world.client.get(path).json()["lastPosition"]["coordinates"]["latitude"] == 39.3155
    assert left(world, LINE) == [LINE]
    change = {"route": {"note": "mind the ferry"}, "updateMask": "note"}
    assert world.client.send("PATCH", path, json=change).status_code == 200
    later(world, days=2)
    assert "lastPosition" not in world.client.get(path).json()
    assert world.count("live_routes") == 0
    assert world.count("events") > 0
    stop = world.client.get(path).json()["stops"][0]
    assert stop["deliveredCoordinates"] == {"latitude": 39.3155, "longitude": -76.6155}
    # What stays is proof: of the stop, and of its evidence.
    proof = re.compile(r'"deliveredCoordinates":{[^}]*}|^evidence_records:.*', re.MULTILINE)
    assert [one for one in DOOR if one in proof.sub("", rows_of(world))] == []
    assert left(world, LINE) == []


@pytest.mark.parametrize("first", ["proofDays", "customersDays"])
def test_where_a_driver_was_last_goes_with_the_door_if_that_goes_first(
    world: World, door: Application, first: str
) -> None:
    days = {"positionsDays": 900, "eventsDays": 900, "proofDays": 900, "customersDays": 900}
    device, _ = live_through(world, door)
    keep(world, **{**days, first: 10})
    later(world, days=11)
    assert "lastPosition" not in world.client.get(f"/routes/{device.route_id}").json()
    assert world.count("live_routes") == 0
    assert "lastPosition" not in rows_of(world)


def apply_a_plan_of(world: World, device: Device) -> str:
    """Add a stop to the route by a plan, which begins where the driver is and is kept for good."""
    extra = world.client.post("/stops/imports", [{**OTHER, "clientStopId": "order-80"}]).json()
    stops = [{"importedStopId": extra["stops"][0]["id"]}]
    plan = {"routes": [{"routeId": device.route_id}], "stops": stops, "options": EFFORT}
    asked = world.client.post("/plans", plan)
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    applied = world.client.post(f"/plans/{asked.json()['id']}/apply")
    assert applied.status_code == 200, applied.text
    return str(asked.json()["id"])


def draw_lines(world: World, plan_id: str) -> None:
    """Have the routes of a plan the lines that they have where there are roads."""
    with world.tools.database.writing() as tx:
        found = load_proposal(tx, plan_id)
        drawn = tuple(replace(one, polyline=LINE) for one in found.routes)
        save_proposal(tx, plan_id, replace(found, routes=drawn))


def test_what_is_changed_after_it_was_cleared_is_cleared_again(
    world: World, door: Application
) -> None:
    keep(world, positionsDays=1, eventsDays=1, proofDays=1, customersDays=10)
    live_through(world, door)
    later(world, days=11)
    assert left(world, EMAIL, "Bystander") == []
    (stop, *_) = world.client.get("/stops/imports?query.limit=9").json()["stops"]
    change = {"importedStop": {"note": "mind the otter"}, "updateMask": "note"}
    assert (
        world.client.send("PATCH", f"/stops/imports/{stop['id']}", json=change).status_code == 200
    )
    later(world, days=9)
    assert left(world, "otter") == ["otter"]
    later(world, days=2)
    assert left(world, "otter") == []


def test_events_are_read_as_long_as_they_are_kept(world: World) -> None:
    keep(world, eventsDays=60)
    world.client.post("/routes", {"start": {"coordinates": {"latitude": 39.2, "longitude": -76.6}}})
    later(world, days=59)
    assert len(world.client.get("/events").json()["events"]) == 1
    keep(world, eventsDays=10)
    assert world.client.get("/events").json()["events"] == []


@pytest.mark.both_databases
@pytest.mark.parametrize("state", ["CANCELLED", "ON_HOLD"])
def test_customers_go_whose_order_is_open_no_more(world: World, state: str) -> None:
    keep(world, positionsDays=1, eventsDays=1, proofDays=1, customersDays=10)
    route_id = put_on_route(world, state)
    later(world, days=11)
    assert left(world, *MARKERS) == []
    (stop,) = world.client.get(f"/routes/{route_id}").json()["stops"]
    assert stop["storeOrder"] == {"orderNote": "", "customerNote": "", "state": state}


def date_in(world: World, days: int) -> Json:
    day = world.clock.now() + timedelta(days=days)
    return {"year": day.year, "month": day.month, "day": day.day}


def names_left(world: World) -> list[str]:
    return left(world, "Dagmar", "Ulrike", "Rosalind", "Osbert", "Ethelred")


@pytest.mark.both_databases
def test_customers_are_kept_as_long_as_their_delivery_lies_ahead(world: World) -> None:
    keep(world, positionsDays=1, eventsDays=1, proofDays=1, customersDays=10)
    dated = {"deliveryDate": date_in(world, 40)}
    people = {"Dagmar": dated, "Ulrike": {}, "Rosalind": {}}
    stops = [
        {**OTHER, "clientStopId": f"stop-{number}", "contact": {"firstName": name}, **more}
        for number, (name, more) in enumerate(people.items())
    ]
    imported = world.client.post("/stops/imports", stops).json()["stops"]
    for number, (name, more) in enumerate({"Osbert": dated, "Ethelred": {}}.items()):
        order = {**ORDER, "contact": {"firstName": name}, "deliveryDate": None, **more}
        answer = world.client.send("PUT", f"/store-orders/S{number}", json=order)
        assert answer.status_code == 200, answer.text
    leaves = world.clock.now() + timedelta(days=80)
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    body = {"start": start, "scheduledFor": leaves.isoformat().replace("+00:00", "Z")}
    route = world.client.post("/routes", body).json()
    stop = {"importedStopId": imported[2]["id"]}
    assert world.client.post(f"/routes/{route['id']}/stops", [stop]).status_code == 200
    later(world, days=50)
    assert names_left(world) == ["Dagmar", "Ulrike", "Rosalind", "Osbert", "Ethelred"]
    later(world, days=2)
    assert names_left(world) == ["Ulrike", "Rosalind", "Ethelred"]
    later(world, days=37)
    assert names_left(world) == ["Ulrike", "Rosalind", "Ethelred"]
    later(world, days=2)
    assert names_left(world) == ["Ulrike", "Ethelred"]
    later(world, days=283)
    assert names_left(world) == ["Ulrike", "Ethelred"]
    later(world, days=2)
    assert names_left(world) == []
    assert world.count("retention_holds") == 0


def put_on_route_in(world: World, days: int, stop: Json) -> Json:
    leaves = world.clock.now() + timedelta(days=days)
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    body = {"start": start, "scheduledFor": leaves.isoformat().replace("+00:00", "Z")}
    route = world.client.post("/routes", body).json()
    (imported,) = world.client.post("/stops/imports", [stop]).json()["stops"]
    sent = {"importedStopId": imported["id"]}
    assert world.client.post(f"/routes/{route['id']}/stops", [sent]).status_code == 200
    return route


def test_a_stop_whose_route_is_deleted_does_not_wait_for_it(world: World) -> None:
    keep(world, positionsDays=1, eventsDays=1, proofDays=1, customersDays=10)
    route = put_on_route_in(world, 80, {**OTHER, "deliveryDate": date_in(world, 0)})
    later(world, days=20)
    assert world.client.send("DELETE", f"/routes/{route['id']}").status_code == 200
    later(world, days=9)
    assert left(world, "Bystander") == ["Bystander"]
    later(world, days=2)
    assert left(world, "Bystander") == []
    later(world, days=60)
    assert world.count("retention_holds") == 0


@pytest.mark.both_databases
def test_a_stop_does_not_wait_for_the_day_that_its_route_had_before(world: World) -> None:
    keep(world, positionsDays=1, eventsDays=1, proofDays=1, customersDays=10)
    route = put_on_route_in(world, 80, {**OTHER, "deliveryDate": date_in(world, 0)})
    later(world, days=20)
    assert world.count("retention_holds") > 0
    leaves = (world.clock.now() + timedelta(hours=2)).isoformat().replace("+00:00", "Z")
    changed = {"route": {"scheduledFor": leaves}, "updateMask": "scheduledFor"}
    answer = world.client.send("PATCH", f"/routes/{route['id']}", json=changed)
    assert answer.status_code == 200, answer.text
    later(world, days=9)
    assert left(world, "Bystander") == ["Bystander"]
    later(world, days=3)
    assert left(world, "Bystander") == []
    assert world.count("retention_holds") == 0
