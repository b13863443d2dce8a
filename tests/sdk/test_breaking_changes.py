"""What breaks a client is named by a comparison of two descriptions, and what does not is not."""

import io
import json
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from scripts.breaking_changes import compare, main, said
from scripts.clients import SOURCE

pytestmark = pytest.mark.spec("decisions §19")

type Json = Any


def schema_of(kind: str, **more: Json) -> Json:
    return {"type": kind, **more}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def content(schema: Json, media_type: str = "application/json") -> Json:
    return {"content": {media_type: {"schema": schema}}}


BASE: Json = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://plan.example.com/api/1"}],
    "security": [{"bearer": []}],
    "paths": {
        "/routes/{id}": {
            "post": {
                "operationId": "changeRoute",
                "security": [{"oauth2": ["write", "read"]}],
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": schema_of("string")},
                    {"name": "limit", "in": "query", "schema": schema_of("integer", maximum=100)},
                    {"name": "If-Match", "in": "header", "schema": schema_of("string")},
                ],
                "requestBody": content(ref("RouteInput")),
                "responses": {
                    "200": {"headers": {"ETag": {}}, **content(ref("Route"))},
                    "400": content(ref("Error")),
                },
            }
        },
        "/routes": {
            "get": {
                "operationId": "listRoutes",
                "parameters": [],
                "responses": {"200": content(schema_of("array", items=ref("Route")))},
            }
        },
    },
    "webhooks": {
        "ROUTE_CREATED": {"post": {"operationId": "on", "requestBody": content(ref("Event"))}}
    },
    "components": {
        "schemas": {
            "RouteInput": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name"],
                "properties": {
                    "name": schema_of("string", maxLength=100),
                    "kind": schema_of("string", enum=["VAN", "BIKE"]),
                    "color": schema_of("string", **{"x-extensible-enum": ["RED", "BLUE"]}),
                    "startAt": {"anyOf": [schema_of("string"), schema_of("integer")]},
                    "weight": schema_of("number", minimum=0, multipleOf=0.1),
                    "note": {"anyOf": [schema_of("string"), schema_of("null")]},
                },
            },
            "Route": {
                "type": "object",
                "required": ["id", "status"],
                "properties": {
                    "id": schema_of("string", format="uuid"),
                    "status": schema_of("string", **{"x-extensible-enum": ["DONE", "OPEN"]}),
                    "kind": schema_of("string", enum=["VAN", "BIKE"]),
                    "distance": schema_of("integer"),
                    "parts": schema_of("array", items=ref("Route")),
                    "names": schema_of("object", additionalProperties=schema_of("string")),
                },
            },
            "Event": {"type": "object", "properties": {"topic": schema_of("string")}},
            "Error": {"type": "object", "properties": {"code": schema_of("integer")}},
        }
    },
}

POST = ("paths", "/routes/{id}", "post")
ROUTE_INPUT = ("components", "schemas", "RouteInput")
ROUTE = ("components", "schemas", "Route")
ANSWER = (*POST, "responses", "200")
GONE = object()
NAME = schema_of("string", maxLength=100)
PARAMETERS = BASE["paths"]["/routes/{id}"]["post"]["parameters"]


def changed(*path: Json, to: Json = GONE) -> Json:
    """Return the description with one thing changed or taken away."""
    new = deepcopy(BASE)
    at = new
    for step in path[:-1]:
        at = at[step]
    if to is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return new


