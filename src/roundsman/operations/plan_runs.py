"""The job that searches for a plan: travel times, search, result; its progress is written down.

An attempt begins from the plan's input, so another one after a crash finds the same. Whoever
cancels a plan gets its best so far; whoever deletes one ends the job.
"""

import threading
import time
from datetime import datetime

import structlog
from msgspec.structs import replace

from roundsman.domain.change import ObjectKind
from roundsman.domain.day_to_plan import DayToPlan
from roundsman.domain.errors import Aborted, ResourceExhausted, RoundsmanError, Unavailable
from roundsman.domain.event import plan_happened
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan import (
    INTERNAL_ERROR,
    ChurnCost,
    CostsByPart,
    Plan,
    PlanError,
    PlanPhase,
    PlanProgress,
    PlanProposal,
    PlanRoute,
    PlanStatistics,
    PlanStatus,
    StopReason,
)
from roundsman.domain.topics import Topic
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.kit.software import software_version
from roundsman.operations.jobs import (
    JobCancelled,
    JobInterrupted,
    JobKind,
    RunningJob,
    WorkerStopping,
)
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.planning.fleet import (
    NEVER_DROPPED,
    FleetBudget,
    FleetPlan,
    StoppedBy,
    find_lower_bound,
    plan_fleet,
)
from roundsman.routing.fleet_churn import CURVE_SHARE, ChurnPoint, find_churn_curve
from roundsman.routing.fleet_estimates import find_estimated_legs
from roundsman.routing.fleet_lines import draw_fleet_paths, with_polylines
from roundsman.routing.fleet_problem import FleetDay, pose_fleet_problem
from roundsman.routing.fleet_unassigned import EXPLAIN_SHARE, list_unassigned
from roundsman.storage import plans as stored

_LOOK_EVERY_SECONDS = 0.15
_WRITE_EVERY_SECONDS = 0.8
_DRAWN_WITHIN_SECONDS = 20.0
"""Whoever waits for a plan would rather have it with some lines than later."""

_PASSING = (Unavailable, Aborted, ResourceExhausted)

_log = structlog.get_logger("roundsman.operations")


class PlanJob(Model):
    """The payload of the job that searches for a plan."""

    plan_id: str


def search_for_plan(tools: Tools, running: RunningJob[PlanJob]) -> None:
    """Search for a plan and keep what was found; raises what ends the job."""
    plan_id = running.payload.plan_id
    _begin(tools, running)
    began = time.monotonic()
    try:
        given = _load_input(tools, running)
        search = _PlanSearch(tools, running)
        day, found = search.run(given)
        out = search.explain(day, found, time.monotonic() - began)
        routes = search.draw(day, found)
    except RoundsmanError as error:
        if isinstance(error, _PASSING) and not running.job.is_last_attempt():
            raise
        _fail(tools, running, PlanError(code=error.code, message=error.message))
        return
    except JobInterrupted:
        raise
    except Exception:  # noqa: BLE001 -- a door
        # Another attempt would end alike, after hours: whoever waits is told now.
        _log.exception("plan_failed", plan=plan_id)
        _fail(tools, running, PlanError(code=INTERNAL_ERROR, message="internal error"))
        return
    if search.is_stopping:
        raise WorkerStopping
    seconds = time.monotonic() - began
    _log.info("plan_found", plan=plan_id, seconds=round(seconds, 3), moves=found.moves)
    proposal = PlanProposal(routes=routes, unassigned=out, moved=len(found.moved))
    statistics = replace(_statistics(day, found, proposal, seconds), churn_curve=search.churn_curve)
    _complete(tools, running, found, proposal, statistics)


def _begin(tools: Tools, running: RunningJob[PlanJob]) -> None:
    """Mark the plan as running; raise JobCancelled if it is gone."""
    plan_id = running.payload.plan_id
    with begin_work(tools, running.stepping("")) as work:
        found = stored.find_plan(work.tx, work.organization_id, plan_id, locked=True)
        if found is None:
            raise JobCancelled
        stored.save_plan(work.tx, found.plan.running(work.now))
        work.note(ObjectKind.PLAN, plan_id)
        work.done(None)


def _load_input(tools: Tools, running: RunningJob[PlanJob]) -> DayToPlan:
    """Return what the plan is computed from; raise JobCancelled if it is gone by now."""
    plan_id = running.payload.plan_id
    with tools.database.reading() as tx:
        if stored.find_plan(tx, running.job.organization_id, plan_id) is None:
            raise JobCancelled
        return stored.load_plan_input(tx, plan_id)


