import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec
import pytest

from roundsman.kit.http import (
    BadJson,
    BadStatus,
    HttpClient,
    HttpFailure,
    HttpLimits,
    OutgoingRequest,
    RefusedAddress,
    TimedOut,
    TooLarge,
    Unreachable,
)

_SECRET_PATH = "/at/39.2904,-76.6122"


class SubmittedAction(msgspec.Struct):
    name: str


class Peer:
    """A server that says to each connection exactly the bytes it was given, then what `ending` is.

    `hold` keeps silent, `close` hangs up, `drip` sends a space again and again.
    """

    def __init__(self, answer: bytes, ending: str) -> None:
        self.answer, self.ending = answer, ending
        self.requests: list[bytes] = []
        self.connections = 0
        self.over = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.threads = [threading.Thread(target=self._accept)]
        self.threads[0].start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._talk, args=[connection])
            self.threads.append(thread)
            thread.start()

    def _talk(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        with connection, suppress(OSError):
            while request := connection.recv(65536):
                self.requests.append(request)
                connection.sendall(self.answer)
                while self.ending == "drip" and not self.over.wait(0.02):
                    connection.sendall(b" ")
                if self.ending == "hold":
                    self.over.wait(10)
                if self.ending == "close":
                    return

    def stop(self) -> None:
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@contextmanager
def answering(answer: bytes, ending: str = "") -> Iterator[Peer]:
    peer = Peer(answer, ending)
    try:
        yield peer
    finally:
        peer.stop()
        for thread in peer.threads:
            thread.join(timeout=10)


def _answer(body: bytes, status: str = "200 OK", more: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\n{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.fixture
def http() -> Iterator[HttpClient]:
    limits = HttpLimits(
        connect_seconds=1, read_seconds=0.3, deadline_seconds=0.6, max_bytes=1000, connections=2
    )
    client = HttpClient("Roundsman/test", limits)
    yield client
    client.close()


def test_json_comes_back_in_its_shape_over_one_connection(http: HttpClient) -> None:
    with answering(_answer(b'{"name":"Ann"}')) as peer:
        request = OutgoingRequest(url=f"{peer.url}/who", query={"q": "a b", "lang": "en"})
        assert http.fetch_json(request, SubmittedAction) == SubmittedAction(name="Ann")
        assert http.fetch_json(request, SubmittedAction) == SubmittedAction(name="Ann")
        http.close()
    assert peer.connections == 1
    assert peer.requests[0].startswith(b"GET /who?q=a+b&lang=en HTTP/1.1\r\n")
    assert b"User-Agent: Roundsman/test\r\n" in peer.requests[0]
    assert b"Accept-Encoding: identity\r\n" in peer.requests[0]


def test_a_value_is_sent_as_json(http: HttpClient) -> None:
    with answering(_answer(b"{}"), "close") as peer:
        http.exchange(OutgoingRequest(url=peer.url, method="POST", body={"a": [1, 2]}))
    assert b"Content-Type: application/json\r\n" in peer.requests[0]


def test_a_redirect_is_an_answer_and_is_not_followed(http: HttpClient) -> None:
    moved = _answer(b"", "302 Found", "Location: http://127.0.0.1:1/\r\n")
    with answering(moved) as peer:
        response = http.exchange(OutgoingRequest(url=peer.url))
        assert (response.status, response.is_success()) == (302, False)
        with pytest.raises(BadStatus, match="answered 302"):
            http.fetch_json(OutgoingRequest(url=peer.url), SubmittedAction)
        http.close()


@pytest.mark.parametrize(
    ("answer", "ending", "failure"),
    [
        (b"", "hold", TimedOut),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "hold", TimedOut),
        (b"HTTP/1.1 200 OK\r\nX-Slow:", "drip", TimedOut),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", "drip", TimedOut),
        (b"", "close", Unreachable),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "close", Unreachable),
        (b"something else\r\n\r\n", "close", Unreachable),
        (_answer(b"x" * 1001), "close", TooLarge),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001, "close", TooLarge),
        (_answer(b"<html>"), "close", BadJson),
        (_answer(b'{"name": 5}'), "close", BadJson),
        (_answer(b"no", "500 Internal Server Error"), "close", BadStatus),
    ],
)
def test_every_failure_has_its_type_and_keeps_the_path_to_itself(
    http: HttpClient, answer: bytes, ending: str, failure: type[HttpFailure]
) -> None:
    with answering(answer, ending) as peer:
        url = f"{peer.url}{_SECRET_PATH}"
        with pytest.raises(HttpFailure) as caught:
            http.fetch_json(OutgoingRequest(url=url, query={"q": "39.2904"}), SubmittedAction)
    assert type(caught.value) is failure
    assert "39.2904" not in str(caught.value)
    assert str(caught.value).startswith("127.0.0.1:")


def test_nobody_listening_is_unreachable(http: HttpClient) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}{_SECRET_PATH}"
        with pytest.raises(Unreachable, match="cannot be reached: Connection refused"):
            http.exchange(OutgoingRequest(url=url))


def test_a_connection_left_half_read_is_not_used_again(http: HttpClient) -> None:
    with answering(_answer(b"y" * 200_000)) as peer:
        with pytest.raises(TooLarge):
            http.exchange(OutgoingRequest(url=peer.url))
        peer.answer = _answer(b'{"name":"Bob"}')
        assert http.fetch_json(OutgoingRequest(url=peer.url), SubmittedAction) == SubmittedAction(
            name="Bob"
        )
        http.close()
    assert peer.connections == 2


def test_a_deadline_may_be_shorter_for_one_exchange(http: HttpClient) -> None:
    with answering(b"", "hold") as peer, pytest.raises(TimedOut):
        http.exchange(OutgoingRequest(url=peer.url), deadline_seconds=0.05)


def test_a_guarded_client_connects_to_the_address_that_was_checked() -> None:
    asked = []

    def choose(host: str, *, is_encrypted: bool) -> str:
        asked.append((host, is_encrypted))
        return "127.0.0.1"

    client = HttpClient("Roundsman/test", choose_address=choose)
    with answering(_answer(b"{}")) as peer:
        port = peer.url.rpartition(":")[2]
        for _ in range(2):
            assert client.exchange(OutgoingRequest(url=f"http://shop.test:{port}/")).status == 200
        client.close()
    assert asked == [("shop.test", False)]
    assert f"Host: shop.test:{port}".encode() in peer.requests[0]


def test_a_refused_address_is_sent_nothing() -> None:
    def refuse(host: str, *, is_encrypted: bool) -> str:
        del host, is_encrypted
        raise ValueError("must have a public host")

    client = HttpClient("Roundsman/test", choose_address=refuse)
    with answering(_answer(b"{}")) as peer:
        for scheme in ("http", "https"):
            url = f"{scheme}{peer.url.removeprefix('http')}/secret?path"
            with pytest.raises(RefusedAddress, match="must have a public host") as failed:
                client.exchange(OutgoingRequest(url=url))
            assert "secret" not in str(failed.value)
        assert peer.connections == 0
    client.close()
