"""A day shows the organization's routes and what is on none, and says when anything has changed."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
from tests.api.busy_route import busy_route, hire
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.plan_requests import SHIFT, import_stops, plan, van
from tests.api.test_routes import add, create_route, import_line
from tests.support.in_process import InProcessClient

from roundsman.domain.address import Coordinates
from roundsman.domain.day import MOST_UNROUTED_SHOWN
from roundsman.domain.live_route import LiveRoute
from roundsman.domain.route import DriverFix
from roundsman.operations.changes import open_change_cursor, read_changes
from roundsman.storage.live_routes import Saving, save_live_route
from roundsman.storage.routes import find_route, save_route

pytestmark = pytest.mark.spec("decisions §14")

TODAY = "2024-07-01"
AT_NINE = "2024-07-01T09:00:00Z"
COLUMNS = {
    "ids", "names", "statuses", "latitudes", "longitudes", "plannedArrivals", "updatedArrivals",
    "late", "matchTypes",
}  # fmt: skip


def day(world: World, date: str = TODAY) -> Any:
    answer = world.client.get(f"/days/{date}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def colors_of(world: World) -> list[str]:
    return [route["color"] for route in day(world)["routes"]]


def live_in(world: World, timezone: str) -> None:
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(f"UPDATE organizations SET timezone = '{timezone}'")  # noqa: S608 -- a zone's name


def has(world: World, tag: str, date: str = TODAY) -> bool:
    http = InProcessClient(world.client.interface, headers=world.client.headers)
    answer = http.get(f"/api/2024-07/days/{date}", headers={"If-None-Match": tag})
    return bool(answer.status_code == 304)


def move(world: World, route: str, seconds: int, late_by: dict[str, datetime]) -> None:
    """Save what a driver's position means beside a route."""
    here = Coordinates(latitude=39.3, longitude=-76.6)
    at = datetime(2024, 7, 1, 9, 0, seconds, tzinfo=UTC)
    version = int(world.client.get(f"/routes/{route}").headers["etag"].strip('"').split(".")[0])
    live = LiveRoute(fix=DriverFix(coordinates=here, at=at), version=version, arrivals=late_by)
    saving = Saving(world.credentials.organization_id, route, "drv-1", at)
    with world.tools.database.writing() as tx:
        save_live_route(tx, saving, live)


def test_a_day_shows_routes_with_their_stops_in_columns(world: World) -> None:
    busy = busy_route(world)
    world.client.send(
        "PATCH",
        f"/routes/{busy.id}",
        json={"route": {"scheduledFor": AT_NINE}, "updateMask": "scheduledFor"},
    )
    shown = day(world)
    assert (shown["date"], shown["timezone"]) == (TODAY, "UTC")
    (route,) = shown["routes"]
    whole = world.client.get(f"/routes/{busy.id}").json()
    for same in ("id", "name", "driver", "vehicle", "status", "scheduledFor"):
        assert route[same] == whole[same]
    assert route["plannedEnd"] == route["expectedEnd"] == whole["end"]["plannedArrival"]
    assert route["color"].startswith("#")
    assert route["start"] == whole["start"]["coordinates"]
    assert route["end"] == whole["end"]["coordinates"]
    assert route["late"] == 0
    columns = route["stops"]
    assert columns.keys() == COLUMNS
    stops = whole["stops"]
    assert columns["ids"] == [stop["id"] for stop in stops]
    assert columns["statuses"] == [stop["deliveryStatus"] for stop in stops]
    assert columns["latitudes"] == [stop["plannedCoordinates"]["latitude"] for stop in stops]
    assert columns["longitudes"] == [stop["plannedCoordinates"]["longitude"] for stop in stops]
    assert columns["plannedArrivals"] == [stop["plannedArrival"] for stop in stops]
    assert columns["updatedArrivals"] == [stop["updatedArrival"] for stop in stops]
    assert columns["late"] == [False] * len(stops)
    assert columns["matchTypes"] == [stop.get("geocoding", {}).get("matchType") for stop in stops]
    assert "GIVEN" in columns["matchTypes"]


