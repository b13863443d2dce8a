"""The short form of `make torture`: processes and databases die under load, nothing is lost."""

import pytest
from tests.support.ports import free_port
from tests.torture.driving import strike_driver
from tests.torture.scenarios import Blow, kill_one, strike, tear_log

pytestmark = pytest.mark.full

EVENTS = 100


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(("kind", "blow"), [("sqlite", tear_log), ("postgresql", kill_one)])
def test_nothing_is_lost_when_processes_and_databases_die(kind: str, blow: Blow) -> None:
    outcome = strike(kind, blow, blows=1, events=EVENTS, port=free_port())
    assert outcome.holds(), outcome
    assert outcome.events == EVENTS


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_a_driver_sends_to_a_server_that_dies_is_there_once_and_whole(kind: str) -> None:
    outcome = strike_driver(kind, blows=1, port=free_port())
    assert outcome.holds(), outcome
    assert (outcome.actions, outcome.uploads) == (43, 1)
