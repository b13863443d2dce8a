"""A customer is erased by a service that is killed meanwhile; no byte of them is left."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import read_address
from tests.acceptance.under_fire.battle import open_client
from tests.cli.running import run_json
from tests.support.commands import COMMAND, CommandProcess
from tests.support.waiting import PATIENCE_SECONDS, wait_until

PHONE = "+14105557788"
MARKERS = (b"Zarathustra", b"4105557788", b"Marzipan", b"flowerpot")


@contextmanager
def running(data: Path) -> Iterator[tuple[Any, str]]:
    with (data / "server.log").open("a") as log:
        process = CommandProcess(
            [*COMMAND, "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "ROUNDSMAN_DATABASE_URL": ""},
        )
        try:
            yield process, read_address(process)
        finally:
            process.kill()
            process.communicate(timeout=60)


@contextmanager
def signed_in(address: str, key: Any) -> Iterator[Any]:
    http = open_client(base_url=f"{address}/api/2024-07")
    names = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
    token = http.post("/authenticate", json=names).json()["accessToken"]
    http.headers["Authorization"] = f"Bearer {token}"
    with closing(http):
        yield http


def stop(number: int) -> Any:
    return {
        "clientStopId": f"order-{number}",
        "coordinates": {"latitude": 39.3, "longitude": -76.6},
        "contact": {"firstName": "Zarathustra", "phone": PHONE},
        "address": {"address1": "12 Marzipan Alley", "city": "Baltimore"},
        "note": "under the flowerpot",
    }


@pytest.mark.spec("decisions §17")
def test_an_erasure_outlives_the_service_that_began_it(tmp_path: Path) -> None:
    slug = run_json(tmp_path, "organization", "create", "Acme")["organization"]
    who = ("--organization", slug, "--email", "a@b.example")
    key = run_json(tmp_path, "credentials", "create", *who)
    with running(tmp_path) as (process, address), signed_in(address, key) as http:
        for first in range(0, 400, 100):
            imported = http.post("/stops/imports", json=[stop(first + one) for one in range(100)])
            assert imported.status_code == 200, imported.text
        asked = http.post("/privacy/erasures", json={"phone": PHONE}).json()
        process.send_signal(signal.SIGKILL)
    with running(tmp_path) as (_, address), signed_in(address, key) as http:
        path = f"/privacy/erasures/{asked['id']}"
        wait_until(lambda: http.get(path).json()["status"] == "COMPLETED", 2 * PATIENCE_SECONDS)
        assert http.get(path).json()["receipt"]["importedStops"] == 400
        left = http.get("/stops/imports?query.limit=200").json()["stops"]
        assert {one["address"]["city"] for one in left} == {"Baltimore"}
        for file in tmp_path.glob("roundsman.db*"):
            assert [one for one in MARKERS if one in file.read_bytes()] == [], file.name
