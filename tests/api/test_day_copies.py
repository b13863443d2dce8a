"""The routes of a day are made once more on another one, for rounds that are driven every week."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed
from tests.api.busy_route import buy, hire
from tests.api.conftest import World
from tests.api.plan_requests import violations
from tests.api.test_routes import START, UNKNOWN_ROUTE, add, create_route, import_line
from tests.api.test_store_orders import push
from tests.driver.device import Listener, sign_up
from tests.driver.test_erasures import rows_of
from tests.operations.test_works_in_line import InterruptedRoads
from tests.support.plans import run_waiting_jobs
from tests.tracking.conftest import wait_for_delivery
from tests.world import FixedClock

from roundsman.app import KINDS
from roundsman.domain.address import Coordinates
from roundsman.domain.errors import Aborted, Unavailable
from roundsman.domain.job import MOST_ATTEMPTS
from roundsman.domain.principal import operator
from roundsman.domain.quota import MOST_STOPS
from roundsman.domain.route_stop import BreakStatus, RouteStop, StopSource
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds
from roundsman.operations.day_copies import copy_day
from roundsman.operations.job_runs import claim_jobs, fail_job, run_job
from roundsman.operations.request import Request
from roundsman.storage.leases import LEASE
from roundsman.storage.routes import find_route, save_route
from roundsman.storage.usage import measure

pytestmark = pytest.mark.spec("doors §4.1")

BEFORE, AFTER = "2024-11-01", "2024-11-08"
"""Two Fridays in Baltimore, between which the clocks go back."""

AT_EIGHT, AT_EIGHT_AFTER = "2024-11-01T12:00:00Z", "2024-11-08T13:00:00Z"
"""Eight o'clock there, on both."""

PHONE = "+14105551234"
TASK = {
    "title": "Bring the crates back",
    "type": "CHECKBOXES",
    "items": [{"title": "Counted"}],
    "requiredToMarkStopAsDelivered": True,
}
CLIENTS_STOP = {
    "clientStopId": "order-7",
    "address": {"address1": "1 Main Street", "city": "Baltimore"},
    "coordinates": {"latitude": 39.30, "longitude": -76.61},
    "contact": {"firstName": "Ada", "lastName": "Miller", "phone": PHONE},
    "items": [{"name": "Bread", "quantity": 3, "grams": 500}],
    "note": "Back door",
    "duration": "240s",
    "priority": 2,
    "orderName": "Bakery",
    "timeWindows": [{"start": {"hours": 8, "minutes": 30}, "end": {"hours": 10}}],
    "deliveryDate": {"year": 2024, "month": 11, "day": 1},
    "attributes": [{"key": "floor", "value": "2"}],
    "tags": ["fresh"],
    "tasks": [TASK],
    "loads": {"crates": 4},
    "requiredSkills": ["cooled"],
    "customSignatureDisclosure": "I have it",
    "orderReferenceUrl": "https://example.com/7",
}
OPTIONS = {
    "name": "North",
    "scheduledFor": AT_EIGHT,
    "note": "Keys in the box",
    "tags": ["weekly"],
    "defaultStopDuration": "120s",
    "maxDuration": "18000s",
    "maxStops": 9,
    "maxItemCount": 99,
    "maxKilograms": 12.5,
    "avoidTolls": True,
    "avoidUTurns": True,
    "speedFactor": 1.5,
    "stopTasks": [{"title": "Ring the bell", "type": "TEXT_INPUT"}],
}

type Json = Any


