"""What a simulated driver does, one thing after the other, and how long each takes.

A drive is an asynchronous generator: it does what is due, then yields after how long it goes on.
Traffic, dwell and what happens at a door are drawn from the driver's own seed, so that a day with
the same seed is the same day. The driver looks at the route before each stop, and so follows what
planners change meanwhile.
"""

import random
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

import msgspec

from roundsman.domain.address import Coordinates
from roundsman.images.sample import draw_parcel
from roundsman.kit.durations import parse_duration
from roundsman.kit.time_zones import elapsed
from roundsman.simulation.device import Device, SeenRoute, SeenStop

_POSITION_EVERY = timedelta(minutes=2)
LATEST_DEPARTURE = timedelta(minutes=5)
"""After the plan's: nobody leaves to the second."""

_SHORTEST_TOW, _LONGEST_TOW = timedelta(minutes=40), timedelta(minutes=90)
_RUSH_HOURS = {7: 1.1, 8: 1.15, 9: 1.05, 16: 1.1, 17: 1.15, 18: 1.05}
"""By how much longer driving takes in these hours of the day."""

# Both draws have a mean of one: plans are right on average, but for the rush hours.
_TRAFFIC, _DWELL = (-0.016, 0.18), (-0.061, 0.35)
_WRONG_TURN = 0.03
_DEAD_ZONE = 0.06
_LONGEST_DEAD_ZONE = 3
_NOBODY_THERE = 0.04
_REFUSED = 0.01
_CORRECTED = 0.2
"""Of the attempts in vain: the customer turns up while the driver is still at the door."""

_PHOTO = 0.7
_LEFT_WITH = ("RECIPIENT", "RECIPIENT", "RECIPIENT", "NEIGHBOUR", "RECEPTION", "SAFE_PLACE")
_NANOSECONDS = 1_000_000_000
_A_MINUTE = timedelta(minutes=1)


