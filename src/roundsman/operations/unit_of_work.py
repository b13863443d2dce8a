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

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from datetime import datetime, timedelta

from msgspec.structs import replace

from roundsman.domain.change import Change, ObjectKind, list_changes
from roundsman.domain.event import Happening
from roundsman.domain.evidence import StopChange, list_stop_changes
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Principal
from roundsman.domain.quota import over, refuse_over_quota
from roundsman.domain.route import Route
from roundsman.domain.security_event import (
    NO_DETAILS,
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.ids import IdSource
from roundsman.operations import security_events
from roundsman.operations.events import TICK, EventTime, RecordedEvents, record_events
from roundsman.operations.evidence_chain import ChainContext, chain_stop_changes
from roundsman.operations.message_writing import write_messages
from roundsman.operations.push_notification import notify_by_push
from roundsman.operations.request import Receipt, Request
from roundsman.operations.storefront_reports import write_reports
from roundsman.operations.tools import Tools
from roundsman.storage.changes import add_changes
from roundsman.storage.database import Transaction
from roundsman.storage.events import latest_timestamp
from roundsman.storage.organizations import lock_organization
from roundsman.storage.usage import add_usage

_MOST_CLOCK_DIFFERENCE = timedelta(minutes=1)
"""Clocks of hosts that serve together differ by less; one that was a day ahead is not followed."""


@dataclass(kw_only=True, slots=True)
class UnitOfWork:
    """An open unit of work."""

    tx: Transaction
    organization_id: str
    event_time: EventTime
    ids: IdSource
    receipt: Receipt | None
    origin: RequestOrigin
    happenings: list[Happening] = field(default_factory=list)
    noted: list[Change] = field(default_factory=list)
    stop_changes: list[StopChange] = field(default_factory=list)
    is_done: bool = False
    drivers_to_notify: set[str] = field(default_factory=set)
    """Whose phones are told by push that somebody else has changed a route of theirs."""

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

    def prove(self, before: Route | None, after: Route | None) -> None:
        """Add what the change of a route proves to the organization's evidence."""
        self.stop_changes.extend(list_stop_changes(before, after))

    def notify_drivers(self, before: Route, after: Route | None) -> None:
        """Have the drivers of a route told, as it was or is now, where they have it already."""
        for route in (before, after):
            if route is not None and (route.is_dispatched(self.now) or route.is_started()):
                self.drivers_to_notify.add(route.driver_id)

    def note(self, kind: ObjectKind, object_id: str, *, version: int = 0) -> None:
        """Note a change that followers are told of though it may be no event."""
        self.noted.append(Change(kind=kind, id=object_id, version=version or UNSET))

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
def begin_work(tools: Tools, request: Request) -> Iterator[UnitOfWork]:
    """Open a unit of work; it commits when the block ends well."""
    recorded = None
    changes: Sequence[Change] = ()
    with tools.database.writing() as tx:
        organization_id = request.organization_id
        has_messages = lock_organization(tx, organization_id)
        work = UnitOfWork(
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
        context = ChainContext(
            organization_id=organization_id, principal=request.principal, now=work.now
        )
        work.added_bytes += chain_stop_changes(tools, tx, context, work.stop_changes)
        if work.happenings:
            recorded = _record(tools, request, work, has_messages=has_messages)
        notify_by_push(tx, organization_id, work.drivers_to_notify, work.event_time.clock)
        changes = list_changes(work.noted, work.happenings)
        if changes:
            add_changes(tx, organization_id, changes, work.now)
        if work.added_bytes:
            _count(tools, request, work)
    if changes:
        tools.change_signal.send()
    if recorded is not None and recorded.is_to_be_sent:
        tools.outbox_signal.send()


def _record(
    tools: Tools, request: Request, work: UnitOfWork, *, has_messages: bool
) -> RecordedEvents:
    """Write what happened: to the log, for its receivers, and for customers."""
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
    write_reports(
        work.tx, work.organization_id, work.happenings, ids=tools.ids, now=work.event_time.clock
    )
    if has_messages:
        now = work.event_time.clock
        write_messages(tools, work.tx, work.organization_id, work.happenings, now)
    return recorded


def _count(tools: Tools, request: Request, work: UnitOfWork) -> None:
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
