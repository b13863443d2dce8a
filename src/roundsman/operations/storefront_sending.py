"""Tells a shop what became of its orders, of each order one thing after the other.

An attempt is counted before the shop is asked, so one that is cut short is made again. The adapter
looks first what the shop knows: a report that was lost on its way back has no second effect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.proof import AttemptedReason
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.storefront import (
    REPORTED_FOR,
    ConnectionFailure,
    ReportedStep,
    ReportStatus,
    StorefrontReport,
    report_delay,
)
from roundsman.kit import metrics
from roundsman.kit.http import HttpFailure
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import make_tracking_url
from roundsman.storage.routes import find_route
from roundsman.storage.storefront_reports import (
    DueReport,
    begin_report,
    find_next_report,
    settle_report,
)
from roundsman.storage.storefronts import StoredStorefront, VisitClaim, hold_visit
from roundsman.storage.tracking_links import find_tracked_stop
from roundsman.storefronts.port import (
    Busy,
    OrderLocked,
    Refused,
    Report,
    ReportedItem,
    Step,
    Storefront,
    StorefrontFailure,
    Unauthorized,
)

_ON_ITS_WAY = frozenset({ReportedStep.OUT_FOR_DELIVERY, ReportedStep.CORRECTED})


@dataclass(kw_only=True, slots=True)
class ReportSender:
    """Tells one shop, during one visit."""

    tools: Tools
    claim: VisitClaim
    opened: Storefront
    is_over: Callable[[], bool]
    sent: int = 0

    def send_all(self, shop: StoredStorefront) -> None:  # noqa: C901 -- a branch for each answer
        """Tell what is due until nothing is; stop early when the shop cannot be told anything."""
        while not self.is_over():
            due = self._begin(shop)
            if due is None:
                return
            now = self.tools.clock.now
            platform = shop.connection.platform.value.lower()
            try:
                answer = self.opened.report(due.external_id, make_report(self.tools, due))
            except Unauthorized:
                _count_attempt(platform, "unauthorized")
                self._settle(replace(due.report, next_attempt_at=now()))
                raise
            except Refused as error:
                _count_attempt(platform, "refused")
                failure = ConnectionFailure(
                    at=now(), code=error.code, message=str(error), remedy=error.remedy
                )
                self._settle(replace(_failed(due.report), last_failure=failure))
            except (StorefrontFailure, HttpFailure) as error:
                _count_attempt(platform, "failed")
                self._put_off(due, error)
                if isinstance(error, Busy) and error.retry_after_seconds is not None:
                    raise
                if isinstance(error, OrderLocked):
                    continue
                # The others wait too: where one is not taken, most are not.
                return
            else:
                self.sent += 1
                _count_attempt(platform, "reported")
                self._settle(
                    replace(
                        due.report,
                        status=ReportStatus.REPORTED,
                        reported_at=now(),
                        next_attempt_at=UNSET,
                        fulfillment_id=answer.fulfillment_id,
                        remark=answer.remark,
                        last_failure=UNSET,
                    )
                )

    def _begin(self, shop: StoredStorefront) -> DueReport | None:
        with self.tools.database.writing() as tx:
            now = self.tools.clock.now()
            if hold_visit(tx, self.claim) is None:
                return None
            due = find_next_report(tx, shop.connection.id, now)
            if due is None:
                return None
            attempts = due.report.attempts + 1
            again_at = now + report_delay(attempts)
            begin_report(tx, due.report.id, again_at)
        begun = replace(due.report, attempts=attempts, next_attempt_at=again_at)
        return DueReport(
            report=begun,
            organization_id=due.organization_id,
            storefront_id=due.storefront_id,
            external_id=due.external_id,
            items=due.items,
            created_at=due.created_at,
        )

    def _put_off(self, due: DueReport, error: Exception) -> None:
        now = self.tools.clock.now()
        code = error.code if isinstance(error, StorefrontFailure) else "UNREACHABLE"
        failure = ConnectionFailure(at=now, code=code, message=str(error))
        is_over = now - due.created_at >= REPORTED_FOR
        report = _failed(due.report) if is_over else due.report
        self._settle(replace(report, last_failure=failure))

    def _settle(self, report: StorefrontReport) -> None:
        with self.tools.database.writing() as tx:
            # Whoever has lost the claim leaves it to the next, who asks the shop what it knows.
            if hold_visit(tx, self.claim) is not None:
                settle_report(tx, report)


def _count_attempt(platform: str, outcome: str) -> None:
    metrics.STOREFRONT_REPORT_ATTEMPTS.labels(platform, outcome).inc()


def _failed(report: StorefrontReport) -> StorefrontReport:
    return replace(report, status=ReportStatus.FAILED, next_attempt_at=UNSET)


def make_report(tools: Tools, due: DueReport) -> Report:
    """Return a report with what is known of its stop now; nothing about a customer is kept in it.

    The items are those that the stop had when it happened.
    """
    report = due.report
    stop, times_revoked = _find_stop(tools, due)
    is_on_its_way = report.step in _ON_ITS_WAY
    return Report(
        stop_id=report.stop_id,
        step=Step(report.step.value),
        happened_at=report.happened_at,
        items=[
            ReportedItem(sku=item.sku, name=item.name, quantity=item.quantity) for item in due.items
        ],
        tracking_url=make_tracking_url(tools, report.stop_id, times_revoked) if stop else "",
        expected_at=_expected(stop) if stop and is_on_its_way else None,
        place=_location_of(stop) if stop and not is_on_its_way else None,
        note=_note_of(stop, report.step) if stop else "",
    )


def _find_stop(tools: Tools, due: DueReport) -> tuple[RouteStop | None, int]:
    stop_id = due.report.stop_id
    with tools.database.reading() as tx:
        tracked = find_tracked_stop(tx, stop_id)
        if tracked is None or not tracked.route_id:
            return None, 0
        stored = find_route(tx, due.organization_id, tracked.route_id)
    stops = () if stored is None else stored.route.stops
    found = next((stop for stop in stops if stop.id == stop_id), None)
    return found, tracked.times_revoked


def _expected(stop: RouteStop) -> datetime | None:
    return stop.updated_arrival or stop.planned_arrival or None


def _location_of(stop: RouteStop) -> Coordinates | None:
    place = stop.delivered_coordinates
    return None if isinstance(place, UnsetType) else place


def _note_of(stop: RouteStop, step: ReportedStep) -> str:
    if step is ReportedStep.DELIVERED:
        return stop.proof_of_delivery_note
    if step is not ReportedStep.ATTEMPTED:
        return ""
    reason = stop.attempted_reason
    named = "" if reason is AttemptedReason.UNKNOWN else reason.value.replace("_", " ").lower()
    return ": ".join(part for part in (named, stop.attempted_note) if part)