@dataclass(kw_only=True, slots=True)
class SimulatedDriver:
    """A driver at work; `name` is the route's vehicle, or the route."""

    name: str
    device: Device
    draw: random.Random
    zone: tzinfo
    meters_a_second: float
    """How fast the plan drives on this route."""

    pace: float = 1.0
    """How many times as long as planned driving and service take, on average."""

    done: Counter[str] = field(default_factory=Counter)
    """What happened, by its name in a report."""

    missing: int = 0
    """How many actions had not arrived when the driver was back."""

    is_back: bool = False
    _is_broken_down: bool = False
    _left_in_dead_zone: int = 0

    async def work(self, departs_at: datetime) -> AsyncIterator[timedelta]:
        """Drive the route; be towed home where the van breaks down on it."""
        async with aclosing(self._drive(departs_at)) as drive:
            async for pause in drive:
                yield pause
                if self._is_broken_down:
                    break
        if self._is_broken_down:
            yield self.draw.uniform(0, 1) * (_LONGEST_TOW - _SHORTEST_TOW) + _SHORTEST_TOW
            await self._end(await self.device.read_route())

    async def break_down(self) -> None:
        """Stand still; whoever calls for help has a network, and sends what waits."""
        self._is_broken_down = True
        await self._leave_dead_zone()

    def can_take_stops(self) -> bool:
        """Say whether this driver may be given stops of another."""
        return not (self.is_back or self._is_broken_down)

    async def _drive(self, departs_at: datetime) -> AsyncGenerator[timedelta]:
        """Leave, go to one stop after the other, come back."""
        delay = self.draw.random() * LATEST_DEPARTURE
        yield max(timedelta(), departs_at + delay - self._now())
        route = await self.device.read_route()
        await self.device.submit("ROUTE_STARTED", route.start.coordinates)
        where = route.start.coordinates
        is_at_end = False
        while (stop := _next_open(route)) is not None or not is_at_end:
            if stop is not None:
                is_at_end = False
                async for pause in self._go(where, stop.planned_coordinates, stop.distance_meters):
                    yield pause
                where = stop.planned_coordinates
                async for pause in self._serve(stop):
                    yield pause
                route = await self._look_again(route, stop)
                continue
            is_at_end = True
            if not isinstance(route.end, msgspec.UnsetType):
                end = route.end
                async for pause in self._go(where, end.coordinates, end.distance_meters):
                    yield pause
                where = end.coordinates
            # Stops of a van that broke down may have come in on the way back.
            await self._leave_dead_zone()
            route = await self.device.read_route()
        await self._end(route)

    async def _end(self, route: SeenRoute) -> None:
        """Say that the van is where its route ends, and that it is over."""
        if not isinstance(route.end, msgspec.UnsetType):
            await self.device.submit("END_COMPLETED", route.end.coordinates)
        await self._leave_dead_zone()
        self.missing = await self.device.count_missing()
        self.is_back = True

    def _now(self) -> datetime:
        return self.device.clock.now()

    async def _go(
        self, start: Coordinates, end: Coordinates, meters: int
    ) -> AsyncIterator[timedelta]:
        """Drive a leg, telling positions on the way."""
        await self._pass_dead_zones()
        traffic = _RUSH_HOURS.get(self._now().astimezone(self.zone).hour, 1.0)
        seconds = meters / self.meters_a_second * traffic * self.pace
        seconds *= self.draw.lognormvariate(*_TRAFFIC)
        if self.draw.random() < _WRONG_TURN:
            self.done["wrong turns"] += 1
            seconds += self.draw.uniform(120, 600)
        lasts = timedelta(seconds=round(seconds))
        gone = timedelta()
        while gone + _POSITION_EVERY < lasts:
            yield _POSITION_EVERY
            gone += _POSITION_EVERY
            await self.device.report_position(_between(start, end, gone / lasts))
        yield lasts - gone

    async def _pass_dead_zones(self) -> None:
        """Lose the network for some stops, or find it again."""
        if self._left_in_dead_zone:
            self._left_in_dead_zone -= 1
            if not self._left_in_dead_zone:
                await self._leave_dead_zone()
        elif self.draw.random() < _DEAD_ZONE:
            self.done["dead zones"] += 1
            self._left_in_dead_zone = self.draw.randint(1, _LONGEST_DEAD_ZONE)
            self.device.is_offline = True

    async def _leave_dead_zone(self) -> None:
        self._left_in_dead_zone = 0
        self.device.is_offline = False
        await self.device.flush()

    async def _serve(self, stop: SeenStop) -> AsyncIterator[timedelta]:
        """Do what is to be done at a stop."""
        lasts = _lasting(stop) * self.pace * self.draw.lognormvariate(*_DWELL)
        if stop.type == "BREAK":
            yield lasts
            await self.device.submit("BREAK_COMPLETED", stopId=stop.id)
            return
        await self.device.submit("STOP_ARRIVED", stop.planned_coordinates, stopId=stop.id)
        yield self._until_open(stop)
        yield lasts
        happened = self.draw.random()
        if happened < _NOBODY_THERE:
            await self._attempt(stop, "NOT_AVAILABLE")
            if self.draw.random() < _CORRECTED:
                yield _A_MINUTE
                self.done["attempted"] -= 1
                self.done["corrected"] += 1
                await self._deliver(stop)
        elif happened < _NOBODY_THERE + _REFUSED:
            await self._attempt(stop, "REFUSED")
        else:
            await self._deliver(stop)

    def _until_open(self, stop: SeenStop) -> timedelta:
        """Return how long to wait until one of the stop's windows opens today."""
        now = self._now().astimezone(self.zone)
        opens = [
            now.replace(
                hour=window.start.hours, minute=window.start.minutes, second=0, microsecond=0
            )
            for window in stop.time_windows
            if not isinstance(window.start, msgspec.UnsetType)
        ]
        if len(opens) < len(stop.time_windows) or any(one <= now for one in opens):
            return timedelta()
        return elapsed(now, min(opens, default=now))

    async def _deliver(self, stop: SeenStop) -> None:
        self.done["delivered"] += 1
        if self.draw.random() < _PHOTO:
            upload_id = self.device.take_picture(draw_parcel(self.draw.randint(1, 99)))
            await self.device.submit("PHOTO", stopId=stop.id, uploadId=upload_id)
        left_with = self.draw.choice(_LEFT_WITH)
        await self.device.submit(
            "STOP_DELIVERED", stop.planned_coordinates, stopId=stop.id, leftWith=left_with
        )

    async def _attempt(self, stop: SeenStop, reason: str) -> None:
        self.done["attempted"] += 1
        await self.device.submit(
            "STOP_ATTEMPTED", stop.planned_coordinates, stopId=stop.id, reason=reason
        )

    async def _look_again(self, route: SeenRoute, done: SeenStop) -> SeenRoute:
        """Return the route as it is now, or as the device knows it where there is no network."""
        if not self.device.is_offline:
            return await self.device.read_route()
        left = tuple(stop for stop in route.stops if stop.id != done.id)
        return msgspec.structs.replace(route, stops=left)


def _next_open(route: SeenRoute) -> SeenStop | None:
    return next((stop for stop in route.stops if stop.is_open()), None)


def _lasting(stop: SeenStop) -> timedelta:
    if isinstance(stop.duration, msgspec.UnsetType):
        return _A_MINUTE
    return timedelta(seconds=parse_duration(stop.duration) / _NANOSECONDS)


def _between(start: Coordinates, end: Coordinates, share: float) -> Coordinates:
    """Return the place after a share of the straight way."""
    return Coordinates(
        latitude=start.latitude + (end.latitude - start.latitude) * share,
        longitude=start.longitude + (end.longitude - start.longitude) * share,
    )
