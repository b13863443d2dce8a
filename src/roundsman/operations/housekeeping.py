"""Forgets what has served its time, a little at a time, so that nobody waits for it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from roundsman.domain.delivery import RETENTION
from roundsman.operations.idempotency import KEPT_FOR
from roundsman.operations.work import Tools
from roundsman.storage.access import remove_expired_tokens
from roundsman.storage.database import Transaction
from roundsman.storage.events import remove_old_events
from roundsman.storage.idempotency import remove_old_records
from roundsman.storage.organizations import list_organizations

_AT_ONCE = 500


def remove_outdated(tools: Tools, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Remove expired tokens and idempotency records, and events older than they are kept."""
    now = tools.clock.now()

    def repeat(remove: Callable[[Transaction], int]) -> None:
        removed = _AT_ONCE
        while removed == _AT_ONCE and not is_stopping():
            with tools.database.writing() as tx:
                removed = remove(tx)

    with tools.database.writing() as tx:
        remove_expired_tokens(tx, now)
    repeat(lambda tx: remove_old_records(tx, now - KEPT_FOR, _AT_ONCE))
    with tools.database.reading() as tx:
        organization_ids = list_organizations(tx)
    for organization_id in organization_ids:
        repeat(partial(_remove_events, organization_id=organization_id, before=now - RETENTION))


def _remove_events(tx: Transaction, *, organization_id: str, before: datetime) -> int:
    return remove_old_events(tx, organization_id, before, _AT_ONCE)
