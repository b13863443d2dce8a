"""Whoever is erased is looked for in whatever a real service left behind: logs, metrics, files."""

import hashlib
import os
import re
import shlex
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from tests.acceptance.test_driver import Day, signed_up
from tests.cli.running import run
from tests.driver.test_driver_erasures import FULL_NAME
from tests.driver.test_driver_erasures import PHONE as DRIVERS_PHONE
from tests.driver.test_driver_erasures import WHO as DRIVER
from tests.driver.test_erasures import (
    EMAIL,
    LATITUDE,
    LONGITUDE,
    MARKERS,
    ORDER,
    OTHER,
    PHONE,
    STOP,
)
from tests.driver.test_evidence import PHOTO, SIGNATURE
from tests.images.test_decoder_process import jpeg
from tests.notifications.post_office import Gateway, open_gateway
from tests.postgres import Server, find_binaries, postgres_server
from tests.support.waiting import PATIENCE_SECONDS, wait_until
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.spec("decisions §17")

type Json = Any

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"

WORDS = (*MARKERS, "Quillon", "Brambleworth", "4105553377", "39.287654")
"""Of the customer and of the driver, both of whom are erased."""

AT_THE_DOOR = {"latitude": 39.287654, "longitude": -76.587654, "accuracyMeters": 5}
NUMBERS = (LATITUDE, LONGITUDE, AT_THE_DOOR["latitude"], AT_THE_DOOR["longitude"])
START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
TASKS = [{"title": "Seal", "type": "TEXT_INPUT", "requiredToMarkStopAsDelivered": True}]
SMS = {
    "method": "POST",
    "headers": {"Authorization": "gateway"},
    "body": '{"to": "{to}", "text": "{text}", "ref": "{id}"}',
}
MOMENTS = ("PLANNED", "ON_THE_WAY", "NEXT", "DELIVERED", "ATTEMPTED")


def needles() -> list[bytes]:
    """Return what is looked for in files: words, and numbers as either database writes them."""
    packed = [struct.pack(order, one) for one in NUMBERS for order in ("<d", ">d")]
    return [*(word.encode() for word in WORDS), *packed]


def found_in(text: str) -> list[str]:
    return [word for word in WORDS if word.casefold() in text.casefold()]


def found_in_files(folder: Path) -> dict[str, list[bytes]]:
    found = {}
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        with suppress(FileNotFoundError):  # a server that runs has removed it since
            held = file.read_bytes()
            if hits := [one for one in needles() if one in held]:
                found[str(file.relative_to(folder))] = hits
    return found


def check_files_hold_everything(folder: Path) -> None:
    """Look for every word, so that finding none later means something."""
    found = {one for hits in found_in_files(folder).values() for one in hits}
    assert [word for word in WORDS if word.encode() not in found] == []


@dataclass
class Life:
    """What somebody who lived through a day left behind outside the database."""

    log: str = ""
    metrics: list[str] = field(default_factory=list)
    commands: str = ""
    exports: str = ""
    """Asked for after the erasure."""


def ask(day: Day, method: str, path: str, body: Json = None, **options: Any) -> Json:
    answer = day.api.request(method, path, json=body, **options)
    assert answer.status_code == 200, answer.text
    return answer.json()


def have_everything_sent(day: Day, gateway: Gateway, receiver: Receiver) -> None:
    """Set up receivers and messages, some of which fail: what fails is logged."""
    for path in ("/", "/status/500", "/reset"):
        topics = ["STOP_UPDATED", "ROUTE_UPDATED", "DRIVER_ADDED"]
        ask(day, "POST", "/webhooks", {"url": receiver.url(path), "topics": topics})
    rules = [{"moment": one, "channel": "SMS", "enabled": True} for one in MOMENTS]
    sms = {**SMS, "url": f"http://127.0.0.1:{gateway.port}/send"}
    messages = {"rules": rules, "smsGateway": sms}
    body = {"messages": messages, "updateMask": "rules,smsGateway"}
    ask(day, "PATCH", "/settings/messages", body)
    gateway.answers += [500, 0, 403]


