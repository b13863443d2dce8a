from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.vehicle import Vehicle
from roundsman.storage.drivers import insert_driver
from roundsman.storage.vehicles import save_vehicle

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
UNKNOWN_ROUTE = "rte-00000000-0000-4000-8000-000000000000"


def import_line(world: World, *east: float, **fields: Any) -> list[str]:
    """Import stops on a line, each some hundredths of a degree east of the start."""
    stops = [
        {"coordinates": {"latitude": 39.29, "longitude": -76.61 + step / 100}, **fields}
        for step in east
    ]
    answer = world.client.post("/stops/imports", stops).json()
    return [stop["id"] for stop in answer["stops"]]


def create_route(world: World, **fields: Any) -> str:
    response = world.client.post("/routes", {"start": START, **fields})
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def add(world: World, route: str, ids: list[str]) -> Any:
    return world.client.post(f"/routes/{route}/stops", [{"importedStopId": id_} for id_ in ids])


@pytest.mark.spec("decisions §7")
def test_a_new_route_is_empty_named_by_number_and_not_optimized(world: World) -> None:
    create_route(world)
    route = world.client.get(f"/routes/{create_route(world)}").json()
    assert route["name"] == "#2"
    assert (route["stops"], route["optimized"], route["speedFactor"]) == ([], False, 1)
    assert (route["totalItemGrams"], route["totalDistanceMeters"]) == ("0", 0)
    for absent in ("vehicle", "driver", "end", "archivedAt", "dispatchedUntil", "scheduledFor"):
        assert absent not in route
    assert world.topics() == ["ROUTE_CREATED", "ROUTE_CREATED"]


@pytest.mark.spec("decisions §7")
def test_a_route_keeps_the_options_it_was_created_with(world: World) -> None:
    options = {
        "name": "North",
        "scheduledFor": "2024-07-02T08:00:00+02:00",
        "note": "n",
        "tags": ["t"],
        "defaultStopDuration": "120s",
        "maxDuration": "3600s",
        "maxStops": 9,
        "maxItemCount": 99,
        "maxKilograms": 12.5,
        "avoidTolls": True,
        "avoidUTurns": True,
        "speedFactor": 1.5,
        "end": {"address": {"city": "Towson", "provinceCode": "MD"}},
    }
    route = world.client.get(f"/routes/{create_route(world, **options)}").json()
    for name in options.keys() - {"scheduledFor", "end"}:
        assert route[name] == options[name]
    assert route["scheduledFor"] == route["start"]["scheduledStart"] == "2024-07-02T06:00:00Z"
    assert route["end"]["coordinates"]["latitude"] == pytest.approx(39.4, abs=0.1)
    assert route["end"]["plannedArrival"] > route["scheduledFor"]


