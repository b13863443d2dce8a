"""What somebody on the way between a client and a server can read."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Wiretap:
    """A port that hands on to another one and keeps what the client sends."""

    port: int
    sent: bytearray = field(default_factory=bytearray)


@contextmanager
def tapped(port: int) -> Iterator[Wiretap]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        tap = Wiretap(listening.getsockname()[1])
        thread = threading.Thread(target=_accept, args=(listening, port, tap))
        thread.start()
        yield tap
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


def _accept(listening: socket.socket, port: int, tap: Wiretap) -> None:
    handing_on: list[threading.Thread] = []
    while True:
        try:
            client, _ = listening.accept()
        except OSError:  # the end of the block
            break
        server = socket.create_connection(("127.0.0.1", port))
        for pair, kept in (((client, server), tap.sent), ((server, client), bytearray())):
            handing_on.append(threading.Thread(target=_hand_on, args=(*pair, kept)))
            handing_on[-1].start()
    for thread in handing_on:
        thread.join()


def _hand_on(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    try:
        while part := source.recv(65_536):
            kept += part
            target.sendall(part)
    except OSError:  # one of both has gone
        pass
    for one in (source, target):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            continue
        finally:
            one.close()
