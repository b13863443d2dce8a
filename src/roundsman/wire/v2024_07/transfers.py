"""The body that moves stops between routes."""

from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import UNSET, Model, UnsetType


class MoveBody(Model):
    """Where a stop goes; with an index alone within its route, with neither off its route."""

    stop_id: Annotated[str, Meta(min_length=1, max_length=255)]
    to_route_id: Annotated[str, Meta(max_length=255)] = ""
    index: Annotated[int, Meta(ge=0)] | UnsetType = UNSET


class TransferBody(Model):
    """Moves in their sequence; each index is final at its turn."""

    moves: Annotated[tuple[MoveBody, ...], Meta(min_length=1, max_length=200)]