def copy(world: World, from_: str = BEFORE, to: str = AFTER, **fields: Json) -> Json:
    answer = world.client.post(f"/days/{to}/copies", {"from": from_, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(world: World, route_id: str) -> Json:
    return world.client.get(f"/routes/{route_id}").json()


def of_day(world: World, date: str) -> list[str]:
    return [route["id"] for route in world.client.get(f"/days/{date}").json()["routes"]]


def planned(stop: Json) -> Json:
    """Return what a planner said of a stop, without ids and times."""
    own = {"id", "updatedAt", "plannedArrival", "updatedArrival", "arrivalWindow", "clientStopId"}
    left = own | {"importedStopId", "copiedFrom", "deliveryDate", "tasks"}
    return {name: value for name, value in stop.items() if name not in left}


def untold(tasks: Json) -> Json:
    """Return tasks without their ids."""
    return [
        {**task, "id": "", "items": [{**item, "id": ""} for item in task["items"]]}
        for task in tasks
    ]


@pytest.fixture
def north(world: World) -> Json:
    """Return a route with everything that a planner can say of one, before the clocks change."""
    buy(world, "veh-1")
    hire(world, "drv-1")
    end = {"coordinates": {"latitude": 39.29, "longitude": -76.57}, "tasks": [TASK]}
    crew = {"vehicleId": "veh-1", "driverId": "drv-1"}
    start = {**START, "tasks": [TASK]}
    route = create_route(world, **OPTIONS, **crew, start=start, end=end)
    imported = world.client.post("/stops/imports", [CLIENTS_STOP]).json()["stops"][0]["id"]
    others = import_line(world, 2, 1)
    answer = add(world, route, [others[0], imported, others[1]])
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_copy_is_taken_back_by_its_tag_unless_it_was_changed_since(
    world: World, north: Json
) -> None:
    untouched, changed = copy(world)["routes"][0], copy(world)["routes"][0]
    renamed = {"route": {"name": "Far north"}, "updateMask": "name"}
    world.client.send("PATCH", f"/routes/{changed['id']}", json=renamed).raise_for_status()
    answers = [
        world.client.send(
            "DELETE", f"/routes/{one['id']}", headers={"If-Match": one["etag"]}
        ).status_code
        for one in (untouched, changed)
    ]
    assert answers == [200, 412]
    assert read(world, changed["id"])["name"] == "Far north"
    assert read(world, north["id"])["name"] == "North"


@pytest.mark.both_databases
def test_all_that_a_planner_said_is_copied_and_eight_stays_eight(world: World, north: Json) -> None:
    listener = Listener(world)
    answer = copy(world)
    assert (answer["date"], answer["warnings"]) == (AFTER, [])
    (told,) = answer["routes"]
    assert told == {
        "id": told["id"], "name": "North", "copiedFrom": north["id"], "stopCount": 3,
        "etag": told["etag"],
    }  # fmt: skip
    route = read(world, told["id"])
    for name in OPTIONS.keys() - {"scheduledFor"}:
        assert route[name] == OPTIONS[name] if name != "stopTasks" else route[name] == north[name]
    assert route["scheduledFor"] == route["start"]["scheduledStart"] == AT_EIGHT_AFTER
    assert (route["vehicle"]["id"], route["driver"]["id"]) == ("veh-1", "drv-1")
    for end in ("start", "end"):
        assert route[end]["coordinates"] == north[end]["coordinates"]
        assert untold(route[end]["tasks"]) == untold(north[end]["tasks"]) != []
        assert route[end]["tasks"][0]["id"] != north[end]["tasks"][0]["id"]
    assert [planned(stop) for stop in route["stops"]] == [planned(s) for s in north["stops"]]
    assert [untold(stop["tasks"]) for stop in route["stops"]] == [
        untold(stop["tasks"]) for stop in north["stops"]
    ]
    arrivals = [stop["plannedArrival"] for stop in route["stops"]]
    assert [one[:10] for one in arrivals] == [AFTER] * 3
    assert arrivals == sorted(arrivals)
    opens = "2024-11-08T13:30:00Z"  # half past eight by the clocks there
    assert arrivals[1] < opens < arrivals[2]
    assert route["stops"][1]["deliveryDate"] == {"year": 2024, "month": 11, "day": 8}
    assert "deliveryDate" not in route["stops"][0]
    assert read(world, north["id"]) == north
    assert listener.topics() == sorted(
        [("ROUTE_CREATED", route["id"])]
        + [("IMPORTED_STOP_CREATED", stop["importedStopId"]) for stop in route["stops"]]
    )


@pytest.mark.both_databases
def test_a_copied_stop_stands_in_the_pool_and_can_be_changed(world: World, north: Json) -> None:
    (told,) = copy(world)["routes"]
    stop = read(world, told["id"])["stops"][1]
    assert stop["clientStopId"] == ""
    assert stop["importedStopId"] not in {one["importedStopId"] for one in north["stops"]}
    pooled = world.client.get(f"/stops/imports/{stop['importedStopId']}").json()
    was = world.client.get("/stops/imports/order-7").json()
    differ = {"id", "importedAt", "clientStopId", "deliveryDate"}
    for name in was.keys() - differ:
        assert pooled[name] == was[name], name
    assert pooled["loads"] == CLIENTS_STOP["loads"]
    assert was["id"] == north["stops"][1]["importedStopId"]
    path = f"/routes/{told['id']}/stops/{stop['id']}"
    edit = {"routeStop": {"note": "Front door"}, "updateMask": "note"}
    assert world.client.send("PATCH", path, json=edit).json()["note"] == "Front door"
    removed = world.client.send("DELETE", path)
    assert removed.status_code == 200, removed.text
    unrouted = world.client.get(f"/days/{AFTER}").json()["unrouted"]["stops"]
    assert [one["importedStopId"] for one in unrouted] == [pooled["id"]]


def test_what_was_edited_on_the_route_is_copied_not_what_was_imported(
    world: World, north: Json
) -> None:
    path = f"/routes/{north['id']}/stops/{north['stops'][1]['id']}"
    edit = {"routeStop": {"note": "Ring twice", "locked": True}, "updateMask": "note,locked"}
    assert world.client.send("PATCH", path, json=edit).status_code == 200
    tasks = [{"title": "Only this"}]
    assert world.client.send("PUT", f"{path}/tasks", json=tasks).status_code == 200
    world.client.send("DELETE", "/stops/imports/order-7")
    (told,) = copy(world)["routes"]
    stop = read(world, told["id"])["stops"][1]
    assert (stop["note"], stop["locked"]) == ("Ring twice", True)
    assert [task["title"] for task in stop["tasks"]] == ["Only this"]


def test_nothing_that_happened_comes_along(world: World) -> None:
    customer = wait_for_delivery(world)
    first, second = customer.stops[:2]
    customer.post(f"{customer.path(1)}/note", json={"note": "Beware of the dog"})
    world.clock.advance(minutes=10)
    customer.device.done("ROUTE_STARTED")
    customer.device.done("STOP_DELIVERED", stopId=first, position=None)
    source = read(world, customer.route_id)
    assert source["stops"][0]["deliveryStatus"] == "DELIVERED"
    day = source["scheduledFor"][:10]
    (told,) = copy(world, day, "2024-07-08")["routes"]
    route = read(world, told["id"])
    assert (route["status"], route["start"]["status"]) == ("UNSTARTED", "UNKNOWN")
    assert "dispatchedUntil" not in route
    assert [stop["deliveryStatus"] for stop in route["stops"]] == ["UNKNOWN"] * len(source["stops"])
    assert [stop["proofOfDeliveryPhotos"] for stop in route["stops"]] == [[]] * len(source["stops"])
    assert "Beware" in str(source)
    assert "Beware" not in str(route)
    assert {stop["id"] for stop in route["stops"]}.isdisjoint({first, second})
    assert all(stop["plannedArrival"] == stop["updatedArrival"] for stop in route["stops"])


@pytest.mark.both_databases
def test_copying_again_makes_a_second_set_and_a_repeated_key_does_not(
    world: World, north: Json
) -> None:
    key = {"Idempotency-Key": "copy-1"}
    body = {"from": BEFORE}
    first, again = (world.client.post(f"/days/{AFTER}/copies", body, headers=key) for _ in range(2))
    assert first.content == again.content
    assert of_day(world, AFTER) == [first.json()["routes"][0]["id"]]
    (second,) = copy(world)["routes"]
    assert of_day(world, AFTER) == [first.json()["routes"][0]["id"], second["id"]]
    (of_copy,) = copy(world, AFTER, "2024-11-15", routeIds=[second["id"]])["routes"]
    assert of_copy["copiedFrom"] == second["id"]
    assert of_day(world, BEFORE) == [north["id"]]


def test_named_routes_alone_are_copied_in_the_order_of_their_day(world: World) -> None:
    routes = [create_route(world, scheduledFor=AT_EIGHT, name=name) for name in "abc"]
    copied = copy(world, routeIds=[routes[2], routes[0], routes[2]])["routes"]
    assert [one["copiedFrom"] for one in copied] == [routes[0], routes[2]]
    assert [read(world, one["id"])["name"] for one in copied] == ["a", "c"]


def test_a_route_that_is_called_by_its_number_gets_a_number_of_its_own(world: World) -> None:
    create_route(world, scheduledFor=AT_EIGHT)
    assert [one["name"] for one in copy(world)["routes"]] == ["#2"]


def test_stops_of_orders_and_crews_that_are_gone_are_left_out_with_a_warning(world: World) -> None:
    buy(world, "veh-1")
    hire(world, "drv-1")
    route = create_route(world, scheduledFor=AT_EIGHT, vehicleId="veh-1", driverId="drv-1")
    add(world, route, import_line(world, 1))
    push(world, "1001")
    orders = [{"storeOrderId": "1001"}]
    assert world.client.post(f"/routes/{route}/store-orders", orders).status_code == 200
    buy(world, "veh-1", is_archived=True)
    hire(world, "drv-1", "ARCHIVED")
    answer = copy(world)
    (told,) = answer["routes"]
    assert told["stopCount"] == 1
    made = read(world, told["id"])
    assert made.keys().isdisjoint({"vehicle", "driver"})
    assert [stop["storeOrderId"] for stop in made["stops"]] == [""]
    assert [
        (one["type"], one["routeId"], one["subject"], one["count"]) for one in answer["warnings"]
    ] == [
        ("VEHICLE_LEFT_OUT", told["id"], "veh-1", 0),
        ("DRIVER_LEFT_OUT", told["id"], "drv-1", 0),
        ("ORDERS_LEFT_OUT", told["id"], "", 1),
    ]
    assert [one["message"].partition(": ")[0] for one in answer["warnings"]] == [told["name"]] * 3
    assert "1 stop of a shop's order is left out" in answer["warnings"][2]["message"]


def count_bytes(world: World) -> tuple[int, int]:
    """Return how many bytes are counted for the quota, and are there beside those of routes.

    What a route takes is found when the organization is measured.
    """
    slug = world.credentials.organization_id
    with world.tools.database.reading() as tx:
        counted = tx.exec_driver_sql("SELECT sum(stored_bytes) FROM organizations").scalar_one()
        of_routes = tx.exec_driver_sql("SELECT sum(length(CAST(body AS BLOB))) FROM routes")
        return int(counted), measure(tx, slug) - int(of_routes.scalar_one())


def test_what_a_copy_stores_counts_for_the_quota(world: World, north: Json) -> None:
    assert north
    counted, stored = count_bytes(world)
    copy(world)
    counted_now, stored_now = count_bytes(world)
    # An event counts for more than its payload.
    assert counted_now - counted >= stored_now - stored > 0


def test_a_stop_that_would_be_too_large_in_the_pool_is_not_copied(world: World) -> None:
    skills = [f"{number:02d}{'x' * 1_100}" for number in range(50)]
    route = create_route(world, scheduledFor=AT_EIGHT)
    added = add(world, route, import_line(world, 1, requiredSkills=skills))
    note = {"routeStop": {"note": "ä" * 6_000}, "updateMask": "note"}
    path = f"/routes/{route}/stops/{added.json()['stops'][0]['id']}"
    assert world.client.send("PATCH", path, json=note).status_code == 200
    refused = world.client.post(f"/days/{AFTER}/copies", {"from": BEFORE})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused)[0][0] == "stopBytes"
    assert of_day(world, AFTER) == []


def test_a_route_with_too_many_stops_is_not_copied(world: World) -> None:
    route_id = create_route(world, scheduledFor=AT_EIGHT)
    stops = tuple(rest(number) for number in range(MOST_STOPS + 1))
    store_stops(world, route_id, stops)  # as a version without the limit did
    refused = world.client.post(f"/days/{AFTER}/copies", {"from": BEFORE})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused)[0][0] == "stops"
    assert of_day(world, AFTER) == []


