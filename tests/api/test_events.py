from typing import Any

import pytest
from tests.api.conftest import World

pytestmark = pytest.mark.both_databases

STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def import_stops(world: World, count: int) -> list[Any]:
    stops = []
    for _ in range(count):
        world.clock.advance(minutes=1)
        stops += world.client.post("/stops/imports", [STOP]).json()["stops"]
    return stops


def listed(world: World, query: str = "") -> list[str]:
    answer = world.client.get(f"/events?{query}").json()
    return [event["objectId"] for event in answer["events"]]


@pytest.mark.spec("Events, Body")
def test_an_event_shows_who_did_what_to_which_object(world: World) -> None:
    (stop,) = import_stops(world, 1)
    (event,) = world.client.get("/events").json()["events"]
    assert event == {
        "eventId": event["eventId"],
        "topic": "IMPORTED_STOP_CREATED",
        "eventTimestamp": "2024-07-01T06:01:00Z",
        "apiVersion": "V2024_07",
        "organization": world.credentials.organization_id,
        "objectId": stop["id"],
        "user": {"email": "dev@example.com"},
        "payload": stop,
    }
    assert event["eventId"].startswith("evt-")


@pytest.mark.spec("decisions §9")
def test_a_payload_is_the_object_as_it_was_byte_for_byte(world: World) -> None:
    created = world.client.post("/routes", {"start": STOP, "name": "as it was"})
    world.client.send(
        "POST", f"/routes/{created.json()['id']}/stops", json=[{"clientStopId": "none"}]
    )
    listed_page = world.client.get("/events")
    assert created.content in listed_page.content


@pytest.mark.spec("decisions §12")
def test_a_walk_sees_every_event_once_oldest_first(world: World) -> None:
    ids = [stop["id"] for stop in import_stops(world, 5)]
    assert listed(world) == ids
    pages, answer = [], world.client.get("/events?query.limit=2").json()
    while True:
        pages.append([event["objectId"] for event in answer["events"]])
        if not answer["nextCursor"]:
            break
        answer = world.client.get(f"/events?cursor={answer['nextCursor']}").json()
    assert pages == [ids[:2], ids[2:4], ids[4:]]


@pytest.mark.spec("decisions §12")
def test_events_of_one_change_are_listed_as_they_were_written(world: World) -> None:
    imported = world.client.post("/stops/imports", [STOP] * 30).json()["stops"]
    # At the very same moment by the clock, but later all the same.
    imported += world.client.post("/stops/imports", [STOP] * 3).json()["stops"]
    assert walked(world, "IMPORTED_STOP_CREATED") == [stop["id"] for stop in imported]
    route_id = world.client.post("/routes", {"start": STOP}).json()["id"]
    named = [{"importedStopId": stop["id"]} for stop in reversed(imported)]
    route = world.client.post(f"/routes/{route_id}/stops", named).json()
    world.clock.advance(minutes=1)
    world.client.post(f"/routes/{route_id}/ready")
    assert walked(world, "STOP_STATUS_UPDATED") == [stop["id"] for stop in route["stops"]]


def walked(world: World, topic: str) -> list[str]:
    """Return what the events of a topic are about, three at a time."""
    found, path = [], f"/events?query.topic={topic}&query.limit=3"
    while path:
        answer = world.client.get(path).json()
        found += [event["objectId"] for event in answer["events"]]
        path = answer["nextCursor"] and f"/events?cursor={answer['nextCursor']}"
    return found


@pytest.mark.spec("decisions §12")
def test_events_are_chosen_by_object(world: World) -> None:
    first, second = (stop["id"] for stop in import_stops(world, 2))
    world.clock.advance(minutes=1)
    body = {"importedStop": {"note": "ring twice"}, "updateMask": "note"}
    world.client.send("PATCH", f"/stops/imports/{first}", json=body)
    assert listed(world, f"query.objectId={first}") == [first, first]
    assert listed(world, f"query.objectId={second}") == [second]
    assert listed(world, f"query.objectId={first}&query.topic=IMPORTED_STOP_CREATED") == [first]
    assert listed(world, "query.objectId=rte-none") == []


def test_events_are_chosen_by_topic_and_time(world: World) -> None:
    ids = [stop["id"] for stop in import_stops(world, 3)]
    world.clock.advance(minutes=1)
    route = world.client.post("/routes", {"start": STOP}).json()["id"]
    assert listed(world, "query.topic=ROUTE_CREATED") == [route]
    assert listed(world, "query.topic=ROUTE_DELETED") == []
    start, end = "query.timestampStart=2024-07-01T06:02:00Z", "query.timestampEnd=2024-07-01T06:0"
    assert listed(world, start) == [*ids[1:], route]
    assert listed(world, f"{start}&{end}3:00Z") == ids[1:2]
    assert world.stranger.get("/events").json() == {"events": [], "nextCursor": ""}


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("query.limit=201", "query.limit"),
        ("query.topic=route_created", "query.topic"),
        ("query.timestampEnd=now", "query.timestampEnd"),
        ("query.includeArchived=true", "query.includeArchived"),
        ("cursor=nonsense", "cursor"),
    ],
)
def test_a_wrong_argument_is_named(world: World, query: str, named: str) -> None:
    response = world.client.get(f"/events?{query}")
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
