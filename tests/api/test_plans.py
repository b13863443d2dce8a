"""Plans of many vehicles: asked for, searched for, cancelled, and what is refused."""

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import (
    DEPOT,
    QUICK,
    SHIFT,
    Json,
    ask,
    import_stops,
    plan,
    read,
    served,
    van,
    violations,
)
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §21")


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


@pytest.mark.parametrize("said", [{}, {"perHour": 0, "fixed": 0}])
def test_costs_that_name_none_are_the_usual_ones(world: World, said: Json) -> None:
    id_ = world.client.post("/vehicles", {"name": "F", "start": DEPOT, "costs": said}).json()["id"]
    for vehicle in (van(costs=said), {"vehicleId": id_}, {"vehicleId": id_, "costs": said}):
        done = plan(world, import_stops(world, {}), vehicle)
        assert done["statistics"]["costs"]["fixed"] == 20
    named = world.client.post("/vehicles", {"name": "F", "costs": {"fixed": 7}}).json()["id"]
    done = plan(world, import_stops(world, {}), van(vehicleId=named, costs=said))
    assert done["statistics"]["costs"]["fixed"] == 7


def test_a_filter_finds_the_stops_of_a_day_that_are_on_no_route(world: World) -> None:
    day = {"deliveryDate": {"year": 2024, "month": 7, "day": 1}}
    ids = import_stops(world, day, {**day, "tags": ["north"]}, {}, day)
    route = world.client.post("/routes", {"start": DEPOT}).json()
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": ids[3]}])
    for date in ("2024-07-01", day["deliveryDate"]):
        done = plan(world, [], stops=None, stopFilter={"deliveryDate": date})
        assert sorted(served(done)["van"]) == ["s0", "s1"]
    found = ask(world, [], stops=None, stopFilter={"unrouted": True}).json()
    assert sorted(stop["clientStopId"] for stop in found["stops"]) == ["s0", "s1", "s2"]
    assert sorted(stop["importedStopId"] for stop in found["stops"]) == sorted(ids[:3])
    tagged = plan(world, [], stops=None, stopFilter={"tags": ["north", "other"]})
    assert served(tagged) == {"van": ["s1"]}
    nothing = plan(world, [], stops=None, stopFilter={"tags": ["nothing"]})
    assert (nothing["status"], nothing["routes"]) == ("COMPLETED", [])


def test_a_night_without_stops_is_planned_whatever_day_the_shifts_of_the_fleet_fall_on(
    world: World,
) -> None:
    shift = {"start": {"hours": 8}, "end": {"hours": 16}}
    fleet = world.client.post("/vehicles", {"name": "F", "start": DEPOT, "shift": shift}).json()
    later = {"start": "2024-09-01T12:00:00Z", "end": "2024-09-01T20:00:00Z"}
    vans = [{"vehicleId": fleet["id"]}, van("z", shift=later)]
    nothing = plan(world, [], *vans, stops=None, stopFilter={"tags": ["nothing"]})
    assert (nothing["status"], nothing["routes"]) == ("COMPLETED", [])
    (undated,) = import_stops(world, {})
    refused = ask(world, [undated], *vans)
    assert refused.json()["message"] == "vehicles hold shifts that are more than 14 days apart"


def test_a_cancelled_plan_is_over_and_a_deleted_one_gone(world: World) -> None:
    ids = import_stops(world, {}, {})
    waiting = ask(world, ids).json()
    early = world.client.post(f"/plans/{waiting['id']}/apply")
    assert violations(early) == [("status", waiting["id"])]
    cancelled = world.client.post(f"/plans/{waiting['id']}/cancel").json()
    assert cancelled["status"] == "CANCELLED"
    out = [stop["importedStopId"] for stop in cancelled["unassigned"]]
    assert (out, cancelled["routes"]) == (ids, [])
    assert cancelled["progress"]["unassigned"] == 2
    assert read(world, waiting) == cancelled
    refused = world.client.post(f"/plans/{waiting['id']}/apply")
    assert violations(refused) == [("routes", waiting["id"])]
    assert refused.json()["message"] == "plan has no routes to apply"
    assert run_waiting_jobs(world.tools) == []
    assert world.client.post(f"/plans/{waiting['id']}/cancel").json() == cancelled
    other = ask(world, ids).json()
    assert world.client.send("DELETE", f"/plans/{other['id']}").json() == {}
    assert run_waiting_jobs(world.tools) == []
    assert world.client.get(f"/plans/{other['id']}").status_code == 404


