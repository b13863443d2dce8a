"""What an order of stops must obey: limits, windows, priority, arrivals (decisions §7 and §12)."""

import math
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.acceptance.contract.bodies import HERE, at, new_route, new_stops
from tests.acceptance.contract.installation import Client

# Baltimore is four hours behind UTC in July: noon UTC is eight in the morning.
EIGHT = "2024-07-02T12:00:00Z"


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def window(start: int | None, end: int | None) -> dict[str, Any]:
    sides = {"start": start, "end": end}
    return {
        side: {"hours": minute // 60, "minutes": minute % 60}
        for side, minute in sides.items()
        if minute is not None
    }


def stop_at(offset: float, **fields: Any) -> dict[str, Any]:
    return {"coordinates": at(offset), **fields}


def route_of(client: Client, *stops: dict[str, Any], **fields: Any) -> Any:
    made = client.post("/stops/imports", list(stops))["stops"]
    return new_route(client, *made, **{"scheduledFor": EIGHT, **fields})


def reoptimize(client: Client, route: Any, **flags: bool) -> Any:
    return client.post(f"/routes/{route['id']}/reoptimize", flags)


def order(route: Any) -> list[str]:
    return [stop["orderName"] for stop in route["stops"]]


@pytest.mark.spec("States and transitions")
def test_a_line_of_stops_is_driven_from_one_end(client: Client) -> None:
    route = route_of(client, *(stop_at(n / 10, orderName=str(n)) for n in (3, 1, 4, 2)))
    best = reoptimize(client, route)
    assert order(best) == ["1", "2", "3", "4"]
    assert best["totalDistanceMeters"] < route["totalDistanceMeters"]
    legs = sum(stop["distanceMeters"] for stop in best["stops"])
    assert math.isclose(legs, best["totalDistanceMeters"], abs_tol=1)
    arrivals = [stop["plannedArrival"] for stop in best["stops"]]
    assert arrivals == sorted(set(arrivals))
    assert all(stop["updatedArrival"] == stop["plannedArrival"] for stop in best["stops"])
    assert moment(arrivals[0]) > moment(EIGHT)


@pytest.mark.spec("decisions §7")
def test_equal_input_gives_equal_output(client: Client) -> None:
    stops = [
        stop_at(math.sin(n) / 5, orderName=str(n), priority=n % 2, duration="60s")
        for n in range(12)
    ]
    one, two = (reoptimize(client, route_of(client, *stops)) for _ in range(2))
    assert order(one) == order(two)
    assert one["totalDistanceMeters"] == two["totalDistanceMeters"]


@pytest.mark.spec("decisions §7")
def test_higher_priority_comes_first(client: Client) -> None:
    route = route_of(
        client,
        stop_at(0.1, orderName="near"),
        stop_at(0.2, orderName="middle", priority=1),
        stop_at(0.3, orderName="far", priority=2),
    )
    assert order(reoptimize(client, route)) == ["far", "middle", "near"]


@pytest.mark.spec("decisions §7")
def test_a_window_is_local_and_constrains_the_start_of_service(client: Client) -> None:
    route = route_of(
        client,
        stop_at(0.01, orderName="late", timeWindows=[window(600, 660)]),
        stop_at(0.02, orderName="early", timeWindows=[window(None, 540)]),
    )
    best = reoptimize(client, route)
    assert order(best) == ["early", "late"]
    early, late = (moment(stop["plannedArrival"]) for stop in best["stops"])
    assert early < moment("2024-07-02T13:00:00Z")
    # Arrival comes before the wait: the stop opens at ten and the vehicle is there before.
    assert late < moment("2024-07-02T14:00:00Z")


@pytest.mark.spec("decisions §7")
def test_any_of_several_windows_will_do(client: Client) -> None:
    windows = [window(60, 120), window(480, 540)]
    route = route_of(client, stop_at(0.01, timeWindows=windows))
    assert reoptimize(client, route)["optimized"] is True


@pytest.mark.spec("decisions §7")
def test_the_ends_of_a_window_are_inclusive(client: Client) -> None:
    probe = route_of(client, stop_at(0.05))
    arrival = moment(probe["stops"][0]["plannedArrival"])
    local = arrival - timedelta(hours=4)
    exact = {"hours": local.hour, "minutes": local.minute, "seconds": local.second}
    only_then = [{"start": exact, "end": exact}]
    route = route_of(client, stop_at(0.05, timeWindows=only_then))
    assert reoptimize(client, route)["optimized"] is True
    second = timedelta(seconds=1)
    before = local - second
    missed = [{"end": {"hours": before.hour, "minutes": before.minute, "seconds": before.second}}]
    late = route_of(client, stop_at(0.05, timeWindows=missed))
    refusal = client.refused("POST", f"/routes/{late['id']}/reoptimize", {})
    assert refusal.short == (400, 9)
    (violation,) = refusal.preconditions
    assert violation["type"] == "timeWindows"
    assert late["stops"][0]["id"] in violation["subject"] + violation["description"]
    assert "1" in violation["description"]


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize(
    ("departure", "meets"),
    [
        ("2024-07-03T03:00:00Z", True),  # eleven at night
        ("2024-07-02T12:00:00Z", True),  # eight in the morning: it waits until ten at night
        ("2024-07-02T05:30:00Z", True),  # half past one: it waits until ten at night
    ],
)
def test_a_window_may_span_midnight(client: Client, departure: str, *, meets: bool) -> None:
    night = [window(22 * 60, 2 * 60)]
    stop = stop_at(0.01, timeWindows=night)
    route = route_of(client, stop, scheduledFor=departure, end={"coordinates": at(0.02)})
    best = reoptimize(client, route)
    assert best["optimized"] is meets
    served = moment(best["end"]["plannedArrival"]) - timedelta(hours=4)
    assert served.hour in {22, 23, 0, 1, 2}


@pytest.mark.spec("decisions §12")
def test_a_missed_window_does_not_come_back_the_next_day(client: Client) -> None:
    route = route_of(client, stop_at(0.01, timeWindows=[window(60, 120)]))
    refusal = client.refused("POST", f"/routes/{route['id']}/reoptimize", {})
    assert refusal.short == (400, 9)
    assert refusal.preconditions[0]["type"] == "timeWindows"
    assert client.get(f"/routes/{route['id']}") == route
    late = reoptimize(client, route, ignoreRoutingConstraints=True)
    assert late["optimized"] is True


@pytest.mark.spec("decisions §12")
def test_a_delivery_date_says_which_day_a_window_belongs_to(client: Client) -> None:
    tomorrow = {"year": 2024, "month": 7, "day": 3}
    stop = stop_at(0.01, timeWindows=[window(60, 120)], deliveryDate=tomorrow)
    route = route_of(client, stop, end={"coordinates": at(0.02)})
    best = reoptimize(client, route)
    assert moment(best["end"]["plannedArrival"]) > moment("2024-07-03T05:00:00Z")


LIMITS: list[tuple[str, Any, Any]] = [
    ("maxStops", 1, 2),
    ("maxItemCount", 5, 6),
    ("maxKilograms", 4.1, 4.2),
    ("maxDuration", "120s", "86400s"),
]


@pytest.mark.spec("decisions §2")
@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("limit", "tight", "wide"), LIMITS)
def test_a_limit_no_order_meets_is_named_and_the_route_stays(
    client: Client, limit: str, tight: Any, wide: Any
) -> None:
    stops = new_stops(client, 2, items=[{"name": "Box", "quantity": 3, "grams": 700}])
    route = new_route(client, *stops, scheduledFor=EIGHT, **{limit: tight})
    path = f"/routes/{route['id']}"
    refusal = client.refused("POST", f"{path}/reoptimize", {})
    assert refusal.short == (400, 9)
    assert [violation["type"] for violation in refusal.preconditions] == [limit]
    assert all(set(v) == {"type", "subject", "description"} for v in refusal.preconditions)
    assert client.get(path) == route
    forced = client.post(f"{path}/reoptimize", {"ignoreRoutingConstraints": True})
    assert forced["optimized"] is True
    client.patch(path, {"route": {limit: wide}, "updateMask": limit})
    assert client.post(f"{path}/reoptimize", {})["optimized"] is True


