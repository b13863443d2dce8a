"""Notes, in the transaction of a change, whose phones are to be told of it by push."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import Happening
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.push_subscriptions import note_change_for_drivers

TOLD_WITHIN = timedelta(seconds=5)
"""A planner who drags ten stops tells a phone once."""

_TOLD_OF = frozenset({Topic.ROUTE_DISPATCHED, Topic.ROUTE_UPDATED, Topic.ROUTE_DELETED})


def mark_pushes(
    tx: Transaction, organization_id: str, happenings: Sequence[Happening], now: datetime
) -> None:
    """Have drivers told whose routes, dispatched or under way, somebody else has changed."""
    driver_ids = {
        happening.subject.route.driver_id
        for happening in happenings
        if happening.topic in _TOLD_OF
        and isinstance(happening.subject, AssignedRoute)
        and (happening.subject.route.is_dispatched(now) or happening.subject.route.is_started())
    }
    told = sorted(driver_ids - {""})
    if told:
        note_change_for_drivers(tx, organization_id, told, now, now + TOLD_WITHIN)
