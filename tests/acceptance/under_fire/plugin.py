"""Puts a test run under fire: `pytest -p tests.acceptance.under_fire.plugin`.

Tests marked `counts_requests` say how many requests were let in, which a request that is sent again
would belie. They run on the same processes, sharing the same rows, but nobody dies meanwhile.
"""

from collections.abc import Iterator

import pytest
from tests.acceptance.under_fire.battle import battle, begin_battle
from tests.acceptance.under_fire.monkey import Fire


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("under fire")
    group.addoption("--processes", type=int, default=4)
    group.addoption("--kill-every", type=float, default=3.0)


def pytest_configure(config: pytest.Config) -> None:
    begin_battle(
        Fire(processes=config.getoption("processes"), kill_every=config.getoption("kill_every"))
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    now = battle()
    if now is None or item.get_closest_marker("counts_requests") is None:
        return (yield)
    with now.monkey.held():
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    now = battle()
    assert now is not None
    terminalreporter.write_line(
        f"under fire: {now.fire.processes} processes, {now.monkey.kills} killed,"
        f" {now.monkey.replacements} times all replaced, {now.count.retries} requests sent again,"
        f" {now.count.replays} of them already done"
    )