@pytest.mark.parametrize("leaves", ["2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z"])
def test_an_hour_that_clocks_have_twice_stays_the_first_or_the_second(
    world: World, leaves: str
) -> None:
    create_route(world, scheduledFor=leaves)  # half past one in Baltimore
    (told,) = copy(world, "2024-11-03", "2025-11-02")["routes"]
    expected = leaves.replace("2024-11-03", "2025-11-02")
    assert read(world, told["id"])["scheduledFor"] == expected


def test_a_deactivated_driver_stays(world: World) -> None:
    hire(world, "drv-1", "DEACTIVATED")
    create_route(world, scheduledFor=AT_EIGHT, driverId="drv-1")
    answer = copy(world)
    assert answer["warnings"] == []
    assert read(world, answer["routes"][0]["id"])["driver"]["id"] == "drv-1"


def test_a_route_without_a_schedule_is_of_the_day_it_was_made_and_leaves_at_eight(
    world: World,
) -> None:
    create_route(world)
    answer = copy(world, "2024-07-01", "2024-07-08")
    assert [one["type"] for one in answer["warnings"]] == ["DEPARTURE_ASSUMED"]
    (told,) = answer["routes"]
    assert read(world, told["id"])["scheduledFor"] == "2024-07-08T12:00:00Z"  # 08:00 there
    assert of_day(world, "2024-07-08") == [told["id"]]


