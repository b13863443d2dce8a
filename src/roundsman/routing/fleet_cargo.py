"""What is on board of a vehicle of a plan, trip by trip; loads count in thousandths."""

from collections.abc import Iterable, Sequence

from roundsman.domain.day_to_plan import StopToPlan
from roundsman.domain.loads import LoadTotals
from roundsman.planning.fleet import FleetStep, StepKind

THOUSANDTHS = 1000

_MOST_COUNTED = 10**14
"""Of a load at one stop, more than any vehicle carries: 5,000 of them add up in 64 bits."""


def in_thousandths(amount: float) -> int:
    """Return an amount of a load in thousandths."""
    return round(amount * THOUSANDTHS)


def as_counted(amount: float) -> int:
    """Return an amount of a load as the engine counts it."""
    return min(in_thousandths(amount), _MOST_COUNTED)


class Cargo:
    """What is on board, in thousandths, so that nothing is left over when all is delivered."""

    def __init__(self, stops: Iterable[StopToPlan]) -> None:
        self._amounts: dict[str, int] = {}
        for stop in stops:
            for name, amount in stop.loads.items():
                self._amounts[name] = self._amounts.get(name, 0) + in_thousandths(amount)

    def drop(self, stop: StopToPlan) -> None:
        for name, amount in stop.loads.items():
            self._amounts[name] -= in_thousandths(amount)

    def amounts(self) -> LoadTotals:
        return {name: amount / THOUSANDTHS for name, amount in self._amounts.items()}


def load_trips(stops: Sequence[StopToPlan], steps: Sequence[FleetStep]) -> list[Cargo]:
    """Return for each step the cargo of its trip: until a reload, or from it to the next one."""
    trips: list[list[StopToPlan]] = [[]]
    trip_of_step = []
    for step in steps:
        if step.kind is StepKind.RELOAD:
            trips.append([])
        elif step.kind is StepKind.STOP:
            trips[-1].append(stops[step.index])
        trip_of_step.append(len(trips) - 1)
    cargo = [Cargo(trip) for trip in trips]
    return [cargo[number] for number in trip_of_step]


def most_of(trips: Sequence[Cargo]) -> LoadTotals:
    """Return the most of each load that any trip carries."""
    amounts = [trip.amounts() for trip in trips]
    names = dict.fromkeys(name for trip in amounts for name in trip)
    return {name: max(trip.get(name, 0.0) for trip in amounts) for name in names}
