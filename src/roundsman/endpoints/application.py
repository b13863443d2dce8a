"""All doors as one ASGI application: bytes in, an operation found and run, bytes out.

The event loop only moves bytes and runs streams. A bug is logged with its trace and answered
without it; paths are never logged, because some of them hold a secret.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import structlog
from msgspec.structs import replace
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from roundsman.domain.errors import NotFound, ResourceExhausted, RoundsmanError, Unauthenticated
from roundsman.endpoints.access import Access, Admitted, Anybody, HttpRequest
from roundsman.endpoints.access_log import note_request, trace_request
from roundsman.endpoints.bodies import comes_at_once, receive_body
from roundsman.endpoints.delayed import DelayedResponse
from roundsman.endpoints.error_pages import as_page, wants_error_page
from roundsman.endpoints.errors import (
    PayloadTooLarge,
    error_response,
    internal_error,
    method_not_allowed,
)
from roundsman.endpoints.operation import Operation, Pool
from roundsman.endpoints.outbound_threads import OutboundThreads
from roundsman.endpoints.pipeline import Pipeline, refuse
from roundsman.endpoints.responses import harden
from roundsman.endpoints.router import Found, PathTable, WrongMethod
from roundsman.endpoints.search_queue import SearchQueue
from roundsman.endpoints.streams import StreamLimits, Streams
from roundsman.endpoints.transport import Transport
from roundsman.kit.ids import new_request_id
from roundsman.operations.tools import Tools
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias

_THREADS: Mapping[Pool, int] = {
    # Few, because threads that are never idle long fight for the interpreter: with 16 a read cost
    # 390 µs of processor time, with 4 it cost 200.
    Pool.READ: 4,
    # Many, because a change may wait seconds for another with the same idempotency key, and drawing
    # a route for a road engine.
    Pool.CHANGE: 16,
    # A picture is decoded in a process of its own, which a thread waits for.
    Pool.UPLOAD: 8,
}
_STREAM_LIMITS = StreamLimits()
_log = structlog.get_logger("roundsman.endpoints")


class ClosableApp(Protocol):
    """An application beside the doors, such as that of monitoring."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        ...

    def close(self) -> None:
        """Let its threads go."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """Operations for one kind of clients, below one path."""

    prefix: str
    operations: Sequence[Operation]
    access: Access = field(default_factory=Anybody)
    """Who pays for requests to paths that do not exist."""

    alias: FieldAlias = NO_ALIAS


@dataclass(frozen=True, kw_only=True, slots=True)
class _Endpoint:
    """An operation at its full path."""

    method: str
    path: str
    operation: Operation
    alias: FieldAlias


class Doors:
    """Doors side by side, and the table of their paths; every application may share them."""

    def __init__(self, doors: Sequence[Door]) -> None:
        self.longest_first = sorted(doors, key=lambda door: -len(door.prefix))
        self.aliases = {door.alias for door in doors}
        self.paths = PathTable([one for door in doors for one in _endpoints(door)])


class Application:
    """Serves every door."""

    def __init__(
        self,
        doors: Doors,
        tools: Tools,
        transport: Transport,
        others: Mapping[str, ClosableApp] | None = None,
        stream_limits: StreamLimits = _STREAM_LIMITS,
    ) -> None:
        """Serve doors, and `others` by their paths, which answer by themselves."""
        self._others = others or {}
        self.tools = tools
        self.searches = SearchQueue()
        self._outbound = OutboundThreads()
        self._transport = transport
        self._doors = doors
        self._streams = Streams(self._run_read, stream_limits)
        self._pipelines = {
            alias: Pipeline(tools=tools, streams=self._streams, alias=alias)
            for alias in doors.aliases
        }
        self._threads = {
            pool: ThreadPoolExecutor(threads, pool.name.lower())
            for pool, threads in _THREADS.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        other = self._others.get(scope["path"])
        if other is not None:
            await other(scope, receive, send)
            return
        with trace_request(scope):
            await self._answer_one(scope, receive, send)

    async def _answer_one(self, scope: Scope, receive: Receive, send: Send) -> None:
        if wants_error_page(scope):
            send = as_page(scope, receive, send)
        request = Request(scope, receive)
        request_id = new_request_id(self.tools.ids)
        begun = time.perf_counter()
        path = _raw_path(request)
        found = self._doors.paths.find(request.method, path)
        try:
            response = await self._answer(request, path, found)
            if isinstance(response, DelayedResponse):
                waits_from = time.perf_counter()
                response = await response.become()
                # Whoever wants to wait is not kept waiting.
                begun += time.perf_counter() - waits_from
        except ClientDisconnect:
            return
        except RoundsmanError as error:
            response = error_response(error)
        except Exception:  # noqa: BLE001 -- the door catches bugs, once, with their trace
            _log.exception("request_failed", request_id=request_id)
            response = internal_error(request_id)
        response.raw_headers.append((b"x-request-id", request_id.encode()))
        harden(response)
        name = found.operation.operation.id if isinstance(found, Found) else "none"
        note_request(request_id, name, response.status_code, time.perf_counter() - begun)
        await response(scope, receive, send)

    async def _answer(
        self, request: Request, path: str, found: Found[_Endpoint] | WrongMethod | None
    ) -> Response:
        self._transport.require_secure(request)
        match found:
            case Found():
                return await self._run(request, path, found)
            case WrongMethod():
                return await self._turn_away(request, path, method_not_allowed(found.allowed))
        return await self._turn_away(request, path, error_response(NotFound("no such path")))

    async def _turn_away(self, request: Request, path: str, refusal: Response) -> Response:
        """Answer a request that reaches no operation; a client pays for it all the same."""
        doors = (door.access for door in self._doors.longest_first if path.startswith(door.prefix))
        access = next(doors, Anybody())
        if not access.has_credentials or "authorization" not in request.headers:
            return refusal
        http = self._http(request, path, {})
        try:
            admitted = await self._run_in(Pool.READ, access.admit, self.tools, http)
        except Unauthenticated:
            return refusal  # whoever has no token is told of the path, not of the token
        refusal.raw_headers += admitted.rate_headers()
        if admitted.verdict is not None and not admitted.verdict.is_allowed:
            return _too_often(admitted)
        return refusal

    async def _run(self, request: Request, path: str, found: Found[_Endpoint]) -> Response:
        endpoint = found.operation
        operation, pipeline = endpoint.operation, self._pipelines[endpoint.alias]
        http = self._http(request, path, found.parameters)
        admitted: Admitted | None = None
        is_long = not comes_at_once(request.headers)
        has_turns = operation.pool in {Pool.SEARCH, Pool.OUTBOUND}
        if operation.access.has_credentials and (is_long or has_turns):
            # Nobody's long body is collected before it is known whose it is, and a search waits for
            # the turn of its organization.
            known = await self._run_in(Pool.READ, pipeline.admit, operation, http)
            if isinstance(known, Response):
                return known
            admitted = known
        try:
            body = await receive_body(request.receive, operation.most_body_bytes, request.headers)
        except PayloadTooLarge as error:
            if admitted is not None:
                return refuse(operation, http, admitted, error)
            return await self._turn_away(request, path, operation.show_error(http, error))
        http = replace(http, body=body)
        if operation.pool is Pool.OUTBOUND:
            return await self._reach_out(endpoint, http, admitted)
        if not operation.notices_departure:
            return await self._run_in(operation.pool, pipeline.answer, operation, http, admitted)
        gone = threading.Event()
        http = replace(http, has_left=gone.is_set)
        if operation.pool is Pool.SEARCH and admitted is not None:
            return await self._search(request, endpoint, http, admitted, gone)
        async with _noticing_departure(request, gone.set):
            return await self._run_in(operation.pool, pipeline.answer, operation, http, admitted)

    async def _reach_out(
        self, endpoint: _Endpoint, http: HttpRequest, admitted: Admitted | None
    ) -> Response:
        operation, pipeline = endpoint.operation, self._pipelines[endpoint.alias]
        answer = partial(copy_context().run, pipeline.answer, operation, http, admitted)
        whose = admitted.principal.organization_id if admitted is not None else http.address
        try:
            answered = self._outbound.submit(whose, answer)
        except ResourceExhausted as error:
            if admitted is None:
                return operation.show_error(http, error)
            return refuse(operation, http, admitted, error)
        return await asyncio.wrap_future(answered)

    async def _search(
        self,
        request: Request,
        endpoint: _Endpoint,
        http: HttpRequest,
        admitted: Admitted,
        gone: threading.Event,
    ) -> Response:
        operation, pipeline = endpoint.operation, self._pipelines[endpoint.alias]
        # In the context of the request, whose span a search is part of.
        answer = partial(copy_context().run, pipeline.answer, operation, http, admitted)
        try:
            search = self.searches.submit(admitted.principal.organization_id, answer)
        except RoundsmanError as error:
            return refuse(operation, http, admitted, error)

        def leave() -> None:
            gone.set()
            self.searches.forget(search)

        async with _noticing_departure(request, leave):
            try:
                return await asyncio.wrap_future(search.answer)
            except asyncio.CancelledError:
                if gone.is_set():
                    raise ClientDisconnect from None
                raise

    def _http(self, request: Request, path: str, parameters: Mapping[str, str]) -> HttpRequest:
        return HttpRequest(
            path=path,
            method=request.method,
            parameters=parameters,
            headers=request.headers,
            query=request.scope["query_string"].decode("latin-1"),
            address=self._transport.source(request),
            is_https=self._transport.is_https(request),
        )

    async def _run_in[*Given, T](
        self, pool: Pool, work: Callable[[*Given], T], *given: *Given
    ) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads[pool], copy_context().run, work, *given)

    async def _run_read[*Given, T](self, work: Callable[[*Given], T], *given: *Given) -> T:
        return await self._run_in(Pool.READ, work, *given)

    def end_streams(self) -> None:
        """End the answers that would go on; called on the event loop, when the server stops."""
        self._streams.end_all()

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        for threads in self._threads.values():
            threads.shutdown()
        self.searches.close()
        self._outbound.close()
        self.tools.failures.wait()
        for other in {id(other): other for other in self._others.values()}.values():
            other.close()


def _endpoints(door: Door) -> list[_Endpoint]:
    """Return a door's operations under every path that they have."""
    return [
        _Endpoint(method=one.method, path=door.prefix + path, operation=one, alias=door.alias)
        for one in door.operations
        for path in dict.fromkeys([door.alias.path(one.path), one.path])
    ]


def _too_often(admitted: Admitted) -> Response:
    wait = admitted.verdict.retry_after_seconds if admitted.verdict else 0
    response = error_response(ResourceExhausted("rate limit exceeded", wait))
    response.raw_headers += admitted.rate_headers()
    return response


def _raw_path(request: Request) -> str:
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


@asynccontextmanager
async def _noticing_departure(request: Request, leave: Callable[[], object]) -> AsyncIterator[None]:
    """Call `leave` when the client hangs up, so that nobody works for nobody."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        leave()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
