"""A port that a test was told of stays its own until its server listens there."""

import errno
import socket

import pytest
from tests.support.ports import free_port


def test_servers_listen_on_a_free_port_again_and_again_and_nobody_else_is_given_it() -> None:
    port = free_port()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    for _ in range(2):  # as a server that dies and comes back
        with socket.create_server(("127.0.0.1", port)):
            socket.create_connection(("127.0.0.1", port)).close()
    # As the port that the system chooses for a connection, or for whoever asks for any.
    with socket.socket() as other, pytest.raises(OSError) as taken:  # noqa: PT011 -- by its number
        other.bind(("127.0.0.1", port))
    assert taken.value.errno == errno.EADDRINUSE