def test_a_copy_is_of_the_day_that_was_asked_for_where_clocks_have_another(world: World) -> None:
    # Half past seven in the evening at its start is the next day in UTC, the organization's zone,
    # once the clocks have gone back.
    create_route(world, scheduledFor="2024-11-02T23:30:00Z")
    (told,) = copy(world, "2024-11-02", "2024-11-09")["routes"]
    assert of_day(world, "2024-11-09") == [told["id"]]
    assert read(world, told["id"])["scheduledFor"] == "2024-11-09T23:30:00Z"


def rest(number: int) -> RouteStop:
    """Return a break of half an hour."""
    return RouteStop(
        id=f"rst-00000000-0000-4000-8000-{number:012}",
        type=StopType.BREAK,
        updated_at=FixedClock().now(),
        planned_coordinates=Coordinates(latitude=39.29, longitude=-76.61),
        duration=from_seconds(1_800),
        source=StopSource.MANUAL,
    )


def store_stops(world: World, route_id: str, stops: tuple[RouteStop, ...]) -> None:
    with world.tools.database.writing() as tx:
        stored = find_route(tx, world.credentials.organization_id, route_id)
        assert stored is not None
        filled = changed(stored.route, stops=stops)
        save_route(tx, world.credentials.organization_id, filled, read=stored)


