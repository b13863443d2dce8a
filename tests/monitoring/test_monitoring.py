from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version
from ipaddress import ip_network
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.support.in_process import InProcessClient
from tests.world import CountingIds, FixedClock

from roundsman.domain.errors import Unavailable
from roundsman.endpoints.application import Application, Doors
from roundsman.endpoints.transport import Transport
from roundsman.installation import make_tools
from roundsman.kit import metrics
from roundsman.monitoring.app import PATHS, Monitoring
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database, DiskRefusal
from roundsman.storage.dialects import MOST_TRANSACTIONS


@pytest.fixture
def tools(database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path) -> Tools:
    return make_tools(Settings(data=tmp_path), database, clock, ids)


@pytest.fixture
def ask(tools: Tools) -> Iterator[Callable[..., InProcessClient]]:
    doors = []

    def client(peer: str = "127.0.0.1", allowed: str = "10.1.0.0/16") -> InProcessClient:
        door = Monitoring(tools, [ip_network(allowed)])
        doors.append(door)
        application = Application(Doors([]), tools, Transport(), dict.fromkeys(PATHS, door))
        return InProcessClient(application, address=peer)

    yield client
    for door in doors:
        door.close()


def test_a_process_with_its_database_is_alive_and_ready(
    ask: Callable[..., InProcessClient],
) -> None:
    assert ask().get("/healthz").json() == {"status": "alive", "version": version("roundsman")}
    assert ask().get("/readyz").json() == {"status": "ready"}
    assert ask().get("/healthz").headers["cache-control"] == "no-store"


def test_a_process_without_its_database_is_alive_and_not_ready(
    tools: Tools, tmp_path: Path
) -> None:
    away = Database(f"sqlite:///{tmp_path / 'no' / 'such' / 'folder.db'}")
    door = Monitoring(replace(tools, database=away), [])
    client = InProcessClient(door)
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "not ready",
        "reason": "database is away; nothing was changed",
    }
    assert client.get("/metrics").status_code in {200, 404}
    door.close()


@pytest.mark.both_databases
def test_a_process_is_not_ready_while_changes_find_no_room(
    tools: Tools, ask: Callable[..., InProcessClient]
) -> None:
    fill = {
        "sqlite": "INSERT INTO installation_keys VALUES ('k', zeroblob(1000000))",
        "postgresql": "DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$",
    }[tools.database.dialect_name]

    def change() -> None:
        with tools.database.writing() as tx:
            if tools.database.dialect_name == "sqlite":
                tx.exec_driver_sql("PRAGMA max_page_count = 1")  # what there is, and no more
            tx.exec_driver_sql(fill)

    with pytest.raises(Unavailable):
        change()
    answer = ask().get("/readyz")
    reason = "database's disk is full; nothing was changed"
    assert (answer.status_code, answer.json()) == (503, {"status": "not ready", "reason": reason})
    a_while_ago = tools.database.disk_refusal.at - 60
    tools.database.disk_refusal = DiskRefusal(reason, a_while_ago)
    assert ask().get("/readyz").json() == {"status": "ready"}
    assert not tools.database.is_in_doubt


def test_readiness_does_not_wait_for_connections_that_others_hold(
    tools: Tools, ask: Callable[..., InProcessClient]
) -> None:
    most = MOST_TRANSACTIONS if tools.database.dialect_name == "postgresql" else 20
    with ExitStack() as taken:
        for _ in range(most):
            taken.enter_context(tools.database.reading())
        assert ask().get("/readyz").json() == {"status": "ready"}
        assert b"roundsman_deliveries_waiting" in ask().get("/metrics").content


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.1.2.3", {}, 200),
        ("10.2.2.3", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 404),
        ("127.0.0.1", {"Forwarded": "for=203.0.113.9"}, 404),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 404),
        ("127.0.0.1", {"X-Real-IP": "203.0.113.9"}, 404),
        ("127.0.0.1", {"X-Forwarded-Proto": "https"}, 404),
        ("10.1.2.3", {"X-Forwarded-Host": "plan.example.com"}, 404),
    ],
)
def test_metrics_are_shown_to_this_machine_and_to_named_subnets_alone(
    ask: Callable[..., InProcessClient], peer: str, headers: dict[str, str], status: int
) -> None:
    assert ask(peer).get("/metrics", headers=headers).status_code == status


def test_every_metric_is_told_and_every_one_told_is_registered(
    ask: Callable[..., InProcessClient],
) -> None:
    families = {f.name for f in text_string_to_metric_families(ask().get("/metrics").text)}
    ours = {name for name in families if name.startswith("roundsman_")}
    assert ours == {sample.name for metric in metrics.ALL for sample in metric.describe()}


def test_another_path_goes_to_another_door(ask: Callable[..., InProcessClient]) -> None:
    assert ask().get("/healthzz").json()["message"] == "no such path"
    assert ask().get("/healthz/more").status_code == 404
    wrong = ask().post("/readyz")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD")
