"""Plans that are applied, in whole or in part, compared, and forgotten."""

from datetime import datetime

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, SHIFT, ask, import_stops, plan, read, van, violations
from tests.support.plans import run_waiting_jobs

from roundsman.operations.housekeeping import remove_outdated
from roundsman.storage.migrate import migrate

pytestmark = pytest.mark.spec("decisions §21")

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.mark.both_databases
@pytest.mark.spec("decisions §15")
def test_ends_of_new_routes_say_how_sure_they_are(world: World) -> None:
    town = {"address": {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}}
    asked = world.client.post("/routes", {"start": town, "end": town}).json()
    given = {"matchType": "GIVEN", "matchedAddress": ""}
    for name, vehicle, expected in (
        ("town", van(start=town, end=town), [asked[end]["geocoding"] for end in ("start", "end")]),
        ("depot", van(), [given, given]),
        ("anywhere", {"id": "van", "shift": SHIFT}, [given, None]),
    ):
        done = plan(world, import_stops(world, {"clientStopId": name}), vehicle)
        (route,) = world.client.post(f"/plans/{done['id']}/apply").json()["routes"]
        ends = [route["start"], route.get("end", {})]
        assert [end.get("geocoding") for end in ends] == expected


def test_a_route_is_called_by_no_id_that_nobody_gave(world: World) -> None:
    dana = {"firstName": "Dana", "lastName": "Reyes", "phone": "+14105550100"}
    answer = world.client.post("/drivers", dana)
    assert answer.status_code == 200, answer.text
    driver = answer.json()["driver"]["id"]
    names = []
    for number, said in enumerate(({"driverId": driver}, {}, {"id": "Blue", "driverId": driver})):
        vehicle = {"start": DEPOT, "shift": SHIFT, **said}
        done = plan(world, import_stops(world, {"clientStopId": f"n{number}"}), vehicle)
        (route,) = world.client.post(f"/plans/{done['id']}/apply").json()["routes"]
        names.append(route["name"])
    assert names == ["Dana Reyes", "#2", "Blue"]