class _PlanSearch:
    """One search: looks whether it is still wanted, and writes how far it is."""

    def __init__(self, tools: Tools, running: RunningJob[PlanJob]) -> None:
        self._tools = tools
        self._running = running
        self._plan_id = running.payload.plan_id
        self._is_over = threading.Event()
        self._looked_at = self._written_at = time.monotonic()
        self._progress = PlanProgress()
        self.is_stopping = False
        self.churn_curve: tuple[ChurnCost, ...] | UnsetType = UNSET

    def run(self, given: DayToPlan) -> tuple[FleetDay, FleetPlan]:
        self._write(PlanPhase.MATRIX)
        day = pose_fleet_problem(given, self._tools.roads, self._note_table)
        self._progress = replace(self._progress, share=0.0)
        self._write(PlanPhase.BUILD)
        shares = 1 + EXPLAIN_SHARE * given.explain + CURVE_SHARE * given.churn_curve
        seconds = given.max_seconds / shares
        budget = FleetBudget(seconds=seconds, moves=given.moves, cancelled=self._is_over.is_set)
        found = plan_fleet(day.problem, budget, seed=given.seed, on_progress=self._note)
        if given.churn_curve and found.stopped_by is not StoppedBy.CANCEL:
            spare = CURVE_SHARE * seconds
            curve = find_churn_curve(day, found, spare, self._is_over.is_set, self._note_curve)
            self.churn_curve = tuple(_show_point(day, point) for point in curve)
            found = curve[-1].plan
        return day, found

    def explain(self, day: FleetDay, found: FleetPlan, spent: float) -> tuple[UnassignedStop, ...]:
        """Return what stays out of a plan that took so many seconds: why, and what would help."""
        if day.given.explain and found.unassigned:
            self._write(PlanPhase.EXPLAIN)
        return list_unassigned(day, found, spent=spent, cancelled=self._is_cancelled)

    def draw(self, day: FleetDay, found: FleetPlan) -> tuple[PlanRoute, ...]:
        """Return the routes with their lines, as far as there are roads and time for them."""
        routes = day.show_routes(found)
        ends_at = time.monotonic() + _DRAWN_WITHIN_SECONDS

        def is_over(share: float) -> bool:
            self._progress = replace(self._progress, share=round(share, 4))
            self._keep_awake(PlanPhase.EXPLAIN)
            return time.monotonic() > ends_at or self._is_over.is_set()

        try:
            paths = draw_fleet_paths(day, found, self._tools.roads, is_over)
        except RoundsmanError as error:
            _log.warning("plan_without_lines", plan=self._plan_id, reason=error.message)
            return routes
        return with_polylines(routes, paths)

    def _is_cancelled(self) -> bool:
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_EVERY_SECONDS:
            self._looked_at = now
            self._look()
        return self._is_over.is_set()

    def _note_table(self, share: float) -> bool:
        """Take note of how much of the travel times is there; say whether nobody waits for them."""
        self._progress = replace(self._progress, share=round(share, 4))
        self._keep_awake(PlanPhase.MATRIX)
        return self._is_over.is_set()

    def _note(self, share: float, cost: float, unassigned: int, used: int) -> None:
        """Take note of the best so far; called every few milliseconds.

        It has no cost yet while a stop that must be served is left out.
        """
        known = UNSET if cost >= NEVER_DROPPED / 2 else round(cost, 2)
        is_better = self._progress.cost != known
        self._progress = replace(
            self._progress,
            phase=PlanPhase.SEARCH,
            share=round(share, 4),
            cost=known,
            unassigned=unassigned,
            vehicles_used=used,
            improved_at=self._tools.clock.now() if is_better else self._progress.improved_at,
        )
        self._keep_awake(PlanPhase.SEARCH)

    def _note_curve(self, *_: float) -> None:
        self._keep_awake(PlanPhase.SEARCH)

    def _keep_awake(self, phase: PlanPhase) -> None:
        """Look whether the plan is still wanted, and write how far it is, each now and then."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_EVERY_SECONDS:
            self._looked_at = now
            self._look()
        if now - self._written_at >= _WRITE_EVERY_SECONDS:
            self._write(phase)

    def _look(self) -> None:
        if self._running.is_stopping():
            self.is_stopping = True
            self._is_over.set()
            return
        with self._tools.database.reading() as tx:
            if not stored.is_plan_wanted(tx, self._plan_id):
                self._is_over.set()

    def _write(self, phase: PlanPhase) -> None:
        """Write how far the search is, and end where the job is another's by now."""
        self._running.check()
        self._progress = replace(self._progress, phase=phase)
        with self._tools.database.writing() as tx:
            stored.report_plan_progress(tx, self._plan_id, self._progress)
        self._written_at = time.monotonic()


