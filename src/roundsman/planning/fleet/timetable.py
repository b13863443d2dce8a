"""The times of a finished route, worked out anew from the problem and without the kernels' sums.

Where the search and this disagree, the plan is refused: no plan that breaks a rule leaves here.
"""

from collections.abc import Sequence

import numpy as np

from roundsman.planning.fleet.end_pins import keeps_end_pins
from roundsman.planning.fleet.plan import FleetRoute, FleetStep, RouteCost, StepKind
from roundsman.planning.fleet.problem import FleetProblem, FleetStop
from roundsman.planning.matrix import FAR

_HOUR = 3600

type Visit = tuple[StepKind, int]
"""A stop of the problem, or a reload at one of the vehicle's places."""


class IllegalRoute(Exception):
    """A route breaks a rule; the search must not have made it."""


def time_fleet_route(
    problem: FleetProblem,
    vehicle: int,
    visits: Sequence[Visit],
    departure: int,
    breaks: Sequence[tuple[int, int]],
) -> FleetRoute:
    """Time a route that leaves at a moment, with breaks as (position among visits, number)."""
    return _Timetable(problem, vehicle, visits, breaks).drive(departure)


class _Timetable:
    def __init__(
        self,
        problem: FleetProblem,
        vehicle: int,
        visits: Sequence[Visit],
        breaks: Sequence[tuple[int, int]],
    ) -> None:
        self._problem = problem
        self._vehicle = vehicle
        self._van = problem.vehicles[vehicle]
        self._visits = visits
        self._stops = [index for kind, index in visits if kind is StepKind.STOP]
        self._breaks = breaks
        self._steps: list[FleetStep] = []
        self._here = self._van.start
        self._driving = self._metres = self._service = self._rest = self._loading = 0

    def drive(self, departure: int) -> FleetRoute:
        """Drive the whole route and refuse it where it breaks a rule."""
        van, now = self._van, departure
        if self._stops and self._is_turning():
            now = max(now, self._problem.now or now)
        for position, (kind, index) in enumerate(self._visits):
            now = self._take_breaks(position, now)
            visit = self._serve if kind is StepKind.STOP else self._reload
            now = visit(index, now)
        now = self._take_breaks(len(self._visits), now)
        now += self._travel(van.end)[0]
        self._check_whole(departure, now)
        return FleetRoute(
            vehicle=self._vehicle,
            departure=departure,
            end=now,
            steps=tuple(self._steps),
            driving_seconds=self._driving,
            service_seconds=self._service,
            break_seconds=self._rest,
            reload_seconds=self._loading,
            metres=self._metres,
            cost=self._price(now - departure),
        )

    def _is_turning(self) -> bool:
        """Say whether a vehicle under way leaves for another stop than it was on its way to."""
        under_way = self._van.under_way
        return under_way is not None and self._stops[0] != under_way.next_stop

    def _take_breaks(self, position: int, now: int) -> int:
        for at, number in self._breaks:
            if at == position:
                index = self._ordered_breaks()[number]
                rest = self._van.breaks[index]
                begin = max(now, rest.opens)
                self._require(begin <= rest.closes, "a break begins after its window")
                self._steps.append(
                    FleetStep(
                        kind=StepKind.BREAK,
                        index=index,
                        arrival=now,
                        begin=begin,
                        departure=begin + rest.duration,
                    )
                )
                self._rest += rest.duration
                now = begin + rest.duration
        return now

    def _ordered_breaks(self) -> list[int]:
        """Return the breaks as the search numbers them; two of them may be equal."""

        def key(index: int) -> tuple[int, int, int]:
            rest = self._van.breaks[index]
            return rest.opens, rest.closes, rest.duration

        return sorted(range(len(self._van.breaks)), key=key)

    def _serve(self, index: int, now: int) -> int:
        stop = self._problem.stops[index]
        seconds, metres = self._travel(stop.node)
        arrival = now + seconds
        earliest = arrival if self._problem.now is None else max(arrival, self._problem.now)
        begin, lateness = choose_begin(stop, earliest, self._van.costs.per_hour / _HOUR)
        self._require(lateness <= stop.max_lateness, f"stop {index} is served after its windows")
        self._require(self._problem.may_serve(self._vehicle, index), f"stop {index} is not allowed")
        self._steps.append(
            FleetStep(
                kind=StepKind.STOP,
                index=index,
                arrival=arrival,
                begin=begin,
                departure=begin + stop.service,
                lateness=lateness,
                metres=metres,
            )
        )
        self._service += stop.service
        return begin + stop.service

    def _reload(self, index: int, now: int) -> int:
        reload = self._van.reloads[index]
        seconds, metres = self._travel(reload.node)
        arrival = now + seconds
        self._steps.append(
            FleetStep(
                kind=StepKind.RELOAD,
                index=index,
                arrival=arrival,
                begin=arrival,
                departure=arrival + reload.duration,
                metres=metres,
            )
        )
        self._loading += reload.duration
        return arrival + reload.duration

    def _travel(self, place: int | None) -> tuple[int, int]:
        here, self._here = self._here, place
        if here is None or place is None:
            return 0, 0
        profile, problem = self._van.profile, self._problem
        seconds = int(problem.durations[profile][here, place])
        metres = 0 if problem.distances is None else int(problem.distances[profile][here, place])
        self._driving += seconds
        self._metres += metres
        return seconds, metres

    def _check_whole(self, departure: int, end: int) -> None:
        ends = [self._problem.stops[index] for index in self._stops]
        self._require(keeps_end_pins(ends), "a stop is not at the end that it is pinned to")
        van, done = self._van, self._van.under_way
        begun = departure if done is None else done.departed_at
        stops, metres = len(self._stops), self._metres
        if done is not None:
            stops, metres = stops + done.stops, metres + done.metres
        latest = van.closes if van.latest_start is None else van.latest_start
        self._require(done is not None or van.opens <= departure <= latest, "it leaves too late")
        self._require(end <= van.closes, "it ends after its shift")
        self._require(_within(end - begun, van.max_duration), "it takes too long")
        self._require(_within(stops, van.max_stops), "it has too many stops")
        self._require(_within(metres, van.max_metres), "it is too long")
        for trip in self._trips():
            for load, most in zip(trip, van.capacities, strict=True):
                self._require(_within(load, most), "it carries too much")
        reloads = len(self._visits) - len(self._stops)
        self._require(reloads <= van.max_reloads, "it reloads too often")
        taken = {step.index for step in self._steps if step.kind is StepKind.BREAK}
        due = {k for k, rest in enumerate(van.breaks) if departure <= rest.closes <= end}
        self._require(due <= taken, "a break is missing")

    def _trips(self) -> list[list[int]]:
        """Return what each trip carries, the first one what was carried already, too."""
        done = self._van.under_way
        nothing = [0] * self._problem.loads
        trips = [list(done.loads) if done and done.loads else nothing]
        for kind, index in self._visits:
            if kind is StepKind.RELOAD:
                trips.append(nothing)
            else:
                loads = self._problem.stops[index].loads
                trips[-1] = [sum(pair) for pair in zip(trips[-1], loads, strict=True)]
        return trips

    def _price(self, duration: int) -> RouteCost:
        costs, problem = self._van.costs, self._problem
        stops = [problem.stops[index] for index in self._stops]
        inversions = sum(
            later.priority > stop.priority
            for number, stop in enumerate(stops)
            for later in stops[number + 1 :]
        )
        late = [step for step in self._steps if step.lateness]
        vehicle = self._vehicle
        return RouteCost(
            fixed=0.0 if self._van.under_way else costs.fixed,
            time=costs.per_hour * duration / _HOUR,
            driving=costs.per_traveled_hour * self._driving / _HOUR,
            distance=costs.per_kilometer * self._metres / 1000,
            stops=costs.per_stop * len(stops),
            lateness=sum(
                step.lateness * problem.stops[step.index].lateness_cost / _HOUR for step in late
            ),
            inversions=problem.inversion_cost * inversions,
            preferences=sum(stop.vehicle_costs.get(vehicle, 0.0) for stop in stops),
            compactness=problem.compactness * self._spread() / 1000,
        )

    def _spread(self) -> int:
        """Return the metres from the medoid of the route to each of its stops."""
        distances = self._problem.distances
        if not (self._problem.compactness and self._stops) or distances is None:
            return 0
        nodes = [self._problem.stops[index].node for index in self._stops]
        ways = np.minimum(distances[self._van.profile][np.ix_(nodes, nodes)], FAR)
        np.fill_diagonal(ways, 0)
        return int(ways.sum(axis=1, dtype=np.int64).min())

    def _require(self, holds: bool, what: str) -> None:  # noqa: FBT001 -- an assertion
        if not holds:
            raise IllegalRoute(f"vehicle {self._vehicle}: {what}")


def choose_begin(stop: FleetStop, arrival: int, waiting_price: float) -> tuple[int, int]:
    """Return when service begins, and how late that is for its window."""
    windows = sorted(stop.windows)
    before: int | None = None
    for opens, closes in windows:
        if arrival <= closes:
            if arrival >= opens:
                return arrival, 0
            if before is not None:
                late = arrival - before
                price = late * stop.lateness_cost / _HOUR
                if late <= stop.max_lateness and price < (opens - arrival) * waiting_price:
                    return arrival, late
            return opens, 0
        before = closes
    return arrival, 0 if before is None else arrival - before


def _within(value: int, most: int | None) -> bool:
    return most is None or value <= most
