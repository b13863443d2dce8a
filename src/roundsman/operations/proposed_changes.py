"""Proposing changes, and making exactly what was shown (decisions §19).

That a change was made is noted in the transaction that makes it, by the receipt that operations
keep there anyway: whoever comes second finds it made, and nothing of theirs happens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from msgspec.structs import replace as replace_struct

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.domain.insertion import Insertion
from roundsman.domain.model import UNSET
from roundsman.domain.plan import PlanStatus, ProposedPlan
from roundsman.domain.plan_draft import PlanDraft, PlanRouteDetails
from roundsman.domain.proposed_change import PROPOSED_FOR, ProposedChange, ProposedKind, scope_of
from roundsman.domain.transfer import StopMove
from roundsman.kit.ids import new_id
from roundsman.operations.imported_stops import (
    find_replaceable_stops,
    locate_drafts,
    store_imported,
)
from roundsman.operations.plan_application import apply_plan
from roundsman.operations.plans import get_plan, request_plan
from roundsman.operations.request import Request
from roundsman.operations.route_changes import load_route
from roundsman.operations.routes import dispatch_route
from roundsman.operations.tools import Tools
from roundsman.operations.transfers import transfer_stops
from roundsman.operations.unit_of_work import begin_work
from roundsman.routing.redistribution import Redistribution, redistribute
from roundsman.storage import proposed_changes as stored
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_update_times
from roundsman.storage.vehicles import find_vehicle

_UNKNOWN = "proposal not found; it may be another client's, or older than a day"


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeMade:
    """What a proposed change has become."""

    change: ProposedChange
    routes: Sequence[AssignedRoute] = ()
    stops: Sequence[ImportedStop] = ()


def propose_plan(tools: Tools, request: Request, draft: PlanDraft) -> ProposedChange:
    """Have a plan searched for; it can be applied once it is found and was shown."""
    request.principal.require(scope_of(ProposedKind.PLAN))
    plan = request_plan(tools, request, draft)
    return _propose(tools, request, ProposedKind.PLAN, plan_id=plan.id, is_shown=False)


def show_proposed_plan(tools: Tools, request: Request, change: ProposedChange) -> ProposedPlan:
    """Return the plan of a proposed change; from then on it can be made, if it is found."""
    plan = get_plan(tools, request.organization_id, change.plan_id)
    if plan.status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED} and not change.is_shown:
        with begin_work(tools, request) as work:
            stored.save_proposed_change(work.tx, replace_struct(change, is_shown=True))
            work.done(None)
    return plan


def propose_moves(
    tools: Tools, request: Request, moves: Sequence[StopMove], versions: Mapping[str, int]
) -> ProposedChange:
    """Propose moves of stops that were worked out for these versions of all routes concerned."""
    return _propose(tools, request, ProposedKind.MOVES, moves=tuple(moves), versions=dict(versions))


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposedRedistribution:
    """Who takes over the open stops of a route, and the proposed change that does it, if any."""

    change: ProposedChange | None
    found: Redistribution


def propose_redistribution(
    tools: Tools, request: Request, leaving: Sequence[str], taking: Sequence[str]
) -> ProposedRedistribution:
    """Propose that other routes take over the open stops of the routes of who cannot drive.

    `leaving` and `taking` are ids of routes. Stops that no route can take without breaking
    something stay where they are.
    """
    request.principal.require(scope_of(ProposedKind.MOVES))
    organization_id = request.organization_id
    routes = {id_: load_route(tools, organization_id, id_) for id_ in (*leaving, *taking)}
    open_stops = [stop for id_ in leaving for stop in routes[id_].route.stops if not stop.is_done()]
    targets = [routes[id_].route for id_ in taking]
    with tools.database.reading() as tx:
        vehicles = {
            vehicle.id: vehicle
            for vehicle_id in sorted({route.vehicle_id for route in targets} - {""})
            if (vehicle := find_vehicle(tx, organization_id, vehicle_id)) is not None
        }
    found = redistribute(open_stops, targets, vehicles, tools.roads, tools.clock.now())
    moves = [_move_to(one.stop.id, one.at) for one in found.placed]
    concerned = {*leaving, *(one.at.route_id for one in found.placed)}
    versions = {id_: routes[id_].version for id_ in concerned}
    change = propose_moves(tools, request, moves, versions) if moves else None
    return ProposedRedistribution(change=change, found=found)


def _move_to(stop_id: str, at: Insertion) -> StopMove:
    return StopMove(stop_id=stop_id, to_route_id=at.route_id, index=at.index)


def propose_dispatch(tools: Tools, request: Request, route_id: str) -> ProposedChange:
    """Propose to dispatch a route as it is now."""
    read = load_route(tools, request.organization_id, route_id)
    return _propose(
        tools,
        request,
        ProposedKind.DISPATCH,
        route_id=route_id,
        versions={route_id: read.version},
    )


def propose_import(tools: Tools, request: Request, drafts: Sequence[StopDraft]) -> ProposedChange:
    """Propose to import stops; raise InvalidArgument for one that could not be."""
    locate_drafts(tools, drafts)
    with tools.database.reading() as tx:
        replaced = _find_replaced(tx, request.organization_id, drafts)
    return _propose(tools, request, ProposedKind.IMPORT, drafts=tuple(drafts), replaced=replaced)


def find_stops_to_replace(
    tools: Tools, request: Request, change: ProposedChange
) -> Mapping[str, ImportedStop]:
    """Return the stops that a proposed import would replace, by clientStopId.

    Raise FailedPrecondition when they are not as they were when it was proposed.
    """
    with tools.database.reading() as tx:
        _require_as_shown(tx, request.organization_id, change)
        return find_replaceable_stops(tx, request.organization_id, change.drafts)


def _find_replaced(
    tx: Transaction, organization_id: str, drafts: Sequence[StopDraft]
) -> Mapping[str, datetime]:
    known = find_replaceable_stops(tx, organization_id, drafts)
    return find_update_times(tx, organization_id, [stop.id for stop in known.values()])


def _require_as_shown(tx: Transaction, organization_id: str, change: ProposedChange) -> None:
    if _find_replaced(tx, organization_id, change.drafts) != change.replaced:
        raise FailedPrecondition(
            f"what proposal {change.id} would replace has changed since it was shown; "
            "propose the import again"
        )


def load_proposed_change(tools: Tools, request: Request, change_id: str) -> ProposedChange:
    """Return a change that who asks has proposed; raise NotFound."""
    with tools.database.reading() as tx:
        found = stored.find_proposed_change(tx, request.organization_id, change_id)
    if found is None or found.proposed_by != request.principal.id:
        raise NotFound(_UNKNOWN)
    return found


def make_proposed_change(tools: Tools, request: Request, change_id: str) -> ChangeMade:
    """Make a proposed change, once; raise FailedPrecondition when it cannot be made any more."""
    change = load_proposed_change(tools, request, change_id)
    request.principal.require(scope_of(change.kind))
    change.require_makeable(tools.clock.now())
    noting = replace(request, receipt=_MadeOnce(change))
    match change.kind:
        case ProposedKind.PLAN:
            applied = apply_plan(tools, noting, change.plan_id, UNSET, PlanRouteDetails())
            return ChangeMade(change=change, routes=applied.routes)
        case ProposedKind.MOVES:
            moved = transfer_stops(tools, noting, change.moves, change.versions)
            return ChangeMade(change=change, routes=moved)
        case ProposedKind.DISPATCH:
            expected = frozenset(change.versions.values())
            sent = replace(noting, expected_versions=expected)
            return ChangeMade(
                change=change, routes=[dispatch_route(tools, sent, change.route_id, UNSET)]
            )
        case ProposedKind.IMPORT:
            return ChangeMade(change=change, stops=_import_as_shown(tools, noting, change))


def _import_as_shown(
    tools: Tools, request: Request, change: ProposedChange
) -> Sequence[ImportedStop]:
    locations = locate_drafts(tools, change.drafts)
    with begin_work(tools, request) as work:
        # Work of an organization waits for other work: a change is seen here, or comes after.
        _require_as_shown(work.tx, work.organization_id, change)
        return work.done(store_imported(work, change.drafts, locations))


@dataclass(frozen=True, slots=True)
class _MadeOnce:
    """Notes in the transaction of the change that it was made; a `Receipt`."""

    change: ProposedChange

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        """Raise FailedPrecondition when it was made in the meantime."""
        del result
        made = replace_struct(self.change, made_at=now, drafts=())
        if not stored.save_proposed_change(tx, made):
            raise FailedPrecondition(
                f"proposal {self.change.id} was applied already; nothing is to do"
            )


def _propose(tools: Tools, request: Request, kind: ProposedKind, **what: Any) -> ProposedChange:
    request.principal.require(scope_of(kind))
    with begin_work(tools, request) as work:
        now = tools.clock.now()
        change = ProposedChange(
            id=new_id(work.ids, "prp"),
            kind=kind,
            proposed_by=request.principal.id,
            proposed_at=now,
            expires_at=now + PROPOSED_FOR,
            **what,
        )
        work.added_bytes += stored.add_proposed_change(work.tx, work.organization_id, change)
        return work.done(change)
