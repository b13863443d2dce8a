"""How sure it is that a stop is where its address says, and what is doubtful about an import."""

from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_geocoding import Noting, SignIn, sign_in
from tests.api.test_store_orders import push
from tests.geocoding.town import small_town

from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.map_indexes import MapIndexes
from roundsman.operations.locations import MOST_COMPARED

__all__ = ["sign_in"]

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

VADUZ = {"latitude": 47.1402, "longitude": 9.522}
BALTIMORE = {"latitude": 39.29, "longitude": -76.61}
SWAPPED = {"latitude": -76.61, "longitude": 39.29}
TOWSON = {"latitude": 39.4, "longitude": -76.6}
PARIS = {"latitude": 48.86, "longitude": 2.35}
NOWHERE = {"latitude": 0.0, "longitude": 0.0}
DOOR = {"address1": "Hauptstrasse 4", "city": "Vaduz"}
MATCHED = "Hauptstrasse 4, Vaduz, 9490, LI"

type Json = Any


@pytest.fixture
def town(tmp_path: Path) -> MapIndexes:
    index = tmp_path / "addresses.sqlite"
    build_index(small_town().write(tmp_path / "town.osm.pbf"), index, lambda _: None)
    return MapIndexes(lambda: [index])


def geocoding(stop: Json) -> tuple[str, str, int | None]:
    found = stop["geocoding"]
    return found["matchType"], found["matchedAddress"], found.get("distanceMeters")


@pytest.mark.spec("decisions §22")
def test_every_stop_says_what_of_its_address_was_found(sign_in: SignIn, town: MapIndexes) -> None:
    client = sign_in(town)
    answer = client.post(
        "/stops/imports",
        [
            {"address": DOOR},
            {"address": {**DOOR, "address1": "Hauptstrasse"}},
            {"address": {"city": "Vaduz"}},
            {"coordinates": VADUZ},
            {"coordinates": VADUZ, "address": DOOR},
            {"coordinates": VADUZ, "address": {"city": "Springfield"}},
        ],
    )
    assert answer.status_code == 200, answer.text
    stops = answer.json()["stops"]
    assert [geocoding(stop) for stop in stops] == [
        ("ROOFTOP", MATCHED, None),
        ("STREET", "Hauptstrasse, Vaduz, 9490, LI", None),
        ("LOCALITY", "Vaduz, LI", None),
        ("GIVEN", "", None),
        ("GIVEN", MATCHED, 0),
        ("GIVEN", "", None),
    ]
    route = client.post("/routes", {"start": {"address": DOOR}, "end": {"coordinates": VADUZ}})
    assert geocoding(route.json()["start"])[0] == "ROOFTOP"
    assert geocoding(route.json()["end"]) == ("GIVEN", "", None)
    path = f"/routes/{route.json()['id']}"
    added = client.post(f"{path}/stops", [{"importedStopId": stops[0]["id"]}])
    (copy,) = added.json()["stops"]
    assert copy["geocoding"] == stops[0]["geocoding"]
    event = client.get("/events?query.topic=ROUTE_UPDATED").json()["events"][0]
    assert event["payload"]["stops"][0]["geocoding"] == copy["geocoding"]
    again = client.post("/routes", route.json())
    assert (again.status_code, again.json()["start"]["geocoding"]["matchType"]) == (200, "GIVEN")