def test_stops_on_no_route_stand_in_the_order_in_which_they_came(world: World) -> None:
    here = {"latitude": 39.29, "longitude": -76.6}
    names = [f"#{number}" for number in range(20)]
    stops = [{"coordinates": here, "orderName": name} for name in names]
    world.client.post("/stops/imports", stops[:12])
    world.clock.advance(seconds=1)
    world.client.post("/stops/imports", stops[12:])
    assert [stop["name"] for stop in day(world)["unrouted"]["stops"]] == names


def test_routes_of_a_day_have_colors_of_their_own_while_there_are_free_ones(world: World) -> None:
    create_route(world, scheduledFor=AT_NINE)
    for _ in range(9):
        create_route(world, scheduledFor="2024-07-02T09:00:00Z")
    create_route(world, scheduledFor=AT_NINE)  # the eleventh would have the first one's color
    before, coming = colors_of(world), day(world)["nextColors"]
    assert len(set(before)) == 2
    assert not set(coming[:8]) & set(before)
    for _ in range(8):
        create_route(world, scheduledFor=AT_NINE)
    assert colors_of(world) == [*before, *coming[:8]]
    assert len(set(colors_of(world))) == 10
    create_route(world, scheduledFor=AT_NINE)
    assert colors_of(world)[-1] == coming[8]


def test_the_routes_of_a_plan_get_the_next_colors_in_its_order(world: World) -> None:
    create_route(world, scheduledFor=SHIFT["start"])
    (first,) = colors_of(world)
    done = plan(world, import_stops(world, *[{}] * 6), van(count=3, maxStops=2))
    coming = day(world)["nextColors"][:3]
    world.client.post(f"/plans/{done['id']}/apply")
    assert [route["name"] for route in day(world)["routes"]][1:] == [
        route["vehicle"] for route in done["routes"]
    ]
    assert colors_of(world) == [first, *coming]


def test_what_is_not_known_of_a_route_is_null_or_left_out(world: World) -> None:
    route = create_route(world)
    add(world, route, import_line(world, 1))
    (shown,) = day(world)["routes"]
    assert not shown.keys() & {"driver", "vehicle", "scheduledFor", "plannedEnd", "expectedEnd"}
    assert shown["stops"]["plannedArrivals"] == shown["stops"]["updatedArrivals"] == [None]
    assert (shown["status"], shown["stops"]["late"]) == ("UNSTARTED", [False])


def test_stops_are_called_by_whom_they_are_for_then_by_order_then_by_address(world: World) -> None:
    here = {"latitude": 39.29, "longitude": -76.6}
    said: list[dict[str, Any]] = [
        {"contact": {"firstName": "Ann", "lastName": "Ames", "company": "Co"}, "orderName": "#1"},
        {"contact": {"company": "Co"}, "orderName": "#2"},
        {"orderName": "#3", "address": {"address1": "100 Light St"}},
        {"address": {"address1": "100 Light St", "city": "Baltimore"}},
        {},
    ]
    stops = [{"coordinates": here, **one} for one in said]
    ids = [stop["id"] for stop in world.client.post("/stops/imports", stops).json()["stops"]]
    names = ["Ann Ames", "Co", "#3", "100 Light St", ""]
    by_id = {stop["importedStopId"]: stop["name"] for stop in day(world)["unrouted"]["stops"]}
    assert by_id == dict(zip(ids, names, strict=True))
    add(world, create_route(world), ids)
    assert day(world)["routes"][0]["stops"]["names"] == names


