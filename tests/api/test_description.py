import json
from pathlib import Path

import pytest

from roundsman.api.app import OPERATIONS, describe
from roundsman.api.examples import EXAMPLES
from roundsman.domain.topics import Topic
from roundsman.driver.app import describe as describe_driver
from roundsman.members.app import describe as describe_members
from roundsman.wire.field_mask import UpdateShape, read_update
from roundsman.wire.reading import read_value

CHECKED_IN = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_checked_in_description_is_current() -> None:
    assert json.loads(CHECKED_IN.read_text(encoding="utf-8")) == json.loads(describe()), (
        "run make describe"
    )


def test_every_operation_has_a_name_and_a_place_of_its_own() -> None:
    assert len({operation.id for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({(operation.method, operation.path) for operation in OPERATIONS}) == len(OPERATIONS)


def test_no_partial_update_requires_a_field() -> None:
    for operation in OPERATIONS:
        if isinstance(operation.body, UpdateShape):
            assert operation.body.shape() is not None


def test_whoever_changes_a_member_is_answered_what_it_left_behind() -> None:
    paths = json.loads(describe())["paths"]
    let_in, shut_out = (
        paths[f"/members/{{memberId}}/{verb}"]["post"]["responses"]["200"]["content"]
        for verb in ("activate", "deactivate")
    )
    assert let_in == shut_out


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_body_of_its_operation(name: str) -> None:
    (operation,) = (operation for operation in OPERATIONS if operation.id == name)
    if isinstance(operation.body, UpdateShape):
        assert read_update(EXAMPLES[name], operation.body).values
    else:
        assert read_value(EXAMPLES[name], operation.body) is not None


def test_every_operation_that_takes_an_id_is_linked_from_one_that_answers_it() -> None:
    described = json.loads(describe())
    linked = {
        name
        for methods in described["paths"].values()
        for operation in methods.values()
        for name in operation["responses"]["200"].get("links", {})
    }
    # The client chooses a day; nothing answers it first.
    taking = {operation.id for operation in OPERATIONS if operation.parameters}
    assert linked == taking - {"getDay", "searchDay", "exportDay", "showDaySheet", "copyDay"}


@pytest.mark.spec("decisions §19")
def test_every_field_of_errors_and_of_the_nouns_most_used_says_what_it_means() -> None:
    schemas = json.loads(describe())["components"]["schemas"]
    waiting = [
        "Error",
        "Route",
        "ImportedStop",
        "WebhookEvent",
        "RouteDraftInput",
        "StopDraftInput",
    ]
    seen: set[str] = set()
    silent = []
    while waiting:
        seen.add(name := waiting.pop())
        found = json.dumps(schemas[name]).split("#/components/schemas/")[1:]
        waiting += {one.partition('"')[0] for one in found} - seen
        silent += [
            f"{name}.{field}"
            for field, schema in schemas[name].get("properties", {}).items()
            if "description" not in schema
        ]
    assert silent == []


DESCRIPTIONS = {"public": describe, "driver": describe_driver, "members": describe_members}


@pytest.mark.spec("decisions §19")
@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_every_operation_parameter_tag_and_noun_says_what_it_means(name: str) -> None:
    described = json.loads(DESCRIPTIONS[name]())
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            assert operation["description"].endswith((".", "RFC.")), (method, path)
            assert len(operation["description"].split()) >= 4, (method, path)
            for parameter in operation["parameters"]:
                assert parameter["description"].endswith("."), (path, parameter["name"])
    assert all(tag["description"].endswith(".") for tag in described["tags"])
    for noun, schema in described["components"]["schemas"].items():
        assert schema.get("description"), noun


@pytest.mark.spec("decisions §19")
@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_inputs_are_no_unions_with_null_and_enumerations_are_named(name: str) -> None:
    described = json.loads(DESCRIPTIONS[name]())
    schemas = described["components"]["schemas"]
    for noun, schema in schemas.items():
        if noun.endswith("Input"):
            assert '{"type": "null"}' not in json.dumps(schema), noun
            assert "x-extensible-enum" not in schema, noun
        elif "properties" in schema:
            assert '"enum"' not in json.dumps(schema), noun
        else:
            assert schema["x-extensible-enum"], noun


@pytest.mark.spec("decisions §19")
def test_the_description_names_the_contracts_nouns_webhooks_and_pages() -> None:
    described = json.loads(describe("https://routes.example.com"))
    nouns = {"Route", "RouteStop", "ImportedStop", "WebhookEvent", "Driver", "Vehicle"}
    assert nouns <= described["components"]["schemas"].keys()
    (server,) = described["servers"]
    assert server["url"] == "https://routes.example.com/api/2024-07"
    assert described["webhooks"].keys() == {topic.value for topic in Topic}
    body = described["webhooks"]["ROUTE_CREATED"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"]["$ref"].endswith("/RouteEvent")
    marked = described["paths"]["/routes"]["get"]["x-pagination"]
    assert marked == {"cursor": "cursor", "nextCursor": "nextCursor", "items": "routes"}
    for methods in described["paths"].values():
        for operation in methods.values():
            pages = any(one["name"] == "cursor" for one in operation["parameters"])
            assert ("x-pagination" in operation) is pages, operation["operationId"]
