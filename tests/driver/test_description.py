"""What the pipeline gives every door, at the driver's: a description, keys, strict arguments."""

from typing import Any

import jsonschema_rs
import pytest
from tests.api.conftest import World
from tests.driver.device import Device, dispatch, sign_up

from roundsman.driver.app import OPERATIONS
from roundsman.endpoints.application import Application


def described(device: Device) -> Any:
    answer = device.http.get("/driver/api/openapi.json")
    assert answer.status_code == 200
    again = device.http.get(
        "/driver/api/openapi.json", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status_code == 304
    return answer.json()


def test_every_operation_is_described_to_whoever_asks(world: World, door: Application) -> None:
    document = described(sign_up(world, door))
    assert {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    } == {(operation.method, operation.path) for operation in OPERATIONS}


def test_answers_are_as_described(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    document = described(device)
    for path in ("/session", "/sessions", "/routes", "/routes/{routeId}", "/routes/{routeId}/area"):
        answer = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        schema = {**answer["schema"], "components": document["components"]}
        shown = device.get(path.format(routeId=device.route_id)).json()
        jsonschema_rs.Draft202012Validator(schema).validate(shown)


def test_a_submitted_action_is_as_described(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    document = described(device)
    body = document["paths"]["/actions"]["post"]["requestBody"]["content"]["application/json"]
    schema = {**body["schema"], "components": document["components"]}
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert validator.is_valid({"actions": [device.action("ROUTE_STARTED")]})
    assert not validator.is_valid({"actions": [device.action("ROUTE_STARTED", at=None)]})


def test_how_many_actions_may_be_sent_is_said_alike_in_words_and_bounds(
    world: World, door: Application
) -> None:
    operation = described(sign_up(world, door))["paths"]["/actions"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    most = body["properties"]["actions"]["maxItems"]
    assert f"up to {most} actions" in operation["description"]


@pytest.mark.both_databases
def test_a_claim_sent_again_under_its_key_is_answered_byte_for_byte_and_done_once(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    route = dispatch(world, None)
    headers = {**device.headers, "Idempotency-Key": "claim 1"}
    path = f"/driver/api/routes/{route}/claim"
    first, again = (device.http.post(path, headers=headers) for _ in range(2))
    assert (first.status_code, first.headers["idempotency-replayed"]) == (200, "false")
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")
    other = device.http.post(f"{path}?x=1", headers=headers)
    assert other.status_code == 400


def test_an_unknown_argument_is_refused(world: World, door: Application) -> None:
    refused = sign_up(world, door).get("/routes?limit=3")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
