"""A change of what was asked that may bring a stop into a plan."""

from collections.abc import Callable
from dataclasses import dataclass

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.unassigned_stop import BlockingBreak, PlanFixType
from roundsman.planning.fleet import FleetProblem

type Patch = Callable[[FleetProblem, int], FleetProblem]
"""Returns the problem with so many units of a change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanChange:
    """A change that may help: what it is, and how far it may go."""

    kind: PlanFixType
    patch: Patch
    subject: str = ""
    name: str = ""
    least: int = 1
    """Units below which it cannot help, not even on an empty vehicle."""

    most: int = 1
    unit: float = 1.0
    """What one unit is in the answer: seconds, metres, or so much of a load."""

    has_amount: bool = True
    given_up: int | None = None
    """The stop that stays out instead."""

    window_of: int | None = None
    """The stop of which it changes windows; a plan shows which of them."""

    break_: BlockingBreak | UnsetType = UNSET
    """The break that it changes."""

    rests: tuple[int, int] | None = None
    """The vehicle and the number of its break that is still to be taken then."""

    @property
    def called(self) -> tuple[str, str, str, tuple[int, int] | None]:
        """Return what tells it from others."""
        return self.kind, self.subject, self.name, self.rests