def test_applying_makes_routes_once(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    window = {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T13:00:00Z"}
    rest = [{"timeWindow": window, "duration": "1200s"}]
    done = plan(world, ids, van(count=2, maxStops=3, breaks=rest))
    details = {"note": "Mind the gate", "tags": ["monday"]}
    answer = world.client.post(f"/plans/{done['id']}/apply", {"routeDetails": details})
    assert answer.status_code == 200, answer.text
    applied = answer.json()
    assert applied["plan"]["status"] == "APPLIED"
    for route, proposed in zip(applied["routes"], done["routes"], strict=True):
        assert route["name"] == proposed["vehicle"]
        assert route["optimized"]
        assert (route["note"], route["tags"]) == ("Mind the gate", ["monday"])
        assert route["scheduledFor"] == proposed["departure"]
        assert route["end"]["plannedArrival"] == proposed["end"]
        made = [stop["importedStopId"] for stop in route["stops"] if stop["type"] != "BREAK"]
        assert made == [s["importedStopId"] for s in proposed["steps"] if s["type"] == "STOP"]
        kinds = [stop["type"] == "BREAK" for stop in route["stops"]]
        assert kinds == [step["type"] == "BREAK" for step in proposed["steps"]]
        assert world.client.get(f"/routes/{route['id']}").json() == route
    assert [one["routeId"] for one in applied["plan"]["routes"]] == [
        route["id"] for route in applied["routes"]
    ]
    again = world.client.post(f"/plans/{done['id']}/apply").json()
    assert again["routes"] == applied["routes"]
    assert world.count("routes") == 2
    assert world.topics().count("ROUTE_CREATED") == 2
    assert world.topics().count("PLAN_APPLIED") == 1
    assert world.client.get("/stops/imports?query.unrouted=true").json()["stops"] == []


def test_a_plan_that_leaves_every_stop_out_is_not_applied_as_if_it_did_something(
    world: World,
) -> None:
    ids = import_stops(world, {"requiredSkills": ["crane"]})
    empty = plan(world, ids)
    events = world.count("events")
    refused = world.client.post(f"/plans/{empty['id']}/apply")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("routes", empty["id"])]
    assert world.count("events") == events
    nothing = plan(world, [], stops=None, stopFilter={"tags": ["nothing"]})
    applied = world.client.post(f"/plans/{nothing['id']}/apply")
    assert (applied.status_code, applied.json()["routes"]) == (200, [])


def test_stops_of_a_route_stay_there_when_the_plan_is_cancelled_before_its_search(
    world: World,
) -> None:
    first, second = import_stops(world, {}, {})
    route = world.client.post("/routes", {"start": DEPOT, "scheduledFor": SHIFT["start"]}).json()
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": first}])
    waiting = ask(world, [second], routes=[{"routeId": route["id"]}]).json()
    cancelled = world.client.post(f"/plans/{waiting['id']}/cancel").json()
    assert [stop["importedStopId"] for stop in cancelled["unassigned"]] == [second]


def test_a_part_of_a_plan_is_applied_and_the_rest_later(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    done = plan(world, ids, van(count=2, maxStops=3))
    first = world.client.post(f"/plans/{done['id']}/apply", {"vehicles": ["van-2"]}).json()
    assert [route["name"] for route in first["routes"]] == ["van-2"]
    both = world.client.post(f"/plans/{done['id']}/apply").json()
    assert [route["name"] for route in both["routes"]] == ["van-1", "van-2"]
    refused = world.client.post(f"/plans/{done['id']}/apply", {"vehicles": ["van-3"]})
    assert violations(refused) == [("vehicles[0]", "van-3 has no route in the plan")]


def test_a_plan_whose_route_was_deleted_is_not_applied_again(world: World) -> None:
    done = plan(world, import_stops(world, *[{}] * 6), van(count=2, maxStops=3))
    first, second = world.client.post(f"/plans/{done['id']}/apply").json()["routes"]
    world.client.send("DELETE", f"/routes/{first['id']}")
    refused = world.client.post(f"/plans/{done['id']}/apply")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("STALE_ROUTE", first["id"])]
    there = world.client.post(f"/plans/{done['id']}/apply", {"vehicles": [second["name"]]})
    assert [route["id"] for route in there.json()["routes"]] == [second["id"]]


@pytest.mark.both_databases
def test_a_plan_of_what_has_changed_since_is_not_applied(world: World) -> None:
    ids = import_stops(world, *[{}] * 4)
    vehicle = world.client.post("/vehicles", {"name": "Van", "start": DEPOT}).json()["id"]
    done = plan(world, ids, {"vehicleId": vehicle, "shift": SHIFT})
    world.clock.advance(seconds=1)
    note = {"importedStop": {"note": "n"}, "updateMask": "note"}
    world.client.send("PATCH", f"/stops/imports/{ids[0]}", json=note)
    world.client.send("DELETE", f"/stops/imports/{ids[1]}")
    route = world.client.post("/routes", {"start": DEPOT}).json()
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": ids[2]}])
    refused = world.client.post(f"/plans/{done['id']}/apply")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert sorted(violations(refused)) == [
        ("ALREADY_ROUTED", ids[2]),
        *sorted([("STALE_STOP", ids[0]), ("STALE_STOP", ids[1])]),
    ]
    other = plan(world, [ids[3]], {"vehicleId": vehicle, "shift": SHIFT})
    world.client.post(f"/vehicles/{vehicle}/archive")
    archived = world.client.post(f"/plans/{other['id']}/apply")
    assert violations(archived) == [("VEHICLE_ARCHIVED", vehicle)]
    assert world.count("routes") == 1


def test_plans_are_compared_with_each_other_and_with_the_routes_there_are(world: World) -> None:
    ids = import_stops(world, *[{}] * 4)
    one = plan(world, ids, van("a"), van("b"), pins=[{"stop": "s0", "vehicle": "a"}])
    other = plan(world, ids[:3], van("b"))
    path = f"/plans/{one['id']}/compare"
    compared = world.client.post(path, {"with": [other["id"], "CURRENT"]}).json()
    assert [row["id"] for row in compared["plans"]] == [one["id"], other["id"], "CURRENT"]
    assert compared["plans"][0]["statistics"] == one["statistics"]
    assert "statistics" not in compared["plans"][2]
    of_other = {row["stop"]: row for row in compared["differences"] if row["plan"] == other["id"]}
    assert of_other[ids[0]]["from"]["vehicle"] == "a"
    assert of_other[ids[0]]["to"]["vehicle"] == "b"
    assert "to" not in of_other[ids[3]]
    of_now = [row for row in compared["differences"] if row["plan"] == "CURRENT"]
    assert len(of_now) == 4
    assert all("to" not in row for row in of_now)
    world.client.post(f"/plans/{one['id']}/apply")
    now = world.client.post(path, {"with": ["CURRENT"]}).json()["differences"]
    assert {row["to"]["index"] for row in now} == {row["from"]["index"] for row in now}
    same = world.client.post(path, {"with": [one["id"]]}).json()
    assert same["differences"] == []
    waiting = ask(world, [], stops=None, stopFilter={}).json()
    refused = world.client.post(path, {"with": [waiting["id"]]})
    assert violations(refused) == [("status", waiting["id"])]
    assert world.client.post(path, {"with": []}).json()["code"] == 3
    assert world.client.post(path, {"with": [f"pln-{NOBODY}"]}).status_code == 404


def test_old_plans_are_forgotten_and_applied_ones_are_not(world: World) -> None:
    ids = import_stops(world, {}, {})
    kept, forgotten = plan(world, ids[:1]), plan(world, ids[1:])
    world.client.post(f"/plans/{kept['id']}/apply")
    expires = datetime.fromisoformat(forgotten["expiresAt"])
    assert (expires - datetime.fromisoformat(forgotten["finishedAt"])).days == 30
    world.clock.advance(days=31)
    remove_outdated(world.tools)
    with world.tools.database.reading() as tx:
        left = [row[0] for row in tx.exec_driver_sql("SELECT id FROM plans")]
    assert left == [kept["id"]]


@pytest.mark.both_databases
def test_stops_that_stay_on_a_route_that_is_planned_anew_are_still_on_it(world: World) -> None:
    there, free = import_stops(world, {}, {})
    route = world.client.post("/routes", {"start": DEPOT}).json()["id"]
    added = world.client.post(f"/routes/{route}/stops", [{"importedStopId": there}]).json()
    done = plan(world, [free], stops=[{"importedStopId": free}], routes=[{"routeId": route}])
    assert world.client.post(f"/plans/{done['id']}/apply").status_code == 200
    assert world.client.get("/stops/imports?query.unrouted=true").json()["stops"] == []
    move = {"moves": [{"stopId": added["stops"][0]["id"]}]}
    assert world.client.post("/routes/transfers", move).status_code == 200
    (left,) = world.client.get("/stops/imports?query.unrouted=true").json()["stops"]
    assert left["id"] == there


@pytest.mark.both_databases
def test_what_earlier_plans_had_forgotten_is_noted_again_by_an_upgrade(world: World) -> None:
    there, free = import_stops(world, {}, {})
    route = world.client.post("/routes", {"start": DEPOT}).json()["id"]
    world.client.post(f"/routes/{route}/stops", [{"importedStopId": there}])
    database = world.tools.database
    with database.writing() as tx:
        tx.exec_driver_sql("DELETE FROM route_stop_origins")
        for column in ("resolved_at", "resolved_by"):  # of a version after
            tx.exec_driver_sql(f"ALTER TABLE driver_actions DROP COLUMN {column}")
        tx.exec_driver_sql("ALTER TABLE delivery_attempts DROP COLUMN error_type")
        tx.exec_driver_sql("DROP TABLE retention_holds")
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0031'")
    forgotten = world.client.get("/stops/imports?query.unrouted=true").json()["stops"]
    assert {one["id"] for one in forgotten} == {there, free}
    for _ in range(2):
        migrate(database)
        (left,) = world.client.get("/stops/imports?query.unrouted=true").json()["stops"]
        assert left["id"] == free
    assert world.count("route_stop_origins") == 1


def test_a_plan_based_on_one_cancelled_before_its_search_keeps_what_is_locked(
    world: World,
) -> None:
    ids = import_stops(world, *[{}] * 4)
    route = world.client.post("/routes", {"start": DEPOT, "scheduledFor": SHIFT["start"]}).json()
    placed = [{"importedStopId": id_} for id_ in ids[:3]]
    world.client.post(f"/routes/{route['id']}/stops", placed)
    waiting = ask(world, ids[3:], routes=[{"routeId": route["id"], "lock": "SEQUENCE"}])
    assert waiting.status_code == 200, waiting.text
    world.client.post(f"/plans/{waiting.json()['id']}/cancel")
    again = world.client.post("/plans", {"basedOn": waiting.json()["id"]})
    assert again.status_code == 200, again.text
    run_waiting_jobs(world.tools)
    done = read(world, again.json())
    (planned,) = done["routes"]
    order = [step["importedStopId"] for step in planned["steps"] if step["type"] == "STOP"]
    assert [id_ for id_ in order if id_ != ids[3]] == ids[:3]
    assert done["unassigned"] == []
