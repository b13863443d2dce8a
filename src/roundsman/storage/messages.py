"""Messages to customers as rows, claimed by workers like event deliveries (`storage/leases.py`)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, and_, bindparam, delete, func, select, update

from roundsman.domain.message import (
    DECLINED,
    Channel,
    Message,
    MessageSettings,
    MessageStatus,
    Suppression,
    Trigger,
)
from roundsman.domain.message_history import PastMessage
from roundsman.domain.message_triggers import MOST_SLIPS, Promise
from roundsman.domain.model import UNSET, Model
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing, upsert, without_index
from roundsman.storage.fair_claims import Room
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.leases import Leases
from roundsman.storage.message_tables import message_promises as promises
from roundsman.storage.message_tables import message_suppressions as suppressions
from roundsman.storage.message_tables import messages
from roundsman.storage.tables import organizations

_IS_WAITING = messages.c.status == MessageStatus.WAITING.value
_LEASES = Leases(messages, _IS_WAITING)
_IS_NAMED = messages.c.id == bindparam("of_message")
_read_settings = msgspec.json.Decoder(MessageSettings).decode


class MessageClaim(Model):
    """One attempt to send one message, by one worker."""

    message_id: str
    worker_id: str
    attempt: int


class DueMessage(Model):
    """A message whose time has come."""

    message: Message
    organization_id: str
    was_claimed: bool
    """By a worker that never came back."""

    def next_claim(self, worker_id: str) -> MessageClaim:
        """Return the claim of its next attempt."""
        attempt = self.message.attempts + 1
        return MessageClaim(message_id=self.message.id, worker_id=worker_id, attempt=attempt)


def find_message_settings(tx: Transaction, organization_id: str) -> MessageSettings:
    """Return what an organization has decided about messages."""
    body = tx.execute(
        select(organizations.c.messages).where(organizations.c.id == organization_id)
    ).scalar()
    return MessageSettings() if body is None else _read_settings(body)


def find_message_secrets(tx: Transaction, organization_id: str) -> str | None:
    """Return the headers of an organization's gateway, sealed; None without a gateway."""
    found: str | None = tx.execute(
        select(organizations.c.message_secrets).where(organizations.c.id == organization_id)
    ).scalar()
    return found


def update_message_settings(
    tx: Transaction, organization_id: str, settings: MessageSettings, sealed_headers: str | None
) -> None:
    """Replace what an organization has decided about messages; no header stands in it openly."""
    tx.execute(
        update(organizations)
        .where(organizations.c.id == organization_id)
        .values(
            messages=msgspec.json.encode(settings.without_secrets()).decode(),
            message_secrets=sealed_headers,
        )
    )


def add_message(
    tx: Transaction, organization_id: str, message: Message, *, epoch: int, due_at: datetime
) -> bool:
    """Store a message unless the customer was told that already; say whether it is new."""
    row = {
        "id": message.id,
        "organization_id": organization_id,
        "stop_id": message.stop_id,
        "route_id": message.route_id,
        "moment": message.moment.value,
        "channel": message.channel.value,
        "epoch": epoch,
        "status": message.status.value,
        "attempts": message.attempts,
        "due_at": due_at,
        "claimed_by": None,
        "last_error": message.last_error or "",
        "created_at": message.created_at,
        "sent_at": None,
    }
    return insert_missing(tx, messages, row, keys=["stop_id", "moment", "channel", "epoch"])


def find_past_messages(
    tx: Transaction, organization_id: str, stop_ids: Collection[str]
) -> list[PastMessage]:
    """Return what the customers of these stops were told.

    What waits is held: a worker that settles it meanwhile goes by how the stop was before this
    transaction, and this one by how the message was, so that neither would tell the customer.
    """
    theirs = (messages.c.organization_id == organization_id, messages.c.stop_id.in_(stop_ids))
    waiting = select(messages.c.id).where(*theirs, _IS_WAITING, messages.c.claimed_by.is_(None))
    tx.execute(waiting.order_by(messages.c.id).with_for_update()).all()
    rows = tx.execute(select(messages).where(*theirs))
    return [
        PastMessage(
            stop_id=row.stop_id,
            moment=Trigger(row.moment),
            channel=Channel(row.channel),
            epoch=row.epoch,
            status=MessageStatus(row.status),
            reason=row.last_error,
        )
        for row in rows
    ]


def suppress_waiting(
    tx: Transaction,
    organization_id: str,
    stop_ids: Collection[str],
    moment: Trigger,
    reason: str,
) -> int:
    """Take back what waits and nobody is sending; return how many messages."""
    statement = update(messages).where(
        _IS_WAITING,
        messages.c.organization_id == organization_id,
        messages.c.stop_id.in_(stop_ids),
        messages.c.moment == moment.value,
        messages.c.claimed_by.is_(None),
    )
    suppressed = statement.values(status=MessageStatus.SUPPRESSED.value, last_error=reason)
    return tx.execute(suppressed).rowcount


