"""Whether an installation can do its work, and what has piled up in it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.domain.storefront import ReportQueue, StorefrontPlatform, StorefrontState
from roundsman.kit import metrics
from roundsman.operations.tools import Tools
from roundsman.storage.durability import find_unsafe_settings
from roundsman.storage.installation import find_key, write_sample
from roundsman.storage.jobs import count_jobs
from roundsman.storage.outbox import count_waiting
from roundsman.storage.storefront_reports import count_all_reports
from roundsman.storage.storefronts import ShopState, list_shop_states
from roundsman.storage.webhook_subscriptions import count_by_state

_SAMPLE_BYTES = 256 * 1024
"""What a batch of stops takes with its indexes and events: more than the gaps of a full database
mostly have, and than an ordinary change needs."""

_DISK_SECONDS = 15
"""For how long a refused change counts, though a smaller one would find a gap."""

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
    could not be written, one of some size has to be, and none may have been refused just now.
    """
    with tools.database.checking() as tx:
        find_key(tx, "cursors")
    refusal = tools.database.disk_refusal
    if refusal.is_within(_DISK_SECONDS):
        raise Unavailable(refusal.reason)
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
        shops = list_shop_states(tx)
        reports = count_all_reports(tx)
    lag = 0.0 if oldest is None else max(0.0, (now - oldest).total_seconds())
    metrics.DELIVERIES_WAITING.set(waiting)
    metrics.DELIVERY_LAG_SECONDS.set(lag)
    for state, count in subscriptions.items():
        metrics.WEBHOOKS.labels(state).set(count)
    for labels in metrics.labels_of(metrics.JOBS) - jobs.keys():
        metrics.JOBS.labels(*labels).set(0)
    for kind_and_state, count in jobs.items():
        metrics.JOBS.labels(*kind_and_state).set(count)
    for platform in StorefrontPlatform:
        _count_shops([one for one in shops if one.platform is platform], platform, reports, now)


def _count_shops(
    shops: Sequence[ShopState],
    platform: StorefrontPlatform,
    reports: Mapping[str, ReportQueue],
    now: datetime,
) -> None:
    label = platform.value.lower()
    for state in StorefrontState:
        count = sum(one.state is state for one in shops)
        metrics.STOREFRONTS.labels(label, state.value.lower()).set(count)
    queues = [reports.get(one.id, ReportQueue()) for one in shops]
    metrics.STOREFRONT_REPORTS.labels(label, "waiting").set(sum(one.waiting for one in queues))
    metrics.STOREFRONT_REPORTS.labels(label, "failed").set(sum(one.failed for one in queues))
    seen = [one.seen_at for one in shops if one.state is StorefrontState.ACTIVE]
    age = max(0.0, (now - min(seen)).total_seconds()) if seen else 0.0
    metrics.STOREFRONT_VISIT_AGE_SECONDS.labels(label).set(age)
