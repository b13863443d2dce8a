"""Credentials over HTTP: made once, listed without secrets, and taken back."""

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient

pytestmark = pytest.mark.spec("decisions §13")


def sign_in(world: World, made: dict[str, str]) -> int:
    body = {"clientId": made["clientId"], "clientSecret": made["clientSecret"]}
    return int(world.client.post("/authenticate", body).status_code)


@pytest.mark.both_databases
def test_credentials_work_until_they_are_taken_back(world: World) -> None:
    made = world.client.post("/credentials", {"scopes": ["READ"]}).json()
    assert made["scopes"] == ["READ"]
    assert sign_in(world, made) == 200
    listed = world.client.get("/credentials").json()["credentials"]
    (mine,) = [one for one in listed if one["id"] == made["clientId"]]
    assert mine["scopes"] == ["READ"]
    assert made["clientSecret"] not in str(listed)
    path = f"/credentials/{made['clientId']}"
    assert world.client.send("DELETE", path).status_code == 200
    assert sign_in(world, made) == 401
    assert world.client.send("DELETE", path).status_code == 404
    left = world.client.get("/credentials").json()["credentials"]
    assert made["clientId"] not in {one["id"] for one in left}
    kinds = {one["kind"] for one in world.client.get("/security-events").json()["securityEvents"]}
    assert {"CREDENTIALS_CREATED", "CREDENTIALS_DELETED"} <= kinds


def test_a_key_keeps_no_secret_for_a_retry(world: World) -> None:
    key = {"Idempotency-Key": "once"}
    answers = [world.client.post("/credentials", {}, headers=key) for _ in range(2)]
    assert len({answer.json()["clientId"] for answer in answers}) == 2
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, None]
    assert world.count("idempotency_records") == 0


def test_the_list_says_which_credentials_ask(world: World) -> None:
    made = world.client.post("/credentials", {}).json()
    client = DescribedClient(world.client.interface)
    client.sign_in(made["clientId"], made["clientSecret"])
    listed = client.get("/credentials").json()["credentials"]
    assert [one["id"] for one in listed if one["current"]] == [made["clientId"]]
    assert len(listed) == 2


def test_nobody_gives_more_than_they_have(world: World) -> None:
    made = world.client.post("/credentials", {"scopes": ["SETTINGS"]}).json()
    client = DescribedClient(world.client.interface)
    client.sign_in(made["clientId"], made["clientSecret"])
    refused = client.post("/credentials", {"scopes": ["WRITE"]})
    assert refused.status_code == 403, refused.text
    assert "WRITE" in refused.json()["message"]


def test_scopes_that_there_are_not_are_refused(world: World) -> None:
    refused = world.client.post("/credentials", {"scopes": ["EVERYTHING"]})
    assert refused.json()["code"] == 3