BAD_ROUTES: list[tuple[dict[str, Any], str]] = [
    ({"start": None}, "start"),
    ({"start": {}}, "start.address"),
    ({"start": {"address": {"city": "Xyzzyville", "countryCode": "US"}}}, "start.address"),
    ({"end": {}}, "end.address"),
    ({"maxStops": -1}, "maxStops"),
    ({"speedFactor": 11}, "speedFactor"),
    ({"scheduledFor": "2024-07-02T08:00:00"}, "scheduledFor"),
    ({"avoidToll": True}, "avoidToll"),
]


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize(("fields", "named"), BAD_ROUTES, ids=lambda value: str(value)[:40])
def test_a_bad_route_is_refused_by_field_and_not_created(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = world.client.post("/routes", {"start": START, **fields})
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.count("routes") == world.count("events") == 0


@pytest.mark.spec("States and transitions")
def test_added_stops_are_appended_copies_and_the_route_is_timed(world: World) -> None:
    route_id = create_route(
        world, scheduledFor="2024-07-02T08:00:00Z", defaultStopDuration="60s", stopTasks=[{}]
    )
    far, near = import_line(world, 4, 1, items=[{"quantity": 3, "grams": 200}], tasks=[{}])
    route = add(world, route_id, [far, near]).json()
    assert [stop["importedStopId"] for stop in route["stops"]] == [far, near]
    assert {stop["source"] for stop in route["stops"]} == {"IMPORTED_STOP"}
    assert {stop["duration"] for stop in route["stops"]} == {"60s"}
    assert [len(stop["tasks"]) for stop in route["stops"]] == [2, 2]
    assert (route["totalItemQuantity"], route["totalItemGrams"]) == (6, "1200")
    assert route["totalDistanceMeters"] == sum(s["distanceMeters"] for s in route["stops"]) > 0
    arrivals = [datetime.fromisoformat(stop["plannedArrival"]) for stop in route["stops"]]
    assert datetime(2024, 7, 2, 8, tzinfo=UTC) < arrivals[0]
    assert arrivals[1] > arrivals[0] + timedelta(seconds=60)
    assert world.topics()[-1] == "ROUTE_UPDATED"


@pytest.mark.spec("decisions §21")
def test_stops_are_added_where_they_are_to_be(world: World) -> None:
    drafts = [{"clientStopId": f"s{number}", **START} for number in range(5)]
    world.client.post("/stops/imports", drafts)
    route = world.client.post("/routes", {"start": START}).json()
    path = f"/routes/{route['id']}/stops"
    world.client.post(path, [{"clientStopId": "s0"}, {"clientStopId": "s1"}])
    added = [
        {"clientStopId": "s2", "index": 0},
        {"clientStopId": "s3", "index": 2},
        {"clientStopId": "s4"},
    ]
    answer = world.client.post(path, added).json()
    names = [stop["clientStopId"] for stop in answer["stops"]]
    assert names == ["s2", "s0", "s3", "s1", "s4"]
    before = world.client.get(f"/routes/{route['id']}").json()
    world.client.post("/stops/imports", [{"clientStopId": "x", **START}])
    refused = world.client.post(path, [{"clientStopId": "x", "index": 6}])
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    (violation,) = refused.json()["details"][0]["fieldViolations"]
    assert violation == {"field": "[0].index", "description": "must be between 0 and 5, not 6"}
    assert world.client.get(f"/routes/{route['id']}").json() == before


@pytest.mark.spec("decisions §7")
def test_stops_are_added_by_client_stop_id_in_either_field(world: World) -> None:
    route_id = create_route(world)
    world.client.post("/stops/imports", [{**START, "clientStopId": name} for name in ("a", "b")])
    body = [{"importedStopId": "a"}, {"clientStopId": "b"}]
    route = world.client.post(f"/routes/{route_id}/stops", body).json()
    assert [stop["clientStopId"] for stop in route["stops"]] == ["a", "b"]


@pytest.mark.spec("decisions §12")
def test_an_unknown_repeated_or_present_stop_adds_nothing(world: World) -> None:
    route_id = create_route(world)
    one, two = import_line(world, 1, 2)
    assert add(world, route_id, [one, "nobody"]).json()["code"] == 5
    assert add(world, route_id, [one, one]).json()["code"] == 3
    assert add(world, route_id, [one]).status_code == 200
    assert add(world, route_id, [two, one]).json()["code"] == 9
    assert add(world, UNKNOWN_ROUTE, [one]).json() == {"code": 5, "message": "route not found"}
    assert world.client.post(f"/routes/{route_id}/stops", [{}]).json()["code"] == 3
    assert world.client.post(f"/routes/{route_id}/stops", []).json()["code"] == 3
    assert len(world.client.get(f"/routes/{route_id}").json()["stops"]) == 1


@pytest.mark.spec("decisions §2")
def test_unknown_stops_are_named_by_their_fields(world: World) -> None:
    route_id = create_route(world)
    one, two = import_line(world, 1, 2)
    body = [{"importedStopId": one}, {"clientStopId": "nobody"}, {"importedStopId": f"{two[:-1]}x"}]
    answer = world.client.post(f"/routes/{route_id}/stops", body)
    assert answer.status_code == 404
    assert answer.json() == {
        "code": 5,
        "message": "imported stop not found: [1].clientStopId, [2].importedStopId",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                    {"field": "[1].clientStopId", "description": "is not found"},
                    {"field": "[2].importedStopId", "description": "is not found"},
                ],
            }
        ],
    }
    add_to_preview = {"add": [{"importedStopId": one, "index": 0}, {"importedStopId": "nobody"}]}
    asked = {"routeIds": [route_id]}
    many = [{"clientStopId": f"nobody-{number}"} for number in range(200)]
    for path, given, message in [
        (f"/routes/{route_id}/stops", many, "[3].clientStopId, [4].clientStopId and 195 others"),
        (f"/routes/{route_id}/preview", add_to_preview, "not found: add[1].importedStopId"),
        (
            "/routes/transfers",
            {"moves": [{"importedStopId": "nobody", "toRouteId": route_id}]},
            "not found: moves[0].importedStopId",
        ),
        (
            "/insertions",
            {**asked, "stops": [{"importedStopId": one}, {"importedStopId": "nobody"}]},
            "not found: stops[1].importedStopId",
        ),
    ]:
        refused = world.client.post(path, given)
        assert refused.status_code == 404, refused.text
        assert refused.json()["message"].endswith(message)
    assert world.client.get(f"/routes/{route_id}").json()["stops"] == []