@pytest.mark.both_databases
def test_routes_are_of_the_local_day_they_are_scheduled_for_or_made_on(world: World) -> None:
    live_in(world, "America/New_York")  # 02:00 there, at 06:00 UTC
    first = create_route(world, scheduledFor="2024-07-01T04:00:00Z")
    last = create_route(world, scheduledFor="2024-07-02T03:59:59.999999Z")
    made = create_route(world)
    yesterday = create_route(world, scheduledFor="2024-07-01T03:59:59.999999Z")
    tomorrow = create_route(world, scheduledFor="2024-07-02T04:00:00Z")
    archived = create_route(world, scheduledFor=AT_NINE)
    world.client.post(f"/routes/{archived}/archive", {})
    world.stranger.post(
        "/routes",
        {"start": {"coordinates": {"latitude": 1, "longitude": 1}}, "scheduledFor": AT_NINE},
    )
    assert {route["id"] for route in day(world)["routes"]} == {first, last, made}
    assert [route["id"] for route in day(world, "2024-06-30")["routes"]] == [yesterday]
    assert [route["id"] for route in day(world, "2024-07-02")["routes"]] == [tomorrow]
    assert day(world, "2024-07-03")["routes"] == []


@pytest.mark.parametrize(
    ("zone", "date", "first", "last"),
    [
        ("America/New_York", "2024-03-10", "2024-03-10T05:00:00Z", "2024-03-11T03:59:59Z"),
        ("America/New_York", "2024-11-03", "2024-11-03T04:00:00Z", "2024-11-04T04:59:59Z"),
        # Midnight itself is skipped, and comes twice.
        ("Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00Z", "2024-03-31T20:59:59Z"),
        ("America/Havana", "2024-11-03", "2024-11-03T04:00:00Z", "2024-11-04T04:59:59Z"),
    ],
)
def test_a_day_on_which_clocks_change_is_shorter_or_longer(
    world: World, zone: str, date: str, first: str, last: str
) -> None:
    live_in(world, zone)
    on_it = [create_route(world, scheduledFor=at) for at in (first, last)]
    for edge in (first, last):
        moment = datetime.fromisoformat(edge)
        other = moment.timestamp() + (-1 if edge == first else 1)
        create_route(world, scheduledFor=datetime.fromtimestamp(other, UTC).isoformat())
    assert [route["id"] for route in day(world, date)["routes"]] == on_it


@pytest.mark.both_databases
def test_what_is_on_no_route_is_of_its_day_and_without_one_of_today(world: World) -> None:
    (undated,) = import_line(world, 1, duration="300s", timeWindows=[{"start": {"hours": 9}}])
    (dated,) = import_line(world, 2, deliveryDate={"year": 2024, "month": 7, "day": 1})
    (later,) = import_line(world, 3, deliveryDate={"year": 2024, "month": 7, "day": 2})
    (routed,) = import_line(world, 4)
    add(world, create_route(world), [routed])
    order = {"name": "#7", "address": {"address1": "1 Elm St", "city": "Baltimore"}}
    for name in ("7", "8"):
        world.client.send("PUT", f"/store-orders/{name}", json={**order, "name": f"#{name}"})
    world.client.post(f"/routes/{create_route(world)}/store-orders", [{"storeOrderId": "8"}])
    unrouted = day(world)["unrouted"]
    assert unrouted["count"] == 3
    by_id = {one.get("importedStopId") or one["storeOrderId"]: one for one in unrouted["stops"]}
    assert by_id.keys() == {undated, dated, "7"}
    assert by_id[undated] == {
        "importedStopId": undated,
        "name": "",
        "latitude": 39.29,
        "longitude": -76.6,
        "timeWindows": [{"start": {"hours": 9, "minutes": 0, "seconds": 0}}],
        "duration": "300s",
        "undated": True,
        "matchType": "GIVEN",
    }
    assert by_id[dated]["undated"] is False
    assert (by_id["7"]["name"], by_id["7"]["undated"]) == ("#7", True)
    tomorrow = day(world, "2024-07-02")["unrouted"]
    assert (tomorrow["count"], tomorrow["stops"][0]["importedStopId"]) == (1, later)
    assert day(world, "2024-06-30")["unrouted"] == {"count": 0, "stops": []}


