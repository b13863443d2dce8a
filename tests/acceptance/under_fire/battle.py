"""What a run under fire shares: the monkey, the count of retries, and how clients are opened.

Outside such a run, servers are left alone and clients are plain: tests need not know which it is.
"""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from subprocess import Popen
from typing import Any

import httpx2 as httpx
from tests.acceptance.under_fire.insisting import Count, InsistingTransport
from tests.acceptance.under_fire.monkey import Fire, Monkey


@dataclass
class Battle:
    """A run under fire."""

    fire: Fire
    monkey: Monkey = field(init=False)
    count: Count = field(default_factory=Count)

    def __post_init__(self) -> None:
        self.monkey = Monkey(self.fire)


_under_way: list[Battle] = []


def begin_battle(fire: Fire) -> Battle:
    """Have every server on PostgreSQL be struck from now on."""
    _under_way[:] = [Battle(fire)]
    return _under_way[0]


def battle() -> Battle | None:
    """Return the run under fire, if this is one."""
    return _under_way[0] if _under_way else None


def environment_of(url: str) -> dict[str, str]:
    """Return what a server on this database is told in addition."""
    now = battle()
    if now is None or not url.startswith("postgresql"):
        return {}
    return {"ROUNDSMAN_WORKERS": str(now.fire.processes)}


@contextmanager
def struck(server: Popen[str], address: str, url: str) -> Iterator[None]:
    """Have a server struck while the block runs, if this is a run under fire."""
    now = battle()
    if now is None or not url.startswith("postgresql"):
        yield
        return
    with now.monkey.striking(server.pid, address):
        yield


@cache
def _usual_certificates() -> ssl.SSLContext:
    """Return whom every client trusts, read once: reading them takes a client's 30 ms."""
    return httpx.create_ssl_context()


def open_client(source: str = "127.0.0.1", **options: Any) -> httpx.Client:
    """Return a client that calls from a loopback address, and insists under fire."""
    transport: httpx.BaseTransport = httpx.HTTPTransport(
        verify=_usual_certificates(), local_address=source
    )
    now = battle()
    if now is not None:
        transport = InsistingTransport(transport, now.count)
    return httpx.Client(timeout=60, transport=transport, **options)
