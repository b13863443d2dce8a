"""Sends one event to one receiver over HTTP, and returns the outcome; a receiver raises nothing.

The address guard checks the address of every socket just before it connects, whatever the name
resolved to earlier. Redirects are not followed, proxies of the environment are not used, cookies
are not kept, and compressed answers are not unpacked. One time limit covers the whole exchange, so
that neither silence nor a slow answer holds up a worker.
"""

import asyncio
import errno
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp
import aiohttp.tracing
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_reqrep import ConnectionKey
from msgspec.structs import replace
from yarl import URL

from roundsman.domain.event_delivery import LONGEST_ANSWER, Attempt
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET
from roundsman.kit.clock import Clock
from roundsman.kit.retry_after import read_retry_after
from roundsman.webhooks.address_guard import (
    Address,
    AddressGuard,
    RefusedUrl,
    Unresolvable,
    is_encrypted,
)
from roundsman.webhooks.resolution import HostLookups

EXCHANGE_SECONDS = 10.0
"""Specification, Delivery rules: how soon a receiver has to acknowledge."""

_KEEP_CONNECTION_SECONDS = 3
"""Shorter than most servers' keep-alive, so that a request rarely meets a closing connection."""

_LONGEST_ERROR = 300
_LONGEST_WAIT = timedelta(days=1)


class _RefusedAddress(OSError):
    """The guard refused the address; an OSError, because the client library expects one."""

    def __init__(self, address: Address) -> None:
        super().__init__(errno.EACCES, f"events are not sent to {address}")


@cache
def _trusted(authorities: Path | None) -> ssl.SSLContext:
    """Trust what the system does, and these: reading it takes 30 ms, and each sender would."""
    context = ssl.create_default_context()
    if authorities is not None:
        context.load_verify_locations(cafile=authorities)
    return context


class Sender:
    """An HTTP client that connects only where the guard allows it.

    With `keeps_connections=False` each request has a connection of its own: on a kept one a second
    answer that comes while the next request is sent would be read as the answer to that one.
    """

    def __init__(
        self,
        guard: AddressGuard,
        authorities: Path | None,
        clock: Clock,
        exchange_seconds: float = EXCHANGE_SECONDS,
        *,
        keeps_connections: bool = True,
    ) -> None:
        self._guard = guard
        self._keeps_connections = keeps_connections
        self._clock = clock
        self._exchange_seconds = exchange_seconds
        self._trusted = _trusted(authorities)

    async def __aenter__(self) -> Self:
        # Two sessions, because a socket is made without knowing what will be spoken over it.
        self._encrypted = self._open(is_encrypted=True)
        self._plain = self._open(is_encrypted=False)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._encrypted.close()
        await self._plain.close()

    async def send(
        self, url: str, body: bytes, headers: Mapping[str, str], method: str = "POST"
    ) -> Attempt:
        """Send a body; return how the attempt went."""
        started_at = self._clock.now()
        begun = time.monotonic()
        attempt = Attempt(started_at=started_at, duration=timedelta(0))
        try:
            session = self._encrypted if is_encrypted(url) else self._plain
            async with asyncio.timeout(self._exchange_seconds):
                attempt = await self._exchange(
                    session.request(
                        method,
                        URL(url, encoded=True),
                        data=body,
                        headers=headers,
                        allow_redirects=False,
                    ),
                    attempt,
                )
        except TimeoutError:
            attempt = replace(
                attempt,
                error=f"no answer within {self._exchange_seconds:g} s",
                error_type=IssueType.NO_ANSWER_IN_TIME,
            )
        except RefusedUrl as error:
            attempt = replace(
                attempt,
                error=f"url {error}",
                error_type=IssueType.URL_NOT_ALLOWED,
                was_connected=False,
            )
        except (aiohttp.ClientConnectorError, _RefusedAddress) as error:
            attempt = replace(
                attempt,
                error=_describe(error),
                error_type=_type_of(error),
                was_connected=False,
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            attempt = replace(attempt, error=_describe(error), error_type=_type_of(error))
        return replace(attempt, duration=timedelta(seconds=time.monotonic() - begun))

    async def _exchange(
        self,
        exchange: AbstractAsyncContextManager[aiohttp.ClientResponse],
        attempt: Attempt,
    ) -> Attempt:
        async with exchange as response:
            read = bytearray()
            while len(read) < LONGEST_ANSWER:
                part = await response.content.read(LONGEST_ANSWER - len(read))
                if not part:
                    break
                read += part
            if not response.content.at_eof():
                response.close()  # unread bytes would be read as the next answer
            asked = read_retry_after(response.headers.get("Retry-After", ""), self._clock.now())
            return replace(
                attempt,
                status=response.status,
                # PostgreSQL stores no NUL.
                answer=read.decode("utf-8", "replace").replace("\0", "\ufffd"),
                retry_after=UNSET if asked is None else min(asked, _LONGEST_WAIT),
            )

    def _open(self, *, is_encrypted: bool) -> aiohttp.ClientSession:
        def make_socket(found: aiohttp.AddrInfoType) -> socket.socket:
            family, kind, protocol, _, where = found
            address = ip_address(where[0])
            if not self._guard.may_connect(address, is_encrypted=is_encrypted):
                raise _RefusedAddress(address)
            return socket.socket(family, kind, protocol)

        connector = _QuietConnector(
            limit=0,
            ssl=self._trusted,
            resolver=_GuardedResolver(self._guard, is_encrypted=is_encrypted),
            use_dns_cache=False,
            keepalive_timeout=_KEEP_CONNECTION_SECONDS if self._keeps_connections else None,
            force_close=not self._keeps_connections,
            socket_factory=make_socket,
        )
        return aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=None),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            skip_auto_headers=("Accept", "Accept-Encoding"),
        )


