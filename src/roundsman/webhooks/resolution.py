"""Resolves host names, with a limit to how long a caller waits.

The operating system's look-up cannot be interrupted. So each one runs in a daemon thread of its
own, one for each host and at most a few dozen in all, and callers stop waiting at the limit.
"""

import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from ipaddress import ip_address

from roundsman.webhooks.address_guard import Address, HostResolver, Unresolvable

_LONGEST_LOOKUP_SECONDS = 5
_MOST_LOOKUPS = 64


class SystemResolver:
    """The operating system's resolver."""

    def resolve(self, host: str) -> Sequence[Address]:
        """Return every address of a host; raise Unresolvable when it has none."""
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise Unresolvable(host) from error
        return [ip_address(entry[4][0]) for entry in found]


class HostLookups:
    """Look-ups under way; callers that need the same host share one."""

    def __init__(self, resolver: HostResolver) -> None:
        self._resolver = resolver
        self._under_way: dict[str, Future[Sequence[Address]]] = {}
        self._lock = threading.Lock()

    def start(self, host: str) -> Future[Sequence[Address]]:
        """Return a future of the addresses; raise Unresolvable if too many wait already."""
        with self._lock:
            lookup = self._under_way.get(host)
            if lookup is not None:
                return lookup
            if len(self._under_way) >= _MOST_LOOKUPS:
                raise Unresolvable(f"{host}: too many names are being looked up")
            lookup = self._under_way[host] = Future()
            # A running future cannot be cancelled, so one caller that gives up leaves the others.
            lookup.set_running_or_notify_cancel()
        threading.Thread(
            target=self._look_up, args=[host, lookup], name="look-up", daemon=True
        ).start()
        return lookup

    def _look_up(self, host: str, lookup: Future[Sequence[Address]]) -> None:
        try:
            found = self._resolver.resolve(host)
        except Exception as error:  # noqa: BLE001 -- handed to whoever waits
            self._forget(host)
            lookup.set_exception(error)
        else:
            self._forget(host)
            lookup.set_result(found)

    def _forget(self, host: str) -> None:
        with self._lock:
            del self._under_way[host]


class TimedResolver:
    """Puts a time limit on another resolver."""

    def __init__(self, resolver: HostResolver, seconds: float = _LONGEST_LOOKUP_SECONDS) -> None:
        self._lookups = HostLookups(resolver)
        self._seconds = seconds

    def resolve(self, host: str) -> Sequence[Address]:
        """Return every address of a host; raise Unresolvable when it has none, or not in time."""
        try:
            return self._lookups.start(host).result(self._seconds)
        except TimeoutError as error:
            raise Unresolvable(f"{host}: no answer in {self._seconds} s") from error
