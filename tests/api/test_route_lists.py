import string
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.queries import ListRoutes, Query
from roundsman.operations.routes import list_routes

pytestmark = pytest.mark.both_databases

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def create(world: World, count: int, **fields: Any) -> list[str]:
    ids = []
    for _ in range(count):
        world.clock.advance(minutes=1)
        ids.append(world.client.post("/routes", {"start": START, **fields}).json()["id"])
    return ids


def walk(world: World, query: str) -> list[list[str]]:
    """Return the ids of each page until the cursor is empty."""
    pages = []
    answer = world.client.get(f"/routes?{query}").json()
    while True:
        pages.append([route["id"] for route in answer["routes"]])
        if not answer["nextCursor"]:
            return pages
        answer = world.client.get(f"/routes?cursor={answer['nextCursor']}").json()


@pytest.mark.spec("decisions §5")
def test_a_walk_sees_every_route_once_newest_first(world: World) -> None:
    ids = create(world, 7)
    pages = walk(world, "query.limit=3")
    assert pages == [ids[:3:-1], ids[3:0:-1], ids[:1]]


@pytest.mark.spec("decisions §5")
def test_routes_of_one_moment_are_told_apart(world: World) -> None:
    ids = {world.client.post("/routes", {"start": START}).json()["id"] for _ in range(5)}
    pages = walk(world, "query.limit=2")
    assert [len(page) for page in pages] == [2, 2, 1]
    assert {route for page in pages for route in page} == ids


@pytest.mark.spec("decisions §5")
def test_unscheduled_routes_come_last_and_updates_oldest_first(world: World) -> None:
    (never,) = create(world, 1)
    (late,) = create(world, 1, scheduledFor="2024-07-09T08:00:00Z")
    (early,) = create(world, 1, scheduledFor="2024-07-08T08:00:00Z")
    assert walk(world, "query.sortKey=SCHEDULED_AT&query.limit=1") == [[late], [early], [never]]
    assert walk(world, "query.sortKey=UPDATED_AT") == [[never, late, early]]


@pytest.mark.spec("decisions §5")
def test_bounds_include_their_start_and_not_their_end(world: World) -> None:
    ids = create(world, 3)
    first, _, last = ("2024-07-01T06:01:00Z", "", "2024-07-01T08:03:00%2B02:00")
    assert walk(world, f"query.timestampStart={first}&query.timestampEnd={last}") == [ids[1::-1]]
    scheduled = "query.sortKey=SCHEDULED_AT&query.timestampEnd=2030-01-01T00:00:00Z"
    assert walk(world, scheduled) == [[]]


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("query.limit=201", "query.limit"),
        ("query.limit=-1", "query.limit"),
        ("query.limit=1.5", "query.limit"),
        ("query.sortKey=NAME", "query.sortKey"),
        ("query.timestampStart=2024-07-01", "query.timestampStart"),
        ("query.includeArchived=yes", "query.includeArchived"),
        ("query.limt=5", "query.limt"),
        ("limit=5", "limit"),
        ("query.limit=5&query.limit=6", "query.limit"),
        ("cursor=nonsense", "cursor"),
    ],
)
def test_a_wrong_argument_is_named(world: World, query: str, named: str) -> None:
    response = world.client.get(f"/routes?{query}")
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named


@pytest.mark.spec("decisions §5")
def test_a_limit_of_zero_is_twenty_and_empty_values_are_absent(world: World) -> None:
    create(world, 21)
    assert [len(page) for page in walk(world, "query.limit=0&query.sortKey=")] == [20, 1]


@pytest.mark.spec("decisions §5")
def test_a_cursor_is_sent_unchanged_and_by_its_owner(world: World) -> None:
    create(world, 2)
    cursor = world.client.get("/routes?query.limit=1").json()["nextCursor"]
    letters = string.ascii_letters + string.digits + "-_"
    changed = [letter + cursor[1:] for letter in letters if letter != cursor[0]]
    # What is left over of its last character means nothing, and is no other way to write it.
    changed += [cursor[:-1] + letter for letter in letters if letter != cursor[-1]]
    for one in (*changed, f"{cursor}=", f"{cursor}==", cursor[:-1]):
        with pytest.raises(InvalidArgument, match="unchanged"):
            list_routes(world.tools, world.credentials.organization_id, Query(ListRoutes(), one))
    assert world.stranger.get(f"/routes?cursor={cursor}").json()["code"] == 3
    assert len(world.client.get(f"/routes?cursor={cursor}").json()["routes"]) == 1
