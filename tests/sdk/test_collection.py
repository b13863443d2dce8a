"""The collection in sdk/bruno: current, and its main job runs as it is written."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest
from scripts.collection import COLLECTION, README, SOURCE, read_operations, written
from tests.acceptance.test_main_job import roundsman, serving

pytestmark = pytest.mark.spec("decisions §19")

BLOCK = re.compile(r"^(?P<name>[\w:-]+) \{\n(?P<body>.*?)^\}$", re.MULTILINE | re.DOTALL)


def blocks_of(text: str) -> dict[str, str]:
    """Read the blocks of a file: how Bruno's form is made, as far as the main job needs it."""
    return {found["name"]: found["body"] for found in BLOCK.finditer(text)}


def pairs_of(block: str) -> dict[str, str]:
    """Return the pairs of a block that are switched on."""
    lines = [line.strip() for line in block.splitlines()]
    pairs = [line.partition(":") for line in lines if not line.startswith("~")]
    return {name: value.strip() for name, _, value in pairs}


def look_up(expression: str, status: int, body: Any) -> Any:
    found: Any = {"status": status, "body": body}
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", expression.removeprefix("res")):
        found = found[int(index)] if index else found[name]
    return found


@dataclass
class Runner:
    """Sends requests of the collection as Bruno does: with variables, kept values, assertions."""

    http: httpx2.Client
    variables: dict[str, str]
    guids: Iterator[int] = field(default_factory=count)

    def filled(self, text: str) -> str:
        """Return a text with the variables in it."""
        values = {**self.variables, "$guid": f"guid-{next(self.guids)}"}
        return re.sub(r"\{\{(.+?)\}\}", lambda found: values[found[1]], text)

    def run(self, text: str) -> int:
        """Send a request and hold what it asserts; return how many assertions that were."""
        blocks = blocks_of(text)
        (method,) = {"get", "post", "put", "patch", "delete"} & blocks.keys()
        request = pairs_of(blocks[method])
        url = self.filled(request["url"])
        for name, value in pairs_of(blocks.get("params:path", "")).items():
            url = url.replace(f":{name}", self.filled(value))
        headers = {
            name: self.filled(value) for name, value in pairs_of(blocks.get("headers", "")).items()
        }
        if request["auth"] == "inherit":
            shared = blocks_of((COLLECTION / "collection.bru").read_text(encoding="utf-8"))
            token = self.filled(pairs_of(shared["auth:bearer"])["token"])
            headers["Authorization"] = f"Bearer {token}"
        sent = self.filled(blocks["body:json"]) if request["body"] == "json" else None
        answer = self.http.request(
            method.upper(),
            url,
            content=sent,
            headers={**headers, **({"Content-Type": "application/json"} if sent else {})},
        )
        body = answer.json()
        asserted = pairs_of(blocks["assert"])
        for expression, wanted in asserted.items():
            self.hold(look_up(expression, answer.status_code, body), wanted, answer.text)
        for name, expression in pairs_of(blocks.get("vars:post-response", "")).items():
            self.variables[name] = look_up(expression, answer.status_code, body)
        return len(asserted)

    def hold(self, value: Any, wanted: str, answer: str) -> None:
        match self.filled(wanted).split():
            case ["eq", expected]:
                assert value == (json.loads(expected) if expected in {"true", "200"} else expected)
            case ["length", expected]:
                assert len(value) == int(expected), answer
            case ["isString"]:
                assert isinstance(value, str), answer
            case _:
                raise AssertionError(wanted)


def test_it_is_current_and_holds_nothing_else() -> None:
    files = {path for path in COLLECTION.rglob("*") if path.is_file()} - {COLLECTION / README}
    expected = written()
    assert files == set(expected), "run python -m scripts.collection"
    changed = [path.name for path in files if path.read_text(encoding="utf-8") != expected[path]]
    assert changed == [], "run python -m scripts.collection"


def test_every_operation_is_in_it_once_but_the_stream() -> None:
    description = json.loads(SOURCE.read_text(encoding="utf-8"))
    described = {
        operation["operationId"]
        for methods in description["paths"].values()
        for operation in methods.values()
    }
    assert described - set(read_operations(description)) == {"followChanges"}
    found = [
        path.stem
        for path in written()
        if path.suffix == ".bru"
        and path.stem not in {"folder", "collection", "local"}
        and path.parent.name != "main-job"
    ]
    assert sorted(found) == sorted(described - {"followChanges"})


def variables_in(text: str) -> set[str]:
    return {name for name in re.findall(r"\{\{(.+?)\}\}", text) if not name.startswith("$")}


def test_every_variable_is_given_or_kept_from_an_answer() -> None:
    files: Mapping[Path, str] = written()
    environment = files[COLLECTION / "environments" / "local.bru"]
    secret = re.search(r"^vars:secret \[\n(.*?)\n\]", environment, re.MULTILINE | re.DOTALL)
    assert secret is not None
    known = {*pairs_of(blocks_of(environment)["vars"]), *re.findall(r"\w+", secret[1])}
    for text in files.values():
        kept = pairs_of(blocks_of(text).get("vars:post-response", ""))
        assert not kept.keys() & {"clientId", "clientSecret", "baseUrl", "date"}
        known |= kept.keys()
    used = {name for text in files.values() for name in variables_in(text)}
    assert used - known == set()


def test_the_main_job_runs_as_it_is_written(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = roundsman(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "dev@example.com")
    key = roundsman(tmp_path, url, "credentials", "create", *owner)
    steps = sorted((COLLECTION / "main-job").glob("[0-9]-*.bru"))
    assert [path.stem.partition("-")[2] for path in steps] == [
        "authenticate",
        "importStops",
        "createRoute",
        "addRouteStops",
        "reoptimizeRoute",
        "dispatchRoute",
        "listEvents",
    ]
    given = blocks_of((COLLECTION / "environments" / "local.bru").read_text(encoding="utf-8"))
    with serving(tmp_path, url) as address, httpx2.Client(timeout=60) as http:
        variables = {
            **pairs_of(given["vars"]),
            "baseUrl": f"{address}/api/2024-07",
            "clientId": key["clientId"],
            "clientSecret": key["clientSecret"],
        }
        runner = Runner(http=http, variables=variables)
        for _ in ("first", "again"):
            assert sum(runner.run(path.read_text(encoding="utf-8")) for path in steps) == 18
