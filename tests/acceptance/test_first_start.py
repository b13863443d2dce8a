"""A machine on which nothing is compiled yet: the demo is there, and what is asked is answered."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
from tests.acceptance.test_main_job import read_address
from tests.support.commands import COMMAND, CommandProcess
from tests.support.waiting import wait_until

PATIENCE_SECONDS = 120


@contextmanager
def serving_demo(folder: Path) -> Iterator[tuple[str, str]]:
    """Serve the demo with an empty cache; yield the address, and what was printed before it."""
    arguments = ["serve", "--demo", "--port", "0", "--data", str(folder / "data")]
    with (
        (folder / "log").open("w") as stderr,
        CommandProcess(
            [*COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        ) as process,
    ):
        try:
            lines: list[str] = []
            yield read_address(process, lines), "".join(lines)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0


def only(pattern: str, text: str) -> str:
    (found, *_) = re.finditer(pattern, text)
    return found[found.re.groups]


def test_the_demo_is_planned_and_served_before_the_planner_is_compiled(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as (address, told):
        with httpx.Client(base_url=f"{address}/api/2024-07", timeout=PATIENCE_SECONDS) as client:
            credentials = only(r'{"clientId":"[^}]*}', told)
            is_json = {"Content-Type": "application/json"}
            token = client.post("/authenticate", content=credentials, headers=is_json)
            client.headers["Authorization"] = f"Bearer {token.json()['accessToken']}"
            address_of = only(r"/routes/rte-[-0-9a-f]+", told)
            route = client.get(address_of).json()
            assert route["optimized"]
            assert len(route["stops"]) > 5
            assert all(stop["distanceMeters"] >= 0 for stop in route["stops"])
            assert all(stop["plannedArrival"] for stop in route["stops"])
            client.delete(f"{address_of}/stops/{route['stops'][0]['id']}")
            again = client.post(f"{address_of}/reoptimize", json={})
            assert again.status_code == 200, again.text
            assert again.json()["optimized"]
        assert httpx.get(f"{address}/readyz").json() == {"status": "ready"}
        wait_until(lambda: compilers_of(tmp_path) != [], PATIENCE_SECONDS)
        assert not list(tmp_path.glob("cache/*/complete-*"))
    assert "Traceback" not in (tmp_path / "log").read_text()
    wait_until(lambda: compilers_of(tmp_path) == [])


def compilers_of(folder: Path) -> list[str]:
    """Return the processes that compile into a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text()
            environment = (process / "environ").read_text()
        except OSError:
            continue
        if str(folder) in environment and "preparing" in command:
            found.append(process.name)
    return found
