"""Ports for who has to be told of one before it listens there, or listens there again."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

_keepers: list[socket.socket] = []
_ACCEPTED_AFTER_SECONDS = 60


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port on which nobody listens, and which nobody gets who asks for any port.

    A server that is told of it takes a while to start, and one that died as long to come back;
    other tests open connections and servers meanwhile. So a socket that does not listen keeps the
    port as long as this process runs. Servers, which set SO_REUSEADDR, may listen beside it.
    """
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind((host, 0))
    _keepers.append(keeper)
    port: int = keeper.getsockname()[1]
    return port


@contextmanager
def listening_for_bytes() -> Iterator[socket.socket]:
    """Yield a listening socket that accepts a connection when its first bytes are there.

    How long a client may be silent is counted from then: a busy machine lets one wait between its
    connecting and its sending, which is no slowness that a test means.
    """
    with socket.create_server(("127.0.0.1", 0)) as bound:
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, _ACCEPTED_AFTER_SECONDS)
        yield bound