def test_a_break_is_copied_as_a_break_of_the_other_day(world: World) -> None:
    route_id = create_route(world, scheduledFor=AT_EIGHT)
    noon = TimeWindow(start=TimeOfDay(hours=12), end=TimeOfDay(hours=13))
    day = Date(year=2024, month=11, day=1)
    done = changed(rest(1), break_status=BreakStatus.COMPLETED, delivery_date=day)
    store_stops(world, route_id, (changed(done, time_windows=(noon,)),))
    (told,) = copy(world)["routes"]
    (copied,) = read(world, told["id"])["stops"]
    assert (copied["type"], copied["breakStatus"], copied["source"]) == (
        "BREAK", "UNKNOWN", "MANUAL"
    )  # fmt: skip
    assert copied["duration"] == "1800s"
    assert copied["timeWindows"][0]["start"]["hours"] == 12
    assert copied["deliveryDate"] == {"year": 2024, "month": 11, "day": 8}
    assert copied["importedStopId"] == ""


def test_what_was_erased_does_not_come_back(world: World, north: Json) -> None:
    asked = {"phone": PHONE, "reason": "asked"}
    assert world.client.post("/privacy/erasures", asked).status_code == 200
    run_waiting_jobs(world.tools)
    (told,) = copy(world)["routes"]
    stop = read(world, told["id"])["stops"][1]
    assert stop["note"] == ""
    assert "contact" not in stop
    pooled = world.client.get(f"/stops/imports/{stop['importedStopId']}").json()
    for gone in ("Miller", "Main Street", "Back door", PHONE):
        assert gone in str(north)
        assert gone not in str([stop, pooled])


