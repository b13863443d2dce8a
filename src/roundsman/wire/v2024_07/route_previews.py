"""The body that asks what a change of a route would mean."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules
from roundsman.domain.planned_days import PlannedInstant

type _Id = Annotated[str, Meta(min_length=1, max_length=255)]
type _MaybeId = Annotated[str, Meta(max_length=255)]


def _judge_names(stop: Any) -> Iterator[str]:
    """Find a stop without a name, or with several that could disagree."""
    given = [stop.imported_stop_id, stop.client_stop_id, stop.stop_id, stop.store_order_id]
    if sum(map(bool, given)) != 1:
        yield "is required, or exactly one of clientStopId, stopId and storeOrderId in its place"


class PreviewAddition(Model):
    """A stop that would be added: an imported one, an order, or one that is on another route."""

    rules: ClassVar = (
        Rule(_judge_names, ("imported_stop_id", "client_stop_id", "stop_id", "store_order_id")),
    )
    imported_stop_id: _MaybeId = ""
    client_stop_id: _MaybeId = ""
    stop_id: _MaybeId = ""
    store_order_id: _MaybeId = ""
    index: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """The final index among the stops at its turn; absent: the end."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PreviewBody(Model):
    """A change that is not made: stops taken off, the rest ordered, others added, a schedule."""

    order: Annotated[tuple[_Id, ...], Meta(max_length=1_000)] | UnsetType = UNSET
    """Every stop that remains, once."""

    add: Annotated[tuple[PreviewAddition, ...], Meta(max_length=200)] = ()
    remove: Annotated[tuple[_Id, ...], Meta(max_length=1_000)] = ()
    scheduled_for: PlannedInstant | UnsetType = UNSET