@pytest.mark.spec("decisions §7")
def test_every_broken_limit_is_listed(client: Client) -> None:
    stops = new_stops(client, 2, items=[{"name": "Box", "quantity": 3, "grams": 700}])
    limits = {limit: tight for limit, tight, _ in LIMITS}
    route = new_route(client, *stops, scheduledFor=EIGHT, **limits)
    refusal = client.refused("POST", f"/routes/{route['id']}/reoptimize", {})
    assert {violation["type"] for violation in refusal.preconditions} == set(limits)


@pytest.mark.spec("decisions §12")
def test_max_duration_counts_service_and_waiting_to_the_end(client: Client) -> None:
    free = route_of(client, stop_at(0.05, duration="600s"), end={"coordinates": at(0.1)})
    exact = moment(free["end"]["plannedArrival"]) - moment(EIGHT)
    seconds = math.ceil(exact.total_seconds())

    def refused(most: int, **fields: Any) -> bool:
        stop = stop_at(0.05, duration="600s")
        route = route_of(client, stop, maxDuration=f"{most}s", **fields)
        path = f"/routes/{route['id']}/reoptimize"
        return client.send("POST", path, json={}).status_code == 400

    end = {"coordinates": at(0.1)}
    assert not refused(seconds, end=end)
    assert refused(seconds - 1, end=end)
    arrival = moment(free["stops"][0]["plannedArrival"]) - moment(EIGHT)
    departure = math.ceil(arrival.total_seconds()) + 600
    assert not refused(departure)
    assert refused(departure - 1)


