"""The short form of `make torture`: processes and databases die under load, nothing is lost."""

import pytest
from tests.postgres import free_port
from tests.torture.scenarios import Blow, kill_one, restart_database, strike, tear_log

EVENTS = 200


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    ("kind", "blow"),
    [
        ("sqlite", kill_one),
        ("sqlite", tear_log),
        ("postgresql", kill_one),
        ("postgresql", restart_database),
    ],
)
def test_nothing_is_lost_when_processes_and_databases_die(kind: str, blow: Blow) -> None:
    outcome = strike(kind, blow, blows=1, events=EVENTS, port=free_port())
    assert outcome.holds(), outcome
    assert outcome.events == EVENTS