@pytest.mark.both_databases
def test_a_name_that_is_not_given_has_a_number_that_no_plan_has(world: World) -> None:
    ids = import_stops(world, {})
    first, second, third = (ask(world, ids).json() for _ in range(3))
    assert [one["name"][-2:] for one in (first, second, third)] == ["#1", "#2", "#3"]
    world.client.send("DELETE", f"/plans/{first['id']}")
    assert ask(world, ids).json()["name"] == "Plan 2024-07-01 #4"
    ask(world, ids, name="Plan 2024-07-01 #17")
    ask(world, ids, name="Plan 2024-07-01 #x")
    assert ask(world, ids).json()["name"] == "Plan 2024-07-01 #18"


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


def corners(*points: tuple[float, float]) -> Json:
    return [{"latitude": latitude, "longitude": longitude} for latitude, longitude in points]


CROSSED = corners((39.0, -76.0), (39.1, -76.1), (39.0, -76.1), (39.1, -76.0))


def of_balance(**fields: Json) -> Json:
    return {"options": {"balance": fields}}


def of_territory(**fields: Json) -> Json:
    whole = {
        "polygon": corners((39, -76), (39.1, -76), (39, -76.1)),
        "vehicles": ["van"],
        "cost": 1,
    }
    return {"options": {"territories": [{**whole, **fields}]}}


TWICE = [{"clientStopId": "s0"}, {"clientStopId": "s0"}]
NO_DAY = {"stopFilter": {"deliveryDate": "2024-02-30"}, "stops": None}
ENDS_EARLY = {**SHIFT, "end": "2024-07-01T11:00:00Z"}
LEAVES_EARLY = {**SHIFT, "latestStart": "2024-07-01T11:00:00Z"}
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
        ({"vehicles": []}, "vehicles", "or routes is required"),
        (of_van(count=201), "vehicles[0].count", "between 1 and 200"),
        ({"vehicles": [van(count=150), van("b", count=51)]}, "vehicles", "not 201"),
        ({"vehicles": [van(), van()]}, "vehicles[1].id", "more than once"),
        (of_van(shift=ENDS_EARLY), "vehicles[0].shift.end", "before start"),
        (of_van(shift=LEAVES_EARLY), "vehicles[0].shift.latestStart", "before start"),
        (of_van(shift=TOO_LONG), "vehicles[0].shift.end", "7 days"),
        ({"vehicles": [van(), van("b", shift=FAR_OFF)]}, "vehicles", "14 days"),
        (of_van(breaks=[TOO_EARLY]), "vehicles[0].breaks[0].timeWindow", "within the shift"),
        (of_van(capacities={"palets": 1}), "vehicles[0].capacities.palets", "did you mean"),
        (of_stop(loads={"crates": 1}), "stops[0].loads.crates", "allowUnusedLoads"),
        (of_stop(loads={"litres": 1}), "stops[0].loads.litres", "allowUnusedLoads"),
        (of_stop(loads={"kilos": 1}), "stops[0].loads.kilos", 'did you mean "kilograms"'),
        (of_stop(allowedVehicles=["x"]), "stops[0].allowedVehicles[0]", "no vehicle of the"),
        ({"pins": [{"stop": "s9", "vehicle": "van"}]}, "pins[0].stop", "no stop of the plan"),
        ({"pins": [{"stop": "s0", "vehicle": "x"}]}, "pins[0].vehicle", "no vehicle of the"),
        ({"pins": [{"stop": "s0"}]}, "pins[0].vehicle", "or position is required"),
        ({"options": {"maxLateness": "60s"}}, "options.latenessCostPerHour", "together"),
        ({"shipments": []}, "shipments", "not supported yet"),
        (of_balance(), "options.balance.costPerHour", "where by is DURATION"),
        (of_balance(by="STOPS"), "options.balance.costPerStop", "where by is STOPS"),
        (of_balance(by="STOPS", costPerHour=1), "options.balance.costPerHour", "costPerStop"),
        (of_territory(vehicles=["x"]), "options.territories[0].vehicles[0]", "no vehicle of the"),
        (of_territory(polygon=CROSSED), "options.territories[0].polygon", "must not cross"),
        (of_territory(polygon=CROSSED[:2]), "options.territories[0].polygon", "at least 3"),
        (of_stop(preferredVehicles=["x"]), "stops[0].preferredVehicles[0]", "no vehicle of the"),
        (of_van(maxReloads=11), "vehicles[0].maxReloads", "between 0 and 10"),
        (of_van(reloads=[DEPOT]), "vehicles[0].reloads", "where maxReloads is above 0"),
        (of_van(maxReloads=1, reloads=[{}]), "vehicles[0].reloads[0].address", "is required"),
        (of_van(maxReloads=1, start=None), "vehicles[0].reloads", "where there is no start"),
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


