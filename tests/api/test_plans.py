"""Plans of many vehicles: asked for, searched, applied; what stays out, and what is refused."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.support.plans import run_waiting_jobs

from roundsman.operations.housekeeping import remove_outdated

pytestmark = pytest.mark.spec("decisions §21")

type Json = Any

DEPOT = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
SHIFT = {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T20:00:00Z"}
QUICK = {"effort": "QUICK"}


def van(id_: str = "van", **fields: Json) -> Json:
    return {"id": id_, "start": DEPOT, "end": DEPOT, "shift": SHIFT, **fields}


def import_stops(world: World, *stops: Json) -> list[str]:
    """Import stops some hundred metres apart, called s0, s1 and so on."""
    drafts = [
        {
            "clientStopId": f"s{number}",
            "coordinates": {"latitude": 39.29 + 0.002 * number, "longitude": -76.61},
            "duration": "300s",
            **stop,
        }
        for number, stop in enumerate(stops)
    ]
    answer = world.client.post("/stops/imports", drafts)
    assert answer.status_code == 200, answer.text
    return [stop["id"] for stop in answer.json()["stops"]]


def ask(world: World, ids: list[str], *vans: Json, **fields: Json) -> Json:
    body = {
        "stops": [{"importedStopId": id_} for id_ in ids],
        "vehicles": vans or [van()],
        "options": QUICK,
        **fields,
    }
    return world.client.post("/plans", {k: v for k, v in body.items() if v is not None})


def plan(world: World, ids: list[str], *vans: Json, **fields: Json) -> Json:
    """Ask for a plan, have it searched for, and return it."""
    asked = ask(world, ids, *vans, **fields)
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    return read(world, asked.json())


def read(world: World, of: Json) -> Json:
    return world.client.get(f"/plans/{of['id']}").json()


def served(of: Json) -> dict[str, list[str]]:
    return {
        route["vehicle"]: [
            step["clientStopId"] for step in route["steps"] if step["type"] == "STOP"
        ]
        for route in of["routes"]
    }


def violations(answer: Json) -> list[tuple[str, str]]:
    """Return field and words, or type and subject, of what is refused."""
    details = answer.json()["details"][0]
    return [
        (one.get("field") or one.get("type"), one.get("subject") or one["description"])
        for one in details.get("fieldViolations", details.get("violations", []))
    ]


@pytest.mark.both_databases
def test_a_plan_waits_is_searched_for_and_proposes_routes(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    asked = ask(world, ids, van(capacities={"kilograms": 100}, count=2)).json()
    assert (asked["status"], asked["routes"], asked["unassigned"]) == ("QUEUED", [], [])
    assert asked["id"].startswith("pln-")
    assert asked["name"] == "Plan 2024-07-01 #1"
    run_waiting_jobs(world.tools)
    done = read(world, asked)
    assert done["status"] == "COMPLETED"
    assert sorted(served(done)["van-1"]) == ["s0", "s1", "s2", "s3", "s4", "s5"]
    (route,) = done["routes"]
    assert route["departure"] >= SHIFT["start"]
    assert route["end"] <= SHIFT["end"]
    arrivals = [step["plannedArrival"] for step in route["steps"]]
    assert arrivals == sorted(arrivals)
    assert done["statistics"]["stoppedBy"] == "MOVES"
    assert done["statistics"]["reproducible"]
    assert done["statistics"]["cost"] == pytest.approx(route["costs"]["total"])
    assert done["progress"]["share"] == 1
    assert world.client.get("/plans").json()["plans"][0]["id"] == asked["id"]
    assert world.client.get("/plans?query.status=QUEUED").json()["plans"] == []
    assert world.count("routes") == 0
    assert "PLAN_COMPLETED" in world.topics()


def test_the_same_request_finds_the_same_routes(world: World) -> None:
    ids = import_stops(world, *[{}] * 12)
    first, second = (plan(world, ids, van(count=3, maxStops=5)) for _ in range(2))
    assert first["routes"] == second["routes"]
    assert first["statistics"]["inputDigest"] == second["statistics"]["inputDigest"]
    assert [route["vehicle"] for route in first["routes"]] == ["van-1", "van-2", "van-3"]


def test_loads_skills_and_lists_decide_who_serves_what(world: World) -> None:
    ids = import_stops(
        world,
        {"items": [{"quantity": 3, "grams": 10_000}]},
        {"loads": {"pallets": 2}},
        {"requiredSkills": ["fridge"]},
        {},
        {},
    )
    stops: list[Json] = [{"importedStopId": id_} for id_ in ids]
    stops[3]["allowedVehicles"] = ["south"]
    stops[4]["excludedVehicles"] = ["south", "cold"]
    done = plan(
        world,
        ids,
        van("south", capacities={"kilograms": 20, "pallets": 5}),
        van("cold", skills=["fridge"], capacities={"kilograms": 40, "pallets": 1}),
        van("third", capacities={"kilograms": 1, "pallets": 1}),
        stops=stops,
    )
    assert done["unassigned"] == []
    where = {name: vehicle for vehicle, names in served(done).items() for name in names}
    assert where["s0"] == "cold"
    assert where["s1"] == "south"
    assert where["s2"] == "cold"
    assert where["s3"] == "south"
    assert where["s4"] == "third"
    (south,) = (route for route in done["routes"] if route["vehicle"] == "south")
    assert south["loads"]["pallets"] == 2
    assert south["steps"][-1]["loads"]["pallets"] == 0


def test_a_break_is_taken_and_costs_its_time(world: World) -> None:
    ids = import_stops(world, *[{"duration": "3600s"}] * 5)
    window = {"start": "2024-07-01T14:00:00Z", "end": "2024-07-01T15:00:00Z"}
    resting = van(breaks=[{"timeWindow": window, "duration": "1800s"}])
    (route,) = plan(world, ids, resting)["routes"]
    (rest,) = (step for step in route["steps"] if step["type"] == "BREAK")
    assert rest["plannedArrival"] <= "2024-07-01T15:00:00Z"
    assert "2024-07-01T14:30:00Z" <= rest["plannedDeparture"] <= "2024-07-01T15:30:00Z"
    assert route["durations"]["break"] == "1800s"


def test_what_no_vehicle_can_serve_stays_out_at_its_price(world: World) -> None:
    ids = import_stops(
        world, {}, {"requiredSkills": ["crane"], "priority": 2}, {"loads": {"kilograms": 99}}
    )
    done = plan(world, ids, van(capacities={"kilograms": 50}))
    assert {one["clientStopId"]: one["cost"] for one in done["unassigned"]} == {
        "s1": 30_000,
        "s2": 10_000,
    }
    assert done["statistics"]["costs"]["unassigned"] == 40_000


def reasons(of: Json) -> dict[str, list[tuple[str, str, str, float]]]:
    return {
        one["clientStopId"]: [
            (reason["vehicle"], reason["type"], reason["subject"], reason["amount"])
            for reason in one["reasons"]
        ]
        for one in of["unassigned"]
    }


def test_every_rule_that_keeps_a_stop_out_is_a_reason_for_each_kind_of_vehicle(
    world: World,
) -> None:
    far = {"coordinates": {"latitude": 42.0, "longitude": -76.61}}
    late = [{"start": {"hours": 17}, "end": {"hours": 18}}]  # the shift is from 8 to 16
    ids = import_stops(
        world,
        {"loads": {"kilograms": 99.5}},
        {"requiredSkills": ["crane", "fridge"]},
        {"timeWindows": late},
        far,
        {},
        {},
    )
    stops: list[Json] = [{"importedStopId": id_} for id_ in ids]
    stops[4]["excludedVehicles"] = ["short-1", "short-2", "long"]
    short = van("short", count=2, capacities={"kilograms": 50}, maxDistanceMeters=100_000)
    long = van("long", skills=["crane"], maxDuration="200s")
    done = plan(world, ids, short, long, stops=stops)
    found = reasons(done)
    assert ("short-1", "capacities", "kilograms", 49.5) in found["s0"]
    assert ("short-1", "requiredSkills", "crane", 0) in found["s1"]
    assert ("long", "requiredSkills", "fridge", 0) in found["s1"]
    assert {row[1] for row in found["s2"]} >= {"timeWindows"}
    (missed,) = (row[3] for row in found["s2"] if row[:2] == ("short-1", "timeWindows"))
    assert 3600 < missed < 7200, "it would have to open an hour and the way back earlier"
    assert {row[1] for row in found["s3"] if row[0] == "short-1"} == {"maxDistanceMeters", "shift"}
    assert {row[1] for row in found["s4"] if row[0] == "short-1"} == {"allowedVehicles"}
    assert all(reason["description"] for one in done["unassigned"] for reason in one["reasons"])


def test_a_stop_that_fits_alone_is_out_for_others_or_for_its_price(world: World) -> None:
    ids = import_stops(world, *[{"duration": "18000s"}] * 3)
    busy = plan(world, ids)
    assert [row[1] for rows in reasons(busy).values() for row in rows] == ["CONTENTION"] * 2
    cheap = [{"importedStopId": id_, "unassignedCost": 1} for id_ in ids]
    dear = plan(world, ids, van(count=3), stops=cheap)
    assert len(dear["unassigned"]) == 3
    for rows in reasons(dear).values():
        ((_, kind, _, amount),) = rows
        assert kind == "COST"
        assert amount > 50, "a vehicle and five hours cost more than 1"
    silent = plan(world, ids, options={**QUICK, "explain": False})
    assert [one["reasons"] for one in silent["unassigned"]] == [[], []]


def fix_of(of: Json, name: str, kind: str) -> Json:
    (stop,) = (one for one in of["unassigned"] if one["clientStopId"] == name)
    return next(fix for fix in stop["fixes"] if fix["type"] == kind)


def test_a_fix_brings_its_stop_in_and_one_unit_less_does_not(world: World) -> None:
    early = [{"start": {"hours": 8}, "end": {"hours": 8, "minutes": 5}}]
    ids = import_stops(
        world,
        {"requiredSkills": ["crane"]},
        {"loads": {"crates": 7}},
        {"timeWindows": early},
        {"timeWindows": early},
    )
    done = plan(world, ids, van(capacities={"crates": 4}))
    skill = fix_of(done, "s0", "GRANT_SKILL")
    assert (skill["subject"], skill["name"], skill["amount"]) == ("van", "crane", 0)
    assert skill["costDifference"] > 0
    room = fix_of(done, "s1", "RAISE_CAPACITY")
    assert (room["subject"], room["name"], room["amount"]) == ("van", "crates", 3)
    assert room["minimal"]
    late = next(one["clientStopId"] for one in done["unassigned"] if one["clientStopId"] > "s1")
    window = fix_of(done, late, "CLOSE_LATER")
    assert window["minimal"]
    minutes = round(window["amount"] / 60)
    for added, is_served in ((minutes, True), (minutes - 1, False)):
        end = {"hours": 8, "minutes": 5 + added}
        path = f"/stops/imports/{window['subject']}"
        update = {"timeWindows": [{"start": {"hours": 8}, "end": end}]}
        body = {"importedStop": update, "updateMask": "timeWindows"}
        assert world.client.send("PATCH", path, json=body).status_code == 200
        again = plan(world, ids[2:], van())
        assert (again["unassigned"] == []) is is_served
    raised = plan(world, ids, van(capacities={"crates": 7}, skills=["crane"]))
    assert not {"s0", "s1"} & {one["clientStopId"] for one in raised["unassigned"]}
    short = plan(world, ids, van(capacities={"crates": 6}, skills=["crane"]))
    assert "s1" in {one["clientStopId"] for one in short["unassigned"]}


def test_one_more_vehicle_or_a_longer_shift_serves_what_is_out_for_others(world: World) -> None:
    ids = import_stops(world, *[{"duration": "18000s"}] * 2)
    done = plan(world, ids)
    (out,) = done["unassigned"]
    more = fix_of(done, out["clientStopId"], "ADD_VEHICLE")
    assert more["subject"] == "van"
    assert more["costDifference"] > 100, "a vehicle for five hours"
    longer = fix_of(done, out["clientStopId"], "EXTEND_SHIFT")
    assert longer["minimal"]
    assert 2 * 3600 < longer["amount"] < 3 * 3600, "ten hours at doors in eight"
    assert [fix["costDifference"] for fix in out["fixes"]] == sorted(
        fix["costDifference"] for fix in out["fixes"]
    )
    end = datetime.fromisoformat(SHIFT["end"]) + timedelta(seconds=longer["amount"])
    assert plan(world, ids, van(shift={**SHIFT, "end": end.isoformat()}))["unassigned"] == []


def test_windows_hold_unless_lateness_has_a_price(world: World) -> None:
    early = [{"start": {"hours": 8, "minutes": 1}, "end": {"hours": 8, "minutes": 5}}]
    ids = import_stops(world, {"timeWindows": early}, {"timeWindows": early})
    hard = plan(world, ids)
    assert len(hard["unassigned"]) == 1
    soft = {**QUICK, "latenessCostPerHour": 10, "maxLateness": "3600s"}
    done = plan(world, ids, options=soft)
    assert done["unassigned"] == []
    (late,) = (step["lateness"] for step in done["routes"][0]["steps"] if "lateness" in step)
    assert int(late.rstrip("s")) > 0
    assert done["statistics"]["costs"]["lateness"] > 0


def test_pins_hold_a_stop_on_its_vehicle_and_at_its_end(world: World) -> None:
    ids = import_stops(world, *[{}] * 4)
    pins = [
        {"stop": ids[3], "vehicle": "b", "position": "FIRST"},
        {"stop": "s0", "vehicle": "a"},
        {"stop": "s1", "position": "LAST"},
    ]
    routes = served(plan(world, ids, van("a"), van("b"), pins=pins))
    assert routes["b"][0] == "s3"
    assert "s0" in routes["a"]
    assert any(route[-1] == "s1" for route in routes.values())


def test_a_vehicle_of_the_fleet_gives_what_the_request_does_not_say(world: World) -> None:
    body = {
        "name": "Cargo 7",
        "start": DEPOT,
        "capacities": {"kilograms": 10},
        "shift": {"start": {"hours": 8}, "end": {"hours": 9}},
        "maxStops": 2,
        "costs": {"fixed": 7},
    }
    id_ = world.client.post("/vehicles", body).json()["id"]
    ids = import_stops(world, *[{"deliveryDate": {"year": 2024, "month": 7, "day": 3}}] * 3)
    done = plan(world, ids, {"vehicleId": id_})
    (route,) = done["routes"]
    assert (route["vehicle"], route["vehicleId"]) == (id_, id_)
    assert len(route["steps"]) == 2
    assert route["departure"] >= "2024-07-03T12:00:00Z"  # eight o'clock in Baltimore
    assert done["statistics"]["costs"]["fixed"] == 7
    raised = plan(world, ids, {"vehicleId": id_, "maxStops": 3})
    assert raised["unassigned"] == []


def test_a_filter_finds_the_stops_of_a_day_that_are_on_no_route(world: World) -> None:
    day = {"deliveryDate": {"year": 2024, "month": 7, "day": 1}}
    ids = import_stops(world, day, {**day, "tags": ["north"]}, {}, day)
    route = world.client.post("/routes", {"start": DEPOT}).json()
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": ids[3]}])
    for date in ("2024-07-01", day["deliveryDate"]):
        done = plan(world, [], stops=None, stopFilter={"deliveryDate": date})
        assert sorted(served(done)["van"]) == ["s0", "s1"]
    tagged = plan(world, [], stops=None, stopFilter={"tags": ["north", "other"]})
    assert served(tagged) == {"van": ["s1"]}
    nothing = plan(world, [], stops=None, stopFilter={"tags": ["nothing"]})
    assert (nothing["status"], nothing["routes"]) == ("COMPLETED", [])


@pytest.mark.both_databases
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


def test_a_part_of_a_plan_is_applied_and_the_rest_later(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    done = plan(world, ids, van(count=2, maxStops=3))
    first = world.client.post(f"/plans/{done['id']}/apply", {"vehicles": ["van-2"]}).json()
    assert [route["name"] for route in first["routes"]] == ["van-2"]
    both = world.client.post(f"/plans/{done['id']}/apply").json()
    assert [route["name"] for route in both["routes"]] == ["van-1", "van-2"]
    refused = world.client.post(f"/plans/{done['id']}/apply", {"vehicles": ["van-3"]})
    assert violations(refused) == [("vehicles[0]", "van-3 has no route in the plan")]


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


def test_a_cancelled_plan_is_over_and_a_deleted_one_gone(world: World) -> None:
    ids = import_stops(world, {}, {})
    waiting = ask(world, ids).json()
    early = world.client.post(f"/plans/{waiting['id']}/apply")
    assert violations(early) == [("status", waiting["id"])]
    cancelled = world.client.post(f"/plans/{waiting['id']}/cancel").json()
    assert cancelled["status"] == "CANCELLED"
    assert run_waiting_jobs(world.tools) == []
    assert world.client.post(f"/plans/{waiting['id']}/cancel").json() == cancelled
    other = ask(world, ids).json()
    assert world.client.send("DELETE", f"/plans/{other['id']}").json() == {}
    assert run_waiting_jobs(world.tools) == []
    assert world.client.get(f"/plans/{other['id']}").status_code == 404


def test_an_organization_waits_for_twenty_plans_at_most(world: World) -> None:
    ids = import_stops(world, {})
    for _ in range(20):
        assert ask(world, ids).status_code == 200
    refused = ask(world, ids)
    assert (refused.status_code, refused.json()["code"]) == (429, 8)
    assert int(refused.headers["Retry-After"]) > 0
    stranger = world.stranger.post("/stops/imports", [{**DEPOT, "clientStopId": "x"}])
    assert stranger.status_code == 200
    body = {"stops": [{"clientStopId": "x"}], "vehicles": [van()]}
    assert world.stranger.post("/plans", body).status_code == 200


def test_a_stop_on_a_route_is_not_planned_again(world: World) -> None:
    ids = import_stops(world, {}, {})
    route = world.client.post("/routes", {"start": DEPOT}).json()
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": ids[0]}])
    refused = ask(world, ids)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("ALREADY_ROUTED", ids[0])]
    world.client.post(f"/routes/{route['id']}/archive")
    assert ask(world, ids).status_code == 200


NOBODY = "00000000-0000-4000-8000-000000000000"


def of_van(**fields: Json) -> Json:
    return {"vehicles": [van(**fields)]}


def of_stop(**fields: Json) -> Json:
    return {"stops": [{"clientStopId": "s0", **fields}]}


TWICE = [{"clientStopId": "s0"}, {"clientStopId": "s0"}]
NO_DAY = {"stopFilter": {"deliveryDate": "2024-02-30"}, "stops": None}
ENDS_EARLY = {**SHIFT, "end": "2024-07-01T11:00:00Z"}
TOO_LONG = {**SHIFT, "end": "2024-07-09T12:00:00Z"}
FAR_OFF = {"start": "2024-07-20T12:00:00Z", "end": "2024-07-20T13:00:00Z"}
TOO_EARLY = {
    "timeWindow": {"start": "2024-07-01T11:00:00Z", "end": "2024-07-01T13:00:00Z"},
    "duration": "60s",
}


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"stops": None}, "stops", "or stopFilter is required"),
        ({"stopFilter": {}}, "stops", "and not both"),
        ({"stops": TWICE}, "stops[0]", "more than once"),
        ({"stops": [{}]}, "stops[0].importedStopId", "exactly one"),
        (NO_DAY, "stopFilter.deliveryDate", "a day"),
        ({"vehicles": []}, "vehicles", "at least 1"),
        (of_van(count=201), "vehicles[0].count", "between 1 and 200"),
        ({"vehicles": [van(count=150), van("b", count=51)]}, "vehicles", "not 201"),
        ({"vehicles": [van(), van()]}, "vehicles[1].id", "more than once"),
        (of_van(shift=ENDS_EARLY), "vehicles[0].shift.end", "before start"),
        (of_van(shift=TOO_LONG), "vehicles[0].shift.end", "7 days"),
        ({"vehicles": [van(), van("b", shift=FAR_OFF)]}, "vehicles", "14 days"),
        (of_van(breaks=[TOO_EARLY]), "vehicles[0].breaks[0].timeWindow", "within the shift"),
        (of_van(capacities={"palets": 1}), "vehicles[0].capacities.palets", "did you mean"),
        (of_stop(loads={"crates": 1}), "stops[0].loads.crates", "allowUnusedLoads"),
        (of_stop(allowedVehicles=["x"]), "stops[0].allowedVehicles[0]", "no vehicle of the"),
        ({"pins": [{"stop": "s9", "vehicle": "van"}]}, "pins[0].stop", "no stop of the plan"),
        ({"pins": [{"stop": "s0", "vehicle": "x"}]}, "pins[0].vehicle", "no vehicle of the"),
        ({"pins": [{"stop": "s0"}]}, "pins[0].vehicle", "or position is required"),
        ({"options": {"maxLateness": "60s"}}, "options.latenessCostPerHour", "together"),
        ({"shipments": []}, "shipments", "not supported yet"),
        ({"options": {"balance": {}}}, "options.balance", "not supported yet"),
        (of_van(maxReloads=1), "vehicles[0].maxReloads", "not supported yet"),
        (of_van(start={}), "vehicles[0].start.address", "is required"),
    ],
)
def test_what_cannot_be_planned_is_refused_by_field(
    world: World, fields: Json, field: str, words: str
) -> None:
    ids = import_stops(world, {"loads": {"pallets": 1}})
    refused = ask(world, ids, **fields)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    named, description = violations(refused)[0]
    assert named == field
    assert words in description
    assert world.count("plans") == 0


def test_whoever_is_unknown_is_named(world: World) -> None:
    ids = import_stops(world, {})
    unknown = f"ist-{NOBODY}"
    answer = ask(world, [*ids, unknown])
    assert answer.status_code == 404
    assert unknown in answer.json()["message"]
    for field, prefix in (("vehicleId", "veh"), ("driverId", "drv")):
        answer = ask(world, ids, van(**{field: f"{prefix}-{NOBODY}"}))
        assert answer.status_code == 404
        assert f"{prefix}-{NOBODY}" in answer.json()["message"]


def test_a_pin_that_breaks_a_rule_is_refused_at_once(world: World) -> None:
    ids = import_stops(world, {"requiredSkills": ["fridge"]}, {"loads": {"kilograms": 9}})
    pins = [{"stop": "s0", "vehicle": "van"}, {"stop": "s1", "vehicle": "van"}]
    refused = ask(world, ids, van(capacities={"kilograms": 5}), pins=pins)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("pins", ids[0]), ("pins", ids[1])]


def test_a_request_with_a_key_plans_once(world: World) -> None:
    ids = import_stops(world, {})
    body = {"stops": [{"importedStopId": ids[0]}], "vehicles": [van()]}
    first, second = (
        world.client.post("/plans", body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert first.content == second.content
    assert world.count("plans") == 1


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
