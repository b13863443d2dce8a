"""What is no HTTP is refused as every other error is, over real sockets."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs

from roundsman.cli.server import make_config
from roundsman.endpoints.connections import MOST_HEAD_BYTES

PATIENCE_SECONDS = 30


class Door:
    """Answers with the body it was sent, once it is allowed to."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.opened.set()
        self.entered = threading.Event()
        self.is_deaf = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self.entered.set()
        try:
            body = b"deaf" if self.is_deaf else await request.body()
        except ClientDisconnect:
            return
        await asyncio.to_thread(self.opened.wait, PATIENCE_SECONDS)
        await PlainTextResponse(body or b"nothing")(scope, receive, send)


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def address(door: Door) -> Iterator[tuple[str, int]]:
    server = uvicorn.Server(make_config(door))
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            door.opened.set()
            server.should_exit = True
            thread.join(60)


@contextmanager
def connected(address: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=PATIENCE_SECONDS) as connection:
        yield connection


def read_to_end(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def exchange(address: tuple[str, int], sent: bytes) -> bytes:
    with connected(address) as connection:
        connection.sendall(sent)
        return read_to_end(connection)


def read_answer(raw: bytes) -> tuple[str, dict[str, str], Any]:
    head, _, body = raw.partition(b"\r\n\r\n")
    status, *lines = head.decode("ascii").split("\r\n")
    pairs = [line.split(": ", 1) for line in lines]
    headers = {name.lower(): value for name, value in pairs}
    assert len(headers) == len(pairs)
    assert int(headers["content-length"]) == len(body)
    return status, headers, json.loads(body)


POST = b"POST /secret HTTP/1.1\r\nHost: here\r\n"
NO_HTTP = {
    "no request line": (b"SECRET\r\n\r\n", "invalid method"),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03secret", "invalid method"),
    "HTTP/9.9": (b"GET /secret HTTP/9.9\r\n\r\n", "version"),
    "HTTP/2.0": (b"GET /secret HTTP/2.0\r\nHost: here\r\n\r\n", "version must be 1.0 or 1.1"),
    "HTTP/2 with prior knowledge": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI"),
    "HTTP/0.9": (b"GET /secret\r\n\r\n", "version must be 1.0 or 1.1"),
    "bad header name": (b"GET / HTTP/1.1\r\nse cret: 1\r\n\r\n", "header"),
    "NUL in a header": (b"GET / HTTP/1.1\r\na: secret\0\r\n\r\n", "header"),
    "bad URL": (b"GET /secret\xff HTTP/1.1\r\n\r\n", "URL"),
    "authority for a path": (b"CONNECT secret:443 HTTP/1.1\r\nHost: here\r\n\r\n", "URL"),
    "no length": (POST + b"Content-Length: secret\r\n\r\n", "content-length"),
    "two lengths": (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "content-length"),
    "endless length": (POST + b"Content-Length: 99999999999999999999\r\n\r\n", "content-length"),
    "length and chunks": (
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "content-length",
    ),
    "bad chunk size": (POST + b"Transfer-Encoding: chunked\r\n\r\nsecret\r\n", "chunk"),
    "chunk too long": (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\nsecret\r\n", "chunk"),
    "two hosts": (
        b"GET / HTTP/1.1\r\nHost: secret\r\nHost: here\r\n\r\n",
        "Host must be sent once",
    ),
    "two hosts of old": (b"GET / HTTP/1.0\r\nHost: secret\r\nHost: b\r\n\r\n", "Host must be sent"),
    "no host": (b"GET /secret HTTP/1.1\r\n\r\n", "Host is missing"),
    "two tokens": (
        POST + b"Authorization: Bearer secret\r\nauthorization: Bearer other\r\n\r\n",
        "Authorization must be sent once",
    ),
    "two codings": (
        POST + b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding",
    ),
    "two codings alike": (
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding",
    ),
    "unknown coding": (POST + b"Transfer-Encoding: secret\r\n\r\n", "transfer-encoding"),
}


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(("sent", "told"), NO_HTTP.values(), ids=NO_HTTP)
def test_what_is_no_http_is_refused_in_the_form_of_an_error(
    address: tuple[str, int], sent: bytes, told: str
) -> None:
    with capture_logs() as logs:
        status, headers, body = read_answer(exchange(address, sent))
    assert status == "HTTP/1.1 400 Bad Request"
    assert headers["content-type"] == "application/json"
    assert headers["connection"] == "close"
    assert set(body) == {"code", "message"}
    assert body["code"] == 3
    assert told.lower() in body["message"].lower()
    (line,) = logs
    assert line["event"] == "request_unreadable"
    assert line["request_id"] == headers["x-request-id"]
    assert line["reason"] == body["message"]
    assert "secret" not in f"{body} {line}".lower()


TOO_MUCH = b"x" * (MOST_HEAD_BYTES + 1)
ENDLESS_HEADS = {
    "line": b"GET /" + TOO_MUCH + b" HTTP/1.1\r\n\r\n",
    "line without end": b"GET /" + TOO_MUCH * 20,
    "header": b"GET / HTTP/1.1\r\na: " + TOO_MUCH + b"\r\n\r\n",
    "header without end": b"GET / HTTP/1.1\r\na: " + TOO_MUCH * 20,
    "many headers": b"GET / HTTP/1.1\r\n" + b"ab: cd\r\n" * (MOST_HEAD_BYTES // 4 + 1) + b"\r\n",
}


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("sent", ENDLESS_HEADS.values(), ids=ENDLESS_HEADS)
def test_a_head_has_a_size(address: tuple[str, int], sent: bytes) -> None:
    status, headers, body = read_answer(exchange(address, sent))
    assert status.split()[1] == "431"
    assert headers["x-request-id"]
    assert body == {"code": 3, "message": "request line and headers must be at most 65536 bytes"}


def test_trailers_have_a_size_too(address: tuple[str, int]) -> None:
    sent = POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"trailer: more\r\n" * 100_000
    assert read_answer(exchange(address, sent))[0].split()[1] == "431"


def test_a_long_path_and_a_long_body_are_fine(address: tuple[str, int]) -> None:
    body = b"x" * 1_000_000
    head = b"POST /" + b"y" * 40_000 + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
    answer = exchange(address, head + b"Content-Length: 1000000\r\n\r\n" + body)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"\r\n\r\n" + body)
    pieces = b"".join(b"1\r\nz\r\n" for _ in range(100_000))
    answer = exchange(address, head + b"Transfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n")
    assert answer.endswith(b"\r\n\r\n" + b"z" * 100_000)


def test_a_request_under_way_gets_its_own_answer_and_not_that_of_the_garbage_behind_it(
    address: tuple[str, int], door: Door
) -> None:
    door.opened.clear()
    with connected(address) as connection:
        connection.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
        assert door.entered.wait(PATIENCE_SECONDS)
        connection.sendall(b"garbage\r\n\r\n")
        door.opened.set()
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"\r\n\r\nhi")
    assert answer.count(b"HTTP/1.1") == 1


def test_garbage_after_an_answer_is_refused(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        connection.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
        first = b""
        while not first.endswith(b"hi"):
            first += connection.recv(65_536)
        connection.sendall(b"garbage\r\n\r\n")
        assert read_answer(read_to_end(connection))[0].split()[1] == "400"


def test_a_broken_body_that_was_answered_already_gets_no_second_answer(
    address: tuple[str, int], door: Door
) -> None:
    door.is_deaf = True
    with connected(address) as connection:
        connection.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
        answer = b""
        while not answer.endswith(b"deaf"):
            answer += connection.recv(65_536)
        connection.sendall(b"garbage\r\n")
        assert read_to_end(connection) == b""


def test_a_broken_body_behind_a_request_under_way_is_no_answer_to_that_one(
    address: tuple[str, int], door: Door
) -> None:
    door.opened.clear()
    with connected(address) as connection:
        connection.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
        assert door.entered.wait(PATIENCE_SECONDS)
        connection.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\ngarbage\r\n")
        assert read_to_end(connection) == b""


def test_a_request_to_change_protocols_is_answered_as_it_is(address: tuple[str, int]) -> None:
    ask = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    answer = exchange(address, ask)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in answer
