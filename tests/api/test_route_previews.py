"""What a change of a route would mean, before it is made."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import dispatch, sign_up

pytestmark = [
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
    pytest.mark.spec("decisions §15"),
]

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
LEAVES = "2024-07-01T09:00:00-04:00"
LATER = "2024-07-01T10:30:00-04:00"

type Json = Any


def add_route(world: World, *names: str, **options: Any) -> Json:
    """Make a route over imported stops, each further north; one called w… has a window."""
    stops = [
        {
            "clientStopId": name,
            "coordinates": {"latitude": 39.3 + 0.02 * number, "longitude": -76.61},
            "duration": "300s",
            **({"timeWindows": [{"end": {"hours": 9, "minutes": 30}}]} if name[0] == "w" else {}),
        }
        for number, name in enumerate(names)
    ]
    world.client.post("/stops/imports", stops)
    route = world.client.post("/routes", {"start": START, "end": START, **options}).json()
    added = world.client.post(
        f"/routes/{route['id']}/stops", [{"clientStopId": name} for name in names]
    )
    assert added.status_code == 200, added.text
    return added.json()


def ids(route: Json) -> list[str]:
    return [stop["id"] for stop in route["stops"]]


def preview(world: World, route: Json, body: Json) -> Json:
    answer = world.client.post(f"/routes/{route['id']}/preview", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def timetable(world: World, route: Json) -> Json:
    return world.client.get(f"/routes/{route['id']}/timetable").json()


def refuse(world: World, route: Json, body: Json) -> tuple[int, int, Json]:
    answer = world.client.post(f"/routes/{route['id']}/preview", body)
    details = answer.json().get("details", [])
    named = [one for detail in details for one in detail.get("fieldViolations", ())]
    return answer.status_code, answer.json()["code"], named[0] if named else None


def test_a_preview_shows_what_is_then_read_and_changes_nothing(world: World) -> None:
    route = add_route(world, "a", "b", "c", scheduledFor=LEAVES)
    add_route(world, "spare")
    path = f"/routes/{route['id']}"
    a, b, c = ids(route)
    before, events = world.client.get(path).content, world.count("events")
    moved = preview(world, route, {"order": [c, a, b], "scheduledFor": LATER})
    fewer = preview(world, route, {"remove": [b]})
    more = preview(world, route, {"add": [{"clientStopId": "spare", "index": 1}]})
    assert (world.client.get(path).content, world.count("events")) == (before, events)

    world.client.send("PUT", f"{path}/stops/{c}/position", json={"index": 0})
    world.client.send(
        "PATCH", path, json={"route": {"scheduledFor": LATER}, "updateMask": "scheduledFor"}
    )
    assert moved["timetable"] == timetable(world, route)
    changed = world.client.get(path).json()
    assert moved["totals"]["distanceMeters"] == changed["totalDistanceMeters"]
    assert moved["totals"]["durationSeconds"] == moved["totals"]["travelSeconds"] + 3 * 300

    assert [place["stopId"] for place in fewer["timetable"]["places"]] == ["", a, c, ""]
    assert [place["stopId"] for place in more["timetable"]["places"]] == ["", a, "new-1", b, c, ""]
    assert fewer["totals"]["durationSeconds"] < more["totals"]["durationSeconds"]


def test_a_preview_names_what_would_be_late_or_too_much(world: World) -> None:
    route = add_route(world, "a", "w", scheduledFor=LEAVES, maxStops=2)
    (a, w), (spare,) = ids(route), ids(add_route(world, "spare"))
    assert preview(world, route, {})["violations"] == []
    late = preview(world, route, {"scheduledFor": LATER, "add": [{"stopId": spare}]})
    assert [(one["type"], one["subject"]) for one in late["violations"]] == [
        ("maxStops", route["id"]),
        ("timeWindows", w),
    ]
    assert late["lateness"] > 3600
    without_hurry = preview(world, route, {"order": [w, a]})
    assert without_hurry["lateness"] == 0


def test_a_preview_without_a_departure_shows_no_times_and_still_knows_what_is_late(
    world: World,
) -> None:
    route = add_route(world, "wa", "wb", maxDuration="60s")
    seen = preview(world, route, {})
    assert all("arrival" not in place for place in seen["timetable"]["places"])
    assert {one["type"] for one in seen["violations"]} == {"maxDuration", "timeWindows"}
    assert seen["totals"]["travelSeconds"] > 0


def test_a_preview_that_could_not_be_done_is_refused(world: World) -> None:
    route = add_route(world, "a", "b")
    (a, b), (there,) = ids(route), ids(add_route(world, "c"))
    for order in ([a], [a, a], [a, b, b], [a, there], []):
        status, code, detail = refuse(world, route, {"order": order})
        assert (status, code, detail["field"]) == (400, 3, "order"), order
    assert refuse(world, route, {"order": [a, b], "remove": [a]})[:2] == (400, 3)
    refused = refuse(world, route, {"add": [{"stopId": there, "index": 3}]})
    assert refused[:2] == (400, 3)
    assert refused[2]["field"] == "add[0].index"
    twice = refuse(world, route, {"add": [{"clientStopId": "c"}, {"clientStopId": "c"}]})
    assert (twice[1], twice[2]["field"]) == (3, "add[0].clientStopId")
    assert refuse(world, route, {"add": [{}]})[:2] == (400, 3)
    assert refuse(world, route, {"add": [{"clientStopId": "a"}]})[:2] == (400, 9)
    for body in ({"add": [{"stopId": "x"}]}, {"add": [{"clientStopId": "x"}]}, {"remove": ["x"]}):
        assert refuse(world, route, body)[:2] == (404, 5), body
    world.client.post(f"/routes/{route['id']}/archive")
    assert refuse(world, route, {"remove": [a]})[:2] == (400, 9)
    assert preview(world, route, {})["violations"] == []


def test_on_the_road_what_is_done_stays_in_front(world: World) -> None:
    device = sign_up(world, world.client.interface)
    path = f"/routes/{dispatch(world, device, stops=3)}"
    first, second, third = ids(world.client.get(path).json())
    device.done("ROUTE_STARTED")
    world.clock.advance(minutes=40)
    device.done("STOP_DELIVERED", stopId=first)
    route = world.client.get(path).json()
    assert refuse(world, route, {"order": [second, first, third]})[:2] == (400, 9)
    world.client.post("/stops/imports", [{"clientStopId": "new", **START}])
    new = {"clientStopId": "new", "index": 0}
    assert refuse(world, route, {"add": [new]})[:2] == (400, 9)
    assert refuse(world, add_route(world, "x"), {"add": [{"stopId": first}]})[:2] == (400, 9)
    world.client.send("PUT", f"{path}/stops/{third}/position", json={"index": 1})
    expected = world.client.get(f"{path}/timetable").json()
    world.client.send("PUT", f"{path}/stops/{third}/position", json={"index": 2})
    assert preview(world, route, {"order": [first, third, second]})["timetable"] == expected
