"""One unit of work: a transaction, who asked, when, and what happened in it.

Every mutating operation opens exactly one, changes and records through it, and ends with
`return work.done(result)`. State, events and the caller's receipt (the idempotency record) commit
together or not at all.

The works of one organization stand in line: each holds the organization's row until it commits, and
takes its time only then, after the last event of the work before it. So the order of
`updatedAt` and of `eventTimestamp` is the order of commits, on both databases and between hosts
whose clocks differ, and whoever walks a list by either time has seen everything that is older than
the last row seen (decisions §5). Without that, a change that began first and committed last would
appear behind a reader's back. The line also makes what a work reads of the organization true until
it commits. Searches and geocoding happen before a work begins and do not stand in it.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from datetime import datetime, timedelta
from typing import Protocol

import structlog
from msgspec.structs import replace

from roundsman.domain.event import Actor, Happening, Subject
from roundsman.domain.noun import UNSET
from roundsman.domain.principal import Principal, PrincipalKind, Role
from roundsman.domain.quota import USUAL_QUOTA_BYTES, over, refuse_over_quota
from roundsman.domain.security_event import (
    NO_DETAILS,
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.geocoding.geocoder import Geocoder
from roundsman.images.decoders import Decoders
from roundsman.kit import metrics
from roundsman.kit.clock import Clock
from roundsman.kit.ids import IdSource
from roundsman.kit.leaky_bucket import Buckets, MemoryBuckets
from roundsman.kit.openid_connect import OpenIdConnect
from roundsman.kit.recent import RecentValues
from roundsman.kit.signal import Signal
from roundsman.kit.turns import Turns
from roundsman.operations import security_events
from roundsman.operations.events import TICK, EventTime, record_events
from roundsman.operations.sign_in_failures import SignInFailures
from roundsman.roads.network import RoadNetwork
from roundsman.storage.database import Database, Transaction
from roundsman.storage.events import latest_timestamp
from roundsman.storage.organizations import lock_organization
from roundsman.storage.usage import add_usage
from roundsman.webhooks.address_guard import AddressGuard

_WARNING_EVERY = timedelta(minutes=1)

_log = structlog.get_logger("roundsman.operations")

_MOST_CLOCK_DIFFERENCE = timedelta(minutes=1)
"""Clocks of hosts that serve together differ by less; one that was a day ahead is not followed."""


class ClockWatch:
    """Counts the changes that the clock dates before earlier ones; logs one of them a minute.

    The clock was set back then, or was ahead before. Nothing is lost, and events are sent at once.
    But lists by time show changes out of order until the clock has caught up, so whoever operates
    the machine should know.
    """

    def __init__(self) -> None:
        self._logged_at: datetime | None = None

    def note_behind(self, behind: timedelta, now: datetime) -> None:
        """Note that a change was made while the clock was so far behind."""
        metrics.CHANGES_BEHIND_RECORDS.inc()
        if self._logged_at is None or abs(now - self._logged_at) >= _WARNING_EVERY:
            self._logged_at = now
            _log.warning("clock_behind_records", seconds=round(behind.total_seconds()))


@dataclass(slots=True)
class PublicAddress:
    """Where others reach this installation; without a setting, a server learns it by listening."""

    url: str


@dataclass(frozen=True, slots=True)
class RenderedRoute:
    """A route as an answer shows it, and the tag under which that is so."""

    tag: str
    body: bytes
    headers: Mapping[str, str]


_MOST_BYTES_OF_ROUTES = 8 * 1024 * 1024
_MOST_ABANDONED = 1_000
_LONGEST_USER_AGENT = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What every operation is handed; made once by the composition root."""

    database: Database
    clock: Clock
    ids: IdSource
    geocoder: Geocoder
    roads: RoadNetwork
    cursor_key: bytes
    link_key: bytes
    presence: int
    """The number under which this process shows others that it is alive."""
    address: PublicAddress
    address_guard: AddressGuard
    failures: SignInFailures
    render_payload: Callable[[Subject], bytes]
    """Returns what an event shows of its object, as a read of it would answer."""

    recent_routes: RecentValues[RenderedRoute] = field(
        default_factory=lambda: RecentValues(_MOST_BYTES_OF_ROUTES)
    )
    openid: OpenIdConnect | None = None
    """Where members may sign in, where a provider is set up."""

    openid_role: Role | None = None
    """Of those who come by it the first time; without one only the invited are let in."""

    route_turns: Turns = field(default_factory=Turns)
    abandoned_claims: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_ABANDONED))
    """Idempotency claims of failed requests that the database was not there to release."""

    buckets: Buckets = field(default_factory=MemoryBuckets)
    """Of rate limits; those of several processes are in the database."""

    quota_bytes: int = USUAL_QUOTA_BYTES
    decoders: Decoders = field(default_factory=Decoders)
    clock_watch: ClockWatch = field(default_factory=ClockWatch)

    outbox_signal: Signal = field(default_factory=Signal)
    """Sent after a commit that left something to send."""

    def close(self) -> None:
        """Let go of engines, connections and files; the database belongs to another."""
        self.failures.wait()
        self.decoders.close()
        self.geocoder.close()
        self.roads.close()
        if self.openid is not None:
            self.openid.close()


