"""The stream of changes at the door (decisions §14)."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Coroutine, Sequence
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
_MOST_WAITING = 100

type _Waiting = asyncio.Queue[ServerSentEvent]
"""What is to be sent; who follows waits while it is full."""


@OPERATIONS.add(
    "GET",
    "/changes",
    summary="Follow what changes: `change` events from a cursor on, and drivers' positions",
)
def follow_changes(
    tools: Tools, http: HttpRequest, request: Request, query: Query[FollowChanges]
) -> EventStream:
    """Follow every change of the organization as it happens, as server-sent events. After a break
    go on with `Last-Event-ID`: nothing is lost.
    """
    # Who comes again after a break asks as at first, and names in the header what came last.
    last = http.headers.get(_LAST_EVENT_ID, "")
    cursor, field = (
        (last, "Last-Event-ID") if last else (query.arguments.after, changes.VERSION_FIELD)
    )
    organization_id = request.organization_id
    number = changes.open_change_cursor(tools, organization_id, cursor, field)
    # Made here, so that no position is missed while the stream begins.
    positions = changes.PositionReader(tools, organization_id)

    def follow(streams: Streams) -> AsyncGenerator[ServerSentEvent]:
        waiting: _Waiting = asyncio.Queue(_MOST_WAITING)
        return _yield_from(
            waiting,
            _follow_changes(tools, organization_id, number, streams, waiting),
            _follow_positions(positions, tools, organization_id, streams, waiting),
        )

    return EventStream(follow)


async def _yield_from(
    waiting: _Waiting, *followers: Coroutine[None, None, None]
) -> AsyncGenerator[ServerSentEvent]:
    """Yield what followers put into a queue, until one of them fails."""
    following = [asyncio.create_task(follower) for follower in followers]
    taking = asyncio.create_task(waiting.get())
    try:
        while True:
            await asyncio.wait([taking, *following], return_when=asyncio.FIRST_COMPLETED)
            for follower in following:
                if follower.done():
                    follower.result()
            event = await taking
            taking = asyncio.create_task(waiting.get())
            yield event
    finally:
        for task in (taking, *following):
            task.cancel()
        await asyncio.gather(taking, *following, return_exceptions=True)


async def _follow_changes(
    tools: Tools,
    organization_id: str,
    number: int,
    streams: Streams,
    waiting: _Waiting,
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
    reader: changes.PositionReader,
    tools: Tools,
    organization_id: str,
    streams: Streams,
    waiting: _Waiting,
) -> None:
    def read(number: int) -> Awaitable[Sequence[tuple[int, DriverPosition]]]:
        return streams.run_in_thread(reader.read, number)

    logs: SharedLogs[DriverPosition] = streams.shared_logs("positions", tools.change_signal)
    async with aclosing(logs.follow(organization_id, None, read)) as log:
        async for found in log:
            for _, position in found:
                data = msgspec.json.encode(position)
                await waiting.put(ServerSentEvent(name="position", data=data))
