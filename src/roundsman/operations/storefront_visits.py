"""Visits shops: tells them what they do not know yet, then reads what has changed.

One visit of a shop at a time, whoever makes it, so reports of one order never overtake each other.
Nothing waits during a visit: a shop that wants to be left alone is visited later. What a visit has
done is committed step by step, each step only while its claim is held.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from roundsman.domain.errors import RoundsmanError, Unavailable
from roundsman.domain.model import UnsetType
from roundsman.domain.principal import connected_shop
from roundsman.domain.route import Route
from roundsman.domain.storefront import (
    HOOKS_RENEWED_EVERY,
    REREAD_EVERY,
    VISITED_EVERY,
    ConnectionFailure,
    StorefrontConnection,
    StorefrontState,
    hook_secret_of,
    visit_delay,
)
from roundsman.kit import metrics
from roundsman.kit.http import HttpFailure
from roundsman.operations.owner_letters import OwnerLetterKind, Subject, write_owner_letters
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.storefront_access import StorefrontSecrets, open_secrets, open_shop
from roundsman.operations.storefront_orders import forget_missing, keep_orders
from roundsman.operations.storefront_sending import ReportSender
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.routing.timing import time_route
from roundsman.storage import storefronts as stored
from roundsman.storage.fair_claims import Room
from roundsman.storage.leases import LEASE
from roundsman.storage.organizations import find_organization
from roundsman.storage.storefront_orders import list_cancelled_on_routes, list_orders_to_reread
from roundsman.storage.storefront_reports import find_next_report_time
from roundsman.storage.storefronts import StoredStorefront, VisitClaim, VisitResult
from roundsman.storefronts.port import (
    Busy,
    ForeignOrder,
    Storefront,
    StorefrontFailure,
    Unauthorized,
)

LONGEST_PAUSE = timedelta(hours=2)
_MOST_PAGES = 50
_MOST_IDS = 50
_LONGEST_VISIT = timedelta(minutes=2)

type HookUrl = Callable[[str], str]
"""Returns where a shop sends its hooks, by the id of its connection."""

_log = structlog.get_logger("roundsman.storefronts")


class VisitLost(Exception):
    """The claim of a visit is held no more.

    The shop was paused, disconnected or given other credentials, or the visit took too long.
    """


@dataclass(kw_only=True, slots=True)
class VisitSummary:
    """What a visit did."""

    orders: int = 0
    reported: int = 0
    is_unfinished: bool = False
    failure: ConnectionFailure | None = None


def is_any_shop_due(tools: Tools) -> bool:
    """Say whether a shop waits for a visit."""
    with tools.database.reading() as tx:
        return stored.is_any_visit_due(tx, tools.clock.now())


def claim_visits(
    tools: Tools,
    worker_id: str,
    room: Room,
    among: Collection[str] | None = None,
) -> list[VisitClaim]:
    """Claim the visits that have been due longest, of each organization as the room says."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        return stored.claim_due_visits(tx, worker_id, now, now + LEASE, room, among)


def extend_visit_claims(tools: Tools, claims: Sequence[VisitClaim]) -> None:
    """Keep the claims of visits that go on."""
    with tools.database.writing() as tx:
        stored.extend_visits(tx, claims, tools.clock.now() + LEASE)


def visit_shop(
    tools: Tools,
    claim: VisitClaim,
    hook_url: HookUrl,
    is_stopping: Callable[[], bool] = lambda: False,
) -> VisitSummary:
    """Visit a shop and record how it went."""
    summary = VisitSummary()
    with tools.database.writing() as tx:
        shop = stored.hold_visit(tx, claim)
        organization = None if shop is None else find_organization(tx, shop.organization_id)
    if shop is None or organization is None:
        return summary
    try:
        result = _attempt(tools, claim, shop, organization.timezone, summary, hook_url, is_stopping)
    except VisitLost:
        return summary
    summary.failure = result.failure
    with tools.database.writing() as tx:
        now = tools.clock.now()
        is_settled = stored.settle_visit(tx, claim, result, now)
        if is_settled and result.state is not StorefrontState.ACTIVE:
            subject = Subject(organization_id=shop.organization_id, id=claim.storefront_id)
            kind = OwnerLetterKind.STOREFRONT_PAUSED
            write_owner_letters(tools, tx, subject, kind, since=now, at=now)
    return summary


