"""Lists show what was asked for, page by page, whatever else there is."""

from typing import Any
from urllib.parse import quote

import pytest
from tests.api.busy_route import BusyRoute, busy_route, hire
from tests.api.conftest import World
from tests.api.test_routes import add, create_route

pytestmark = [pytest.mark.spec("decisions §14"), pytest.mark.both_databases]

FIRST = {"year": 2024, "month": 7, "day": 1}
HERE = {"latitude": 39.3, "longitude": -76.61}


def listed(world: World, what: str, query: str) -> list[str]:
    """Return the ids of all pages of one row each; none may be empty but the only one."""
    answer = world.client.get(f"{what}?query.limit=1&{query}").json()
    key = "routes" if what == "/routes" else "stops"
    found = [row["id"] for row in answer[key]]
    while answer["nextCursor"]:
        answer = world.client.get(f"{what}?cursor={answer['nextCursor']}").json()
        assert len(answer[key]) == 1
        found += [row["id"] for row in answer[key]]
    return found


def imports(world: World, *drafts: dict[str, Any]) -> list[str]:
    answer = world.client.post("/stops/imports", list(drafts)).json()
    return [stop["id"] for stop in answer["stops"]]


def with_stop(world: World, name: str, stop: dict[str, Any], **fields: Any) -> str:
    world.clock.advance(minutes=1)
    route = create_route(world, name=name, **fields)
    (imported,) = imports(world, {"coordinates": HERE, **stop})
    add(world, route, [imported])
    return route


@pytest.mark.parametrize(
    "part",
    ["ÖSTRA", "östra", "Ｏ'hara", "pat o'", "GmbH %26 co", "№-7_%25", "410555"],  # noqa: RUF001 -- full width
)
def test_routes_are_searched_by_what_people_say_without_regard_to_case(
    world: World, part: str
) -> None:
    contact = {"firstName": "Pat", "lastName": "O'Hara", "company": "Bäcker GmbH & Co"}
    found = with_stop(
        world,
        "Östra gatan",
        {"contact": {**contact, "phone": "+14105550123"}, "orderName": "№-7_%x"},
    )
    with_stop(world, "Elsewhere", {"contact": {"firstName": "Pato"}, "orderName": "№-7ab"})
    world.stranger.post("/routes", {"start": {"coordinates": HERE}, "name": "östra pat o'"})
    assert listed(world, "/routes", f"query.text={part}") == [found]


@pytest.mark.parametrize("part", ["(410) 555-0123", "0410 5550123", "Pat@Example.com", "pat@"])
def test_lists_are_searched_by_phone_as_it_is_written_and_by_email(world: World, part: str) -> None:
    contact = {"phone": "+14105550123", "email": "pat@example.com"}
    found = with_stop(world, "Named", {"contact": contact})
    with_stop(world, "Elsewhere", {"contact": {"phone": "+14105550124", "email": "pa@a.com"}})
    assert listed(world, "/routes", f"query.text={quote(part)}") == [found]
    (stop,) = imports(world, {"coordinates": HERE, "contact": contact})
    imported = listed(world, "/stops/imports", f"query.text={quote(part)}&query.unrouted=true")
    assert imported == [stop]
    for number, one in enumerate((contact, {"phone": "+14105550124"})):
        body = {"coordinates": HERE, "contact": one}
        world.client.send("PUT", f"/store-orders/{number}", json=body)
    orders = world.client.get(f"/store-orders?query.text={quote(part)}").json()
    assert [order["id"] for order in orders["storeOrders"]] == ["0"]


def test_a_renamed_route_is_found_by_its_new_name_alone(world: World) -> None:
    route = with_stop(world, "Before", {})
    world.client.send(
        "PATCH", f"/routes/{route}", json={"route": {"name": "After"}, "updateMask": "name"}
    )
    assert listed(world, "/routes", "query.text=before") == []
    assert listed(world, "/routes", "query.text=after") == [route]
    world.client.send("DELETE", f"/routes/{route}")
    assert listed(world, "/routes", "query.text=after") == []


