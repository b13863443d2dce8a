"""A plan of many vehicles: who serves what, when, and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class StepKind(StrEnum):
    """What a vehicle does at one moment of its route."""

    STOP = "STOP"
    BREAK = "BREAK"
    RELOAD = "RELOAD"


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetStep:
    """A stop, a break or a reload; times in seconds on the problem's axis."""

    kind: StepKind
    index: int
    """Of the stop in the problem, or of the break or the place to reload in its vehicle."""

    arrival: int
    begin: int
    """When service, the break or loading begins."""

    departure: int
    lateness: int = 0
    metres: int = 0
    """Of the leg to here."""

    @property
    def waiting(self) -> int:
        """Seconds from the arrival until something is done."""
        return self.begin - self.arrival


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteCost:
    """What a route costs, in its parts."""

    fixed: float = 0.0
    time: float = 0.0
    driving: float = 0.0
    distance: float = 0.0
    stops: float = 0.0
    lateness: float = 0.0
    inversions: float = 0.0
    preferences: float = 0.0
    """Of stops that another vehicle should rather serve."""

    compactness: float = 0.0

    @property
    def total(self) -> float:
        """Return the sum of the parts."""
        return (
            self.fixed + self.time + self.driving + self.distance + self.stops
            + self.lateness + self.inversions + self.preferences + self.compactness
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetRoute:
    """The route of one vehicle that has stops to serve."""

    vehicle: int
    departure: int
    end: int
    """The arrival at its end, or when the last stop is done where the end is open."""

    steps: Sequence[FleetStep]
    driving_seconds: int
    service_seconds: int
    break_seconds: int
    metres: int
    cost: RouteCost
    reload_seconds: int = 0

    @property
    def stops(self) -> list[int]:
        """Return the stops in driving order."""
        return [step.index for step in self.steps if step.kind is StepKind.STOP]


class StoppedBy(StrEnum):
    """Why a search ended."""

    MOVES = "MOVES"
    SECONDS = "SECONDS"
    CANCEL = "CANCEL"
    PROVEN = "PROVEN"


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetPlan:
    """The best plan that was found."""

    routes: Sequence[FleetRoute]
    """By vehicle; only those that serve anything."""

    unassigned: Sequence[int]
    moved: Sequence[int]
    """Stops that are not on the route of their home, those left out included."""

    cost: float
    unassigned_cost: float
    moves_cost: float
    balance_cost: float = 0.0
    """Of the longest route."""

    moves: int
    """Steps of the search."""

    stopped_by: StoppedBy
    trace: Sequence[tuple[float, float]] = field(default_factory=tuple)
    """When (share of the budget) the best plan got which cost."""
