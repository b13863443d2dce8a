"""The best place for a stop on each route is the best of all places, tried one by one."""

from datetime import datetime
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_route_previews import LATER, LEAVES, add_route, ids, preview
from tests.api.test_store_orders import push
from tests.driver.device import dispatch, sign_up

pytestmark = [
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
    pytest.mark.spec("decisions §15"),
]

type Json = Any


def ask(world: World, stop: Json, *routes: Json) -> list[Json]:
    body = {"stops": [stop], "routeIds": [route["id"] for route in routes]}
    answer = world.client.post("/insertions", body)
    assert answer.status_code == 200, answer.text
    (found,) = answer.json()["stops"]
    assert {**stop, "places": found["places"], "reasons": found["reasons"]} == found
    return list(found["places"])


def try_each(world: World, name: str, route: Json, first: int = 0) -> Json:
    """Return the best place by the route's own timing, tried at every index."""
    without = preview(world, route, {})
    tried = []
    for index in range(first, len(route["stops"]) + 1):
        seen = preview(world, route, {"add": [{"clientStopId": name, "index": index}]})
        extra_travel = seen["totals"]["travelSeconds"] - without["totals"]["travelSeconds"]
        extra_late = seen["lateness"] - without["lateness"]
        tried.append((len(seen["violations"]), extra_late, extra_travel, index))
    return min(tried)


def weigh(place: Json) -> tuple[int, int, int, int]:
    return (
        len(place["violations"]),
        place["extraLatenessSeconds"],
        place["extraTravelSeconds"],
        place["index"],
    )


def test_the_best_place_is_the_best_of_all_places(world: World) -> None:
    routes = [
        add_route(world, "a", "b", "c", scheduledFor=LEAVES),
        add_route(world, "d", "w1", "e", "w2", scheduledFor=LEAVES, maxDuration="2700s"),
        add_route(world, "f", "w3", scheduledFor=LATER, maxStops=2),
        add_route(world, "g", scheduledFor=LEAVES, speedFactor=2.5, defaultStopDuration="900s"),
    ]
    new = {
        "clientStopId": "new",
        "coordinates": {"latitude": 39.327, "longitude": -76.58},
        "timeWindows": [{"start": {"hours": 9, "minutes": 20}, "end": {"hours": 9, "minutes": 50}}],
    }
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]
    before = world.count("events")
    places = ask(world, {"importedStopId": stop["id"]}, *routes)
    assert world.count("events") == before
    assert [weigh(place)[:3] for place in places] == sorted(weigh(place)[:3] for place in places)
    by_route = {place["routeId"]: weigh(place) for place in places}
    assert by_route == {route["id"]: try_each(world, "new", route) for route in routes}


def test_a_stop_fits_on_its_own_route_as_if_it_were_taken_out(world: World) -> None:
    route = add_route(world, "a", "b", "c", scheduledFor=LEAVES)
    a, b, c = ids(route)
    without = preview(world, route, {"remove": [b]})["totals"]["travelSeconds"]
    extra = [
        preview(world, route, {"order": order})["totals"]["travelSeconds"] - without
        for order in ([b, a, c], [a, b, c], [a, c, b])
    ]
    (place,) = ask(world, {"stopId": b}, route)
    assert (place["extraTravelSeconds"], place["index"]) == (min(extra), extra.index(min(extra)))
    assert place["violations"] == []


def test_nothing_goes_in_front_of_what_is_done(world: World) -> None:
    device = sign_up(world, world.client.interface)
    path = f"/routes/{dispatch(world, device, stops=3)}"
    first = world.client.get(path).json()["stops"][0]
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=first["id"])
    there = {"clientStopId": "new", "coordinates": first["plannedCoordinates"]}
    (stop,) = world.client.post("/stops/imports", [there]).json()["stops"]
    route = world.client.get(path).json()
    (place,) = ask(world, {"importedStopId": stop["id"]}, route)
    assert weigh(place) == try_each(world, "new", route, first=1)
    body = {"stops": [{"stopId": first["id"]}], "routeIds": [route["id"]]}
    assert world.client.post("/insertions", body).json()["code"] == 9


@pytest.mark.spec("decisions §22")
def test_nothing_goes_in_front_of_what_is_locked(world: World) -> None:
    route = add_route(world, "a", "b", "c", scheduledFor=LEAVES)
    new = {"clientStopId": "new", "coordinates": route["stops"][0]["plannedCoordinates"]}
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]
    (free,) = ask(world, {"importedStopId": stop["id"]}, route)
    assert free["index"] < 2
    lock = {"routeStop": {"locked": True}, "updateMask": "locked"}
    path = f"/routes/{route['id']}/stops/{route['stops'][1]['id']}"
    assert world.client.send("PATCH", path, json=lock).status_code == 200
    (place,) = ask(world, {"importedStopId": stop["id"]}, route)
    assert weigh(place) == try_each(world, "new", route, first=2)


