"""Plans side by side: what each costs, and which stops are elsewhere than in this one."""

from collections.abc import Mapping, Sequence

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import (
    Plan,
    PlanComparison,
    PlanDifference,
    PlannedPosition,
    PlanProposal,
    PlanStepType,
    PlanSummary,
)
from roundsman.operations.plans import load_plan
from roundsman.operations.tools import Tools
from roundsman.storage import plans as stored
from roundsman.storage.database import Transaction
from roundsman.storage.routes import find_live_routes_of_origins, find_route

CURRENT = "CURRENT"
"""Stands for the routes as they are now."""

type _Positions = Mapping[str, PlannedPosition]
"""By the id of the imported stop or store order; who stays out has none."""


def compare_plans(
    tools: Tools, organization_id: str, plan_id: str, others: Sequence[str]
) -> PlanComparison:
    """Return the statistics of all, and where stops of this plan are in the others."""
    with tools.database.reading() as tx:
        plan = _load_finished(tx, organization_id, plan_id)
        mine = _positions(stored.load_proposal(tx, plan_id))
        stops = [stop.origin_id() for stop in stored.load_plan_input(tx, plan_id).stops]
        summaries = [PlanSummary(id=plan.id, statistics=plan.statistics)]
        differences: list[PlanDifference] = []
        for other in dict.fromkeys(others):
            if other == CURRENT:
                theirs = _current_positions(tx, organization_id, stops)
                summaries.append(PlanSummary(id=CURRENT))
            else:
                compared = _load_finished(tx, organization_id, other)
                theirs = _positions(stored.load_proposal(tx, other))
                summaries.append(PlanSummary(id=other, statistics=compared.statistics))
            differences += _differences(other, stops, mine, theirs)
    return PlanComparison(plans=tuple(summaries), differences=tuple(differences))


def _load_finished(tx: Transaction, organization_id: str, plan_id: str) -> Plan:
    plan = load_plan(tx, organization_id, plan_id)
    if plan.statistics is UNSET:
        violation = PreconditionViolation(
            type="status", subject=plan_id, description="has found nothing that could be compared"
        )
        raise FailedPrecondition(f"plan is {plan.status.value}", [violation])
    return plan


def _positions(proposal: PlanProposal) -> _Positions:
    found: dict[str, PlannedPosition] = {}
    for route in proposal.routes:
        steps = [step for step in route.steps if step.type is PlanStepType.STOP]
        for index, step in enumerate(steps):
            found[step.origin_id()] = PlannedPosition(
                vehicle=route.vehicle, index=index, planned_arrival=step.planned_arrival
            )
    return found


def _current_positions(tx: Transaction, organization_id: str, stops: Sequence[str]) -> _Positions:
    """Return where stops are on routes; a route without a vehicle is called by its own id."""
    found: dict[str, PlannedPosition] = {}
    for route_id in sorted(set(find_live_routes_of_origins(tx, organization_id, stops).values())):
        known = find_route(tx, organization_id, route_id)
        if known is None:
            continue
        for index, stop in enumerate(known.route.stops):
            found[stop.imported_stop_id or stop.store_order_id] = PlannedPosition(
                vehicle=known.route.vehicle_id or route_id,
                index=index,
                planned_arrival=stop.planned_arrival,
            )
    return found


def _differences(
    other: str, stops: Sequence[str], mine: _Positions, theirs: _Positions
) -> list[PlanDifference]:
    return [
        PlanDifference(
            plan=other,
            stop=stop,
            from_=mine.get(stop, UNSET),
            to=theirs.get(stop, UNSET),
        )
        for stop in stops
        if _where(mine.get(stop, UNSET)) != _where(theirs.get(stop, UNSET))
    ]


def _where(position: PlannedPosition | UnsetType) -> tuple[str, int] | None:
    return None if isinstance(position, UnsetType) else (position.vehicle, position.index)
