"""Forgets what has served its time, a little at a time, so that nobody waits for it."""

from collections.abc import Callable

from roundsman.domain.delivery import RETENTION
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.work import Tools
from roundsman.storage.access import remove_expired_tokens
from roundsman.storage.events import remove_old_events
from roundsman.storage.idempotency import remove_old_records
from roundsman.storage.organizations import list_organizations
from roundsman.storage.rate_buckets import remove_full_buckets
from roundsman.storage.tables import as_micros

_AT_ONCE = 500


def remove_outdated(tools: Tools, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Remove expired tokens, records and buckets, and events older than they are kept."""
    now = tools.clock.now()
    with tools.database.writing() as tx:
        remove_expired_tokens(tx, now)
        remove_old_records(tx, now - KEPT_FOR)
        remove_full_buckets(tx, as_micros(now))
    with tools.database.reading() as tx:
        organization_ids = list_organizations(tx)
    for organization_id in organization_ids:
        removed = _AT_ONCE
        while removed == _AT_ONCE and not is_stopping():
            with tools.database.writing() as tx:
                removed = remove_old_events(tx, organization_id, now - RETENTION, _AT_ONCE)
