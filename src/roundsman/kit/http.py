"""Asking others over HTTP: the only place that knows a client library.

Connections are pooled, and nothing happens behind the caller's back: no redirect is followed, no
request repeated, no compressed answer unpacked. A whole exchange has a deadline that an answer
arriving byte by byte cannot stretch, and an answer has a size. Whatever goes wrong is one of the
failures below; their words name the host and never the path or the query, where coordinates and
addresses of customers are.
"""

import io
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode, urlsplit

import msgspec
import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 64 * 1024


class HttpFailure(Exception):
    """An exchange that brought no usable answer."""


class Unreachable(HttpFailure):
    """No connection, or one that broke before the answer was whole."""


class RefusedAddress(HttpFailure):
    """A host that the client's guard lets nobody connect to; nothing was sent."""


class TimedOut(HttpFailure):
    """No whole answer in time."""


class TooLarge(HttpFailure):
    """An answer of more bytes than the client takes."""


class BadStatus(HttpFailure):
    """An answer that is no success, where only a success was of use."""

    def __init__(self, host: str, response: "HttpResponse") -> None:
        super().__init__(f"{host} answered {response.status}")
        self.response = response


class BadJson(HttpFailure):
    """An answer that is no JSON, or not of the expected shape."""


class ChooseAddress(Protocol):
    """Says where to connect to, so that a name that changes meanwhile leads nowhere else."""

    def __call__(self, host: str, *, is_encrypted: bool) -> str:
        """Return the address of a host; raise ValueError where nobody may connect to it."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpLimits:
    """How long an exchange may take and how much it may bring."""

    connect_seconds: float = 2
    read_seconds: float = 10
    """The longest silence while an answer is awaited or coming in."""
    deadline_seconds: float = 30
    """For the whole exchange, from the connection to the last byte."""
    max_bytes: int = 16 * 1024 * 1024
    connections: int = 8
    """Kept open per host; more are opened when needed and closed after their answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpResponse:
    """A whole answer; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def is_success(self) -> bool:
        """Tell whether the status is one of success."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


@dataclass(frozen=True, kw_only=True, slots=True)
class OutgoingRequest:
    """What is asked: `query` is added to the URL, `body` is bytes, or a value sent as JSON."""

    url: str
    method: str = "GET"
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None

    def host(self) -> str:
        """Return the part of the URL that may be named in a log."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


class HttpClient:
    """Keeps connections open; any thread may ask."""

    def __init__(
        self,
        user_agent: str,
        limits: HttpLimits | None = None,
        *,
        ca: Path | None = None,
        choose_address: ChooseAddress | None = None,
    ) -> None:
        self.limits = limits or HttpLimits()
        self._choose_address = choose_address
        self._user_agent = user_agent
        self._pools = urllib3.PoolManager(
            num_pools=16,
            maxsize=self.limits.connections,
            block=False,
            retries=False,
            ca_certs=str(ca) if ca else None,
        )
        self._pools.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}

    def exchange(
        self, request: OutgoingRequest, deadline_seconds: float | None = None
    ) -> HttpResponse:
        """Return the answer whatever its status; raise an `HttpFailure` when there is none."""
        limits, host = self.limits, request.host()
        _exchange.ends_at = time.monotonic() + (deadline_seconds or limits.deadline_seconds)
        _exchange.silence = limits.read_seconds
        _exchange.choose_address = self._choose_address
        try:
            response = self._send(request)
            try:
                body = self._read(response, host)
            except BaseException:
                response.close()  # half an answer is left in it
                raise
            response.release_conn()
        except urllib3.exceptions.NewConnectionError as error:  # a time-out to the library
            raise Unreachable(f"{host} cannot be reached: {_reason(error)}") from error
        except (urllib3.exceptions.TimeoutError, TimeoutError) as error:
            raise TimedOut(f"{host} did not answer in time") from error
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise Unreachable(f"{host} cannot be reached: {_reason(error)}") from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpResponse(status=response.status, headers=headers, body=body)

    def fetch_json[T](
        self, request: OutgoingRequest, shape: type[T], deadline_seconds: float | None = None
    ) -> T:
        """Return the JSON of a successful answer as a value of this shape."""
        response = self.exchange(request, deadline_seconds)
        if not response.is_success():
            raise BadStatus(request.host(), response)
        return read_json(response, shape, request.host())

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._pools.clear()

    def _send(self, request: OutgoingRequest) -> urllib3.BaseHTTPResponse:
        limits = self.limits
        headers = {"User-Agent": self._user_agent, **request.headers}
        body = request.body
        if body is not None and not isinstance(body, bytes):
            body = msgspec.json.encode(body)
            headers.setdefault("Content-Type", "application/json")
        remaining = _exchange.remaining()
        return self._pools.request(
            request.method,
            _with_query(request.url, request.query),
            body=body,
            headers=headers,
            redirect=False,
            retries=False,
            preload_content=False,
            decode_content=False,
            timeout=urllib3.Timeout(
                connect=min(limits.connect_seconds, remaining), read=limits.read_seconds
            ),
        )

    def _read(self, response: urllib3.BaseHTTPResponse, host: str) -> bytes:
        body = bytearray()
        for chunk in response.stream(_CHUNK, decode_content=False):
            body += chunk
            if len(body) > self.limits.max_bytes:
                raise TooLarge(f"{host} answered more than {self.limits.max_bytes} bytes")
        return bytes(body)


def read_json[T](response: HttpResponse, shape: type[T], host: str) -> T:
    """Return an answer's JSON as a value of this shape."""
    try:
        return msgspec.json.decode(response.body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # The words of a validation error name fields and types, never values.
        reason = str(error) if isinstance(error, msgspec.ValidationError) else "no JSON"
        raise BadJson(f"{host} answered what is not expected: {reason}") from error


def _with_query(url: str, query: Mapping[str, str]) -> str:
    if not query:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(query)}"


