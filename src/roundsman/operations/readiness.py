"""Whether an installation can do its work, and what has piled up in it."""

from roundsman.kit import metrics
from roundsman.operations.work import Tools
from roundsman.storage.installation import find_key
from roundsman.storage.outbox import count_waiting
from roundsman.storage.subscriptions import count_by_state


def check_readiness(tools: Tools) -> None:
    """Raise Unavailable, saying why, when requests could not be served now."""
    with tools.database.reading() as tx:
        find_key(tx, "cursors")


def count_backlog(tools: Tools) -> None:
    """Set the gauges of deliveries and webhooks; raise Unavailable when the database is away."""
    now = tools.clock.now()
    with tools.database.reading() as tx:
        waiting, oldest = count_waiting(tx)
        receivers = count_by_state(tx)
    lag = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
    metrics.DELIVERIES_WAITING.set(waiting)
    metrics.DELIVERY_LAG_SECONDS.set(lag)
    for state, count in receivers.items():
        metrics.WEBHOOKS.labels(state).set(count)