class Receipt(Protocol):
    """Keeps an operation's answer in the transaction that earned it."""

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        """Store the answer to this result."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Who asks, what they may be answered again, and when to stop working on it."""

    principal: Principal
    receipt: Receipt | None = None
    cancelled: Callable[[], bool] | None = None
    address: str = ""
    """Where the request came from."""

    user_agent: str = ""
    command: str = ""
    """Which command of the command line asks, where one does."""

    actor: Actor | None = None
    """Whom events name, where that is somebody else than who asks."""

    @property
    def organization_id(self) -> str:
        """Return whose data the request may touch."""
        return self.principal.organization_id

    def origin(self) -> RequestOrigin:
        """Return who asks and from where, as security events say it."""
        return RequestOrigin(
            principal=self.principal,
            address=self.address,
            user_agent=self.user_agent,
            command=self.command,
        )

    def event_actor(self) -> Actor:
        """Return whom events name (specification, Events, `user`)."""
        if self.actor is not None:
            return self.actor
        if self.principal.kind is not PrincipalKind.DRIVER_DEVICE:
            return Actor(email=self.principal.email or UNSET)
        return Actor(
            driver_id=self.principal.driver_id,
            ip_address=self.address or UNSET,
            user_agent=self.user_agent[:_LONGEST_USER_AGENT] or UNSET,
        )


@dataclass(kw_only=True, slots=True)
class Work:
    """An open unit of work."""

    tx: Transaction
    organization_id: str
    event_time: EventTime
    ids: IdSource
    receipt: Receipt | None
    origin: RequestOrigin
    happenings: list[Happening] = field(default_factory=list)
    is_done: bool = False
    has_security_event: bool = False
    is_freeing: bool = False
    """Whether it removes something, which is allowed however much is stored."""

    added_bytes: int = 0
    """What this work stores beside its events, which are counted when it ends."""

    @property
    def now(self) -> datetime:
        """Return when the change happens."""
        return self.event_time.now

    def record(self, happenings: Sequence[Happening], *, version: int = 0) -> None:
        """Note what happened, to a route its new version; it is written when the work ends."""
        self.happenings.extend(
            replace(happening, version=version) if version else happening
            for happening in happenings
        )

    def record_security(
        self,
        kind: SecurityEventKind,
        details: SecurityEventDetails = NO_DETAILS,
        *,
        by: Principal | None = None,
    ) -> None:
        """Record a security event of this work, by who asks or by who is known only now."""
        origin = self.origin if by is None else dataclass_replace(self.origin, principal=by)
        security_events.record(self.tx, origin, kind, self.now, self.ids, details)
        self.has_security_event = True

    def done[T](self, result: T) -> T:
        """End the work with its result."""
        if self.receipt is not None:
            self.receipt.keep(self.tx, result, self.now)
        self.is_done = True
        return result


@contextmanager
def begin_work(tools: Tools, request: Request) -> Iterator[Work]:
    """Open a unit of work; it commits when the block ends well."""
    recorded = None
    with tools.database.writing() as tx:
        organization_id = request.organization_id
        lock_organization(tx, organization_id)
        work = Work(
            tx=tx,
            organization_id=organization_id,
            event_time=_next_event_time(tools, tx, organization_id),
            ids=tools.ids,
            receipt=request.receipt,
            origin=request.origin(),
        )
        yield work
        if not work.is_done:
            raise RuntimeError("an operation ended its work without saying that it was done")
        if work.origin.command and not work.has_security_event:
            work.record_security(SecurityEventKind.COMMAND_RUN)
        if work.happenings:
            recorded = record_events(
                work.tx,
                work.organization_id,
                work.happenings,
                actor=request.event_actor(),
                event_time=work.event_time,
                ids=tools.ids,
                render=tools.render_payload,
            )
            work.added_bytes += recorded.size
        if work.added_bytes:
            _count(tools, request, work)
    if recorded is not None and recorded.is_to_be_sent:
        tools.outbox_signal.send()


def _count(tools: Tools, request: Request, work: Work) -> None:
    """Count what is stored; refuse the work where its organization has no room for it."""
    total = add_usage(work.tx, work.organization_id, work.added_bytes)
    allowed = tools.quota_bytes
    if request.event_actor().driver_id is not UNSET:
        # A day under way is finished, and its proof kept, when the planner can add nothing more.
        allowed += allowed // 10
    if total > allowed and not work.is_freeing:
        refuse_over_quota([over("organizationBytes", work.organization_id, total, allowed)])


def _next_event_time(tools: Tools, tx: Transaction, organization_id: str) -> EventTime:
    now = tools.clock.now()
    latest = latest_timestamp(tx, organization_id)
    if latest is None or latest < now:
        return EventTime(now, now)
    if latest - now > _MOST_CLOCK_DIFFERENCE:
        tools.clock_watch.note_behind(latest - now, now)
        return EventTime(now, now, is_latest=False)
    return EventTime(latest + TICK, now)
