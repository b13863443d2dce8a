from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.api.estimates import ESTIMATED


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
    listed = world.client.get("/routes")
    assert ESTIMATED not in listed.headers
    assert "hasEstimates" not in listed.text


def test_an_answer_that_is_replayed_leaves_it_to_the_route(world: World) -> None:
    path = add_stop(world)
    key = {"Idempotency-Key": "once"}
    first = world.client.post(f"{path}/reoptimize", {}, headers=key)
    again = world.client.post(f"{path}/reoptimize", {}, headers=key)
    assert first.headers[ESTIMATED] == "true"
    assert ESTIMATED not in again.headers
    assert world.client.get(path).headers[ESTIMATED] == "true"


def test_the_description_tells_of_it_where_one_route_is_answered(world: World) -> None:
    paths = world.client.description["paths"]
    shown = {
        f"{method} {path}"
        for path, operations in paths.items()
        for method, operation in operations.items()
        if ESTIMATED in operation["responses"]["200"]["headers"]
    }
    assert "get /routes/{routeId}" in shown
    assert "get /routes" not in shown
    assert "get /stops" not in shown
