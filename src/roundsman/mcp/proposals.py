"""Tools that show a proposal again, and have its change made.

Nothing changes before `apply`, and then what was shown, or nothing (decisions §19).
"""

import time
from typing import Any

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import Model, UnsetType
from roundsman.domain.plan import PlanStatus, ProposedPlan
from roundsman.domain.proposed_change import ProposedChange, ProposedKind
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.mcp.answers import as_data, as_local, write_answer, write_rows
from roundsman.mcp.assistant import Assistant
from roundsman.mcp.import_rows import show_drafts
from roundsman.mcp.looking import Start
from roundsman.operations import proposed_changes
from roundsman.operations.plans import find_plan_status

NEXT = "show this to the user; call apply with this proposal only after they agree"

_LOSING = (
    "an import replaces a known stop whole: what stands in `loses` is removed. Say so to the user; "
    "to keep it, propose the import again with it"
)

_PATIENCE_SECONDS = 8.0
"""How long an answer waits for a plan that is being searched for."""

_LOOK_EVERY_SECONDS = 0.1
_UNFOUND = {PlanStatus.QUEUED, PlanStatus.RUNNING}


class ProposalToShow(Model):
    """Which proposal, and behind how many rows to go on."""

    proposal: str
    start: Start = 0


class ProposalToApply(Model):
    """Which proposal."""

    proposal: str


def show_proposal(assistant: Assistant, wanted: ProposalToShow) -> str:
    """Return what a proposal would change; waits a little for a plan that is not found yet."""
    tools, request = assistant.tools, assistant.request
    change = proposed_changes.load_proposed_change(tools, request, wanted.proposal)
    head = show_change(assistant, change)
    if change.drafts:
        return show_import(assistant, change, wanted.start)
    if change.kind is not ProposedKind.PLAN:
        return write_answer(
            {
                **head,
                "moves": len(change.moves) or None,
                "routes": list(change.versions)[:20],
            }
        )
    _await_plan(assistant, change.plan_id)
    plan = proposed_changes.show_proposed_plan(tools, request, change)
    return _show_plan(assistant, head, plan, wanted.start)


def show_import(assistant: Assistant, change: ProposedChange, start: int = 0) -> str:
    """Return which stops a proposal would import, those first that known ones lose something by."""
    known = proposed_changes.find_stops_to_replace(assistant.tools, assistant.request, change)
    rows = show_drafts(change.drafts, known)
    losing = sum("loses" in row for row in rows)
    head = {
        **show_change(assistant, change),
        "count": len(rows),
        "replaced": len(known),
        "losing": losing,
        "warning": _LOSING if losing else "",
        "then": f"{NEXT}; show_proposal shows all rows, from `next` on",
    }
    return write_rows(head, "stops", rows, start)


def _await_plan(assistant: Assistant, plan_id: str) -> None:
    tools, organization_id = assistant.tools, assistant.organization_id
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if find_plan_status(tools, organization_id, plan_id) not in _UNFOUND:
            return
        time.sleep(_LOOK_EVERY_SECONDS)


def _show_plan(assistant: Assistant, head: dict[str, Any], plan: ProposedPlan, start: int) -> str:
    names = {one.id: one.name for one in assistant.list_fleet()}
    head |= {"plan": plan.id, "status": str(plan.status)}
    if not plan.is_ended():
        head |= {
            "found": f"{plan.progress.share:.0%}",
            "next": "the search goes on; call show_proposal again",
        }
    elif not isinstance(plan.error, UnsetType):
        head |= {"error": plan.error.message}
    if not isinstance(plan.statistics, UnsetType):
        head |= {
            "cost": round(plan.statistics.cost, 2),
            "vehiclesUsed": plan.statistics.vehicles_used,
            "kilometers": round(plan.statistics.total_distance_meters / 1_000, 1),
            "travelTimesEstimated": plan.statistics.estimated or None,
            "unassigned": len(plan.unassigned),
            "unassignedFirst": [_show_unassigned(one) for one in plan.unassigned[:5]],
            "next": NEXT,
        }
    rows = [
        {
            "vehicle": as_data(names.get(one.vehicle_id, one.vehicle)),
            "stops": sum(step.type == "STOP" for step in one.steps),
            "leaves": as_local(one.departure, assistant.zone),
            "ends": as_local(one.end, assistant.zone),
            "kilometers": round(one.total_distance_meters / 1_000, 1),
        }
        for one in plan.routes
    ]
    return write_rows(head, "routes", rows, start)


def _show_unassigned(stop: UnassignedStop) -> dict[str, Any]:
    return {
        "stop": stop.client_stop_id or stop.imported_stop_id or stop.store_order_id,
        "why": [as_data(reason.description) for reason in stop.reasons[:1]],
        "fixes": [f"{fix.type} {fix.subject}".strip() for fix in stop.fixes[:2]],
    }


def apply(assistant: Assistant, wanted: ProposalToApply) -> str:
    """Make the change of a proposal, exactly as it was shown."""
    made = proposed_changes.make_proposed_change(
        assistant.tools, assistant.request, wanted.proposal
    )
    head = {"applied": made.change.id, "kind": str(made.change.kind)}
    if made.stops:
        rows = [{"id": stop.id, "name": as_data(name_of_stop(stop))} for stop in made.stops]
        return write_rows({**head, "count": len(rows)}, "stops", rows)
    return write_rows(head, "routes", [_show_made(one) for one in made.routes])


def _show_made(one: AssignedRoute) -> dict[str, Any]:
    return {
        "id": one.route.id,
        "route": as_data(one.route.name),
        "stops": len(one.route.stops),
    }


def show_change(assistant: Assistant, change: ProposedChange, date: str = "") -> dict[str, Any]:
    """Return what every proposal says of itself."""
    date = date or assistant.day_named("today")
    shown = {
        "proposal": change.id,
        "kind": str(change.kind),
        "expires": as_local(change.expires_at, assistant.zone, assistant.day_named("today")),
    }
    if not isinstance(change.made_at, UnsetType):
        shown["applied"] = as_local(change.made_at, assistant.zone, date)
    return shown