def _attempt(  # noqa: PLR0913 -- what a visit is made with
    tools: Tools,
    claim: VisitClaim,
    shop: StoredStorefront,
    timezone: str,
    summary: VisitSummary,
    hook_url: HookUrl,
    is_stopping: Callable[[], bool],
) -> VisitResult:
    """Make the visit; return how it ended."""
    connection = shop.connection
    try:
        secrets = open_secrets(tools, shop)
        with open_shop(tools, connection, secrets.credentials, timezone) as opened:
            _StorefrontVisit(
                tools=tools,
                claim=claim,
                shop=shop,
                opened=opened,
                summary=summary,
                is_stopping=is_stopping,
                ends_at=tools.clock.now() + _LONGEST_VISIT,
            ).run(secrets, hook_url(connection.id))
    except Unavailable:
        raise
    except (StorefrontFailure, HttpFailure, RoundsmanError) as error:
        return _failed(tools, shop, error)
    now = tools.clock.now()
    due_at = now if summary.is_unfinished else now + VISITED_EVERY
    with tools.database.reading() as tx:
        next_report = find_next_report_time(tx, connection.id)
    if next_report is not None:
        due_at = min(due_at, max(next_report, now))
    return VisitResult(due_at=due_at, not_before=now, state=StorefrontState.ACTIVE)


def _failed(tools: Tools, shop: StoredStorefront, error: Exception) -> VisitResult:
    now, failures = tools.clock.now(), shop.failures + 1
    failure = describe_failure(error, now)
    _log.warning("storefront_visit_failed", storefront=shop.connection.id, code=failure.code)
    delay = visit_delay(failures)
    state = StorefrontState.ACTIVE
    if isinstance(error, Unauthorized):
        state = refused_state(shop.connection)
    elif isinstance(error, Busy) and error.retry_after_seconds is not None:
        asked = timedelta(seconds=max(error.retry_after_seconds, 1))
        delay = min(asked, LONGEST_PAUSE)
    return VisitResult(
        due_at=now + delay,
        not_before=now + delay,
        state=state,
        failures=failures,
        failure=failure,
    )


def refused_state(connection: StorefrontConnection) -> StorefrontState:
    """Return what becomes of a connection whose credentials a shop does not accept."""
    if isinstance(connection.last_success_at, UnsetType):
        return StorefrontState.REFUSED
    return StorefrontState.PAUSED


def describe_failure(error: Exception, now: datetime) -> ConnectionFailure:
    """Return a failure as planners read it."""
    if not isinstance(error, StorefrontFailure):
        code = "UNREACHABLE" if isinstance(error, HttpFailure) else "NOT_KEPT"
        return ConnectionFailure(at=now, code=code, message=str(error))
    remedy = error.remedy
    if isinstance(error, Unauthorized) and not remedy:
        remedy = "Give the connection credentials that the shop accepts."
    return ConnectionFailure(at=now, code=error.code, message=str(error), remedy=remedy)


def fail_visit(tools: Tools, claim: VisitClaim) -> None:
    """End a visit that a bug of ours has ended; the log has its trace."""
    with tools.database.writing() as tx:
        shop = stored.hold_visit(tx, claim)
        if shop is None:
            return
        now, failures = tools.clock.now(), shop.failures + 1
        failure = ConnectionFailure(
            at=now,
            code="INTERNAL",
            message="something unexpected happened here; it is tried again",
            remedy="The log of this service says what; report it to its makers.",
        )
        due_at = now + visit_delay(failures)
        result = VisitResult(
            due_at=due_at,
            not_before=due_at,
            state=StorefrontState.ACTIVE,
            failures=failures,
            failure=failure,
        )
        stored.settle_visit(tx, claim, result, now)


