from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.kit.secrets import hash_secret

UNKNOWN = "drv-00000000-0000-4000-8000-000000000000"
DANA = {
    "firstName": "Dana",
    "lastName": "Driver",
    "phone": "+14105550123",
    "email": "dana@example.com",
}


def add(world: World, **fields: Any) -> Any:
    response = world.client.post("/drivers", {**DANA, **fields})
    assert response.status_code == 200, response.text
    return response.json()


def add_as(world: World, status: str) -> str:
    """Add a driver and move them to a status; return the id."""
    id_ = str(add(world)["driver"]["id"])
    moves = {
        "PENDING": [],
        "ACTIVE": ["activate"],
        "DEACTIVATED": ["activate", "deactivate"],
        "ARCHIVED": ["archive"],
    }
    for move in moves[status]:
        assert do(world, id_, move).status_code == 200
    return id_


def do(world: World, id_: str, verb: str) -> Any:
    return world.client.send("POST", f"/drivers/{id_}/{verb}")


def status_of(world: World, id_: str) -> str:
    return str(world.client.get(f"/drivers/{id_}").json()["status"])


def patch(world: World, id_: str, mask: str, **fields: Any) -> Any:
    return world.client.send(
        "PATCH", f"/drivers/{id_}", json={"driver": fields, "updateMask": mask}
    )


@pytest.mark.spec("decisions §12")
def test_a_new_driver_is_pending_and_gets_a_link(world: World) -> None:
    answer = add(world)
    driver = answer["driver"]
    assert driver == {**DANA, "id": driver["id"], "status": "PENDING"}
    assert driver["id"].startswith("drv-")
    assert world.client.get(f"/drivers/{driver['id']}").json() == driver
    assert answer["inviteUrl"].startswith("http://127.0.0.1:8000/driver/invite/")
    assert world.topics() == []


@pytest.mark.spec("decisions §12")
def test_only_the_hash_of_an_invite_is_kept_and_a_new_link_ends_the_old(world: World) -> None:
    answer = add(world)
    again = do(world, answer["driver"]["id"], "invite")
    assert again.json() == {**answer["driver"], "inviteUrl": again.json()["inviteUrl"]}
    assert again.json()["inviteUrl"] != answer["inviteUrl"]
    token = again.json()["inviteUrl"].rpartition("/")[2]
    with world.tools.database.reading() as tx:
        ((kept, expires),) = tx.exec_driver_sql(
            "SELECT token_hash, expires_at FROM driver_invites"
        ).fetchall()
    assert bytes(kept) == hash_secret(token)
    now = int(world.clock.now().timestamp() * 1_000_000)
    assert int(expires) - now == 7 * 24 * 3600 * 1_000_000
    assert world.topics() == []


BAD_DRIVERS: list[tuple[dict[str, Any], str]] = [
    ({"firstName": None}, "firstName"),
    ({"firstName": " "}, "firstName"),
    ({"firstName": "x" * 1_501}, "firstName"),
    ({"lastName": "x" * 1_501}, "lastName"),
    ({"phone": "410-555-0123"}, "phone"),
    ({"phone": "+0123"}, "phone"),
    ({"email": "dana"}, "email"),
    ({"email": 5}, "email"),
    ({"name": "Dana"}, "name"),
]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("fields", "named"), BAD_DRIVERS, ids=lambda value: str(value)[:40])
def test_a_bad_driver_is_refused_by_field_and_not_added(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = world.client.post("/drivers", {**DANA, **fields})
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.count("drivers") == world.count("driver_invites") == 0


MOVES = [
    ("PENDING", "activate", "ACTIVE", "DRIVER_ACTIVATED"),
    ("PENDING", "deactivate", None, None),
    ("PENDING", "archive", "ARCHIVED", None),
    ("PENDING", "invite", "PENDING", None),
    ("ACTIVE", "activate", "ACTIVE", None),
    ("ACTIVE", "deactivate", "DEACTIVATED", "DRIVER_DEACTIVATED"),
    ("ACTIVE", "archive", "ARCHIVED", "DRIVER_ARCHIVED"),
    ("ACTIVE", "invite", "ACTIVE", None),
    ("DEACTIVATED", "activate", "ACTIVE", "DRIVER_ACTIVATED"),
    ("DEACTIVATED", "deactivate", "DEACTIVATED", None),
    ("DEACTIVATED", "archive", "ARCHIVED", "DRIVER_ARCHIVED"),
    ("DEACTIVATED", "invite", None, None),
    ("ARCHIVED", "activate", None, None),
    ("ARCHIVED", "deactivate", None, None),
    ("ARCHIVED", "archive", "ARCHIVED", None),
    ("ARCHIVED", "invite", None, None),
]


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(("before", "verb", "after", "topic"), MOVES)
def test_a_driver_moves_by_verb_and_only_changes_are_told(
    world: World, before: str, verb: str, after: str | None, topic: str | None
) -> None:
    id_ = add_as(world, before)
    earlier = world.topics()
    response = do(world, id_, verb)
    if after is None:
        error = response.json()
        assert (response.status_code, error["code"]) == (400, 9)
        assert error["details"][0]["violations"][0]["subject"] == id_
    else:
        assert (response.status_code, response.json()["status"]) == (200, after)
    assert status_of(world, id_) == (after or before)
    assert sorted(world.topics()) == sorted([*earlier, *([topic] if topic else [])])
    is_open = before in {"PENDING", "ACTIVE"} and after not in {"DEACTIVATED", "ARCHIVED"}
    assert world.count("driver_invites") == int(is_open)


@pytest.mark.both_databases
@pytest.mark.spec("decisions §9")
def test_callers_at_once_activate_once(world: World) -> None:
    id_ = add_as(world, "PENDING")
    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(lambda _: do(world, id_, "activate"), range(8)))
    assert {answer.json()["status"] for answer in answers} == {"ACTIVE"}
    assert world.topics() == ["DRIVER_ACTIVATED"]


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    ("status", "told"), [("PENDING", False), ("ACTIVE", True), ("DEACTIVATED", True)]
)
def test_a_profile_is_updated_and_told_unless_pending_or_the_same(
    world: World,
    status: str,
    told: bool,  # noqa: FBT001 -- a table's column
) -> None:
    id_ = add_as(world, status)
    for _ in range(2):
        driver = patch(world, id_, "lastName,email", lastName="Doe", phone="+14105550199").json()
    assert (driver["lastName"], driver["email"]) == ("Doe", "")
    assert (driver["phone"], driver["status"]) == (DANA["phone"], status)
    assert world.client.get(f"/drivers/{id_}").json() == driver
    assert world.topics().count("DRIVER_UPDATED") == int(told)