def test_an_order_fits_too_and_what_is_there_already_says_so(world: World) -> None:
    push(world, "1001")
    route, other = add_route(world, "a"), add_route(world, "b")
    world.client.post(f"/routes/{other['id']}/store-orders", [{"storeOrderId": "1001"}])
    free, taken = ask(world, {"storeOrderId": "1001"}, route, other)
    assert (free["routeId"], free["violations"]) == (route["id"], [])
    assert [one["type"] for one in taken["newViolations"]] == ["alreadyOnRoute"]
    assert taken["violations"] == taken["newViolations"]
    shown = preview(world, route, {"add": [{"storeOrderId": "1001", "index": 0}]})
    assert [one.get("stopId") for one in shown["timetable"]["places"]][1:3] == [
        "new-1",
        *ids(route),
    ]
    push(world, "frozen", requiredSkills=["cold"])
    (place,) = ask(world, {"storeOrderId": "frozen"}, route)
    assert [(one["type"], one["values"]) for one in place["violations"]] == [
        ("requiredSkills", {"name": "cold"})
    ]


def test_what_a_place_breaks_has_the_values_of_its_sentence_for_other_languages(
    world: World,
) -> None:
    route = add_route(world, "a", scheduledFor=LEAVES, maxStops=1, maxDuration="60s")
    closed = {"timeWindows": [{"end": {"hours": 9, "minutes": 1}}], "orderName": "#7"}
    new = {"coordinates": {"latitude": 39.327, "longitude": -76.58}, **closed}
    stop = world.client.post("/stops/imports", [new]).json()["stops"][0]
    (place,) = ask(world, {"importedStopId": stop["id"]}, route)
    said = {one["type"]: one["values"] for one in place["newViolations"]}
    assert said["maxStops"] == {"actual": 2, "most": 1, "excess": 1}
    late = said["timeWindows"]
    assert (late["name"], late["windows"]) == ("#7", stop["timeWindows"])
    shut = datetime.fromisoformat("2024-07-01T09:01:00-04:00")
    start = datetime.fromisoformat(late["serviceStart"])
    assert (start - shut).total_seconds() == late["excess"] > 0
    (longer,) = (one for one in place["violations"] if one["type"] == "maxDuration")
    assert longer["values"]["actual"] - 60 == longer["values"]["excess"]


def test_what_a_route_breaks_anyway_is_nothing_new(world: World) -> None:
    missed = {"timeWindows": [{"start": {"hours": 6}, "end": {"hours": 6, "minutes": 30}}]}
    route = add_route(world, "a", "b", scheduledFor=LEAVES)
    update = {"routeStop": missed, "updateMask": "timeWindows"}
    path = f"/routes/{route['id']}/stops/{ids(route)[0]}"
    assert world.client.send("PATCH", path, json=update).status_code == 200
    new = {"coordinates": {"latitude": 39.327, "longitude": -76.58}}
    fitting, late = world.client.post("/stops/imports", [new, {**new, **missed}]).json()["stops"]
    (place,) = ask(world, {"importedStopId": fitting["id"]}, route)
    assert [one["subject"] for one in place["violations"]] == [ids(route)[0]]
    assert place["newViolations"] == []
    (place,) = ask(world, {"importedStopId": late["id"]}, route)
    assert len(place["violations"]) == 2
    assert [one["type"] for one in place["newViolations"]] == [place["violations"][0]["type"]]
    assert place["newViolations"][0]["subject"] != ids(route)[0]


def test_a_request_that_cannot_be_answered_is_refused(world: World) -> None:
    route = add_route(world, "a")
    (a,), here = ids(route), route["id"]
    for stops, routes, status in (
        ([], [here], 400),
        ([{"stopId": a}], [], 400),
        ([{"stopId": a}], [here, here], 400),
        ([{"stopId": a, "storeOrderId": "1"}], [here], 400),
        ([{"storeOrderId": "1"}], [here], 400),
        ([{"stopId": "nobody"}], [here], 404),
        ([{"importedStopId": "nobody"}], [here], 404),
        ([{"stopId": a}], ["nobody"], 404),
    ):
        answer = world.client.post("/insertions", {"stops": stops, "routeIds": routes})
        assert answer.status_code == status, (stops, routes, answer.text)
    body = {"stops": [{"stopId": a}], "routeIds": [here]}
    assert world.stranger.post("/insertions", body).status_code == 404