@pytest.mark.spec("States and transitions")
def test_reoptimizing_finds_the_best_order_and_then_does_nothing(world: World) -> None:
    route_id = create_route(world)
    stops = import_line(world, 3, 1, 4, 2)
    before = add(world, route_id, stops).json()
    route = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()
    assert [stop["importedStopId"] for stop in route["stops"]] == [stops[i] for i in (1, 3, 0, 2)]
    assert route["optimized"] is True
    assert route["totalDistanceMeters"] < before["totalDistanceMeters"]
    assert "plannedArrival" not in route["stops"][0]
    events = world.count("events")
    assert world.client.post(f"/routes/{route_id}/reoptimize").json() == {**route, "moved": 0}
    assert world.count("events") == events


@pytest.mark.spec("decisions §7")
def test_appending_leaves_the_flag_and_the_route_can_be_reoptimized(world: World) -> None:
    route_id = create_route(world)
    far, near = import_line(world, 3, 1)
    add(world, route_id, [far])
    assert world.client.post(f"/routes/{route_id}/reoptimize", {}).json()["optimized"] is True
    appended = add(world, route_id, [near]).json()
    assert appended["optimized"] is True
    again = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()
    assert [stop["importedStopId"] for stop in again["stops"]] == [near, far]


@pytest.mark.spec("decisions §12")
def test_an_empty_route_reoptimizes_to_itself(world: World) -> None:
    route = world.client.post(f"/routes/{create_route(world)}/reoptimize", {}).json()
    assert (route["optimized"], route["stops"]) == (True, [])


@pytest.mark.spec("decisions §7")
def test_windows_are_local_to_the_stop_and_order_the_route(world: World) -> None:
    # Baltimore is four hours behind UTC in July: 9:00 there is 13:00 UTC.
    route_id = create_route(world, scheduledFor="2024-07-02T12:00:00Z")
    late = import_line(world, 1, timeWindows=[{"start": {"hours": 15}, "end": {"hours": 16}}])
    early = import_line(world, 2, timeWindows=[{"start": {"hours": 9}, "end": {"hours": 10}}])
    add(world, route_id, [*late, *early])
    route = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()
    assert [stop["importedStopId"] for stop in route["stops"]] == [*early, *late]
    assert route["stops"][0]["plannedArrival"] < "2024-07-02T13:00:00Z"
    assert route["stops"][1]["plannedArrival"] >= "2024-07-02T13:00:00Z"


@pytest.mark.spec("decisions §7")
def test_unscheduled_windows_order_the_stops_without_arrivals(world: World) -> None:
    route_id = create_route(world)
    late = import_line(world, 1, timeWindows=[{"start": {"hours": 15}, "end": {"hours": 16}}])
    early = import_line(world, 2, timeWindows=[{"start": {"hours": 9}, "end": {"hours": 9}}])
    add(world, route_id, [*late, *early])
    route = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()
    assert [stop["importedStopId"] for stop in route["stops"]] == [*early, *late]
    assert "plannedArrival" not in route["stops"][0]


@pytest.mark.spec("decisions §7")
def test_higher_priority_comes_first(world: World) -> None:
    route_id = create_route(world)
    near = import_line(world, 1)
    far = import_line(world, 3, priority=5)
    add(world, route_id, [*near, *far])
    route = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()
    assert [stop["importedStopId"] for stop in route["stops"]] == [*far, *near]


UNMET: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"maxStops": 1}, {}, "maxStops"),
    ({"maxItemCount": 5}, {"items": [{"quantity": 3}]}, "maxItemCount"),
    ({"maxKilograms": 1.5}, {"items": [{"quantity": 1, "grams": 1_000}]}, "maxKilograms"),
    ({"maxDuration": "60s"}, {}, "maxDuration"),
]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("options", "fields", "kind"), UNMET, ids=[row[2] for row in UNMET])
def test_a_limit_no_order_meets_is_named_and_the_route_stays(
    world: World, options: dict[str, Any], fields: dict[str, Any], kind: str
) -> None:
    route_id = create_route(world, **options)
    before = add(world, route_id, import_line(world, 2, 1, **fields)).json()
    response = world.client.post(f"/routes/{route_id}/reoptimize", {})
    assert (response.status_code, response.json()["code"]) == (400, 9)
    assert [v["type"] for v in response.json()["details"][0]["violations"]] == [kind]
    assert world.client.get(f"/routes/{route_id}").json() == before
    forced = world.client.post(f"/routes/{route_id}/reoptimize", {"ignoreRoutingConstraints": True})
    assert forced.json()["optimized"] is True


