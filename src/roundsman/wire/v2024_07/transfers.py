"""The body that moves stops between routes."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules

_ORIGINS = {"imported_stop_id": "importedStopId", "store_order_id": "storeOrderId"}
"""What a stop is made of that is on no route yet, by the names of attributes and fields."""


def _origins_of(move: Any) -> list[str]:
    return [name for attribute, name in _ORIGINS.items() if getattr(move, attribute)]


def _judge_subject(move: Any) -> Iterator[str]:
    """Find a move of nothing, or of two stops that could disagree."""
    origins = _origins_of(move)
    if not (move.stop_id or origins):
        yield "is required when neither importedStopId nor storeOrderId is given"
    if move.stop_id and origins:
        yield f"must not be given with {origins[0]}"


def _judge_origins(move: Any) -> Iterator[str]:
    """Find a stop that is to be made of two things."""
    if len(_origins_of(move)) > 1:
        yield "must not be given with importedStopId"


def _judge_former_route(move: Any) -> Iterator[str]:
    """Find a route that a stop of none is to come from."""
    if move.from_route_id:
        yield from (
            f"must not be given with {name}, which is on no route" for name in _origins_of(move)
        )


def _judge_target(move: Any) -> Iterator[str]:
    """Find a stop of no route that goes to none."""
    if not move.to_route_id:
        yield from (f"is required when {name} is given" for name in _origins_of(move))


class MoveBody(Model):
    """Where a stop goes; with an index alone within its route, with neither off its route."""

    rules: ClassVar = (
        Rule(_judge_subject, ("stop_id", *_ORIGINS)),
        Rule(_judge_origins, ("store_order_id", "imported_stop_id")),
        Rule(_judge_former_route, ("from_route_id", *_ORIGINS)),
        Rule(_judge_target, ("to_route_id", *_ORIGINS)),
    )
    stop_id: Annotated[str, Meta(max_length=255)] = ""
    imported_stop_id: Annotated[str, Meta(max_length=255)] = ""
    """Of a stop that is on no route; on one by then, the transfer is refused."""

    store_order_id: Annotated[str, Meta(max_length=255)] = ""
    """Of an order of a shop that is on no route; on one by then, the transfer is refused."""

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
