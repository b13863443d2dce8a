"""Writes what shops are to be told, in the transaction of the change that makes it true.

Every way in which a stop changes its status ends in a unit of work, so none can forget it.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import Happening
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.storefront import ReportedStep, StorefrontReport
from roundsman.domain.topics import Topic
from roundsman.kit.ids import IdSource, new_id
from roundsman.storage.database import Transaction
from roundsman.storage.storefront_orders import find_order_links
from roundsman.storage.storefront_reports import DueReport, add_report, find_last_steps
from roundsman.storage.storefronts import wake_storefronts

REPORTS_KEPT_FOR = timedelta(days=90)

_VISITED = {
    DeliveryStatus.DELIVERED: ReportedStep.DELIVERED,
    DeliveryStatus.ATTEMPTED_DELIVERY: ReportedStep.ATTEMPTED,
}
_ENDED = frozenset({ReportedStep.DELIVERED, ReportedStep.ATTEMPTED})


def write_reports(
    tx: Transaction,
    organization_id: str,
    happenings: Sequence[Happening],
    *,
    ids: IdSource,
    now: datetime,
) -> int:
    """Write what shops are to be told of these happenings; return how many reports."""
    moved = list(_list_moved(happenings))
    if not moved:
        return 0
    links = find_order_links(tx, organization_id, sorted({stop.store_order_id for stop in moved}))
    last = find_last_steps(tx, organization_id, sorted({stop.id for stop in moved}))
    written: set[str] = set()
    count = 0
    for stop in moved:
        link = links.get(stop.store_order_id)
        step = find_step(stop.delivery_status, last.get(stop.id))
        if link is None or link.storefront_id is None or step is None:
            continue
        last[stop.id] = step
        due = DueReport(
            report=StorefrontReport(
                id=new_id(ids, "rpt"),
                store_order_id=stop.store_order_id,
                stop_id=stop.id,
                step=step,
                happened_at=_when(stop, step, now),
            ),
            organization_id=organization_id,
            storefront_id=link.storefront_id,
            external_id=link.external_id,
            items=stop.items,
            created_at=now,
        )
        add_report(tx, due)
        count += 1
        written.add(link.storefront_id)
    if written:
        wake_storefronts(tx, written, now)
    return count


def _list_moved(happenings: Sequence[Happening]) -> Iterator[RouteStop]:
    """Yield the stops made of orders whose status has changed, as it is after each change."""
    for happening in happenings:
        if happening.topic is not Topic.STOP_STATUS_UPDATED:
            continue
        if not isinstance(happening.subject, AssignedRoute):
            continue
        for stop in happening.subject.route.stops:
            if stop.id == happening.object_id and stop.store_order_id:
                yield stop


def find_step(status: DeliveryStatus, last: ReportedStep | None) -> ReportedStep | None:
    """Return what is to be reported of a stop, by what was last; None where nothing is new."""
    if status is DeliveryStatus.OUT_FOR_DELIVERY:
        if last is None:
            return ReportedStep.OUT_FOR_DELIVERY
        return ReportedStep.CORRECTED if last in _ENDED else None
    step = _VISITED.get(status)
    return None if step is last else step


def _when(stop: RouteStop, step: ReportedStep, now: datetime) -> datetime:
    """Return when it happened; a driver without network says it later."""
    at = stop.updated_arrival if step in _ENDED else now
    return now if isinstance(at, UnsetType) else at