def invite_driver(day: Day) -> None:
    """Have the driver who is erased later sign up, and hold the device from then on."""
    invited = ask(day, "POST", "/drivers", DRIVER, headers={"Idempotency-Key": "driver-1"})
    link = invited["inviteUrl"].replace("/driver/invite/", "/driver/api/invites/")
    answer = day.device.post(link, json={"device": "Quillon's pocket slab"}).json()
    day.driver_id, day.token = answer["driver"]["id"], answer["token"]


def live_through(day: Day) -> None:
    """Let the data of a customer and of a driver go wherever they can go."""
    invite_driver(day)
    key = {"Idempotency-Key": "import-77"}
    imported = ask(day, "POST", "/stops/imports", [STOP, OTHER], headers=key)["stops"]
    in_an_hour = (datetime.now(UTC) + timedelta(hours=1)).isoformat()  # noqa: TID251 -- another process's clock
    route = {
        "name": f"{FULL_NAME}, early",
        "note": f"Call {FULL_NAME}, {DRIVERS_PHONE}, when late",
        "start": START,
        "driverId": day.driver_id,
        "stopTasks": TASKS,
        "scheduledFor": in_an_hour,
    }
    id_ = ask(day, "POST", "/routes", route)["id"]
    path = f"/routes/{id_}"
    ask(day, "POST", f"{path}/stops", [{"importedStopId": one["id"]} for one in imported])
    ask(day, "PUT", "/store-orders/S1", ORDER)
    ask(day, "POST", f"{path}/reoptimize", {})
    stops = ask(day, "POST", f"{path}/dispatch", {})["stops"]
    theirs, other = sorted(stops, key=lambda one: one["clientStopId"])
    refuse_much(day, theirs["id"], path)
    plan(day)
    link = ask(day, "GET", f"{path}/stops/{theirs['id']}/tracking-link")["url"]
    assert day.device.post(f"{link}/note", json={"note": "ring softly"}).status_code == 200
    at_the_door(day, id_, theirs, other)
    rating = {"rating": 5, "comment": "splendid courier"}
    assert day.device.post(f"{link}/rating", json=rating).status_code == 200
    for left in (f"{path}/sheet", f"{path}/export?query.format=CSV", f"{path}/track"):
        assert day.api.get(left).status_code == 200
    assert day.api.get(f"{path}/stops/{theirs['id']}/evidence").status_code == 200


def plan(day: Day) -> None:
    now = datetime.now(UTC)  # noqa: TID251 -- as above
    extra = ask(day, "POST", "/stops/imports", [{**STOP, "clientStopId": "order-79"}])["stops"]
    shift = {"start": now.isoformat(), "end": (now + timedelta(hours=8)).isoformat()}
    plan = {
        "stops": [{"importedStopId": extra[0]["id"]}],
        "vehicles": [{"id": "van", "start": START, "end": START, "shift": shift}],
        "options": {"effort": "QUICK"},
    }
    made = ask(day, "POST", "/plans", plan)
    path = f"/plans/{made['id']}"
    wait_until(lambda: ask(day, "GET", path)["status"] == "COMPLETED", 3 * PATIENCE_SECONDS)


def refuse_much(day: Day, stop_id: str, path: str) -> None:
    """Have requests with the same data refused, in every way in which that is done."""
    nowhere = {"address1": "12 Marzipan Alley", "address2": "rear courtyard", "city": "Quincewood"}
    refused: Sequence[tuple[str, str, Json]] = (
        ("POST", "/stops/imports", [{**STOP, "priority": -1}]),
        ("POST", "/stops/imports", [{**STOP, "note": "key under the flowerpot" * 500}]),
        ("POST", "/stops/imports", [{**STOP, "coordinates": None, "address": nowhere}]),
        ("POST", "/stops/imports", [{**STOP, "Zarathustra": "Quincewood"}]),
        ("POST", "/stops/imports", [{**STOP, "note": "key under the flowerpot\0"}]),
        ("POST", "/authenticate", {"clientId": EMAIL, "clientSecret": PHONE}),
        ("PUT", "/store-orders/Zarathustra", {**ORDER, "items": 1}),
        ("POST", f"{path}/dispatch", {"note": "flowerpot"}),
        ("POST", "/privacy/erasures", {"phone": PHONE, "email": EMAIL}),
        ("GET", "/stops/imports/Zarathustra", None),
        ("GET", f"/nowhere/{EMAIL}", None),
        ("PATCH", f"{path}/stops/{stop_id}", {"stop": STOP, "updateMask": "Zarathustra"}),
    )
    for method, place, body in refused:
        assert day.api.request(method, place, json=body).status_code >= 400, (method, place)
    for place in (f"/routes?query.text={EMAIL}", "/stops/imports?query.text=Marzipan"):
        assert day.api.get(place).status_code == 200
    strange = {"Authorization": f"Bearer {EMAIL}", "User-Agent": "Zarathustra Quincewood"}
    assert day.api.get("/routes", headers=strange).status_code == 401
    broken = day.device.request(
        "GET", f"{day.address}/\u00e4?{EMAIL}", headers={"Zarathustra": "x"}
    )
    assert broken.status_code >= 400


