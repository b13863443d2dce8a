"""Reoptimizing a route: what is to stay, what the answer says of it, what more moves would gain."""

from enum import StrEnum

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UNSET, Model, UnsetType


class Keep(StrEnum):
    """What of a route stays when it is reoptimized (decisions §15)."""

    NONE = "NONE"
    ORDER = "ORDER"
    """The stops that were there stay in their order; appended ones come where they cost least."""

    ASSIGNMENT = "ASSIGNMENT"
    """Each stop stays on its route; on one route that is nothing."""


class ReoptimizeOptions(Model):
    """What to leave out of account, and what is to stay.

    Stops that are done are left out on every route under way; asking for the contrary is refused.
    """

    ignore_completed_stops: bool | UnsetType = UNSET
    ignore_routing_constraints: bool = False
    keep: Keep = Keep.NONE
    max_moves: int | UnsetType = UNSET
    tradeoffs: bool = False
    dry_run: bool = False
    """Whether the route stays as it is: what would become of it is answered alone."""

    @property
    def most_moved(self) -> int | None:
        """Return how many open stops may move; none for any number."""
        if self.keep is Keep.ORDER:
            return 0
        return None if isinstance(self.max_moves, UnsetType) else self.max_moves


class Tradeoff(Model):
    """The best order found that moves so many stops at most; without `maxMoves`, any number.

    Later ones are never worse: less lateness comes first, then fewer pairs of stops out of priority
    order, then less travel.
    """

    max_moves: int | UnsetType = UNSET
    moved: int
    lateness_seconds: int
    """At windows, and past the longest duration."""

    priority_inversions: int
    travel_seconds: int


class ReoptimizedRoute(AssignedRoute):
    """A route after it was reoptimized, and how many stops that moved."""

    moved: int
    tradeoffs: tuple[Tradeoff, ...] | UnsetType = UNSET
