from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.wire.v2024_07.route_headers import ESTIMATED, GAP


def add_stop(world: World) -> str:
    """Return the path of a route with one stop."""
    place: dict[str, Any] = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    created = world.client.post("/routes", {"start": place})
    assert ESTIMATED not in created.headers  # nothing to drive, nothing estimated
    path = f"/routes/{created.json()['id']}"
    away = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    (stop,) = world.client.post("/stops/imports", [away]).json()["stops"]
    added = world.client.post(f"{path}/stops", [{"importedStopId": stop["id"]}])
    assert added.headers[ESTIMATED] == "true"
    return path


@pytest.mark.spec("design, Roads")
def test_a_route_on_estimates_says_so_in_every_answer_of_its_own(world: World) -> None:
    path = add_stop(world)
    assert world.client.get(path).headers[ESTIMATED] == "true"
    assert world.client.post(f"{path}/reoptimize", {}).headers[ESTIMATED] == "true"
    assert "hasEstimates" not in world.client.get("/routes").text


@pytest.mark.spec("design, Roads")
def test_a_list_says_which_of_its_routes_are_on_estimates(world: World) -> None:
    place: dict[str, Any] = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    world.client.post("/routes", {"start": place})
    assert ESTIMATED not in world.client.get("/routes").headers
    path = add_stop(world)
    world.clock.advance(seconds=1)
    world.client.post("/routes", {"start": place})
    listed = world.client.get("/routes")
    assert [f"/routes/{route['id']}" for route in listed.json()["routes"]].index(path) == 1
    assert listed.headers[ESTIMATED] == "1"
    page = world.client.get("/routes?query.limit=1")
    assert ESTIMATED not in page.headers
    following = world.client.get(f"/routes?cursor={page.json()['nextCursor']}")
    assert following.headers[ESTIMATED] == "0"  # places are counted on each page
    (stop,) = world.client.get(path).json()["stops"]
    of_stop = world.client.get(f"/stops/imports/{stop['importedStopId']}/routes")
    assert of_stop.headers[ESTIMATED] == "0"


@pytest.mark.spec("design, Roads")
def test_a_stop_of_a_route_on_estimates_says_so_in_every_answer(world: World) -> None:
    path = add_stop(world)
    (stop,) = world.client.get(path).json()["stops"]
    one = f"{path}/stops/{stop['id']}"
    note = {"routeStop": {"note": "Ring"}, "updateMask": "note"}
    place = {"plannedCoordinates": {"latitude": 39.31, "longitude": -76.6}}
    answers = [
        world.client.get(one),
        world.client.send("PATCH", one, json=note, headers={"Idempotency-Key": "once"}),
        world.client.send("PATCH", one, json=note, headers={"Idempotency-Key": "once"}),
        world.client.send(
            "PATCH",
            f"{one}/location",
            json={"location": place, "updateMask": "plannedCoordinates"},
        ),
        world.client.send("PUT", f"{one}/items", json=[]),
        world.client.send("PUT", f"{one}/tasks", json=[]),
    ]
    assert [answer.json()["id"] for answer in answers] == [stop["id"]] * len(answers)
    assert [answer.headers[ESTIMATED] for answer in answers] == ["true"] * len(answers)
    assert answers[2].headers["Idempotency-Replayed"] == "true"


def test_an_answer_that_is_replayed_says_what_it_said(world: World) -> None:
    path = add_stop(world)
    key = {"Idempotency-Key": "once"}
    first = world.client.post(f"{path}/reoptimize", {}, headers=key)
    other = {"clientStopId": "b", "coordinates": {"latitude": 39.5, "longitude": -76.5}}
    world.client.post("/stops/imports", [other])
    appended = world.client.post(f"{path}/stops", [{"clientStopId": "b"}])
    assert GAP not in appended.headers  # the route says other things now
    again = world.client.post(f"{path}/reoptimize", {}, headers=key)
    assert (first.headers[ESTIMATED], first.headers[GAP]) == ("true", "0.0000")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.content == first.content
    own = [name for name in first.headers if name.lower().startswith("roundsman-")]
    assert {name: again.headers.get(name) for name in own} == {
        name: first.headers[name] for name in own
    }


def test_an_answer_that_the_version_before_kept_is_replayed_without_headers(world: World) -> None:
    path = add_stop(world)
    key = {"Idempotency-Key": "once"}
    first = world.client.post(f"{path}/reoptimize", {}, headers=key)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE idempotency_records SET headers = NULL")
    again = world.client.post(f"{path}/reoptimize", {}, headers=key)
    assert again.content == first.content
    assert ESTIMATED not in again.headers


def test_an_answer_without_estimates_is_replayed_without_the_header(world: World) -> None:
    place: dict[str, Any] = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    key = {"Idempotency-Key": "once"}
    for replayed in ("false", "true"):
        created = world.client.post("/routes", {"start": place}, headers=key)
        assert created.headers["Idempotency-Replayed"] == replayed
        assert ESTIMATED not in created.headers


def test_the_description_tells_of_it_where_routes_or_their_stops_are_answered(world: World) -> None:
    paths = world.client.description["paths"]
    shown = {
        f"{method} {path}"
        for path, operations in paths.items()
        for method, operation in operations.items()
        if ESTIMATED in operation["responses"]["200"]["headers"]
    }
    assert "get /routes/{routeId}" in shown
    assert "get /routes" in shown
    assert "put /routes/{routeId}/stops/{stopId}/items" in shown
    assert "get /stops/store/{orderId}/routes" in shown
    assert "get /stops/imports" not in shown
    assert "get /vehicles" not in shown


@pytest.mark.spec("design, Planning")
def test_an_order_says_how_much_shorter_another_could_be_while_it_is_the_one_chosen(
    world: World,
) -> None:
    path = add_stop(world)
    assert GAP not in world.client.get(path).headers
    chosen = world.client.post(f"{path}/reoptimize", {})
    assert chosen.headers[GAP] == "0.0000"  # one stop has one order
    assert world.client.get(path).headers[GAP] == "0.0000"
    other = {"clientStopId": "b", "coordinates": {"latitude": 39.5, "longitude": -76.5}}
    world.client.post("/stops/imports", [other])
    appended = world.client.post(f"{path}/stops", [{"clientStopId": "b"}])
    assert appended.json()["optimized"] is True
    assert GAP not in appended.headers