def select_messages(
    tx: Transaction,
    organization_id: str,
    stop_id: str,
    status: MessageStatus | None,
    after: Position | None,
    count: int,
) -> list[tuple[Position, Message]]:
    """Return a page of messages, newest first; those of a stop where one is named."""
    statement = select(messages).where(messages.c.organization_id == organization_id)
    if stop_id:
        statement = statement.where(messages.c.stop_id == stop_id)
    if status is not None:
        statement = statement.where(messages.c.status == status.value)
    sort = (messages.c.created_at, messages.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read_message(row)) for position, row in rows]


def select_route_messages(
    tx: Transaction,
    organization_id: str,
    route_id: str,
    stop_ids: Sequence[str],
    after: Position | None,
    count: int,
) -> list[tuple[Position, Message]]:
    """Return a page of what customers of these stops were told while they were on the route."""
    statement = select(messages).where(
        messages.c.stop_id.in_(stop_ids),
        without_index(messages.c.organization_id) == organization_id,
        messages.c.route_id == route_id,
    )
    sort = (messages.c.created_at, messages.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read_message(row)) for position, row in rows]


def _read_message(row: Row[Any]) -> Message:
    return Message(
        id=row.id,
        stop_id=row.stop_id,
        route_id=row.route_id,
        moment=Trigger(row.moment),
        channel=Channel(row.channel),
        status=MessageStatus(row.status),
        attempts=row.attempts,
        last_error=row.last_error or UNSET,
        created_at=row.created_at,
        sent_at=row.sent_at or UNSET,
    )


def is_any_message_due(tx: Transaction, now: datetime) -> bool:
    """Say whether a message waits for a worker."""
    due = select(messages.c.id).where(_IS_WAITING, messages.c.due_at <= now).limit(1)
    return tx.execute(due).first() is not None


def claim_due_messages(
    tx: Transaction,
    worker_id: str,
    now: datetime,
    until: datetime,
    room: Room,
) -> list[DueMessage]:
    """Claim the messages that have been due longest, of each organization as the room says.

    They are shown as they were before.
    """
    is_due = and_(_IS_WAITING, messages.c.due_at <= now)
    rows = tx.execute(
        select(messages)
        .where(room.choose(messages, is_due))
        .order_by(messages.c.due_at, messages.c.id)
        .limit(room.count)
        .with_for_update(skip_locked=True)
    ).all()
    if rows:
        claimed = messages.c.id.in_([row.id for row in rows])
        _LEASES.claim(tx, claimed, worker_id, until)
    return [
        DueMessage(
            message=_read_message(row),
            organization_id=row.organization_id,
            was_claimed=row.claimed_by is not None,
        )
        for row in rows
    ]


def extend_message_claims(tx: Transaction, claims: Sequence[MessageClaim], until: datetime) -> None:
    """Keep claims that are still held."""
    if claims:
        _LEASES.extend(tx, _IS_NAMED, [_named(claim) for claim in claims], until)


def settle_message(
    tx: Transaction,
    claim: MessageClaim,
    *,
    status: MessageStatus,
    due_at: datetime,
    error: str = "",
    sent_at: datetime | None = None,
) -> bool:
    """Record how an attempt went; say whether the claim was still held."""
    statement = (
        update(messages)
        .where(_IS_NAMED, _LEASES.is_held())
        .values(
            status=status.value, due_at=due_at, claimed_by=None, last_error=error, sent_at=sent_at
        )
    )
    return tx.execute(statement, _named(claim)).rowcount > 0


def bring_messages_forward(tx: Transaction, latest: datetime, now: datetime) -> int:
    """Make due now what is due later than it can be."""
    return _LEASES.bring_forward(tx, latest, now)


def _named(claim: MessageClaim) -> dict[str, Any]:
    return {
        "of_message": claim.message_id,
        "of_worker": claim.worker_id,
        "of_number": claim.attempt,
    }


def find_promises(tx: Transaction, organization_id: str, route_id: str) -> dict[str, Promise]:
    """Return what customers of a route were promised, by their stops."""
    rows = tx.execute(
        select(promises).where(
            promises.c.organization_id == organization_id, promises.c.route_id == route_id
        )
    )
    return {row.stop_id: _read_promise(row) for row in rows}


def find_promises_of_stops(
    tx: Transaction, organization_id: str, stop_ids: Collection[str]
) -> list[Promise]:
    """Return what customers of these stops were promised, on whatever routes."""
    if not stop_ids:
        return []
    rows = tx.execute(
        select(promises).where(
            promises.c.organization_id == organization_id, promises.c.stop_id.in_(stop_ids)
        )
    )
    return [_read_promise(row) for row in rows]


def save_promises(tx: Transaction, organization_id: str, kept: Sequence[Promise]) -> None:
    """Store promises, each in place of the one before."""
    if kept:
        rows = [
            {
                "stop_id": one.stop_id,
                "organization_id": organization_id,
                "route_id": one.route_id,
                "slips_at": one.slips_at,
                "slips": one.slips,
            }
            for one in kept
        ]
        upsert(tx, promises, rows, keys=["stop_id"])


