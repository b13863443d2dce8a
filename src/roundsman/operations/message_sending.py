"""Sending messages, seen from the database: what is due is claimed, what was sent is recorded.

A text message goes to its gateway with the message's id, so that it may be sent again after a loss.
A letter is sent again under its one Message-ID, by which mailboxes drop a second copy; servers do
the same among each other (RFC 5321, 6.1). Where nobody knows repeats, at a gateway that takes no
id, an attempt that may have succeeded is the last.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from roundsman.domain.message import (
    ON_NO_ROUTE,
    OVERTAKEN,
    UNKNOWN_MAILBOX,
    Channel,
    Message,
    MessageSettings,
    MessageStatus,
)
from roundsman.domain.message_triggers import greeting_name, is_still_true, recipient_of
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.organization import Organization
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.secrets import sign
from roundsman.kit.time_zones import zone_at
from roundsman.notifications.email import Handover, Letter, Mail
from roundsman.notifications.sms_gateway import GatewayRequest, make_request
from roundsman.notifications.texts import MessageFacts, read_words, write_text
from roundsman.operations.message_secrets import read_message_settings
from roundsman.operations.messages import language_of
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import (
    UNSUBSCRIBE,
    make_tracking_url,
)
from roundsman.storage import messages as stored
from roundsman.storage.database import Transaction
from roundsman.storage.fair_claims import Room
from roundsman.storage.leases import LEASE
from roundsman.storage.messages import DueMessage, MessageClaim
from roundsman.storage.organizations import find_organization
from roundsman.storage.routes import find_route
from roundsman.storage.tracking_links import find_tracked_stop
from roundsman.webhooks.retries import MOST_ATTEMPTS, delay_after

_LOST = "the worker was lost before it said how this went; it may have been sent"
_MOST_UNANSWERED = 3
"""From this attempt on a letter whose answer was lost is not sent again: a server that takes each
one and never says so would fill a mailbox that keeps every copy."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outgoing:
    """A claimed message, ready to be sent: a letter or a request to a gateway."""

    claim: MessageClaim
    organization_id: str
    recipient_hash: str
    letter: Letter | None = None
    gateway: GatewayRequest | None = None
    takes_key: bool = False
    """Whether whoever takes it knows repeats."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Refusal:
    """Why a message is not sent."""

    status: MessageStatus
    error: str


def has_due_messages(tools: Tools) -> bool:
    """Say whether a message waits; locks nothing."""
    with tools.database.reading() as tx:
        return stored.is_any_message_due(tx, tools.clock.now())


def claim_messages(
    tools: Tools, worker_id: str, room: Room, lease: timedelta = LEASE
) -> list[Outgoing]:
    """Claim what is due; what need not be sent any more is settled at once."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        outgoing = []
        for due in stored.claim_due_messages(tx, worker_id, now, now + lease, room):
            claim = due.next_claim(worker_id)
            prepared = _prepare(tools, tx, due, claim)
            if isinstance(prepared, Outgoing):
                outgoing.append(prepared)
            else:
                stored.settle_message(
                    tx, claim, status=prepared.status, due_at=now, error=prepared.error
                )
        return outgoing


