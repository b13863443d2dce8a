"""The body that moves stops between routes."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules


def _judge_subject(move: Any) -> Iterator[str]:
    """Find a move of nothing, or of two stops that could disagree."""
    if not (move.stop_id or move.imported_stop_id):
        yield "is required when importedStopId is not given"
    if move.stop_id and move.imported_stop_id:
        yield "must not be given with importedStopId"


def _judge_origin(move: Any) -> Iterator[str]:
    """Find a route that a stop of none is to come from."""
    if move.imported_stop_id and move.from_route_id:
        yield "must not be given with importedStopId, which is on no route"


def _judge_target(move: Any) -> Iterator[str]:
    """Find a stop of no route that goes to none."""
    if move.imported_stop_id and not move.to_route_id:
        yield "is required when importedStopId is given"


class MoveBody(Model):
    """Where a stop goes; with an index alone within its route, with neither off its route."""

    rules: ClassVar = (
        Rule(_judge_subject, ("stop_id", "imported_stop_id")),
        Rule(_judge_origin, ("from_route_id", "imported_stop_id")),
        Rule(_judge_target, ("to_route_id", "imported_stop_id")),
    )
    stop_id: Annotated[str, Meta(max_length=255)] = ""
    imported_stop_id: Annotated[str, Meta(max_length=255)] = ""
    """Of a stop that is on no route; on one by then, the transfer is refused."""

    from_route_id: Annotated[str, Meta(max_length=255)] = ""
    """On which route the stop is thought to be; elsewhere by then, the transfer is refused."""

    to_route_id: Annotated[str, Meta(max_length=255)] = ""
    index: Annotated[int, Meta(ge=0)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class TransferBody(Model):
    """Moves in their sequence; each index is final at its turn."""

    moves: Annotated[tuple[MoveBody, ...], Meta(min_length=1, max_length=200)]
