"""Imported stops: the specification's table, decisions §6 and the limits."""

from typing import Any
from urllib.parse import quote

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    BERLIN,
    FULL_STOP,
    HERE,
    NOWHERE,
    TASK,
    UNKNOWN_UUID,
    at,
    new_route,
    new_stops,
    topics,
)
from tests.acceptance.contract.installation import Client, Installation

STOP: dict[str, Any] = {"coordinates": HERE}


@pytest.mark.spec("Limits")
def test_two_hundred_stops_fit_in_an_import_and_not_one_more(client: Client) -> None:
    assert len(client.post("/stops/imports", [STOP] * 200)["stops"]) == 200
    refusal = client.refused("POST", "/stops/imports", [STOP] * 201)
    assert refusal.short == (400, 3)
    assert "200" in refusal.text
    assert len(topics(client)) == 200


@pytest.mark.spec("decisions §6")
def test_an_empty_import_is_refused(client: Client) -> None:
    assert client.refused("POST", "/stops/imports", []).short == (400, 3)


@pytest.mark.spec("decisions §6")
def test_one_bad_stop_keeps_all_out_and_each_is_listed(client: Client) -> None:
    body = [STOP, {}, {"address": NOWHERE}, {**STOP, "priority": -1}, {"address": BALTIMORE}]
    refusal = client.refused("POST", "/stops/imports", body)
    assert refusal.short == (400, 3)
    bad = {field.partition("]")[0] + "]" for field in refusal.fields}
    assert {"[1]", "[3]"} <= bad
    assert not bad & {"[0]", "[4]"}
    assert client.get("/stops/imports")["stops"] == []
    assert topics(client) == []


@pytest.mark.spec("decisions §6")
def test_addresses_that_cannot_be_located_are_each_a_violation(client: Client) -> None:
    body = [STOP, {"address": NOWHERE}, {"address": BERLIN}, {"address": {"zip": "00000"}}]
    refusal = client.refused("POST", "/stops/imports", body)
    assert refusal.short == (400, 3)
    bad = {field.partition("]")[0] + "]" for field in refusal.fields}
    assert bad == {"[1]", "[3]"}
    assert client.get("/stops/imports")["stops"] == []


@pytest.mark.spec("decisions §12")
def test_a_city_that_is_missing_is_said_to_be_missing(client: Client) -> None:
    body = [{"address": {"address1": "5 Main St"}}]
    refusal = client.refused("POST", "/stops/imports", body)
    assert refusal.short == (400, 3)
    assert "missing" in refusal.text
    assert "unknown city" not in refusal.text


@pytest.mark.spec("decisions §6")
def test_the_same_client_stop_id_twice_is_refused(client: Client) -> None:
    body = [{**STOP, "clientStopId": name} for name in ("a", "b", "a")]
    refusal = client.refused("POST", "/stops/imports", body)
    assert (refusal.short, refusal.fields) == ((400, 3), ["[2].clientStopId"])
    client.post("/stops/imports", [{**STOP, "clientStopId": ""}] * 2)


@pytest.mark.spec("decisions §6")
def test_coordinates_are_kept_and_an_address_alone_is_located(client: Client) -> None:
    body = [{**STOP, "address": BERLIN}, {"address": BERLIN}]
    kept, located = client.post("/stops/imports", body)["stops"]
    assert kept["coordinates"] == HERE
    assert 52 < located["coordinates"]["latitude"] < 53
    assert 13 < located["coordinates"]["longitude"] < 14


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("address", "latitude"),
    [
        (BALTIMORE, 39),
        ({"city": "baltimore", "provinceCode": "md"}, 39),
        ({"city": "Berlin", "countryCode": "DE", "address1": "Nosuchstraße 1"}, 52),
        ({"zip": "21202", "countryCode": "US"}, 39),
        ({"zip": "21202-1234", "countryCode": "US"}, 39),
    ],
)
def test_the_gazetteer_knows_cities_and_zip_codes(
    client: Client, address: Any, latitude: int
) -> None:
    (stop,) = client.post("/stops/imports", [{"address": address}])["stops"]
    assert int(stop["coordinates"]["latitude"]) == latitude


@pytest.mark.spec("ImportedStop")
@pytest.mark.spec("decisions §6")
def test_importing_a_known_client_stop_id_replaces_the_whole_stop(client: Client) -> None:
    (first,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client, first)
    told = len(topics(client))
    bare = {**STOP, "clientStopId": FULL_STOP["clientStopId"]}
    (second,) = client.post("/stops/imports", [bare])["stops"]
    assert second["id"] == first["id"]
    assert second["importedAt"] > first["importedAt"]
    assert (second["note"], second["tags"], second["items"]) == ("", [], [])
    assert "address" not in second
    assert client.get("/stops/imports")["stops"] == [second]
    assert client.get(f"/routes/{route['id']}") == route
    assert topics(client, told) == ["IMPORTED_STOP_UPDATED"]


@pytest.mark.spec("Identifier formats")
@pytest.mark.spec("decisions §6")
@pytest.mark.parametrize(
    "name",
    ["order-1", "a b", "a/b", "ü", "100%", "a?b#c", "ist-1", f"IST-{UNKNOWN_UUID}", "a+b"],
)
def test_a_client_stop_id_is_an_id_in_every_path(client: Client, name: str) -> None:
    (stop,) = client.post("/stops/imports", [{**STOP, "clientStopId": name}])["stops"]
    path = f"/stops/imports/{quote(name, safe='')}"
    assert client.get(path) == stop
    body = {"importedStop": {"note": "x"}, "updateMask": "note"}
    assert client.patch(path, body)["note"] == "x"
    place = {"location": {"coordinates": at(1)}, "updateMask": "coordinates"}
    assert client.patch(f"{path}/location", place)["coordinates"] == at(1)
    assert client.put(f"{path}/items", [])["items"] == []
    assert client.put(f"{path}/tasks", [])["tasks"] == []
    assert client.get(f"{path}/routes") == {"routes": []}
    route = new_route(client)
    added = client.post(f"/routes/{route['id']}/stops", [{"importedStopId": name}])
    assert added["stops"][0]["clientStopId"] == name
    assert client.delete(path) == {}
    assert client.refused("GET", path).short == (404, 5)


