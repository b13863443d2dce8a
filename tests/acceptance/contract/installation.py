"""An installation as its operator has it: the command line, a served address, API clients.

What the tests of this folder know comes from the interface's two pages alone: they talk plain HTTP
to a real process and run the published commands. Commands run in this process where a test only
needs an organization to work in, because starting an interpreter for each costs seconds.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
from tests.acceptance.test_main_job import serving
from tests.acceptance.under_fire.battle import open_client
from tests.support import commands
from tests.support.commands import COMMAND
from typer.testing import CliRunner

from roundsman.cli.main import app

BASE = "/api/2024-07"
Json = Any


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An answer in the shape of the specification's Error."""

    status: int
    code: int
    message: str
    details: list[dict[str, Any]]

    @property
    def short(self) -> tuple[int, int]:
        """The status and the code."""
        return self.status, self.code

    @property
    def fields(self) -> list[str]:
        """The field paths of every violation of a bad request."""
        return [
            violation["field"]
            for detail in self.details
            if detail["@type"].endswith("google.rpc.BadRequest")
            for violation in detail["fieldViolations"]
        ]

    @property
    def text(self) -> str:
        """Everything that was said."""
        return " ".join([self.message, json.dumps(self.details, ensure_ascii=False)])

    @property
    def preconditions(self) -> list[dict[str, str]]:
        """The violations of a wrong state."""
        return [
            violation
            for detail in self.details
            if detail["@type"].endswith("google.rpc.PreconditionFailure")
            for violation in detail["violations"]
        ]


class Client:
    """An API client of one organization; holds every answer to what holds for all of them."""

    def __init__(self, http: httpx.Client, key: dict[str, str]) -> None:
        self.http = http
        self.key = key

    @property
    def organization(self) -> str:
        """The slug of its organization."""
        return self.key["organization"]

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        response = self.http.request(method, BASE + path, **request)
        assert response.headers["X-Request-Id"], response.headers
        if response.status_code not in {401, 413}:
            assert response.headers["RateLimit-Limit"] == "120"
            assert 0 <= int(response.headers["RateLimit-Remaining"]) < 120
            assert int(response.headers["RateLimit-Reset"]) >= 0
        assert ("Retry-After" in response.headers) == (response.status_code == 429)
        return response

    def ask(self, method: str, path: str, body: Json = None, **request: Any) -> Json:
        """Return the body of an answer that must be 200 and hold no null."""
        if body is not None:
            request["json"] = body
        response = self.send(method, path, **request)
        assert response.status_code == 200, response.text
        assert response.headers["Content-Type"].startswith("application/json")
        answer = response.json()
        assert not has_null(answer), answer
        return answer

    def get(self, path: str, **query: Any) -> Json:
        return self.ask("GET", path, params=query_of(query))

    def post(self, path: str, body: Json = None) -> Json:
        return self.ask("POST", path, body)

    def put(self, path: str, body: Json) -> Json:
        return self.ask("PUT", path, body)

    def patch(self, path: str, body: Json) -> Json:
        return self.ask("PATCH", path, body)

    def delete(self, path: str) -> Json:
        return self.ask("DELETE", path)

    def refused(self, method: str, path: str, body: Json = None, **request: Any) -> Refusal:
        """Return an answer that must be an error in the specified shape."""
        if body is not None:
            request["json"] = body
        return refusal_of(self.send(method, path, **request))


def query_of(query: dict[str, Any]) -> dict[str, Any]:
    """Return names as the interface has them: `limit` is `query.limit`, `cursor` stands alone."""
    return {name if name == "cursor" else f"query.{name}": value for name, value in query.items()}


def refusal_of(response: httpx.Response) -> Refusal:
    assert response.status_code >= 400, response.text
    body = response.json()
    assert set(body) <= {"code", "message", "details"}, body
    assert type(body["code"]) is int
    assert isinstance(body["message"], str)
    assert body["message"]
    details = body.get("details", [])
    assert all(detail["@type"].startswith("type.googleapis.com/") for detail in details)
    return Refusal(
        status=response.status_code, code=body["code"], message=body["message"], details=details
    )


def has_null(value: Json) -> bool:
    if isinstance(value, dict):
        return any(has_null(part) for part in value.values())
    if isinstance(value, list):
        return any(has_null(part) for part in value)
    return value is None


@dataclass(frozen=True, kw_only=True)
class Installation:
    """A data folder and a database with a server running on them."""

    data: Path
    database_url: str
    address: str
    closing: ExitStack

    def run(self, *arguments: str) -> Json:
        """Run a command that must succeed; return the JSON it prints."""
        result = self.try_run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def try_run(self, *arguments: str, environment: dict[str, str] | None = None) -> Any:
        runner = CliRunner(env={**self.environment, **(environment or {})})
        return runner.invoke(app, [*arguments, "--data", str(self.data)])

    def try_plan(self, *arguments: str) -> Any:
        """Run the main job, which needs no installation."""
        return CliRunner().invoke(app, ["plan", *arguments])

    def spawn(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a process of its own."""
        return commands.run(
            [*COMMAND, *arguments, "--data", str(self.data)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, **self.environment, **environment},
        )

    @property
    def environment(self) -> dict[str, str]:
        return {"ROUNDSMAN_DATABASE_URL": self.database_url}

    def new_organization(self, name: str = "Acme Foods") -> Json:
        return self.run("organization", "create", name)

    def new_key(self, slug: str) -> dict[str, str]:
        made = self.run("credentials", "create", "--organization", slug, "--email", "d@example.com")
        return {name: str(value) for name, value in made.items()}

    def new_client(self, organization: str = "") -> Client:
        """Return a signed-in client, of a new organization where none is named."""
        key = self.new_key(organization or self.new_organization()["organization"])
        http = self.open_http()
        answer = http.post(BASE + "/authenticate", json=without_organization(key))
        assert answer.status_code == 200, answer.text
        http.headers["Authorization"] = f"Bearer {answer.json()['accessToken']}"
        return Client(http, key)

    def open_http(self, source: str = "127.0.0.1") -> httpx.Client:
        """Return a client that nobody has signed in, calling from a loopback address."""
        return self.closing.enter_context(open_client(source, base_url=self.address))


def without_organization(key: dict[str, str]) -> dict[str, str]:
    return {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}


@contextmanager
def installed(data: Path, database_url: str) -> Iterator[Installation]:
    """Serve an empty installation for as long as the tests of one database last."""
    allowed = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
    with serving(data, database_url, **allowed) as address, ExitStack() as closing:
        yield Installation(data=data, database_url=database_url, address=address, closing=closing)
