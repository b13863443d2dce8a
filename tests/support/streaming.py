"""A served application and a client that reads its answers part by part, over a real socket."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.api.conftest import World
from tests.support.ports import listening_for_bytes

from roundsman.cli.server import Server, Serving, make_config
from roundsman.domain.principal import Scope, link_holder
from roundsman.endpoints.application import Application
from roundsman.endpoints.connections import ConnectionLimits, ConnectionTimeouts
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import create_credentials, sign_in_client
from roundsman.operations.request import Request

HEARTBEAT = b":\n\n"
SOON = 30.0
"""Less than the drain of a server, and much more than anything here takes."""


class _Server(Server):
    """The server, but in a thread, which signals do not reach."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass
class Served:
    """Where an application is served."""

    address: tuple[str, int]
    stop: Callable[[], bool]
    """Stops the server and says whether it ended soon."""


@contextmanager
def serving(
    application: Application, timeouts: ConnectionTimeouts | None = None
) -> Iterator[Served]:
    """Serve an application in a thread, and close it in the end."""
    connections = ConnectionLimits(timeouts=timeouts or ConnectionTimeouts())
    config = make_config(application, Serving(limits=connections))
    server = _Server(config, lambda: None, application.end_streams)
    with listening_for_bytes() as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()

        def stop() -> bool:
            server.should_exit = True
            thread.join(SOON / 2)
            return not thread.is_alive()

        try:
            yield Served(bound.getsockname(), stop)
        finally:
            server.should_exit = True
            thread.join(60)
            application.close()


class Client:
    """Asks for one answer, and reads it part by part."""

    def __init__(
        self, address: tuple[str, int], path: str, token: str, method: str = "GET", **headers: str
    ) -> None:
        self.connection = socket.create_connection(address, timeout=SOON)
        self._file = self.connection.makefile("rb")
        head = f"{method} {path} HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n"
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.connection.sendall(f"{head}{more}Authorization: Bearer {token}\r\n\r\n".encode())
        self.status = int(self._file.readline().split()[1])
        lines = iter(self._file.readline, b"\r\n")
        pairs = (line.decode().split(":", 1) for line in lines)
        self.headers = {name.lower(): value.strip() for name, value in pairs}

    def part(self) -> bytes:
        """Return what was sent next; nothing at the end of the answer."""
        size = int(self._file.readline(), 16)
        part = self._file.read(size)
        self._file.readline()
        return part

    def event(self) -> bytes:
        """Return the next event; nothing at the end of the answer."""
        while (part := self.part()) == HEARTBEAT:
            pass
        return part

    def json(self) -> Any:
        return json.loads(self._file.read(int(self.headers["content-length"])))

    def close(self) -> None:
        self._file.close()
        self.connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sign_in(world: World, scopes: frozenset[Scope] = frozenset(Scope)) -> tuple[str, str]:
    """Return a new client of the world's organization and its token."""
    registrar = make_registrar(world.tools)
    organization = world.credentials.organization_id
    made = create_credentials(registrar, organization, "dev@example.com", scopes)
    stranger = Request(principal=link_holder(""))
    token = sign_in_client(world.tools, stranger, made.client_id, made.client_secret).text
    return made.client_id, token
