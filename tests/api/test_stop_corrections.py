"""What a planner corrects of a stop on a route goes with it into the pool."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_route_previews import LEAVES, add_route, ids
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §15")

type Json = Any

CONTACT = {"firstName": "Ada", "phone": "+49301234567"}
ELSEWHERE = {"latitude": 39.31, "longitude": -76.6}
WINDOWS = [{"start": {"hours": 10}, "end": {"hours": 12}}]


def correct(world: World, route: Json, mask: str, stop: int = 0, **fields: Json) -> None:
    path = f"/routes/{route['id']}/stops/{ids(route)[stop]}"
    answer = world.client.send("PATCH", path, json={"routeStop": fields, "updateMask": mask})
    assert answer.status_code == 200, answer.text


def transfer(world: World, *moves: Json) -> list[Json]:
    answer = world.client.post("/routes/transfers", {"moves": moves})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["routes"])


def pooled(world: World, name: str) -> Json:
    return world.client.get(f"/stops/imports/{name}").json()


@pytest.mark.both_databases
def test_what_was_corrected_on_a_route_goes_to_the_pool_with_the_stop(world: World) -> None:
    route = add_route(world, "a", "b", scheduledFor=LEAVES, stopTasks=[{"title": "ring"}], note="n")
    before, other = pooled(world, "a"), pooled(world, "b")
    correct(world, route, "contact,note,timeWindows,locked,duration", contact=CONTACT, note="yard",
            timeWindows=WINDOWS, locked=True, duration="600s")  # fmt: skip
    path = f"/routes/{route['id']}/stops/{ids(route)[0]}"
    place = {"location": {"plannedCoordinates": ELSEWHERE}, "updateMask": "plannedCoordinates"}
    world.client.send("PATCH", f"{path}/location", json=place)
    world.client.send("PUT", f"{path}/items", json=[{"name": "box", "quantity": 2}])
    world.client.send("PUT", f"{path}/tasks", json=[{"title": "weigh"}, {"title": "ring"}])
    stop = world.client.get(path).json()
    assert "corrected" not in stop
    assert stop in world.client.get(f"/routes/{route['id']}").json()["stops"]
    assert pooled(world, "a") == before
    world.clock.advance(minutes=1)
    transfer(world, {"stopId": ids(route)[0]})
    after = pooled(world, "a")
    assert after == {
        **before,
        "contact": {**before.get("contact", {}), **after["contact"], **CONTACT},
        "note": "yard",
        "timeWindows": stop["timeWindows"],
        "duration": "600s",
        "coordinates": ELSEWHERE,
        "geocoding": stop["geocoding"],
        "items": stop["items"],
        "tasks": after["tasks"],
    }
    assert [task["title"] for task in after["tasks"]] == ["weigh"]
    assert pooled(world, "b") == other
    assert world.topics().count("IMPORTED_STOP_UPDATED") == 1
    unrouted = world.client.get("/stops/imports?query.unrouted=true").json()["stops"]
    assert unrouted == [after]
    tomorrow = world.client.post("/routes", {"start": {"coordinates": ELSEWHERE}}).json()
    (there,) = transfer(world, {"importedStopId": "a", "toRouteId": tomorrow["id"]})
    assert there["stops"][0]["contact"]["phone"] == CONTACT["phone"]


def test_a_correction_goes_along_from_route_to_route_before_the_pool(world: World) -> None:
    one, other = add_route(world, "a", "b"), add_route(world, "x")
    correct(world, one, "note", note="yard")
    transfer(world, {"stopId": ids(one)[0], "toRouteId": other["id"]})
    assert pooled(world, "a")["note"] == ""
    transfer(world, {"stopId": ids(one)[0], "fromRouteId": other["id"]})
    assert pooled(world, "a")["note"] == "yard"


def test_what_was_put_back_is_no_correction_and_a_stop_that_is_gone_stays_gone(
    world: World,
) -> None:
    route = add_route(world, "a", "b", "c")
    correct(world, route, "note", note="yard")
    correct(world, route, "note")
    body = {"importedStop": {"note": "newer"}, "updateMask": "note"}
    world.client.send("PATCH", "/stops/imports/a", json=body)
    correct(world, route, "note", stop=1, note="yard")
    world.client.send("DELETE", "/stops/imports/b")
    # What the pool says by now is not an edit, though it is sent back beside one.
    correct(world, route, "note,orderName", note="", orderName="#1")
    transfer(world, *({"stopId": id_} for id_ in ids(route)[:2]))
    assert (pooled(world, "a")["note"], pooled(world, "a")["orderName"]) == ("newer", "#1")
    assert world.client.get("/stops/imports/b").status_code == 404


@pytest.mark.parametrize("path", ["/routes/{route}/stops/{stop}", "/routes/{route}"])
def test_a_stop_that_is_removed_or_whose_route_is_deleted_keeps_its_corrections(
    world: World, path: str
) -> None:
    route = add_route(world, "a", "b")
    correct(world, route, "contact", contact=CONTACT)
    removed = world.client.send("DELETE", path.format(route=route["id"], stop=ids(route)[0]))
    assert removed.status_code == 200
    assert pooled(world, "a")["contact"]["phone"] == CONTACT["phone"]


def test_a_stop_that_a_plan_leaves_out_keeps_its_corrections(world: World) -> None:
    route = add_route(world, "a", "b", scheduledFor=LEAVES)
    correct(world, route, "note", note="yard")
    away = {"importedStopId": pooled(world, "a")["id"], "excludedVehicles": [route["id"]]}
    body = {"routes": [{"routeId": route["id"]}], "stops": [away], "options": {"effort": "QUICK"}}
    asked = world.client.post("/plans", body).json()
    run_waiting_jobs(world.tools)
    applied = world.client.post(f"/plans/{asked['id']}/apply")
    assert applied.status_code == 200, applied.text
    assert [stop["clientStopId"] for stop in applied.json()["routes"][0]["stops"]] == ["b"]
    assert pooled(world, "a")["note"] == "yard"


def test_what_was_erased_of_a_correction_goes_over_no_later_import(world: World) -> None:
    route = add_route(world, "a", "b")
    ada = {**CONTACT, "email": "ada@example.com"}
    correct(world, route, "contact,note,duration", contact=ada, note="yard", duration="600s")
    correct(world, route, "contact", stop=1, contact=ada)
    asked = world.client.post("/privacy/erasures", {"email": "ada@example.com"})
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    stop = world.client.get(f"/routes/{route['id']}/stops/{ids(route)[0]}").json()
    assert ("contact" in stop, stop["note"]) == (False, "")
    bob = {"clientStopId": "a", "coordinates": ELSEWHERE, "note": "bell",
           "contact": {"firstName": "Bob", "phone": "+49301234568"}}  # fmt: skip
    world.client.post("/stops/imports", [bob])
    world.client.send("DELETE", f"/routes/{route['id']}")
    after = pooled(world, "a")
    assert (after["contact"]["phone"], after["note"]) == ("+49301234568", "bell")
    assert after["duration"] == "600s"
