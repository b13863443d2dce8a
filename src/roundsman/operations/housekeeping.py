"""Forgets what has served its time, a little at a time, so that nobody waits for it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from roundsman.domain.arrival_forecast import KEPT_FOR as FORECASTS_KEPT_FOR
from roundsman.domain.job import JOBS_KEPT_FOR, LONGEST_RETRY_DELAY
from roundsman.domain.message import MESSAGES_KEPT_FOR
from roundsman.domain.proposed_change import PROPOSED_CHANGES_KEPT_FOR
from roundsman.domain.security_event import SECURITY_EVENTS_KEPT_FOR
from roundsman.domain.tracking_link import REMOVED_STOPS_KEPT_FOR
from roundsman.operations.attachments import UPLOADS_KEPT_FOR
from roundsman.operations.changes import CHANGES_KEPT_FOR
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.retention import list_removals
from roundsman.operations.storefront_reports import REPORTS_KEPT_FOR
from roundsman.operations.storefront_visits import LONGEST_PAUSE
from roundsman.operations.tools import Tools
from roundsman.storage.api_clients import remove_expired_tokens
from roundsman.storage.arrivals import remove_old_forecasts
from roundsman.storage.attachments import remove_stale_uploads
from roundsman.storage.changes import remove_old_changes
from roundsman.storage.database import Transaction
from roundsman.storage.driver_sessions import remove_ended_sessions
from roundsman.storage.geocoder_answers import remove_expired_answers
from roundsman.storage.idempotency import remove_old_records
from roundsman.storage.jobs import bring_jobs_forward, remove_ended_jobs
from roundsman.storage.member_links import remove_expired_links
from roundsman.storage.member_sessions import remove_ended_member_sessions
from roundsman.storage.messages import (
    bring_messages_forward,
    remove_old_messages,
    remove_old_promises,
)
from roundsman.storage.organizations import select_organizations
from roundsman.storage.outbox import bring_forward
from roundsman.storage.plans import remove_expired_plans
from roundsman.storage.proposed_changes import remove_old_proposed_changes
from roundsman.storage.rate_buckets import remove_full_buckets
from roundsman.storage.second_factors import remove_expired_challenges
from roundsman.storage.security_events import remove_old_security_events
from roundsman.storage.storefront_reports import remove_old_reports
from roundsman.storage.storefronts import bring_visits_forward
from roundsman.storage.tables import as_micros
from roundsman.storage.tracking_links import remove_old_links
from roundsman.storage.usage import correct_usage, list_to_measure, measure
from roundsman.webhooks.retries import LONGEST_DELAY

_AT_ONCE = 500
_MEASURED_EVERY = timedelta(minutes=50)
_LONGEST_QUIET = timedelta(days=1)
"""For how long quiet hours may put a message off."""

_UPLOADS_AT_ONCE = 20
"""Up to 10 MiB each."""


def remove_outdated(tools: Tools, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Remove what is past: tokens, sessions, links, records, buckets, answers, jobs, events.

    Deliveries and jobs that a clock far ahead has put off are made due again.
    """
    now = tools.clock.now()
    with tools.database.writing() as tx:
        remove_expired_tokens(tx, now)
        remove_ended_sessions(tx, now)
        remove_ended_member_sessions(tx, now)
        remove_expired_links(tx, now)
        remove_expired_challenges(tx, now)
        remove_full_buckets(tx, as_micros(now))
        bring_forward(tx, now + LONGEST_DELAY, now)
        bring_messages_forward(tx, now + LONGEST_DELAY + _LONGEST_QUIET, now)
        bring_visits_forward(tx, now + LONGEST_PAUSE, now)
        bring_jobs_forward(tx, now + LONGEST_RETRY_DELAY, now)
    for removal in _removals(tools, now):
        _remove_all(tools, removal, is_stopping)
    _measure_all(tools)


@dataclass(frozen=True)
class _Removal:
    """Removes so many at once, and says how many it removed."""

    remove: Callable[[Transaction, int], int]
    at_once: int = _AT_ONCE


def _removals(tools: Tools, now: datetime) -> Iterator[_Removal]:
    """Yield what is removed after how long, of all and of each organization."""
    yield _Removal(lambda tx, most: remove_old_records(tx, now - KEPT_FOR, most))
    yield _Removal(lambda tx, most: remove_expired_answers(tx, now, most))
    yield _Removal(lambda tx, most: remove_ended_jobs(tx, now - JOBS_KEPT_FOR, most))
    uploads_before = now - UPLOADS_KEPT_FOR
    yield _Removal(
        lambda tx, most: remove_stale_uploads(tx, uploads_before, most), _UPLOADS_AT_ONCE
    )
    with tools.database.reading() as tx:
        organizations = select_organizations(tx)
    for organization in organizations:
        organization_id = organization.id
        for remove_old, at_once in list_removals(tools, organization, now):
            yield _Removal(remove_old, at_once)
        for remove, kept_for in (
            (remove_old_changes, CHANGES_KEPT_FOR),
            (remove_old_security_events, SECURITY_EVENTS_KEPT_FOR),
            (remove_old_links, REMOVED_STOPS_KEPT_FOR),
            (remove_old_messages, MESSAGES_KEPT_FOR),
            (remove_old_reports, REPORTS_KEPT_FOR),
            (remove_old_promises, MESSAGES_KEPT_FOR),
            (remove_old_forecasts, FORECASTS_KEPT_FOR),
            (remove_old_proposed_changes, PROPOSED_CHANGES_KEPT_FOR),
        ):
            yield _Removal(partial(_remove_of, remove, organization_id, now - kept_for))
        yield _Removal(partial(_remove_of, remove_expired_plans, organization_id, now))


def _remove_of(
    remove: Callable[[Transaction, str, datetime, int], int],
    organization_id: str,
    before: datetime,
    tx: Transaction,
    most: int,
) -> int:
    return remove(tx, organization_id, before, most)


def _measure_all(tools: Tools) -> None:
    """Find out how much organizations store that may come near to their quota."""
    now = tools.clock.now()
    with tools.database.reading() as tx:
        wanted = list_to_measure(tx, tools.quota_bytes // 2, now - _MEASURED_EVERY)
    for usage in wanted:
        with tools.database.reading_for_long() as tx:
            measured = measure(tx, usage.organization_id)
        with tools.database.writing() as tx:
            correct_usage(tx, usage, measured, now)


def _remove_all(tools: Tools, removal: _Removal, is_stopping: Callable[[], bool]) -> None:
    """Remove some in a transaction until fewer are left, or it is time to stop."""
    removed = removal.at_once
    while removed == removal.at_once and not is_stopping():
        with tools.database.writing() as tx:
            removed = removal.remove(tx, removal.at_once)