def at_the_door(day: Day, id_: str, theirs: Json, other: Json) -> None:
    here = {"stopId": theirs["id"]}
    results = day.send(day.action("ROUTE_STARTED", id_))
    for upload in (PHOTO, SIGNATURE):
        sha256 = {"X-Content-SHA256": hashlib.sha256(jpeg()).hexdigest()}
        headers = {**day.headers(), **sha256}
        url = f"{day.address}/driver/api/uploads/{upload}"
        assert day.device.put(url, content=jpeg(), headers=headers).status_code == 200
    task = theirs["tasks"][0]["id"]
    results += day.send(
        day.action("POSITION", id_, position=AT_THE_DOOR),
        day.action("STOP_ARRIVED", id_, **here, position=AT_THE_DOOR),
        day.action("PHOTO", id_, **here, uploadId=PHOTO),
        day.action("SIGNATURE", id_, **here, uploadId=SIGNATURE),
        day.action("TASK_COMPLETED", id_, taskId=task, value="SEAL-4711"),
        day.action("BARCODE_ISSUE", id_, **here, reason="ITEM_DAMAGED", note="soggy parcel"),
        day.action("STOP_ATTEMPTED", id_, **here, reason="OTHER", note="barking spaniel"),
        day.action("PROOF_NOTE", id_, **here, note="left with the plum cake"),
        day.action(
            "STOP_DELIVERED",
            id_,
            **here,
            recipientName="Auntie Hildegard",
            position={**AT_THE_DOOR, "latitude": LATITUDE, "longitude": LONGITUDE},
        ),
        day.action("STOP_ATTEMPTED", id_, stopId=other["id"], reason="OTHER", note=FULL_NAME),
        day.action("ROUTE_COMPLETED", id_, note="x" * 70_000),
    )
    assert {one["outcome"] for one in results[:-1]} == {"APPLIED"}, results


def forget(day: Day, life: Life, data: Path) -> None:
    """Erase the customer by the interface and the driver by the command line."""
    asked = ask(day, "POST", "/privacy/erasures", {"phone": PHONE})["id"]
    path = f"/privacy/erasures/{asked}"
    wait_until(lambda: ask(day, "GET", path)["status"] == "COMPLETED", 2 * PATIENCE_SECONDS)
    who = ("--organization", day.organization, "--driver", day.driver_id)
    done = run(data, "privacy", "erase", *who)
    assert done.exit_code == 0, done.output
    life.commands += done.stderr
    life.metrics.append(read_metrics(day))
    exports = [
        f"/privacy/exports?query.phone=%2B{PHONE[1:]}",
        f"/privacy/exports?query.email={EMAIL}",
    ]
    life.exports = "\n".join(day.api.get(one).text for one in exports)


def read_metrics(day: Day) -> str:
    answer = day.device.get(f"{day.address}/metrics")
    assert answer.status_code == 200
    return str(answer.text)


@contextmanager
def lived_and_forgotten(data: Path, url: str) -> Iterator[tuple[Day, Life]]:
    life = Life()
    allowed = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
    with (
        open_gateway() as gateway,
        Receiver().listening() as receiver,
        signed_up(data, url, **allowed) as day,
    ):
        have_everything_sent(day, gateway, receiver)
        live_through(day)
        wait_until(lambda: "4105557788" in str(gateway.requests))
        receiver.wait_until(lambda one: b"Zarathustra" in b"".join(r.body for r in one.received))
        life.metrics.append(read_metrics(day))
        yield day, life
    life.log = (data / "server.log").read_text()


