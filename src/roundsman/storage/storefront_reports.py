"""What shops are told about their orders: of each order one thing after the other."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Select, exists, func, insert, select, update

from roundsman.domain.item import Item
from roundsman.domain.model import UNSET
from roundsman.domain.storefront import (
    ConnectionFailure,
    ReportedStep,
    ReportQueue,
    ReportStatus,
    StorefrontReport,
)
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.storefront_orders import OrderLink
from roundsman.storage.storefront_tables import storefront_reports as reports
from roundsman.storage.storefront_tables import storefronts

_UNREPORTED = (ReportStatus.WAITING.value, ReportStatus.FAILED.value)
_IS_WAITING = reports.c.status == ReportStatus.WAITING.value
_read_items = msgspec.json.Decoder(tuple[Item, ...]).decode
_read_failure = msgspec.json.Decoder(ConnectionFailure).decode


@dataclass(frozen=True, kw_only=True, slots=True)
class DueReport:
    """A report with what it takes to tell of it."""

    report: StorefrontReport
    organization_id: str
    storefront_id: str
    external_id: str
    items: tuple[Item, ...]
    created_at: datetime
    attempted_stop_ids: Sequence[str] = ()
    """Other stops of the order that were last attempted before this, the latest first."""


def add_report(tx: Transaction, due: DueReport) -> None:
    """Store a report behind all others of its shop."""
    report = due.report
    latest = tx.execute(
        select(func.max(reports.c.number)).where(reports.c.storefront_id == due.storefront_id)
    ).scalar()
    tx.execute(
        insert(reports).values(
            id=report.id,
            organization_id=due.organization_id,
            storefront_id=due.storefront_id,
            number=(latest or 0) + 1,
            external_id=due.external_id,
            store_order_id=report.store_order_id,
            stop_id=report.stop_id,
            step=report.step.value,
            happened_at=report.happened_at,
            items=msgspec.json.encode(due.items).decode(),
            created_at=due.created_at,
            status=ReportStatus.WAITING.value,
            attempts=0,
            due_at=due.created_at,
            fulfillment_id="",
            remark="",
        )
    )


def find_last_steps(
    tx: Transaction, organization_id: str, stop_ids: Collection[str]
) -> dict[str, ReportedStep]:
    """Return what was last to be reported of each stop."""
    rows = tx.execute(
        select(reports.c.stop_id, reports.c.step)
        .where(reports.c.organization_id == organization_id, reports.c.stop_id.in_(stop_ids))
        .order_by(reports.c.number)
    )
    return {row.stop_id: ReportedStep(row.step) for row in rows}


def _list_attempted_stops(tx: Transaction, of: Row[Any]) -> tuple[str, ...]:
    rows = tx.execute(
        select(reports.c.stop_id, reports.c.step)
        .where(
            reports.c.storefront_id == of.storefront_id,
            reports.c.external_id == of.external_id,
            reports.c.number < of.number,
            reports.c.stop_id != of.stop_id,
        )
        .order_by(reports.c.number)
    )
    last: dict[str, str] = {}
    for stop_id, step in rows:
        last.pop(stop_id, None)
        last[stop_id] = step
    attempted = ReportedStep.ATTEMPTED.value
    return tuple(stop_id for stop_id, step in reversed(last.items()) if step == attempted)


def find_carried_items(
    tx: Transaction, storefront_id: str, external_ids: Collection[str]
) -> dict[str, list[tuple[ReportedStep, tuple[Item, ...]]]]:
    """Return for a shop's orders what became last of each stop, and what it carries."""
    rows = tx.execute(
        select(reports)
        .where(reports.c.storefront_id == storefront_id, reports.c.external_id.in_(external_ids))
        .order_by(reports.c.number)
    )
    last = {(row.external_id, row.stop_id): row for row in rows}
    carried: dict[str, list[tuple[ReportedStep, tuple[Item, ...]]]] = {}
    for (external_id, _), row in last.items():
        one = (ReportedStep(row.step), _read_items(row.items))
        carried.setdefault(external_id, []).append(one)
    return carried


def _is_first_of_order() -> ColumnElement[bool]:
    """Return what holds of a report before which nothing of its order waits."""
    earlier = reports.alias()
    return ~exists().where(
        earlier.c.storefront_id == reports.c.storefront_id,
        earlier.c.external_id == reports.c.external_id,
        earlier.c.number < reports.c.number,
        earlier.c.status == ReportStatus.WAITING.value,
    )


def _next_of(storefront_id: str) -> Select[Any]:
    return select(reports).where(
        reports.c.storefront_id == storefront_id, _IS_WAITING, _is_first_of_order()
    )


def find_next_report(tx: Transaction, storefront_id: str, now: datetime) -> DueReport | None:
    """Return the oldest report that is due and that nothing of its order comes before."""
    row = tx.execute(
        _next_of(storefront_id).where(reports.c.due_at <= now).order_by(reports.c.number).limit(1)
    ).first()
    return None if row is None else _read_due(row, _list_attempted_stops(tx, row))


def find_next_report_time(tx: Transaction, storefront_id: str) -> datetime | None:
    """Return when a report of a shop is due next."""
    nearest = _next_of(storefront_id).order_by(reports.c.due_at).limit(1)
    row = tx.execute(nearest).first()
    return None if row is None else row.due_at