BAD_UPDATES: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "updateMask"),
    ("status", {"status": "ACTIVE"}, "updateMask"),
    ("firstName", {}, "driver.firstName"),
    ("phone", {"phone": "1"}, "driver.phone"),
    ("phone", {"fone": "1"}, "driver.fone"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("mask", "fields", "named"), BAD_UPDATES)
def test_a_bad_update_is_refused_and_changes_nothing(
    world: World, mask: str, fields: dict[str, Any], named: str
) -> None:
    driver = add(world)["driver"]
    response = patch(world, driver["id"], mask, **fields)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.client.get(f"/drivers/{driver['id']}").json() == driver


@pytest.mark.spec("decisions §12")
def test_an_archived_driver_refuses_changes(world: World) -> None:
    id_ = add_as(world, "ARCHIVED")
    refused = patch(world, id_, "lastName", lastName="Doe")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert patch(world, id_, "lastName", lastName=DANA["lastName"]).status_code == 200


@pytest.mark.spec("decisions §12")
def test_drivers_are_listed_oldest_first_by_status(world: World) -> None:
    ids = {}
    for status in ("PENDING", "ACTIVE", "DEACTIVATED", "ARCHIVED"):
        world.clock.advance(minutes=1)
        ids[status] = add_as(world, status)

    def listed(query: str) -> list[str]:
        answer = world.client.get(f"/drivers?{query}").json()
        return [driver["id"] for driver in answer["drivers"]]

    assert listed("") == listed("query.status=UNKNOWN") == list(ids.values())[:3]
    for status, id_ in ids.items():
        assert listed(f"query.status={status}") == [id_]
    first = world.client.get("/drivers?query.limit=2").json()
    rest = world.client.get(f"/drivers?cursor={first['nextCursor']}").json()
    assert [d["id"] for d in rest["drivers"]] == [ids["DEACTIVATED"]]
    assert rest["nextCursor"] == ""
    assert world.client.get("/drivers?query.status=GONE").status_code == 400
    assert world.client.get("/drivers?query.includeArchived=true").status_code == 400
    assert world.client.get(f"/vehicles?cursor={first['nextCursor']}").status_code == 400


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("PATCH", ""),
        *(("POST", f"/{verb}") for verb in ("invite", "activate", "deactivate", "archive")),
    ],
)
def test_a_strangers_driver_answers_as_an_unknown_one(world: World, method: str, path: str) -> None:
    id_ = add(world)["driver"]["id"]
    update = {"driver": {"lastName": "x"}, "updateMask": "lastName"}
    body: dict[str, Any] = {"json": update} if method == "PATCH" else {}
    theirs = world.stranger.send(method, f"/drivers/{id_}{path}", **body)
    unknown = world.stranger.send(method, f"/drivers/{UNKNOWN}{path}", **body)
    assert (theirs.status_code, theirs.content) == (404, unknown.content)
    assert world.client.get(f"/drivers/{id_}").json()["status"] == "PENDING"


@pytest.mark.spec("Idempotency")
def test_adding_inviting_and_moving_are_replayed(world: World) -> None:
    id_ = add(world)["driver"]["id"]
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/drivers", {"json": DANA}),
        ("POST", f"/drivers/{id_}/invite", {}),
        ("POST", f"/drivers/{id_}/activate", {}),
        ("PATCH", f"/drivers/{id_}", {"json": {"driver": {}, "updateMask": "email"}}),
        ("POST", f"/drivers/{id_}/deactivate", {}),
        ("POST", f"/drivers/{id_}/archive", {}),
    ]
    for number, (method, path, body) in enumerate(requests):
        key = {"Idempotency-Key": f"k{number}"}
        first, second = (world.client.send(method, path, headers=key, **body) for _ in range(2))
        assert first.content == second.content
        assert second.headers["Idempotency-Replayed"] == "true"
    assert world.count("drivers") == 2
    assert len(world.topics()) == 4


@pytest.mark.spec("decisions §7")
def test_a_route_shows_the_driver_and_dispatches_only_to_an_active_one(world: World) -> None:
    id_ = add_as(world, "PENDING")
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    imported = world.client.post("/stops/imports", [start]).json()["stops"][0]["id"]
    route = world.client.post("/routes", {"start": start, "driverId": id_}).json()
    assert route["driver"]["status"] == "PENDING"
    world.client.post(f"/routes/{route['id']}/stops", [{"importedStopId": imported}])
    assert world.client.post(f"/routes/{route['id']}/dispatch", {}).json()["code"] == 9
    do(world, id_, "activate")
    assert world.client.post(f"/routes/{route['id']}/dispatch", {}).status_code == 200
    do(world, id_, "archive")
    refused = world.client.post("/routes", {"start": start, "driverId": id_})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
