"""Notes, in the transaction of a change, whose phones are to be notified of it by push."""

from collections.abc import Collection
from datetime import datetime, timedelta

from roundsman.storage.database import Transaction
from roundsman.storage.push_subscriptions import note_change_for_drivers

TOLD_WITHIN = timedelta(seconds=5)
"""A planner who drags ten stops tells a phone once."""


def notify_by_push(
    tx: Transaction, organization_id: str, driver_ids: Collection[str], now: datetime
) -> None:
    """Have the phones of these drivers told soon; "" is a route that nobody drives."""
    told = sorted(set(driver_ids) - {""})
    if told:
        note_change_for_drivers(tx, organization_id, told, now + TOLD_WITHIN)
