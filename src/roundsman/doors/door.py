"""A door as an ASGI application: a table of endpoints, each run in a worker thread.

The event loop only moves bytes. A bug is logged with its trace and answered without it; paths are
never logged, because some of them hold a secret.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from roundsman.domain.errors import NotFound, RoundsmanError
from roundsman.doors.bodies import MOST_OPEN_BODY_BYTES, comes_at_once, receive_body
from roundsman.doors.compression import compress
from roundsman.doors.errors import error_response, internal_error, method_not_allowed
from roundsman.doors.noting import note_request
from roundsman.doors.paths import Found, PathTable, WrongMethod
from roundsman.doors.responses import harden
from roundsman.doors.transport import Transport
from roundsman.kit.ids import IdSource, new_request_id
from roundsman.kit.tracing import carry

_THREADS = 8
"""Few: all doors together should not ask for more connections than the database's pool has."""

_log = structlog.get_logger("roundsman.doors")


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival:
    """A request as it came in, its body whole."""

    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    query: str
    body: bytes
    address: str
    has_left: Callable[[], bool] = lambda: False
    """Says whether the client has hung up, at endpoints that ask."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """A method and a path template, and what stands behind them."""

    id: str
    method: str
    path: str
    handle: Callable[[Arrival], Response]
    admit: Callable[[Arrival], object] | None = None
    """Raises when who asks may send nothing; asked before a long body is read."""

    most_body_bytes: int = MOST_OPEN_BODY_BYTES
    show_error: Callable[[RoundsmanError], Response] = error_response
    may_be_left: bool = False
    """Whether it takes so long that it asks whether the client is still there."""


@dataclass(slots=True)
class Door:
    """Serves its endpoints."""

    endpoints: Sequence[Endpoint]
    transport: Transport
    ids: IdSource
    _workers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_THREADS, "door")
    )
    _paths: PathTable[Endpoint] = field(init=False)

    def __post_init__(self) -> None:
        """Lay out the paths."""
        self._paths = PathTable(self.endpoints)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        request_id = new_request_id(self.ids)
        begun = time.perf_counter()
        found = self._paths.find(request.method, _raw_path(request))
        try:
            response = await self._answer(request, found)
        except ClientDisconnect:
            return
        except RoundsmanError as error:
            response = _show(found, error)
        except Exception:  # noqa: BLE001 -- the door catches bugs, once, with their trace
            _log.exception("request_failed", request_id=request_id)
            response = internal_error(request_id)
        response.raw_headers.append((b"x-request-id", request_id.encode()))
        harden(response)
        operation = found.operation.id if isinstance(found, Found) else "none"
        note_request(request_id, operation, response.status_code, time.perf_counter() - begun)
        await response(scope, receive, send)

    async def _answer(
        self, request: Request, found: Found[Endpoint] | WrongMethod | None
    ) -> Response:
        self.transport.require_secure(request)
        match found:
            case None:
                raise NotFound("no such path")
            case WrongMethod():
                return method_not_allowed(found.allowed)
            case Found():
                return await self._run(request, found)

    async def _run(self, request: Request, found: Found[Endpoint]) -> Response:
        arrival = Arrival(
            parameters=found.parameters,
            headers=request.headers,
            query=request.url.query,
            body=b"",
            address=self.transport.source(request),
        )
        endpoint, loop = found.operation, asyncio.get_running_loop()
        if endpoint.admit is not None and not comes_at_once(request.headers):
            await loop.run_in_executor(self._workers, carry(endpoint.admit), arrival)
        body = await receive_body(request.receive, endpoint.most_body_bytes, request.headers)
        arrival = replace(arrival, body=body)
        if not endpoint.may_be_left:
            return await self._in_thread(endpoint, arrival)
        left = threading.Event()
        watching = asyncio.create_task(_watch(request.receive, left))
        try:
            return await self._in_thread(endpoint, replace(arrival, has_left=left.is_set))
        finally:
            watching.cancel()

    async def _in_thread(self, endpoint: Endpoint, arrival: Arrival) -> Response:
        handle = carry(partial(_handle, endpoint))
        return await asyncio.get_running_loop().run_in_executor(self._workers, handle, arrival)

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        self._workers.shutdown()


def _handle(endpoint: Endpoint, arrival: Arrival) -> Response:
    response = endpoint.handle(arrival)
    compress(response, arrival.headers.get("accept-encoding", ""))
    return response


async def _watch(receive: Receive, left: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    left.set()


def _raw_path(request: Request) -> str:
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


def _show(found: Found[Endpoint] | WrongMethod | None, error: RoundsmanError) -> Response:
    return found.operation.show_error(error) if isinstance(found, Found) else error_response(error)
