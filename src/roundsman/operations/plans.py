"""Plans of many vehicles: asked for, looked at, cancelled and deleted (decisions §21).

A plan writes no route. A job searches for it (`plan_runs.py`), and `plan_application.py` makes
routes of what was found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from roundsman.domain.accepted_plan import AcceptedPlan, accept_plan
from roundsman.domain.change import ObjectKind
from roundsman.domain.day_to_plan import DayToPlan, VehicleLocation
from roundsman.domain.driver import Driver
from roundsman.domain.errors import (
    NotFound,
    ResourceExhausted,
)
from roundsman.domain.event import plan_happened
from roundsman.domain.job import JobState
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import (
    INTERNAL_ERROR,
    MOST_WAITING_PLANS,
    Plan,
    PlanError,
    PlanProgress,
    PlanProposal,
    PlanStatus,
    ProposedPlan,
    SkippedOrder,
    with_proposal,
)
from roundsman.domain.plan_draft import (
    PlanDraft,
    PlanOptions,
    PlanVehicle,
)
from roundsman.domain.queries import ListPlans, Query
from roundsman.domain.topics import Topic
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.domain.vehicle import Vehicle, VehicleDetails
from roundsman.kit.ids import new_id
from roundsman.operations.jobs import enqueue_job
from roundsman.operations.locations import Located, locate_all
from roundsman.operations.paging import Page, list_page
from roundsman.operations.plan_bases import plan_again, require_basis
from roundsman.operations.plan_resolution import resolve
from roundsman.operations.plan_routes import bring_routes, find_routes, require_no_vehicle_twice
from roundsman.operations.plan_runs import PLANS, PlanJob
from roundsman.operations.plan_vehicles import (
    FoundVehicle,
    require_vehicles_at_work,
)
from roundsman.operations.request import Request
from roundsman.operations.stops_to_plan import choose_stops, find_stops_of_plan
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.operations.unknown_ids import UnknownIds
from roundsman.storage import plans as stored
from roundsman.storage.database import Transaction
from roundsman.storage.drivers import find_driver
from roundsman.storage.jobs import select_job, update_job
from roundsman.storage.keyset import Position
from roundsman.storage.plans import StoredPlan
from roundsman.storage.vehicles import find_vehicle

_RETRY_AFTER_SECONDS = 10


def request_plan(tools: Tools, request: Request, asked: PlanDraft) -> AcceptedPlan:
    """Have a plan searched for; nothing else is written."""
    resolved = _resolve(tools, request, asked)
    with begin_work(tools, request) as work:
        waiting = stored.count_plans(work.tx, work.organization_id, [PlanStatus.QUEUED])
        if waiting >= MOST_WAITING_PLANS:
            description = f"{waiting} plans wait already; cancel one, or try again later"
            raise ResourceExhausted(description, _RETRY_AFTER_SECONDS)
        plan = Plan(
            id=new_id(work.ids, "pln"),
            name=asked.name or _next_name(work),
            created_at=work.now,
            options=resolved.options,
            based_on=asked.based_on,
            skipped_orders=resolved.skipped_orders,
            stop_count=len(resolved.given.stops),
            vehicle_count=len(resolved.given.vehicles),
        )
        job = enqueue_job(work, PLANS, PlanJob(plan_id=plan.id), request.event_actor())
        size = stored.add_plan(work.tx, work.organization_id, plan, job.id, resolved.given)
        work.added_bytes += size
        work.note(ObjectKind.PLAN, plan.id)
        return work.done(accept_plan(plan, resolved.given.stops))


def _next_name(work: UnitOfWork) -> str:
    """Return a name for a plan of today, with a number that none of today has.

    The organization is locked, so nobody else takes it at the same time.
    """
    midnight = work.now.replace(hour=0, minute=0, second=0, microsecond=0)
    begin = f"Plan {midnight.date().isoformat()} #"
    names = stored.list_plan_names(work.tx, work.organization_id, midnight)
    endings = [name.removeprefix(begin) for name in names if name.startswith(begin)]
    numbers = [int(ending) for ending in endings if ending.isdecimal() and len(ending) < 10]
    count = stored.count_plans(work.tx, work.organization_id)
    return f"{begin}{max([count, *numbers]) + 1}"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Resolved:
    """Everything that a plan is computed from, its options, and which orders it cannot have."""

    given: DayToPlan
    options: PlanOptions
    skipped_orders: tuple[SkippedOrder, ...] = ()


def _resolve(tools: Tools, request: Request, asked: PlanDraft) -> _Resolved:
    if asked.based_on:
        with tools.database.reading() as tx:
            basis = load_plan(tx, request.organization_id, asked.based_on)
            require_basis(basis)
            before = stored.load_plan_input(tx, basis.id)
            proposal = stored.load_proposal(tx, basis.id)
            given, options = plan_again(asked, basis, before, proposal)
            return _Resolved(given=given, options=options, skipped_orders=basis.skipped_orders)
    organization_id, unknown = request.organization_id, UnknownIds()
    with tools.database.reading() as tx:
        named = find_stops_of_plan(tx, organization_id, asked, unknown)
        vehicles = _find_vehicles(tx, organization_id, asked.vehicles, unknown)
        drivers = _find_drivers(tx, organization_id, asked.vehicles, unknown)
        known = find_routes(tx, organization_id, asked.routes, unknown)
        unknown.refuse()
        require_vehicles_at_work(vehicles, drivers)
        routes = bring_routes(tx, organization_id, asked.routes, known)
        chosen = choose_stops(tx, organization_id, asked, named)
    require_no_vehicle_twice(asked.vehicles, routes)
    found = _locate_vehicles(tools, asked.vehicles, vehicles)
    stops, skipped = chosen.locate(tools)
    given = resolve(asked, stops, found, routes, tools.clock.now())
    return _Resolved(given=given, options=asked.options, skipped_orders=skipped)


def get_plan(tools: Tools, organization_id: str, plan_id: str) -> ProposedPlan:
    """Return a plan, with its routes once they are found."""
    with tools.database.reading() as tx:
        found = _require(stored.find_plan(tx, organization_id, plan_id))
        plan = _as_its_job_left_it(tx, organization_id, found)
        return with_proposal(plan, stored.load_proposal(tx, plan_id))


def find_plan_status(tools: Tools, organization_id: str, plan_id: str) -> PlanStatus:
    """Return where a plan stands."""
    with tools.database.reading() as tx:
        found = _require(stored.find_plan(tx, organization_id, plan_id))
        return _as_its_job_left_it(tx, organization_id, found).status


def find_plan_job(tools: Tools, organization_id: str, plan_id: str) -> str:
    """Return the job that searches for a plan."""
    with tools.database.reading() as tx:
        return _require(stored.find_plan(tx, organization_id, plan_id)).job_id


def load_plan(tx: Transaction, organization_id: str, plan_id: str, *, locked: bool = False) -> Plan:
    """Return a plan without its routes; raise NotFound when the organization has no such plan."""
    found = _require(stored.find_plan(tx, organization_id, plan_id, locked=locked))
    return _as_its_job_left_it(tx, organization_id, found)


def list_plans(tools: Tools, organization_id: str, query: Query[ListPlans]) -> Page[Plan]:
    """Return a page of plans without their routes, newest first."""

    def fetch(
        tx: Transaction, arguments: ListPlans, after: Position | None, count: int
    ) -> list[tuple[Position, Plan]]:
        status = arguments.status or None
        return stored.select_plans(tx, organization_id, status, after, count)

    return list_page(tools, organization_id, "plans", query, fetch)


def cancel_plan(tools: Tools, request: Request, plan_id: str) -> ProposedPlan:
    """End a search; its best so far is kept. Again, or when it is over, changes nothing."""
    with begin_work(tools, request) as work:
        found = stored.find_plan(work.tx, work.organization_id, plan_id, locked=True)
        plan = _as_its_job_left_it(work.tx, work.organization_id, _require(found))
        if plan.status is PlanStatus.RUNNING:
            stored.request_plan_cancel(work.tx, plan_id)
        if plan.status is PlanStatus.QUEUED:
            job_id = _require(found).job_id
            job = select_job(work.tx, work.organization_id, job_id, locked=True)
            stored.request_plan_cancel(work.tx, plan_id)
            if job is not None and job.state is JobState.QUEUED:
                update_job(work.tx, job.cancelled(work.now))
                proposal = _leave_all_out(stored.load_plan_input(work.tx, plan_id))
                progress = PlanProgress(unassigned=len(proposal.unassigned))
                plan = replace(plan.ended(PlanStatus.CANCELLED, work.now), progress=progress)
                stored.save_plan(work.tx, plan)
                work.added_bytes += stored.save_proposal(work.tx, plan_id, proposal)
                stored.report_plan_progress(work.tx, plan_id, progress)
                work.record(plan_happened(Topic.PLAN_COMPLETED, plan))
        return work.done(with_proposal(plan, stored.load_proposal(work.tx, plan_id)))


def _leave_all_out(given: DayToPlan) -> PlanProposal:
    """Return the best so far of a search that never began: what is on a route stays there."""
    return PlanProposal(
        unassigned=tuple(
            UnassignedStop(
                imported_stop_id=stop.imported_stop_id,
                client_stop_id=stop.client_stop_id,
                store_order_id=stop.store_order_id,
                cost=stop.unassigned_cost,
            )
            for stop in given.stops
            if isinstance(stop.present_vehicle, UnsetType)
        )
    )


def delete_plan(tools: Tools, request: Request, plan_id: str) -> None:
    """Remove a plan; a search for it ends, and routes that were made of it stay."""
    with begin_work(tools, request) as work:
        found = _require(stored.find_plan(work.tx, work.organization_id, plan_id, locked=True))
        job = select_job(work.tx, work.organization_id, found.job_id, locked=True)
        if job is not None and not job.is_ended():
            update_job(work.tx, job.cancel_requested(work.now))
        stored.remove_plan(work.tx, plan_id)
        work.is_freeing = True
        work.note(ObjectKind.PLAN, plan_id)
        work.done(None)


def _require(found: StoredPlan | None) -> StoredPlan:
    if found is None:
        raise NotFound("plan not found")
    return found


def _as_its_job_left_it(tx: Transaction, organization_id: str, found: StoredPlan) -> Plan:
    """Return the plan; one whose workers were lost too often has failed without saying so."""
    plan = found.plan
    if plan.is_ended():
        return plan
    job = select_job(tx, organization_id, found.job_id)
    if job is None or job.state is not JobState.FAILED:
        return plan
    error = PlanError(code=INTERNAL_ERROR, message=job.error)
    return plan.failed(error, job.ended_at or plan.created_at)


def _find_vehicles(
    tx: Transaction, organization_id: str, asked: Sequence[PlanVehicle], unknown: UnknownIds
) -> dict[str, Vehicle]:
    """Return the vehicles of the fleet that a plan names; note which are unknown."""
    ids = [one.vehicle_id for one in asked if one.vehicle_id]
    found = {id_: find_vehicle(tx, organization_id, id_) for id_ in ids}
    unknown.note("vehicle", [id_ for id_, one in found.items() if one is None])
    return {id_: one for id_, one in found.items() if one is not None}


def _find_drivers(
    tx: Transaction, organization_id: str, asked: Sequence[PlanVehicle], unknown: UnknownIds
) -> dict[str, Driver]:
    """Return the drivers that a plan names; note which are unknown."""
    ids = [one.driver_id for one in asked if one.driver_id]
    found = {id_: find_driver(tx, organization_id, id_) for id_ in ids}
    unknown.note("driver", [id_ for id_, one in found.items() if one is None])
    return {id_: one for id_, one in found.items() if one is not None}


def _locate_vehicles(
    tools: Tools, asked: Sequence[PlanVehicle], fleet: dict[str, Vehicle]
) -> list[FoundVehicle]:
    """Return the vehicles with what they inherit, each start, end and reload located."""
    wanted: list[Located] = []
    for number, one in enumerate(asked):
        inherits = fleet.get(one.vehicle_id, VehicleDetails())
        for name in ("start", "end"):
            location = getattr(one, name) or getattr(inherits, name)
            if location:
                path = f"vehicles[{number}].{name}."
                wanted.append((path, location.address, location.coordinates))
        for place, reload in enumerate(one.reloads or ()):
            path = f"vehicles[{number}].reloads[{place}]."
            wanted.append((path, reload.address, reload.coordinates))
    located = {
        path: VehicleLocation(
            address=address, coordinates=found.coordinates, geocoding=found.geocoding
        )
        for (path, address, _), found in zip(
            wanted, locate_all(tools.geocoder, wanted), strict=True
        )
    }
    return [
        FoundVehicle(
            said=one,
            field=f"vehicles[{number}]",
            inherits=fleet.get(one.vehicle_id, VehicleDetails()),
            start=located.get(f"vehicles[{number}].start.") or UNSET,
            end=located.get(f"vehicles[{number}].end.") or UNSET,
            reloads=tuple(
                located[f"vehicles[{number}].reloads[{place}]."]
                for place in range(len(one.reloads or ()))
            ),
        )
        for number, one in enumerate(asked)
    ]
