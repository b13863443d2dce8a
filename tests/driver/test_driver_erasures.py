"""Erasing a driver: nothing of them is left in answers, rows or files, and the day stays."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Device, accept, browser, events, sign_up
from tests.driver.test_erasures import rows_of
from tests.driver.test_evidence import PHOTO, fetch, kinds, problems, unpack
from tests.driver.test_retention import LINE, apply_a_plan_of, draw_lines
from tests.images.test_decoder_process import jpeg
from tests.support.plans import run_waiting_jobs

from roundsman.app import KINDS
from roundsman.domain.model import Model
from roundsman.endpoints.application import Application
from roundsman.operations import driver_erasures, erasures
from roundsman.operations.job_runs import claim_jobs, run_job
from roundsman.operations.jobs import RunningJob
from roundsman.storage.leases import LEASE

pytestmark = pytest.mark.spec("decisions §17")

type Json = Any

PHONE, EMAIL = "+14105553377", "Quillon.B@example.com"
WHO = {"firstName": "Quillon", "lastName": "Brambleworth", "phone": PHONE, "email": EMAIL}
FULL_NAME = "Quillon Brambleworth"
MARKERS = (
    "Quillon",
    "Brambleworth",
    "4105553377",
    "pocket slab",
    "39.287654",
    "39.287655",
    "39.287656",
    "driver/invite/",
    "198.51.100.77",
)
"""Something of the driver in every field that is to go."""

KEPT = ("security_events",)
"""Who signed in from where is kept for a year whoever is erased, as the log promises."""


def position(latitude: float) -> Json:
    return {"latitude": latitude, "longitude": -76.587654, "accuracyMeters": 5}


def live_through(world: World, door: Application) -> tuple[Device, Device, list[str]]:
    """Let the driver's data go wherever they can go; beside a colleague who has a day too."""
    client = world.client
    client.post("/webhooks", {"url": "https://example.com/hooks", "topics": ["DRIVER_ADDED"]})
    invited = client.post("/drivers", WHO, headers={"Idempotency-Key": "driver-1"}).json()
    device = accept(world, door, invited["inviteUrl"].rpartition("/")[2], "Quillon's pocket slab")
    device.http, device.headers["User-Agent"] = browser(door, "198.51.100.77"), "Quillon/7"
    client.post(f"/drivers/{device.driver_id}/invite", {})
    colleague = sign_up(world, door, firstName="Ama", lastName="Mensah", phone="+14105550142")
    for one, numbers, name in ((colleague, (3, 4), "South"), (device, (1, 2), FULL_NAME)):
        one.route_id = create_route(
            world,
            name=f"{name}, early",
            note=f"Call {FULL_NAME}, {PHONE} or {EMAIL.lower()}, when late",
            scheduledFor="2024-07-01T06:30:00Z",
            driverId=one.driver_id,
        )
        add(world, one.route_id, import_line(world, *numbers))
        assert client.post(f"/routes/{one.route_id}/dispatch", {}).status_code == 200
    stops = [one["id"] for one in client.get(f"/routes/{device.route_id}").json()["stops"]]
    world.clock.advance(minutes=5)
    drive(device, 39.287654, FULL_NAME)
    drive(colleague, 39.271234, "Ama")
    return device, colleague, stops


def drive(device: Device, latitude: float, name: str) -> None:
    """Visit every stop of a route, and say where that was."""
    device.done("ROUTE_STARTED")
    first, second = [one["id"] for one in device.route()["stops"]]
    device.done("POSITION", position=position(latitude))
    assert device.upload(PHOTO, jpeg()).status_code == 200
    device.done("PHOTO", stopId=first, uploadId=PHOTO)
    device.done("PROOF_NOTE", stopId=first, note=f"{name} gave it to the caretaker")
    at_the_door = position(latitude + 0.000001)
    device.done("STOP_DELIVERED", stopId=first, recipientName="Caretaker", position=at_the_door)
    device.world.clock.advance(minutes=5)
    device.done("POSITION", position=position(latitude + 0.000002))
    device.done("STOP_ATTEMPTED", stopId=second, reason="OTHER", note="a dog barked")


def found_in(text: str) -> list[str]:
    return [marker for marker in MARKERS if marker.casefold() in text.casefold()]


def rows_with(world: World) -> str:
    return "\n".join(
        line for line in rows_of(world).splitlines() if line.partition(":")[0] not in KEPT
    )


def answers_of(world: World, *devices: Device) -> str:
    paths = (
        "/routes",
        *(f"/routes/{one.route_id}{part}" for one in devices for part in ("", "/track", "/sheet")),
        "/events?query.limit=200",
        "/driver-actions?query.limit=200",
        "/drivers?query.status=ARCHIVED",
        "/drivers/positions",
        "/plans",
        "/days/2024-07-01",
        "/reports?query.from=2024-07-01&query.to=2024-07-01",
        f"/routes/{devices[0].route_id}/export?query.format=CSV",
    )
    return "\n".join(world.client.get(path).text for path in paths)


def erase(world: World, driver_id: str) -> Json:
    body = {"driverId": driver_id, "reason": "left us"}
    asked = world.client.post("/privacy/erasures", body)
    assert asked.status_code == 200, asked.text
    path = f"/privacy/erasures/{asked.json()['id']}"
    assert world.client.get(path).json()["status"] == "QUEUED"
    assert run_waiting_jobs(world.tools) == ["completed"]
    done = world.client.get(path).json()
    assert (done["status"], done["driverId"]) == ("COMPLETED", driver_id)
    return done["receipt"]


def shown(world: World, device: Device) -> Json:
    return world.client.get(f"/routes/{device.route_id}").json()


def without_words(route: Json) -> Json:
    """Return what is to stay of a route of the driver's, or of another with the driver's name."""
    text = json.dumps(route)
    for words in (FULL_NAME, PHONE, EMAIL.lower()):
        text = text.replace(words, "\\u2026")
    left = json.loads(text)
    return {name: value for name, value in left.items() if name != "version"}


@pytest.mark.both_databases
def test_nothing_of_an_erased_driver_is_left_and_the_day_stays(
    world: World, door: Application, tmp_path: Path
) -> None:
    device, colleague, stops = live_through(world, door)
    assert set(found_in(rows_with(world))) == set(MARKERS)
    theirs, others = shown(world, device), shown(world, colleague)
    track = world.client.get(f"/routes/{colleague.route_id}/track").json()
    receipt = erase(world, device.driver_id)
    assert (receipt["reason"], receipt["devices"]) == ("left us", 1)
    assert receipt["positions"] >= 2
    assert receipt["journalEntries"] >= 5
    assert receipt["documents"] > 5
    assert receipt["evidenceRecords"] == 2, "where the driver stood, and a note with the name"
    assert found_in(rows_with(world)) == []
    assert found_in(answers_of(world, device, colleague)) == []
    if world.tools.database.dialect_name == "sqlite":
        for file in tmp_path.glob("roundsman.db*"):
            held = found_in(file.read_bytes().decode("latin-1"))
            # The log of security events says for a year from where somebody signed in.
            assert set(held) <= {"198.51.100.77", "Quillon"}, file.name
    driver = {"id": device.driver_id, "firstName": "", "lastName": "", "phone": ""}
    expected = {**without_words(theirs), "driver": {**driver, "status": "ARCHIVED"}}
    for one in expected["stops"]:
        one.pop("deliveredCoordinates", None)
    assert without_words(shown(world, device)) == expected
    assert without_words(shown(world, colleague)) == without_words(others)
    assert world.client.get(f"/routes/{colleague.route_id}/track").json() == track
    check_evidence(world, device, stops[0])
    check_evidence(world, device, stops[1])
    picture = shown(world, device)["stops"][0]["proofOfDeliveryPhotos"][0]
    assert picture, "a picture of the door is the customer's"


@pytest.mark.both_databases
def test_where_a_plan_found_an_erased_driver_on_the_road_goes(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    device.route_id = create_route(
        world, scheduledFor="2024-07-01T06:30:00Z", driverId=device.driver_id
    )
    add(world, device.route_id, import_line(world, 1, 2))
    path = f"/routes/{device.route_id}"
    assert world.client.post(f"{path}/dispatch", {}).status_code == 200
    device.done("ROUTE_STARTED")
    device.done("POSITION", position=position(39.287654))
    draw_lines(world, apply_a_plan_of(world, device))
    assert world.client.post(f"{path}/archive", {}).status_code == 200
    told = ["39.287654", LINE]
    assert [one for one in told if one in rows_of(world)] == told
    erase(world, device.driver_id)
    assert [one for one in told if one in rows_of(world)] == []


def check_evidence(world: World, device: Device, stop_id: str) -> None:
    bundle = fetch(world, device, stop_id)
    assert problems(bundle) == ""
    assert "position" not in unpack(bundle)["fields.jsonl"].decode()
    if kinds(bundle)[-1] == "ERASED":
        assert b"(erased)" in unpack(bundle)["page.html"]
        assert b'"Caretaker"' in unpack(bundle)["fields.jsonl"]


@pytest.mark.both_databases
def test_an_export_has_everything_of_the_driver_and_nobody_else(
    world: World, door: Application
) -> None:
    device, colleague, _ = live_through(world, door)
    path = f"/privacy/exports?query.driverId={device.driver_id}"
    answer = world.client.get(path)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert [found[name] for name in ("importedStops", "stops", "orders")] == [[], [], []]
    theirs = found["driver"]
    assert theirs["driver"]["phone"] == PHONE
    assert [one["device"] for one in theirs["devices"]] == ["Quillon's pocket slab"]
    (route,) = theirs["routes"]
    shown_now = shown(world, device)
    assert route == {name: shown_now[name] for name in ("id", "name", "scheduledFor", "status")} | {
        "id": device.route_id
    }
    assert {one["routeId"] for one in theirs["positions"]} == {device.route_id}
    assert len(theirs["positions"]) == 2
    entries = world.client.get(f"/driver-actions?query.driverId={device.driver_id}").json()
    assert theirs["actions"] == entries["actions"]
    for stranger in ("Mensah", "39.2712", colleague.route_id):
        assert stranger not in answer.text
    assert world.stranger.get(path).status_code == 404
    erase(world, device.driver_id)
    left = world.client.get(path).json()["driver"]
    assert found_in(json.dumps(left)) == []
    assert (left["devices"], left["positions"], left["actions"]) == ([], [], [])
    assert [one["id"] for one in left["routes"]] == [device.route_id]


def test_a_device_of_an_erased_driver_is_signed_out_at_once_and_receivers_hear_no_name(
    world: World, door: Application
) -> None:
    device, *_ = live_through(world, door)
    asked = world.client.post("/privacy/erasures", {"driverId": device.driver_id})
    assert asked.status_code == 200, asked.text
    assert device.get("/routes").status_code == 401
    assert world.client.get(f"/drivers/{device.driver_id}").json()["status"] == "ARCHIVED"
    (told,) = [one for one in events(world) if one["topic"] == "DRIVER_ARCHIVED"]
    assert told["objectId"] == device.driver_id
    assert found_in(json.dumps(told)) == []
    log = world.client.get("/security-events?query.kind=DRIVER_ERASED").json()["securityEvents"]
    assert [one["details"]["driverId"] for one in log] == [device.driver_id]


@pytest.mark.both_databases
def test_a_killed_erasure_of_a_driver_goes_on_where_it_was(
    world: World, door: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasures, "_ROWS_AT_ONCE", 3)
    monkeypatch.setattr(erasures, "_ROUTES_AT_ONCE", 1)
    monkeypatch.setattr(driver_erasures, "_ROWS_AT_ONCE", 2)
    device, *_ = live_through(world, door)
    asked = world.client.post("/privacy/erasures", {"driverId": device.driver_id}).json()

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
    path, attempts = f"/privacy/erasures/{asked['id']}", 0
    seen = set()
    while (now := world.client.get(path).json())["status"] != "COMPLETED":
        seen.add(now.get("percentDone", 0))
        attempts += 1
        assert attempts < 20
        for job in claim_jobs(world.tools, f"worker {attempts}", LEASE, room=1):
            try:
                run_job(world.tools, KINDS, job)
            except Killed:
                world.clock.advance(seconds=LEASE.total_seconds() + 1)
    assert attempts > 3
    assert len(seen) > 2, "how far it is can be seen meanwhile"
    assert found_in(rows_with(world)) == []
    assert now["receipt"]["journalEntries"] >= 5


def test_a_driver_with_a_route_under_way_is_not_erased(world: World, door: Application) -> None:
    device = sign_up(world, door, **WHO)
    device.route_id = create_route(
        world, scheduledFor="2024-07-01T06:30:00Z", driverId=device.driver_id
    )
    add(world, device.route_id, import_line(world, 1))
    path = f"/routes/{device.route_id}"
    asked = {"driverId": device.driver_id}
    world.client.post(f"{path}/dispatch", {})
    for step in ("dispatched", "begun"):
        if step == "begun":
            device.done("ROUTE_STARTED")
        refused = world.client.post("/privacy/erasures", asked)
        assert (refused.status_code, refused.json()["code"]) == (400, 9), step
        assert "undispatch" in refused.json()["message"]
        assert device.route_id in refused.text
        assert device.get("/routes").status_code == 200, "nothing has happened"
    world.client.post(f"{path}/archive", {})
    assert world.client.post("/privacy/erasures", asked).status_code == 200


def test_a_driver_is_asked_for_alone_and_is_of_the_organization(
    world: World, door: Application
) -> None:
    device = sign_up(world, door, **WHO)
    both = {"driverId": device.driver_id, "phone": PHONE}
    refused = world.client.post("/privacy/erasures", both)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert "driverId" in refused.text
    for client, id_ in ((world.stranger, device.driver_id), (world.client, "drv-nobody")):
        refused = client.post("/privacy/erasures", {"driverId": id_})
        assert (refused.status_code, refused.json()["code"]) == (404, 5)
    assert device.get("/routes").status_code == 200


def test_erasures_are_listed_newest_first_each_with_its_receipt(
    world: World, door: Application
) -> None:
    device = sign_up(world, door, **WHO)
    first = world.client.post("/privacy/erasures", {"phone": "+14105550111"}).json()["id"]
    run_waiting_jobs(world.tools)
    world.clock.advance(minutes=5)
    second = world.client.post("/privacy/erasures", {"driverId": device.driver_id}).json()["id"]
    page = world.client.get("/privacy/erasures?query.limit=1").json()
    (newest,) = page["erasures"]
    assert (newest["id"], newest["status"]) == (second, "QUEUED")
    assert newest["driverId"] == device.driver_id
    assert "receipt" not in newest
    (oldest,) = world.client.get(f"/privacy/erasures?cursor={page['nextCursor']}").json()[
        "erasures"
    ]
    assert (oldest["id"], oldest["status"]) == (first, "COMPLETED")
    assert oldest["receipt"]["reason"] == ""
    assert "driverId" not in oldest
    assert world.stranger.get("/privacy/erasures").json()["erasures"] == []