@pytest.mark.spec("Imported stops")
def test_items_are_replaced_within_their_limits(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    path = f"/stops/imports/{stop['id']}/items"
    most = {"name": "x" * 1500, "quantity": 100_000, "grams": 1_000_000_000, "sku": "s"}
    assert client.put(path, [most])["items"] == [most]
    usual = {**most, "name": "Box of rolls"}
    assert len(client.put(path, [usual] * 499)["items"]) == 499
    before = client.get(f"/stops/imports/{stop['id']}")
    assert client.refused("PUT", path, [usual] * 500).short == (400, 3)
    assert client.refused("PUT", path, [most] * 499).short == (400, 9)  # over 64 KiB a stop
    for field, value in (("name", "x" * 1501), ("quantity", 100_001), ("grams", 1_000_000_001)):
        refusal = client.refused("PUT", path, [most, {**most, field: value}])
        assert (refusal.short, refusal.fields) == ((400, 3), [f"[1].{field}"])
    assert client.get(f"/stops/imports/{stop['id']}") == before
    assert client.put(path, [])["items"] == []


@pytest.mark.spec("Imported stops")
@pytest.mark.spec("decisions §12")
def test_tasks_are_replaced_and_shown_as_templates(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    path = f"/stops/imports/{stop['id']}/tasks"
    shown = client.put(path, [TASK, {**TASK, "title": "Again"}])["tasks"]
    assert shown == [TASK, {**TASK, "title": "Again"}]
    with_ids = [{**TASK, "id": f"tsk-{UNKNOWN_UUID}", "input": {"value": "x"}}]
    assert client.put(path, with_ids)["tasks"] == [TASK]
    assert client.put(path, [])["tasks"] == []
    refusal = client.refused("PUT", path, [{"title": "x", "type": "CHECKBOX"}])
    assert (refusal.short, refusal.fields) == ((400, 3), ["[0].type"])


@pytest.mark.spec("decisions §6")
def test_a_deleted_stop_stays_on_its_routes(client: Client) -> None:
    (stop,) = new_stops(client, 1)
    route = new_route(client, stop)
    client.delete(f"/stops/imports/{stop['id']}")
    assert client.get(f"/routes/{route['id']}") == route
    assert route["stops"][0]["importedStopId"] == stop["id"]
    assert client.refused("DELETE", f"/stops/imports/{stop['id']}").short == (404, 5)
    assert topics(client)[-1] == "IMPORTED_STOP_DELETED"


@pytest.mark.spec("What the service does")
def test_route_stops_and_imported_stops_change_apart(client: Client) -> None:
    (imported,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client, imported)
    stop = route["stops"][0]
    ist, rst = f"/stops/imports/{imported['id']}", f"/routes/{route['id']}/stops/{stop['id']}"
    client.patch(rst, {"routeStop": {"note": "route"}, "updateMask": "note"})
    client.put(f"{rst}/items", [])
    assert client.get(ist) == imported
    before = client.get(rst)
    client.patch(ist, {"importedStop": {"note": "import"}, "updateMask": "note"})
    client.put(f"{ist}/tasks", [])
    client.patch(
        f"{ist}/location", {"location": {"coordinates": at(2)}, "updateMask": "coordinates"}
    )
    assert client.get(rst) == before


@pytest.mark.spec("decisions §9")
def test_every_change_of_an_imported_stop_is_told_once(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    path = f"/stops/imports/{stop['id']}"
    client.patch(path, {"importedStop": {"note": "n"}, "updateMask": "note"})
    client.put(f"{path}/items", [])
    client.put(f"{path}/tasks", [])
    client.patch(
        f"{path}/location", {"location": {"coordinates": at(2)}, "updateMask": "coordinates"}
    )
    last = client.get(path)
    client.delete(path)
    events = client.get("/events")["events"]
    updated = ["IMPORTED_STOP_UPDATED"] * 4
    told = ["IMPORTED_STOP_CREATED", *updated, "IMPORTED_STOP_DELETED"]
    assert [event["topic"] for event in events] == told
    assert {event["objectId"] for event in events} == {stop["id"]}
    assert events[0]["payload"] == stop
    assert events[-2]["payload"] == events[-1]["payload"] == last
    times = [event["eventTimestamp"] for event in events]
    assert times == sorted(set(times))


@pytest.mark.spec("decisions §9")
def test_an_update_that_changes_nothing_tells_nothing(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    path = f"/stops/imports/{stop['id']}"
    told = topics(client)
    client.patch(path, {"importedStop": {"note": stop["note"]}, "updateMask": "note"})
    assert topics(client) == told


@pytest.mark.spec("decisions §2")
def test_two_organizations_may_use_the_same_client_stop_id(
    installation: Installation, client: Client
) -> None:
    other = installation.new_client()
    body = [{**STOP, "clientStopId": "same"}]
    mine, theirs = (c.post("/stops/imports", body)["stops"][0] for c in (client, other))
    assert mine["id"] != theirs["id"]
    assert client.get("/stops/imports/same") == mine
    other.delete("/stops/imports/same")
    assert client.get("/stops/imports/same") == mine
