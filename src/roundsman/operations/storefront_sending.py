"""Tells a shop what became of its orders, of each order one thing after the other.

An attempt is counted before the shop is asked, so one that is cut short is made again. The adapter
looks first what the shop knows: a report that was lost on its way back has no second effect.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.proof import AttemptedReason
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.storefront import (
    REPORTED_FOR,
    ConnectionFailure,
    OrderField,
    ReportedStep,
    ReportStatus,
    StorefrontReport,
    StorefrontSettings,
    report_delay,
)
from roundsman.kit import metrics
from roundsman.kit.http import HttpFailure
from roundsman.operations.route_changes import assign
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import make_tracking_url
from roundsman.storage.organizations import find_organization
from roundsman.storage.routes import find_route
from roundsman.storage.storefront_reports import (
    DueReport,
    begin_report,
    find_next_report,
    settle_report,
)
from roundsman.storage.storefronts import StoredStorefront, VisitClaim, add_hint, hold_visit
from roundsman.storage.tracking_links import find_tracked_stop
from roundsman.storefronts.port import (
    Annotation,
    Busy,
    OrderLocked,
    Refused,
    Report,
    ReportAnswer,
    ReportedItem,
    Step,
    Storefront,
    StorefrontFailure,
    Unauthorized,
)

_LONGEST_FIELD = 255
"""A custom field of Vendure holds no more, and a field of Shopify one line."""

_STATUS_OF_STEP = {
    ReportedStep.OUT_FOR_DELIVERY: DeliveryStatus.OUT_FOR_DELIVERY,
    ReportedStep.DELIVERED: DeliveryStatus.DELIVERED,
    ReportedStep.ATTEMPTED: DeliveryStatus.ATTEMPTED_DELIVERY,
    ReportedStep.CORRECTED: DeliveryStatus.OUT_FOR_DELIVERY,
}
_COMING_BACK = frozenset({ReportedStep.ATTEMPTED, ReportedStep.CORRECTED})
_ON_ITS_WAY = frozenset({ReportedStep.OUT_FOR_DELIVERY, ReportedStep.CORRECTED})


@dataclass(frozen=True, kw_only=True, slots=True)
class _ReportedStop:
    """A stop of which a shop is told, on its route; empty where it is on none any more."""

    stop: RouteStop | None = None
    assigned: AssignedRoute | None = None
    zone: tzinfo = UTC
    tracking_url: str = ""

    def fields(self) -> Mapping[OrderField, str]:
        """Return what may be written of it into its order; empty texts for what is not known."""
        if self.stop is None or self.assigned is None:
            return {}
        route, driver = self.assigned.route, self.assigned.driver
        visited = [one.id for one in route.stops if one.type is not StopType.BREAK]
        arrival = _expected(self.stop)
        return {
            OrderField.ROUTE: route.name,
            OrderField.STOP_NUMBER: str(visited.index(self.stop.id) + 1),
            OrderField.ARRIVAL: _local(arrival, self.zone) if arrival else "",
            OrderField.DRIVER: f"{driver.first_name} {driver.last_name}".strip() if driver else "",
            OrderField.TRACKING_URL: self.tracking_url,
        }


def _local(moment: datetime, zone: tzinfo) -> str:
    """Return a moment to the minute by the clocks of a zone, as people and programs read it."""
    return moment.astimezone(zone).isoformat(timespec="minutes")


@dataclass(kw_only=True, slots=True)
class ReportSender:
    """Tells one shop, during one visit."""

    tools: Tools
    claim: VisitClaim
    opened: Storefront
    is_over: Callable[[], bool]
    sent: int = 0

    def send_all(self, shop: StoredStorefront) -> None:  # noqa: C901, PLR0915 -- a branch for each answer
        """Tell what is due until nothing is; stop early when the shop cannot be told anything."""
        while not self.is_over():
            due = self._begin(shop)
            if due is None:
                return
            now = self.tools.clock.now
            platform = shop.connection.platform.value.lower()
            done: StorefrontReport | None = None
            try:
                reported = _find_reported(self.tools, due)
                answer = self.opened.report(due.external_id, make_report(reported, due))
                done = _finish(due.report, answer, now())
                refusal = self._annotate(shop.connection.settings, reported, due)
            except Unauthorized:
                _count_attempt(platform, "unauthorized")
                self._settle(due, replace(due.report, next_attempt_at=now()))
                raise
            except Refused as error:
                _count_attempt(platform, "refused")
                self._settle(due, _refuse(due.report, error, now()))
            except (StorefrontFailure, HttpFailure) as error:
                _count_attempt(platform, "failed")
                self._put_off(due, error, done)
                if isinstance(error, Busy) and error.retry_after_seconds is not None:
                    raise
                if isinstance(error, OrderLocked):
                    continue
                # The others wait too: where one is not taken, most are not.
                return
            else:
                self.sent += 1
                _count_attempt(platform, "reported")
                self._settle(due, replace(done, remark=_join(done.remark, refusal)))

    def _annotate(
        self, settings: StorefrontSettings, reported: _ReportedStop, due: DueReport
    ) -> str:
        """Write into the order what was chosen; return what of it the shop would not take.

        What happened is told by then, so that is no reason to tell it again.
        """
        if not settings.annotates():
            return ""
        try:
            self.opened.annotate(due.external_id, make_annotation(settings, reported, due))
        except (Refused, Unauthorized) as error:
            return f"not all was written into the order: {error}"
        return ""

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
        return dataclass_replace(due, report=begun)

    def _put_off(self, due: DueReport, error: Exception, done: StorefrontReport | None) -> None:
        """Have a report told again later, or its order written into, where it is told already."""
        now = self.tools.clock.now()
        code = error.code if isinstance(error, StorefrontFailure) else "UNREACHABLE"
        failure = ConnectionFailure(at=now, code=code, message=str(error))
        is_over = now - due.created_at >= REPORTED_FOR
        if done is not None:
            missing = f"not all was written into the order: {error}"
            ended = replace(done, remark=_join(done.remark, missing))
            waiting = replace(due.report, fulfillment_id=done.fulfillment_id, remark=done.remark)
        else:
            ended, waiting = replace(_failed(due.report), last_failure=failure), due.report
        self._settle(due, ended if is_over else replace(waiting, last_failure=failure))

    def _settle(self, due: DueReport, report: StorefrontReport) -> None:
        with self.tools.database.writing() as tx:
            # Whoever has lost the claim leaves it to the next, who asks the shop what it knows.
            if hold_visit(tx, self.claim) is None:
                return
            settle_report(tx, report)
            if report.status is ReportStatus.WAITING:
                return
            if report.step in _COMING_BACK or due.attempted_stop_ids:
                # Whether its order is to go out once more is worked out when it is read.
                now = self.tools.clock.now()
                add_hint(tx, due.storefront_id, due.external_id, now)


def _count_attempt(platform: str, outcome: str) -> None:
    metrics.STOREFRONT_REPORT_ATTEMPTS.labels(platform, outcome).inc()


def _finish(report: StorefrontReport, answer: ReportAnswer, now: datetime) -> StorefrontReport:
    """Return a report that its shop knows; one that it knew before may say less of it."""
    return replace(
        report,
        status=ReportStatus.REPORTED,
        reported_at=now,
        next_attempt_at=UNSET,
        fulfillment_id=answer.fulfillment_id or report.fulfillment_id,
        remark=answer.remark or report.remark,
        last_failure=UNSET,
    )


def _refuse(report: StorefrontReport, error: Refused, now: datetime) -> StorefrontReport:
    failure = ConnectionFailure(at=now, code=error.code, message=str(error), remedy=error.remedy)
    return replace(_failed(report), last_failure=failure)


def _join(*remarks: str) -> str:
    return "; ".join(one for one in remarks if one)


def _failed(report: StorefrontReport) -> StorefrontReport:
    return replace(report, status=ReportStatus.FAILED, next_attempt_at=UNSET)


def make_report(reported: _ReportedStop, due: DueReport) -> Report:
    """Return a report with what is known of its stop now; nothing about a customer is kept in it.

    The items are those that the stop had when it happened.
    """
    report, stop = due.report, reported.stop
    is_on_its_way = report.step in _ON_ITS_WAY
    return Report(
        stop_id=report.stop_id,
        step=Step(report.step.value),
        happened_at=report.happened_at,
        items=[
            ReportedItem(sku=item.sku, name=item.name, quantity=item.quantity) for item in due.items
        ],
        tracking_url=reported.tracking_url,
        attempted_stop_ids=due.attempted_stop_ids,
        expected_at=_expected(stop) if stop and is_on_its_way else None,
        place=_location_of(stop) if stop and not is_on_its_way else None,
        note=_note_of(stop, report.step) if stop else "",
    )


def make_annotation(
    settings: StorefrontSettings, reported: _ReportedStop, due: DueReport
) -> Annotation:
    """Return what is written into an order with a report.

    It is what holds of the stop now: a report that is told late takes nothing back.
    """
    stop = reported.stop
    status = stop.delivery_status if stop else _STATUS_OF_STEP[due.report.step]
    tag = settings.tag_of(status)
    known = {OrderField.STATUS: status.value, **reported.fields()}
    texts = {name: " ".join(text.split())[:_LONGEST_FIELD] for name, text in known.items()}
    return Annotation(
        fields={name: texts[name] for name in settings.order_fields if texts.get(name)},
        tags=(tag,) if tag else (),
        former_tags=[one for one in settings.step_tags() if one != tag],
    )


def _find_reported(tools: Tools, due: DueReport) -> _ReportedStop:
    """Return what is known of a stop and its route now."""
    stop_id = due.report.stop_id
    with tools.database.reading() as tx:
        tracked = find_tracked_stop(tx, stop_id)
        stored = (
            find_route(tx, due.organization_id, tracked.route_id)
            if tracked is not None and tracked.route_id
            else None
        )
        organization = find_organization(tx, due.organization_id)
        assigned = None if stored is None else assign(tx, due.organization_id, stored.route)
    stops = () if assigned is None else assigned.route.stops
    stop = next((one for one in stops if one.id == stop_id), None)
    if tracked is None or assigned is None or stop is None or organization is None:
        return _ReportedStop()
    return _ReportedStop(
        stop=stop,
        assigned=assigned,
        zone=ZoneInfo(organization.timezone),
        tracking_url=make_tracking_url(tools, stop_id, tracked.times_revoked),
    )


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
