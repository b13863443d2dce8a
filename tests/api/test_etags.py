"""A client that has a route already is told so; whatever changes what is shown changes the tag."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.api.busy_route import CHANGING, BusyRoute, busy_route
from tests.api.conftest import World
from tests.driver.device import dispatch, sign_up
from tests.support.in_process import InProcessClient

pytestmark = pytest.mark.both_databases


def ask(busy: BusyRoute, world: World, tag: str = "", **headers: str) -> Any:
    http = InProcessClient(world.client.interface, headers=world.client.headers)
    if tag:
        headers["If-None-Match"] = tag
    return http.get(f"/api/2024-07/routes/{busy.id}", headers=headers)


@pytest.mark.spec("decisions §14")
def test_a_route_that_has_not_changed_is_not_sent_again(world: World) -> None:
    busy = busy_route(world)
    first = ask(busy, world, **{"Accept-Encoding": "identity"})
    tag = first.headers["etag"]
    again = ask(busy, world, tag)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert "ratelimit-remaining" in again.headers
    for given in (f'"0.0", {tag}', f"W/{tag}", "*"):
        assert ask(busy, world, given).status_code == 304
    compressed = ask(busy, world, **{"Accept-Encoding": "gzip"}).headers["etag"]
    assert compressed != tag
    assert ask(busy, world, compressed).status_code == 304
    assert ask(busy, world, '"0.0"').content == first.content


@pytest.mark.spec("decisions §14")
def test_whatever_changes_what_is_shown_changes_the_tag(world: World) -> None:
    busy = busy_route(world)
    changes: tuple[Callable[[], Any], ...] = (
        lambda: busy.patch("", {"route": {"note": "n"}, "updateMask": "note"}),
        lambda: world.client.send(
            "PATCH", "/vehicles/veh-1", json={"vehicle": {"name": "Red"}, "updateMask": "name"}
        ),
        lambda: world.client.send(
            "PATCH",
            "/drivers/drv-1",
            json={"driver": {"firstName": "Ann"}, "updateMask": "firstName"},
        ),
        lambda: busy.put("/vehicle", {"vehicleId": "veh-2"}),
        lambda: busy.delete("/driver"),
    )
    for change in changes:
        before = ask(busy, world)
        changed = change()
        assert changed.status_code == 200, changed.text
        after = ask(busy, world, before.headers["etag"])
        assert after.status_code == 200
        assert after.content != before.content
        assert ask(busy, world, after.headers["etag"]).status_code == 304


def test_a_route_that_is_gone_is_not_found_whatever_a_client_has(world: World) -> None:
    busy = busy_route(world)
    tag = ask(busy, world).headers["etag"]
    assert busy.delete("").status_code == 200
    assert ask(busy, world, tag).status_code == 404


def test_a_changed_stop_is_answered_with_the_tag_of_its_route(world: World) -> None:
    busy = busy_route(world)
    stop = busy.read()["stops"][0]
    path = f"/routes/{busy.id}/stops/{stop['id']}"
    for note in ("ring twice", "ring twice"):  # the second time nothing changes
        body = {"routeStop": {"note": note}, "updateMask": "note"}
        changed = world.client.send("PATCH", path, json=body)
        assert changed.status_code == 200, changed.text
        assert ask(busy, world, changed.headers["etag"]).status_code == 304


@pytest.mark.spec("decisions §14")
def test_changes_answer_the_new_tag_and_refuse_another_version(world: World) -> None:
    busy = busy_route(world)
    first = ask(busy, world).headers["etag"].removesuffix('-gzip"').rstrip('"') + '"'
    path, body = f"/routes/{busy.id}", {"route": {"note": "n"}, "updateMask": "note"}
    changed = world.client.send("PATCH", path, json=body, headers={"If-Match": first})
    assert changed.status_code == 200
    assert ask(busy, world, changed.headers["etag"]).status_code == 304
    events = world.count("events")
    for operation in CHANGING:
        key = {"Idempotency-Key": operation.id, "If-Match": first}
        refused = busy.send(operation, headers=key)
        assert (refused.status_code, refused.json()["code"]) == (412, 9), operation.id
        assert ask(busy, world, refused.headers["etag"]).status_code == 304
    assert world.count("events") == events
    version = changed.headers["etag"].strip('"').partition(".")[0]
    for template in ('"{}.other"', '"1.0", "{}.0-gzip"', 'W/"{}.0"', "*"):
        named = template.format(version)
        again = {"route": {"note": named}, "updateMask": "note"}
        accepted = world.client.send("PATCH", path, json=again, headers={"If-Match": named})
        assert accepted.status_code == 200
        version = accepted.headers["etag"].strip('"').partition(".")[0]


@pytest.mark.spec("decisions §14")
def test_every_change_answers_the_tag_that_its_route_has_then(world: World) -> None:
    answered = set()
    for operation in CHANGING:
        busy = busy_route(world)
        for _ in range(2):  # the second time it is replayed
            changed = busy.send(operation, headers={"Idempotency-Key": operation.id})
            assert changed.status_code == 200, (operation.id, changed.text)
            if operation.id == "deleteRoute":
                assert "etag" not in changed.headers
                continue
            answered.add(operation.id)
            assert ask(busy, world, changed.headers["etag"]).status_code == 304, operation.id
        busy.delete("")
        world.clock.advance(seconds=10)  # requests are rationed
    assert "reoptimizeRoute" in answered


REOPTIMIZED: tuple[Any, ...] = (
    {},
    {},  # the second time nothing changes
    {"keep": "ORDER"},
    {"maxMoves": 1},
    {"ignoreRoutingConstraints": True, "tradeoffs": True},
    {"dryRun": True},
)


@pytest.mark.spec("decisions §14")
@pytest.mark.parametrize("is_started", [False, True])
def test_however_a_route_is_reoptimized_its_tag_is_accepted_with_the_next_change(
    world: World, *, is_started: bool
) -> None:
    device = sign_up(world, world.client.interface)
    route = f"/routes/{dispatch(world, device, stops=5)}"
    if is_started:
        device.done("ROUTE_STARTED")
        device.done("POSITION", position={"latitude": 39.3, "longitude": -76.6})
    for number, body in enumerate(REOPTIMIZED):
        read = world.client.get(route)
        last = read.json()["stops"][-1]["id"]
        if number > 1:  # what there is to order
            world.client.send("PUT", f"{route}/stops/{last}/position", json={"index": 1})
        for _ in range(2):
            headers = {"Idempotency-Key": f"key-{number}"}
            answer = world.client.post(f"{route}/reoptimize", body, headers=headers)
            assert answer.headers["etag"] == world.client.get(route).headers["etag"], body
    noted = world.client.send(
        "PATCH",
        route,
        json={"route": {"note": "n"}, "updateMask": "note"},
        headers={"If-Match": answer.headers["etag"]},
    )
    assert noted.status_code == 200
