"""Decisions §5: limits, order, bounds and cursors of every list."""

from typing import Any

import pytest
from tests.acceptance.contract.bodies import HERE, new_driver, new_route, new_stops
from tests.acceptance.contract.installation import Client, Installation, query_of

LISTS = ["/routes", "/stops/imports", "/vehicles", "/drivers", "/events"]
NAMES = {"/stops/imports": "stops"}


def name_of(path: str) -> str:
    return NAMES.get(path, path.removeprefix("/"))


def fill(client: Client, path: str, count: int) -> list[str]:
    """Make so many things of a list and return their ids in the order they were made."""
    if path == "/stops/imports":
        return [new_stops(client, 1)[0]["id"] for _ in range(count)]
    if path == "/vehicles":
        return [client.post(path, {"name": f"Van {n}"})["id"] for n in range(count)]
    if path == "/drivers":
        return [new_driver(client, active=False)["id"] for _ in range(count)]
    made = [new_route(client)["id"] for _ in range(count)]
    if path == "/events":
        return [event["eventId"] for event in client.get("/events")["events"]]
    return made


def identity(row: Any) -> str:
    return str(row.get("id") or row["eventId"])


def walk(client: Client, path: str, **query: Any) -> list[str]:
    """Return the ids of every page; later requests send the cursor only."""
    seen: list[str] = []
    page = client.get(path, **query)
    while True:
        assert set(page) == {name_of(path), "nextCursor"}
        seen += [identity(row) for row in page[name_of(path)]]
        if page["nextCursor"] == "":
            return seen
        page = client.get(path, cursor=page["nextCursor"])


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize("path", LISTS)
def test_a_walk_sees_every_row_once(client: Client, path: str) -> None:
    made = fill(client, path, 5)
    order = list(reversed(made)) if path in {"/routes", "/stops/imports"} else made
    assert walk(client, path, limit=2) == order
    assert walk(client, path, limit=5) == order
    assert walk(client, path, limit=200) == order
    assert walk(client, path) == order


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize("path", LISTS)
def test_a_limit_is_1_to_200_and_20_when_absent(client: Client, path: str) -> None:
    for bad in ("-1", "201", "1.0", "x", "1e1", "99999999999999999999"):
        refusal = client.refused("GET", path, params={"query.limit": bad})
        assert (refusal.short, refusal.fields) == ((400, 3), ["query.limit"])
    client.get(path, limit=200)
    client.get(path, limit=1)
    fill(client, path, 21)
    assert len(client.get(path)[name_of(path)]) == 20
    if path == "/stops/imports":
        refusal = client.refused("GET", path, params={"query.limit": "0"})
        assert (refusal.short, refusal.fields) == ((400, 3), ["query.limit"])
    else:
        assert len(client.get(path, limit=0)[name_of(path)]) == 20


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_contradicts_nothing_and_is_unchanged_and_at_home(
    installation: Installation, client: Client, path: str
) -> None:
    fill(client, path, 3)
    cursor = client.get(path, limit=2)["nextCursor"]
    middle = len(cursor) // 2
    swapped = "A" if cursor[middle] != "A" else "B"
    for bad in (
        cursor + "A",
        cursor[:-1],
        cursor[:middle] + swapped + cursor[middle + 1 :],
        "nonsense",
        "é",
    ):
        refusal = client.refused("GET", path, params={"cursor": bad})
        assert (refusal.short, refusal.fields) == ((400, 3), ["cursor"])
    beside = {"cursor": cursor, "query.limit": "3"}
    contradiction = client.refused("GET", path, params=beside)
    assert (contradiction.short, contradiction.fields) == ((400, 3), ["query.limit"])
    assert len(client.get(path, cursor=cursor, limit=2)[name_of(path)]) == 1
    stranger = installation.new_client()
    assert stranger.refused("GET", path, params={"cursor": cursor}).short == (400, 3)
    other = next(name for name in LISTS if name != path)
    assert client.refused("GET", other, params={"cursor": cursor}).short == (400, 3)
    assert len(client.get(path, cursor=cursor)[name_of(path)]) == 1
    colleague = installation.new_client(client.organization)
    assert len(colleague.get(path, cursor=cursor)[name_of(path)]) == 1