def remove_promises(tx: Transaction, organization_id: str, stop_ids: Collection[str]) -> None:
    """Forget what was promised to customers who wait no more."""
    if stop_ids:
        tx.execute(
            delete(promises).where(
                promises.c.organization_id == organization_id, promises.c.stop_id.in_(stop_ids)
            )
        )


def list_promised_routes(tx: Transaction, before: datetime, now: datetime) -> list[tuple[str, str]]:
    """Return organizations and routes with promises that may slip before a moment.

    Those of organizations in which a simulated day goes on are left to that day.
    """
    simulated = select(organizations.c.id).where(organizations.c.simulated_until > now)
    rows = tx.execute(
        select(promises.c.organization_id, promises.c.route_id)
        .where(
            promises.c.slips_at < before,
            promises.c.slips < MOST_SLIPS,
            promises.c.organization_id.not_in(simulated),
        )
        .distinct()
        .order_by(promises.c.organization_id, promises.c.route_id)
    )
    return [(row.organization_id, row.route_id) for row in rows]


def list_promised_routes_of(tx: Transaction, organization_id: str, before: datetime) -> list[str]:
    """Return an organization's routes with promises that may slip before a moment."""
    return list(
        tx.execute(
            select(promises.c.route_id)
            .where(
                promises.c.organization_id == organization_id,
                promises.c.slips_at < before,
                promises.c.slips < MOST_SLIPS,
            )
            .distinct()
            .order_by(promises.c.route_id)
        ).scalars()
    )


def _read_promise(row: Row[Any]) -> Promise:
    return Promise(
        stop_id=row.stop_id, route_id=row.route_id, slips_at=row.slips_at, slips=row.slips
    )


def suppress_recipient(
    tx: Transaction,
    organization_id: str,
    channel: Channel,
    recipient_hash: str,
    reason: str,
    now: datetime,
) -> None:
    """Send a recipient nothing more by a channel.

    What they asked for themselves counts before what a mail server says.
    """
    row = {
        "organization_id": organization_id,
        "channel": channel.value,
        "recipient_hash": recipient_hash,
        "reason": reason,
        "created_at": now,
    }
    keys = ["organization_id", "channel", "recipient_hash"]
    if reason == DECLINED:
        upsert(tx, suppressions, [row], keys=keys)
    else:
        insert_missing(tx, suppressions, row, keys=keys)


def find_suppression(
    tx: Transaction, organization_id: str, channel: Channel, recipient_hash: str
) -> str:
    """Return why a recipient is sent nothing by a channel; empty where nothing speaks against."""
    reason = tx.execute(
        select(suppressions.c.reason).where(
            suppressions.c.organization_id == organization_id,
            suppressions.c.channel == channel.value,
            suppressions.c.recipient_hash == recipient_hash,
        )
    ).scalar()
    return reason or ""


def count_suppressions(
    tx: Transaction, organization_id: str, recipient_hash: str | None
) -> list[Suppression]:
    """Return how many recipients are sent nothing, by channel and reason; or of one alone."""
    statement = (
        select(suppressions.c.channel, suppressions.c.reason, func.count().label("count"))
        .where(suppressions.c.organization_id == organization_id)
        .group_by(suppressions.c.channel, suppressions.c.reason)
        .order_by(suppressions.c.channel, suppressions.c.reason)
    )
    if recipient_hash is not None:
        statement = statement.where(suppressions.c.recipient_hash == recipient_hash)
    return [
        Suppression(channel=Channel(channel), reason=reason, count=int(count))
        for channel, reason, count in tx.execute(statement)
    ]


def lift_suppression(tx: Transaction, organization_id: str, recipient_hash: str) -> int:
    """Send a recipient messages again; return how many suppressions there were."""
    return tx.execute(
        delete(suppressions).where(
            suppressions.c.organization_id == organization_id,
            suppressions.c.recipient_hash == recipient_hash,
        )
    ).rowcount


def lift_suppressions_for(tx: Transaction, organization_id: str, reason: str) -> int:
    """Send messages again to all who were sent none for a reason; return how many there were."""
    return tx.execute(
        delete(suppressions).where(
            suppressions.c.organization_id == organization_id, suppressions.c.reason == reason
        )
    ).rowcount


def remove_old_messages(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest messages; return how many."""
    oldest = (
        select(messages.c.id)
        .where(messages.c.organization_id == organization_id, messages.c.created_at < before)
        .order_by(messages.c.created_at)
        .limit(most)
    )
    return tx.execute(delete(messages).where(messages.c.id.in_(oldest))).rowcount


def remove_old_promises(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove promises that are long over; return how many."""
    oldest = (
        select(promises.c.stop_id)
        .where(promises.c.organization_id == organization_id, promises.c.slips_at < before)
        .order_by(promises.c.slips_at)
        .limit(most)
    )
    return tx.execute(delete(promises).where(promises.c.stop_id.in_(oldest))).rowcount