@pytest.mark.spec("decisions §21")
def test_a_key_is_echoed_and_its_answer_given_again(world: World) -> None:
    route = add_route(world, "a")
    body = {"stops": [{"stopId": ids(route)[0]}], "routeIds": [route["id"]]}
    key = {"Idempotency-Key": "k1"}
    first, second = (world.client.post("/insertions", body, headers=key) for _ in range(2))
    assert first.status_code == 200
    assert first.content == second.content
    assert [one.headers["Idempotency-Key"] for one in (first, second)] == ["k1", "k1"]
    assert [one.headers["Idempotency-Replayed"] for one in (first, second)] == ["false", "true"]
    other = world.client.post("/insertions", {**body, "stops": []}, headers=key)
    assert other.status_code == 400
    without = world.client.post("/insertions", body)
    assert "Idempotency-Replayed" not in without.headers


@pytest.mark.spec("decisions §21")
def test_a_place_says_what_it_costs_and_whom_it_delays(world: World) -> None:
    """Beside the route's own timing with the stop there."""
    costs = {"fixed": 9, "perHour": 36, "perTraveledHour": 18, "perKilometer": 2, "perStop": 1.5}
    vehicle = world.client.post("/vehicles", {"name": "Van", "costs": costs}).json()
    routes = [
        add_route(world, "a", "b", "w1", scheduledFor=LEAVES),
        add_route(world, "c", "d", scheduledFor=LEAVES, defaultStopDuration="60s"),
    ]
    path = f"/routes/{routes[0]['id']}/vehicle"
    world.client.send("PUT", path, json={"vehicleId": vehicle["id"]})
    new = {
        "clientStopId": "new",
        "coordinates": {"latitude": 39.325, "longitude": -76.58},
        "duration": "420s",
    }
    world.client.post("/stops/imports", [new])
    usual = {"fixed": 20, "perHour": 25, "perTraveledHour": 0, "perKilometer": 0.3, "perStop": 0}
    by_route = {place["routeId"]: place for place in ask(world, {"clientStopId": "new"}, *routes)}
    for route, price in zip(routes, (costs, usual), strict=True):
        place = by_route[route["id"]]
        change = {"add": [{"clientStopId": "new", "index": place["index"]}]}
        before, after = preview(world, route, {}), preview(world, route, change)
        meters, travel, seconds = (
            after["totals"][name] - before["totals"][name]
            for name in ("distanceMeters", "travelSeconds", "durationSeconds")
        )
        assert abs(place["addedDistanceMeters"] - meters) <= 2  # each leg is rounded by itself
        assert place["cost"] == pytest.approx(
            price["perHour"] * seconds / 3_600
            + price["perTraveledHour"] * travel / 3_600
            + price["perKilometer"] * place["addedDistanceMeters"] / 1_000
            + price["perStop"],
            abs=0.01,
        )
        arrivals = {one["stopId"]: one["arrival"] for one in stops_of(after)}
        assert place["plannedArrival"] == arrivals["new-1"]
        was = {one["stopId"]: one["arrival"] for one in stops_of(before)}
        later = [one for one in was if arrivals[one] > was[one]]
        assert [one["stopId"] for one in place["delayed"]] == later


def stops_of(previewed: Json) -> list[Json]:
    return [one for one in previewed["timetable"]["places"] if one["stopId"]]


@pytest.mark.spec("decisions §21")
def test_what_the_vehicle_may_not_take_is_a_violation(world: World) -> None:
    details = {"name": "Van", "capacities": {"items": 3, "crates": 2}, "skills": ["cold"]}
    vehicle = world.client.post("/vehicles", details).json()
    route = add_route(world, "a", scheduledFor=LEAVES)
    world.client.send("PUT", f"/routes/{route['id']}/vehicle", json={"vehicleId": vehicle["id"]})
    new = {
        "clientStopId": "new",
        "coordinates": route["stops"][0]["plannedCoordinates"],
        "requiredSkills": ["cold", "tail lift"],
        "items": [{"name": "box", "quantity": 4}],
    }
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]

    def broken(**wishes: Any) -> list[tuple[str, str]]:
        body = {
            "stops": [{"importedStopId": stop["id"], **wishes}],
            "routeIds": [route["id"]],
        }
        (found,) = world.client.post("/insertions", body).json()["stops"]
        (place,) = found["places"]
        assert {one["subject"] for one in place["violations"]} <= {vehicle["id"]}
        return [(one["type"], one["description"]) for one in place["violations"]]

    skill = ("requiredSkills", 'the vehicle lacks the skill "tail lift"')
    assert broken() == [skill, ("capacities", "1 item more than the vehicle takes")]
    assert broken(requiredSkills=[], loads={"items": 1, "crates": 2.5}) == [
        ("capacities", "0.5 crates more than the vehicle takes")
    ]
    other = broken(requiredSkills=[], loads={"items": 1}, allowedVehicles=["veh-other"])
    assert other == [("allowedVehicles", "this vehicle may not serve the stop")]
    assert broken(requiredSkills=[], loads={"items": 0}, excludedVehicles=[vehicle["id"]]) == other


