"""Sends the requests of many organizations' days, each at its time, fixed ahead (an open loop).

An organization makes one request after the other, because the next one needs what the last one
answered. One that has to wait for its predecessor is late, and its latency counts from when it was
meant to go out: what a slow answer keeps others waiting for is not left out.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from bench.load.day import Organization, Step, play_days
from bench.load.figures import Figures
from roundsman.kit.ids import RandomIds

_DOORS = {"api": "/api/2024-07", "driver": "/driver/api"}
_LATE_SECONDS = 0.005
_GIVE_UP_SECONDS = 60
_ids = RandomIds()


@dataclass(kw_only=True)
class Play:
    """A run: who plays, at which rate in all, for how long."""

    address: str
    organizations: Sequence[Organization]
    rate: float
    seconds: float
    figures: Figures = field(default_factory=Figures)
    took: float = 0.0
    """Seconds until the last answer; more than `seconds` when the server could not keep up."""

    async def run(self) -> None:
        """Play until the time is over; every request that was begun is answered."""
        begun = time.perf_counter()
        timeout = aiohttp.ClientTimeout(total=_GIVE_UP_SECONDS)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
            await asyncio.gather(
                *(self._play(session, begun, number) for number in range(len(self.organizations)))
            )
        self.took = time.perf_counter() - begun

    async def _play(self, session: aiohttp.ClientSession, begun: float, number: int) -> None:
        who = self.organizations[number]
        day = play_days(who)
        step = next(day)
        for at in self._times(number):
            await asyncio.sleep(begun + at - time.perf_counter())
            answer = await self._ask(session, who, step, begun + at)
            if answer is None:
                # What follows would need the answer: a new day begins.
                day = play_days(who)
                step = next(day)
            else:
                step = day.send(answer)

    def _times(self, number: int) -> Iterator[float]:
        """Yield when each request of an organization is meant to go out."""
        draw = random.Random(number)  # noqa: S311 -- repeats itself on purpose
        rate = self.rate / len(self.organizations)
        at = draw.uniform(0, 1 / rate)
        while at < self.seconds:
            yield at
            at += draw.expovariate(rate)

    async def _ask(
        self, session: aiohttp.ClientSession, who: Organization, step: Step, intended: float
    ) -> Any:
        """Return the answer, or None when it was an error."""
        token = who.driver_token if step.door == "driver" else who.token
        headers = {"Authorization": f"Bearer {token}"}
        if step.changes:
            headers["Idempotency-Key"] = _ids.new_uuid()
        self.figures.sent_late += time.perf_counter() - intended > _LATE_SECONDS
        url = f"{self.address}{_DOORS[step.door]}{step.path}"
        try:
            async with session.request(
                step.method, url, json=step.body, headers=headers
            ) as response:
                answer = await response.json()
        except (aiohttp.ClientError, TimeoutError) as error:
            self.figures.note_error(step.name, type(error).__name__)
            return None
        self.figures.note(step.name, time.perf_counter() - intended)
        if response.status == 200:
            return _checked(answer, step, self.figures)
        self.figures.note_error(step.name, f"{response.status} {answer.get('message', '')[:80]}")
        return None


def _checked(answer: Any, step: Step, figures: Figures) -> Any:
    """A driver's action that is not applied is an error, though the batch was answered."""
    for result in answer.get("results", ()) if step.door == "driver" else ():
        if result["outcome"] != "APPLIED":
            figures.note_error(step.name, f"{result['outcome']} {result['reason']}")
    return answer