def test_all_that_is_on_no_route_is_counted_and_so_much_of_it_shown(world: World) -> None:
    stop = {"coordinates": {"latitude": 39.29, "longitude": -76.6}}
    for _ in range(MOST_UNROUTED_SHOWN // 200 + 1):
        world.client.post("/stops/imports", [stop] * 200)
        world.clock.advance(seconds=10)
    unrouted = day(world)["unrouted"]
    assert unrouted["count"] == MOST_UNROUTED_SHOWN + 200
    assert len(unrouted["stops"]) == MOST_UNROUTED_SHOWN


@pytest.mark.parametrize(
    "date",
    ["today", "2024-7-1", "20240701", "2024-02-30", "2024-W27-1", "2024-07-01T00:00", "0001-01-01",
     "9999-12-31"],
)  # fmt: skip
def test_what_is_no_day_is_refused_by_name(world: World, date: str) -> None:
    refused = world.client.get(f"/days/{date}")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert "date" in refused.json()["message"]
    assert '"field":"date"' in refused.text.replace(" ", "")


@pytest.mark.both_databases
def test_whatever_a_day_shows_changes_its_tag(world: World) -> None:
    busy = busy_route(world)
    (spare,) = import_line(world, 5)
    order = {"name": "#7"}
    changes: tuple[Callable[[], Any], ...] = (
        lambda: busy.patch("", {"route": {"name": "n"}, "updateMask": "name"}),
        lambda: world.client.send(
            "PATCH", "/vehicles/veh-1", json={"vehicle": {"name": "Red"}, "updateMask": "name"}
        ),
        lambda: world.client.send(
            "PATCH",
            "/drivers/drv-1",
            json={"driver": {"firstName": "Ann"}, "updateMask": "firstName"},
        ),
        lambda: import_line(world, 6),
        lambda: world.client.send("DELETE", f"/stops/imports/{spare}"),
        lambda: world.client.send("PUT", "/store-orders/7", json=order),
        lambda: world.client.post(f"/routes/{busy.id}/archive", {}),
        lambda: live_in(world, "Pacific/Pago_Pago"),  # where it is yesterday still
    )
    tag = world.client.get(f"/days/{TODAY}").headers["etag"]
    for change in changes:
        assert has(world, tag)
        before = day(world)
        change()
        assert not has(world, tag)
        after = world.client.get(f"/days/{TODAY}")
        tag = after.headers["etag"]
        assert after.json() != before
        assert tag.strip('"').partition(".")[0] == str(after.json()["version"])


@pytest.mark.both_databases
def test_a_position_changes_the_tag_but_not_the_version_and_makes_stops_late(world: World) -> None:
    hire(world, "drv-1")
    window = [{"start": {"hours": 8}, "end": {"hours": 12}}]
    route = create_route(world, scheduledFor="2024-07-01T12:00:00Z")
    add(world, route, import_line(world, 1, 2, timeWindows=window))
    create_route(world, scheduledFor="2024-07-02T12:00:00Z")
    ids = [stop["id"] for stop in world.client.get(f"/routes/{route}").json()["stops"]]
    world.client.send("PUT", f"/routes/{route}/driver", json={"driverId": "drv-1"})
    first = world.client.get(f"/days/{TODAY}")
    assert first.json()["routes"][0]["late"] == 0
    assert first.json()["routes"][0]["lateness"] == {}
    tomorrow = world.client.get("/days/2024-07-02").headers["etag"]
    start_on_the_road(world, route)
    before = world.client.get(f"/days/{TODAY}")
    noon_there = datetime(2024, 7, 1, 16, 0, tzinfo=UTC)
    move(world, route, 1, {ids[0]: noon_there, ids[1]: noon_there.replace(minute=1)})
    assert not has(world, before.headers["etag"])
    after = world.client.get(f"/days/{TODAY}")
    assert after.json()["version"] == before.json()["version"]
    (shown,) = after.json()["routes"]
    assert (shown["late"], shown["stops"]["late"]) == (1, [False, True])
    assert shown["lateness"] == {ids[1]: "60s"}
    assert shown["stops"]["updatedArrivals"][1] == "2024-07-01T16:01:00Z"
    assert shown["expectedEnd"] == "2024-07-01T16:01:00Z" > shown["plannedEnd"]
    assert shown["status"] == "STARTED"
    assert has(world, after.headers["etag"])
    assert (
        tomorrow.split(".")[1] == world.client.get("/days/2024-07-02").headers["etag"].split(".")[1]
    )


def start_on_the_road(world: World, route: str) -> None:
    """Have the driver leave, as the driver's door would."""
    organization = world.credentials.organization_id
    with world.tools.database.writing() as tx:
        read = find_route(tx, organization, route)
        assert read is not None
        at = datetime(2024, 7, 1, 12, tzinfo=UTC)
        save_route(tx, organization, read.route.started(at, at), read=read)


def test_a_day_is_compressed_and_the_compressed_tag_matches(world: World) -> None:
    import_line(world, *range(20))
    answer = world.client.send("GET", f"/days/{TODAY}", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert has(world, answer.headers["etag"])
    assert has(world, "*")
    assert not has(world, '"0.0"')


def test_changes_follow_after_the_version_of_a_day(world: World) -> None:
    create_route(world)
    version = day(world)["version"]
    later = create_route(world)
    organization = world.credentials.organization_id
    number = open_change_cursor(world.tools, organization, str(version), "after")
    assert [change.id for _, change in read_changes(world.tools, organization, number)] == [later]
    refused = world.client.get(f"/changes?after={version + 2}")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def test_each_organization_has_its_own_day(world: World) -> None:
    create_route(world)
    import_line(world, 1)
    empty = world.stranger.get(f"/days/{TODAY}").json()
    assert (empty["routes"], empty["unrouted"]["count"], empty["version"]) == ([], 0, 0)


def test_a_day_that_has_not_changed_is_not_read_again(world: World) -> None:
    create_route(world)
    before = day(world)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE routes SET body = 'unreadable'")
    assert day(world) == before


def search(client: DescribedClient, text: str) -> Any:
    """Return what of the day has a text in it."""
    answer = client.get(f"/days/{TODAY}/matches?query.text={quote(text)}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_day_is_searched_by_what_people_call_its_stops(world: World) -> None:
    route = create_route(world, scheduledFor=AT_NINE)
    kim = {
        "firstName": "Kim",
        "lastName": "Lee",
        "company": "Kim's Bakery",
        "phone": "+14105550101",
    }
    (first,) = import_line(world, 0, orderName="#1041", contact=kim)
    (second,) = import_line(world, 1, orderName="#1042")
    day_of = {"year": 2024, "month": 7, "day": 1}
    (loose,) = import_line(world, 2, orderName="#1043", deliveryDate=day_of)
    add(world, route, [first, second])
    here = {"latitude": 39.29, "longitude": -76.6}
    world.client.send("PUT", "/store-orders/9", json={"name": "#10499", "coordinates": here})

    ids = {stop["orderName"]: stop["id"] for stop in read_stops(world, route)}
    for text in ("#1041", "bakery", "KIM LEE", "5550101"):
        found = search(world.client, text)
        assert found["routes"] == [{"id": route, "stopIds": [ids["#1041"]]}]
        assert found["unroutedIds"] == []
    found = search(world.client, "#104")
    assert found["routes"][0]["stopIds"] == [ids["#1041"], ids["#1042"]]
    assert found["unroutedIds"] == [loose, "9"]
    stranger = world.stranger.get(f"/days/{TODAY}/matches?query.text=%23104").json()
    assert (stranger["routes"], stranger["unroutedIds"]) == ([], [])
    assert not search(world.client, "#2000").get("routes")
    missing = world.client.get(f"/days/{TODAY}/matches").json()
    assert missing["details"][0]["fieldViolations"][0]["field"] == "query.text"


@pytest.mark.parametrize(
    ("stored", "sought"),
    [
        ("+496221987654", "06221 987654"),
        ("+496221987654", "06221987654"),
        ("+496221987654", "06221 / 98 76-54"),
        ("+496221987654", "(06221) 987654"),
        ("+496221987654", "(0)6221 987654"),
        ("+496221987654", "+49 (0)6221 987654"),
        ("+496221987654", "+49 [0] 6221\u2013987654"),
        ("+496221987654", "0049 6221 987654"),
        ("+496221987654", "987 654"),
        ("+496221987654", "Tel. 06221 987654"),
        ("+496221987654", "tel:+49-6221-987654"),
        ("+496221987654", "\u202a+49\u00a06221\u00a0987654\u202c"),
        ("+14105550101", "(410) 555-0101"),
        ("+14105550101", "410.555.0101"),
        ("+390612345678", "06 1234 5678"),
    ],
)
def test_a_phone_number_is_found_as_people_write_it(world: World, stored: str, sought: str) -> None:
    route = create_route(world, scheduledFor=AT_NINE)
    day_of = {"year": 2024, "month": 7, "day": 1}
    add(world, route, import_line(world, 0, contact={"phone": stored}))
    add(world, route, import_line(world, 1, contact={"phone": "+4962219876000"}))
    (loose,) = import_line(world, 2, contact={"phone": stored}, deliveryDate=day_of)
    here = {"latitude": 39.29, "longitude": -76.6}
    order = {"coordinates": here, "contact": {"phone": stored}}
    world.client.send("PUT", "/store-orders/9", json=order)
    stop = read_stops(world, route)[0]["id"]
    found = search(world.client, sought)
    assert found["routes"] == [{"id": route, "stopIds": [stop]}]
    assert found["unroutedIds"] == [loose, "9"]


@pytest.mark.parametrize("sought", ["0 987", "#06221987654", "A 06221 987654", "06221 987655"])
def test_what_is_no_number_of_four_digits_finds_no_phone(world: World, sought: str) -> None:
    route = create_route(world, scheduledFor=AT_NINE)
    add(world, route, import_line(world, 0, contact={"phone": "+496221987654"}))
    assert search(world.client, sought)["routes"] == []


@pytest.mark.parametrize("sought", ["kunde8@example.de", "Kunde8@", "@EXAMPLE.de"])
def test_a_day_is_searched_by_email(world: World, sought: str) -> None:
    route = create_route(world, scheduledFor=AT_NINE)
    contact = {"email": "kunde8@example.de"}
    add(world, route, import_line(world, 0, contact=contact))
    add(world, route, import_line(world, 1, contact={"email": "kunde9@example.com"}))
    first, _ = read_stops(world, route)
    assert search(world.client, sought)["routes"] == [{"id": route, "stopIds": [first["id"]]}]


def test_a_day_is_searched_by_streets_and_towns_and_by_names_of_routes(world: World) -> None:
    route = create_route(world, scheduledFor=AT_NINE, name="Hills in the North")
    foundry = {"address1": "168 Foundry Street", "city": "Baltimore", "zip": "21231"}
    day_of = {"year": 2024, "month": 7, "day": 1}
    add(world, route, import_line(world, 0, address=foundry))
    dock = {"address1": "9 Dock Road", "countryCode": "US"}
    (far,) = import_line(world, 3, orderName="#77", deliveryDate=day_of, address=dock)
    here = {"latitude": 39.29, "longitude": -76.6}
    order = {"name": "#78", "coordinates": here, "address": dock}
    world.client.send("PUT", "/store-orders/10", json=order)
    (stop,) = read_stops(world, route)
    for text in ("168 foundry", "21231 balt"):
        assert search(world.client, text)["routes"] == [{"id": route, "stopIds": [stop["id"]]}]
    assert search(world.client, "dock road")["unroutedIds"] == [far, "10"]
    assert search(world.client, "US") == {
        "routes": [],
        "unroutedIds": [],
    }  # a country is in every address
    assert search(world.client, "hills in the north")["routes"] == [{"id": route, "stopIds": []}]


def read_stops(world: World, route: str) -> Any:
    return world.client.get(f"/routes/{route}").json()["stops"]
