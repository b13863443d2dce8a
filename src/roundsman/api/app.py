"""The public interface as an ASGI application: bytes in, an operation found and run, bytes out."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from roundsman.api import (
    authentication,
    drivers,
    events,
    execution,
    imported_stops,
    organization,
    route_crew,
    route_states,
    route_stops,
    route_views,
    routes,
    store_orders,
    termini,
    vehicles,
    webhooks,
)
from roundsman.api.documentation import Page, documentation_pages
from roundsman.api.openapi import BASE_PATH, describe
from roundsman.api.operation import Operation
from roundsman.api.pipeline import Admitted, Arrived, Pipeline
from roundsman.api.search_queue import SearchQueue
from roundsman.domain.errors import NotFound, RoundsmanError
from roundsman.doors.bodies import comes_at_once, receive_body
from roundsman.doors.errors import (
    PayloadTooLarge,
    error_response,
    internal_error,
    method_not_allowed,
)
from roundsman.doors.noting import note_request
from roundsman.doors.paths import Found, PathTable, WrongMethod
from roundsman.doors.transport import Transport
from roundsman.kit.ids import IdSource, new_request_id
from roundsman.kit.tracing import carry

OPERATIONS: tuple[Operation, ...] = (
    *authentication.OPERATIONS,
    *organization.OPERATIONS,
    *imported_stops.OPERATIONS,
    *routes.OPERATIONS,
    *vehicles.OPERATIONS,
    *drivers.OPERATIONS,
    *execution.OPERATIONS,
    *webhooks.OPERATIONS,
    *events.OPERATIONS,
    *store_orders.OPERATIONS,
    *route_states.OPERATIONS,
    *route_crew.OPERATIONS,
    *termini.OPERATIONS,
    *route_stops.OPERATIONS,
    *route_views.OPERATIONS,
)

_READERS = 4
"""Few, because threads that are never idle long fight for the interpreter: measured with 16, a read
cost 390 µs of processor time, with 4 it costs 200."""
_CHANGERS = 16
"""Many, because a change may wait seconds for another with the same idempotency key, and drawing a
route for a road engine."""

_log = structlog.get_logger("roundsman.api")


@dataclass(slots=True)
class PublicInterface:
    """Serves everything below the base path."""

    pipeline: Pipeline
    transport: Transport
    ids: IdSource
    searches: SearchQueue = field(default_factory=SearchQueue)
    _paths: PathTable[Operation] = field(init=False)
    _pages: Mapping[str, Page] = field(default_factory=lambda: documentation_pages(_describe))
    _readers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_READERS, "read")
    )
    _changers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_CHANGERS, "change")
    )

    def __post_init__(self) -> None:
        """Lay out the paths."""
        alias = self.pipeline.alias
        further = [replace(one, path=alias.path(one.path)) for one in OPERATIONS]
        self._paths = PathTable((*further, *OPERATIONS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a bug is logged with its trace and answered without it."""
        request = Request(scope, receive)
        request_id = new_request_id(self.ids)
        begun = time.perf_counter()
        found = self._find(request)
        try:
            response = await self._answer(request, found)
        except ClientDisconnect:
            return
        except RoundsmanError as error:
            response = error_response(error)
        except Exception:  # noqa: BLE001 -- the door catches bugs, once, with their trace
            _log.exception("request_failed", request_id=request_id)
            response = internal_error(request_id)
        response.raw_headers.append((b"x-request-id", request_id.encode()))
        operation = found.operation.id if isinstance(found, Found) else "none"
        note_request(request_id, operation, response.status_code, time.perf_counter() - begun)
        await response(scope, receive, send)

    def _find(self, request: Request) -> Found[Operation] | WrongMethod | Page | None:
        path = _path_below_base(request)
        if path is None:
            return None
        page = self._pages.get(path)
        if page is not None:
            return page if request.method in {"GET", "HEAD"} else WrongMethod(allowed="GET, HEAD")
        return self._paths.find(request.method, path)

    async def _answer(
        self, request: Request, found: Found[Operation] | WrongMethod | Page | None
    ) -> Response:
        self.transport.require_secure(request)
        match found:
            case Page():
                return await _run_in(self._changers, found.show, request.headers)
            case WrongMethod():
                return await self._turn_away(request, method_not_allowed(found.allowed))
            case Found():
                return await self._run(request, found)
        return await self._turn_away(request, error_response(NotFound("no such path")))

    async def _turn_away(self, request: Request, refusal: Response) -> Response:
        authorization = request.headers.get("authorization")
        if authorization is None:
            return refusal
        return await _run_in(self._readers, self.pipeline.turn_away, authorization, refusal)

    async def _run(self, request: Request, found: Found[Operation]) -> Response:
        operation = found.operation
        admitted: Admitted | None = None
        if not operation.is_public and not comes_at_once(request.headers):
            # Nobody's long body is collected before it is known whose it is.
            authorization = request.headers.get("authorization")
            asked = await _run_in(self._readers, self.pipeline.admit, authorization)
            if isinstance(asked, Response):
                return asked
            admitted = asked
        try:
            body = await receive_body(request.receive, operation.most_body_bytes, request.headers)
        except PayloadTooLarge as error:
            if admitted is not None:
                return admitted.refuse(error)
            return await self._turn_away(request, error_response(error))
        gone = threading.Event() if operation.searches else None
        arrived = Arrived(
            operation=operation,
            raw_path=request.scope["path"],
            path=found.parameters,
            headers=request.headers,
            query=request.scope["query_string"].decode("latin-1"),
            body=body,
            cancelled=gone.is_set if gone else None,
            address=self.transport.source(request),
        )
        if gone is not None:
            return await self._search(request, arrived, gone, admitted)
        waits = operation.changes or operation.asks_roads
        threads = self._changers if waits else self._readers
        return await _run_in(threads, self.pipeline.run, arrived, admitted)

    async def _search(
        self,
        request: Request,
        arrived: Arrived,
        gone: threading.Event,
        known: Admitted | None,
    ) -> Response:
        """Let the request in first, so that it is known in whose turn it searches."""
        admitted: Admitted | Response | None = known
        if admitted is None:
            authorization = arrived.headers.get("authorization")
            admitted = await _run_in(self._changers, self.pipeline.admit, authorization)
        if isinstance(admitted, Response):
            return admitted
        perform = partial(self.pipeline.perform, arrived, admitted)
        try:
            search = self.searches.submit(admitted.caller.organization_id, carry(perform))
        except RoundsmanError as error:
            return admitted.refuse(error)

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

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        self._readers.shutdown()
        self._changers.shutdown()
        self.searches.close()


async def _run_in[*Given, T](
    threads: ThreadPoolExecutor, work: Callable[[*Given], T], *given: *Given
) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, carry(work), *given)


def _describe() -> bytes:
    return describe(OPERATIONS)


def _path_below_base(request: Request) -> str | None:
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.partition(b"?")[0].decode("latin-1")
    if path.startswith(BASE_PATH + "/"):
        return path.removeprefix(BASE_PATH)
    return None


@asynccontextmanager
async def _noticing_departure(request: Request, leave: Callable[[], None]) -> AsyncIterator[None]:
    """Call `leave` when the client hangs up, so that nobody searches for nobody."""

    async def watch() -> None:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            leave()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
