"""Whether an installation can do its work, and what has piled up in it."""

import structlog

from roundsman.kit import metrics
from roundsman.operations.tools import Tools
from roundsman.storage.durability import find_unsafe_settings
from roundsman.storage.installation import find_key, write_sample
from roundsman.storage.jobs import count_jobs
from roundsman.storage.outbox import count_waiting
from roundsman.storage.webhook_subscriptions import count_by_state

_SAMPLE_BYTES = 16 * 1024
"""More than the gaps of a full database mostly have."""

_log = structlog.get_logger("roundsman.operations")


def note_durability(tools: Tools) -> None:
    """Warn once of a database that may lose what was acknowledged, and count its settings."""
    unsafe = find_unsafe_settings(tools.database)
    metrics.DATABASE_UNSAFE.set(len(unsafe))
    if unsafe:
        _log.warning("database_not_durable", settings=unsafe)


def check_readiness(tools: Tools) -> None:
    """Raise Unavailable, saying why, when requests could not be served now.

    A database that is full can be read, and takes small changes where there is a gap; so once one
    could not be written, one of some size has to be.
    """
    with tools.database.checking() as tx:
        find_key(tx, "cursors")
    if tools.database.is_in_doubt:
        with tools.database.trying_to_write() as tx:
            write_sample(tx, tools.ids.random_bytes(_SAMPLE_BYTES))
        tools.database.is_in_doubt = False


def count_backlog(tools: Tools) -> None:
    """Set the gauges of what waits; raise Unavailable when the database is away."""
    now = tools.clock.now()
    with tools.database.checking() as tx:
        waiting, oldest = count_waiting(tx)
        subscriptions = count_by_state(tx)
        jobs = count_jobs(tx)
    lag = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
    metrics.DELIVERIES_WAITING.set(waiting)
    metrics.DELIVERY_LAG_SECONDS.set(lag)
    for state, count in subscriptions.items():
        metrics.WEBHOOKS.labels(state).set(count)
    for labels in metrics.labels_of(metrics.JOBS) - jobs.keys():
        metrics.JOBS.labels(*labels).set(0)
    for kind_and_state, count in jobs.items():
        metrics.JOBS.labels(*kind_and_state).set(count)
