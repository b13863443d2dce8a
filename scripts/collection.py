"""Write the collection in sdk/bruno: every operation as a request, and the main job as a folder.

From docs/openapi.json, without a network; a test holds that the files are current. Bruno's form is
text that says what to keep of an answer and what to assert without a script, so that the test can
run the main job as it is written.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "openapi.json"
COLLECTION = ROOT / "sdk" / "bruno"
README = "README.md"
"""The one file that is written by hand."""

_FORM = "application/x-www-form-urlencoded"
_NOUNS = {
    "imports": "importedStopId",
    "plans": "planId",
    "vehicles": "vehicleId",
    "erasures": "erasureId",
    "store-orders": "storeOrderId",
    "storefronts": "storefrontId",
}
"""What an `id` in a path is the id of, by the part before it."""

_MODES = {"": "none", "form-urlencoded": "formUrlEncoded"}
"""What Bruno calls the kinds of bodies where it names the one that is sent."""

_RENAMED = {"orderId": "storeOrderId", "clientId": "newClientId"}
"""Two names for one order; and an id that is not that of the client which is signed in."""

type Json = Any


@dataclass(frozen=True, kw_only=True)
class Step:
    """A request of the main job: an operation with what is sent, kept and asserted."""

    operation: str
    body: Json = None
    queries: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)
    asserted: Mapping[str, str] = field(default_factory=dict)


_PLACES = ((39.2904, -76.6122), (39.3299, -76.6205), (39.2837, -76.5936), (39.3121, -76.6455))
_START = {"coordinates": {"latitude": 39.2812, "longitude": -76.6201}}
_ORDERS = [
    {
        "clientStopId": f"collection-{number}",
        "coordinates": {"latitude": latitude, "longitude": longitude},
        "items": [{"name": "Box of apples", "quantity": number}],
        "duration": "180s",
    }
    for number, (latitude, longitude) in enumerate(_PLACES, start=1)
]
MAIN_JOB = (
    Step(operation="authenticate", asserted={"res.body.accessToken": "isString"}),
    Step(
        operation="importStops",
        body=_ORDERS,
        kept={f"stop{number}": f"res.body.stops[{number - 1}].id" for number in (1, 2, 3, 4)},
        asserted={"res.body.stops": "length 4"},
    ),
    Step(
        operation="createRoute",
        body={"name": "First route", "start": _START, "scheduledFor": "{{date}}T08:00:00Z"},
        asserted={"res.body.stops": "length 0"},
    ),
    Step(
        operation="addRouteStops",
        body=[{"importedStopId": f"{{{{stop{number}}}}}"} for number in (1, 2, 3, 4)],
        asserted={"res.body.id": "eq {{routeId}}", "res.body.stops": "length 4"},
    ),
    Step(
        operation="reoptimizeRoute",
        body={},
        asserted={"res.body.optimized": "eq true", "res.body.stops": "length 4"},
    ),
    Step(operation="dispatchRoute", body={}, asserted={"res.body.dispatchedUntil": "isString"}),
    Step(
        operation="listEvents",
        queries={"query.objectId": "{{routeId}}", "query.topic": "ROUTE_DISPATCHED"},
        asserted={
            "res.body.events": "length 1",
            "res.body.events[0].topic": "eq ROUTE_DISPATCHED",
            "res.body.events[0].objectId": "eq {{routeId}}",
        },
    ),
)


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation of the description."""

    method: str
    path: str
    content: Json

    @property
    def id(self) -> str:
        """Return what the description calls it."""
        return str(self.content["operationId"])

    @property
    def name(self) -> str:
        """Return what it is called in the list: `createRoute` is "Create route"."""
        words = re.sub(r"(?<=[a-z])([A-Z])", lambda found: f" {found[1].lower()}", self.id)
        return words[0].upper() + words[1:]

    def variable_of(self, parameter: str) -> str:
        """Return the variable that a parameter of its path is taken from."""
        if parameter != "id":
            return _RENAMED.get(parameter, parameter)
        before, _, _ = self.path.partition("/{id}")
        return _NOUNS[before.rpartition("/")[2]]


def read_operations(description: Json) -> dict[str, Operation]:
    """Return the operations that answer at once, by id: a stream is no request to look at."""
    found = [
        Operation(method=method, path=path, content=content)
        for path, methods in description["paths"].items()
        for method, content in methods.items()
        if "text/event-stream" not in content["responses"]["200"]["content"]
    ]
    return {one.id: one for one in found}


def written() -> dict[Path, str]:
    """Return every generated file's content."""
    description = json.loads(SOURCE.read_text(encoding="utf-8"))
    operations = read_operations(description)
    files = {
        COLLECTION / "bruno.json": _json(
            {
                "version": "1",
                "name": f"Roundsman {description['info']['version']}",
                "type": "collection",
                "ignore": ["node_modules", ".git"],
            }
        ),
        COLLECTION / "collection.bru": _document(
            ("auth", ["mode: bearer"]), ("auth:bearer", ["token: {{accessToken}}"])
        ),
        COLLECTION / "environments" / "local.bru": _environment(description),
        COLLECTION / "main-job" / "folder.bru": _folder(
            "Main job", 1, "From credentials to a dispatched route. Run the folder."
        ),
    }
    for number, step in enumerate(MAIN_JOB, start=1):
        path = COLLECTION / "main-job" / f"{number}-{step.operation}.bru"
        files[path] = _write_request(operations[step.operation], operations, number, step)
    for index, tag in enumerate(description["tags"], start=2):
        folder = COLLECTION / tag["name"].lower().replace(" ", "-")
        files[folder / "folder.bru"] = _folder(tag["name"], index, tag["description"])
        tagged = [one for one in operations.values() if tag["name"] in one.content["tags"]]
        if not tagged:
            del files[folder / "folder.bru"]
        for number, one in enumerate(tagged, start=1):
            files[folder / f"{one.id}.bru"] = _write_request(one, operations, number)
    return files


