"""Telling drivers' phones that something has changed, though the app is closed.

Planners' changes of routes that drivers have are noted for the drivers' phones in the transaction
of the change. A worker sends each phone one signal without content for all that changed meanwhile.
It is a convenience: the truth is what the app reads from the driver's door.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

import structlog

from roundsman.domain.errors import FieldViolation, InvalidArgument, Unavailable
from roundsman.domain.event_delivery import Attempt
from roundsman.domain.model import UNSET, UnsetType
from roundsman.notifications.web_push import PushIdentity, make_identity
from roundsman.operations.push_notification import TOLD_WITHIN
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import push_subscriptions as stored
from roundsman.storage.push_subscriptions import DuePush
from roundsman.storage.sealed_columns import PUSH_ENDPOINT, sealing_purpose
from roundsman.webhooks.address_guard import RefusedUrl

LEASE = timedelta(seconds=30)
"""Longer than an attempt takes."""

_GONE = frozenset({404, 410})
_REFUSED = frozenset({400, 401, 403})
"""Made with another key, or signed as the service does not like: the app subscribes anew when it is
opened."""

_RETRIES = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10))
_LONGEST_WAIT = timedelta(hours=1)

_log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True, slots=True)
class PushState:
    """What a device needs in order to be told, and whether it is."""

    public_key: str
    is_subscribed: bool


def get_push_state(tools: Tools, request: Request) -> PushState:
    """Return the key with which to subscribe, and whether this device is told."""
    with tools.database.reading() as tx:
        is_subscribed = stored.has_push_subscription(
            tx, request.organization_id, request.principal.id
        )
    return PushState(public_key=push_identity(tools).public_key(), is_subscribed=is_subscribed)


def subscribe_to_pushes(tools: Tools, request: Request, endpoint: str) -> None:
    """Tell this device from now on; raise InvalidArgument for an address that is not sent to."""
    try:
        tools.address_guard.check(endpoint)
    except RefusedUrl as error:
        violation = FieldViolation(field="endpoint", description=str(error))
        raise InvalidArgument(f"endpoint {error}", [violation]) from error
    session_id = request.principal.id
    sealed = tools.secret_box.seal(sealing_purpose(PUSH_ENDPOINT, session_id), endpoint)
    with begin_work(tools, request) as work:
        stored.save_push_subscription(
            work.tx, work.organization_id, request.principal.driver_id, session_id, sealed
        )
        work.done(None)


def end_pushes(tools: Tools, request: Request) -> None:
    """Tell this device nothing more."""
    with begin_work(tools, request) as work:
        stored.remove_push_subscription(work.tx, work.organization_id, request.principal.id)
        work.done(None)


def push_identity(tools: Tools) -> PushIdentity:
    """Return who sends: the same for as long as the installation lives."""
    return make_identity(tools.link_key, _contact(tools))


def _contact(tools: Tools) -> str:
    """Return where a push service reaches the operator; "" where nothing public is known.

    Some services refuse what is no such address, so a name before it is left out.
    """
    if tools.mail is not None:
        return f"mailto:{parseaddr(tools.mail.sender)[1]}"
    return tools.address.url if tools.address.url.startswith("https:") else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class OutgoingPush:
    """A claimed signal, and where it goes."""

    push: DuePush
    endpoint: str


def has_due_pushes(tools: Tools) -> bool:
    """Say whether a phone is to be told; locks nothing."""
    with tools.database.reading() as tx:
        return stored.is_any_push_due(tx, tools.clock.now())


def claim_pushes(
    tools: Tools, worker_id: str, room: int, lease: timedelta = LEASE
) -> list[OutgoingPush]:
    """Claim what is due."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        claimed = stored.claim_due_pushes(tx, worker_id, now, now + lease, room)
    opened = [(push, _unseal(tools, push)) for push in claimed]
    return [OutgoingPush(push=push, endpoint=one) for push, one in opened if one is not None]


def _unseal(tools: Tools, push: DuePush) -> str | None:
    """Return where a signal goes; None, and the phone waits, where the key for it is away.

    The others that were claimed with it do not wait for that.
    """
    purpose = sealing_purpose(PUSH_ENDPOINT, push.session_id)
    try:
        return tools.secret_box.unseal(purpose, push.endpoint)
    except Unavailable as error:
        with tools.database.writing() as tx:
            stored.retry_push(tx, push, _next_try(push.attempt, UNSET, tools.clock.now()))
        _log.warning("push_not_unsealed", session=push.session_id, reason=error.message)
        return None


def record_push(tools: Tools, outgoing: OutgoingPush, attempt: Attempt) -> None:
    """Record how telling a phone went."""
    push = outgoing.push
    is_over = attempt.status in _GONE or attempt.status in _REFUSED
    with tools.database.writing() as tx:
        now = tools.clock.now()
        if attempt.is_success():
            stored.settle_push(tx, push, now + TOLD_WITHIN)
        elif is_over:
            stored.end_push_subscription(tx, push)
        else:
            stored.retry_push(tx, push, _next_try(push.attempt, attempt.retry_after, now))
    if not attempt.is_success() and attempt.status not in _GONE:
        # The path is the phone's own: whoever knows it may send there.
        service = urlsplit(outgoing.endpoint).hostname
        _log.warning("push_failed", status=attempt.status, service=service, is_over=is_over)


def _next_try(number: int, asked: timedelta | UnsetType, now: datetime) -> datetime | None:
    if number > len(_RETRIES):
        return None
    wait = _RETRIES[number - 1]
    if not isinstance(asked, UnsetType):
        wait = max(wait, min(asked, _LONGEST_WAIT))
    return now + wait