BREAKING = {
    "POST /routes/{id} is gone": changed(*POST),
    "POST /routes/{id}: operationId was changeRoute, is patchRoute": changed(
        *POST, "operationId", to="patchRoute"
    ),
    "the path of all operations was /api/1, is /api/2": changed(
        "servers", 0, "url", to="https://plan.example.com/api/2"
    ),
    "POST /routes/{id}: security oauth2 (write, read) no longer suffices": changed(
        *POST, "security", to=[{"oauth2": ["write", "read", "settings"]}]
    ),
    "GET /routes: security bearer no longer suffices": changed(
        "paths", "/routes", "get", "security", to=[{"oauth2": []}]
    ),
    "POST /routes/{id}: header parameter if-match is no longer taken": changed(
        *POST, "parameters", 2
    ),
    "POST /routes/{id}: query parameter limit is required now": changed(
        *POST, "parameters", 1, "required", to=True
    ),
    "POST /routes/{id}: query parameter limit maximum was 100, is 50": changed(
        *POST, "parameters", 1, "schema", "maximum", to=50
    ),
    "POST /routes/{id}: query parameter tag is required now": changed(
        *POST, "parameters", to=[*PARAMETERS, {"name": "tag", "in": "query", "required": True}]
    ),
    "POST /routes/{id}: body is required now": changed(*POST, "requestBody", "required", to=True),
    "POST /routes/{id}: body is no longer taken": changed(*POST, "requestBody"),
    "POST /routes/{id}: body application/json is no longer taken": changed(
        *POST, "requestBody", "content", to={"text/csv": {}}
    ),
    "RouteInput.kind is no longer taken (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "kind"
    ),
    "RouteInput.kind is required now (POST /routes/{id})": changed(
        *ROUTE_INPUT, "required", to=["name", "kind"]
    ),
    "RouteInput.day is required now (POST /routes/{id})": changed(
        *ROUTE_INPUT,
        to={
            **BASE["components"]["schemas"]["RouteInput"],
            "properties": {
                **BASE["components"]["schemas"]["RouteInput"]["properties"],
                "day": schema_of("string"),
            },
            "required": ["name", "day"],
        },
    ),
    "RouteInput.kind no longer takes BIKE (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "kind", "enum", to=["VAN"]
    ),
    "RouteInput.name takes only VAN now (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "name", to={**NAME, "enum": ["VAN"]}
    ),
    "RouteInput.color no longer takes BLUE (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "color", "x-extensible-enum", to=["RED"]
    ),
    "RouteInput.name type was string, is integer (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "name", to=schema_of("integer")
    ),
    "RouteInput.startAt type was integer, is string (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "startAt", to=schema_of("string")
    ),
    "RouteInput.name maxLength was 100, is 99 (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "name", "maxLength", to=99
    ),
    "RouteInput.name minLength was free, is 1 (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "name", "minLength", to=1
    ),
    "RouteInput.weight minimum was 0, is 1 (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "weight", "minimum", to=1
    ),
    "RouteInput.weight multipleOf was 0.1, is 0.5 (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "weight", "multipleOf", to=0.5
    ),
    "RouteInput.name pattern was free, is ^[a-z]*$ (POST /routes/{id})": changed(
        *ROUTE_INPUT, "properties", "name", "pattern", to="^[a-z]*$"
    ),
    "POST /routes/{id}: answer 200 is gone": changed(*ANSWER),
    "POST /routes/{id}: answer 202 is new, where clients expect another": changed(
        *POST, "responses", "202", to=content(ref("Route"))
    ),
    "POST /routes/{id}: header ETag is gone from answers": changed(*ANSWER, "headers", "ETag"),
    "POST /routes/{id}: answer application/json is gone": changed(*ANSWER, "content", to={}),
    "Route.id is gone from answers (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "id"
    ),
    "Route.status may be missing from answers (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "required", to=["id"]
    ),
    "Route.distance type was integer, is number (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "distance", "type", to="number"
    ),
    "Route.distance type was integer, is null (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "distance", to={"anyOf": [schema_of("integer"), schema_of("null")]}
    ),
    "Route.kind may now be TRUCK (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "kind", "enum", to=["VAN", "BIKE", "TRUCK"]
    ),
    "Route.kind may now be a value that is not named (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "kind", to=schema_of("string", **{"x-extensible-enum": ["VAN"]})
    ),
    "Route.id format was uuid, is free (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "id", "format"
    ),
    "Route.names.* type was string, is integer (POST /routes/{id} and 1 more)": changed(
        *ROUTE, "properties", "names", "additionalProperties", "type", to="integer"
    ),
    "Error.code is gone from answers (POST /routes/{id})": changed(
        "components", "schemas", "Error", "properties", to={}
    ),
    "ROUTE_CREATED is gone": changed("webhooks", "ROUTE_CREATED"),
    "Event.topic is gone from answers (POST ROUTE_CREATED)": changed(
        "components", "schemas", "Event", "properties", to={}
    ),
}
"""What is said of each change."""