def extend_messages(tools: Tools, claims: list[MessageClaim], lease: timedelta) -> None:
    """Keep the claims of messages that are being sent."""
    with tools.database.writing() as tx:
        stored.extend_message_claims(tx, claims, tools.clock.now() + lease)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What a message is made from."""

    organization: Organization
    settings: MessageSettings
    route: Route
    stop: RouteStop
    times_revoked: int


def _prepare(
    tools: Tools, tx: Transaction, due: DueMessage, claim: MessageClaim
) -> Outgoing | _Refusal:
    message = due.message
    found = _find(tools, tx, due)
    if found is None:
        return _suppressed(ON_NO_ROUTE)
    gateway = found.settings.sms_gateway
    takes_key = (
        message.channel is Channel.SMS
        and not isinstance(gateway, UnsetType)
        and gateway.takes_key()
    )
    if due.was_claimed and not _may_be_repeated(message, takes_key=takes_key):
        return _Refusal(status=MessageStatus.FAILED, error=_LOST)
    if not found.settings.is_enabled(message.moment, message.channel):
        return _suppressed("the rule was switched off")
    if not is_still_true(found.route, found.stop, message.moment):
        return _suppressed(OVERTAKEN)
    to = recipient_of(found.stop, message.channel)
    if not to:
        return _suppressed("the stop's contact has no address for it any more")
    recipient_hash = hash_recipient(tools, message.channel, to)
    reason = stored.find_suppression(tx, due.organization_id, message.channel, recipient_hash)
    if reason:
        return _suppressed(reason)
    outgoing = Outgoing(
        claim=claim,
        organization_id=due.organization_id,
        recipient_hash=recipient_hash,
        takes_key=takes_key,
    )
    return _address(tools, due, found, outgoing, to)


def _may_be_repeated(message: Message, *, takes_key: bool) -> bool:
    """Say whether an attempt of which nobody knows how it went may be made again."""
    if message.channel is Channel.SMS:
        return takes_key
    return message.attempts < MOST_ATTEMPTS


def _suppressed(error: str) -> _Refusal:
    return _Refusal(status=MessageStatus.SUPPRESSED, error=error)


def _find(tools: Tools, tx: Transaction, due: DueMessage) -> _Found | None:
    """Return what is known of the stop now, on whatever route it is."""
    tracked = find_tracked_stop(tx, due.message.stop_id)
    organization = find_organization(tx, due.organization_id)
    if tracked is None or not tracked.route_id or organization is None:
        return None
    route = find_route(tx, due.organization_id, tracked.route_id)
    if route is None:
        return None
    return _Found(
        organization=organization,
        settings=read_message_settings(tools, tx, due.organization_id),
        route=route.route,
        stop=route.route.find_stop(due.message.stop_id),
        times_revoked=tracked.times_revoked,
    )


def _address(
    tools: Tools, due: DueMessage, found: _Found, outgoing: Outgoing, to: str
) -> Outgoing | _Refusal:
    message, here = due.message, found.stop.planned_coordinates
    clock = tools.clock.now().astimezone(zone_at(latitude=here.latitude, longitude=here.longitude))
    link = make_tracking_url(tools, found.stop.id, found.times_revoked)
    facts = MessageFacts(
        order=found.stop.order_name,
        name=greeting_name(found.stop),
        link=link,
        window=found.stop.arrival_window,
        organization=found.organization.name,
    )
    language = language_of(found.settings, found.organization)
    text = write_text(found.settings, message.moment, message.channel, language, facts, clock)
    if message.channel is Channel.SMS:
        gateway = found.settings.sms_gateway
        if isinstance(gateway, UnsetType):
            return _suppressed("no gateway for text messages is set up any more")
        request = make_request(gateway, to=to, text=text.text, message_id=message.id)
        return replace(outgoing, gateway=request)
    if tools.mail is None:
        return _suppressed("e-mail is not set up any more")
    unsubscribe = f"{link}/{UNSUBSCRIBE}"
    letter = Letter(
        id=message.id,
        to=to,
        subject=text.subject or "",
        text=text.text,
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        footer=read_words(language)["stop"].replace("{unsubscribe}", unsubscribe),
    )
    return replace(outgoing, letter=letter)


def hash_recipient(tools: Tools, channel: Channel, to: str) -> str:
    """Return what is kept of a recipient who is sent nothing more."""
    return sign(tools.link_key, "message-recipient", channel.value, to.strip().lower())


def record_sending(
    tools: Tools,
    outgoing: Outgoing,
    result: Handover,
    retry_after: timedelta | UnsetType = UNSET,
) -> None:
    """Record how an attempt went, and when the next one is due."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        if not result.error:
            stored.settle_message(
                tx, outgoing.claim, status=MessageStatus.SENT, due_at=now, sent_at=now
            )
            return
        attempt = outgoing.claim.attempt
        delay = delay_after(attempt, tools.ids, retry_after)
        is_last = attempt >= _MOST_UNANSWERED if result.may_have_arrived else result.is_final
        is_over = is_last or delay is None
        stored.settle_message(
            tx,
            outgoing.claim,
            status=MessageStatus.FAILED if is_over else MessageStatus.WAITING,
            due_at=now if is_over or delay is None else now + delay,
            error=result.error,
        )
        if result.is_unknown_mailbox:
            stored.suppress_recipient(
                tx,
                outgoing.organization_id,
                Channel.EMAIL,
                outgoing.recipient_hash,
                UNKNOWN_MAILBOX,
                now,
            )


def mail_of(tools: Tools) -> Mail:
    """Return how e-mail is sent; only letters that were made need it."""
    if tools.mail is None:
        raise RuntimeError("a letter was made though no e-mail is set up")
    return tools.mail
