"""Days and moments outside the years that are planned, and the first and last within them."""

import json

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import (
    DEPOT,
    QUICK,
    Json,
    import_stops,
    plan,
    read,
    served,
    van,
    violations,
)
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §1")

OUTSIDE = "must be in the years 1900 to 2199"
YEAR = "must be between 1900 and 2199"
NO_DATE = {"year": 9999, "month": 12, "day": 31}
OVER_MIDNIGHT = [{"start": {"hours": 23}, "end": {"hours": 1}}]
FROM_EIGHT = [{"start": {"hours": 8}}]
HERE = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
FIRST = {"year": 1900, "month": 1, "day": 1}
LAST = {"year": 2199, "month": 12, "day": 31}


def a_stop(**fields: Json) -> Json:
    return {"coordinates": {"latitude": 39.3, "longitude": -76.6}, **fields}


def new_route(world: World, **fields: Json) -> Json:
    made = world.client.post("/routes", {"start": HERE, "end": HERE, **fields})
    assert made.status_code == 200, made.text
    return made.json()


def add(world: World, route: Json, *ids: str) -> Json:
    stops = [{"importedStopId": id_} for id_ in ids]
    return world.client.post(f"/routes/{route['id']}/stops", stops)


def change(world: World, route: Json, moment: str) -> Json:
    body = {"route": {"scheduledFor": moment}, "updateMask": "scheduledFor"}
    return world.client.send("PATCH", f"/routes/{route['id']}", json=body)


def rewrite(world: World, table: str, old: str, new: str) -> None:
    """Have what is stored say something that is refused by now."""
    with world.tools.database.writing() as tx:
        assert tx.exec_driver_sql(
            f"UPDATE {table} SET body = replace(body, '{old}', '{new}') WHERE body LIKE '%{old}%'"  # noqa: S608 -- a test's own words
        ).rowcount


@pytest.mark.parametrize("year", [1, 1899, 2200, 9999])
def test_a_day_outside_the_years_is_refused_by_field(world: World, year: int) -> None:
    day = {"year": year, "month": 1, "day": 1}
    refused = world.client.post("/stops/imports", [a_stop(deliveryDate=day)])
    assert violations(refused) == [("[0].deliveryDate.year", YEAR)]
    (id_,) = import_stops(world, {})
    body = {"importedStop": {"deliveryDate": day}, "updateMask": "deliveryDate"}
    refused = world.client.send("PATCH", f"/stops/imports/{id_}", json=body)
    assert violations(refused) == [("importedStop.deliveryDate.year", YEAR)]
    route = new_route(world)
    (stop,) = add(world, route, id_).json()["stops"]
    body = {"routeStop": {"deliveryDate": day}, "updateMask": "deliveryDate"}
    refused = world.client.send("PATCH", f"/routes/{route['id']}/stops/{stop['id']}", json=body)
    assert violations(refused) == [("routeStop.deliveryDate.year", YEAR)]


MOMENTS = ["0001-01-01T00:00:00Z", "1899-12-31T23:59:59Z", "2200-01-01T00:00:00Z",
           "9999-12-31T23:59:59Z"]  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_outside_the_years_is_refused_by_field(world: World, moment: str) -> None:
    refused = world.client.post("/routes", {"start": HERE, "scheduledFor": moment})
    assert violations(refused) == [("scheduledFor", OUTSIDE)]
    route = new_route(world)
    assert violations(change(world, route, moment)) == [("route.scheduledFor", OUTSIDE)]
    preview = world.client.post(f"/routes/{route['id']}/preview", {"scheduledFor": moment})
    assert violations(preview) == [("scheduledFor", OUTSIDE)]
    span = {"start": moment, "end": moment}
    resting = van(
        shift={**span, "latestStart": moment}, breaks=[{"timeWindow": span, "duration": "60s"}]
    )
    refused = world.client.post("/plans", {"stopFilter": {}, "vehicles": [resting]})
    assert [field for field, words in violations(refused) if words == OUTSIDE] == [
        "vehicles[0].shift.start",
        "vehicles[0].shift.end",
        "vehicles[0].shift.latestStart",
        "vehicles[0].breaks[0].timeWindow.start",
        "vehicles[0].breaks[0].timeWindow.end",
    ]


@pytest.mark.parametrize("day", ["0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31"])
def test_a_report_of_a_day_outside_the_years_is_refused_by_field(world: World, day: str) -> None:
    for report in ("days", "drivers", "arrivals"):
        for name in ("from", "to"):
            refused = world.client.get(f"/reports/{report}?query.{name}={day}")
            assert (f"query.{name}", OUTSIDE) in violations(refused), report
    assert violations(world.client.get(f"/days/{day}")) == [("date", OUTSIDE)]


def test_reports_reach_from_the_first_year_to_the_last(world: World) -> None:
    for report in ("days", "drivers", "arrivals"):
        for day in ("1900-01-01", "2199-12-31"):
            path = f"/reports/{report}?query.from={day}&query.to={day}"
            assert world.client.get(path).status_code == 200, path
    refused = world.client.get("/reports/days?query.from=2024-07-02&query.to=2024-07-01")
    assert violations(refused) == [("query.from", "must not be after to")]


def test_a_file_of_stops_has_days_of_the_years(world: World) -> None:
    sheet = "name,latitude,longitude,deliveryDate\na,39.29,-76.61,9999-12-31\n"
    options: Json = {"content": sheet.encode(), "headers": {"Content-Type": "text/csv"}}
    path = "/stops/imports?query.strict=true"
    refused = world.client.send("POST", path, **options)
    assert refused.status_code == 400
    assert f'"9999-12-31" {OUTSIDE}' in json.dumps(refused.json()).replace('\\"', '"')
    refused = world.client.send("POST", f"{path}&query.deliveryDate=9999-12-31", **options)
    assert ("query.deliveryDate", OUTSIDE) in violations(refused)


