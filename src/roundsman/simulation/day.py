"""A simulated day from its first import to the last van's return."""

import asyncio
import heapq
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from starlette.types import ASGIApp

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.kit.time_zones import zone_at
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations.request import Request
from roundsman.operations.route_reading import get_timetable
from roundsman.operations.tools import Tools
from roundsman.operations.vehicles import get_vehicle
from roundsman.simulation.breakdown import Breakdown, Planner, find_driver_of_van
from roundsman.simulation.clock import DayClock
from roundsman.simulation.device import Device
from roundsman.simulation.driving import LATEST_DEPARTURE, SimulatedDriver
from roundsman.simulation.in_process import InProcessClient
from roundsman.simulation.preparing import PreparedDay, sign_device_in
from roundsman.simulation.promises import PromiseWatch
from roundsman.simulation.seeds import seeded

_METERS_A_SECOND = 8.0
"""Where a plan says nothing of how fast it drives."""

_LARGEST_CLOCK_ERROR = timedelta(minutes=3)
_CLOCK_IN_TEN_IS_WRONG_BY = timedelta(hours=5)
_WRONG_CLOCKS = 0.1


@dataclass(kw_only=True, slots=True)
class SimulatedDay:
    """What came of a day."""

    routes: int
    stops: int
    unplanned: int
    began_at: datetime
    ended_at: datetime
    seconds: float
    """How long it took by the real clock."""

    is_whole: bool
    """Whether every van came back; a day may be interrupted."""

    happened: dict[str, int]
    actions: int
    actions_without_effect: int
    """Because a planner had changed the route meanwhile."""

    actions_missing: int
    """At the end of the day; none, unless it was interrupted."""

    photos: int
    batches_sent_twice: int


