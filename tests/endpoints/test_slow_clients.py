"""Who is slow, idle, many, or goes on sending what nobody wants, is not held for ever."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network

import pytest
import uvicorn
from prometheus_client import REGISTRY
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.endpoints.test_connections import PATIENCE_SECONDS, connected, read_answer, read_to_end
from tests.support.ports import listening_for_bytes

from roundsman.cli.server import KEEP_ALIVE_SECONDS, Serving, make_config
from roundsman.endpoints.connection_counts import ConnectionCounts
from roundsman.endpoints.connections import ConnectionLimits, ConnectionTimeouts
from roundsman.settings import WrongSetting, load_settings

QUICK = ConnectionTimeouts(head=0.2, body=0.2, least_pace=1_000_000, answer=0.1, linger=0.3)
POST = b"POST / HTTP/1.1\r\nHost: here\r\n"
LARGE = 50_000_000


async def door(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the body, or at once without one where the path says so."""
    known = {"/early": b"early", "/large": b"x" * LARGE}
    with suppress(ClientDisconnect):
        body = known.get(scope["path"]) or await Request(scope, receive).body()
        await PlainTextResponse(body)(scope, receive, send)


@contextmanager
def serving(
    timeouts: ConnectionTimeouts, counts: ConnectionCounts | None = None
) -> Iterator[tuple[str, int]]:
    with listening_for_bytes() as bound:
        yield from serving_at(bound, timeouts, counts)


