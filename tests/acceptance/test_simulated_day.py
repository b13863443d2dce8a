"""A day that is simulated beside a server that runs: its receivers hear of it as of any other."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from tests.acceptance.test_main_job import serving
from tests.acceptance.test_webhook_delivery import Operator, add, operator
from tests.acceptance.under_fire.battle import open_client
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess
from tests.support.waiting import wait_until
from tests.webhooks.receiver import Receiver
from tests.webhooks.verifying import verify

__all__ = ["operator"]

TOPICS = ("ROUTE_STARTED", "ROUTE_COMPLETED", "STOP_STATUS_UPDATED")
DAY = ("--stops", "12", "--vans", "2", "--speed", "0", "--seed", "3", "--date", "2026-11-20")


@pytest.mark.both_databases
@pytest.mark.spec("decisions §16")
def test_events_of_a_simulated_day_are_sent_and_signed(
    operator: Operator, tmp_path: Path, database_url: str
) -> None:
    with (
        Receiver().listening() as receiver,
        serving(tmp_path / "data", database_url) as address,
        operator.client(address) as http,
    ):
        add(http, receiver.url("/in"), *TOPICS)
        day = operator.run("simulate", "day", "--organization", operator.slug, *DAY)
        told = [
            event["eventId"]
            for topic in TOPICS
            for event in http.get(f"/events?query.limit=200&query.topic={topic}").json()["events"]
        ]
        receiver.wait_until(
            lambda it: {json.loads(one.body)["eventId"] for one in it.received} == set(told)
        )
        for one in receiver.received:
            verify(one, operator.secret)
        shown = http.get("/days/2026-11-20").json()["routes"]
        route = http.get(f"/routes/{shown[0]['id']}").json()
        link = f"/routes/{route['id']}/stops/{route['stops'][0]['id']}/tracking-link"
        page = http.get(http.get(link).json()["url"])
    assert day["actionsMissing"] == 0
    assert len(told) > 2 * day["stops"] == 24
    assert [one["status"] for one in shown] == ["COMPLETED"] * day["routes"]
    assert page.status_code == 200
    assert "Delivered" in page.text or "could not deliver" in page.text


@pytest.mark.counts_requests
def test_a_live_demo_has_vans_on_the_road_and_ends_with_its_server(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--demo", "--live", "--port", "0", "--data", str(tmp_path)]
    log = tmp_path / "server.log"
    with log.open("w") as stderr:
        server = CommandProcess(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        assert server.stdout is not None
        said = ""
        while "listening on" not in said:
            said += server.stdout.readline()
        link = re.search(r"Sign in: +(\S+)", said)
        address = re.search(r"listening on (\S+)", said)
        assert link is not None
        assert address is not None
        with open_client(base_url=address[1], follow_redirects=True) as browser:
            browser.get(link[1])

            def vans_on_the_road() -> int:
                listed = browser.get("/api/2024-07/routes?query.tag=simulated").json()["routes"]
                done = [
                    sum(stop["deliveryStatus"] == "DELIVERED" for stop in route["stops"])
                    for route in listed
                    if route["status"] == "STARTED"
                ]
                return sum(count > 0 for count in done)

            wait_until(lambda: vans_on_the_road() >= 3)
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)
    assert server.returncode == 0, log.read_text()
    assert "live_demo_ended" not in log.read_text()


def test_a_live_day_needs_the_demo(tmp_path: Path) -> None:
    done = commands.run(
        [*COMMAND, "serve", "--live", "--data", str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "give --demo, too" in done.stderr.replace("\n", " ")
