"""The stream of changes at the door (decisions §14)."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import aclosing

import msgspec

from roundsman.domain.change import Change, DriverPosition
from roundsman.domain.principal import Scope
from roundsman.domain.queries import FollowChanges, Query
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.shared_log import SharedLogs
from roundsman.endpoints.streams import EventStream, ServerSentEvent, Streams
from roundsman.operations import changes
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Changes", ApiClient(), Scope.READ)

_LAST_EVENT_ID = "last-event-id"
_POSITION_SECONDS = 5.0
"""Between two positions of a driver, at least."""

_MOST_WAITING = 100


@OPERATIONS.add(
    "GET",
    "/changes",
    summary="Follow what changes: `change` events from a cursor on, and drivers' positions",
)
def follow_changes(
    tools: Tools, http: HttpRequest, request: Request, query: Query[FollowChanges]
) -> EventStream:
    # Who comes again after a break asks as at first, and names in the header what came last.
    last = http.headers.get(_LAST_EVENT_ID, "")
    cursor, field = (last, "Last-Event-ID") if last else (query.arguments.after, "after")
    organization_id = request.organization_id
    number = changes.open_change_cursor(tools, organization_id, cursor, field)
    since = changes.now_in_micros(tools)
    return EventStream(lambda streams: _follow(tools, organization_id, number, since, streams))


async def _follow(
    tools: Tools, organization_id: str, number: int, since: int, streams: Streams
) -> AsyncGenerator[ServerSentEvent]:
    waiting: asyncio.Queue[ServerSentEvent] = asyncio.Queue(_MOST_WAITING)
    followers = [
        asyncio.create_task(_follow_changes(tools, organization_id, number, streams, waiting)),
        asyncio.create_task(_follow_positions(tools, organization_id, since, streams, waiting)),
    ]
    try:
        while True:
            taking = asyncio.create_task(waiting.get())
            await asyncio.wait([taking, *followers], return_when=asyncio.FIRST_COMPLETED)
            if not taking.done():
                taking.cancel()
                break
            yield taking.result()
        for follower in followers:
            if follower.done():
                follower.result()
    finally:
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)


async def _follow_changes(
    tools: Tools,
    organization_id: str,
    number: int,
    streams: Streams,
    waiting: asyncio.Queue[ServerSentEvent],
) -> None:
    def read(after: int) -> Awaitable[Sequence[tuple[int, Change]]]:
        return streams.run_in_thread(changes.read_changes, tools, organization_id, after)

    logs: SharedLogs[Change] = streams.shared_logs("changes", tools.change_signal)
    async with aclosing(logs.follow(organization_id, number, read)) as log:
        async for found in log:
            for at, change in found:
                cursor = changes.cursor_after(tools, organization_id, at)
                data = msgspec.json.encode(change)
                await waiting.put(ServerSentEvent(name="change", id=cursor, data=data))


async def _follow_positions(
    tools: Tools,
    organization_id: str,
    since: int,
    streams: Streams,
    waiting: asyncio.Queue[ServerSentEvent],
) -> None:
    def read(after: int) -> Awaitable[Sequence[tuple[int, DriverPosition]]]:
        return streams.run_in_thread(changes.read_positions, tools, organization_id, after)

    logs: SharedLogs[DriverPosition] = streams.shared_logs("positions", tools.change_signal)
    clock = asyncio.get_running_loop().time
    sent_at: dict[str, float] = {}
    async with aclosing(logs.follow(organization_id, since, read)) as log:
        async for found in log:
            for _, position in found:
                driver = position.driver_id
                if clock() - sent_at.get(driver, -_POSITION_SECONDS) < _POSITION_SECONDS:
                    continue
                sent_at[driver] = clock()
                data = msgspec.json.encode(position)
                await waiting.put(ServerSentEvent(name="position", data=data))
