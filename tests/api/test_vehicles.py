from typing import Any

import pytest
from tests.api.conftest import World

UNKNOWN = "veh-00000000-0000-4000-8000-000000000000"
VAN = {
    "name": "Van 1",
    "make": "Ford",
    "model": "Transit",
    "year": 2021,
    "type": "CARGO_VAN",
    "vin": "1FTBW2CM5HKA00000",
    "license": "MD 123",
}


def add(world: World, **fields: Any) -> Any:
    response = world.client.post("/vehicles", {"name": "Van", **fields})
    assert response.status_code == 200, response.text
    return response.json()


def patch(world: World, id_: str, mask: str, **fields: Any) -> Any:
    return world.client.send(
        "PATCH", f"/vehicles/{id_}", json={"vehicle": fields, "updateMask": mask}
    )


def walk(world: World, query: str) -> list[list[str]]:
    pages = []
    answer = world.client.get(f"/vehicles?{query}").json()
    while True:
        pages.append([vehicle["id"] for vehicle in answer["vehicles"]])
        if not answer["nextCursor"]:
            return pages
        answer = world.client.get(f"/vehicles?cursor={answer['nextCursor']}").json()


@pytest.mark.spec("Vehicles")
def test_a_vehicle_is_added_with_everything_it_was_given(world: World) -> None:
    vehicle = add(world, **VAN)
    assert vehicle == {
        **VAN,
        "skills": [],
        "breaks": [],
        "maxStops": 0,
        "maxDistanceMeters": 0,
        "id": vehicle["id"],
        "isArchived": False,
        "createdTimestamp": "2024-07-01T06:00:00Z",
    }
    assert vehicle["id"].startswith("veh-")
    assert world.client.get(f"/vehicles/{vehicle['id']}").json() == vehicle


@pytest.mark.spec("decisions §1")
def test_a_vehicle_that_was_read_can_be_sent_back(world: World) -> None:
    vehicle = add(world, **VAN)
    again = world.client.post("/vehicles", vehicle).json()
    assert {**again, "id": vehicle["id"]} == vehicle
    assert again["id"] != vehicle["id"]


BAD_VEHICLES: list[tuple[dict[str, Any], str]] = [
    ({"name": None}, "name"),
    ({"name": ""}, "name"),
    ({"name": "  "}, "name"),
    ({"name": 1}, "name"),
    ({"name": "x" * 1_501}, "name"),
    ({"make": "x" * 1_501}, "make"),
    ({"year": -1}, "year"),
    ({"year": 10_000}, "year"),
    ({"year": "2021"}, "year"),
    ({"year": 2021.0}, "year"),
    ({"type": "VAN"}, "type"),
    ({"type": "cargo_van"}, "type"),
    ({"vin": "\x00"}, "vin"),
    ({"licence": "x"}, "licence"),
]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("fields", "named"), BAD_VEHICLES, ids=lambda value: str(value)[:40])
def test_a_bad_vehicle_is_refused_by_field_and_not_added(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = world.client.post("/vehicles", {"name": "Van", **fields})
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.count("vehicles") == 0


@pytest.mark.spec("decisions §1")
def test_an_update_sets_what_the_mask_names_and_clears_what_is_absent(world: World) -> None:
    id_ = add(world, **VAN)["id"]
    response = patch(world, id_, "make, year,license", make="Opel", model="ignored", year=2022)
    assert response.status_code == 200
    vehicle = response.json()
    assert (vehicle["make"], vehicle["model"], vehicle["year"]) == ("Opel", "Transit", 2022)
    assert (vehicle["license"], vehicle["name"]) == ("", "Van 1")
    assert world.client.get(f"/vehicles/{id_}").json() == vehicle


BAD_UPDATES: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "updateMask"),
    ("id", {}, "updateMask"),
    ("isArchived", {"isArchived": True}, "updateMask"),
    ("name,nme", {"name": "x"}, "updateMask"),
    ("name", {}, "vehicle.name"),
    ("name", {"name": " "}, "vehicle.name"),
    ("year", {"year": 10_000}, "vehicle.year"),
    ("year", {"yaer": 1}, "vehicle.yaer"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("mask", "fields", "named"), BAD_UPDATES)
def test_a_bad_update_is_refused_and_changes_nothing(
    world: World, mask: str, fields: dict[str, Any], named: str
) -> None:
    vehicle = add(world, **VAN)
    response = patch(world, vehicle["id"], mask, **fields)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.client.get(f"/vehicles/{vehicle['id']}").json() == vehicle


@pytest.mark.spec("decisions §12")
def test_vehicles_are_listed_oldest_first_and_archived_ones_when_asked(world: World) -> None:
    ids = []
    for number in range(5):
        world.clock.advance(minutes=1)
        ids.append(add(world, name=f"Van {number}")["id"])
    archived = world.client.post(f"/vehicles/{ids[1]}/archive").json()
    assert archived["isArchived"] is True
    assert walk(world, "query.limit=2") == [[ids[0], ids[2]], ids[3:]]
    assert walk(world, "query.limit=3&query.includeArchived=true") == [ids[:3], ids[3:]]
    assert world.client.get(f"/vehicles/{ids[1]}").json() == archived
    assert world.stranger.get("/vehicles").json() == {"vehicles": [], "nextCursor": ""}


@pytest.mark.spec("decisions §5")
@pytest.mark.parametrize(
    "query",
    ["query.limit=201", "query.limit=x", "query.includeArchived=yes", "query.sortKey=", "cursor=x"],
)
def test_a_wrong_argument_is_refused(world: World, query: str) -> None:
    response = world.client.get(f"/vehicles?{query}")
    expected = 200 if query.endswith("=") else 400
    assert response.status_code == expected


