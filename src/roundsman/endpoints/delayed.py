"""Answers that wait until something has happened, without keeping a thread for so long."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import Response

from roundsman.endpoints.streams import Streams

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 0.5
_PAUSE_GROWS = 1.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Delayed[Result]:
    """What a handler returns whose answer may wait."""

    seconds: float
    """For how long at most."""

    is_due: Callable[[], bool]
    """Asked in a thread of those that reads share; raises what the answer would."""

    make: Callable[[], Result]


class DelayedResponse(Response):
    """Stands for an answer that has to be waited for, and has the headers of the request's turn."""

    def __init__(
        self, delayed: Delayed[object], respond: Callable[[], Response], streams: Streams
    ) -> None:
        self.status_code = 200
        self.background = None
        self.raw_headers = []
        self._delayed = delayed
        self._respond = respond
        self._streams = streams

    async def become(self) -> Response:
        """Return the answer when it is due, when the time is over, or when the server stops."""
        waiting = asyncio.create_task(self._wait())
        with self._streams.ending_by(waiting.cancel):
            await asyncio.wait([waiting], timeout=self._delayed.seconds)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        response = await self._streams.run_in_thread(self._respond)
        response.raw_headers += self.raw_headers
        return response

    async def _wait(self) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not await self._streams.run_in_thread(self._delayed.is_due):
            await asyncio.sleep(pause)
            pause = min(pause * _PAUSE_GROWS, _LONGEST_PAUSE_SECONDS)