class _QuietConnector(aiohttp.TCPConnector):
    """Keeps no connection on which something came that nobody had asked for (RFC 9112, 9.2).

    The library looks for that when a connection is given back, not when it is taken again.
    """

    async def _get(self, key: ConnectionKey, traces: list[aiohttp.tracing.Trace]) -> Any:
        while (kept := await super()._get(key, traces)) is not None:
            if kept.protocol is not None and not kept.protocol.should_close:
                return kept
            kept.close()
        return None


class _GuardedResolver(AbstractResolver):
    """Refuses a name when any of its addresses is refused, as registration does."""

    def __init__(self, guard: AddressGuard, *, is_encrypted: bool) -> None:
        self._guard = guard
        self._is_encrypted = is_encrypted
        self._lookups = HostLookups(guard.resolver)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return every address of a host."""
        del family
        try:
            addresses = await asyncio.wrap_future(self._lookups.start(host))
        except Unresolvable:
            addresses = ()
        if not addresses:
            raise OSError(errno.EHOSTUNREACH, "the host does not resolve")
        for address in addresses:
            if not self._guard.may_connect(address, is_encrypted=self._is_encrypted):
                raise _RefusedAddress(address)
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Do nothing: threads of look-ups end by themselves."""


def _describe(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientResponseError):
        return f"the answer is not HTTP: {error.message.partition('\n')[0]}"[:_LONGEST_ERROR]
    return f"{type(error).__name__.strip('_')}: {error}"[:_LONGEST_ERROR]


def _type_of(error: Exception) -> IssueType:
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    match error:
        case _ if isinstance(cause, _RefusedAddress):
            return IssueType.ADDRESS_NOT_ALLOWED
        case aiohttp.ClientConnectorDNSError():
            return IssueType.HOST_UNKNOWN
        case aiohttp.ClientConnectorCertificateError():
            return IssueType.CERTIFICATE_NOT_TRUSTED
        case aiohttp.ClientSSLError():
            return IssueType.NOT_ENCRYPTED
        case aiohttp.ClientConnectorError() if isinstance(cause, ConnectionRefusedError):
            return IssueType.CONNECTION_REFUSED
        case aiohttp.ClientConnectorError():
            return IssueType.HOST_UNREACHABLE
        case aiohttp.ClientResponseError():
            return IssueType.NOT_HTTP
        case _:
            return IssueType.CONNECTION_BROKEN