@pytest.mark.spec("decisions §12")
def test_archiving_and_bringing_back_may_be_repeated(world: World) -> None:
    id_ = add(world)["id"]
    for method, is_archived in (("POST", True), ("POST", True), ("DELETE", False)):
        answer = world.client.send(method, f"/vehicles/{id_}/archive")
        assert (answer.status_code, answer.json()["isArchived"]) == (200, is_archived)
    assert world.count("events") == 0


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("PATCH", ""), ("POST", "/archive"), ("DELETE", "/archive")],
)
def test_a_strangers_vehicle_answers_as_an_unknown_one(
    world: World, method: str, path: str
) -> None:
    id_ = add(world)["id"]
    update = {"vehicle": {"name": "x"}, "updateMask": "name"}
    body: dict[str, Any] = {"json": update} if method == "PATCH" else {}
    theirs = world.stranger.send(method, f"/vehicles/{id_}{path}", **body)
    unknown = world.stranger.send(method, f"/vehicles/{UNKNOWN}{path}", **body)
    assert (theirs.status_code, theirs.content) == (404, unknown.content)
    assert world.client.get(f"/vehicles/{id_}").json()["name"] == "Van"


@pytest.mark.spec("Idempotency")
def test_every_change_of_a_vehicle_is_replayed(world: World) -> None:
    id_ = add(world)["id"]
    update = {"vehicle": {"make": "Opel"}, "updateMask": "make"}
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/vehicles", {"json": {"name": "Van 2"}}),
        ("PATCH", f"/vehicles/{id_}", {"json": update}),
        ("POST", f"/vehicles/{id_}/archive", {}),
        ("DELETE", f"/vehicles/{id_}/archive", {}),
    ]
    for number, (method, path, body) in enumerate(requests):
        key = {"Idempotency-Key": f"k{number}"}
        first, second = (world.client.send(method, path, headers=key, **body) for _ in range(2))
        assert first.content == second.content
        assert second.headers["Idempotency-Replayed"] == "true"
    assert world.count("vehicles") == 2


PLANNED = {
    "capacities": {"kilograms": 800, "pallets": 2.5},
    "skills": ["fridge"],
    "costs": {"fixed": 40, "perHour": 25, "perTraveledHour": 0, "perKilometer": 0.3, "perStop": 1},
    "start": {"coordinates": {"latitude": 39.3, "longitude": -76.6}},
    "end": {"coordinates": {"latitude": 39.31, "longitude": -76.61}},
    "shift": {
        "start": {"hours": 8, "minutes": 0, "seconds": 0},
        "end": {"hours": 16, "minutes": 30, "seconds": 0},
    },
    "breaks": [
        {
            "timeWindow": {
                "start": {"hours": 12, "minutes": 0, "seconds": 0},
                "end": {"hours": 13, "minutes": 0, "seconds": 0},
            },
            "duration": "1800s",
        }
    ],
    "maxStops": 40,
    "maxDuration": "28800s",
    "maxDistanceMeters": 150_000,
}


@pytest.mark.spec("decisions §21")
def test_a_vehicle_keeps_what_plans_inherit(world: World) -> None:
    vehicle = add(world, **PLANNED)
    assert {name: vehicle[name] for name in PLANNED} == PLANNED
    patched = patch(world, vehicle["id"], "capacities,skills", capacities={"litres": 1}).json()
    assert patched["capacities"] == {"litres": 1}
    assert patched["skills"] == []
    assert patched["costs"] == PLANNED["costs"]
    assert "capacities" not in patch(world, vehicle["id"], "capacities").json()


@pytest.mark.spec("decisions §21")
def test_an_address_where_a_vehicle_starts_is_geocoded(world: World) -> None:
    address = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
    vehicle = add(world, start={"address": address})
    assert vehicle["start"]["coordinates"]["latitude"] == pytest.approx(39.29, abs=0.1)
    nowhere = {"address": {"city": "Nowhere at all"}}
    refused = patch(world, vehicle["id"], "start", start=nowhere)
    assert refused.status_code == 400
    (violation,) = refused.json()["details"][0]["fieldViolations"]
    assert violation["field"] == "vehicle.start.address"


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"capacities": {"kilograms": -1}}, "capacities.kilograms", "between 0 and"),
        ({"capacities": {"kilograms": 0.0001}}, "capacities.kilograms", "3 decimals"),
        ({"capacities": {str(k): 1 for k in range(9)}}, "capacities", "at most 8 names"),
        ({"capacities": [1]}, "capacities", "must be an object"),
        ({"capacities": {"": 1}}, "capacities.", "at least 1 character"),
        ({"skills": ["x"] * 51}, "skills", "at most 50"),
        ({"breaks": [{"duration": "1s"}] * 4}, "breaks", "at most 3"),
        (
            {"breaks": [{"timeWindow": {"start": {"hours": 1}}, "duration": "60s"}]},
            "breaks[0].timeWindow",
            "a start and an end",
        ),
        ({"shift": {"start": {"hours": 8}}}, "shift.end", "is required"),
        ({"start": {}}, "start.address", "is required when coordinates"),
    ],
)
@pytest.mark.spec("decisions §21")
def test_what_a_plan_could_not_use_is_refused(
    world: World, fields: Any, field: str, words: str
) -> None:
    refused = world.client.post("/vehicles", {"name": "Van", **fields})
    assert refused.status_code == 400
    (violation,) = refused.json()["details"][0]["fieldViolations"]
    assert violation["field"] == field
    assert words in violation["description"]