def test_all_that_is_unknown_is_named_in_one_answer(world: World) -> None:
    (id_,) = import_stops(world, {})
    body = {
        "stops": [
            {"importedStopId": id_},
            {"importedStopId": f"ist-{NOBODY}"},
            {"clientStopId": "n1"},
            {"storeOrderId": "n2"},
        ],
        "vehicles": [van(vehicleId=f"veh-{NOBODY}"), van("other", driverId=f"drv-{NOBODY}")],
        "routes": [{"routeId": f"rte-{NOBODY}"}],
    }
    refused = world.client.post("/plans", body)
    assert (refused.status_code, refused.json()["code"]) == (404, 5)
    message = refused.json()["message"]
    for unknown in ("n1", "n2", *(f"{kind}-{NOBODY}" for kind in ("ist", "veh", "drv", "rte"))):
        assert unknown in message
    assert id_ not in message
    assert world.count("plans") == 0


def test_a_pin_that_breaks_a_rule_is_refused_at_once(world: World) -> None:
    ids = import_stops(world, {"requiredSkills": ["fridge"]}, {"loads": {"kilograms": 9}})
    pins = [{"stop": "s0", "vehicle": "van"}, {"stop": "s1", "vehicle": "van"}]
    refused = ask(world, ids, van(capacities={"kilograms": 5}), pins=pins)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert violations(refused) == [("pins", ids[0]), ("pins", ids[1])]


@pytest.mark.parametrize(
    ("pins", "vehicles", "refused"),
    [
        ([("s0", "a", "FIRST"), ("s1", "a", "FIRST")], [van("a"), van("b")], ["s1"]),
        ([("s0", "a", "LAST"), ("s1", "a", "LAST"), ("s2", "a", "LAST")], [van("a")], ["s1", "s2"]),
    ],
)  # fmt: skip
def test_pins_of_one_vehicle_that_contradict_each_other_are_refused(
    world: World, pins: list[tuple[str, str, str]], vehicles: list[Json], refused: list[str]
) -> None:
    ids = import_stops(world, *[{"loads": {"kilograms": 3}}] * 3)
    names = dict(zip(("s0", "s1", "s2"), ids, strict=True))
    asked = [
        {key: value for key, value in (("stop", stop), ("vehicle", on), ("position", at)) if value}
        for stop, on, at in pins
    ]
    answer = ask(world, ids, *vehicles, pins=asked)
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    assert violations(answer) == [("pins", names.get(one, one)) for one in refused]


@pytest.mark.parametrize("limit", [{"maxStops": 1}, {"capacities": {"kilograms": 5}}])
def test_of_more_pinned_stops_than_there_is_room_for_the_rest_stays_out(
    world: World, limit: Json
) -> None:
    ids = import_stops(world, *[{"loads": {"kilograms": 3}}] * 2)
    pins = [{"stop": id_, "vehicle": "a"} for id_ in ids]
    done = plan(world, ids, van("a", **limit), van("b", capacities={"kilograms": 9}), pins=pins)
    (out,) = done["unassigned"]
    assert "pinned to a" in out["reasons"][0]["description"]
    assert "UNPIN" in [fix["type"] for fix in out["fixes"]]


def test_pins_that_fit_beside_each_other_are_kept(world: World) -> None:
    ids = import_stops(world, *[{"loads": {"kilograms": 3}}] * 4)
    pins = [
        {"stop": "s0", "vehicle": "a", "position": "LAST"},
        {"stop": "s1", "vehicle": "a", "position": "FIRST"},
        {"stop": "s2", "position": "FIRST"},
    ]
    vans = [van("a", maxStops=2, capacities={"kilograms": 6}), van("b")]
    done = plan(world, ids, *vans, pins=pins)
    assert served(done)["a"] == ["s1", "s0"]
    assert served(done)["b"][0] == "s2"


def test_a_request_with_a_key_plans_once(world: World) -> None:
    ids = import_stops(world, {})
    body = {"stops": [{"importedStopId": ids[0]}], "vehicles": [van()]}
    first, second = (
        world.client.post("/plans", body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert first.content == second.content
    assert world.count("plans") == 1