def _reason(error: Exception) -> str:
    """Return the cause in the system's words, without the URL that the library adds."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return type(error).__name__


class _Exchange(threading.local):
    """When the exchange of this thread must end; the connection below asks it at every read."""

    ends_at = 0.0
    silence = 0.0
    choose_address: ChooseAddress | None = None

    def remaining(self) -> float:
        remaining = self.ends_at - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("the deadline has passed")
        return remaining


_exchange = _Exchange()


class _HurriedFile(io.RawIOBase):
    """Reads a socket with the time that is left, not with a new allowance for each byte."""

    def __init__(self, sock: Any) -> None:
        self._socket = sock
        # The socket's own file keeps it open until the answer is read, as the library expects.
        self._file = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        self._socket.settimeout(min(_exchange.silence, _exchange.remaining()))
        received: int | None = self._file.readinto(buffer)
        return received

    def close(self) -> None:
        self._file.close()
        super().close()


class _HurriedSocket:
    """A socket, plain or encrypted, whose reads and writes keep to the deadline."""

    def __init__(self, sock: Any) -> None:
        self._socket = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(_exchange.remaining())
        self._socket.sendall(data)

    def makefile(self, *_args: object, **_options: object) -> io.BufferedReader:
        return io.BufferedReader(_HurriedFile(self._socket))


def _address_of(host: str, *, is_encrypted: bool) -> str:
    """Return what to connect to: whoever answered for the host when it was checked, no other."""
    if _exchange.choose_address is None:
        return host
    name = host.strip("[]")
    try:
        return _exchange.choose_address(name, is_encrypted=is_encrypted)
    except ValueError as error:
        raise RefusedAddress(f"{name} {error}") from error


class _Connection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        named = self._dns_host
        self._dns_host = _address_of(named, is_encrypted=False)
        try:
            return super()._new_conn()
        finally:
            self._dns_host = named

    def connect(self) -> None:
        super().connect()
        self.sock = _HurriedSocket(self.sock)  # as good as a socket


class _SecureConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        named = self._dns_host
        self._dns_host = _address_of(named, is_encrypted=True)
        try:
            return super()._new_conn()
        finally:
            self._dns_host = named  # which the certificate is checked against

    def connect(self) -> None:
        super().connect()
        self.sock = _HurriedSocket(self.sock)  # as good as a socket


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection
