"""The journal: each action once, in whatever order it comes, and none is lost."""

import random
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import TASKS, Device, Listener, accept, dispatch, sign_up, start_route
from tests.images.test_decoder_process import jpeg

from roundsman.endpoints.application import Application

STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.6}}

pytestmark = pytest.mark.both_databases


def outcomes(results: list[Any]) -> list[str]:
    return [result.get("reason") or result["outcome"] for result in results]


def test_an_action_told_again_is_answered_from_the_record(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    listener = Listener(world)
    start = device.action("ROUTE_STARTED")
    late = device.action("BARCODE", stopId="rst-gone", value="1")
    first = device.send(start, late)
    listener.topics()
    again = device.send(late, start, start)
    assert again.json()["results"] == [
        first.json()["results"][1],
        *[first.json()["results"][0]] * 2,
    ]
    assert first.json()["repeated"] == []
    assert again.json()["repeated"] == [late["id"], start["id"], start["id"]]
    result = first.content.partition(b"[")[2].partition(b"}")[0]
    assert result in again.content
    assert listener.topics() == []
    assert world.count("driver_actions") == 2


def test_a_batch_sent_many_times_at_once_happens_once(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stops = [stop["id"] for stop in device.route()["stops"]]
    batch = [
        device.action("ROUTE_STARTED"),
        *(device.action("BARCODE", stopId=stop, value="1") for stop in stops),
        *(device.action("STOP_DELIVERED", stopId=stop) for stop in stops),
        device.action("BARCODE", stopId="rst-gone", value="1"),
    ]
    listener = Listener(world)
    with ThreadPoolExecutor(6) as sends:
        answers = list(sends.map(lambda _: device.send(*batch).json()["results"], range(6)))
    assert all(answer == answers[0] for answer in answers)
    topics = [topic for topic, _ in listener.topics()]
    assert topics.count("ROUTE_STARTED") == topics.count("ROUTE_COMPLETED") == 1
    assert topics.count("STOP_UPDATED") == 4
    assert world.count("driver_actions") == len(batch)
    assert [len(stop["proofOfDeliveryBarcodes"]) for stop in device.route()["stops"]] == [1, 1]


def test_an_id_belongs_to_one_action(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    note = device.action("PROOF_NOTE", stopId=stop, note="one")
    other = {**note, "note": "two"}
    in_one_batch = device.results(note, other)
    later = device.results({**note, "id": note["id"].upper(), "note": "three"})
    assert outcomes(in_one_batch) == ["APPLIED", "REFUSED"]
    for refused in (in_one_batch[1], later[0]):
        assert refused["fieldViolations"][0]["field"] == "id"
        assert "was used for another action" in refused["message"]
    assert device.route()["stops"][0]["proofOfDeliveryNote"] == "one"
    assert world.count("driver_actions") == 1


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"id": "1"}, "id"),
    ({"id": None}, "id"),
    ({"kind": "STOP_TELEPORTED"}, "kind"),
    ({"kind": None}, "kind"),
    ({"sequence": 0}, "sequence"),
    ({"sequence": "1"}, "sequence"),
    ({"at": "yesterday"}, "at"),
    ({"at": "2024-07-01T06:00:00"}, "at"),
    ({"routeId": ""}, "routeId"),
    ({"stopId": None}, "stopId"),
    ({"note": "x" * 10_001}, "note"),
    ({"notes": "x"}, "notes"),
    ({"position": {"latitude": 91, "longitude": 0}}, "position.latitude"),
    ({"kind": "POSITION", "stopId": None, "note": None}, "position"),
    ({"kind": "PHOTO", "note": None}, "uploadId"),
    ({"kind": "STOP_ATTEMPTED", "reason": "BORED"}, "reason"),
    ({"kind": "BARCODE", "note": None, "value": ""}, "value"),
]