@pytest.mark.spec("decisions §17")
@pytest.mark.both_databases
@pytest.mark.parametrize("who", [{"phone": PHONE}, {"clientStopId": "order-7"}])
def test_nothing_is_copied_between_two_steps_of_an_erasure(
    world: World, north: Json, who: Json
) -> None:
    erasure = world.client.post("/privacy/erasures", who).json()["id"]
    (job,) = claim_jobs(world.tools, "worker", LEASE, room=1)
    said = set()

    def copy_between() -> bool:
        world.clock.advance(seconds=1)
        answer = world.client.post(f"/days/{AFTER}/copies", {"from": BEFORE})
        said.add((answer.status_code, answer.json().get("message")))
        return False

    run_job(world.tools, KINDS, job, copy_between)
    assert "Miller" in str(north)
    assert "Miller" not in rows_of(world)
    words = f"{erasure} is erasing somebody's data; nothing was copied, "
    assert (409, f"{words}send the request again once it is done") in said
    assert len(copy(world)["routes"]) == 1


@pytest.mark.spec("decisions §17")
def test_an_erasure_that_fails_says_so_and_in_the_end_lets_copies_be_made(
    world: World, north: Json
) -> None:
    assert north
    world.client.post("/privacy/erasures", {"phone": PHONE})
    request = Request(principal=operator(world.credentials.organization_id, "dev@example.com"))
    for attempt in range(1, MOST_ATTEMPTS + 1):
        (job,) = claim_jobs(world.tools, "worker", LEASE, room=1)
        fail_job(world.tools, job, Unavailable("the disk is full"))
        if attempt < MOST_ATTEMPTS:
            with pytest.raises(Aborted, match=f"its attempt {attempt} failed, and another follows"):
                copy_day(world.tools, request, AFTER, BEFORE, ())
        world.clock.advance(hours=2)
    assert len(copy_day(world.tools, request, AFTER, BEFORE, ()).routes) == 1


@pytest.mark.spec("decisions §17")
def test_an_erasure_that_has_only_to_be_forgotten_by_the_database_stops_no_copy(
    world: World, north: Json
) -> None:
    assert north
    world.client.post("/privacy/erasures", {"phone": PHONE})
    run_waiting_jobs(world.tools)
    with world.tools.database.writing() as tx:  # as before the last step of it
        tx.exec_driver_sql("UPDATE erasures SET completed_at = NULL")
    assert len(copy(world)["routes"]) == 1


@pytest.mark.spec("decisions §17")
def test_an_erasure_of_another_organization_stops_no_copy(world: World, north: Json) -> None:
    world.stranger.post("/privacy/erasures", {"phone": PHONE})
    assert [one["copiedFrom"] for one in copy(world)["routes"]] == [north["id"]]


def test_a_copy_is_erased_with_its_customer(world: World, north: Json) -> None:
    (told,) = copy(world)["routes"]
    asked = {"phone": PHONE, "reason": "asked"}
    world.client.post("/privacy/erasures", asked)
    run_waiting_jobs(world.tools)
    assert "Miller" in str(north)
    assert "Miller" not in str(read(world, told["id"]))


