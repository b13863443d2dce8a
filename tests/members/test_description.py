"""The members' door describes itself, and answers as it says."""

import jsonschema_rs
from tests.api.conftest import World
from tests.members.conftest import Browser, browser

from roundsman.members.app import OPERATIONS


def test_every_operation_is_described_and_answers_so(world: World, ann: Browser) -> None:
    document = browser(world).get("/members/api/openapi.json").json()
    assert {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    } == {(operation.method, operation.path) for operation in OPERATIONS}
    for path in ("/session", "/sessions"):
        answer = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        schema = {**answer["schema"], "components": document["components"]}
        jsonschema_rs.Draft202012Validator(schema).validate(ann.get(f"/members/api{path}").json())


def test_unknown_fields_are_refused_with_a_suggestion(world: World) -> None:
    refused = browser(world).sign_in(email="a@example.com", passwort="x")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert refused.json()["message"] == 'unknown field "passwort", did you mean "password"?'