@dataclass(kw_only=True)
class DayRun:
    """A day under way: who drives, and when each goes on."""

    tools: Tools
    """Those of the day, with its clock."""

    clock: DayClock
    app: ASGIApp
    """The service's own application, with the same tools."""

    request: Request
    seed: int
    report: Callable[[datetime, str], None] = lambda _at, _line: None
    pace: float = 1.0
    """How many times as long as planned driving and service take, on average."""

    _drivers: list[SimulatedDriver] = field(default_factory=list)

    def run(self, prepared: PreparedDay, breakdowns: Sequence[Breakdown] = ()) -> SimulatedDay:
        """Let every driver drive, until the last is back or the clock is stopped."""
        began, real_begin = self.clock.now(), time.monotonic()
        due = []
        for number, route in enumerate(prepared.routes):
            driver = self._make_driver(number, route)
            self._drivers.append(driver)
            due.append((began, number, driver.work(departure_of(route))))
        planner = self._make_planner()
        for number, breakdown in enumerate(breakdowns, start=len(due)):
            _require_on_the_road(breakdown, self._drivers, prepared.routes)
            due.append((breakdown.at, number, planner.help(breakdown.van)))
        promises = PromiseWatch(self.tools, self.clock, self.request.organization_id)
        try:
            is_whole = asyncio.run(self._run_all(due, promises))
        finally:
            promises.end()
        return SimulatedDay(
            routes=len(prepared.routes),
            stops=sum(len(route.stops) for route in prepared.routes),
            unplanned=prepared.unplanned,
            began_at=began,
            ended_at=self.clock.now(),
            seconds=round(time.monotonic() - real_begin, 1),
            is_whole=is_whole,
            happened=_sum([planner.done, *(driver.done for driver in self._drivers)]),
            actions=sum(driver.device.submitted for driver in self._drivers),
            actions_without_effect=sum(
                driver.device.submitted - driver.device.applied for driver in self._drivers
            ),
            actions_missing=sum(driver.missing for driver in self._drivers),
            photos=sum(driver.device.photos for driver in self._drivers),
            batches_sent_twice=sum(driver.device.sent_twice for driver in self._drivers),
        )

    async def _run_all(
        self, due: list[tuple[datetime, int, AsyncIterator[timedelta]]], promises: PromiseWatch
    ) -> bool:
        """Wake drivers and planner in the order of time; of two at once the first by number."""
        heapq.heapify(due)
        while due:
            moment, number, drive = due[0]
            if not self.clock.advance_to(moment):
                return False
            await promises.look()
            driver = self._drivers[number] if number < len(self._drivers) else None
            before = driver.done.copy() if driver else Counter()
            pause = await anext(drive, None)
            if driver:
                self._report(driver, before)
            if pause is None:
                heapq.heappop(due)
                if driver:
                    self.report(self.clock.now(), f"{driver.name} is back")
            else:
                # In whole seconds, as a person's watch goes.
                whole = timedelta(seconds=round(pause.total_seconds()))
                heapq.heapreplace(due, (moment + whole, number, drive))
        return True

    def _report(self, driver: SimulatedDriver, before: Counter[str]) -> None:
        news = driver.done - before
        for what in news:
            self.report(self.clock.now(), f"{driver.name}: {what} ({driver.done[what]})")

    def _make_driver(self, number: int, route: Route) -> SimulatedDriver:
        draw = seeded(f"{self.seed}/{number}")
        device = Device(
            client=InProcessClient(self.app),
            clock=self.clock,
            ids=self.tools.ids,
            draw=seeded(f"{self.seed}/{number}/device"),
            token=sign_device_in(self.tools, self.request, route.driver_id),
            route_id=route.id,
            clock_error=_draw_clock_error(draw),
        )
        where = route.start.coordinates
        return SimulatedDriver(
            name=self._name_of(route),
            device=device,
            draw=draw,
            zone=zone_at(latitude=where.latitude, longitude=where.longitude),
            meters_a_second=self._find_speed(route),
            pace=self.pace,
        )

    def _make_planner(self) -> Planner:
        return Planner(
            tools=self.tools,
            request=self.request,
            draw=seeded(f"{self.seed}/planner"),
            drivers=self._drivers,
            report=self.report,
        )

    def _name_of(self, route: Route) -> str:
        if not route.vehicle_id:
            return route.name
        return get_vehicle(self.tools, self.request.organization_id, route.vehicle_id).name

    def _find_speed(self, route: Route) -> float:
        """Return how fast the plan drives: all meters by all seconds between places."""
        places = get_timetable(self.tools, self.request.organization_id, route.id).shown.places
        seconds = 0.0
        for before, after in pairwise(places):
            if not isinstance(before.departure, UnsetType) and not isinstance(
                after.arrival, UnsetType
            ):
                seconds += (after.arrival - before.departure).total_seconds()
        end = 0 if isinstance(route.end, UnsetType) else route.end.distance_meters
        meters = end + sum(stop.distance_meters for stop in route.stops)
        return meters / seconds if meters and seconds else _METERS_A_SECOND


def _require_on_the_road(
    breakdown: Breakdown, drivers: Sequence[SimulatedDriver], routes: Sequence[Route]
) -> None:
    """Refuse a breakdown before the van has left, and one of a van that nobody drives."""
    driver = find_driver_of_van(drivers, breakdown.van)
    leaves = next(departure_of(one) for one in routes if one.id == driver.device.route_id)
    if breakdown.at <= leaves + LATEST_DEPARTURE:
        raise FailedPrecondition(
            f"{breakdown.van} leaves at {format_timestamp(leaves)}; let it break down"
            f" {LATEST_DEPARTURE.total_seconds() / 60:g} minutes after that or later"
        )


def departure_of(route: Route) -> datetime:
    """Return when a route's van leaves; raise FailedPrecondition where nobody said."""
    if isinstance(route.scheduled_for, UnsetType):
        raise FailedPrecondition(f"route {route.name} has no scheduledFor: nobody leaves")
    return route.scheduled_for


def _draw_clock_error(draw: random.Random) -> timedelta:
    """Return by how much a device's clock is wrong; in one of ten by hours."""
    share = draw.uniform(-1, 1)
    if draw.random() < _WRONG_CLOCKS:
        return share * _CLOCK_IN_TEN_IS_WRONG_BY
    return share * _LARGEST_CLOCK_ERROR


def _sum(counts: Iterable[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return {name: total[name] for name in sorted(total)}
