"""What happened to a route: who and when, newest first, in pages."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_route_previews import LATER, LEAVES, add_route, ids
from tests.driver.device import dispatch, sign_up

type Json = Any


def history(world: World, route_id: str, query: str = "") -> list[Json]:
    answer = world.client.get(f"/routes/{route_id}/history?{query}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["entries"])


def kinds(entries: list[Json]) -> list[list[str]]:
    return [[change["kind"] for change in entry["changes"]] for entry in entries]


@pytest.mark.both_databases
def test_each_change_says_what_it_was_and_by_whom(world: World) -> None:
    route = add_route(world, "a", "b", name="Harbour", scheduledFor=LEAVES)
    path = f"/routes/{route['id']}"
    body = {"route": {"scheduledFor": LATER, "name": "Hills"}, "updateMask": "scheduledFor,name"}
    assert world.client.send("PATCH", path, json=body).status_code == 200
    world.client.send("PUT", f"{path}/stops/{ids(route)[1]}/position", json={"index": 0})
    note = {"routeStop": {"note": "ring"}, "updateMask": "note"}
    world.client.send("PATCH", f"{path}/stops/{ids(route)[1]}", json=note)
    entries = history(world, route["id"])
    assert kinds(entries) == [
        ["STOPS_CHANGED"],
        ["STOPS_REORDERED"],
        ["RENAMED", "DEPARTURE_CHANGED"],
        ["STOPS_ADDED"],
        ["CREATED"],
    ]
    assert {entry["who"] for entry in entries} == {"dev@example.com"}
    assert [entry["at"] for entry in entries] == sorted(
        (entry["at"] for entry in entries), reverse=True
    )
    assert entries[2]["changes"][0]["before"] == "Harbour"
    assert entries[2]["changes"][0]["after"] == "Hills"
    assert entries[0]["changes"][0]["stops"][0]["stopId"] == ids(route)[1]
    assert entries[3]["changes"][0]["stopCount"] == 2


OPTIONS: list[Json] = [
    {"maxStops": 9},
    {"note": "Keys"},
    {"tags": ["north"]},
    {"stopTasks": [{"title": "Age checked"}]},
]
STOP_CHANGES: list[Json] = [
    {"deliveryDate": {"year": 2024, "month": 7, "day": 2}},
    {"tags": ["cooled"]},
    {"orderName": "#7"},
    {"attributes": [{"key": "floor", "value": "4"}]},
]


def test_whatever_a_planner_changes_of_a_route_has_a_kind(world: World) -> None:
    route = add_route(world, "a", name="Harbour", scheduledFor=LEAVES)
    path = f"/routes/{route['id']}"
    for change in OPTIONS:
        body = {"route": change, "updateMask": ",".join(change)}
        answer = world.client.send("PATCH", path, json=body)
        assert answer.status_code == 200, answer.text
        assert kinds(history(world, route["id"]))[0] == ["OPTIONS_CHANGED"], change
    there = {"coordinates": {"latitude": 39.28, "longitude": -76.6}}
    place = {"location": there, "updateMask": "coordinates"}
    tasks = [{"title": "Load the crates"}]
    edits: list[tuple[str, str, Json]] = [("PATCH", "location", place), ("PUT", "tasks", tasks)]
    for part, kind in (("start", "START_CHANGED"), ("end", "END_CHANGED")):
        for method, what, edit in edits:
            answer = world.client.send(method, f"{path}/{part}/{what}", json=edit)
            assert answer.status_code == 200, answer.text
            assert kinds(history(world, route["id"]))[0] == [kind], what


def test_whatever_a_planner_changes_of_a_stop_is_in_its_own_history(world: World) -> None:
    route = add_route(world, "a", name="Harbour", scheduledFor=LEAVES)
    stop = ids(route)[0]
    path = f"/routes/{route['id']}/stops/{stop}"
    for number, change in enumerate(STOP_CHANGES, 1):
        body = {"routeStop": change, "updateMask": ",".join(change)}
        answer = world.client.send("PATCH", path, json=body)
        assert answer.status_code == 200, answer.text
        for query in ("", f"query.stopId={stop}"):
            found = kinds(history(world, route["id"], query))
            assert found[:number] == [["STOPS_CHANGED"]] * number, change
    answer = world.client.send("PUT", f"{path}/tasks", json=[{"title": "Age checked"}])
    assert answer.status_code == 200, answer.text
    for query in ("", f"query.stopId={stop}"):
        assert kinds(history(world, route["id"], query))[0] == ["STOPS_CHANGED"]


@pytest.mark.both_databases
def test_pages_have_each_change_once(world: World) -> None:
    route = add_route(world, "a", name="0", scheduledFor=LEAVES)
    for number in range(1, 6):
        body = {"route": {"name": str(number)}, "updateMask": "name"}
        world.client.send("PATCH", f"/routes/{route['id']}", json=body)
    whole = history(world, route["id"])
    assert len(whole) == 7
    path, pages = f"/routes/{route['id']}/history", []
    answer = world.client.get(f"{path}?query.limit=3").json()
    while True:
        pages.append(answer["entries"])
        if not answer["nextCursor"]:
            break
        answer = world.client.get(f"{path}?cursor={answer['nextCursor']}").json()
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [entry for page in pages for entry in page] == whole


def test_a_stop_that_moves_says_from_where_and_to_where(world: World) -> None:
    harbour = add_route(world, "a", "b", name="Harbour", scheduledFor=LEAVES)
    hills = add_route(world, "c", name="Hills", scheduledFor=LEAVES)
    moved = ids(harbour)[0]
    move = {"stopId": moved, "toRouteId": hills["id"]}
    assert world.client.post("/routes/transfers", {"moves": [move]}).status_code == 200
    (left,) = history(world, harbour["id"])[0]["changes"]
    (came,) = history(world, hills["id"])[0]["changes"]
    assert (left["kind"], left["after"]) == ("STOPS_REMOVED", "Hills")
    assert (came["kind"], came["after"]) == ("STOPS_ADDED", "Harbour")
    assert left["stops"][0]["stopId"] == came["stops"][0]["stopId"] == moved


@pytest.mark.both_databases
def test_a_stop_has_what_planners_did_to_it_and_nothing_of_others(world: World) -> None:
    hills = add_route(world, "c", name="Hills", scheduledFor=LEAVES)
    names = [f"b{number}" for number in range(7)]
    harbour = add_route(world, "a", *names, name="Harbour", scheduledFor=LEAVES)
    stop = ids(harbour)[0]
    move = {"stopId": stop, "toRouteId": hills["id"]}
    assert world.client.post("/routes/transfers", {"moves": [move]}).status_code == 200
    path = f"/routes/{hills['id']}"

    def patch(stop_id: str, note: str) -> None:
        body = {"routeStop": {"note": note}, "updateMask": "note"}
        answer = world.client.send("PATCH", f"{path}/stops/{stop_id}", json=body)
        assert answer.status_code == 200, answer.text

    patch(stop, "ring")
    for number in range(30):  # more than are read at once
        patch(ids(hills)[0], str(number))
        body = {"route": {"name": f"Hills {number}"}, "updateMask": "name"}
        assert world.client.send("PATCH", path, json=body).status_code == 200
    patch(stop, "ring twice")
    entries = history(world, hills["id"], f"query.stopId={stop}")
    assert kinds(entries) == [["STOPS_CHANGED"], ["STOPS_CHANGED"], ["STOPS_ADDED"]]
    assert entries[2]["changes"][0]["after"] == "Harbour"
    assert {one["stopId"] for entry in entries for one in entry["changes"][0]["stops"]} == {stop}
    first = world.client.get(f"{path}/history?query.limit=1&query.stopId={stop}").json()
    then = world.client.get(f"{path}/history?cursor={first['nextCursor']}").json()
    assert [*first["entries"], *then["entries"]] == entries[:2]
    last = ids(harbour)[-1]
    of_sixth = history(world, harbour["id"], f"query.stopId={last}")
    assert kinds(of_sixth) == [["STOPS_ADDED"]]
    assert of_sixth[0]["changes"][0]["stopCount"] == 1


def test_what_a_driver_did_is_told_with_the_drivers_name(world: World) -> None:
    device = sign_up(world, world.client.interface)
    dispatch(world, device, stops=2)
    world.clock.advance(minutes=30)
    device.done("ROUTE_STARTED")
    stop = device.route()["stops"][0]["id"]
    for kind in ("STOP_ARRIVED", "STOP_DELIVERED", "STOP_REOPENED"):
        device.done(kind, stopId=stop)
    entries = history(world, device.route_id)
    assert kinds(entries)[:4] == [
        ["STOPS_REOPENED"],
        ["STOPS_DELIVERED"],
        ["STOPS_ARRIVED"],
        ["STARTED"],
    ]
    assert ["DISPATCHED"] in kinds(entries)
    name = world.client.get(f"/drivers/{device.driver_id}").json()["firstName"]
    assert entries[0]["who"].startswith(name)
    of_stop = history(world, device.route_id, f"query.stopId={stop}")
    assert kinds(of_stop)[:2] == [["STOPS_REOPENED"], ["STOPS_DELIVERED"]]
    assert world.stranger.get(f"/routes/{device.route_id}/history").status_code == 404
    path = f"/routes/{device.route_id}/history?query.stopId=rst-none"
    assert world.client.get(path).status_code == 404


def test_it_reaches_back_as_far_as_events_are_kept(world: World) -> None:
    keep = {"organization": {"retention": {"eventsDays": 3}}, "updateMask": "retention"}
    assert world.client.send("PATCH", "/organization", json=keep).status_code == 200
    route = add_route(world, "a", name="Harbour", scheduledFor=LEAVES)
    world.clock.advance(days=2)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    body = {"route": {"name": "Hills"}, "updateMask": "name"}
    assert world.client.send("PATCH", f"/routes/{route['id']}", json=body).status_code == 200
    assert kinds(history(world, route["id"])) == [["RENAMED"], ["STOPS_ADDED"], ["CREATED"]]
    world.clock.advance(days=2)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    # Nothing has been removed yet: housekeeping has not come by.
    (entry,) = history(world, route["id"])
    assert entry["topics"] == ["ROUTE_UPDATED"]


def test_a_member_is_named_as_in_the_organization_that_asks(world: World) -> None:
    route = add_route(world, "a", name="Harbour", scheduledFor=LEAVES)
    theirs = {"email": "dev@example.com", "name": "Dee of the others", "role": "PLANNER"}
    invited = world.stranger.post("/members", theirs)
    assert invited.status_code == 200, invited.text
    assert {entry["who"] for entry in history(world, route["id"])} == {"dev@example.com"}
    ours = {**theirs, "name": "Dee Evans"}
    assert world.client.post("/members", ours).status_code == 200
    assert {entry["who"] for entry in history(world, route["id"])} == {"Dee Evans"}