def serving_at(
    bound: socket.socket, timeouts: ConnectionTimeouts, counts: ConnectionCounts | None = None
) -> Iterator[tuple[str, int]]:
    limits = ConnectionLimits(timeouts=timeouts, counts=counts or ConnectionCounts())
    server = uvicorn.Server(make_config(door, Serving(limits=limits)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield bound.getsockname()
    finally:
        server.should_exit = True
        thread.join(60)


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """Return what comes up to an end; fail where the connection ends before."""
    answer = b""
    while not answer.endswith(end):
        part = connection.recv(65_536)
        assert part, answer
        answer += part
    return answer


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with serving(QUICK) as at:
        yield at


@pytest.fixture
def address_of_the_silent() -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        yield from serving_at(bound, QUICK)


def test_a_connection_without_a_byte_is_closed_without_a_word(
    address_of_the_silent: tuple[str, int],
) -> None:
    with connected(address_of_the_silent) as connection, suppress(ConnectionResetError):
        assert connection.recv(1) == b""


SLOW = {
    "half a request line": (b"GET / HT", "head"),
    "half a head": (POST + b"a: b\r\n", "head"),
    "nothing but blank lines": (b"\r\n", "head"),
    "half a body": (POST + b"Content-Length: 9\r\n\r\nhalf", "body"),
    "no body": (POST + b"Content-Length: 9\r\n\r\n", "body"),
    "half a chunk": (POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\nhalf", "body"),
}


@pytest.mark.parametrize(("sent", "what"), SLOW.values(), ids=SLOW)
def test_what_does_not_come_in_time_is_refused(
    address: tuple[str, int], sent: bytes, what: str
) -> None:
    with connected(address) as connection:
        connection.sendall(sent)
        status, headers, body = read_answer(read_to_end(connection))
    assert status == "HTTP/1.1 408 Request Timeout"
    assert headers["connection"] == "close"
    assert body == {"code": 3, "message": f"the {what} of the request did not come in time"}


@pytest.mark.parametrize("begin", [b"GET / HTTP/1.1\r\na: ", POST + b"Content-Length: 999\r\n\r\n"])
def test_a_byte_now_and_then_wins_no_time(address: tuple[str, int], begin: bytes) -> None:
    with connected(address) as connection:
        connection.sendall(begin)
        connection.settimeout(0.02)
        answer = b""
        for _ in range(500):
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"a")
            with suppress(TimeoutError):
                answer = connection.recv(65_536)
                break
    assert answer.startswith(b"HTTP/1.1 408")


def test_the_second_request_of_a_connection_has_its_own_time(address: tuple[str, int]) -> None:
    with connected(address) as connection:
        for _ in range(3):
            connection.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
            read_until(connection, b"hi")
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert read_answer(read_to_end(connection))[0].split()[1] == "408"


def test_a_long_body_at_a_fair_pace_has_the_time_it_takes() -> None:
    fair = ConnectionTimeouts(body=0.1, least_pace=4)
    with serving(fair) as address, connected(address) as connection:
        connection.sendall(POST + b"Content-Length: 16\r\nConnection: close\r\n\r\n12345678")
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):  # nothing comes: it is waited on
            connection.recv(1)
        connection.settimeout(30)
        connection.sendall(b"12345678")
        assert read_to_end(connection).endswith(b"\r\n\r\n1234567812345678")


def is_ended(connection: socket.socket, chunk: bytes) -> bool:
    """Go on sending until nobody takes it any more."""
    try:
        for _ in range(1_000_000):
            connection.sendall(chunk)
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_an_early_answer_is_read_and_what_is_still_sent_is_thrown_away(
    address: tuple[str, int],
) -> None:
    begin = b"POST /early HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    with connected(address) as connection:
        connection.sendall(begin + chunk * 40)
        assert b"connection: close" in read_until(connection, b"early")
        assert connection.recv(1) == b""
        # It ends, however long the body goes on.
        assert is_ended(connection, chunk)


def dropped() -> float:
    told = REGISTRY.get_sample_value("roundsman_connections_dropped_total", {"reason": "answer"})
    return told or 0.0


def test_who_does_not_take_an_answer_is_dropped(address: tuple[str, int]) -> None:
    before = dropped()
    with connected(address) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: here\r\n\r\n")
        assert connection.recv(1) == b"H"
        wait = select.poll()
        for _ in range(PATIENCE_SECONDS * 50):
            if dropped() > before:
                break
            wait.poll(20)
        received = 0
        with suppress(ConnectionResetError):
            while part := connection.recv(1_000_000):
                received += len(part)
    assert received < LARGE


def test_one_address_holds_so_many_connections_and_no_more() -> None:
    with serving(ConnectionTimeouts(), ConnectionCounts(most=2, exempt=())) as address:
        with connected(address) as first, connected(address) as second:
            for one in (first, second):
                one.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
                assert one.recv(1) == b"H"
            with connected(address) as third, suppress(ConnectionResetError, BrokenPipeError):
                third.sendall(POST + b"Content-Length: 2\r\n\r\nhi")
                assert third.recv(1) == b""
        with connected(address) as fourth:
            fourth.sendall(POST + b"Content-Length: 2\r\nConnection: close\r\n\r\nhi")
            assert read_to_end(fourth).endswith(b"hi")


def test_a_crowd_is_counted_by_network_and_some_are_not_counted() -> None:
    counts = ConnectionCounts(most=2, exempt=(ip_network("10.0.0.0/8"),))
    assert [counts.enter("2001:db8::1"), counts.enter("2001:db8::2")] == [True, True]
    assert not counts.enter("2001:db8::3")
    assert counts.enter("2001:db8:0:1::3")
    assert all(counts.enter("10.1.2.3") for _ in range(10))
    counts.leave("10.1.2.3")
    counts.leave("2001:db8::1")
    assert counts.enter("2001:db8::3")
    assert all(
        ConnectionCounts(most=1).enter(host) for host in ("127.0.0.1", "127.0.0.1", "::1", "::1")
    )


def test_connections_are_kept_longer_than_load_balancers_keep_theirs() -> None:
    assert make_config(door).timeout_keep_alive == KEEP_ALIVE_SECONDS > 60
    assert load_settings({}).keep_alive_seconds == KEEP_ALIVE_SECONDS
    chosen = load_settings(
        {"ROUNDSMAN_KEEP_ALIVE_SECONDS": "5", "ROUNDSMAN_CONNECTIONS_PER_ADDRESS": "9"}
    )
    assert (chosen.keep_alive_seconds, chosen.connections_per_address) == (5, 9)
    with pytest.raises(WrongSetting, match=r"ROUNDSMAN_KEEP_ALIVE_SECONDS.*from 1 to 3,600"):
        load_settings({"ROUNDSMAN_KEEP_ALIVE_SECONDS": "0"})
