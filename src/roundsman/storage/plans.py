"""Plans: what was asked, how far each is, and what it proposes."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Row, delete, func, insert, select, update

from roundsman.domain.day_to_plan import DayToPlan
from roundsman.domain.plan import Plan, PlanProgress, PlanProposal, PlanStatus
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import plans


class _PlanName(msgspec.Struct):
    """What a plan is called, of all that it has."""

    name: str


_read_plan = msgspec.json.Decoder(Plan).decode
_read_progress = msgspec.json.Decoder(PlanProgress).decode
_read_proposal = msgspec.json.Decoder(PlanProposal).decode
_read_name = msgspec.json.Decoder(_PlanName).decode
_read_input = msgspec.json.Decoder(DayToPlan).decode

_SHOWN = (plans.c.body, plans.c.progress, plans.c.job_id, plans.c.is_cancel_requested)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredPlan:
    """A plan, and the job that works on it."""

    plan: Plan
    job_id: str
    is_cancel_requested: bool


def add_plan(
    tx: Transaction, organization_id: str, plan: Plan, job_id: str, given: DayToPlan
) -> int:
    """Store a new plan and what it is computed from; return how many bytes that takes."""
    written = msgspec.json.encode(given)
    tx.execute(
        insert(plans).values(
            id=plan.id,
            organization_id=organization_id,
            created_at=plan.created_at,
            job_id=job_id,
            is_cancel_requested=False,
            progress=msgspec.json.encode(plan.progress).decode(),
            input=written.decode(),
            **_changing(plan),
        )
    )
    return len(written)


def save_plan(tx: Transaction, plan: Plan) -> None:
    """Store a plan that has changed; its progress is what `report_plan_progress` writes."""
    tx.execute(update(plans).where(plans.c.id == plan.id).values(**_changing(plan)))


def save_proposal(tx: Transaction, plan_id: str, proposal: PlanProposal) -> int:
    """Store what a plan proposes; return how many bytes that takes."""
    written = msgspec.json.encode(proposal)
    tx.execute(update(plans).where(plans.c.id == plan_id).values(proposal=written.decode()))
    return len(written)


def report_plan_progress(tx: Transaction, plan_id: str, progress: PlanProgress) -> None:
    """Write how far a plan is."""
    written = msgspec.json.encode(progress).decode()
    tx.execute(update(plans).where(plans.c.id == plan_id).values(progress=written))


def request_plan_cancel(tx: Transaction, plan_id: str) -> None:
    """Have the search of a plan end at its next look."""
    tx.execute(update(plans).where(plans.c.id == plan_id).values(is_cancel_requested=True))


def is_plan_wanted(tx: Transaction, plan_id: str) -> bool:
    """Say whether a plan is there and nobody has cancelled it."""
    row = tx.execute(select(plans.c.is_cancel_requested).where(plans.c.id == plan_id)).first()
    return row is not None and not row.is_cancel_requested


def find_plan(
    tx: Transaction, organization_id: str, plan_id: str, *, locked: bool = False
) -> StoredPlan | None:
    """Return one of the organization's plans, without its routes."""
    query = select(*_SHOWN).where(_is_theirs(organization_id), plans.c.id == plan_id)
    row = tx.execute(query.with_for_update() if locked else query).first()
    return None if row is None else _read(row)


def load_proposal(tx: Transaction, plan_id: str) -> PlanProposal:
    """Return what a plan proposes; nothing while it is searched for."""
    body = tx.execute(select(plans.c.proposal).where(plans.c.id == plan_id)).scalar_one()
    return PlanProposal() if body is None else _read_proposal(body)


def load_plan_input(tx: Transaction, plan_id: str) -> DayToPlan:
    """Return what a plan is computed from."""
    return _read_input(tx.execute(select(plans.c.input).where(plans.c.id == plan_id)).scalar_one())


def select_plans(
    tx: Transaction,
    organization_id: str,
    status: PlanStatus | None,
    after: Position | None,
    count: int,
) -> list[tuple[Position, Plan]]:
    """Return a page of plans without their routes, newest first."""
    statement = select(*_SHOWN).where(plans.c.organization_id == organization_id)
    if status is not None:
        statement = statement.where(plans.c.status == status.value)
    sort = (plans.c.created_at, plans.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read(row).plan) for position, row in rows]


def count_plans(
    tx: Transaction, organization_id: str, statuses: Collection[PlanStatus] = tuple(PlanStatus)
) -> int:
    """Return how many plans an organization has, with these statuses."""
    named = [status.value for status in statuses]
    query = select(func.count()).where(
        plans.c.organization_id == organization_id, plans.c.status.in_(named)
    )
    return int(tx.execute(query).scalar_one())


def list_plan_names(tx: Transaction, organization_id: str, since: datetime) -> list[str]:
    """Return the names of the plans that were asked for from a moment on."""
    query = select(plans.c.body).where(
        plans.c.organization_id == organization_id, plans.c.created_at >= since
    )
    return [_read_name(body).name for body in tx.execute(query).scalars()]


def remove_plan(tx: Transaction, plan_id: str) -> None:
    """Remove a plan; routes that were made of it stay."""
    tx.execute(delete(plans).where(plans.c.id == plan_id))


def remove_expired_plans(tx: Transaction, organization_id: str, now: datetime, most: int) -> int:
    """Remove so many plans that are kept no longer; return how many."""
    old = (
        select(plans.c.id)
        .where(plans.c.organization_id == organization_id, plans.c.expires_at < now)
        .limit(most)
    )
    return tx.execute(delete(plans).where(plans.c.id.in_(old))).rowcount


def _is_theirs(organization_id: str) -> Any:
    return without_index(plans.c.organization_id) == organization_id


def _changing(plan: Plan) -> dict[str, Any]:
    return {
        "status": plan.status.value,
        "expires_at": plan.expires_at or None,
        "body": msgspec.json.encode(plan).decode(),
    }


def _read(row: Row[*tuple[Any, ...]]) -> StoredPlan:
    plan = _read_plan(row.body)
    return StoredPlan(
        plan=replace(plan, progress=_read_progress(row.progress)),
        job_id=row.job_id,
        is_cancel_requested=row.is_cancel_requested,
    )
