"""A day that is simulated beside a server that runs: its receivers hear of it as of any other."""

import json
from pathlib import Path

import pytest
from tests.acceptance.test_main_job import serving
from tests.acceptance.test_webhook_delivery import Operator, add, operator
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
