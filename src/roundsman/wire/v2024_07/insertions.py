"""The body that asks where stops fit best, and its answer."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.insertion import StopInsertions
from roundsman.domain.loads import Amount, Loads, Skills
from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules
from roundsman.domain.plan_draft import Ids
from roundsman.kit.durations import Duration

type _Id = Annotated[str, Meta(min_length=1, max_length=255)]
type _MaybeId = Annotated[str, Meta(max_length=255)]

_NAMES = ("stop_id", "imported_stop_id", "client_stop_id", "store_order_id")


def _judge_names(stop: Any) -> Iterator[str]:
    """Find a stop without a name, or with several that could disagree."""
    if sum(bool(getattr(stop, name)) for name in _NAMES) != 1:
        yield (
            "is required, or exactly one of importedStopId, clientStopId and storeOrderId "
            "in its place"
        )


class InsertionStop(Model):
    """A stop of a route, an imported stop, or an order, and what holds of it here (PlanStop)."""

    rules: ClassVar = (Rule(_judge_names, _NAMES),)
    stop_id: _MaybeId = ""
    imported_stop_id: _MaybeId = ""
    client_stop_id: _MaybeId = ""
    store_order_id: _MaybeId = ""
    loads: Loads | UnsetType = UNSET
    required_skills: Skills | UnsetType = UNSET
    allowed_vehicles: Ids | UnsetType = UNSET
    excluded_vehicles: Ids = ()
    unassigned_cost: Amount | UnsetType = UNSET
    """As a plan takes it; a place is answered whatever it costs."""

    lateness_cost_per_hour: Amount | UnsetType = UNSET
    max_lateness: Duration | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class InsertionsBody(Model):
    """Which stops, and on which routes they could go."""

    stops: Annotated[tuple[InsertionStop, ...], Meta(min_length=1, max_length=20)]
    route_ids: Annotated[tuple[_Id, ...], Meta(min_length=1, max_length=200)]


class InsertionsAnswer(Model):
    """The places of each stop, in the order of the request."""

    stops: tuple[StopInsertions, ...] = ()
