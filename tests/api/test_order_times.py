"""When an order of a shop is to arrive: changed in the shop, and taken over by its stop."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_order_locations import stop_of, under_way
from tests.api.test_store_orders import add, create_route, push, resync
from tests.api.test_storefronts import Trade, trade

from roundsman.domain.model import UNSET
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow

__all__ = ["trade"]

MONDAY, THURSDAY = Date(year=2024, month=7, day=1), Date(year=2024, month=7, day=4)
NINE, ONE = (
    (TimeWindow(start=TimeOfDay(hours=hour), end=TimeOfDay(hours=hour + 1)),) for hour in (9, 13)
)
SAID = {"delivery_date": MONDAY, "time_windows": ONE}


def day_of(of: Any) -> Any:
    return of.get("deliveryDate", {}).get("day")


def hours_of(of: Any) -> Any:
    windows = of.get("timeWindows")
    return None if windows is None else [window["start"]["hours"] for window in windows]


def take_over(trade: Trade | World, route: str, body: Any = None, tag: str = "") -> Any:
    path = f"/routes/{route}/stops/{stop_of(trade, route)['id']}/resync-windows"
    headers = {"If-Match": tag} if tag else {}
    said = {} if body is None else {"json": body}
    return trade.client.send("POST", path, headers=headers, **said)


@pytest.mark.both_databases
@pytest.mark.parametrize("is_started", [False, True])
def test_a_stop_says_when_its_order_is_to_arrive_by_now(trade: Trade, *, is_started: bool) -> None:
    device = under_way(trade, **SAID)
    route = device.route_id
    if is_started:
        device.done("ROUTE_STARTED")

    def offered(**changes: Any) -> tuple[Any, Any, Any]:
        trade.shop.put(1, **{**SAID, **changes})
        trade.wait_and_visit()
        stop = stop_of(trade, route)
        assert (day_of(stop), hours_of(stop)) == (1, [13])
        progress = trade.client.get("/store-orders/1/progress").json()
        shown = stop["storeOrder"]
        return day_of(shown), hours_of(shown), progress["stops"][0]["isAtAnotherTime"]

    assert offered(tags=("vip",)) == (None, None, False)
    assert offered(delivery_date=THURSDAY, time_windows=NINE) == (4, [9], True)
    assert offered(time_windows=()) == (None, [], True)
    assert resync(trade.world, route).status_code == 200
    assert offered(time_windows=(), tags=("vip",)) == (None, [], True)
    assert offered(delivery_date=UNSET) == (None, None, False)
    assert offered(delivery_date=THURSDAY) == (4, None, True)
    if not is_started:
        device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop_of(trade, route)["id"])
    progress = trade.client.get("/store-orders/1/progress").json()
    assert progress["stops"][0]["isAtAnotherTime"] is False, "nothing is late of what is done"


def test_a_stop_takes_over_the_day_and_windows_of_its_order_and_has_those_before_again(
    trade: Trade,
) -> None:
    route = under_way(trade, **SAID).route_id
    trade.shop.put(1, delivery_date=THURSDAY, time_windows=NINE)
    trade.wait_and_visit()
    events = len(trade.world.topics())
    stop = take_over(trade, route).json()
    assert (day_of(stop), hours_of(stop)) == (4, [9])
    assert stop["storeOrder"] == {"orderNote": "", "customerNote": ""}
    assert trade.client.get(f"/routes/{route}").json()["optimized"] is False
    assert trade.world.topics()[events:] == ["ROUTE_UPDATED"]
    assert take_over(trade, route).json() == stop, "nothing is left to take over"
    assert len(trade.world.topics()) == events + 1
    before = {
        "deliveryDate": {"year": 2024, "month": 7, "day": 1},
        "timeWindows": [{"start": {"hours": 13}, "end": {"hours": 14}}],
    }
    stop = take_over(trade, route, before).json()
    assert (day_of(stop), hours_of(stop)) == (1, [13])
    assert (day_of(stop["storeOrder"]), hours_of(stop["storeOrder"])) == (4, [9])
    stop = take_over(trade, route, {"timeWindows": []}).json()
    assert (day_of(stop), hours_of(stop)) == (None, [])


def test_what_cannot_take_a_time_over_is_refused_and_stays(trade: Trade) -> None:
    device = under_way(trade, **SAID)
    route = device.route_id
    trade.shop.put(1, delivery_date=THURSDAY, time_windows=NINE)
    trade.wait_and_visit()
    assert take_over(trade, route, tag='"1.0"').status_code == 412
    bad = take_over(trade, route, {"timeWindows": [{"start": {"hours": 25}}]})
    assert (bad.status_code, bad.json()["code"]) == (400, 3)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop_of(trade, route)["id"])
    assert refusal(take_over(trade, route)) == "stopDone"
    trade.client.post(f"/routes/{route}/archive", {})
    assert refusal(take_over(trade, route)) == "archived"
    assert hours_of(stop_of(trade, route)) == [13]


def test_an_order_is_not_said_to_be_otherwise_than_a_stop_that_is_put_away(world: World) -> None:
    push(world, "1")
    route = create_route(world)
    add(world, route, "1")
    elsewhere = {"city": "Towson", "provinceCode": "MD", "address1": "9 Oak St"}
    push(world, "1", address=elsewhere, timeWindows=[{"start": {"hours": 9}}])
    resync(world, route)

    def said() -> tuple[Any, Any]:
        (stop,) = world.client.get("/store-orders/1/progress").json()["stops"]
        return stop["isElsewhere"], stop["isAtAnotherTime"]

    assert said() == (True, True)
    world.client.post(f"/routes/{route}/archive", {})
    assert said() == (False, False), "nothing can be taken over there"


def test_a_stop_of_the_pool_has_no_order_whose_time_it_takes_over(world: World) -> None:
    route = create_route(world)
    place = {"coordinates": {"latitude": 39.41, "longitude": -76.59}}
    (stop,) = world.client.post("/stops/imports", [place]).json()["stops"]
    world.client.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}])
    assert refusal(take_over(world, route)) == "storeOrderId"


def refusal(answer: Any) -> Any:
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    return answer.json()["details"][0]["violations"][0]["type"]
