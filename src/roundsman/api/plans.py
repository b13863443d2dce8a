"""Plans of many vehicles at the door."""

import msgspec

from roundsman.domain.accepted_plan import AcceptedPlan
from roundsman.domain.plan import AppliedPlan, Plan, PlanComparison, PlanStatus, ProposedPlan
from roundsman.domain.plan_draft import PlanDraft
from roundsman.domain.principal import Scope
from roundsman.domain.queries import AwaitPlan, ListPlans, Query
from roundsman.domain.vroom import VroomProblem, VroomSolution
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.delayed import Delayed
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.operations import plan_application, plan_comparison, plans, vroom
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    AppliedPlanAnswer,
    ApplyPlanBody,
    ComparePlanBody,
    EmptyBody,
    PlansAnswer,
    encode_applied_plan,
)

OPERATIONS = Operations("Plans", ApiClient(), Scope.WRITE)


def _encode_page(page: Page[Plan]) -> bytes:
    return msgspec.json.encode(PlansAnswer(plans=page.rows, next_cursor=page.next_cursor))


@OPERATIONS.add(
    "POST", "/plans", summary="Have routes for many vehicles searched for; writes no route"
)
def create_plan(tools: Tools, request: Request, body: PlanDraft) -> AcceptedPlan:
    """Have routes for many vehicles searched for; answers at once with a plan that is QUEUED, and
    in `stops` what it is of. It writes no route: apply the plan when it is found. Records
    PLAN_COMPLETED or PLAN_FAILED later.
    """
    return plans.request_plan(tools, request, body)


@OPERATIONS.add(
    "GET",
    "/plans",
    summary="List plans without their routes, page by page, newest first",
    answer=Answer(PlansAnswer, _encode_page),
)
def list_plans(tools: Tools, request: Request, query: Query[ListPlans]) -> Page[Plan]:
    """Walk plans, the newest first, without their routes."""
    return plans.list_plans(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET",
    "/plans/{id}",
    summary="Get a plan; with query.wait answer at the next change of its status",
)
def get_plan(
    tools: Tools, request: Request, id_: str, query: Query[AwaitPlan]
) -> Delayed[ProposedPlan]:
    """Read a plan: how far it is, and its routes and what stays out once they are found. With
    `query.wait` it answers at the next change of status.
    """
    organization_id = request.organization_id
    status = plans.find_plan_status(tools, organization_id, id_)
    may_change = status in {PlanStatus.QUEUED, PlanStatus.RUNNING}
    return Delayed(
        seconds=query.arguments.wait if may_change else 0,
        is_due=lambda: plans.find_plan_status(tools, organization_id, id_) is not status,
        make=lambda: plans.get_plan(tools, organization_id, id_),
    )


@OPERATIONS.add(
    "POST",
    "/plans/{id}/cancel",
    summary="End a search; its best so far is kept",
    body_may_be_absent=True,
)
def cancel_plan(tools: Tools, request: Request, id_: str, body: EmptyBody) -> ProposedPlan:
    """End a search; the best so far is kept and can be applied. One that has not begun leaves all
    stops out. A finished plan stays as it is.
    """
    del body
    return plans.cancel_plan(tools, request, id_)


@OPERATIONS.add(
    "POST",
    "/plans/{id}/apply",
    summary="Make routes of a plan, all or none; again, it answers the same routes",
    body_may_be_absent=True,
    answer=Answer(AppliedPlanAnswer, encode_applied_plan),
)
def apply_plan(tools: Tools, request: Request, id_: str, body: ApplyPlanBody) -> AppliedPlan:
    """Make the routes of a plan, or of some of its vehicles, all or none. Refused when a stop or a
    route that it read has changed since, and where it has stops but no routes. Again, it answers
    the same routes. Records PLAN_APPLIED
    and ROUTE_CREATED or ROUTE_UPDATED.
    """
    return plan_application.apply_plan(tools, request, id_, body.vehicles, body.route_details)


@OPERATIONS.add(
    "POST",
    "/plans/{id}/compare",
    scope=Scope.READ,
    summary="Compare a plan with others, or with the routes as they are now",
    keeps_answers=False,
)
def compare_plan(tools: Tools, request: Request, id_: str, body: ComparePlanBody) -> PlanComparison:
    """Compare a plan with up to five others, or with the routes as they are: what each costs, and
    which stops go elsewhere.
    """
    return plan_comparison.compare_plans(tools, request.organization_id, id_, body.with_)


@OPERATIONS.add("DELETE", "/plans/{id}", summary="Delete a plan; routes that were made of it stay")
def delete_plan(tools: Tools, request: Request, id_: str) -> None:
    """Forget a plan; one that is searched for is ended. Routes that were made of it stay."""
    plans.delete_plan(tools, request, id_)


@OPERATIONS.add(
    "POST",
    "/plans/vroom",
    scope=Scope.READ,
    summary="Solve a problem in VROOM's JSON and answer its solution; writes nothing",
    keeps_answers=False,
    pool=Pool.SEARCH,
    notices_departure=True,
)
def solve_vroom_problem(tools: Tools, request: Request, body: VroomProblem) -> VroomSolution:
    """Solve a problem in VROOM's JSON and answer its solution, on the roads of the installed map or
    on the matrices given. Writes nothing; what cannot be said here is refused by name.
    """
    return vroom.solve_vroom_problem(tools, request, body)