def _complete(
    tools: Tools,
    running: RunningJob[PlanJob],
    found: FleetPlan,
    proposal: PlanProposal,
    statistics: PlanStatistics,
) -> None:
    is_cancelled = found.stopped_by is StoppedBy.CANCEL
    status = PlanStatus.CANCELLED if is_cancelled else PlanStatus.COMPLETED
    plan_id = running.payload.plan_id
    with begin_work(tools, running.completing()) as work:
        kept = stored.find_plan(work.tx, work.organization_id, plan_id, locked=True)
        if kept is not None:
            plan = kept.plan.ended(status, work.now, statistics)
            stored.save_plan(work.tx, plan)
            work.added_bytes += stored.save_proposal(work.tx, plan_id, proposal)
            last = _last_progress(kept.plan.progress, statistics, work.now)
            stored.report_plan_progress(work.tx, plan_id, last)
            work.record(plan_happened(Topic.PLAN_COMPLETED, replace(plan, progress=last)))
        work.done(None)


def _show_point(day: FleetDay, point: ChurnPoint) -> ChurnCost:
    plan = point.plan
    left_out = sum(day.given.stops[index].unassigned_cost for index in plan.unassigned)
    return ChurnCost(
        max_moved_stops=point.most_moved,
        moved_stops=len(plan.moved),
        cost=round(plan.cost - plan.unassigned_cost + left_out, 6),
        unassigned=len(plan.unassigned),
    )


def _last_progress(
    progress: PlanProgress, statistics: PlanStatistics, now: datetime
) -> PlanProgress:
    return replace(
        progress,
        phase=PlanPhase.SEARCH,
        share=1.0,
        cost=statistics.cost,
        unassigned=statistics.unassigned,
        vehicles_used=statistics.vehicles_used,
        improved_at=progress.improved_at or now,
    )


def _statistics(
    day: FleetDay, found: FleetPlan, proposal: PlanProposal, seconds: float
) -> PlanStatistics:
    parts = [route.costs for route in proposal.routes]
    costs = CostsByPart(
        **{
            name: round(sum(getattr(part, name) for part in parts), 6)
            for name in CostsByPart.__struct_fields__
        }
    )
    # By the stops' own prices: a stop that a fix was chosen for has none in the search.
    left_out = sum(out.cost for out in proposal.unassigned)
    whole = replace(
        costs,
        unassigned=left_out,
        moved_stops=found.moves_cost,
        balance=round(found.balance_cost, 6),
        total=round(costs.total + left_out + found.moves_cost + found.balance_cost, 6),
    )
    stopped_by = StopReason(found.stopped_by.value)
    bound = find_lower_bound(day.problem) if found.unassigned_cost == left_out else None
    return PlanStatistics(
        cost=whole.total,
        costs=whole,
        vehicles_used=sum(bool(route.steps) for route in proposal.routes),
        unassigned=len(proposal.unassigned),
        moved_stops=proposal.moved,
        total_distance_meters=sum(route.total_distance_meters for route in proposal.routes),
        moves=found.moves,
        seconds=round(seconds, 3),
        stopped_by=stopped_by,
        seed=day.given.seed,
        engine_version=software_version(),
        input_digest=day.digest,
        estimated=any(find_estimated_legs(day, found)),
        lower_bound=UNSET if bound is None else bound,
        gap=UNSET if bound is None else _gap(whole.total, bound),
        reproducible=stopped_by in {StopReason.MOVES, StopReason.PROVEN},
    )


def _gap(cost: float, bound: float) -> float:
    """Return how far a cost is above a bound, as a share of the cost from 0 to 1."""
    return 0.0 if cost <= 0 else round(max(0.0, 1 - bound / cost), 4)


def _fail(tools: Tools, running: RunningJob[PlanJob], error: PlanError) -> None:
    """Keep why nothing comes of a plan; the job is done."""
    plan_id = running.payload.plan_id
    with begin_work(tools, running.completing()) as work:
        kept = stored.find_plan(work.tx, work.organization_id, plan_id, locked=True)
        if kept is not None:
            plan: Plan = kept.plan.failed(error, work.now)
            stored.save_plan(work.tx, plan)
            work.record(plan_happened(Topic.PLAN_FAILED, plan))
        work.done(None)


PLANS = JobKind(name="plan", payload=PlanJob, run=search_for_plan)