def begin_report(tx: Transaction, report_id: str, again_at: datetime) -> None:
    """Count an attempt; if nobody records how it went, it is made again."""
    tx.execute(
        update(reports)
        .where(reports.c.id == report_id, _IS_WAITING)
        .values(attempts=reports.c.attempts + 1, due_at=again_at)
    )


def settle_report(tx: Transaction, report: StorefrontReport) -> None:
    """Record what a shop said to a report."""
    failure = report.last_failure
    tx.execute(
        update(reports)
        .where(reports.c.id == report.id)
        .values(
            status=report.status.value,
            due_at=report.next_attempt_at or reports.c.due_at,
            reported_at=report.reported_at or None,
            fulfillment_id=report.fulfillment_id,
            remark=report.remark,
            last_failure=msgspec.json.encode(failure).decode() if failure else None,
        )
    )


def requeue_report(tx: Transaction, organization_id: str, report_id: str, now: datetime) -> None:
    """Have a report told now; it counts its days anew."""
    tx.execute(
        update(reports)
        .where(reports.c.organization_id == organization_id, reports.c.id == report_id)
        .values(status=ReportStatus.WAITING.value, due_at=now, created_at=now)
    )


def find_report(
    tx: Transaction, organization_id: str, storefront_id: str, report_id: str
) -> StorefrontReport | None:
    """Return a report to one of the organization's shops."""
    row = tx.execute(
        select(reports).where(
            reports.c.organization_id == organization_id,
            reports.c.storefront_id == storefront_id,
            reports.c.id == report_id,
        )
    ).one_or_none()
    return None if row is None else _read(row)


def select_reports(
    tx: Transaction,
    organization_id: str,
    storefront_id: str,
    status: ReportStatus | None,
    after: Position | None,
    count: int,
) -> list[tuple[Position, StorefrontReport]]:
    """Return a page of what a shop is told, newest first."""
    statement = select(reports).where(
        reports.c.organization_id == organization_id, reports.c.storefront_id == storefront_id
    )
    if status is not None:
        statement = statement.where(reports.c.status == status.value)
    sort = (reports.c.happened_at, reports.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read(row)) for position, row in rows]


def list_reports_of_orders(
    tx: Transaction, organization_id: str, links: Collection[OrderLink]
) -> list[StorefrontReport]:
    """Return what shops are told of these orders, oldest first."""
    rows = tx.execute(
        select(reports)
        .where(
            reports.c.organization_id == organization_id,
            # By its shop and its id there, which the index has.
            reports.c.storefront_id.in_({one.storefront_id for one in links if one.storefront_id}),
            reports.c.external_id.in_({one.external_id for one in links}),
            reports.c.store_order_id.in_({one.store_order_id for one in links}),
        )
        .order_by(reports.c.happened_at, reports.c.number)
    )
    return [_read(row) for row in rows]


def count_reports(tx: Transaction, organization_id: str) -> dict[str, ReportQueue]:
    """Return for each shop how much it has still to be told, and would not hear of."""
    own = select(storefronts.c.id).where(storefronts.c.organization_id == organization_id)
    return _count(tx, own)


def count_all_reports(tx: Transaction) -> dict[str, ReportQueue]:
    """Return the same of every shop of the installation."""
    return _count(tx, select(storefronts.c.id))


def _count(tx: Transaction, shop_ids: Select[tuple[str]]) -> dict[str, ReportQueue]:
    rows = tx.execute(
        select(reports.c.storefront_id, reports.c.status, func.count())
        # By shop and status, which the index has: nearly all reports are REPORTED.
        .where(reports.c.storefront_id.in_(shop_ids), reports.c.status.in_(_UNREPORTED))
        .group_by(reports.c.storefront_id, reports.c.status)
    )
    counted: dict[str, dict[str, int]] = {}
    for storefront_id, status, count in rows:
        counted.setdefault(storefront_id, {})[status] = int(count)
    return {
        storefront_id: ReportQueue(
            waiting=one.get(ReportStatus.WAITING.value, 0),
            failed=one.get(ReportStatus.FAILED.value, 0),
        )
        for storefront_id, one in counted.items()
    }


def remove_old_reports(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest reports that wait no more; return how many."""
    oldest = (
        select(reports.c.id)
        .where(
            reports.c.organization_id == organization_id,
            reports.c.created_at < before,
            ~_IS_WAITING,
        )
        .order_by(reports.c.created_at)
        .limit(most)
    )
    return tx.execute(reports.delete().where(reports.c.id.in_(oldest))).rowcount


def _read_due(row: Row[Any], attempted_stop_ids: Sequence[str]) -> DueReport:
    return DueReport(
        report=_read(row),
        organization_id=row.organization_id,
        storefront_id=row.storefront_id,
        external_id=row.external_id,
        items=_read_items(row.items),
        created_at=row.created_at,
        attempted_stop_ids=attempted_stop_ids,
    )


def _read(row: Row[Any]) -> StorefrontReport:
    is_waiting = row.status == ReportStatus.WAITING.value
    return StorefrontReport(
        id=row.id,
        store_order_id=row.store_order_id,
        stop_id=row.stop_id,
        step=ReportedStep(row.step),
        happened_at=row.happened_at,
        status=ReportStatus(row.status),
        attempts=row.attempts,
        next_attempt_at=row.due_at if is_waiting else UNSET,
        reported_at=row.reported_at or UNSET,
        fulfillment_id=row.fulfillment_id,
        remark=row.remark,
        last_failure=_read_failure(row.last_failure) if row.last_failure else UNSET,
    )
