"""Forgets what has served its time, a little at a time, so that nobody waits for it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from roundsman.domain.event_delivery import RETENTION
from roundsman.domain.job import JOBS_KEPT_FOR, LONGEST_RETRY_DELAY
from roundsman.domain.security_event import SECURITY_EVENTS_KEPT_FOR
from roundsman.operations.attachments import UPLOADS_KEPT_FOR
from roundsman.operations.changes import CHANGES_KEPT_FOR
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.tools import Tools
from roundsman.storage.api_clients import remove_expired_tokens
from roundsman.storage.attachments import remove_stale_uploads
from roundsman.storage.changes import remove_old_changes
from roundsman.storage.database import Transaction
from roundsman.storage.driver_positions import remove_old_positions
from roundsman.storage.driver_sessions import remove_ended_sessions
from roundsman.storage.events import remove_old_events
from roundsman.storage.geocoder_answers import remove_expired_answers
from roundsman.storage.idempotency import remove_old_records
from roundsman.storage.jobs import bring_jobs_forward, remove_ended_jobs
from roundsman.storage.member_links import remove_expired_links
from roundsman.storage.member_sessions import remove_ended_member_sessions
from roundsman.storage.organizations import select_organizations
from roundsman.storage.outbox import bring_forward
from roundsman.storage.rate_buckets import remove_full_buckets
from roundsman.storage.security_events import remove_old_security_events
from roundsman.storage.tables import as_micros
from roundsman.storage.usage import correct_usage, list_to_measure, measure
from roundsman.webhooks.retries import LONGEST_DELAY

_AT_ONCE = 500
_MEASURED_EVERY = timedelta(minutes=50)
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
        remove_full_buckets(tx, as_micros(now))
        bring_forward(tx, now + LONGEST_DELAY, now)
        bring_jobs_forward(tx, now + LONGEST_RETRY_DELAY, now)
    records_before = now - KEPT_FOR
    _remove_all(
        tools,
        lambda tx: remove_old_records(tx, records_before, _AT_ONCE),
        _AT_ONCE,
        is_stopping,
    )
    _remove_all(
        tools,
        lambda tx: remove_expired_answers(tx, now, _AT_ONCE),
        _AT_ONCE,
        is_stopping,
    )
    jobs_before = now - JOBS_KEPT_FOR
    _remove_all(
        tools,
        lambda tx: remove_ended_jobs(tx, jobs_before, _AT_ONCE),
        _AT_ONCE,
        is_stopping,
    )
    with tools.database.reading() as tx:
        organization_ids = [one.id for one in select_organizations(tx)]
    uploads_before = now - UPLOADS_KEPT_FOR
    _remove_all(
        tools,
        lambda tx: remove_stale_uploads(tx, uploads_before, _UPLOADS_AT_ONCE),
        _UPLOADS_AT_ONCE,
        is_stopping,
    )
    for organization_id in organization_ids:
        _remove_all(
            tools,
            partial(_remove_events, organization_id=organization_id, before=now - RETENTION),
            _AT_ONCE,
            is_stopping,
        )
        _remove_all(
            tools,
            partial(
                _remove_changes, organization_id=organization_id, before=now - CHANGES_KEPT_FOR
            ),
            _AT_ONCE,
            is_stopping,
        )
        _remove_all(
            tools,
            partial(
                _remove_security_events,
                organization_id=organization_id,
                before=now - SECURITY_EVENTS_KEPT_FOR,
            ),
            _AT_ONCE,
            is_stopping,
        )
        _remove_all(
            tools,
            partial(
                _remove_positions,
                organization_id=organization_id,
                before=now - tools.positions_kept_for,
            ),
            _AT_ONCE,
            is_stopping,
        )
    _measure_all(tools)


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


def _remove_all(
    tools: Tools,
    remove_some: Callable[[Transaction], int],
    at_once: int,
    is_stopping: Callable[[], bool],
) -> None:
    """Remove so many in a transaction until fewer are left, or it is time to stop."""
    removed = at_once
    while removed == at_once and not is_stopping():
        with tools.database.writing() as tx:
            removed = remove_some(tx)


def _remove_events(tx: Transaction, *, organization_id: str, before: datetime) -> int:
    return remove_old_events(tx, organization_id, before, _AT_ONCE)


def _remove_positions(tx: Transaction, *, organization_id: str, before: datetime) -> int:
    return remove_old_positions(tx, organization_id, before, _AT_ONCE)


def _remove_changes(tx: Transaction, *, organization_id: str, before: datetime) -> int:
    return remove_old_changes(tx, organization_id, before, _AT_ONCE)


def _remove_security_events(tx: Transaction, *, organization_id: str, before: datetime) -> int:
    return remove_old_security_events(tx, organization_id, before, _AT_ONCE)
