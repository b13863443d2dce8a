from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.errors import Aborted
from roundsman.domain.principal import api_client
from roundsman.operations.idempotency import AnswerRecorder, Claim, claim_or_replay
from roundsman.operations.request import Request
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
START = {"start": STOP}


def create(world: World, key: str, **fields: Any) -> Any:
    return world.client.post("/routes", {**START, **fields}, headers={"Idempotency-Key": key})


@pytest.mark.spec("Idempotency")
def test_the_same_key_answers_the_same_bytes_and_acts_once(world: World) -> None:
    first, second = create(world, "k"), create(world, "k")
    assert first.content == second.content
    assert [r.headers["Idempotency-Replayed"] for r in (first, second)] == ["false", "true"]
    assert [r.headers["Idempotency-Key"] for r in (first, second)] == ["k", "k"]
    assert world.count("routes") == world.count("events") == 1


@pytest.mark.spec("decisions §4")
def test_the_body_is_compared_as_a_value(world: World) -> None:
    create(world, "k", name="a", note="b")
    reordered = world.client.post(
        "/routes", {"note": "b", "name": "a", **START}, headers={"Idempotency-Key": "k"}
    )
    assert reordered.headers["Idempotency-Replayed"] == "true"


@pytest.mark.spec("decisions §4")
def test_a_key_belongs_to_one_request_of_one_client(world: World) -> None:
    create(world, "k")
    other = create(world, "k", name="other")
    assert (other.status_code, other.json()["code"]) == (400, 3)
    (violation,) = other.json()["details"][0]["fieldViolations"]
    assert violation["field"] == "Idempotency-Key"
    stranger = world.stranger.post("/routes", START, headers={"Idempotency-Key": "k"})
    assert stranger.headers["Idempotency-Replayed"] == "false"
    assert world.count("routes") == 2


@pytest.mark.spec("decisions §4")
def test_a_failed_request_leaves_no_record(world: World) -> None:
    refused = world.client.post(
        "/stops/imports", [{"address": {"city": "Xyzzyville"}}], headers={"Idempotency-Key": "k"}
    )
    assert refused.status_code == 400
    assert "Idempotency-Replayed" not in refused.headers
    assert world.count("idempotency_records") == 0
    assert create(world, "k").headers["Idempotency-Replayed"] == "false"


@pytest.mark.spec("decisions §4")
def test_a_key_is_forgotten_after_a_day(world: World) -> None:
    create(world, "k")
    world.clock.advance(hours=23, minutes=59)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    assert create(world, "k").headers["Idempotency-Replayed"] == "true"
    world.clock.advance(minutes=1)
    assert create(world, "k").headers["Idempotency-Replayed"] == "false"
    assert world.count("routes") == 2


@pytest.mark.spec("decisions §4")
def test_white_space_around_a_key_is_no_part_of_it(world: World) -> None:
    assert create(world, "k").headers["Idempotency-Replayed"] == "false"
    again = create(world, "  k \t")
    assert (again.headers["Idempotency-Key"], again.headers["Idempotency-Replayed"]) == (
        "k",
        "true",
    )


@pytest.mark.spec("decisions §4")
@pytest.mark.parametrize("key", ["", " ", "x" * 256, "a\tb", "é".encode()])
def test_a_key_has_a_form(world: World, key: Any) -> None:
    response = create(world, key)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert world.count("routes") == 0


@pytest.mark.spec("decisions §4")
def test_many_callers_with_one_key_have_one_effect(world: World) -> None:
    keys = [f"k{number}" for number in range(5)] * 10
    with ThreadPoolExecutor(10) as callers:
        answers = list(callers.map(lambda key: (key, create(world, key)), keys))
    assert {answer.status_code for _, answer in answers} == {200}
    assert len({(key, answer.content) for key, answer in answers}) == 5
    assert world.count("routes") == world.count("events") == 5


@pytest.mark.spec("decisions §4")
def test_an_import_and_a_change_that_changes_nothing_are_replayed_too(world: World) -> None:
    key = {"Idempotency-Key": "i"}
    first = world.client.post("/stops/imports", [STOP], headers=key)
    assert world.client.post("/stops/imports", [STOP], headers=key).content == first.content
    route = create(world, "k").json()["id"]
    for _ in range(2):
        answer = world.client.post(
            f"/routes/{route}/reoptimize", {}, headers={"Idempotency-Key": "r"}
        )
    assert answer.headers["Idempotency-Replayed"] == "true"
    assert world.count("imported_stops") == 1


@pytest.mark.spec("decisions §4")
def test_a_key_whose_process_died_is_free_at_once(world: World, database_url: str) -> None:
    database = Database(database_url)
    died = replace(world.tools, database=database, presence=77)
    claim = Claim(
        client_id=world.credentials.client_id, key="k", fingerprint=b"", token="t", holder=77
    )
    assert claim_or_replay(died, claim) is None
    database.close()
    again = create(world, "k")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "false")
    with pytest.raises(Aborted), begin_work(world.tools, request_of(world, claim)) as work:
        # Had the process only seemed dead, what it did would not count.
        work.done(None)
    assert create(world, "k").content == again.content


def request_of(world: World, claim: Claim) -> Request:
    with world.tools.database.reading() as tx:
        organization = str(
            tx.exec_driver_sql("SELECT organization_id FROM routes LIMIT 1").scalar_one()
        )
    caller = api_client(organization, claim.client_id, "")
    return Request(
        principal=caller,
        receipt=AnswerRecorder(claim=claim, render=lambda _: b"late", head=lambda _: {}),
    )