@dataclass(kw_only=True, slots=True)
class _StorefrontVisit:
    """One visit that goes on."""

    tools: Tools
    claim: VisitClaim
    shop: StoredStorefront
    opened: Storefront
    summary: VisitSummary
    is_stopping: Callable[[], bool]
    ends_at: datetime
    request: Request = field(init=False)

    def __post_init__(self) -> None:
        by = connected_shop(self.shop.organization_id, self.shop.connection.id)
        self.request = Request(principal=by)

    @property
    def storefront_id(self) -> str:
        return self.shop.connection.id

    def is_over(self) -> bool:
        """Say whether to leave the rest to the next visit."""
        is_over = self.is_stopping() or self.tools.clock.now() >= self.ends_at
        self.summary.is_unfinished |= is_over
        return is_over

    def run(self, secrets: StorefrontSecrets, hook_url: str) -> None:
        """Tell first, so that what is read then is what the shop made of it."""
        sender = ReportSender(
            tools=self.tools, claim=self.claim, opened=self.opened, is_over=self.is_over
        )
        try:
            sender.send_all(self.shop)
        finally:
            self.summary.reported = sender.sent
        self.follow_hints()
        self.read_changes()
        self.reread_orders_on_routes()
        self.remove_cancelled()
        self.renew_hooks(secrets, hook_url)

    def keep(
        self, orders: Sequence[ForeignOrder], finish: Callable[[UnitOfWork], None]
    ) -> StoredStorefront:
        """Keep orders and whatever says so in one transaction; return the shop as it was then."""
        with begin_work(self.tools, self.request) as work:
            held = self.hold(work)
            changed = keep_orders(self.tools, work, held.connection, orders)
            finish(work)
            work.done(None)
        self.summary.orders += len(changed)
        platform = held.connection.platform.value.lower()
        metrics.STOREFRONT_ORDERS.labels(platform, "changed").inc(len(changed))
        metrics.STOREFRONT_ORDERS.labels(platform, "same").inc(len(orders) - len(changed))
        return held

    def hold(self, work: UnitOfWork) -> StoredStorefront:
        """Return the shop, locked; raise VisitLost where somebody else visits it by now."""
        held = stored.hold_visit(work.tx, self.claim)
        if held is None:
            raise VisitLost
        return held

    def follow_hints(self) -> None:
        """Read the orders that hooks have named."""
        while not self.is_over():
            with self.tools.database.reading() as tx:
                ids = stored.list_hints(tx, self.storefront_id, _MOST_IDS)
            if not ids:
                return
            self.read_named(ids, lambda work, ids=ids: self._forget_hints(work, ids))  # type: ignore[misc]  # mypy infers no lambda with a default

    def _forget_hints(self, work: UnitOfWork, ids: Sequence[str]) -> None:
        stored.remove_hints(work.tx, self.storefront_id, ids)

    def read_named(self, ids: Sequence[str], finish: Callable[[UnitOfWork], None]) -> None:
        """Read orders by their ids; those that are gone count as cancelled."""
        found = self.opened.get(ids)
        missing = sorted(set(ids) - {order.order_id for order in found})

        def finish_with_missing(work: UnitOfWork) -> None:
            gone = forget_missing(work, self.shop.connection, missing)
            self.summary.orders += len(gone)
            finish(work)

        self.keep(found, finish_with_missing)

    def read_changes(self) -> None:
        """Read what has changed since the last visit, page by page."""
        cursor, is_last, pages = self.shop.cursor, False, 0
        while not is_last and not self.is_over():
            page = self.opened.changed(cursor, self.shop.read_since)
            pages += 1
            is_last = page.is_last or page.cursor == cursor or pages >= _MOST_PAGES
            self.summary.is_unfinished |= pages >= _MOST_PAGES and not page.is_last
            if not page.orders and page.cursor == cursor:
                continue

            def keep_cursor_of(
                work: UnitOfWork, new: str = page.cursor, known: str = cursor
            ) -> None:
                # Whoever asked meanwhile for everything to be read again is not overruled.
                if self.hold(work).cursor == known:
                    stored.keep_cursor(work.tx, self.storefront_id, new)

            held = self.keep(page.orders, keep_cursor_of)
            if held.cursor != cursor:
                return
            cursor = page.cursor

    def reread_orders_on_routes(self) -> None:
        """Read orders on routes again now and then: not every change moves their time of change."""
        if self.shop.reread_at > self.tools.clock.now():
            return
        after = ""
        while not self.is_over():
            with self.tools.database.reading() as tx:
                ids = list_orders_to_reread(
                    tx, self.shop.organization_id, self.storefront_id, after, _MOST_IDS
                )
            if not ids:
                break
            self.read_named(ids, lambda _work: None)
            after = ids[-1]
        else:
            return
        with self.tools.database.writing() as tx:
            if stored.hold_visit(tx, self.claim) is None:
                raise VisitLost
            stored.note_reread(tx, self.storefront_id, self.tools.clock.now() + REREAD_EVERY)

    def remove_cancelled(self) -> None:
        """Take cancelled orders off routes that have not started, where that is wanted."""
        if not self.shop.connection.settings.remove_cancelled:
            return
        with self.tools.database.reading() as tx:
            found = list_cancelled_on_routes(tx, self.shop.organization_id, self.storefront_id)
        for order_id, route_id in found:
            if self.is_over():
                return

            def without(route: Route, order_id: str = order_id) -> Route:
                ids = [stop.id for stop in route.stops if stop.store_order_id == order_id]
                if not ids or route.is_started() or isinstance(route.archived_at, datetime):
                    return route
                return time_route(route.without_stops(ids), self.tools.roads).route

            change_route(self.tools, self.request, route_id, without)

    def renew_hooks(self, secrets: StorefrontSecrets, hook_url: str) -> None:
        """Have the shop send hooks, where it can reach us; without them orders come later."""
        now = self.tools.clock.now()
        secret = hook_secret_of(self.shop.connection.platform, secrets.credentials)
        if self.shop.hooks_at > now or not secret or not hook_url.startswith("https://"):
            return
        try:
            self.opened.subscribe(hook_url, secret)
        except Unauthorized as error:
            _log.warning("storefront_hooks_refused", storefront=self.storefront_id, code=error.code)
        with self.tools.database.writing() as tx:
            if stored.hold_visit(tx, self.claim) is None:
                raise VisitLost
            stored.note_hooks(tx, self.storefront_id, now + HOOKS_RENEWED_EVERY)
