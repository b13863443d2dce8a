"""Pages of plans, and what applies one."""

from typing import Annotated

import msgspec
from msgspec import Meta, field

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan import AppliedPlan, Plan, ProposedPlan
from roundsman.domain.plan_draft import PlanRouteDetails
from roundsman.wire.v2024_07.routes import RouteAnswer, show_route


class PlansAnswer(Model):
    """A page of plans without their routes, newest first."""

    plans: tuple[Plan, ...] = ()
    next_cursor: str = ""


class ComparePlanBody(Model):
    """With which plans; CURRENT stands for the routes as they are now."""

    with_: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=255)], ...],
        Meta(min_length=1, max_length=5),
    ] = field(name="with")


class ApplyPlanBody(Model):
    """Which vehicles' routes to make, all where none is named, and what they are given beside."""

    vehicles: (
        Annotated[
            tuple[Annotated[str, Meta(min_length=1, max_length=255)], ...],
            Meta(min_length=1, max_length=200),
        ]
        | UnsetType
    ) = UNSET
    route_details: PlanRouteDetails = PlanRouteDetails()


class AppliedPlanAnswer(Model):
    """The routes that were made of a plan, in the order of its vehicles, and the plan."""

    routes: tuple[RouteAnswer, ...] = ()
    plan: ProposedPlan


def encode_applied_plan(applied: AppliedPlan) -> bytes:
    """Return the routes of a plan as JSON."""
    routes = tuple(show_route(route) for route in applied.routes)
    return msgspec.json.encode(AppliedPlanAnswer(routes=routes, plan=applied.plan))