@pytest.mark.spec("decisions §15")
def test_a_place_that_moves_says_anew_how_sure_it_is(
    world: World, sign_in: SignIn, town: MapIndexes
) -> None:
    client = sign_in(town)
    (stop,) = client.post("/stops/imports", [{"address": DOOR}]).json()["stops"]
    route = client.post("/routes", {"start": {"coordinates": VADUZ}}).json()["id"]
    added = client.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}]).json()
    north = {**VADUZ, "latitude": VADUZ["latitude"] + 0.001}

    def move(path: str, name: str = "coordinates") -> Json:
        body = {"location": {name: north}, "updateMask": name}
        answer = client.send("PATCH", f"{path}/location", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    moved = move(f"/stops/imports/{stop['id']}")
    assert geocoding(moved) == ("GIVEN", MATCHED, 111)
    on_route = move(f"/routes/{route}/stops/{added['stops'][0]['id']}", "plannedCoordinates")
    assert geocoding(on_route) == ("GIVEN", MATCHED, 111)
    assert geocoding(move(f"/routes/{route}/start")["start"]) == ("GIVEN", "", None)
    assert geocoding(move(f"/routes/{route}/end")["end"]) == ("GIVEN", "", None)
    push(world, "1001", address=DOOR)
    orders = client.post(f"/routes/{route}/store-orders", [{"storeOrderId": "1001"}]).json()
    assert geocoding(orders["stops"][-1])[0] == "ROOFTOP"


@pytest.mark.spec("decisions §15")
def test_less_than_the_minimum_is_refused_by_stop_and_nothing_imported(
    world: World, sign_in: SignIn, town: MapIndexes
) -> None:
    client = sign_in(town)
    sent = [
        {"address": DOOR},
        {"address": {**DOOR, "address1": "Hauptstrasse"}},
        {"address": {"city": "Vaduz"}},
        {"coordinates": VADUZ},
    ]
    refused = {"LOCALITY": [], "STREET": ["[2].address"], "ROOFTOP": ["[1].address", "[2].address"]}
    for minimum, fields in refused.items():
        before = world.count("imported_stops")
        answer = client.post(f"/stops/imports?query.minimumMatch={minimum}", sent)
        if not fields:
            assert answer.status_code == 200
            continue
        assert (answer.status_code, answer.json()["code"]) == (400, 3)
        violations = answer.json()["details"][0]["fieldViolations"]
        assert [violation["field"] for violation in violations] == fields
        assert 'is known as LOCALITY alone ("Vaduz, LI")' in violations[-1]["description"]
        assert world.count("imported_stops") == before
    for wrong in ("query.minimumMatch=GIVEN", "query.minimum=STREET", "cursor=x"):
        answer = client.post(f"/stops/imports?{wrong}", sent)
        assert (answer.status_code, answer.json()["code"]) == (400, 3), wrong


def test_another_minimum_is_another_request_for_an_idempotency_key(world: World) -> None:
    stop = [{"coordinates": VADUZ}]
    key = {"Idempotency-Key": "once"}
    world.client.post("/stops/imports?query.minimumMatch=STREET", stop, headers=key)
    again = world.client.post("/stops/imports?query.minimumMatch=LOCALITY", stop, headers=key)
    assert (again.status_code, again.json()["code"]) == (400, 3)


@pytest.mark.spec("decisions §22")
def test_given_coordinates_are_compared_on_this_machine_alone_and_for_so_many_a_request(
    sign_in: SignIn, town: MapIndexes
) -> None:
    both = [{"coordinates": VADUZ, "address": DOOR}] * (MOST_COMPARED + 5)
    near = Noting(town)
    stops = sign_in(near).post("/stops/imports", both).json()["stops"]
    compared = ["distanceMeters" in stop["geocoding"] for stop in stops]
    assert compared == [True] * MOST_COMPARED + [False] * 5
    assert near.batches == [MOST_COMPARED]
    far = Noting(town)
    far.is_local = False
    (stop, *_) = sign_in(far).post("/stops/imports", both).json()["stops"]
    assert geocoding(stop) == ("GIVEN", "", None)
    assert far.batches == []


def test_what_the_version_before_imported_says_nothing_and_can_be_routed(world: World) -> None:
    (stop,) = world.client.post("/stops/imports", [{"coordinates": VADUZ}]).json()["stops"]
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE imported_stops SET body = json_remove(body, '$.geocoding')")
    assert "geocoding" not in world.client.get(f"/stops/imports/{stop['id']}").json()
    route = world.client.post("/routes", {"start": {"coordinates": VADUZ}}).json()["id"]
    added = world.client.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}])
    assert "geocoding" not in added.json()["stops"][0]


DOUBTS: list[tuple[str, list[Json], list[tuple[int, str, str]]]] = [
    ("alone", [BALTIMORE], []),
    ("together", [BALTIMORE, TOWSON, BALTIMORE], []),
    ("nowhere", [BALTIMORE, NOWHERE, TOWSON], [(1, "coordinates", "are 0,0")]),
    ("nowhere alone", [NOWHERE], [(0, "coordinates", "are 0,0")]),
    ("swapped", [BALTIMORE, TOWSON, SWAPPED], [(2, "coordinates", "seem to be swapped")]),
    ("far", [BALTIMORE, PARIS, TOWSON, BALTIMORE], [(1, "coordinates", "km from the middle")]),
    (
        "two apart",
        [BALTIMORE, PARIS],
        [(0, "coordinates", "km from the middle"), (1, "coordinates", "km from the middle")],
    ),
    (
        "beside the date line",
        [{"latitude": -16.8, "longitude": 179.9}, {"latitude": -16.8, "longitude": -179.9}] * 2,
        [],
    ),
]


@pytest.mark.spec("decisions §15")
@pytest.mark.parametrize(
    ("points", "expected"),
    [(points, told) for _, points, told in DOUBTS],
    ids=[d[0] for d in DOUBTS],
)
def test_doubtful_stops_are_imported_with_a_warning(
    world: World, points: list[Json], expected: list[tuple[int, str, str]]
) -> None:
    answer = world.client.post("/stops/imports", [{"coordinates": point} for point in points])
    assert answer.status_code == 200
    assert len(answer.json()["stops"]) == len(points)
    warnings = answer.json()["warnings"]
    assert [(one["index"], one["field"]) for one in warnings] == [one[:2] for one in expected]
    for warning, (_, _, words) in zip(warnings, expected, strict=True):
        assert words in warning["message"]


@pytest.mark.spec("decisions §15")
def test_an_address_far_from_the_others_or_from_its_coordinates_is_doubtful_too(
    world: World,
) -> None:
    city = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
    paris = {"city": "Paris", "countryCode": "FR"}
    answer = world.client.post(
        "/stops/imports", [{"address": city}, {"coordinates": BALTIMORE}, {"address": paris}]
    )
    assert [(one["index"], one["field"]) for one in answer.json()["warnings"]] == [(2, "address")]
    alone = world.client.post("/stops/imports", [{"address": paris, "coordinates": BALTIMORE}])
    (warning,) = alone.json()["warnings"]
    assert (warning["field"], "km from the address" in warning["message"]) == ("coordinates", True)
