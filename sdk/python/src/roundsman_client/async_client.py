"""The client of programs that await; the same calls as `Roundsman`."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import replace
from itertools import batched
from typing import Any, Self

import httpx2

from roundsman_client.async_operations import AsyncOperations
from roundsman_client.calls import (
    Access,
    Answered,
    Call,
    IncomingResponse,
    OutgoingRequest,
    Pause,
    SignIn,
    Steps,
    carry_out,
    root_of,
)
from roundsman_client.client import MOST_IMPORTED_AT_ONCE
from roundsman_client.errors import ConnectionFailed, InvalidArgument, RoundsmanError
from roundsman_client.models import ImportedStop, StopDraftInput


class AsyncRoundsman(AsyncOperations):
    """Asks a service as one API client; see `Roundsman`."""

    def __init__(  # noqa: PLR0913 -- each is a setting with a usual value
        self,
        url: str,
        client_id: str,
        client_secret: str,
        *,
        tries: int = 5,
        timeout: float = 60.0,
        http: httpx2.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        on_answer: Callable[[Answered], None] | None = None,
    ) -> None:
        self._access = Access(
            url=root_of(url),
            client_id=client_id,
            client_secret=client_secret,
            tries=tries,
            on_answer=on_answer,
        )
        self._http = http or httpx2.AsyncClient(timeout=timeout)
        self._sleep = sleep
        self._clock = clock
        self._signing_in = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def import_all_stops(
        self, stops: Iterable[StopDraftInput], *, key: str | None = None
    ) -> AsyncIterator[ImportedStop]:
        """Import any number of stops, in pieces of 200; see `Roundsman.import_all_stops`."""
        key = key or str(uuid.uuid4())
        for number, piece in enumerate(batched(stops, MOST_IMPORTED_AT_ONCE)):
            try:
                answer = await self.import_stops(list(piece), idempotency_key=f"{key}-{number}")
            except InvalidArgument as error:
                error.count_from(number * MOST_IMPORTED_AT_ONCE)
                raise
            for stop in answer["stops"]:
                yield stop

    async def _send(self, call: Call) -> Any:
        return await self._drive(carry_out(self._access, call, self._clock))

    async def _walk(self, call: Call, rows: str) -> AsyncIterator[Any]:
        page = await self._send(call)
        for row in page[rows]:
            yield row
        while page["nextCursor"]:
            query = {**call.query, "cursor": page["nextCursor"]}
            page = await self._send(replace(call, query=query))
            for row in page[rows]:
                yield row

    async def _drive(self, steps: Steps) -> Any:
        came: IncomingResponse | Exception | None = None
        while True:
            try:
                step = steps.send(came)
            except StopIteration as done:
                return done.value
            came = None
            if isinstance(step, Pause):
                await self._sleep(step.seconds)
            elif isinstance(step, SignIn):
                came = await self._sign_in(step)
            else:
                came = await self._exchange(step)

    async def _sign_in(self, step: SignIn) -> RoundsmanError | None:
        async with self._signing_in:
            try:
                await self._drive(step.steps)
            except RoundsmanError as error:
                return error
        return None

    async def _exchange(self, request: OutgoingRequest) -> IncomingResponse | Exception:
        try:
            answer = await self._http.request(
                request.method, request.url, headers=dict(request.headers), content=request.content
            )
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            return ConnectionFailed(str(error), was_never_sent=True)
        except httpx2.TransportError as error:
            return ConnectionFailed(str(error) or type(error).__name__)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return IncomingResponse(status=answer.status_code, headers=headers, content=answer.content)