def copy_for_three_weeks(world: World) -> list[Json]:
    """Return the routes; of the copy in the middle the stop has left the pool."""
    first = read(world, copy(world)["routes"][0]["id"])
    between = first["stops"][1]["importedStopId"]
    assert world.client.send("DELETE", f"/stops/imports/{between}").status_code == 200
    second = read(world, copy(world, AFTER, "2024-11-15")["routes"][0]["id"])
    third = read(world, copy(world, "2024-11-15", "2024-11-22")["routes"][0]["id"])
    return [first, second, third]


def name_customer(world: World, north: Json, copies: list[Json], who: str) -> Json:
    if who == "clientStopId":
        return {who: "order-7"}
    if who == "clientStopId of one that left the pool":
        world.client.send("DELETE", "/stops/imports/order-7")
        return {"clientStopId": "order-7"}
    route = {"first": north, "between": copies[0], "last": copies[2]}[who]
    return {"importedStopId": route["stops"][1]["importedStopId"]}


WAYS = ("clientStopId", "clientStopId of one that left the pool", "first", "between", "last")


@pytest.mark.spec("decisions §17")
@pytest.mark.both_databases
@pytest.mark.parametrize("way", WAYS)
def test_an_erasure_by_an_id_reaches_copies_of_copies(world: World, north: Json, way: str) -> None:
    copies = copy_for_three_weeks(world)
    who = name_customer(world, north, copies, way)
    assert "Miller" in rows_of(world)
    assert world.client.post("/privacy/erasures", who).status_code == 200
    run_waiting_jobs(world.tools)
    rows = rows_of(world)
    assert [gone for gone in ("Miller", PHONE, "1 Main Street", "Back door") if gone in rows] == []
    for route in (north, *copies):
        others = [stop for number, stop in enumerate(route["stops"]) if number != 1]
        left = read(world, route["id"])["stops"]
        assert [stop for number, stop in enumerate(left) if number != 1] == others


@pytest.mark.spec("decisions §17")
@pytest.mark.both_databases
@pytest.mark.parametrize("way", WAYS)
def test_an_export_by_an_id_lists_copies_of_copies(world: World, north: Json, way: str) -> None:
    copies = copy_for_three_weeks(world)
    ((name, id_),) = name_customer(world, north, copies, way).items()
    found = world.client.get(f"/privacy/exports?query.{name}={id_}").json()
    routes = [north, *copies]
    assert {one["id"] for one in found["stops"]} == {route["stops"][1]["id"] for route in routes}
    pooled = {route["stops"][1]["importedStopId"] for route in routes}
    pooled.discard(copies[0]["stops"][1]["importedStopId"])
    if way == WAYS[1]:
        pooled.discard(north["stops"][1]["importedStopId"])
    assert {one["id"] for one in found["importedStops"]} == pooled


@pytest.mark.spec("decisions §17")
def test_a_copy_says_what_was_copied_first(world: World, north: Json) -> None:
    copies = copy_for_three_weeks(world)
    origin = north["stops"][1]["importedStopId"]
    assert "copiedFrom" not in north["stops"][1]
    assert [route["stops"][1]["copiedFrom"] for route in copies] == [origin] * 3
    last = copies[2]["stops"][1]["importedStopId"]
    path = f"/stops/imports/{last}"
    assert world.client.get(path).json()["copiedFrom"] == origin
    changed = world.client.send(
        "PATCH", path, json={"importedStop": {"note": "Gate"}, "updateMask": "note"}
    )
    assert (changed.json()["note"], changed.json()["copiedFrom"]) == ("Gate", origin)


FROM_OUTSIDE = "must be in the years 1900 to 2199"


