"""Ports for who has to be told of one before it listens there, or listens there again."""

import socket

_keepers: list[socket.socket] = []


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
