"""What a route of a plan would break with one stop more, at the place where it breaks least.

The order of the route stays as it is, and so do its breaks; a break that falls due because the
route ends later is taken as well. Limits do not stop the walk along the route: it notes by how much
each is exceeded and goes on, so that a route whose limits all give way by their amounts is legal.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from roundsman.domain.unassigned_stop import UnassignedReasonType as Type
from roundsman.kit.loading import load
from roundsman.planning.fleet import (
    EndPin,
    FleetProblem,
    FleetRoute,
    FleetStop,
    FleetVehicle,
    StepKind,
)

_HOUR = 3_600
_ANY = 10**12
"""More seconds than any day has."""

_IN_TIME = {Type.TIME_WINDOWS, Type.SHIFT, Type.MAX_DURATION, Type.BREAKS}

type _Visit = tuple[StepKind, int]
type _Begin = Callable[[FleetStop, int, float], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Overrun:
    """By how much a route exceeds a limit: seconds, metres, stops, or thousandths of a load."""

    type: Type
    amount: int
    index: int = 0
    """Of the load, the stop that is served too late, or the break that begins too late."""

    @property
    def is_of_time(self) -> bool:
        """Say whether it is one that a break can be the reason of."""
        return self.type in _IN_TIME


@dataclass(frozen=True, slots=True)
class _WalkState:
    """Where the walk along a route stands, and when."""

    now: int
    here: int | None
    waited: int = 0
    may_wait: int = _ANY
    """By so many seconds the departure may be later for all that was done so far."""

    over: tuple[Overrun, ...] = ()


@dataclass(frozen=True)
class RouteWithOneMore:
    """A vehicle with its route, or with none, that is to serve one stop more."""

    problem: FleetProblem
    vehicle: int
    route: FleetRoute | None = None
    without_breaks: frozenset[int] = frozenset()
    """Breaks that are left out, to see whether they are in the way."""

    def find_least(self, stop: int) -> tuple[Overrun, ...] | None:
        """Return what is exceeded at the best position: nothing where there is room.

        None where pins leave no place. A stop that misses one of its windows may be late for it
        instead of waiting for the next.
        """
        found = self._find_least(stop)
        windows = sorted(self.problem.stops[stop].windows)
        if not found:
            return found
        without_later = (
            self._with_windows(stop, windows[:many]) for many in range(1, len(windows))
        )
        others = (one._find_least(stop) for one in without_later)  # noqa: SLF001 -- of its kind
        return min([found, *(one for one in others if one is not None)], key=self._weigh)

    def _with_windows(self, stop: int, windows: Sequence[tuple[int, int]]) -> "RouteWithOneMore":
        stops = list(self.problem.stops)
        stops[stop] = replace(stops[stop], windows=windows)
        return replace(self, problem=replace(self.problem, stops=stops))

    def _find_least(self, stop: int) -> tuple[Overrun, ...] | None:
        best: tuple[Overrun, ...] | None = None
        for departure, walked in self._walks:
            for position in self._list_positions(stop):
                fixed = self._find_overload(stop, position)
                if best is not None and len(fixed) > len(best):
                    continue
                most = len(best) if best is not None else None
                delays = self._find_delays(departure, walked, stop, position, most)
                found = (*fixed, *delays)
                if best is None or self._weigh(found) < self._weigh(best):
                    best = found
                if not best:
                    return best
        return best

    def has_room(self, stop: int) -> bool:
        """Say whether there is a place where nothing is exceeded."""
        return any(
            not self._find_overload(stop, position)
            and not self._find_delays(departure, walked, stop, position, 0)
            for departure, walked in self._walks
            for position in self._list_positions(stop)
        )

    def _weigh(self, over: Sequence[Overrun]) -> tuple[int, float]:
        """Return how bad it is: first how many limits are exceeded, then how far."""
        return len(over), sum(one.amount / max(1, self._whole_of(one)) for one in over)

    def _whole_of(self, over: Overrun) -> int:
        match over.type:
            case Type.CAPACITIES:
                return self._van.capacities[over.index] or 0
            case Type.MAX_STOPS:
                return self._van.max_stops or 0
            case Type.MAX_DISTANCE_METERS:
                return self._van.max_metres or 0
        return _HOUR

    @property
    def _van(self) -> FleetVehicle:
        return self.problem.vehicles[self.vehicle]

    @cached_property
    def _begin(self) -> _Begin:
        begin: _Begin = load("roundsman.planning.fleet.timetable:choose_begin")
        return begin

    @cached_property
    def _visits(self) -> tuple[_Visit, ...]:
        return tuple(
            (step.kind, step.index)
            for step in (self.route.steps if self.route else ())
            if step.kind is not StepKind.BREAK or step.index not in self.without_breaks
        )

    @cached_property
    def _breaks(self) -> list[int]:
        """Return the breaks that there are, by their ends."""
        van = self._van
        numbers = set(range(len(van.breaks))) - self.without_breaks
        return sorted(numbers, key=lambda one: van.breaks[one].closes)

    @cached_property
    def _walks(self) -> list[tuple[int, list[_WalkState]]]:
        """Return from when on the vehicle may leave, and where its route as it is takes it then.

        A break whose window is past by then is not due: which of them, the route has settled, and
        an empty vehicle may choose.
        """
        departures = self._list_departures()
        return [
            (departure, self._walk(self._leave(departure), self._visits))
            for departure in departures
        ]

    def _list_departures(self) -> list[int]:
        van, now = self._van, self.problem.now
        if van.under_way is not None:
            return [van.under_way.leaves_at]
        soonest = van.opens if now is None else max(van.opens, now)
        taken = {index for kind, index in self._visits if kind is StepKind.BREAK}
        later = [van.breaks[one].closes + 1 for one in self._breaks if one not in taken]
        if self.route is not None:
            settled = [one for one in later if one <= self.route.departure]
            return [max([soonest, *settled])]
        return [soonest, *(one for one in later if soonest < one <= self._latest_departure)]

    @property
    def _latest_departure(self) -> int:
        van = self._van
        return van.closes if van.latest_start is None else van.latest_start

    def _leave(self, departure: int) -> _WalkState:
        return _WalkState(now=departure, here=self._van.start)

    def _list_positions(self, stop: int) -> list[int]:
        """Return before which of the visits the stop may come, the least detours first."""
        stops = [at for at, (kind, _) in enumerate(self._visits) if kind is StepKind.STOP]
        first, last = 0, len(self._visits)
        pins = [self.problem.stops[self._visits[at][1]].end_pin for at in stops]
        wanted = self.problem.stops[stop].end_pin
        kept = min(self._van.keep_first, len(stops))
        if kept:
            first = stops[kept - 1] + 1
        if EndPin.FIRST in pins:
            first = max(first, stops[0] + 1)
        if EndPin.LAST in pins:
            last = stops[-1]
        if wanted is EndPin.FIRST and stops:
            last = min(last, stops[0])
        if wanted is EndPin.LAST and stops:
            first = max(first, stops[-1] + 1)
        return sorted(range(first, last + 1), key=lambda position: self._detour(stop, position)[0])

    def _detour(self, stop: int, position: int) -> tuple[int, int]:
        """Return how many seconds and metres longer the way is by a stop at a place."""
        node = self.problem.stops[stop].node
        before, after = self._nodes[position]
        there, back, direct = (
            self._leg(*ends) for ends in ((before, node), (node, after), (before, after))
        )
        return there[0] + back[0] - direct[0], there[1] + back[1] - direct[1]

    @cached_property
    def _nodes(self) -> list[tuple[int | None, int | None]]:
        """Return where the vehicle comes from at each place of its route, and where it goes."""
        nodes = [self._node_of(visit) for visit in self._visits]
        before: list[int | None] = [self._van.start]
        for node in nodes:
            before.append(before[-1] if node is None else node)
        after: list[int | None] = [self._van.end]
        for node in reversed(nodes):
            after.append(after[-1] if node is None else node)
        return list(zip(before, reversed(after), strict=True))

    def _node_of(self, visit: _Visit) -> int | None:
        kind, index = visit
        if kind is StepKind.BREAK:
            return None
        return (
            self.problem.stops[index].node
            if kind is StepKind.STOP
            else self._van.reloads[index].node
        )

    def _leg(self, here: int | None, there: int | None) -> tuple[int, int]:
        if here is None or there is None:
            return 0, 0
        problem, profile = self.problem, self._van.profile
        seconds = int(problem.durations[profile][here, there])
        return seconds, 0 if problem.distances is None else int(
            problem.distances[profile][here, there]
        )

    def _find_overload(self, stop: int, position: int) -> tuple[Overrun, ...]:
        """Return what is exceeded whatever the time: loads of the trip, stops, and metres."""
        return tuple(one for one in self._list_overload(stop, position) if one.amount > 0)

    def _list_overload(self, stop: int, position: int) -> Iterator[Overrun]:
        van, wanted = self._van, self.problem.stops[stop]
        trip = sum(kind is StepKind.RELOAD for kind, _ in self._visits[:position])
        for number, (load_, most) in enumerate(zip(wanted.loads, van.capacities, strict=True)):
            if load_ and most is not None:
                yield Overrun(Type.CAPACITIES, self._trips[trip][number] + load_ - most, number)
        done = van.under_way
        if van.max_stops is not None:
            stops = sum(kind is StepKind.STOP for kind, _ in self._visits)
            yield Overrun(Type.MAX_STOPS, stops + (done.stops if done else 0) + 1 - van.max_stops)
        if van.max_metres is not None:
            metres = self.route.metres if self.route else self._leg(van.start, van.end)[1]
            metres += (done.metres if done else 0) + self._detour(stop, position)[1]
            yield Overrun(Type.MAX_DISTANCE_METERS, metres - van.max_metres)

    @cached_property
    def _trips(self) -> list[list[int]]:
        """Return what each trip carries, with what was carried before."""
        done = self._van.under_way
        trips = [list(done.loads) if done and done.loads else [0] * self.problem.loads]
        for kind, index in self._visits:
            if kind is StepKind.RELOAD:
                trips.append([0] * self.problem.loads)
            elif kind is StepKind.STOP:
                loads = self.problem.stops[index].loads
                trips[-1] = [sum(pair) for pair in zip(trips[-1], loads, strict=True)]
        return trips

    def _find_delays(
        self,
        departure: int,
        walked: Sequence[_WalkState],
        stop: int,
        position: int,
        most: int | None,
    ) -> tuple[Overrun, ...]:
        """Return what comes too late with a stop at a place.

        Nothing more is looked at once more than so many limits are exceeded.
        """
        visits = (*self._visits[:position], (StepKind.STOP, stop), *self._visits[position:])
        begin = replace(walked[position], now=self._turn(walked[position].now, visits[0], position))
        states = [*walked[:position], *self._walk(begin, visits[position:], most)]
        if len(states) <= len(visits):
            return states[-1].over
        return self._end(departure, visits, states)

    def _turn(self, now: int, first: _Visit, position: int) -> int:
        """Return when a vehicle under way leaves that had another stop ahead."""
        done = self._van.under_way
        if position or done is None or first == (StepKind.STOP, done.next_stop):
            return now
        return max(now, self.problem.now or now)

    def _walk(
        self, begin: _WalkState, visits: Sequence[_Visit], most: int | None = None
    ) -> list[_WalkState]:
        """Return where a vehicle stands before each visit and at last, all as soon as it can."""
        states = [begin]
        for visit in visits:
            states.append(self._visit(states[-1], visit))
            if most is not None and len(states[-1].over) > most:
                break
        return states

    def _visit(self, at: _WalkState, visit: _Visit) -> _WalkState:
        kind, index = visit
        van, over = self._van, at.over
        if kind is StepKind.BREAK:
            rest = van.breaks[index]
            begin, here = max(at.now, rest.opens), at.here
            late, left, spent = begin - rest.closes, rest.closes - begin, rest.duration
            waited = at.waited + begin - at.now
            if late > 0:
                over = (*over, Overrun(Type.BREAKS, late, index))
        elif kind is StepKind.RELOAD:
            reload = van.reloads[index]
            here, left, spent, waited = reload.node, _ANY, reload.duration, at.waited
            begin = at.now + self._leg(at.here, here)[0]
        else:
            stop = self.problem.stops[index]
            here, spent = stop.node, stop.service
            arrival = at.now + self._leg(at.here, here)[0]
            soonest = arrival if self.problem.now is None else max(arrival, self.problem.now)
            begin, lateness = self._begin(stop, soonest, van.costs.per_hour / _HOUR)
            left = _time_left(stop, begin, lateness)
            waited = at.waited + begin - arrival
            if lateness > stop.max_lateness:
                over = (*over, Overrun(Type.TIME_WINDOWS, lateness - stop.max_lateness, index))
        return _WalkState(
            now=begin + spent,
            here=here,
            waited=waited,
            may_wait=min(at.may_wait, waited + max(0, left)),
            over=over,
        )

    def _end(
        self, departure: int, visits: Sequence[_Visit], states: Sequence[_WalkState]
    ) -> tuple[Overrun, ...]:
        """Return what is exceeded on a whole route, with the breaks that are due on it."""
        van, last = self._van, states[-1]
        end = last.now + self._leg(last.here, van.end)[0]
        taken = {index for kind, index in visits if kind is StepKind.BREAK}
        for number in self._breaks:
            if number not in taken and departure <= van.breaks[number].closes <= end:
                return min(self._with_break(departure, visits, states, number), key=self._weigh)
        over = list(last.over)
        if end > van.closes:
            over.append(Overrun(Type.SHIFT, end - van.closes))
        if van.max_duration is not None:
            later = min(last.waited, last.may_wait, max(0, self._latest_departure - departure))
            begun = departure + later if van.under_way is None else van.under_way.departed_at
            if end - begun > van.max_duration:
                over.append(Overrun(Type.MAX_DURATION, end - begun - van.max_duration))
        return tuple(over)

    def _with_break(
        self, departure: int, visits: Sequence[_Visit], states: Sequence[_WalkState], number: int
    ) -> Iterator[tuple[Overrun, ...]]:
        """Yield what is exceeded with a break, at each place that its window has.

        Of the places where it would be waited for the last has the most done by then.
        """
        rest = self._van.breaks[number]
        in_time = [at for at, state in enumerate(states) if state.now <= rest.closes]
        waits = [at for at in in_time if states[at].now <= rest.opens]
        for at in [*waits[-1:], *(at for at in in_time if states[at].now > rest.opens)] or [0]:
            changed = (*visits[:at], (StepKind.BREAK, number), *visits[at:])
            walked = [*states[:at], *self._walk(states[at], changed[at:])]
            yield self._end(departure, changed, walked)


def _time_left(stop: FleetStop, begin: int, lateness: int) -> int:
    """Return how much later a stop may be served, in the window that it is served for."""
    if not stop.windows:
        return _ANY
    if lateness:
        return stop.max_lateness - lateness
    return min((closes - begin for _, closes in stop.windows if closes >= begin), default=0)