@pytest.mark.spec("Routes")
@pytest.mark.parametrize(
    ("key", "newest_first"),
    [("UNKNOWN", True), ("CREATED_AT", True), ("UPDATED_AT", False), ("SCHEDULED_AT", True)],
)
def test_routes_are_sorted_by_their_key_and_bounded_by_its_time(
    client: Client, key: str, *, newest_first: bool
) -> None:
    days = [f"2024-07-0{day}T08:00:00Z" for day in (1, 2, 3)]
    routes = [new_route(client, scheduledFor=day) for day in days]
    field = {"UPDATED_AT": "updatedAt", "SCHEDULED_AT": "scheduledFor"}.get(key, "createdAt")
    ids = [route["id"] for route in routes]
    order = list(reversed(ids)) if newest_first else ids
    assert walk(client, "/routes", sortKey=key, limit=2) == order
    times = [route[field] for route in routes]
    bounds = {"timestampStart": times[1], "timestampEnd": times[2]}
    assert walk(client, "/routes", sortKey=key, **bounds) == [ids[1]]
    assert set(walk(client, "/routes", sortKey=key, timestampStart=times[1])) == set(ids[1:])
    assert walk(client, "/routes", sortKey=key, timestampEnd=times[1]) == [ids[0]]


@pytest.mark.spec("decisions §5")
def test_routes_without_a_schedule_come_last(client: Client) -> None:
    loose = new_route(client)["id"]
    early = new_route(client, scheduledFor="2024-07-01T08:00:00Z")["id"]
    also_loose = new_route(client)["id"]
    late = new_route(client, scheduledFor="2024-07-09T08:00:00Z")["id"]
    seen = walk(client, "/routes", sortKey="SCHEDULED_AT", limit=1)
    assert seen[:2] == [late, early]
    assert set(seen[2:]) == {loose, also_loose}
    bounded = {"timestampStart": "2024-07-01T00:00:00Z"}
    assert walk(client, "/routes", sortKey="SCHEDULED_AT", **bounded) == [late, early]


@pytest.mark.spec("decisions §5")
def test_a_route_changed_during_a_walk_by_update_is_seen_again(client: Client) -> None:
    ids = [new_route(client)["id"] for _ in range(4)]
    page = client.get("/routes", sortKey="UPDATED_AT", limit=2)
    assert [row["id"] for row in page["routes"]] == ids[:2]
    client.patch(f"/routes/{ids[0]}", {"route": {"note": "x"}, "updateMask": "note"})
    rest: list[str] = []
    while page["nextCursor"]:
        page = client.get("/routes", cursor=page["nextCursor"])
        rest += [row["id"] for row in page["routes"]]
    assert rest == [*ids[2:], ids[0]]


@pytest.mark.spec("Routes")
def test_archived_routes_are_listed_when_asked_for(client: Client) -> None:
    kept, gone = new_route(client)["id"], new_route(client)["id"]
    client.post(f"/routes/{gone}/archive")
    assert walk(client, "/routes") == [kept]
    assert walk(client, "/routes", includeArchived="false") == [kept]
    assert walk(client, "/routes", includeArchived="true", limit=1) == [gone, kept]
    assert walk(client, "/routes", includeArchived="True") == [gone, kept]
    assert walk(client, "/routes", includeArchived="0") == [kept]
    for bad in ("2", "TRUE", "yes"):
        refusal = client.refused("GET", "/routes", params=query_of({"includeArchived": bad}))
        assert (refusal.short, refusal.fields) == ((400, 3), ["query.includeArchived"])


