"""A plan that was accepted: it is searched for later, and says already what it is of."""

from collections.abc import Iterable

from msgspec.structs import asdict

from roundsman.domain.day_to_plan import StopToPlan
from roundsman.domain.model import Model
from roundsman.domain.plan import Plan, PlanProposal, ProposedPlan, with_proposal


class AcceptedStop(Model):
    """A stop that a plan is of, by all its ids; one that it does not have is empty."""

    imported_stop_id: str = ""
    """Of the imported stop that it is made of."""

    client_stop_id: str = ""
    """What your own system calls that one."""

    store_order_id: str = ""
    """Of the store order that it is made of."""

    route_stop_id: str = ""
    """Of a stop that is on a route already."""


class AcceptedPlan(ProposedPlan):
    """A plan that waits, with the stops that were named, found by the filter, or are on routes."""

    stops: tuple[AcceptedStop, ...] = ()
    """In the order in which they were named or found; those of its routes come last."""


def accept_plan(plan: Plan, stops: Iterable[StopToPlan]) -> AcceptedPlan:
    """Return a plan without a proposal, and the stops that it is of."""
    return AcceptedPlan(
        **asdict(with_proposal(plan, PlanProposal())),
        stops=tuple(
            AcceptedStop(
                imported_stop_id=stop.imported_stop_id,
                client_stop_id=stop.client_stop_id,
                store_order_id=stop.store_order_id,
                route_stop_id=stop.route_stop_id,
            )
            for stop in stops
        ),
    )
