"""A port that a test was told of stays its own until its server listens there."""

import errno
import socket

import pytest
from tests.support.ports import free_port, listening_for_bytes


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


def test_a_connection_is_accepted_with_its_first_bytes() -> None:
    with listening_for_bytes() as bound, socket.create_connection(bound.getsockname()) as client:
        bound.settimeout(0)
        with pytest.raises(BlockingIOError):
            bound.accept()
        bound.settimeout(60)
        client.sendall(b"hello")
        accepted, _ = bound.accept()
        with accepted:
            assert accepted.recv(5) == b"hello"