@pytest.mark.spec("decisions §21")
def test_where_every_place_breaks_a_rule_reasons_say_why(world: World) -> None:
    van = world.client.post("/vehicles", {"name": "Van", "capacities": {"crates": 2}}).json()
    alone, full = (add_route(world, "a", scheduledFor=LEAVES), add_route(world, "b", maxStops=1))
    for route in (alone, full):
        path = f"/routes/{route['id']}/vehicle"
        world.client.send("PUT", path, json={"vehicleId": van["id"]})
    new = {"clientStopId": "new", "coordinates": {"latitude": 39.327, "longitude": -76.58}}
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]

    def reasons(*routes: Json, **wishes: Any) -> dict[str, Json]:
        named = [{"importedStopId": stop["id"], **wishes}]
        body = {"stops": named, "routeIds": [route["id"] for route in routes]}
        (found,) = world.client.post("/insertions", body).json()["stops"]
        assert len(found["places"]) == len(routes)
        assert [one["vehicle"] for one in found["reasons"]] == [
            place["routeId"] for place in found["places"] if found["reasons"]
        ]
        return {one["vehicle"]: one for one in found["reasons"]}

    assert reasons(alone, full) == {}, "one has room"
    (of_full,) = reasons(full).values()
    assert of_full["type"] == "CONTENTION"
    (limit,) = of_full["limits"]
    assert limit == {"vehicle": full["id"], "type": "maxStops", "subject": "", "amount": 1}
    cold = reasons(alone, full, requiredSkills=["cold"])
    assert {(one["type"], one["subject"]) for one in cold.values()} == {("requiredSkills", "cold")}
    (heavy,) = reasons(alone, loads={"crates": 3}).values()
    assert (heavy["type"], heavy["subject"], heavy["amount"]) == ("capacities", "crates", 1)
    (other,) = reasons(alone, allowedVehicles=["veh-other"]).values()
    assert other["type"] == "allowedVehicles"


@pytest.mark.spec("decisions §21")
def test_lateness_that_has_a_price_is_no_reason(world: World) -> None:
    route = add_route(world, "a", scheduledFor=LATER)
    gone = [{"start": {"hours": 1}, "end": {"hours": 2}}]
    place = {"latitude": 39.327, "longitude": -76.58}
    new = {"clientStopId": "new", "coordinates": place, "timeWindows": gone}
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]

    def found(**wishes: Any) -> list[tuple[str, float]]:
        body = {
            "stops": [{"importedStopId": stop["id"], **wishes}],
            "routeIds": [route["id"]],
        }
        (answer,) = world.client.post("/insertions", body).json()["stops"]
        return [(reason["type"], reason["amount"]) for reason in answer["reasons"]]

    ((kind, late),) = found()
    assert kind == "timeWindows"
    assert found(latenessCostPerHour=10, maxLateness="86400s") == []
    assert found(latenessCostPerHour=10, maxLateness="600s") == [("timeWindows", late - 600)]
    for half in ({"latenessCostPerHour": 10}, {"maxLateness": "86400s"}):
        assert found(**half) == [(kind, late)], "windows are soft with both alone"


@pytest.mark.spec("decisions §21")
def test_a_price_for_its_own_lateness_makes_no_other_stop_late_for_nothing(world: World) -> None:
    route = add_route(world, "w", scheduledFor=LEAVES)
    new = {
        "clientStopId": "new",
        "coordinates": {"latitude": 39.295, "longitude": -76.61},
        "timeWindows": [{"end": {"hours": 9, "minutes": 5}}],
        "duration": "1800s",
    }
    (stop,) = world.client.post("/stops/imports", [new]).json()["stops"]
    wishes = {"latenessCostPerHour": 10, "maxLateness": "60s"}
    body = {"stops": [{"importedStopId": stop["id"], **wishes}], "routeIds": [route["id"]]}
    (found,) = world.client.post("/insertions", body).json()["stops"]
    (place,) = found["places"]
    (late,) = place["newViolations"]
    assert (place["index"], late["type"], late["subject"]) == (0, "timeWindows", ids(route)[0])
    (reason,) = found["reasons"]
    (limit,) = reason["limits"]
    assert (reason["type"], limit["type"]) == ("CONTENTION", "timeWindows")
    assert limit["subject"] == ids(route)[0]