@pytest.mark.parametrize("day", [FIRST, LAST, NO_DATE, {"year": 1, "month": 1, "day": 1}])
@pytest.mark.parametrize("windows", [[], OVER_MIDNIGHT, FROM_EIGHT])
def test_a_stop_of_a_day_far_away_keeps_no_other_stop_from_a_plan_or_a_route(
    world: World, day: Json, windows: Json
) -> None:
    far, _ = import_stops(world, {"deliveryDate": LAST, "timeWindows": windows}, {})
    dated = f'"year":{LAST["year"]},"month":{LAST["month"]},"day":{LAST["day"]}'
    rewrite(
        world,
        "imported_stops",
        dated,
        dated if day == LAST else json.dumps(day)[1:-1].replace(" ", ""),
    )
    assert world.client.get("/stops/imports").status_code == 200
    unrouted = {"stopFilter": {"unrouted": True}, "options": QUICK}
    soon = {"start": DEPOT, "end": DEPOT, "id": "van"}
    shift = {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T20:00:00Z"}
    for vehicle in (soon, {**soon, "shift": shift}):
        asked = world.client.post("/plans", {**unrouted, "vehicles": [vehicle]})
        assert asked.status_code == 200, asked.text
        run_waiting_jobs(world.tools)
        done = read(world, asked.json())
        assert done["status"] == "COMPLETED", done
        assert "s1" in served(done)["van"]
        is_of_that_day = "shift" not in vehicle and day in (FIRST, LAST)
        has_no_end = windows == FROM_EIGHT and day["year"] <= FIRST["year"]
        assert ("s0" in served(done)["van"]) is (is_of_that_day or has_no_end)
    route = new_route(world, scheduledFor="2024-07-01T12:00:00Z")
    assert add(world, route, far).status_code == 200
    ordered = world.client.post(f"/routes/{route['id']}/reoptimize", {})
    assert ordered.status_code == 200 or ordered.json()["code"] == 9, "no order keeps its window"
    later = {"scheduledFor": "2024-07-02T12:00:00Z"}
    assert world.client.post(f"/routes/{route['id']}/preview", later).status_code == 200
    assert world.client.post(f"/routes/{route['id']}/dispatch").status_code == 200


EAST = {"latitude": -36.85, "longitude": 174.76}
"""Where it is twelve hours later."""

FIRST_MOMENT, LAST_MOMENT = "1900-01-01T00:00:00Z", "2199-12-31T22:00:00Z"


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        (FIRST_MOMENT, FIRST_MOMENT),
        (FIRST_MOMENT, "0001-01-01T00:00:00Z"),
        (LAST_MOMENT, LAST_MOMENT),
        (LAST_MOMENT, "9999-12-31T22:00:00Z"),
    ],
)
def test_a_route_at_the_edge_of_the_calendar_is_read_changed_and_dispatched(
    world: World, moment: str, stored: str
) -> None:
    here = {"coordinates": EAST}
    route = new_route(world, start=here, end=here, scheduledFor=moment)
    ids = import_stops(
        world,
        {"coordinates": {**EAST, "latitude": -36.86}, "timeWindows": OVER_MIDNIGHT},
        {"coordinates": {**EAST, "latitude": -36.87}, "timeWindows": FROM_EIGHT},
    )
    assert add(world, route, *ids).status_code == 200
    if stored != moment:
        rewrite(world, "routes", moment[:11], stored[:11])
    path = f"/routes/{route['id']}"
    read_route = world.client.get(path).json()
    assert read_route["scheduledFor"][:4] == moment[:4]
    stop_path = f"{path}/stops/{read_route['stops'][0]['id']}"
    exports = [f"{path}/export?query.format={kind}" for kind in ("CSV", "XLSX", "GPX", "ICS")]
    paths = [f"{path}/timetable", f"{path}/sheet", f"{stop_path}/explanation", *exports]
    for one in (*paths, f"{stop_path}/tracking-link"):
        assert world.client.get(one).status_code == 200, one
    (late,) = import_stops(world, {"clientStopId": "late", "coordinates": EAST})
    places = {"stops": [{"importedStopId": late}], "routeIds": [route["id"]]}
    assert world.client.post("/insertions", places).status_code == 200
    body = {"route": {"note": "x"}, "updateMask": "note"}
    assert world.client.send("PATCH", path, json=body).status_code == 200
    assert world.client.post(f"{path}/preview", {}).status_code == 200
    ordered = world.client.post(f"{path}/reoptimize", {})
    assert ordered.status_code == 200 or ordered.json()["code"] == 9, "no order keeps its window"
    planned = world.client.post("/plans", {"routes": [{"routeId": route["id"]}], "options": QUICK})
    run_waiting_jobs(world.tools)
    assert read(world, planned.json())["status"] == "COMPLETED"
    assert world.client.post(f"{path}/dispatch").status_code == 200
    assert change(world, route, "2024-07-01T12:00:00Z").status_code == 200


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("1900-01-01T00:00:00Z", "1900-01-01T12:00:00Z"),
        ("2199-12-31T12:00:00Z", "2199-12-31T23:59:59Z"),
    ],
)
def test_a_plan_at_the_edge_of_the_years_is_found_and_applied(
    world: World, start: str, end: str
) -> None:
    ids = import_stops(world, {}, {})
    done = plan(world, ids, van(shift={"start": start, "end": end}))
    assert done["unassigned"] == []
    assert world.client.post(f"/plans/{done['id']}/apply").status_code == 200
