"""A plan: a proposal of routes for many vehicles, until somebody applies it (decisions §21)."""

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import field
from msgspec.structs import asdict, replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.loads import LoadTotals
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.plan_draft import PlanOptions
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.kit.durations import Duration

PLANS_KEPT_FOR = timedelta(days=30)
"""Applied ones are kept as long as there is a route of theirs."""

MOST_WAITING_PLANS = 20
INTERNAL_ERROR = 13
"""The canonical code of an error that is nobody's fault but ours."""


class PlanStatus(StrEnum):
    """Where a plan stands."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"
    APPLIED = "APPLIED"


class PlanPhase(StrEnum):
    """What a running plan is doing; to explain takes in the lines of its routes."""

    MATRIX = "MATRIX"
    BUILD = "BUILD"
    SEARCH = "SEARCH"
    EXPLAIN = "EXPLAIN"


class PlanProgress(Model):
    """How far a plan is, and its best so far."""

    phase: PlanPhase = PlanPhase.MATRIX
    """What it is doing."""

    share: float = 0.0
    """Of the travel times, of the search, and then of the routes whose lines are drawn, 0 to 1."""

    cost: float | UnsetType = UNSET
    """Of the best plan so far."""

    unassigned: int = 0
    """How many stops the best plan so far leaves out."""

    vehicles_used: int = 0
    """How many vehicles the best plan so far sends out."""

    improved_at: datetime | UnsetType = UNSET
    """When a better one was found last."""


class CostsByPart(Model):
    """What a route or a plan costs, by what it is for."""

    fixed: float = 0.0
    per_hour: float = 0.0
    per_traveled_hour: float = 0.0
    per_kilometer: float = 0.0
    per_stop: float = 0.0
    lateness: float = 0.0
    priority_inversions: float = 0.0
    preferences: float = 0.0
    """Of stops that are not served by a vehicle of their territory, or one they prefer."""

    compactness: float = 0.0
    balance: float = 0.0
    """Of the longest route; only of a plan as a whole."""

    unassigned: float = 0.0
    moved_stops: float = 0.0
    total: float = 0.0


class StopReason(StrEnum):
    """Why a search ended."""

    MOVES = "MOVES"
    SECONDS = "SECONDS"
    CANCEL = "CANCEL"
    PROVEN = "PROVEN"


class ChurnCost(Model):
    """The best plan that was found with so many moved stops at most."""

    max_moved_stops: int
    moved_stops: int
    cost: float
    unassigned: int


class PlanStatistics(Model):
    """What a plan costs, and how it was found."""

    cost: float
    """Of the whole plan, in the organization's own money."""

    costs: CostsByPart
    """The cost by what it is for."""

    vehicles_used: int
    """How many vehicles it sends out."""

    unassigned: int
    """How many stops it leaves out."""

    moved_stops: int = 0
    """How many stops leave the route that they are on."""

    churn_curve: tuple[ChurnCost, ...] | UnsetType = UNSET
    """What fewer moved stops would cost, the fewest first, and the plan itself; none costs more
    than the one before it.
    """

    total_distance_meters: int
    """Of all its routes together."""

    moves: int
    """How many changes the search tried."""

    seconds: float
    """How long the search took."""

    stopped_by: StopReason
    """Why the search ended."""

    seed: int
    """What its random choices began from."""

    engine_version: str
    """The version of the search."""

    input_digest: str
    """A digest of what was planned: stops, vehicles, travel times and options."""

    estimated: bool
    """Whether the travel time of any leg that is driven is no road's."""

    lower_bound: float | UnsetType = UNSET
    """No plan of this day can cost less; absent where a route is under way already."""

    gap: float | UnsetType = UNSET
    """How far the cost is above it, as a share of the cost: how much could be saved at the very
    most.
    """

    reproducible: bool
    """Whether the same request finds the same: the clock and nobody's impatience ended it."""


class PlanStepType(StrEnum):
    """What a vehicle does."""

    STOP = "STOP"
    BREAK = "BREAK"
    RELOAD = "RELOAD"


class PlanStep(Model):
    """One thing that a vehicle does on its route."""

    type: PlanStepType
    imported_stop_id: str = ""
    client_stop_id: str = ""
    store_order_id: str = ""
    route_stop_id: str = ""
    """Of a stop or break that is on a route already."""
    reload_index: int | UnsetType = UNSET
    """Of a reload: at which of the vehicle's `reloads` it is."""

    planned_arrival: datetime
    planned_departure: datetime
    waiting: Duration | UnsetType = UNSET
    lateness: Duration | UnsetType = UNSET
    distance_meters: int = 0
    loads: LoadTotals
    """On board after it; after a reload what the next trip carries."""

    def origin_id(self) -> str:
        """Return the id of the imported stop or store order that it is made of; may be empty."""
        return self.imported_stop_id or self.store_order_id


class RouteDurations(Model):
    """How the time of a route is spent."""

    travel: Duration
    service: Duration
    """At stops, and for loading again."""

    waiting: Duration
    break_: Duration = field(name="break")


class PlanRoute(Model):
    """The route of one vehicle, as proposed."""

    vehicle: str
    """The id of the vehicle in the request."""

    vehicle_id: str = ""
    driver_id: str = ""
    route_id: str = ""
    """Of the route that it changes, or became when it was applied."""

    departure: datetime
    end: datetime
    steps: tuple[PlanStep, ...]
    loads: LoadTotals
    """At the start, when they are most; with reloads the most of any trip."""

    costs: CostsByPart
    durations: RouteDurations
    total_distance_meters: int
    polyline: str | UnsetType = UNSET
    """The line along the roads, as an encoded polyline of five decimals; absent where the roads
    are not known.
    """