def test_tags_are_whole_and_their_case_counts(world: World) -> None:
    tags = ['quote" and , comma', "cold"]
    route = with_stop(world, "r", {"tags": tags}, tags=tags)
    with_stop(world, "other", {"tags": ["coldest", "Cold"]}, tags=["coldest", "Cold", '"cold'])
    for tag in ("cold", "quote%22%20and%20,%20comma"):
        assert listed(world, "/routes", f"query.tag={tag}") == [route]
        assert len(listed(world, "/stops/imports", f"query.tag={tag}")) == 1
    assert listed(world, "/routes", "query.tag=col") == []
    assert listed(world, "/routes", "query.tag=comma") == []


def test_routes_are_listed_by_driver_and_vehicle_and_unknown_ones_have_none(world: World) -> None:
    busy = busy_route(world)
    world.clock.advance(minutes=1)
    second = create_route(world, driverId="drv-1")
    create_route(world, driverId="drv-2")
    hire(world, "drv-3")
    assert listed(world, "/routes", "query.driverId=drv-1") == [second, busy.id]
    assert listed(world, "/routes", "query.driverId=drv-1&query.sortKey=UPDATED_AT") == [
        busy.id, second,
    ]  # fmt: skip
    assert listed(world, "/routes", "query.vehicleId=veh-1&query.driverId=drv-1") == [busy.id]
    for query in ("driverId=drv-3", "driverId=nobody", "vehicleId=none", "text=nothing"):
        assert listed(world, "/routes", f"query.{query}") == []


def test_the_status_is_derived_from_the_stops_and_lists_are_narrowed_by_it(world: World) -> None:
    busy: BusyRoute = busy_route(world)
    empty = create_route(world)

    def is_now(status: str) -> None:
        assert busy.read()["status"] == status
        assert busy.id in listed(world, "/routes", f"query.status={status}")
        others = {"UNSTARTED", "READY", "STARTED", "COMPLETED"} - {status}
        for other in others:
            assert busy.id not in listed(world, "/routes", f"query.status={other}")

    is_now("UNSTARTED")
    assert listed(world, "/routes", "query.status=UNSTARTED") == [empty, busy.id]
    assert busy.post("/ready").json()["status"] == "READY"
    is_now("READY")
    add(world, busy.id, ["spare"])
    is_now("READY")
    refused = world.client.get("/routes?query.status=DONE")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)


def test_imported_stops_are_searched_and_listed_by_day(world: World) -> None:
    drafts: list[dict[str, Any]] = [
        {
            "coordinates": HERE,
            "orderName": "ÉTÉ-1",
            "deliveryDate": {"year": 2024, "month": 7, "day": 1},
        },
        {"coordinates": HERE, "contact": {"company": "L'été"}},
        {"coordinates": HERE, "orderName": "winter"},
    ]
    ids = imports(world, *drafts)
    assert set(listed(world, "/stops/imports", "query.text=été")) == set(ids[:2])
    assert set(listed(world, "/stops/imports", "query.text=ÉTÉ&query.unrouted=true")) == set(
        ids[:2]
    )
    assert listed(world, "/stops/imports", "query.deliveryDate=2024-07-01") == ids[:1]
    assert listed(world, "/stops/imports", "query.deliveryDate=2024-07-02") == []
    for wrong in ("2024-7-1", "2024-02-30", "today"):
        refused = world.client.get(f"/stops/imports?query.deliveryDate={wrong}")
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
        named = refused.json()["details"][0]["fieldViolations"][0]["field"]
        assert named == "query.deliveryDate"


@pytest.mark.parametrize(
    "text",
    [
        "' OR '1'='1",
        "'; DROP TABLE routes; --",
        '" OR 1=1 --',
        "\\' OR 1=1 --",
        "x' UNION SELECT 1",
    ],
)
def test_what_is_searched_for_is_text_and_never_sql(world: World, text: str) -> None:
    create_route(world, name="another")
    named = create_route(world, name=f"a {text} b")
    asked = quote(text)
    assert listed(world, "/routes", f"query.text={asked}") == [named]
    assert listed(world, "/routes", f"query.tag={asked}") == []
    assert listed(world, "/stops/imports", f"query.text={asked}") == []
    imports(world, {"coordinates": HERE, "clientStopId": text, "note": text})
    kept = world.client.get(f"/stops/imports/{quote(text, safe='')}").json()
    assert (kept["clientStopId"], kept["note"]) == (text, text)