@pytest.mark.spec("Routes")
@pytest.mark.parametrize("flag", ["ignoreCompletedStops", "ignoreRoutingConstraints"])
def test_both_flags_are_booleans_that_may_be_given(client: Client, flag: str) -> None:
    for value in (True, False):
        route = new_route(client, *new_stops(client, 2))
        assert reoptimize(client, route, **{flag: value})["optimized"] is True
    path = f"/routes/{new_route(client)['id']}/reoptimize"
    for bad in ("true", 1):
        refusal = client.refused("POST", path, {flag: bad})
        assert (refusal.short, refusal.fields) == ((400, 3), [flag])
    refusal = client.refused("POST", path, {"ignoreCompleted": True})
    assert 'did you mean "ignoreCompletedStops"' in refusal.text.replace('\\"', '"')


@pytest.mark.spec("Route")
def test_a_speed_factor_of_two_halves_the_driving(client: Client) -> None:
    plain = route_of(client, stop_at(0.2))
    fast = route_of(client, stop_at(0.2), speedFactor=2)
    slow, quick = (
        (moment(route["stops"][0]["plannedArrival"]) - moment(EIGHT)).total_seconds()
        for route in (plain, fast)
    )
    assert abs(slow - 2 * quick) <= 2
    assert plain["totalDistanceMeters"] == fast["totalDistanceMeters"]


@pytest.mark.spec("decisions §12")
def test_travel_time_grows_with_distance(client: Client) -> None:
    offsets = (0.001, 0.01, 0.05, 0.2, 0.5)
    arrivals = [route_of(client, stop_at(n))["stops"][0]["plannedArrival"] for n in offsets]
    assert arrivals == sorted(set(arrivals))
    here = route_of(client, {"coordinates": HERE})
    assert here["stops"][0]["distanceMeters"] == 0
