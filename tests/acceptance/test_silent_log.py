"""Every operation is given somebody's data in every field: the log and the metrics repeat none."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.acceptance.test_driver import Day, signed_up
from tests.acceptance.test_main_job import roundsman
from tests.acceptance.under_fire.battle import open_client

type Json = Any

WORD = "Zarathustra"
NUMBER = 39.312345
MARKERS = (WORD, "4105557788", str(NUMBER))
EXAMPLES = {
    "date-time": "2024-07-01T06:30:00Z",
    "date": "2024-07-01",
    "email": f"{WORD}@example.com",
    "uri": f"https://example.com/{WORD}",
}
DESCRIPTIONS = (
    "/api/2024-07/openapi.json",
    "/driver/api/openapi.json",
    "/members/api/openapi.json",
)
PASSWORD = "a long one for the test"
DEEPEST = 6
MOST_EACH = 50
"""So many operations a member is asked for: nobody may ask as often as they are all sent."""


@dataclass(frozen=True)
class Operation:
    """One operation of a description, and what it takes."""

    id: str
    method: str
    path: str
    query: dict[str, str]
    body: Json

    def is_ending(self) -> bool:
        """Say whether it may sign out who asks."""
        return self.method == "DELETE" or "sign" in self.id.lower()


def fill(schema: Json, schemas: Json, depth: int = 0) -> Json:
    """Return a value of a schema with somebody's data wherever it takes a text or a number."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return fill(schema[choice][0], schemas, depth)
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {}) if depth < DEEPEST else {}
            return {name: fill(one, schemas, depth + 1) for name, one in fields.items()}
        case "array":
            return [fill(schema.get("items", {}), schemas, depth + 1)]
    return _fill_scalar(schema)


def _fill_scalar(schema: Json) -> Json:
    if "enum" in schema:
        return schema["enum"][0]
    plain = {"number": NUMBER, "integer": schema.get("minimum", 1), "boolean": True}
    kind = schema.get("type", "")
    return plain[kind] if kind in plain else _fill_text(schema)


def _fill_text(schema: Json) -> str:
    if schema.get("pattern", "").startswith("^\\+"):
        return "+14105557788"
    text: str = EXAMPLES.get(schema.get("format", ""), f"{WORD} 4105557788")
    return text[: schema.get("maxLength", len(text))]


def read_operations(description: Json) -> Iterator[Operation]:
    schemas = description.get("components", {}).get("schemas", {})
    server = description["servers"][0]["url"]
    prefix = httpx.URL(server).path.rstrip("/")
    for path, methods in description["paths"].items():
        for method, one in methods.items():
            if method not in {"get", "post", "put", "patch", "delete"}:
                continue
            named = [
                p
                for p in [*methods.get("parameters", []), *one.get("parameters", [])]
                if "name" in p
            ]
            content = one.get("requestBody", {}).get("content", {})
            body = content.get("application/json", {}).get("schema")
            filled = path
            for parameter in named:
                if parameter["in"] == "path":
                    filled = filled.replace(f"{{{parameter['name']}}}", WORD)
            yield Operation(
                id=one["operationId"],
                method=method.upper(),
                path=prefix + filled,
                query={p["name"]: WORD for p in named if p["in"] == "query"},
                body=None if body is None else fill(body, schemas),
            )


def send(client: httpx.Client, address: str, one: Operation) -> list[int]:
    """Send an operation with what it takes, with a text that is no body, and with more in it."""
    url = f"{address}{one.path}"
    headers = {"Content-Type": "application/json"}
    tries: list[dict[str, Any]] = [
        {"params": one.query},
        {"params": {**one.query, WORD: WORD}, "content": f"{WORD} is no JSON", "headers": headers},
    ]
    if one.body is not None:
        more = {**one.body, WORD: WORD} if isinstance(one.body, dict) else [WORD]
        tries += [{"json": one.body}, {"json": more}]
    statuses = []
    for given in tries:
        with client.stream(one.method, url, **given) as answer:  # some answers have no end
            statuses.append(answer.status_code)
    return statuses


def sign_member_up(day: Day, data: Path, url: str, client: httpx.Client, email: str) -> None:
    who = ("--organization", day.organization, "--email", email, "--role", "OWNER")
    invited = roundsman(data, url, "member", "invite", *who)
    token = invited["inviteUrl"].rpartition("/")[2]
    body = {"name": "Owner", "password": PASSWORD}
    answer = client.post(f"{day.address}/members/api/invites/{token}", json=body)
    assert answer.status_code == 200, answer.text
    client.headers["X-CSRF-Token"] = answer.json()["csrfToken"]


@pytest.mark.spec("decisions §17")
def test_no_operation_writes_what_it_is_given_into_the_log_or_the_metrics(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with signed_up(tmp_path, url) as day, ExitStack() as members:
        day.device.headers.update(day.headers())
        asked: dict[str, list[int]] = {}
        for path in DESCRIPTIONS:
            operations = list(read_operations(day.device.get(f"{day.address}{path}").json()))
            operations.sort(key=Operation.is_ending)
            if path.startswith("/driver/"):
                asked |= {one.id: send(day.device, day.address, one) for one in operations}
                continue
            for number, some in enumerate(batched(operations, MOST_EACH)):
                member = members.enter_context(open_client())
                email = f"o{number}@{path.split('/')[1]}.example.com"
                sign_member_up(day, tmp_path, url, member, email)
                asked |= {one.id: send(member, day.address, one) for one in some}
        metrics = day.device.get(f"{day.address}/metrics").text
    log = (tmp_path / "server.log").read_text()
    said = f"{log}\n{metrics}".casefold()
    assert [one for one in MARKERS if one.casefold() in said] == []
    assert [one for one in asked if f'"operation":"{one}"' not in log] == []
    statuses = Counter(status for some in asked.values() for status in some)
    assert statuses[500] == 0
    print(f"{len(asked)} operations asked {statuses.total()} times: {dict(statuses)}")  # noqa: T201 -- the figure
    assert not statuses[429], "they were not even read"