class PlanProposal(Model):
    """The routes of a plan, and what stays out of them."""

    routes: tuple[PlanRoute, ...] = ()
    unassigned: tuple[UnassignedStop, ...] = ()
    moved: int = 0
    """How many stops leave the route that they are on."""

    applied: tuple[str, ...] = ()
    """Of which vehicles routes were made, or changed."""


class PlanError(Model):
    """Why a plan failed."""

    code: int
    """The canonical RPC status code, as in errors."""

    message: str
    """What went wrong, for people."""


class SkippedOrder(Model):
    """A store order that cannot be planned, and why."""

    store_order_id: str
    """The number that the shop gives the order."""

    type: str
    """What stands in the way."""

    description: Line = ""
    """The same in words."""


class Plan(Model):
    """A plan without its routes."""

    id: str
    """Its id."""

    name: Line
    """What people call it."""

    status: PlanStatus = PlanStatus.QUEUED
    """How far it is, and whether it was applied."""

    created_at: datetime
    """When it was asked for."""

    started_at: datetime | UnsetType = UNSET
    """When its search began."""

    finished_at: datetime | UnsetType = UNSET
    """When its search was over."""

    expires_at: datetime | UnsetType = UNSET
    """When it is forgotten, unless it is applied."""

    options: PlanOptions = PlanOptions()
    """What was asked of the search."""

    based_on: str = ""
    """The plan whose stops and vehicles it has."""

    skipped_orders: tuple[SkippedOrder, ...] = ()
    """Store orders that the filter lets pass and that go nowhere, and named ones on hold."""

    stop_count: int = 0
    """How many stops it plans."""

    vehicle_count: int = 0
    """How many vehicles it may send out."""

    progress: PlanProgress = PlanProgress()
    """How far the search is."""

    statistics: PlanStatistics | UnsetType = UNSET
    """What it costs and how it was found, once the search is over."""

    error: PlanError | UnsetType = UNSET
    """Why it failed, where it did."""

    def is_ended(self) -> bool:
        """Say whether its search is over."""
        return self.status not in {PlanStatus.QUEUED, PlanStatus.RUNNING}

    def running(self, now: datetime) -> "Plan":
        """Return the plan as its search begins, or begins anew after a crash."""
        started_at = self.started_at or now
        return replace(self, status=PlanStatus.RUNNING, started_at=started_at)

    def ended(
        self, status: PlanStatus, now: datetime, statistics: PlanStatistics | UnsetType = UNSET
    ) -> "Plan":
        """Return the plan as its search is over."""
        return replace(
            self,
            status=status,
            finished_at=now,
            expires_at=now + PLANS_KEPT_FOR,
            statistics=statistics,
        )

    def failed(self, error: PlanError, now: datetime) -> "Plan":
        """Return the plan as nothing will come of it."""
        return replace(self.ended(PlanStatus.FAILED, now), error=error)

    def applied(self) -> "Plan":
        """Return the plan as routes were made of it; it is kept as long as they are."""
        return replace(self, status=PlanStatus.APPLIED, expires_at=UNSET)

    def require_applicable(self) -> None:
        """Refuse to apply what is not finished."""
        if self.status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED, PlanStatus.APPLIED}:
            return
        description = "wait until the plan is COMPLETED, or cancel it to take its best so far"
        if self.status is PlanStatus.FAILED:
            description = "the plan failed; plan again"
        violation = PreconditionViolation(type="status", subject=self.id, description=description)
        raise FailedPrecondition(f"plan is {self.status.value}", [violation])


def require_routes(plan: Plan, proposal: PlanProposal) -> None:
    """Refuse to apply what serves none of its stops: nothing would be done, and seem to be."""
    if proposal.unassigned and not proposal.routes:
        left_out = len(proposal.unassigned)
        description = f"{left_out} stop{'s'[: left_out > 1]} left out; plan again"
        violation = PreconditionViolation(type="routes", subject=plan.id, description=description)
        raise FailedPrecondition("plan has no routes to apply", [violation])


class ProposedPlan(Plan):
    """A plan with its routes, and what stays out of them."""

    routes: tuple[PlanRoute, ...] = ()
    unassigned: tuple[UnassignedStop, ...] = ()


def with_proposal(plan: Plan, proposal: PlanProposal) -> ProposedPlan:
    """Return a plan with what it proposes."""
    return ProposedPlan(**asdict(plan), routes=proposal.routes, unassigned=proposal.unassigned)


class PlanSummary(Model):
    """A plan that is compared; the routes as they are now have no statistics."""

    id: str
    statistics: PlanStatistics | UnsetType = UNSET


class PlannedPosition(Model):
    """Where a stop is in a plan."""

    vehicle: str
    index: int
    planned_arrival: datetime | UnsetType = UNSET


class PlanDifference(Model):
    """A stop that is on another vehicle, or elsewhere in its order; absent where it stays out."""

    plan: str
    """The other plan."""

    stop: str
    from_: PlannedPosition | UnsetType = field(name="from", default=UNSET)
    """In this plan."""

    to: PlannedPosition | UnsetType = UNSET
    """In the other."""


class PlanComparison(Model):
    """Plans side by side."""

    plans: tuple[PlanSummary, ...]
    differences: tuple[PlanDifference, ...]


class AppliedPlan(Model):
    """The routes that were made of a plan."""

    routes: tuple[AssignedRoute, ...]
    plan: ProposedPlan
