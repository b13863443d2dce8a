"""The main job over HTTP, against the real process, started as an operator starts it."""

import json
import os
import random
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.under_fire.battle import environment_of, open_client, struck
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess

pytestmark = pytest.mark.both_databases

START_WITHIN_SECONDS = 120


def roundsman(data: Path, url: str, *arguments: str) -> Any:
    done = commands.run(
        [*COMMAND, *arguments, "--data", str(data), "--json"],
        check=True,
        capture_output=True,
        env={**os.environ, "ROUNDSMAN_DATABASE_URL": url},
    )
    return json.loads(done.stdout)


@contextmanager
def serving(data: Path, url: str, **environment: str) -> Iterator[str]:
    # The log goes to a file: a pipe that nobody reads stops the server when it is full.
    data.mkdir(parents=True, exist_ok=True)
    log = data / "server.log"
    with log.open("w") as stderr:
        process = CommandProcess(
            [*COMMAND, "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={
                **os.environ,
                **environment,
                **environment_of(url),
                "ROUNDSMAN_DATABASE_URL": url,
            },
        )
        try:
            address = read_address(process)
            with struck(process, address, url):
                yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    said = log.read_text()
    assert process.returncode == 0, said
    assert "Bearer" not in said


def read_address(process: subprocess.Popen[str], before: list[str] | None = None) -> str:
    """Return where a server listens; the lines that it prints before go into a list."""
    assert process.stdout is not None
    deadline = time.monotonic() + START_WITHIN_SECONDS
    while select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
        line = process.stdout.readline()
        if line.startswith("listening on "):
            return line.removeprefix("listening on ").strip()
        if not line:
            break
        if before is not None:
            before.append(line)
    raise AssertionError("the server did not say where it listens")


def two_hundred_stops() -> list[dict[str, Any]]:
    draw = random.Random(7)  # noqa: S311 -- repeats itself on purpose
    return [
        {
            "clientStopId": f"order-{number}",
            "coordinates": {
                "latitude": 39.29 + draw.uniform(-0.2, 0.2),
                "longitude": -76.61 + draw.uniform(-0.2, 0.2),
            },
            "items": [{"name": "Box", "quantity": 1, "grams": 700}],
            "duration": "120s",
        }
        for number in range(200)
    ]


@pytest.mark.spec("What the service does")
def test_two_hundred_stops_become_a_dispatched_route(tmp_path: Path, database_url: str) -> None:
    slug = roundsman(tmp_path, database_url, "organization", "create", "Acme Foods")
    key = roundsman(
        tmp_path,
        database_url,
        *("credentials", "create", "--organization", slug["organization"]),
        *("--email", "dev@example.com"),
    )
    with (
        serving(tmp_path, database_url) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):

        def post(path: str, body: Any) -> Any:
            response = http.post(path, json=body)
            assert response.status_code == 200, response.text
            return response.json()

        token = post(
            "/authenticate", {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        )
        assert token["organization"] == slug["organization"]
        http.headers["Authorization"] = f"Bearer {token['accessToken']}"
        stops = post("/stops/imports", two_hundred_stops())["stops"]
        start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
        created = post("/routes", {"start": start, "scheduledFor": "2024-07-02T08:00:00Z"})
        route = f"/routes/{created['id']}"
        added = post(f"{route}/stops", [{"importedStopId": stop["id"]} for stop in stops])
        best = post(f"{route}/reoptimize", {})
        assert best["optimized"] is True
        assert best["totalDistanceMeters"] < added["totalDistanceMeters"] / 4
        assert {stop["clientStopId"] for stop in best["stops"]} == {
            stop["clientStopId"] for stop in stops
        }
        dispatched = post(f"{route}/dispatch", {})
        assert dispatched["dispatchedUntil"] > dispatched["stops"][-1]["plannedArrival"]
        assert http.get(route).json() == dispatched
        refused = http.post("/stops/imports", json=[*two_hundred_stops(), {}])
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