@pytest.mark.spec("decisions §12")
def test_imports_are_listed_by_import_or_update_time(client: Client) -> None:
    stops = [new_stops(client, 1)[0] for _ in range(3)]
    ids = [stop["id"] for stop in stops]
    path = "/stops/imports"
    assert walk(client, path, sortKey="CREATED_AT", limit=2) == ids[::-1]
    assert walk(client, path, sortKey="UNKNOWN") == ids[::-1]
    client.patch(f"{path}/{ids[0]}", {"importedStop": {"note": "x"}, "updateMask": "note"})
    assert walk(client, path, sortKey="UPDATED_AT", limit=2) == [ids[1], ids[2], ids[0]]
    assert walk(client, path) == ids[::-1]
    bounds = {"timestampStart": stops[1]["importedAt"], "timestampEnd": stops[2]["importedAt"]}
    assert walk(client, path, **bounds) == [ids[1]]
    assert client.refused("GET", path, params=query_of({"sortKey": "SCHEDULED_AT"})).short == (
        400,
        3,
    )


@pytest.mark.spec("decisions §5")
def test_imports_on_no_route_can_be_asked_for(client: Client) -> None:
    stops = new_stops(client, 3)
    new_route(client, stops[1])
    loose = {stops[0]["id"], stops[2]["id"]}
    assert set(walk(client, "/stops/imports", unrouted="true", limit=1)) == loose
    assert len(walk(client, "/stops/imports", unrouted="false")) == 3


@pytest.mark.spec("decisions §12")
def test_archived_vehicles_and_drivers_of_a_status_are_listed_when_asked_for(
    client: Client,
) -> None:
    kept, gone = fill(client, "/vehicles", 2)
    client.post(f"/vehicles/{gone}/archive")
    assert walk(client, "/vehicles") == [kept]
    assert walk(client, "/vehicles", includeArchived="true", limit=1) == [kept, gone]
    pending, active, left = [new_driver(client, active=False)["id"] for _ in range(3)]
    client.post(f"/drivers/{active}/activate")
    client.post(f"/drivers/{left}/archive")
    assert walk(client, "/drivers", limit=1) == [pending, active]
    assert walk(client, "/drivers", status="ACTIVE") == [active]
    assert walk(client, "/drivers", status="PENDING") == [pending]
    assert walk(client, "/drivers", status="ARCHIVED") == [left]
    assert walk(client, "/drivers", status="DEACTIVATED") == []


@pytest.mark.spec("decisions §5")
def test_the_routes_of_a_stop_are_told_archived_ones_included(client: Client) -> None:
    stop, other = new_stops(client, 2)
    path = f"/stops/imports/{stop['id']}/routes"
    assert client.get(path) == {"routes": []}
    first, second = new_route(client, stop), new_route(client, other, stop)
    new_route(client, other)
    client.post(f"/routes/{first['id']}/archive")
    told = client.get(path)
    assert set(told) == {"routes"}
    assert {route["id"] for route in told["routes"]} == {first["id"], second["id"]}
    assert client.get("/webhooks") == {"webhooks": []}


@pytest.mark.spec("decisions §12")
def test_events_are_chosen_by_topic_and_time(client: Client) -> None:
    new_stops(client, 1)
    route = client.post("/routes", {"start": {"coordinates": HERE}})
    client.delete(f"/routes/{route['id']}")
    events = client.get("/events")["events"]
    topics = [event["topic"] for event in events]
    assert topics == ["IMPORTED_STOP_CREATED", "ROUTE_CREATED", "ROUTE_DELETED"]
    only = client.get("/events", topic="ROUTE_CREATED")["events"]
    assert only == [events[1]]
    since = client.get("/events", timestampStart=events[1]["eventTimestamp"])["events"]
    assert since == events[1:]
    until = client.get("/events", timestampEnd=events[1]["eventTimestamp"])["events"]
    assert until == events[:1]
    assert client.refused("GET", "/events", params={"query.topic": "NOPE"}).short == (400, 3)