@pytest.mark.spec("decisions §7")
def test_a_missed_window_is_named_with_its_lateness(world: World) -> None:
    route_id = create_route(world, scheduledFor="2024-07-02T16:00:00Z")
    missed = import_line(world, 1, timeWindows=[{"end": {"hours": 10}}], orderName="#7")
    add(world, route_id, missed)
    (violation,) = world.client.post(f"/routes/{route_id}/reoptimize", {}).json()["details"][0][
        "violations"
    ]
    assert violation["type"] == "timeWindows"
    assert violation["subject"].startswith("rst-")
    assert '"#7"' in violation["description"]


@pytest.mark.spec("decisions §7")
def test_dispatch_lasts_a_day_past_the_planned_end(world: World) -> None:
    route_id = create_route(world)
    refused = world.client.post(f"/routes/{route_id}/dispatch", {}).json()
    assert (refused["code"], refused["details"][0]["violations"][0]["type"]) == (9, "stops")
    add(world, route_id, import_line(world, 1))
    route = world.client.post(f"/routes/{route_id}/dispatch").json()
    arrival = datetime.fromisoformat(route["stops"][0]["plannedArrival"])
    assert arrival > world.clock.now()
    assert datetime.fromisoformat(route["dispatchedUntil"]) == arrival + timedelta(hours=24)
    again = world.client.post(
        f"/routes/{route_id}/dispatch", {"dispatchedUntil": "2024-07-09T00:00:00Z"}
    )
    assert again.json()["dispatchedUntil"] == "2024-07-09T00:00:00Z"
    assert world.topics().count("ROUTE_DISPATCHED") == 2


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("status", "code"), [("ACTIVE", None), ("PENDING", 9), ("DEACTIVATED", 9)])
def test_only_an_active_driver_is_dispatched_to(
    world: World, status: str, code: int | None
) -> None:
    driver = Driver(id="drv-1", first_name="Dana", status=DriverStatus(status))
    vehicle = Vehicle(id="veh-1", name="Van", created_timestamp=world.clock.now())
    slug = world.credentials.organization_id
    with world.tools.database.writing() as tx:
        insert_driver(tx, slug, driver, world.clock.now())
        save_vehicle(tx, slug, vehicle)
    route_id = create_route(world, driverId="drv-1", vehicleId="veh-1")
    added = add(world, route_id, import_line(world, 1)).json()
    assert (added["driver"]["firstName"], added["vehicle"]["name"]) == ("Dana", "Van")
    answer = world.client.post(f"/routes/{route_id}/dispatch").json()
    assert answer.get("code") == code


@pytest.mark.spec("decisions §2")
def test_another_organizations_route_answers_as_an_unknown_one(world: World) -> None:
    route_id = create_route(world)
    unknown = world.stranger.get(f"/routes/{UNKNOWN_ROUTE}").content
    assert world.stranger.get(f"/routes/{route_id}").content == unknown
    for verb, body in (("stops", [{"importedStopId": "x"}]), ("reoptimize", {}), ("dispatch", {})):
        assert world.stranger.post(f"/routes/{route_id}/{verb}", body).content == unknown


@pytest.mark.spec("decisions §9")
def test_an_event_shows_the_route_as_the_change_left_it(world: World) -> None:
    route_id = create_route(world)
    answer = add(world, route_id, import_line(world, 1))
    with world.tools.database.reading() as tx:
        payload = tx.exec_driver_sql(
            "SELECT body FROM event_payloads JOIN events ON payload_id = event_payloads.id "
            "WHERE topic = 'ROUTE_UPDATED'"
        ).scalar_one()
    assert payload == answer.text


@pytest.mark.spec("decisions §1")
def test_a_route_that_was_read_can_be_sent_back(world: World) -> None:
    route_id = create_route(world, scheduledFor="2024-07-02T08:00:00Z", end=START)
    add(world, route_id, import_line(world, 1))
    read = world.client.get(f"/routes/{route_id}").json()
    assert world.client.post("/routes", read).json()["stops"] == []


@pytest.mark.spec("decisions §7")
def test_an_added_stop_has_one_name(world: World) -> None:
    body = [{"importedStopId": "a", "clientStopId": "b"}, {"clientStopId": "c"}, {}]
    answer = world.client.post(f"/routes/{create_route(world)}/stops", body).json()
    fields = [found["field"] for found in answer["details"][0]["fieldViolations"]]
    assert fields == ["[0].importedStopId", "[2].importedStopId"]