HARMLESS = {
    "nothing": BASE,
    "a new operation": changed("paths", "/days", to={"get": {"operationId": "listDays"}}),
    "another name of what stands in a path": {
        **BASE,
        "paths": {
            "/routes/{routeId}": json.loads(
                json.dumps(BASE["paths"]["/routes/{id}"]).replace('"id", "in"', '"routeId", "in"')
            ),
            "/routes": BASE["paths"]["/routes"],
        },
    },
    "a new optional parameter": changed(
        *POST,
        "parameters",
        to=[*PARAMETERS, {"name": "tag", "in": "query"}],
    ),
    "a parameter that may be empty": changed(*POST, "parameters", 1, "allowEmptyValue", to=True),
    "another case of a header": changed(*POST, "parameters", 2, "name", to="if-match"),
    "a scope less": changed(*POST, "security", to=[{"oauth2": ["write"]}]),
    "another way to prove who calls": changed("security", to=[{"basic": []}, {"bearer": []}]),
    "a wider limit": changed(*ROUTE_INPUT, "properties", "name", "maxLength", to=200),
    "no limit": changed(*ROUTE_INPUT, "properties", "name", "maxLength"),
    "a limit that holds anyway": changed(*ROUTE_INPUT, "properties", "name", "minLength", to=0),
    "how wide a number is": changed(*ROUTE_INPUT, "properties", "weight", "format", to="double"),
    "a finer step": changed(*ROUTE_INPUT, "properties", "weight", "multipleOf", to=0.05),
    "a field that need not be sent": changed(*ROUTE_INPUT, "required", to=[]),
    "a new optional field": changed(*ROUTE_INPUT, "properties", "day", to=schema_of("string")),
    "a new value that may be sent": changed(
        *ROUTE_INPUT, "properties", "kind", "enum", to=["VAN", "BIKE", "TRUCK"]
    ),
    "a wider type that may be sent": changed(
        *ROUTE_INPUT, "properties", "name", to={"anyOf": [NAME, schema_of("integer")]}
    ),
    "null, which counts as left out": changed(
        *ROUTE_INPUT, "properties", "note", to=schema_of("string")
    ),
    "a new field of answers": changed(*ROUTE, "properties", "day", to=schema_of("string")),
    "a field that is always there now": changed(*ROUTE, "required", to=["id", "status", "kind"]),
    "a value less in answers": changed(*ROUTE, "properties", "kind", "enum", to=["VAN"]),
    "a new value of an open enumeration": changed(
        *ROUTE, "properties", "status", "x-extensible-enum", to=["DONE", "OPEN", "LATE"]
    ),
    "a new kind of file": changed(
        *ANSWER, "content", to={**content(ref("Route"))["content"], "text/csv": {}}
    ),
    "a new refusal": changed(*POST, "responses", "409", to=content(ref("Error"))),
    "a new topic": changed("webhooks", "ROUTE_DELETED", to={"post": {}}),
    "other words": changed(*POST, "summary", to="Change a route"),
    "another name of a schema": json.loads(
        json.dumps(BASE).replace('/Route"', '/R"').replace('"Route":', '"R":')
    ),
}


@pytest.mark.parametrize("line", BREAKING)
def test_what_breaks_a_client_is_named_once(line: str) -> None:
    named = list(said(compare(BASE, BREAKING[line])))
    assert named == [line]


@pytest.mark.parametrize("change", HARMLESS)
def test_what_breaks_no_client_is_not_named(change: str) -> None:
    assert compare(BASE, HARMLESS[change]) == {}


def test_that_a_parameter_may_be_empty_is_said_in_two_ways() -> None:
    limit = (*POST, "parameters", 1)
    of_two = {"anyOf": [schema_of("integer", maximum=100), schema_of("string", maxLength=0)]}
    as_schema = changed(*limit, "schema", to=of_two)
    as_keyword = changed(*limit, "allowEmptyValue", to=True)
    assert compare(as_schema, as_keyword) == {}
    assert compare(as_keyword, as_schema) == {}
    assert list(said(compare(as_keyword, BASE))) == [
        "POST /routes/{id}: query parameter limit type was string, is integer"
    ]


def test_a_keyword_that_the_comparison_does_not_read_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot compare schemas with allOf"):
        compare(BASE, changed(*ROUTE, to={"allOf": []}))


def test_our_own_description_is_read_whole() -> None:
    described = json.loads(SOURCE.read_text(encoding="utf-8"))
    assert compare(described, described) == {}
    without = deepcopy(described)
    del without["components"]["schemas"]["Route"]["properties"]["id"]
    # An event holds a route, so that what routes lose is lost by webhooks too.
    (operations,) = compare(described, without).values()
    assert {"POST /routes", "POST ROUTE_CREATED"} <= set(operations)


@pytest.mark.parametrize(
    ("new", "code", "last"),
    [
        (BASE, 0, "No changes break clients."),
        (changed(*POST), 1, "1 change breaks clients."),
        (changed(*ROUTE, "properties", to={}), 1, "6 changes break clients."),
    ],
)
def test_the_command_exits_with_one_when_something_breaks(
    new: Json,
    code: int,
    last: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "new.json"
    target.write_text(json.dumps(new))
    monkeypatch.setattr(sys, "argv", ["breaking_changes", "-", str(target)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(BASE)))
    assert main() == code
    assert capsys.readouterr().out.splitlines()[-1] == last


@pytest.mark.parametrize("text", ["", "[", '{"paths": {"/": {"get": {"responses": 3}}}}'])
def test_what_cannot_be_read_is_no_answer(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.json"
    target.write_text(json.dumps(BASE))
    monkeypatch.setattr(sys, "argv", ["breaking_changes", "-", str(target)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    if text.startswith("{"):
        assert main() == 1  # whatever else it is, its only operation is gone
        return
    assert main() == 2
    assert "cannot be compared" in capsys.readouterr().err
