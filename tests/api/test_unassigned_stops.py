"""What stays out of a plan, why, and what would bring it in."""

from datetime import datetime, timedelta

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import QUICK, SHIFT, Json, ask, import_stops, plan, van, violations
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §21")


def reasons(of: Json) -> dict[str, list[tuple[str, str, str, float]]]:
    return {
        one["clientStopId"]: [
            (reason["vehicle"], reason["type"], reason["subject"], reason["amount"])
            for reason in one["reasons"]
        ]
        for one in of["unassigned"]
    }


def fix_of(of: Json, name: str, kind: str) -> Json:
    (stop,) = (one for one in of["unassigned"] if one["clientStopId"] == name)
    return next(fix for fix in stop["fixes"] if fix["type"] == kind)


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
    said = [one["description"] for out in done["unassigned"] for one in out["reasons"]]
    assert "it has 49.5 kg more than the vehicle carries" in said
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
    for number, out in enumerate(dear["unassigned"]):
        more = [dict(one) for one in cheap]
        index = ids.index(out["importedStopId"])
        more[index]["unassignedCost"] = 1 + out["reasons"][0]["amount"]
        served = plan(world, ids, van(count=3), stops=more)["routes"]
        assert [step["importedStopId"] for one in served for step in one["steps"]] == [ids[index]]
        less = [dict(one) for one in cheap]
        less[index]["unassignedCost"] = 0.9 + out["reasons"][0]["amount"]
        assert number or not plan(world, ids, van(count=3), stops=less)["routes"]
    silent = plan(world, ids, options={**QUICK, "explain": False})
    assert [one["reasons"] for one in silent["unassigned"]] == [[], []]


