"""The budget of a plan: steps of the search, seconds of a clock, and a caller that gives up."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from roundsman.planning.budget import Cancelled
from roundsman.planning.fleet.plan import StoppedBy

type Progress = Callable[[float, float, int, int], None]
"""Told of the share of the budget, the cost, how many are unassigned, and vehicles in use."""


@dataclass(kw_only=True)
class FleetBudget:
    """Steps, seconds of a clock, and a caller that gives up."""

    seconds: float
    moves: int | None = None
    cancelled: Cancelled | None = None
    clock: Callable[[], float] = time.monotonic
    spent: int = 0
    polishes_all: bool = True
    """Whether routes that stayed as the vehicles began are ordered anew at the end, too."""

    def __post_init__(self) -> None:
        self._begun = self.clock()
        cancelled = self.cancelled
        self._is_cancelled = (
            cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled
        )

    def begin(self) -> None:
        """Have the seconds count from now on."""
        self._begun = self.clock()

    @property
    def share(self) -> float:
        """How much is spent, from 0 to 1: by steps where those are counted."""
        if self.moves is not None:
            return min(1.0, self.spent / self.moves)
        return min(1.0, (self.clock() - self._begun) / self.seconds)

    @property
    def ended_by(self) -> StoppedBy | None:
        """Return why to stop now, if so."""
        if self._is_cancelled is not None and self._is_cancelled():
            return StoppedBy.CANCEL
        if self.moves is not None and self.spent >= self.moves:
            return StoppedBy.MOVES
        return StoppedBy.SECONDS if self.clock() - self._begun >= self.seconds else None