def _write_request(
    one: Operation, operations: Mapping[str, Operation], number: int, step: Step | None = None
) -> str:
    parameters = one.content["parameters"]
    chosen = step.queries if step else {}
    url = "{{baseUrl}}" + re.sub(r"\{(\w+)\}", r":\1", one.path)
    if chosen:
        url += "?" + "&".join(f"{name}={value}" for name, value in chosen.items())
    kind, body = _body_of(one, step)
    auth = "none" if one.content.get("security") == [] else "inherit"
    queries = [
        f"{name}: {chosen[name]}" if name in chosen else f"~{name}: "
        for name in (each["name"] for each in parameters if each["in"] == "query")
        if step is None or name in chosen
    ]
    paths = [
        f"{each['name']}: {{{{{one.variable_of(each['name'])}}}}}"
        for each in parameters
        if each["in"] == "path"
    ]
    headers = [
        "Idempotency-Key: {{$guid}}" if each["name"] == "Idempotency-Key" else f"~{each['name']}: "
        for each in parameters
        if each["in"] == "header" and (step is None or each["name"] == "Idempotency-Key")
    ]
    kept = {**_kept_of(one, operations), **(step.kept if step else {})}
    asserted = {"res.status": "eq 200", **step.asserted} if step else {}
    docs = [f"**{one.content['summary']}.**", *one.content["description"].split("\n")]
    return _document(
        ("meta", [f"name: {one.name}", "type: http", f"seq: {number}"]),
        (one.method, [f"url: {url}", f"body: {_MODES.get(kind, kind)}", f"auth: {auth}"]),
        ("params:query", sorted(queries, key=lambda line: line.startswith("~"))),
        ("params:path", paths),
        ("headers", headers),
        (f"body:{kind}", body),
        ("vars:post-response", [f"{name}: {value}" for name, value in kept.items()]),
        ("assert", [f"{name}: {value}" for name, value in asserted.items()]),
        ("docs", [line for line in docs if line]),
    )


def _body_of(one: Operation, step: Step | None) -> tuple[str, list[str]]:
    """Return which kind of body is sent, and its lines; neither without one."""
    content = one.content.get("requestBody", {}).get("content", {})
    if one.id == "authenticate":
        given = {"clientId": "{{clientId}}", "clientSecret": "{{clientSecret}}"}
        return "json", _json(given).splitlines()
    if "application/json" in content:
        example = content["application/json"]["examples"]["one"]["value"]
        sent = example if step is None else step.body
        return "json", _json(sent).splitlines()
    if _FORM in content:
        given = {
            "grant_type": "client_credentials",
            "client_id": "{{clientId}}",
            "client_secret": "{{clientSecret}}",
        }
        return "form-urlencoded", [f"{name}: {value}" for name, value in given.items()]
    return "", []


def _kept_of(one: Operation, operations: Mapping[str, Operation]) -> dict[str, str]:
    """Return what later requests take from an answer, as the links of the description say."""
    if one.id == "authenticate":
        return {"accessToken": "res.body.accessToken"}
    if one.id == "issueToken":
        return {"accessToken": "res.body.access_token"}
    kept: dict[str, str] = {}
    for link in one.content["responses"]["200"].get("links", {}).values():
        for parameter, expression in link["parameters"].items():
            source, _, pointer = expression.partition("#/")
            if source == "$response.body":
                steps = re.sub(r"/(\d+)", r"[\1]", pointer).replace("/", ".")
                variable = operations[link["operationId"]].variable_of(parameter)
                kept[variable] = f"res.body.{steps}"
    return kept


def _environment(description: Json) -> str:
    values = {
        "baseUrl": description["servers"][0]["url"],
        "date": "2024-07-01",
        "storeOrderId": "1001",
    }
    lines = _document(("vars", [f"{name}: {value}" for name, value in values.items()]))
    return f"{lines}vars:secret [\n  clientId,\n  clientSecret\n]\n"


def _folder(name: str, number: int, description: str) -> str:
    return _document(
        ("meta", [f"name: {name}", f"seq: {number}"]),
        ("auth", ["mode: inherit"]),
        ("docs", [description]),
    )


def _document(*blocks: tuple[str, list[str]]) -> str:
    return "\n".join(_block(name, lines) for name, lines in blocks if lines)


def _block(name: str, lines: list[str]) -> str:
    return "\n".join([f"{name} {{", *_indented(lines), "}", ""])


def _indented(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"  {line}" if line else ""


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the collection anew: what is no longer described goes."""
    for path in COLLECTION.iterdir() if COLLECTION.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path)
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
