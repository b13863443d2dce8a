"""Reports of days and drivers: what was done, how punctually, how fast, how well."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import dispatch, sign_up

from roundsman.endpoints.application import Application

type Json = Any

DAYS = "/reports/days?query.from=2024-07-01&query.to=2024-07-02"


def report(world: World, path: str, field: str) -> list[Json]:
    answer = world.client.get(path)
    assert answer.status_code == 200, answer.text
    return list(answer.json()[field])


@pytest.mark.both_databases
def test_a_day_and_its_drivers_are_summed_up(world: World, door: Application) -> None:
    dana = sign_up(world, door)
    route = dispatch(world, dana, stops=3)
    dana.done("ROUTE_STARTED")
    first, second, _ = (stop["id"] for stop in dana.route()["stops"])
    world.clock.advance(minutes=20)
    dana.done("STOP_DELIVERED", stopId=first)
    world.clock.advance(minutes=20)
    dana.done("STOP_ATTEMPTED", stopId=second, reason="NO_ACCESS")
    world.client.post("/routes", {"start": {"coordinates": {"latitude": 39.3, "longitude": -76.6}}})
    (day,) = report(world, DAYS, "days")
    assert (day["date"], day["routes"], day["stops"]) == ("2024-07-01", 2, 3)
    assert (day["delivered"], day["attempted"], day["open"]) == (1, 1, 1)
    assert (day["onTime"], day["late"], day["onTimeShare"]) == (2, 0, 1.0)
    assert (day["secondsOnTheRoad"], day["stopsPerHour"]) == (2400, 3.0)
    assert day["failedReasons"] == [{"reason": "NO_ACCESS", "count": 1}]
    assert day["distanceMeters"] == round(
        world.client.get(f"/routes/{route}").json()["totalDistanceMeters"]
    )
    assert (day["ratings"], "averageRating" in day) == (0, False)
    driven, undriven = report(world, DAYS.replace("days", "drivers"), "drivers")
    assert (driven["driverId"], driven["name"]) == (dana.driver_id, "Dana Driver")
    assert (driven["routes"], driven["attempted"]) == (1, 1)
    assert ("driverId" in undriven, undriven["routes"], undriven["stops"]) == (False, 1, 0)
    world.client.post(f"/routes/{route}/archive")
    assert report(world, DAYS, "days") == [day]  # whatever is put away has been done


def test_a_late_stop_and_a_rating_count(world: World, door: Application) -> None:
    dana = sign_up(world, door)
    dispatch(world, dana, stops=1)
    (stop,) = dana.route()["stops"]
    window = {"timeWindows": [{"end": {"hours": 2, "minutes": 10}}]}
    path = f"/routes/{dana.route_id}/stops/{stop['id']}"
    body = {"routeStop": window, "updateMask": "timeWindows"}
    assert world.client.send("PATCH", path, json=body).status_code == 200
    dana.done("ROUTE_STARTED")
    world.clock.advance(minutes=50)
    dana.done("STOP_DELIVERED", stopId=stop["id"])
    link = world.client.get(f"{path}/rating-link").json()["url"]
    page = link.removeprefix("http://127.0.0.1:8000")
    assert dana.http.post(page, data={"rating": "4"}).status_code == 303
    (day,) = report(world, "/reports/days", "days")
    assert (day["late"], day["onTimeShare"]) == (1, 0.0)
    assert (day["ratings"], day["averageRating"]) == (1, 4.0)


def test_a_report_is_a_table_and_formulas_do_nothing(world: World, door: Application) -> None:
    dispatch(world, sign_up(world, door, firstName="=1+1"), stops=1)
    answer = world.client.get("/reports/drivers?query.format=CSV")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="drivers.csv"'
    header, row = answer.text.lstrip("\ufeff").splitlines()
    assert header.startswith("driverId,name,routes,stops,delivered")
    assert ",=1+1" not in row
    assert "=1+1 Driver" in row
    days = world.client.get("/reports/days?query.format=CSV").text
    assert "2024-07-01,1,1,0,0,1,0,0,," in days


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ("query.from=2024-07-01&query.to=2024-08-01", "query.from"),
        ("query.from=2024-01-01", "query.from"),
        ("query.from=2024-07-03&query.to=2024-07-02", "query.from"),
        ("query.from=2024-02-30", "query.from"),
        ("query.format=PDF", "query.format"),
    ],
)
def test_what_is_no_report_is_refused_by_name(world: World, arguments: str, field: str) -> None:
    answer = world.client.get(f"/reports/days?{arguments}")
    assert (answer.status_code, answer.json()["code"]) == (400, 3)
    assert field in {one["field"] for one in answer.json()["details"][0]["fieldViolations"]}


def test_another_organization_sees_none_of_it(world: World, door: Application) -> None:
    dispatch(world, sign_up(world, door), stops=1)
    assert world.stranger.get("/reports/days").json() == {"days": []}
    assert world.stranger.get("/reports/drivers").json() == {"drivers": []}
    assert world.client.get("/reports/days?query.to=2024-06-20").json() == {"days": []}
