"""Events on their way from a real server to real receivers, over TLS and in plain."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import open_client
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess
from tests.webhooks.certificates import make_certificate
from tests.webhooks.receiver import Receiver
from tests.webhooks.verifying import verify

STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


class Operator:
    """Somebody at the command line of an installation."""

    def __init__(self, data: Path, url: str) -> None:
        self._data, self._url = data, url
        made = self.run("organization", "create", "Acme Foods")
        self.slug, self.secret = made["organization"], made["webhookSecret"]

    def run(self, *arguments: str) -> Any:
        return roundsman(self._data, self._url, *arguments)

    @contextmanager
    def client(self, address: str) -> Iterator[httpx.Client]:
        who = ("--organization", self.slug, "--email", "dev@example.com")
        key = self.run("credentials", "create", *who)
        with open_client(base_url=f"{address}/api/2024-07") as http:
            secret = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
            token = http.post("/authenticate", json=secret).json()["accessToken"]
            http.headers["Authorization"] = f"Bearer {token}"
            yield http


@pytest.fixture
def operator(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Operator:
    monkeypatch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")
    return Operator(tmp_path / "data", database_url)


def topics(receiver: Receiver) -> set[str]:
    return {one.headers["x-service-topic"] for one in receiver.received}


def add(http: httpx.Client, url: str, *topics: str) -> str:
    response = http.post("/webhooks", json={"url": url, "topics": list(topics)})
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


@pytest.mark.spec("Events")
def test_what_happens_reaches_a_tls_and_a_plain_receiver(
    operator: Operator, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, context = make_certificate(tmp_path / "tls")
    monkeypatch.setenv("ROUNDSMAN_WEBHOOK_CA", str(authority))
    with (
        Receiver(tls=context).listening() as encrypted,
        Receiver().listening() as plain,
        serving(tmp_path / "data", database_url) as address,
        operator.client(address) as http,
    ):
        secure = add(http, encrypted.url("/in?shop=1"), "IMPORTED_STOP_CREATED", "ROUTE_CREATED")
        add(http, plain.url("/in"), "ROUTE_CREATED")
        (stop,) = http.post("/stops/imports", json=[STOP]).json()["stops"]
        route = http.post("/routes", json={"start": STOP}).json()
        tested = http.post(f"/webhooks/{secure}/test").json()["eventId"]
        encrypted.wait_until(lambda them: len(topics(them)) == 3)
        got = {one.headers["x-service-topic"]: one for one in encrypted.received}
        in_plain = plain.wait_for(1)[0]
        told = {event["topic"]: event for event in http.get("/events").json()["events"]}
        listed = operator.run("webhook", "deliveries", secure)["deliveries"]
    assert set(got) == {"IMPORTED_STOP_CREATED", "ROUTE_CREATED", "TEST"}
    assert {topic: json.loads(one.body) for topic, one in got.items()} == told
    assert told["IMPORTED_STOP_CREATED"]["payload"] == stop
    assert told["ROUTE_CREATED"]["payload"] == route
    assert told["TEST"]["eventId"] == tested
    assert in_plain.body == got["ROUTE_CREATED"].body
    for one in (*got.values(), in_plain):
        verify(one, operator.secret)
    assert got["TEST"].path == "/in?shop=1"
    assert len(listed) == 3
    assert {report["state"] for report in listed} <= {"DELIVERED", "PENDING"}


@pytest.mark.counts_requests
@pytest.mark.spec("decisions §9")
@pytest.mark.full
def test_a_worker_of_its_own_sends_what_the_command_line_asks_for(
    operator: Operator, tmp_path: Path, database_url: str
) -> None:
    with Receiver().listening() as receiver:
        with (
            serving(tmp_path / "data", database_url) as address,
            operator.client(address) as http,
        ):
            webhook = add(http, receiver.url("/in"), "IMPORTED_STOP_CREATED")
            http.post("/stops/imports", json=[STOP])
            (first,) = receiver.wait_for(1)
        with working(tmp_path / "data", database_url):
            tested = operator.run("webhook", "test", webhook)["eventId"]
            second = receiver.wait_for(2)[1]
            event = first.headers["x-service-event-id"]
            assert operator.run("webhook", "replay", webhook, "--event", event) == {"replayed": 1}
            receiver.wait_until(
                lambda them: sum(one.body == first.body for one in them.received) == 2
            )
    assert second.headers["x-service-event-id"] == tested
    (report,) = operator.run("webhook", "deliveries", webhook, "--event", event)["deliveries"]
    assert [attempt["status"] for attempt in report["attempts"]] == [200, 200]
    assert report["attempts"][0]["answer"] == "ok"


@pytest.mark.full
@pytest.mark.counts_requests
@pytest.mark.spec("decisions §9")
def test_both_secrets_sign_until_a_rotation_is_finished(
    operator: Operator, tmp_path: Path, database_url: str
) -> None:
    who = ("--organization", operator.slug)
    with (
        Receiver().listening() as receiver,
        serving(tmp_path / "data", database_url) as address,
        operator.client(address) as http,
    ):
        webhook = add(http, receiver.url("/in"), "TEST")
        rotating = operator.run("webhook", "secret", "rotate", *who)
        assert rotating["webhookSecret"] == operator.secret
        following = rotating["nextWebhookSecret"]
        http.post(f"/webhooks/{webhook}/test")
        (during,) = receiver.wait_for(1)
        assert operator.run("webhook", "secret", "finish", *who) == {"webhookSecret": following}
        http.post(f"/webhooks/{webhook}/test")
        after = receiver.wait_for(2)[1]
    assert len(during.headers["webhook-signature"].split(" ")) == 2
    verify(during, operator.secret)
    verify(during, following, is_new=True)
    verify(after, following)


@pytest.mark.spec("Delivery rules")
@pytest.mark.full
def test_a_server_asked_to_stop_ends_its_slow_attempts_in_ten_seconds_and_leaves_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDSMAN_WEBHOOK_ALLOW", "127.0.0.0/8")
    data, url = tmp_path / "data", f"sqlite:///{tmp_path / 'roundsman.db'}"
    operator = Operator(data, url)
    with Receiver().listening() as receiver:
        with serving(data, url) as address, operator.client(address) as http:
            slow = add(http, receiver.url("/dribble"), "IMPORTED_STOP_CREATED")
            http.post("/stops/imports", json=[STOP] * 30)
            receiver.wait_until(lambda them: them.in_flight == 10)
        assert len(receiver.received) == 10, "leaving the block asks the server to stop"
        # The server has closed its ends; the receiver sees that in its own time.
        receiver.wait_until(lambda them: them.in_flight == 0)
    asked = ("webhook", "deliveries", slow, "--limit", "30")
    reports = operator.run(*asked)["deliveries"]
    attempts = [attempt for report in reports for attempt in report["attempts"]]
    assert [report["state"] for report in reports] == ["PENDING"] * 30
    assert {attempt["error"] for attempt in attempts} == {"no answer within 10 s"}
    assert len(attempts) == 10
    with closing(sqlite3.connect(tmp_path / "roundsman.db")) as database:
        tried = database.execute(
            "SELECT attempts, count(*) FROM outbox WHERE claimed_by IS NULL GROUP BY attempts"
        )
        assert dict(tried.fetchall()) == {0: 20, 1: 10}


@pytest.mark.counts_requests
@pytest.mark.full
def test_what_a_worker_delivers_is_on_metrics_of_its_own(
    operator: Operator, tmp_path: Path, database_url: str
) -> None:
    data = tmp_path / "data"
    with Receiver().listening() as receiver:
        with serving(data, database_url) as address, operator.client(address) as http:
            webhook = add(http, receiver.url("/in"), "TEST")
        with (
            working(data, database_url, "--monitoring", "0") as said,
            httpx.Client(base_url=said.removeprefix("monitored at ").strip()) as machine,
        ):
            operator.run("webhook", "test", webhook)
            receiver.wait_for(1)
            sent = 'roundsman_delivery_attempts_total{outcome="acknowledged"} 1.0'
            # It counts once it has read the answer, a moment after the receiver has given it.
            assert any(sent in machine.get("/metrics").text for _ in range(1_000))
            assert 'roundsman_webhooks{state="answering"} 1.0' in machine.get("/metrics").text
            assert machine.get("/healthz").json()["status"] == "alive"
            assert machine.get("/readyz").json() == {"status": "ready"}
            assert machine.get("/api/2024-07/routes").status_code == 404


def test_a_worker_that_cannot_be_monitored_where_it_should_be_says_so_and_does_not_work(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = commands.run(
            [*COMMAND, "worker", "--monitoring", place],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "ROUNDSMAN_DATA": str(tmp_path / "data")},
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"roundsman: cannot listen on {place}: Address already in use")


@contextmanager
def working(data: Path, url: str, *options: str) -> Iterator[str]:
    """Run a worker; yield what it says before it works."""
    process = CommandProcess(
        [*COMMAND, "worker", "--data", str(data), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ROUNDSMAN_DATABASE_URL": url},
    )
    assert process.stdout is not None
    said = process.stdout.readline() if options else ""
    assert process.stdout.readline() == "working\n"
    try:
        yield said
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    assert process.returncode == 0, log