@pytest.mark.parametrize(
    ("to", "body", "named"),
    [
        (AFTER, {"from": AFTER}, ("from", f"must be another day than {AFTER}")),
        (AFTER, {"from": "1899-12-31"}, ("from", FROM_OUTSIDE)),
        (AFTER, {"from": "2200-01-01"}, ("from", FROM_OUTSIDE)),
        ("2200-01-01", {"from": BEFORE}, ("date", FROM_OUTSIDE)),
        ("tomorrow", {"from": BEFORE}, ("date", None)),
        (AFTER, {"from": "2024-11-31"}, ("from", None)),
        (AFTER, {}, ("from", None)),
        (AFTER, {"from": "2024-11-02"}, ("from", "2024-11-02")),
        (AFTER, {"from": BEFORE, "routeIds": [UNKNOWN_ROUTE]}, ("routeIds[0]", None)),
        (AFTER, {"from": BEFORE, "routeIds": [""]}, ("routeIds[0]", None)),
    ],
)
def test_what_cannot_be_copied_is_refused_by_field_and_stores_nothing(
    world: World, north: Json, to: str, body: Json, named: tuple[str, str | None]
) -> None:
    assert north
    counted = [world.count(table) for table in ("routes", "imported_stops", "events")]
    refused = world.client.post(f"/days/{to}/copies", body)
    assert refused.status_code == 400
    ((field, words),) = violations(refused)
    assert field == named[0]
    assert words == named[1] or (named[1] is None and words)
    assert [world.count(table) for table in ("routes", "imported_stops", "events")] == counted


def test_routes_of_others_of_another_day_and_archived_ones_are_none_of_the_day(
    world: World, north: Json
) -> None:
    other_day = create_route(world, scheduledFor="2024-11-02T12:00:00Z")
    archived = create_route(world, scheduledFor=AT_EIGHT)
    world.client.post(f"/routes/{archived}/archive")
    start = {"start": START, "scheduledFor": AT_EIGHT}
    foreign = world.stranger.post("/routes", start).json()["id"]
    ids = [north["id"], other_day, archived, foreign, UNKNOWN_ROUTE]
    refused = world.client.post(f"/days/{AFTER}/copies", {"from": BEFORE, "routeIds": ids})
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert violations(refused) == [
        (f"routeIds[{number}]", f"is no route of {BEFORE}") for number in range(1, 5)
    ]
    assert of_day(world, AFTER) == []
    (told,) = world.stranger.post(f"/days/{AFTER}/copies", {"from": BEFORE}).json()["routes"]
    assert told["copiedFrom"] == foreign


def test_of_more_than_two_hundred_routes_some_have_to_be_named(world: World) -> None:
    routes = []
    for _ in range(201):
        world.clock.advance(seconds=1)
        routes.append(create_route(world, scheduledFor=AT_EIGHT))
    refused = world.client.post(f"/days/{AFTER}/copies", {"from": BEFORE})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("routeIds", BEFORE)]
    assert "at most 200 routes with 5,000 stops together" in refused.json()["message"]
    assert of_day(world, AFTER) == []
    assert len(copy(world, routeIds=routes[1:])["routes"]) == 200


@pytest.mark.both_databases
def test_a_route_that_changes_while_it_is_copied_is_copied_as_it_is_then(
    world: World, north: Json
) -> None:
    edit = {"route": {"note": "Keys with Ada"}, "updateMask": "note"}
    edited: list[Json] = []

    def change_once() -> None:
        if not edited:
            edited.append(world.client.send("PATCH", f"/routes/{north['id']}", json=edit))

    tools = replace(world.tools, roads=InterruptedRoads(change_once))
    request = Request(principal=operator(world.credentials.organization_id, "dev@example.com"))
    (told,) = copy_day(tools, request, AFTER, BEFORE, ()).routes
    assert edited[0].status_code == 200
    assert read(world, told.id)["note"] == "Keys with Ada"
    assert of_day(world, AFTER) == [told.id]


def test_a_device_sees_a_copy_only_once_it_is_dispatched(world: World) -> None:
    device = sign_up(world, world.client.interface)
    create_route(world, scheduledFor=AT_EIGHT, driverId=device.driver_id)
    copy(world)
    assert device.get("/routes").json()["routes"] == []