def check_log_and_metrics(life: Life) -> None:
    assert life.log.count('"operation"') > 30
    assert found_in(life.log) == []
    assert found_in("\n".join(life.metrics)) == []
    assert "roundsman_requests_total" in life.metrics[0]
    assert found_in(life.commands) == []
    assert found_in(life.exports) == []


def test_an_installation_on_sqlite_says_nothing_of_whom_it_has_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    monkeypatch.setenv("ROUNDSMAN_DATABASE_URL", url)
    with lived_and_forgotten(tmp_path, url) as (day, life):
        check_files_hold_everything(tmp_path)
        forget(day, life, tmp_path)
        assert found_in_files(tmp_path) == {}
    check_log_and_metrics(life)
    assert found_in_files(tmp_path) == {}


@pytest.fixture
def server() -> Iterator[Server]:
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL's binaries are not installed")
    with postgres_server(binaries) as running:
        yield running


def store_uncompressed(url: str) -> None:
    """Have long texts stored as they are, so that words are found in them."""
    columns = """
        SELECT attrelid::regclass::text, attname FROM pg_attribute
        JOIN pg_class ON pg_class.oid = attrelid
        WHERE relkind = 'r' AND attnum > 0 AND attstorage = 'x'
        AND relnamespace = 'public'::regnamespace
    """
    with psycopg.connect(url, autocommit=True) as connection:
        for table, column in connection.execute(columns).fetchall():
            statement = SQL("ALTER TABLE {} ALTER COLUMN {} SET STORAGE EXTERNAL")
            connection.execute(statement.format(Identifier(table), Identifier(column)))


def samples_of(url: str) -> str:
    """Return what PostgreSQL shows of columns' values, which it samples for its planner."""
    with psycopg.connect(url) as connection:
        return str(connection.execute("SELECT * FROM pg_stats").fetchall())


def lines_of_page(title: str) -> list[str]:
    """Return the commands of one example of the page that says how to erase a customer."""
    text = (HOW_TO / "erase-a-customer.md").read_text("utf-8")
    found = re.search(rf'```console title="{title}"\n(.*?)```', text, re.DOTALL)
    assert found, title
    return [line.removeprefix("$ ") for line in found[1].splitlines()]


def follow_page(title: str, server: Server) -> None:
    """Do as the page says, as the account that runs the server."""
    binaries = find_binaries()
    assert binaries is not None
    where = urlsplit(server.address)
    environment = {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "PGHOST": str(where.hostname),
        "PGPORT": str(where.port),
        "PGUSER": str(where.username),
    }
    for line in lines_of_page(title):
        command = [one.replace("roundsman", "postgres") for one in shlex.split(line)]
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)  # noqa: S603 -- our own page


def test_an_installation_on_postgresql_says_nothing_of_whom_it_has_erased(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{server.address}/postgres"
    monkeypatch.setenv("ROUNDSMAN_DATABASE_URL", url)
    follow_page("once", server)
    with psycopg.connect(url, autocommit=True) as connection:  # the most talkative that it can be
        connection.execute("ALTER SYSTEM SET log_statement = 'all'")
        connection.execute("SELECT pg_reload_conf()")
    run(tmp_path, "organization", "create", "First")
    store_uncompressed(url)
    with lived_and_forgotten(tmp_path, url) as (day, life):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ANALYZE")
            connection.execute("CHECKPOINT")
        check_files_hold_everything(server.folder)
        assert len(found_in(samples_of(url))) > len(WORDS) / 2
        forget(day, life, tmp_path)
        assert found_in(samples_of(url)) == []
        assert found_in(dump(url)) == []
        assert found_in_files(server.folder)  # as the page says: pages and the log keep old bytes
        follow_page("at a quiet time", server)
        assert "INSERT INTO imported_stops" in (server.folder / "log").read_text()
        assert found_in_files(server.folder) == {}
        assert day.api.get("/routes").status_code == 200
    check_log_and_metrics(life)


def dump(url: str) -> str:
    binaries = find_binaries()
    assert binaries is not None
    command = [str(binaries / "pg_dump"), url]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603 -- the machine's own PostgreSQL
    assert "COPY public.routes" in done.stdout
    return done.stdout
