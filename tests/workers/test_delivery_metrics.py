"""What an operator's machines see of deliveries."""

from collections.abc import Iterator, Mapping

import pytest
from prometheus_client import REGISTRY
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.operations.readiness import count_backlog
from roundsman.operations.webhook_subscriptions import activate_subscription

OUTCOMES = ("acknowledged", "refused", "unanswered")


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"roundsman_{name}", labels) or 0.0


class Counted:
    """What counters have counted since this was made."""

    def __init__(self) -> None:
        self._before = dict(self._all())

    def since(self) -> Mapping[str, float]:
        return {name: count - self._before[name] for name, count in self._all()}

    def _all(self) -> Iterator[tuple[str, float]]:
        for outcome in OUTCOMES:
            yield outcome, value("delivery_attempts_total", outcome=outcome)
            yield f"{outcome}, timed", value("delivery_attempt_seconds_count", outcome=outcome)
        yield "ages", value("delivery_age_seconds_count")
        yield "seconds of age", value("delivery_age_seconds_sum")


def gauges(world: World) -> tuple[float, float, dict[str, float]]:
    count_backlog(world.tools)
    states = {
        state: value("webhooks", state=state) for state in ("answering", "failing", "inactive")
    }
    return value("deliveries_waiting"), value("delivery_lag_seconds"), states


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/in", "acknowledged"), ("/status/503", "refused"), ("/reset", "unanswered")],
)
def test_attempts_are_counted_and_timed_by_how_they_ended(
    world: World, receiver: Receiver, path: str, outcome: str
) -> None:
    world.subscribe(receiver.url(path))
    world.happen(3)
    world.clock.advance(seconds=7)
    counted = Counted()
    world.send()
    others = {f"{name}{kind}": 0 for name in OUTCOMES for kind in ("", ", timed")}
    ages = 3 if outcome == "acknowledged" else 0
    assert counted.since() == {
        **others,
        outcome: 3,
        f"{outcome}, timed": 3,
        "ages": ages,
        "seconds of age": pytest.approx(7 * ages, abs=0.001),
    }


def test_lag_is_of_webhooks_that_answer_and_inactive_ones_wait_for_nothing(
    world: World, receiver: Receiver
) -> None:
    answering = {"answering": 1, "failing": 0, "inactive": 0}
    webhook = world.subscribe(receiver.url("/status/410"))
    world.happen(2)
    world.clock.advance(seconds=30)
    waiting, lag, states = gauges(world)
    assert (waiting, states) == (2, answering)
    assert lag == pytest.approx(30, abs=0.001)
    world.send()
    world.happen()
    world.clock.advance(seconds=30)
    assert gauges(world) == (0, 0, {"answering": 0, "failing": 0, "inactive": 1})
    activate_subscription(world.tools, world.request, webhook)
    assert gauges(world)[2] == answering
    failing = world.subscribe(receiver.url("/status/500"))
    world.happen()
    world.send()
    world.clock.advance(hours=1)
    waiting, lag, states = gauges(world)
    assert (waiting, lag, states) == (1, 0, {"answering": 0, "failing": 1, "inactive": 1})
    assert failing
