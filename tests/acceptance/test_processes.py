"""Several processes on one PostgreSQL serve one address; any of them may die or be replaced."""

import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import read_address, roundsman
from tests.acceptance.under_fire.monkey import children
from tests.support import commands
from tests.support.commands import COMMAND
from tests.support.waiting import wait_until

COUNT = 2
PATIENCE_SECONDS = 120


@contextmanager
def group(data: Path, url: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with (
        (data / "log").open("w") as told,
        subprocess.Popen(  # noqa: S603 -- our own command
            [*COMMAND, "serve", "--port", "0", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            env={**os.environ, "ROUNDSMAN_DATABASE_URL": url, "ROUNDSMAN_WORKERS": str(COUNT)},
        ) as process,
    ):
        try:
            yield process, read_address(process)
        finally:
            process.kill()


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split(")")[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def ask(address: str) -> int:
    """Ask on a connection of its own, so that any of the processes may answer."""
    return httpx.get(f"{address}/readyz", timeout=30).status_code


@pytest.mark.full
def test_processes_share_an_address_and_are_replaced(tmp_path: Path, new_postgres_url: str) -> None:
    made = roundsman(tmp_path, new_postgres_url, "organization", "create", "Acme Foods")
    create = ("credentials", "create", "--organization", made["organization"])
    key = roundsman(tmp_path, new_postgres_url, *create, "--email", "dev@example.com")
    with group(tmp_path, new_postgres_url) as (parent, address):
        wait_until(lambda: len(children(parent.pid)) == COUNT)
        they_share_their_counts(address, sign_in(address, key))
        they_let_in_as_many_as_one_would(address, sign_in(address, key))
        one_that_dies_is_replaced(parent.pid, address)
        all_are_replaced_without_a_request_refused(parent, address)
        who_is_served_is_answered_and_who_comes_later_is_refused(parent, address)
        assert parent.wait(PATIENCE_SECONDS) == 0


def sign_in(address: str, key: dict[str, str]) -> dict[str, str]:
    body = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
    answer = httpx.post(f"{address}/api/2024-07/authenticate", json=body, timeout=30)
    return {"Authorization": f"Bearer {answer.json()['accessToken']}"}


def list_vehicles(address: str, header: dict[str, str]) -> httpx.Response:
    """Ask on a connection of its own, so that any of the processes may answer."""
    return httpx.get(f"{address}/api/2024-07/vehicles", headers=header, timeout=30)


def they_share_their_counts(address: str, header: dict[str, str]) -> None:
    for _ in range(8):
        assert list_vehicles(address, header).headers["RateLimit-Limit"] == "120"
    told = httpx.get(f"{address}/metrics", timeout=30).text
    listed = re.search(r'requests_total\{operation="listVehicles",status="200"\} ([\d.]+)', told)
    assert listed is not None
    assert float(listed[1]) == 8


def they_let_in_as_many_as_one_would(address: str, header: dict[str, str]) -> None:
    began = time.monotonic()
    # One client: to make one for each request would take longer than a token takes to come back.
    with httpx.Client(headers=header, timeout=30) as http, ThreadPoolExecutor(8) as callers:
        path = f"{address}/api/2024-07/vehicles"
        answers = list(callers.map(lambda _: http.get(path), range(300)))
    came_back = int((time.monotonic() - began) * 10) + 1
    let_in = [one for one in answers if one.status_code == 200]
    assert {one.status_code for one in answers} <= {200, 429}
    assert min(300, 120 - 8) <= len(let_in) <= 120 + came_back
    left = [int(one.headers["RateLimit-Remaining"]) for one in let_in]
    # No two were given the same place, but for what came back meanwhile.
    assert len(left) - len(set(left)) <= came_back + 8


def one_that_dies_is_replaced(parent: int, address: str) -> None:
    victim = min(children(parent))
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: len(children(parent) - {victim}) == COUNT)
    assert ask(address) == 200


def all_are_replaced_without_a_request_refused(parent: subprocess.Popen[str], address: str) -> None:
    before = children(parent.pid)
    replaced = threading.Event()
    answers: list[int] = []

    def keep_asking() -> None:
        while not replaced.is_set():
            answers.append(ask(address))

    asking = threading.Thread(target=keep_asking)
    asking.start()
    parent.send_signal(signal.SIGHUP)
    wait_until(lambda: len(children(parent.pid) - before) == COUNT and all(map(is_gone, before)))
    replaced.set()
    asking.join()
    assert set(answers) == {200}


def who_is_served_is_answered_and_who_comes_later_is_refused(
    parent: subprocess.Popen[str], address: str
) -> None:
    place = urlsplit(address)
    at = (place.hostname or "", place.port or 0)
    body = b'{"clientId": "x", "clientSecret": "y"}'
    head = "POST /api/2024-07/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json"
    request = f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body

    def refuses() -> bool:
        try:
            socket.create_connection(at).close()
        except ConnectionRefusedError:
            return True
        return False

    with socket.create_connection(at, timeout=PATIENCE_SECONDS) as served:
        served.sendall(request)
        assert read_status(served) == 401, "accepted by one of them"
        served.sendall(request[:-1])
        parent.send_signal(signal.SIGTERM)
        wait_until(refuses)
        assert parent.poll() is None
        served.sendall(request[-1:])
        assert read_status(served) == 401


def read_status(connection: socket.socket) -> int:
    """Read one whole answer: its body may come apart from its head."""
    answer = HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


def test_children_end_with_a_parent_that_was_killed(tmp_path: Path, new_postgres_url: str) -> None:
    with group(tmp_path, new_postgres_url) as (parent, _):
        wait_until(lambda: len(children(parent.pid)) == COUNT)
        orphans = children(parent.pid)
        parent.kill()
        parent.wait()
        wait_until(lambda: all(map(is_gone, orphans)))


@pytest.mark.full
def test_children_that_still_load_leave_no_trace_when_all_are_interrupted(
    tmp_path: Path, new_postgres_url: str
) -> None:
    """A terminal interrupts all of its processes at once; only the parent says what it means."""
    with (
        (tmp_path / "log").open("w+") as told,
        subprocess.Popen(  # noqa: S603 -- our own command
            [*COMMAND, "serve", "--port", "0", "--data", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "PYTHONPROFILEIMPORTTIME": "1",
                "ROUNDSMAN_DATABASE_URL": new_postgres_url,
                "ROUNDSMAN_WORKERS": str(COUNT),
            },
        ) as parent,
    ):
        read_address(parent)
        log = tmp_path / "log"
        assert log.read_text().count("starlette.requests\n") == 1  # the forked loaded nothing
        parent.send_signal(signal.SIGHUP)
        wait_until(lambda: log.read_text().count("starlette.requests\n") == 2)
        os.killpg(parent.pid, signal.SIGINT)
        assert parent.wait(timeout=PATIENCE_SECONDS) == 0
    assert "Traceback" not in log.read_text()


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    done = commands.run(
        [*COMMAND, "serve", "--data", str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ROUNDSMAN_WORKERS": "2"},
    )
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "ROUNDSMAN_WORKERS" in line
    assert "ROUNDSMAN_DATABASE_URL=postgresql://" in line
