"""A van that breaks down in the middle of a simulated day, and the planner who helps.

The planner does it by the operations that an assistant proposes with: other vans take over the open
stops where that breaks nothing; what is left goes where it costs least all the same, because late
is better than not at all. The goods are thought to reach the other vans by themselves.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.insertion import StopReference, StopWishes
from roundsman.domain.transfer import StopMove
from roundsman.operations.insertions import find_insertions
from roundsman.operations.proposed_changes import make_proposed_change, propose_redistribution
from roundsman.operations.request import Request
from roundsman.operations.route_changes import load_route
from roundsman.operations.tools import Tools
from roundsman.operations.transfers import transfer_stops
from roundsman.simulation.driving import SimulatedDriver

_SOONEST, _LATEST = timedelta(minutes=3), timedelta(minutes=15)
"""From the driver's call until the planner has others take over."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Breakdown:
    """Which van stands still, and from when on."""

    van: str
    at: datetime


@dataclass(kw_only=True, slots=True)
class Planner:
    """Who is called when a van breaks down."""

    tools: Tools
    request: Request
    draw: random.Random
    drivers: Sequence[SimulatedDriver]
    report: Callable[[datetime, str], None]
    done: Counter[str] = field(default_factory=Counter)

    async def help(self, van: str) -> AsyncIterator[timedelta]:
        """Hear of a breakdown, look for others, and have them take over."""
        broken = find_driver_of_van(self.drivers, van)
        if broken.is_back:
            self._say(f"{van} was back before it could break down")
            return
        await broken.break_down()
        self.done["breakdowns"] += 1
        self._say(f"{van} breaks down")
        yield self.draw.uniform(0, 1) * (_LATEST - _SOONEST) + _SOONEST
        taking = [one for one in self.drivers if one.can_take_stops()]
        await asyncio.to_thread(self._move_stops, broken, taking)

    def _say(self, line: str) -> None:
        self.report(self.tools.clock.now(), line)

    def _move_stops(self, broken: SimulatedDriver, taking: Sequence[SimulatedDriver]) -> None:
        routes = [one.device.route_id for one in taking]
        stops = self._open_stops(broken)
        if stops and routes:
            proposed = propose_redistribution(
                self.tools, self.request, [broken.device.route_id], routes
            )
            if proposed.change is not None:
                make_proposed_change(self.tools, self.request, proposed.change.id)
            for stop_id in self._open_stops(broken):
                self._move_where_it_costs_least(stop_id, routes)
        left = len(self._open_stops(broken))
        moved = len(stops) - left
        self.done["taken over"] += moved
        self._say(f"other vans take over {moved} stops of {broken.name}")
        if left:
            self.done["left behind"] += left
            self._say(f"{left} stops of {broken.name} are left: nobody else is on the road")

    def _move_where_it_costs_least(self, stop_id: str, routes: Sequence[str]) -> None:
        (found,) = find_insertions(
            self.tools,
            self.request.organization_id,
            [(StopReference(stop_id=stop_id), StopWishes())],
            routes,
        )
        best = found.places[0]
        move = StopMove(stop_id=stop_id, to_route_id=best.route_id, index=best.index)
        transfer_stops(self.tools, self.request, [move])

    def _open_stops(self, driver: SimulatedDriver) -> list[str]:
        route = load_route(self.tools, self.request.organization_id, driver.device.route_id).route
        return [stop.id for stop in route.stops if not stop.is_done()]


def find_driver_of_van(drivers: Sequence[SimulatedDriver], van: str) -> SimulatedDriver:
    """Return who drives a van; raise FailedPrecondition where nobody does."""
    found = next((one for one in drivers if one.name == van), None)
    if found is None:
        names = ", ".join(one.name for one in drivers)
        raise FailedPrecondition(f"no route is driven by {van}; there are: {names}")
    return found