@pytest.mark.parametrize(("fields", "named"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_action_is_refused_by_field_and_keeps_none_back(
    world: World, door: Application, fields: dict[str, Any], named: str
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    good = device.action("PROOF_NOTE", stopId=stop, note="fine")
    wrong = device.action("PROOF_NOTE", stopId=stop, note="no")
    changed = {name: value for name, value in {**wrong, **fields}.items() if value is not None}
    refused, applied = device.results(changed, good)
    assert refused["outcome"] == "REFUSED"
    assert named in [violation["field"] for violation in refused["fieldViolations"]]
    assert applied["outcome"] == "APPLIED"
    assert world.count("driver_actions") == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"actions": []}', 400),
        (b'{"actions": {}}', 400),
        (b'{"actions": [1], "more": 1}', 400),
        (b'{"actions": [%s1]}' % (b"1," * 500), 400),
        (b'{"actions": [NaN]}', 400),
        (b'{"actions": [1, "x", [], null]}', 200),
        (b'{"actions": [{"id": "\\ud800", "kind": {}}]}', 200),
        (b'{"actions": [{"kind": "POSITION", "\\ud800": 1}]}', 200),
        (b'{"\\ud800": []}', 400),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_no_batch_is_refused_whole(
    world: World, door: Application, body: bytes, status: int
) -> None:
    device = sign_up(world, door)
    headers = {**device.headers, "Content-Type": "application/json"}
    response = device.http.post("/driver/api/actions", content=body, headers=headers)
    assert response.status_code == status, response.text
    if status == 200:
        assert set(outcomes(response.json()["results"])) == {"REFUSED"}
    assert world.count("driver_actions") == 0


def _undispatch(world: World, device: Device) -> None:
    world.client.send("DELETE", f"/routes/{device.route_id}/dispatch")


def _remove_stop(world: World, device: Device) -> None:
    stop = world.client.get(f"/routes/{device.route_id}").json()["stops"][0]["id"]
    world.client.send("DELETE", f"/routes/{device.route_id}/stops/{stop}")


def _reassign(world: World, device: Device) -> None:
    other = world.client.post("/drivers", {"firstName": "Ann"}).json()["driver"]["id"]
    world.client.post(f"/drivers/{other}/activate")
    world.client.send("PUT", f"/routes/{device.route_id}/driver", json={"driverId": other})


def _archive(world: World, device: Device) -> None:
    world.client.post(f"/routes/{device.route_id}/archive")


def _delete(world: World, device: Device) -> None:
    world.client.send("DELETE", f"/routes/{device.route_id}")


LATE = [
    (_undispatch, "ROUTE_NOT_DISPATCHED"),
    (_remove_stop, "STOP_GONE"),
    (_reassign, "ROUTE_NOT_YOURS"),
    (_archive, "ROUTE_ARCHIVED"),
    (_delete, "ROUTE_GONE"),
]


@pytest.mark.parametrize(("meanwhile", "reason"), LATE, ids=lambda value: str(value)[:24])
def test_what_comes_too_late_is_kept_for_the_planner(
    world: World, door: Application, meanwhile: Any, reason: str
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    stop = device.route()["stops"][0]["id"]
    delivered = device.action("STOP_DELIVERED", stopId=stop, note="left at the door")
    meanwhile(world, device)
    listener = Listener(world)
    (result,) = device.results(delivered)
    assert (result["outcome"], result["reason"]) == ("KEPT", reason)
    assert result["message"]
    assert listener.topics() == []
    assert device.send(delivered).json() == {"results": [result], "repeated": [delivered["id"]]}
    kept = world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"]
    assert [(entry["id"], entry["reason"]) for entry in kept] == [(delivered["id"], reason)]
    assert kept[0]["action"]["note"] == "left at the door"


def test_a_kept_action_names_its_stop_wherever_that_is_now(world: World, door: Application) -> None:
    device = sign_up(world, door)
    device.route_id = create_route(world, driverId=device.driver_id)
    add(world, device.route_id, import_line(world, 1, 2, 3, 4, orderName="#7"))
    world.client.post(f"/routes/{device.route_id}/dispatch", {})
    device.done("ROUTE_STARTED")
    moved, removed, again, _ = device.route()["stops"]
    other = create_route(world)
    move = {"stopId": moved["id"], "toRouteId": other, "index": 0}
    assert world.client.post("/routes/transfers", {"moves": [move]}).status_code == 200
    for stop in (removed, again):
        gone = world.client.send("DELETE", f"/routes/{device.route_id}/stops/{stop['id']}")
        assert gone.status_code == 200
    add(world, other, [again["importedStopId"]])
    added = world.client.get(f"/routes/{other}").json()["stops"][1]
    stops = (moved, removed, again)
    device.results(*(device.action("STOP_DELIVERED", stopId=one["id"]) for one in stops))
    kept = world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"]
    kept.sort(key=lambda one: int(one["sequence"]))
    names = ("id", "routeId", "name", "importedStopId")
    assert [tuple(one["stop"][name] for name in names) for one in kept] == [
        (moved["id"], other, "#7", moved["importedStopId"]),
        (removed["id"], "", "#7", removed["importedStopId"]),
        (added["id"], other, "#7", again["importedStopId"]),
    ]


def journal_of(device: Device) -> list[dict[str, Any]]:
    """Write down a whole route of two stops, with tasks that must be done first."""
    route = device.route()
    told = [device.action("ROUTE_STARTED")]
    for stop in route["stops"]:
        seal, checks = stop["tasks"]
        told += [
            device.action("PROOF_NOTE", stopId=stop["id"], note="first"),
            device.action("TASK_COMPLETED", taskId=seal["id"], value="A"),
            device.action("TASK_COMPLETED", taskId=seal["id"], value="B"),
            device.action(
                "TASK_ITEM_COMPLETED", taskId=checks["id"], itemId=checks["items"][0]["id"]
            ),
            device.action("STOP_ATTEMPTED", stopId=stop["id"], reason="NOT_AVAILABLE"),
            device.action("STOP_DELIVERED", stopId=stop["id"]),
            device.action("BARCODE", stopId=stop["id"], value="1"),
            device.action("PROOF_NOTE", stopId=stop["id"], note="last"),
        ]
    return told


@pytest.mark.parametrize("seed", range(4))
def test_out_of_order_ends_as_in_order(world: World, door: Application, seed: int) -> None:
    device = sign_up(world, door)
    dispatch(world, device, stopTasks=TASKS)
    told = journal_of(device)
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    draw.shuffle(told)
    listener = Listener(world)
    while told:
        world.clock.advance(seconds=1)
        count = draw.randint(1, 4)
        device.results(*told[:count])
        told = told[count:]
    for stop in device.route()["stops"]:
        assert stop["deliveryStatus"] == "DELIVERED"
        assert stop["proofOfDeliveryNote"] == "last"
        assert [code["value"] for code in stop["proofOfDeliveryBarcodes"]] == ["1"]
        assert stop["tasks"][0]["input"]["value"] == "B"
    topics = [topic for topic, _ in listener.topics()]
    assert topics.count("ROUTE_STARTED") == topics.count("ROUTE_COMPLETED") == 1
    assert world.count("driver_actions") == 17
    entries = world.client.get("/driver-actions?query.limit=100").json()["actions"]
    assert {entry["reason"] or entry["outcome"] for entry in entries} <= {"APPLIED", "SUPERSEDED"}


def test_what_waits_for_an_earlier_action_is_applied_when_that_comes(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    start = device.action("ROUTE_STARTED")
    delivered = device.action("STOP_DELIVERED", stopId=stop)
    (waits,) = device.results(delivered)
    assert (waits["outcome"], waits["reason"]) == ("KEPT", "WAITING")
    assert device.route()["stops"][0]["deliveryStatus"] == "UNKNOWN"
    world.clock.advance(seconds=1)
    device.results(start)
    assert device.route()["stops"][0]["deliveryStatus"] == "DELIVERED"
    assert device.results(delivered) == [waits]
    entry = world.client.get("/driver-actions").json()["actions"][0]
    assert (entry["id"], entry["outcome"]) == (delivered["id"], "APPLIED")


def test_of_two_words_the_one_written_later_counts(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    first = device.action("PROOF_NOTE", stopId=stop, note="first")
    device.results(device.action("PROOF_NOTE", stopId=stop, note="second"))
    assert outcomes(device.results(first)) == ["SUPERSEDED"]
    assert device.route()["stops"][0]["proofOfDeliveryNote"] == "second"


def two_phones(world: World, door: Application) -> tuple[Device, Device]:
    first = sign_up(world, door)
    link = world.client.post(f"/drivers/{first.driver_id}/invite", {}).json()["inviteUrl"]
    second = accept(world, door, link.rpartition("/")[2], "tablet")
    dispatch(world, first)
    second.route_id = first.route_id
    first.done("ROUTE_STARTED")
    return first, second


@pytest.mark.parametrize("is_later_first", [False, True])
def test_of_two_phones_that_disagree_the_earlier_is_kept_whichever_comes_first(
    world: World, door: Application, *, is_later_first: bool
) -> None:
    phone, tablet = two_phones(world, door)
    stop = phone.route()["stops"][0]["id"]
    earlier = phone.action(
        "STOP_DELIVERED", stopId=stop, leftWith="NEIGHBOUR", recipientName="Bo", note="bell broken"
    )
    earlier["position"] = {"latitude": 39.3, "longitude": -76.6}
    world.clock.advance(seconds=1)
    later = tablet.action("STOP_ATTEMPTED", stopId=stop, reason="REFUSED")
    sends = [(phone, earlier), (tablet, later)]
    for device, action in reversed(sends) if is_later_first else sends:
        world.clock.advance(seconds=1)
        device.results(action)
    shown = phone.route()["stops"][0]
    assert (shown["deliveryStatus"], shown["attemptedReason"]) == ("ATTEMPTED_DELIVERY", "REFUSED")
    assert shown["proofOfDeliveryNote"] == ""
    assert not {"leftWith", "recipientName", "deliveredCoordinates"} & shown.keys()
    kept = world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"]
    assert [(one["id"], one["reason"]) for one in kept] == [(earlier["id"], "SUPERSEDED")]
    known = phone.post("/journal/known", {"ids": [earlier["id"], later["id"]]}).json()
    assert known["superseded"] == [earlier["id"]]


@pytest.mark.parametrize("is_later_first", [False, True])
def test_of_two_phones_that_say_the_same_none_is_kept(
    world: World, door: Application, *, is_later_first: bool
) -> None:
    phone, tablet = two_phones(world, door)
    stop = phone.route()["stops"][0]["id"]
    earlier = phone.action("STOP_DELIVERED", stopId=stop)
    world.clock.advance(seconds=1)
    sends = [(phone, earlier), (tablet, tablet.action("STOP_DELIVERED", stopId=stop))]
    for device, action in reversed(sends) if is_later_first else sends:
        assert outcomes(device.results(action)) == ["APPLIED"]
    assert world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"] == []


@pytest.mark.parametrize("is_later_first", [False, True])
def test_a_value_that_is_typed_on_one_phone_and_scanned_by_another_is_the_same_word(
    world: World, door: Application, *, is_later_first: bool
) -> None:
    phone, tablet = two_phones(world, door)
    start_route(world, phone, [{**STOP, "tasks": [{"title": "Locker", "type": "TEXT_INPUT"}]}])
    (task,) = phone.route()["stops"][0]["tasks"]
    tablet.route_id = phone.route_id
    said = {"taskId": task["id"], "value": "4711"}
    earlier = phone.action("TASK_COMPLETED", **said)
    world.clock.advance(seconds=1)
    later = tablet.action("TASK_COMPLETED", **said, inputMethod="SCANNED")
    sends = [(phone, earlier), (tablet, later)]
    for device, action in reversed(sends) if is_later_first else sends:
        assert outcomes(device.results(action)) == ["APPLIED"]
    (shown,) = phone.route()["stops"][0]["tasks"]
    assert (shown["input"]["value"], shown["input"]["inputMethod"]) == ("4711", "SCANNED")
    assert world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"] == []
    world.clock.advance(seconds=1)
    phone.done("TASK_COMPLETED", taskId=task["id"], value="4712")
    (kept,) = world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"]
    assert kept["id"] == later["id"], "another value is another word"


@pytest.mark.parametrize("is_later_first", [False, True])
def test_of_two_phones_that_choose_different_buttons_the_later_choice_stays(
    world: World, door: Application, *, is_later_first: bool
) -> None:
    phone, tablet = two_phones(world, door)
    buttons = [{"title": "Red"}, {"title": "Blue"}]
    task = {"title": "Box", "type": "RADIO_BUTTONS", "items": buttons}
    start_route(world, phone, [{**STOP, "tasks": [task]}])
    tablet.route_id = phone.route_id
    (task,) = phone.route()["stops"][0]["tasks"]
    ids = {item["title"]: item["id"] for item in task["items"]}
    earlier = phone.action("TASK_ITEM_COMPLETED", taskId=task["id"], itemId=ids["Red"])
    world.clock.advance(seconds=1)
    later = tablet.action("TASK_ITEM_COMPLETED", taskId=task["id"], itemId=ids["Blue"])
    sends = [(phone, earlier), (tablet, later)]
    for device, action in reversed(sends) if is_later_first else sends:
        device.results(action)
    (shown,) = phone.route()["stops"][0]["tasks"]
    assert [one["title"] for one in shown["items"] if one["completed"]] == ["Blue"]
    kept = world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"]
    assert [(one["id"], one["reason"]) for one in kept] == [(earlier["id"], "SUPERSEDED")]


def test_a_driver_who_corrects_on_one_phone_leaves_nothing_to_look_after(
    world: World, door: Application
) -> None:
    phone, _ = two_phones(world, door)
    stop = phone.route()["stops"][0]["id"]
    phone.done("STOP_DELIVERED", stopId=stop, leftWith="NEIGHBOUR", note="bell broken")
    phone.done("STOP_REOPENED", stopId=stop)
    phone.done("STOP_DELIVERED", stopId=stop, leftWith="NEIGHBOUR")
    phone.done("STOP_ATTEMPTED", stopId=stop, reason="REFUSED")
    shown = phone.route()["stops"][0]
    assert (shown["proofOfDeliveryNote"], "leftWith" in shown) == ("bell broken", False)
    assert world.client.get("/driver-actions?query.outcome=KEPT").json()["actions"] == []


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("2024-07-01T05:59:00Z", "2024-07-01T06:00:00Z"),
        ("2024-07-01T06:10:00Z", "2024-07-01T06:10:00Z"),
        ("2031-01-01T00:00:00Z", "2024-07-01T06:20:00Z"),
    ],
)
def test_a_devices_clock_is_believed_within_reason(
    world: World, door: Application, told: str, kept: str
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    world.clock.advance(minutes=20)
    device.done("BARCODE", stopId=stop, value="1", at=told)
    (code,) = device.route()["stops"][0]["proofOfDeliveryBarcodes"]
    later = datetime.fromisoformat(code["createdAt"]) - datetime.fromisoformat(kept)
    # What happens one after the other at a clock that stands is dated microseconds apart.
    assert timedelta() <= later < timedelta(milliseconds=1)


def keep_one(world: World, door: Application) -> tuple[Device, str]:
    """Return a device and the path at which its kept action is ticked off."""
    device = sign_up(world, door)
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    late = device.action("BARCODE", stopId="rst-gone", value="1")
    (result,) = device.results(late)
    assert result["outcome"] == "KEPT"
    return device, f"/drivers/{device.driver_id}/actions/{late['id']}/resolve"


def list_kept(world: World, *, resolved: bool) -> list[str]:
    query = f"query.outcome=KEPT&query.resolved={str(resolved).lower()}"
    return [one["id"] for one in world.client.get(f"/driver-actions?{query}").json()["actions"]]


def noted_drivers(world: World) -> list[str]:
    with world.tools.database.reading() as tx:
        noted = tx.exec_driver_sql(
            "SELECT object_id FROM changes WHERE kind = 'DRIVER' ORDER BY number"
        )
        return [row.object_id for row in noted]


def test_a_kept_action_is_ticked_off_once_with_who_and_when(
    world: World, door: Application
) -> None:
    _, path = keep_one(world, door)
    id_ = path.split("/")[-2]
    assert (list_kept(world, resolved=False), list_kept(world, resolved=True)) == ([id_], [])
    known = noted_drivers(world)
    ticked = world.client.post(path)
    assert ticked.status_code == 200, ticked.text
    assert ticked.json()["resolvedBy"] == "dev@example.com"
    world.clock.advance(minutes=5)
    assert world.client.post(path).json() == ticked.json()
    assert world.client.post(path.replace(id_, id_.upper())).json() == ticked.json()
    assert (list_kept(world, resolved=False), list_kept(world, resolved=True)) == ([], [id_])
    (listed,) = world.client.get("/driver-actions?query.resolved=true").json()["actions"]
    assert listed == ticked.json()
    assert noted_drivers(world) == [*known, ticked.json()["driverId"]]


@pytest.mark.spec("decisions §14")
def test_followers_are_told_when_an_action_is_kept_and_when_it_is_so_no_more(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    stop = device.route()["stops"][0]["id"]
    before = len(noted_drivers(world))
    device.done("PROOF_NOTE", stopId=stop, note="one")
    assert len(noted_drivers(world)) == before, "nobody has to look after what was applied"
    late = device.action("BARCODE", stopId="rst-gone", value="1")
    device.results(late)
    device.results(late)
    assert noted_drivers(world)[before:] == [device.driver_id], "once, however often it is sent"
    upload = str(uuid.UUID(int=1))
    assert device.act("PHOTO", stopId=stop, uploadId=upload)["reason"] == "WAITING"
    assert noted_drivers(world)[before:] == [device.driver_id] * 2
    device.upload(upload, jpeg())
    assert noted_drivers(world)[before:] == [device.driver_id] * 3
    assert list_kept(world, resolved=False) == [late["id"]]
    world.client.send("DELETE", f"/routes/{device.route_id}/dispatch")
    place = {"latitude": 39.3, "longitude": -76.6}
    assert device.act("POSITION", position=place)["outcome"] == "KEPT"
    assert len(noted_drivers(world)) == before + 3, "where somebody was is nothing to look after"


def test_what_needs_no_look_and_what_nobody_told_is_not_ticked_off(
    world: World, door: Application
) -> None:
    device, path = keep_one(world, door)
    (applied,) = [
        one["id"]
        for one in world.client.get("/driver-actions?query.outcome=APPLIED").json()["actions"]
    ]
    refused = world.client.post(f"/drivers/{device.driver_id}/actions/{applied}/resolve")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert "KEPT" in refused.json()["message"]
    nobodys = str(uuid.UUID(int=1))
    unknown = world.client.post(f"/drivers/{device.driver_id}/actions/{nobodys}/resolve")
    assert unknown.status_code == 404
    assert world.stranger.post(path).content == unknown.content
    assert list_kept(world, resolved=True) == []
