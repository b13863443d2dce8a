"""What a search found: an order, its schedule, and how good it is known to be."""

from dataclasses import dataclass

from roundsman.planning.problem import Seconds
from roundsman.planning.schedule import Schedule


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """The best order found; `arrivals` and `service_starts` run along start, *order, end if any."""

    order: tuple[int, ...]
    """The visits in driving order, without start and end."""
    travel_seconds: int
    lateness_seconds: int
    """Lateness at windows; what exceeds `max_duration` is in the schedule's `excess_seconds`."""
    arrivals: Seconds
    service_starts: Seconds
    proven_optimal: bool
    schedule: Schedule
    """The whole schedule of the order: departures, waiting, lateness by place, metres."""
    moves: int
    """How many moves were looked at."""
    lower_bound: int | None = None
    """No order as good in lateness and priorities travels less; none while not measured."""

    @property
    def gap(self) -> float | None:
        """Return by which share of the bound the travel could be too long at most."""
        if self.lower_bound is None:
            return None
        if self.travel_seconds <= self.lower_bound:
            return 0.0
        return self.travel_seconds / max(1, self.lower_bound) - 1