def test_of_stops_that_share_a_van_each_is_told_its_own_price(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    stops = [{"importedStopId": id_, "unassignedCost": 1} for id_ in ids]
    dear = plan(world, ids, stops=stops)
    amounts = {one["importedStopId"]: one["reasons"][0]["amount"] for one in dear["unassigned"]}
    assert set(amounts) == set(ids)
    assert min(amounts.values()) > 20, "a van alone costs 20"
    stops[5]["unassignedCost"] = 1 + amounts[ids[5]]
    taken = [one["importedStopId"] for one in plan(world, ids, stops=stops)["unassigned"]]
    assert ids[5] not in taken
    stops[5]["unassignedCost"] = 0.98 + amounts[ids[5]]
    assert len(plan(world, ids, stops=stops)["unassigned"]) == 6


def test_who_fits_beside_the_plan_but_not_beside_all_the_others_is_out_for_money(
    world: World,
) -> None:
    ids = import_stops(world, *[{"loads": {"crates": 1}}] * 2)
    stops = [{"importedStopId": id_, "unassignedCost": 1} for id_ in ids]
    dear = plan(world, ids, van(capacities={"crates": 1}), stops=stops)
    assert [row[1] for rows in reasons(dear).values() for row in rows] == ["COST", "COST"]


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


@pytest.mark.parametrize("windows", [[], [{"start": {"hours": 8}, "end": {"hours": 9}}]])
@pytest.mark.parametrize(
    "day", [{"year": 2024, "month": 7, "day": 2}, {"year": 2199, "month": 1, "day": 1}]
)
def test_a_stop_of_another_day_is_called_so_and_needs_no_overtime(
    world: World, windows: Json, day: Json
) -> None:
    ids = import_stops(world, {"deliveryDate": day, "timeWindows": windows}, {})
    done = plan(world, ids, van(), van("late", maxStops=9))
    (out,) = done["unassigned"]
    date = f"{day['year']}-{day['month']:02}-{day['day']:02}"
    assert {reason["description"] for reason in out["reasons"]} == {f"it is of another day, {date}"}
    assert {reason["type"] for reason in out["reasons"]} == {"timeWindows"}
    assert out["fixes"] == []


def test_no_fix_is_of_more_than_four_hours(world: World) -> None:
    late = [{"start": {"hours": 19, "minutes": minutes}} for minutes in (0, 50)]
    ids = import_stops(
        world, *({"timeWindows": [window]} for window in late), {"duration": "46000s"}
    )
    done = plan(world, ids, van(maxDuration="3600s"))  # from 8 to 16
    assert len(done["unassigned"]) == 3
    of_time = {"OPEN_EARLIER", "CLOSE_LATER", "EXTEND_SHIFT", "RAISE_LIMIT"}
    fixes = [fix for out in done["unassigned"] for fix in out["fixes"] if fix["type"] in of_time]
    assert {fix["type"] for fix in fixes} >= {"OPEN_EARLIER", "EXTEND_SHIFT"}
    assert max(fix["amount"] for fix in fixes) <= 4 * 3600


def served_with(world: World, of: Json, name: str, kind: str) -> bool:
    """Say whether a plan with a fix of a stop serves it."""
    asked = {"basedOn": of["id"], "fixes": [fix_of(of, name, kind)["index"]]}
    again = world.client.post("/plans", asked).json()
    run_waiting_jobs(world.tools)
    out = world.client.get(f"/plans/{again['id']}").json()["unassigned"]
    return name not in {one["clientStopId"] for one in out}


@pytest.mark.parametrize(
    ("limit", "name", "unit"),
    [
        ({"maxDuration": "2400s"}, "maxDuration", 60),
        ({"maxDistanceMeters": 4_500}, "maxDistanceMeters", 1_000),
    ],
)
def test_a_limit_that_keeps_stops_out_beside_others_is_offered_to_be_raised(
    world: World, limit: Json, name: str, unit: int
) -> None:
    both_ways = [39.29 + (number + 1) * (-1) ** number / 500 for number in range(6)]
    ids = import_stops(
        world,
        *(
            {"duration": "600s", "coordinates": {"latitude": latitude, "longitude": -76.61}}
            for latitude in both_ways
        ),
    )
    done = plan(world, ids, van(**limit))
    assert 0 < len(done["unassigned"]) < 6
    for out in done["unassigned"]:
        assert {one["type"] for one in out["reasons"]} == {"CONTENTION"}
        fix = fix_of(done, out["clientStopId"], "RAISE_LIMIT")
        assert (fix["subject"], fix["name"], fix["amount"] % unit) == ("van", name, 0)
        prices = [one["costDifference"] for one in out["fixes"]]
        assert prices == sorted(prices)
    assert served_with(world, done, out["clientStopId"], "RAISE_LIMIT")


def test_a_shift_between_two_windows_is_helped_to_either(world: World) -> None:
    windows = [
        {"start": {"hours": 5}, "end": {"hours": 6}},
        {"start": {"hours": 18}, "end": {"hours": 19}},
    ]
    ids = import_stops(world, {"timeWindows": windows})
    done = plan(world, ids)  # the shift is from 8 to 16
    (out,) = done["unassigned"]
    assert {fix["type"] for fix in out["fixes"]} == {"CLOSE_LATER", "OPEN_EARLIER", "EXTEND_SHIFT"}
    later = fix_of(done, "s0", "CLOSE_LATER")
    assert (later["amount"], later["minimal"]) == (7200, True)
    for kind in ("CLOSE_LATER", "OPEN_EARLIER", "EXTEND_SHIFT"):
        assert served_with(world, done, "s0", kind)


def test_a_pin_that_keeps_a_stop_out_is_named_and_lifted(world: World) -> None:
    ids = import_stops(world, *[{"duration": "18000s"}] * 2)
    pins = [{"stop": id_, "vehicle": "van"} for id_ in ids]
    done = plan(world, ids, van(), van("spare", maxDuration="25200s"), van("other"), pins=pins)
    (out,) = done["unassigned"]
    own = next(one for one in out["reasons"] if one["vehicle"] == "van")
    assert own["type"] == "CONTENTION"
    assert own["description"].startswith("it is pinned to van; ")
    kinds = [fix["type"] for fix in out["fixes"]]
    assert "ADD_VEHICLE" not in kinds, "the pin would keep it from any other"
    assert kinds.count("UNPIN") == 1
    asked = {"basedOn": done["id"], "fixes": [fix_of(done, out["clientStopId"], "UNPIN")["index"]]}
    again = world.client.post("/plans", asked).json()
    run_waiting_jobs(world.tools)
    assert world.client.get(f"/plans/{again['id']}").json()["unassigned"] == []


def test_a_place_on_a_route_that_keeps_a_stop_out_is_named(world: World) -> None:
    ids = import_stops(world, {}, {})
    pins = [{"stop": ids[0], "position": "LAST"}, {"stop": ids[1], "position": "FIRST"}]
    done = plan(world, ids, van(maxStops=1), pins=pins)
    (out,) = done["unassigned"]
    where = "first" if out["clientStopId"] == "s1" else "last"
    assert out["reasons"][0]["description"].startswith(f"it is pinned {where}; ")


@pytest.mark.parametrize("other", [{"maxReloads": 2}, {"capacities": {"items": 5}}])
def test_a_van_that_loads_again_or_has_no_limit_leaves_room_unknown(
    world: World, other: Json
) -> None:
    ids = import_stops(world, *[{"duration": "14000s", "loads": {"kilograms": 30}}] * 6)
    kilograms = {"capacities": {"kilograms": 40}}
    done = plan(world, ids, van("a", **kilograms), van("b", **({**kilograms, **other})))
    assert done["status"] == "COMPLETED", done
    assert done["unassigned"]
    assert all(one["fixes"] for one in done["unassigned"])


def test_a_stop_that_matters_no_more_may_stay_out_instead(world: World) -> None:
    ids = import_stops(world, *[{"duration": "18000s"}] * 2)
    done = plan(world, ids)
    (out,) = done["unassigned"]
    (served,) = set(ids) - {out["importedStopId"]}
    instead = fix_of(done, out["clientStopId"], "DROP_STOP")
    assert instead["subject"] == served
    assert instead["costDifference"] == pytest.approx(10_000, abs=5), "what the other costs then"
    again = planned_again(world, done, fixes=[instead["index"]])
    assert [one["importedStopId"] for one in again["unassigned"]] == [served]
    ((reason,),) = (one["reasons"] for one in again["unassigned"])
    assert (reason["type"], reason["description"]) == ("allowedVehicles", "no vehicle may serve it")
    prices = zip(ids, (300, 900), strict=True)
    stops = [{"importedStopId": id_, "unassignedCost": price} for id_, price in prices]
    kept = plan(world, ids, stops=stops)
    (cheap,) = kept["unassigned"]
    assert cheap["importedStopId"] == ids[0]
    assert "DROP_STOP" not in {fix["type"] for fix in cheap["fixes"]}, "the other one matters more"


def test_a_plan_says_what_every_plan_costs_at_least(world: World) -> None:
    done = plan(world, import_stops(world, *[{}] * 5))["statistics"]
    assert 0 < done["lowerBound"] <= done["cost"]
    assert done["gap"] == pytest.approx(1 - done["lowerBound"] / done["cost"], abs=1e-4)


def planned_again(world: World, of: Json, **fields: Json) -> Json:
    asked = world.client.post("/plans", {"basedOn": of["id"], **fields})
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    return world.client.get(f"/plans/{asked.json()['id']}").json()


def test_a_plan_with_a_fix_serves_the_stop_that_it_is_for(world: World) -> None:
    ids = import_stops(
        world,
        {"requiredSkills": ["crane"]},
        {"loads": {"crates": 7}},
        {"timeWindows": [{"end": {"hours": 7, "minutes": 50}}]},
        {"duration": "18000s"},
        {"duration": "18000s"},
    )
    done = plan(world, ids, van(capacities={"crates": 4}))
    kinds = set()
    for out in done["unassigned"]:
        for fix in out["fixes"]:
            again = planned_again(world, done, fixes=[fix["index"]])
            still_out = {one["clientStopId"] for one in again["unassigned"]}
            assert out["clientStopId"] not in still_out, fix
            assert again["basedOn"] == done["id"]
            assert again["statistics"]["stoppedBy"] in {"MOVES", "PROVEN"}
            kinds.add(fix["type"])
    assert {"GRANT_SKILL", "RAISE_CAPACITY", "CLOSE_LATER", "ADD_VEHICLE"} <= kinds
    numbers = [fix["index"] for out in done["unassigned"] for fix in out["fixes"]]
    assert numbers == list(range(len(numbers)))


def test_a_fix_keeps_who_was_served_and_the_next_plan_gives_up_no_dearer_stop(
    world: World,
) -> None:
    ids = import_stops(world, *[{"duration": "9000s"}] * 6)
    prices = (500, 400, 300, 200, 100, 50)
    stops = [
        {"importedStopId": id_, "unassignedCost": price}
        for id_, price in zip(ids, prices, strict=True)
    ]
    first = plan(world, ids, stops=stops)
    assert [one["clientStopId"] for one in first["unassigned"]] == ["s3", "s4", "s5"]
    index = fix_of(first, "s5", "ADD_VEHICLE")["index"]
    found = planned_again(world, first, fixes=[index])
    out = {one["clientStopId"] for one in found["unassigned"]}
    assert "s5" not in out
    assert not out & {"s0", "s1", "s2"}
    assert found["statistics"]["costs"]["unassigned"] == sum(
        one["cost"] for one in found["unassigned"]
    )
    assert found["progress"]["cost"] < 10_000
    for one in found["unassigned"]:
        dropped = {fix["subject"] for fix in one["fixes"] if fix["type"] == "DROP_STOP"}
        cheaper = {id_ for id_, price in zip(ids, prices, strict=True) if price <= one["cost"]}
        assert dropped <= cheaper


def test_a_plan_goes_on_from_another(world: World) -> None:
    ids = import_stops(world, *[{}] * 9)
    first = plan(world, ids, van(count=3, maxStops=4))
    again = planned_again(world, first, options={"effort": "QUICK", "seed": 7})
    assert again["statistics"]["cost"] <= first["statistics"]["cost"] + 1e-6
    applied = world.client.post(f"/plans/{again['id']}/apply", {})
    assert applied.status_code == 200


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"fixes": [99]}, "fixes[0]"),
        ({"stopFilter": {}}, "basedOn"),
        ({"vehicles": [van()]}, "basedOn"),
        ({"options": {"unassignedCost": 3}}, "options.unassignedCost"),
    ],
)
def test_what_a_plan_cannot_be_based_on_is_refused(world: World, fields: Json, field: str) -> None:
    done = plan(world, import_stops(world, {}))
    refused = world.client.post("/plans", {"basedOn": done["id"], **fields})
    assert refused.json()["code"] == 3
    assert violations(refused)[0][0] == field


def test_a_plan_is_based_on_one_that_is_there_and_finished(world: World) -> None:
    ids = import_stops(world, {})
    waiting = ask(world, ids).json()
    refused = world.client.post("/plans", {"basedOn": waiting["id"]})
    assert violations(refused) == [("status", waiting["id"])]
    assert world.client.post("/plans", {"fixes": [0]}).json()["code"] == 3
    unknown = "pln-00000000-0000-4000-8000-000000000000"
    assert world.client.post("/plans", {"basedOn": unknown}).status_code == 404
